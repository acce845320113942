"""Send the extra requests of one report within its budget, a few at a time, within the limits of each host."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import KW_ONLY, dataclass
from typing import Unpack

from msgspec.structs import replace

from findable import urls
from findable.capture.response import Failure, ProbeResponse
from findable.capture.status_classes import is_error
from findable.errors import Cause
from findable.fetch.action_urls import looks_like_action
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher, RequestOptions
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.politeness import HOST_CONNECTIONS
from findable.fetch.preview import NO_PREVIEW, PreviewOrigin
from findable.fetch.robots_cache import ROBOTS_TXT_CAP_BYTES
from findable.fetch.robots_rules import forbidden_by

AT_ONCE = 16
REQUEST_TIMEOUT_S = 8.0
FAIR_TIMEOUT_S = 4.0
"""Timeout below which a failed request says nothing about the server, since the budget ended it."""
HANDSHAKE_TIMEOUT_S = 4.0
LINK_BODY_CAP_BYTES = 16 * 1024
_CLOSED = frozenset({Cause.CLOSED_IN_HANDSHAKE, Cause.CLOSED_BEFORE_RESPONSE, Cause.CLOSED_IN_HEADER, Cause.CLOSED_IN_BODY})
_UNAUTHORIZED, _RATE_LIMITED = 401, 429


@dataclass(eq=False)
class Prober:
    """Sends requests for one report within its budget.

    Args:
        fetcher: sends them.
        budget: limits them.
        identity: credentials for the page's own origin.
        preview: maps requests for a preview's future origin to the preview.
        samples_heads: whether `check_link` compares HEAD with GET once per host.
    """

    fetcher: Fetcher
    budget: Budget
    identity: Identity = NOBODY
    preview: PreviewOrigin = NO_PREVIEW
    _: KW_ONLY
    samples_heads: bool = False

    def __post_init__(self) -> None:
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._hosts: dict[str, asyncio.Semaphore] = {}
        self._samples: dict[str, ProbeResponse] = {}
        """Responses to GET by host, of the first link that works by HEAD."""
        self._sampling: dict[str, asyncio.Lock] = {}

    async def request(
        self, url: str, *, cap_bytes: int, method: str = "GET", decoded_cap_bytes: int | None = None, **options: Unpack[RequestOptions]
    ) -> ProbeResponse:
        """Send one request. If the budget is used up, the result is `Failure.BUDGET`.

        Args:
            url: absolute http or https URL.
            cap_bytes: limit of the transferred body.
            method: GET or HEAD.
            decoded_cap_bytes: limit of the decoded body; ``cap_bytes`` by default.
            options: see `Fetcher.request`.
        """
        url = self.preview.request_url(url)
        async with self._wait_for_host(url):
            granted_bytes = await self.budget.take(0 if method == "HEAD" else cap_bytes)
            if granted_bytes is None:
                return ProbeResponse(url, method, failure=Failure.BUDGET)
            timeout_s = min(REQUEST_TIMEOUT_S, self.budget.left_s)
            response = await self.fetcher.request(
                url,
                method=method,
                body_cap_bytes=decoded_cap_bytes or cap_bytes,
                wire_cap_bytes=granted_bytes or None,
                timeout_s=timeout_s,
                identity=self.identity,
                **options,
            )
            await self.budget.release(granted_bytes, requests_count=_sent_count(response), bytes_count=response.wire_bytes)
        if response.failure is Failure.TIMEOUT and timeout_s < FAIR_TIMEOUT_S:
            return replace(response, failure=Failure.BUDGET, cause=None, detail="")
        return response

    async def accepts_tls(self, url: str, version: str) -> bool | None:
        """See `Fetcher.accepts_tls`; None also if the budget is used up."""
        async with self._wait_for_host(url):
            granted_bytes = await self.budget.take(0)
            if granted_bytes is None:
                return None
            accepted = await self.fetcher.accepts_tls(url, version, timeout_s=min(HANDSHAKE_TIMEOUT_S, self.budget.left_s))
            await self.budget.release(granted_bytes, requests_count=1, bytes_count=0)
        return accepted

    @asynccontextmanager
    async def _wait_for_host(self, url: str) -> AsyncIterator[None]:
        """Wait for the host's slot first: many links to one busy host must not delay those to others."""
        async with self._hosts.setdefault(urls.host_of(url), asyncio.Semaphore(HOST_CONNECTIONS)), self._at_once:
            yield

    async def robots_txt(self, origin: str) -> ProbeResponse:
        """Return the robots.txt of an origin, cached if fresh."""
        return await self.fetcher.robots_txt_cache.robots_txt(origin, lambda url: self.request(url, cap_bytes=ROBOTS_TXT_CAP_BYTES))

    async def refusal(self, url: str) -> ProbeResponse | None:
        """Return the result that replaces a request for an action, a guarded or a disallowed URL; None if the request is allowed."""
        url = self.preview.request_url(url)
        if looks_like_action(url):
            return ProbeResponse(url, failure=Failure.SKIPPED)
        if self.fetcher.guard.check_url(url) is not None:
            return ProbeResponse(url, failure=Failure.REFUSED)
        robots_txt = await self.robots_txt(urls.origin_of(url))
        if robots_txt.failure in {Failure.BUDGET, Failure.PAUSED}:
            return ProbeResponse(url, failure=robots_txt.failure, cause=robots_txt.cause, detail=robots_txt.detail)
        rule = forbidden_by(robots_txt, url)
        return None if rule is None else ProbeResponse(url, failure=Failure.ROBOTS_TXT, detail=rule.numbered)

    async def fetch_politely(self, url: str, *, cap_bytes: int) -> ProbeResponse:
        """Return the response with the beginning of a page, if robots.txt and the guard allow its URL; otherwise why not."""
        return await self.refusal(url) or await self.request(url, cap_bytes=cap_bytes)

    async def check_link(self, url: str) -> ProbeResponse:
        """Check a link: HEAD, and GET of the first bytes, as browsers request it, if HEAD is refused, finds nothing or is not reliable.

        Some servers respond to every HEAD with 200: see ``samples_heads``. The page's own origin gets the identity with its cookies: links
        of a preview may need them.
        """
        refusal = await self.refusal(url)
        if refusal is not None:
            return refusal
        response = await self.request(url, method="HEAD", cap_bytes=0, keeps_cookies=True)
        if not (_head_is_doubtful(response) or await self._is_contradicted(response)):
            return replace(response, body=b"")
        tries = (f"HEAD {response.status or response.failure.value}",)
        second = self._samples.get(urls.host_of(url))
        if second is None or second.url != response.url:
            second = await self.request(url, cap_bytes=LINK_BODY_CAP_BYTES, keeps_cookies=True)
        response = response if second.failure in {Failure.BUDGET, Failure.PAUSED} else second
        return replace(response, body=b"", tries=tries)

    async def _is_contradicted(self, response: ProbeResponse) -> bool:
        """Return whether GET fails for the first link of this host that works by HEAD, which is requested to find out."""
        host = urls.host_of(response.url)
        if not self.samples_heads or not response.ok:
            return False
        async with self._sampling.setdefault(host, asyncio.Lock()):
            if host not in self._samples:
                self._samples[host] = await self.request(response.url, cap_bytes=LINK_BODY_CAP_BYTES, keeps_cookies=True)
        sample = self._samples[host]
        return sample.failure is Failure.NONE and is_error(sample.status) and sample.status not in {_UNAUTHORIZED, _RATE_LIMITED}


def _sent_count(response: ProbeResponse) -> int:
    """Return how many requests left this machine."""
    never_left = response.failure in {Failure.DNS, Failure.REFUSED, Failure.BUDGET, Failure.PAUSED}
    return len(response.tries) + (len(response.hops) if never_left else max(1, len(response.hops)))


def _head_is_doubtful(response: ProbeResponse) -> bool:
    """Return whether a GET may give another result: many servers refuse HEAD, or handle it wrongly."""
    if response.failure in {Failure.PROTOCOL, Failure.TIMEOUT} or response.cause in _CLOSED:
        return True
    if response.ok and (response.headers.first("content-length") or "").strip() == "0":
        return True  # a page has content, so that this is no page's response
    return response.failure is Failure.NONE and is_error(response.status) and response.status not in {_UNAUTHORIZED, _RATE_LIMITED}
