"""Fetch pages and send extra requests, each checked by the guard, limited per host, and within its deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypedDict

from msgspec.structs import replace

from findable import urls
from findable.capture.response import Failure, Hop, ProbeResponse, Response
from findable.capture.status_classes import is_error
from findable.clock import monotonic_s
from findable.errors import Cause
from findable.fetch.decode import ACCEPT_ENCODING
from findable.fetch.egress_guard import Guard
from findable.fetch.handshakes import Handshakes
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.page_fetch import PageFetch
from findable.fetch.politeness import Politeness, retry_after_s
from findable.fetch.redirect_cookies import RedirectCookies
from findable.fetch.redirects import MAX_EXTRA_REDIRECTS, loop_of, redirect_target
from findable.fetch.request_headers import merge_lines, page_lines
from findable.fetch.resolver import DnsError, Resolver
from findable.fetch.robots_cache import ROBOTS_TXT_CAP_BYTES, RobotsTxtCache
from findable.fetch.sitemap_cache import Listings
from findable.fetch.tls_versions import is_refusal
from findable.fetch.trust import Trust
from findable.fetch.user_agent import CONTACT, user_agent
from findable.fetch.wire import Exchange, ExchangeFailure, Order, Wire, hop_of
from findable.values import shape_of

PAGE_DEADLINE_S = 30.0
REQUEST_TIMEOUT_S = 10.0
BODY_CAP_BYTES = 512 * 1024
MAX_SIZE_DIGITS = 15
"""Maximum number of digits of a size, a petabyte: larger values are invalid, and some JSON parsers cannot represent them."""
_BUSY_STATUSES = frozenset({429, 503})
_UNRELATED_TO_RANGE = frozenset({401, 407, 429})


class RequestOptions(TypedDict, total=False):
    """Options of `Fetcher.request` that callers choose, whatever limits their requests."""

    range_bytes: int | None
    max_redirects: int
    accept: str
    accept_language: str | None
    user_agent: str | None
    with_cookies: bool
    keeps_cookies: bool
    sink: Callable[[bytes], bool] | None


class Fetcher:
    """Fetches pages for one process, bound to its event loop. Use it as ``async with Fetcher(guard) as fetcher``.

    Args:
        guard: decides which URLs and IP addresses may be reached.
        contact: URL in the user agent.
        ca_file: PEM file of extra trusted roots. Raises SettingError if it cannot be used.
        resolver: for tests and special networks; the system's name servers by default.
        politeness: shared with another fetcher that runs concurrently.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        contact: str = CONTACT,
        ca_file: Path | None = None,
        resolver: Resolver | None = None,
        politeness: Politeness | None = None,
    ) -> None:
        self.guard = guard
        self.user_agent = user_agent(contact)
        self.politeness = politeness or Politeness()
        self.robots_txt_cache = RobotsTxtCache()
        self.listings = Listings()
        self.handshakes = Handshakes()
        self._trust = Trust(ca_file)
        self.resolver = resolver or Resolver()
        self._wire = Wire(guard, self._trust)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections and cancel running requests."""
        await self._wire.close()
        await self.resolver.close()
        self._trust.close()

    async def fetch_page(self, url: str, *, identity: Identity = NOBODY, deadline_s: float = PAGE_DEADLINE_S) -> Response:
        """Fetch the requested page: each hop on a separate connection, one retry if useful, all within one deadline.

        404, 410, other 4xx and persistent 5xx are valid results. Raises PageUnavailable if anything else prevents the page (all codes of
        PageErrorCode except needs_browser, which needs the parsed page).
        """
        return await PageFetch(self.send, self.user_agent, url, identity, deadline_s).run()

    async def add_wait_samples(
        self, response: Response, *, count: int = 2, identity: Identity = NOBODY, deadline_s: float = 5.0
    ) -> Response:
        """Return the response with ``count`` more first-byte times of its final URL, on new connections, one after the other.

        Bodies are not read. Failed samples and those with another status are left out; with an invalid certificate all fail.
        """
        samples: list[float] = []
        until_s = monotonic_s() + deadline_s
        for _ in range(count):
            order = Order(
                until_s,
                lines=page_lines(response.final_url, identity, self.user_agent),
                new_connection=True,
                should_read_body=lambda _status, _headers: False,
            )
            exchange = await self.send(response.final_url, order)
            if exchange.error is not None:
                break
            if exchange.status == response.status:
                samples.append(exchange.timing.first_byte_ms)
        return replace(response, wait_samples_ms=(*response.wait_samples_ms, *samples))

    async def request(  # noqa: PLR0913 - a request has many options, all keyword-only
        self,
        url: str,
        *,
        method: str = "GET",
        range_bytes: int | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        max_redirects: int = MAX_EXTRA_REDIRECTS,
        body_cap_bytes: int = BODY_CAP_BYTES,
        wire_cap_bytes: int | None = None,
        timeout_s: float = REQUEST_TIMEOUT_S,
        accept: str = "*/*",
        accept_language: str | None = None,
        user_agent: str | None = None,
        identity: Identity = NOBODY,
        with_cookies: bool = True,
        keeps_cookies: bool = False,
        sink: Callable[[bytes], bool] | None = None,
    ) -> ProbeResponse:
        """Send one extra request on a pooled connection. Network errors never raise: see `ProbeResponse.failure`.

        Args:
            url: absolute http or https URL.
            method: GET or HEAD; unchanged by redirects.
            range_bytes: requests only the first bytes, and reads no more if the server sends all. Servers need not support ranges (RFC 9110
                section 14.2): an error is requested again without one, as browsers request the URL, and its status is in ``tries``.
            headers: further header lines.
            max_redirects: 0 returns the redirect itself.
            body_cap_bytes: limit of the decoded body.
            wire_cap_bytes: limit of the transferred body; by default ``body_cap_bytes`` or the range.
            timeout_s: for all redirects together.
            accept: sent as Accept.
            accept_language: sent as Accept-Language; none by default.
            user_agent: replaces the identity's and the default one.
            identity: credentials for one origin, sent only there.
            with_cookies: whether the identity's cookies are sent.
            keeps_cookies: whether a redirect loop is followed once more with the cookies that it sets, as browsers do and Googlebot does
                not. Then the first URL of the loop occurs twice among the hops.
            sink: receives the decoded bytes of the last response instead of `ProbeResponse.body`; False ends the transfer.
        """
        until_s = monotonic_s() + timeout_s
        extra = list(headers)
        cap_bytes = body_cap_bytes
        if range_bytes is not None:
            extra.append(("Range", f"bytes=0-{range_bytes - 1}"))
            cap_bytes = min(cap_bytes, range_bytes)
        if accept_language is not None:
            extra.append(("Accept-Language", accept_language))
        hops: list[Hop] = []
        cookies, loop_from = RedirectCookies(), 0
        tries: tuple[str, ...] = ()
        target = urls.without_fragment(url)
        while True:
            introduced_as = user_agent or identity.agent_for(target) or self.user_agent
            own_lines = identity.lines_for(target, with_cookies=with_cookies)
            lines = (("User-Agent", introduced_as), ("Accept", accept), ("Accept-Encoding", ACCEPT_ENCODING), *extra)
            order = Order(
                until_s,
                method=method,
                lines=cookies.lines_for(target, merge_lines(lines, own_lines, agent=user_agent)),
                wire_cap_bytes=wire_cap_bytes or max(cap_bytes, 1),
                decoded_cap_bytes=cap_bytes,
                sink=sink,
            )
            exchange = await self.send(target, order)
            if range_bytes is not None and not tries and _may_refuse_range(exchange):
                tries = (f"{method} {exchange.status}",)
                extra = [(name, value) for name, value in extra if name != "Range"]
                continue
            location = redirect_target(target, exchange.status, exchange.headers)
            follows = location is not None and exchange.error is None and max_redirects > 0
            if exchange.status:
                hops.append(hop_of(target, exchange, location or ""))
            if not follows or location is None:
                return _probe_response(url, method, tuple(hops), exchange, tries)
            cookies.add(target, exchange.set_cookies)
            loop = loop_of(hops[loop_from:], location)
            if keeps_cookies and loop and cookies.may_end_loop(loop):
                loop_from = len(hops)
            elif loop or len(hops) - loop_from > max_redirects:
                error = ExchangeFailure(Failure.TOO_MANY_REDIRECTS, "", Cause.REDIRECTS, text=str(max_redirects))
                return _probe_response(url, method, tuple(hops), replace(exchange, error=error), tries)
            target = location

    async def robots_txt(self, origin: str, identity: Identity = NOBODY) -> ProbeResponse:
        """Return the robots.txt of an origin, cached if fresh."""

        def request(url: str) -> Awaitable[ProbeResponse]:
            return self.request(url, body_cap_bytes=ROBOTS_TXT_CAP_BYTES, identity=identity)

        return await self.robots_txt_cache.robots_txt(origin, request)

    async def accepts_tls(self, url: str, version: str, *, timeout_s: float = REQUEST_TIMEOUT_S) -> bool | None:
        """Return whether the server of an https URL accepts only that TLS version (of `tls_versions.TLS_VERSIONS`).

        No request is sent and the certificate is not verified. None if unknown: no connection, timeout, closed without an alert, or this
        machine's OpenSSL lacks the version.
        """
        order = Order(monotonic_s() + timeout_s, tls_version=version, new_connection=True, verify=False)
        error = (await self.send(url, order)).error
        if error is None:
            return True
        return False if error.failure is Failure.TLS and is_refusal(error.text) else None

    async def send(self, url: str, order: Order) -> Exchange:
        """Make one exchange: guard, slot of the host, name resolution, guard again, transfer."""
        parsed = urls.parse(url)
        if parsed is None or self.guard.check_url(url) is not None:
            return Exchange(error=REFUSED)
        pause_s = self.politeness.pause_left_s(parsed.origin)
        if monotonic_s() + pause_s >= order.deadline_s:
            return Exchange(error=ExchangeFailure(Failure.PAUSED, "pause", Cause.PAUSED))
        if pause_s:
            await asyncio.sleep(pause_s)
        try:
            async with asyncio.timeout(order.deadline_s - monotonic_s()) as waiting, self.politeness.slot(parsed.host):
                started_s = monotonic_s()
                addresses = await self.resolver.resolve(parsed.host)
                dns_ms = 0.0 if urls.is_ip(parsed.host) else (monotonic_s() - started_s) * 1000
                if self.guard.check_addresses(parsed.host, parsed.port, addresses) is not None:
                    return Exchange(error=REFUSED)
                waiting.reschedule(None)  # the transfer enforces the deadline itself and reports the phase
                exchange = await self._wire.exchange(parsed, addresses, order, dns_ms=dns_ms)
        except DnsError as error:
            return Exchange(error=ExchangeFailure(Failure.DNS, "dns", error.cause, host=error.host))
        except TimeoutError:
            return Exchange(error=ExchangeFailure(Failure.TIMEOUT, "dns", Cause.CONNECT_TIMEOUT))
        self._pause_if_requested(parsed.origin, exchange)
        return exchange

    def _pause_if_requested(self, origin: str, exchange: Exchange) -> None:
        """Pause requests to the origin if it sent Retry-After."""
        wanted_s = retry_after_s(exchange.headers.first("retry-after")) if exchange.status in _BUSY_STATUSES else None
        if wanted_s:
            self.politeness.pause(origin, wanted_s)


REFUSED = ExchangeFailure(Failure.REFUSED, "connect", Cause.TARGET_REFUSED)


def _may_refuse_range(exchange: Exchange) -> bool:
    """Return whether an error may be caused by Range; not if the server requests credentials or fewer requests."""
    if exchange.error is not None or not is_error(exchange.status):
        return False
    return exchange.status not in _UNRELATED_TO_RANGE and exchange.headers.first("retry-after") is None


def _probe_response(url: str, method: str, hops: tuple[Hop, ...], exchange: Exchange, tries: tuple[str, ...]) -> ProbeResponse:
    error = exchange.error
    return shape_of(
        ProbeResponse,
        exchange,
        url=url,
        method=method,
        hops=hops,
        total_bytes=_total_bytes(method, exchange),
        content_encoding=exchange.codings,
        failure=error.failure if error else Failure.NONE,
        cause=error.cause if error else None,
        detail=error.host or error.text if error else "",
        decode_error="" if error else exchange.decode_error,
        tries=tries,
    )


def _total_bytes(method: str, exchange: Exchange) -> int | None:
    """Return the size of the complete body as transferred, if all of it arrived or the server declares it; otherwise None."""
    if exchange.status == 206:  # noqa: PLR2004 - Partial Content
        return _stated_bytes((exchange.headers.first("content-range") or "").rpartition("/")[2])
    is_whole = method != "HEAD" and exchange.status and exchange.error is None and not exchange.is_body_stopped and not exchange.truncated
    return exchange.wire_bytes if is_whole else _stated_bytes(exchange.headers.first("content-length") or "")


def _stated_bytes(text: str) -> int | None:
    """Return the size that a header declares; None if it is invalid or larger than any file."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_SIZE_DIGITS else None
