"""The main fetch of a report: redirects, one retry, a second attempt without certificate verification, and the check for a page.

A redirect loop that sets cookies is followed once more with them.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from findable import urls
from findable.capture.page_size_limits import STORED_BYTES
from findable.capture.response import HTML_TYPES, Failure, Headers, Hop, Response, Tls
from findable.capture.status_classes import is_success
from findable.clock import monotonic_s
from findable.errors import Cause, PageError, PageErrorCode, PageUnavailable
from findable.fetch import page_check
from findable.fetch.identity import Identity
from findable.fetch.politeness import MAX_PAUSE_S, retry_after_s
from findable.fetch.redirect_cookies import RedirectCookies
from findable.fetch.redirects import MAX_REDIRECTS, loop_of, redirect_target
from findable.fetch.request_headers import page_lines
from findable.fetch.wire import Exchange, ExchangeFailure, Order, hop_of, response_of
from findable.values import shape_of

RETRY_PAUSE_S = (0.2, 0.6)
RATE_LIMIT_PAUSE_S = 1.0
"""Pause after a 429 without Retry-After."""
_RATE_LIMITED = 429
_UNAVAILABLE = 503
_SERVER_ERRORS = range(500, 600)

_CODES = {
    Failure.DNS: PageErrorCode.DNS_FAILED,
    Failure.CONNECT: PageErrorCode.CONNECT_FAILED,
    Failure.PROTOCOL: PageErrorCode.CONNECT_FAILED,
    Failure.TLS: PageErrorCode.TLS_FAILED,
    Failure.TIMEOUT: PageErrorCode.TARGET_TIMEOUT,
    Failure.REFUSED: PageErrorCode.TARGET_REFUSED,
    Failure.PAUSED: PageErrorCode.TARGET_RATE_LIMITED,
}
_RETRIED = frozenset({Failure.DNS, Failure.CONNECT, Failure.PROTOCOL, Failure.TLS, Failure.TIMEOUT})


Send = Callable[[str, Order], Awaitable[Exchange]]
"""Makes one exchange with a URL."""


class PageFetch:
    """One main fetch. Call `run` only once.

    Args:
        send: makes one exchange (`Fetcher.send`).
        agent: user agent of the fetcher; that of the identity takes precedence.
        url: the requested page.
        identity: headers and cookies for the page's own origin.
        deadline_s: time limit of the whole fetch.
    """

    def __init__(self, send: Send, agent: str, url: str, identity: Identity, deadline_s: float) -> None:
        self._send_order = send
        self._agent = agent
        self._url = url
        self._identity = identity
        self._until_s = monotonic_s() + deadline_s
        self._hops: list[Hop] = []
        self._attempts = 1
        self._bad_tls: Tls | None = None
        self._cookies = RedirectCookies()
        self._loop_from = 0
        """Number of hops before the first one with cookies."""

    async def run(self) -> Response:
        """Return the page. Raises PageUnavailable."""
        url = urls.without_fragment(self._url)
        while True:
            exchange = await self._fetch_with_retry(url)
            location = redirect_target(url, exchange.status, exchange.headers)
            self._hops.append(hop_of(url, exchange, location or ""))
            if location is None:
                break
            self._cookies.add(url, exchange.set_cookies)
            loop = loop_of(self._hops[self._loop_from :], location)
            if loop and self._cookies.may_end_loop(loop):
                self._loop_from = len(self._hops)
            elif loop:
                raise self._redirect_error(Cause.REDIRECT_LOOP, location)
            if len(self._hops) - self._loop_from > MAX_REDIRECTS:
                raise self._redirect_error(Cause.TOO_MANY_REDIRECTS, location)
            url = location
        response = self._response(exchange)
        page_check.raise_unless_page(response)
        return response

    def _response(self, exchange: Exchange) -> Response:
        return replace(
            response_of(self._url, tuple(self._hops), exchange),
            # An invalid certificate on any hop stops browsers.
            tls=self._bad_tls or exchange.tls,
            attempts=self._attempts,
            wait_samples_ms=(exchange.timing.first_byte_ms,),
        )

    async def _fetch_with_retry(self, url: str) -> Exchange:
        exchange = await self._fetch_once(url)
        pause_s = _pause_before_retry(exchange)
        if self._attempts == 1 and pause_s is not None and monotonic_s() + pause_s < self._until_s:
            await asyncio.sleep(pause_s)
            self._attempts += 1
            exchange = await self._fetch_once(url)
        if exchange.error is not None:
            raise self._fetch_error(url, exchange.error)
        return exchange

    async def _fetch_once(self, url: str) -> Exchange:
        exchange = await self._send(url)
        if exchange.error is None or not exchange.error.bad_certificate:
            return exchange
        reason = exchange.error.text
        exchange = await self._send(url, verify=False)
        if exchange.tls is not None:
            exchange.tls = replace(exchange.tls, verified=False, verify_error=reason)
            self._bad_tls = self._bad_tls or exchange.tls
        return exchange

    async def _send(self, url: str, *, verify: bool = True) -> Exchange:
        lines = self._cookies.lines_for(url, page_lines(url, self._identity, self._agent, with_credentials=verify))
        order = Order(
            self._until_s, lines=lines, new_connection=True, verify=verify, should_read_body=_may_be_html, stored_bytes=STORED_BYTES
        )
        return await self._send_order(url, order)

    def _fetch_error(self, url: str, error: ExchangeFailure) -> PageUnavailable:
        return PageUnavailable(
            shape_of(
                PageError,
                error,
                code=_CODES[error.failure],
                redirects=len(self._hops),
                url=_display_url(url) if self._hops else "",
            )
        )

    def _redirect_error(self, cause: Cause, location: str) -> PageUnavailable:
        return PageUnavailable(PageError(PageErrorCode.TOO_MANY_REDIRECTS, cause, redirects=len(self._hops), url=_display_url(location)))


def _display_url(url: str) -> str:
    """Return the URL without password for display; for other schemes than http only the scheme."""
    parsed = urls.parse(url)
    if parsed is None or not parsed.is_http:
        return f"{parsed.scheme}:…" if parsed else "…"
    return f"{parsed.origin}{parsed.path_and_query}"


def _may_be_html(status: int, headers: Headers) -> bool:
    """Return whether the body may be a page, so that it is read: a 10 GB film is not, by its media type."""
    return not is_success(status) or headers.media_type in ("", *HTML_TYPES)


def _pause_before_retry(exchange: Exchange) -> float | None:
    """Return the seconds to wait before a retry; None if a retry cannot help or is not allowed."""
    jitter_s = random.uniform(*RETRY_PAUSE_S)  # noqa: S311 - spreads retries, guards nothing
    if exchange.error is not None:
        return jitter_s if exchange.error.failure in _RETRIED and not exchange.error.bad_certificate else None
    if exchange.status not in (_RATE_LIMITED, *_SERVER_ERRORS):
        return None
    wanted_s = retry_after_s(exchange.headers.first("retry-after")) if exchange.status in (_RATE_LIMITED, _UNAVAILABLE) else None
    if wanted_s is None:
        return RATE_LIMIT_PAUSE_S + jitter_s if exchange.status == _RATE_LIMITED else jitter_s
    return wanted_s + jitter_s if wanted_s <= MAX_PAUSE_S else None
