"""Make the requests of a crawl other than pages: one HEAD for each stylesheet, script, image and external link, sequentially per host."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass

from findable.capture.redaction import mask_secrets_in_value
from findable.capture.response import Failure, ProbeResponse, Response
from findable.clock import monotonic_s
from findable.crawl.blocks import UsedAs
from findable.crawl.pace import BUSY, Pace
from findable.crawl.settings import CrawlSettings
from findable.crawl.visits import ResourceVisit, WaitingResource
from findable.errors import Cause
from findable.fetch.action_urls import looks_like_action
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.preview import PreviewOrigin
from findable.fetch.robots_rules import crawl_delay_s, forbidden_by
from findable.formats.bot_challenges import challenge_of
from findable.formats.robots_txt import Decision
from findable.urls import host_of, origin_of

HOSTS_AT_ONCE = 8
PUT_AT_ONCE = 16
MAX_FAILURES = 3
"""Consecutive requests without a response after which no more are sent to a host."""
TIMEOUT_S = 10.0
CAP_BYTES = 16_384
IMAGE_ACCEPT = "image/avif,image/webp,image/apng,image/*,*/*;q=0.8"
"""Accept header of browsers, so that servers that choose the format by it send the same image as to visitors."""
_SILENT = frozenset({Failure.CONNECT, Failure.TLS, Failure.TIMEOUT, Failure.PROTOCOL, Failure.PAUSED})
Put = Callable[[Sequence[ResourceVisit]], Awaitable[None]]
"""Stores results in one transaction."""


@dataclass(eq=False)
class ResourceRequests:
    """Requests resources and external links, at the rate of each host.

    Args:
        fetcher: makes the requests.
        settings: of the crawl.
        put: stores results.
        pace_of: returns the pace of an origin of the site, shared with its pages.
        disallowed_by: returns the rule of robots.txt that disallows a URL of the site; None if it is allowed.
        preview: maps requests for a preview's future origin to the preview.
        identity: sent to its one origin.
    """

    fetcher: Fetcher
    settings: CrawlSettings
    put: Put
    _: KW_ONLY
    pace_of: Callable[[str], Awaitable[Pace]]
    disallowed_by: Callable[[str], Awaitable[Decision | None]]
    preview: PreviewOrigin
    identity: Identity = NOBODY

    def __post_init__(self) -> None:
        self._foreign: dict[str, Pace] = {}
        self._is_halted = False

    def halt(self) -> None:
        """Make `run` return after the requests that are in progress."""
        self._is_halted = True

    async def run(self, items: Sequence[WaitingResource], seconds: float) -> None:
        """Request the items for at most this number of seconds; the remaining items get no result."""
        until_s = monotonic_s() + seconds
        self._is_halted = False
        hosts: defaultdict[str, list[WaitingResource]] = defaultdict(list)
        for item in items:
            hosts[host_of(item.url)].append(item)
        turns = asyncio.Semaphore(HOSTS_AT_ONCE)
        tasks = [asyncio.ensure_future(self._run_host(queue, until_s, turns)) for queue in hosts.values()]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _run_host(self, queue: Sequence[WaitingResource], until_s: float, turns: asyncio.Semaphore) -> None:
        async with turns:
            if queue[0].confirms:
                self.fetcher.resolver.clear_failure(host_of(queue[0].url))
            found: list[ResourceVisit] = []
            failures = 0
            for place, item in enumerate(queue):
                if self._is_halted or monotonic_s() >= until_s:
                    break
                visit = await self._visit(item)
                found.append(visit)
                failures = failures + 1 if visit.failure in _SILENT else 0
                is_unknown_name = visit.failure == Failure.DNS
                if is_unknown_name or failures == MAX_FAILURES or (visit.status in BUSY and not item.is_own):
                    found += [_not_requested(other, visit if is_unknown_name else None) for other in queue[place + 1 :]]
                    break
                if len(found) >= PUT_AT_ONCE:
                    await self.put(found)
                    found = []
            if found:
                await self.put(found)

    async def _visit(self, item: WaitingResource) -> ResourceVisit:
        url = self.preview.request_url(item.url) if item.is_own else item.url
        if looks_like_action(item.url):
            return ResourceVisit(item, failure=Failure.SKIPPED.value)
        if self.fetcher.guard.check_url(url) is not None:
            return ResourceVisit(item, failure=Failure.REFUSED.value)
        if item.is_own:
            rule = await self.disallowed_by(item.url)
        else:
            rule = forbidden_by(await self.fetcher.robots_txt(origin_of(url)), url)
        if rule is not None:
            return ResourceVisit(item, failure=Failure.ROBOTS_TXT.value, detail=rule.numbered)
        pace = await (self.pace_of(item.url) if item.is_own else self._pace_outside(url))
        now_s = monotonic_s()
        await asyncio.sleep(pace.next_at_s(now_s) - now_s)
        response = await self.fetcher.request(
            url,
            method="GET" if item.confirms else "HEAD",
            body_cap_bytes=CAP_BYTES,
            timeout_s=TIMEOUT_S,
            accept=IMAGE_ACCEPT if UsedAs.IMAGE in item.used_as else "*/*",
            identity=self.identity if item.is_own else NOBODY,
            keeps_cookies=UsedAs.LINK in item.used_as,
        )
        pace.adapt(response.status, response.hops[-1].timing.first_byte_ms if response.hops else 0.0, monotonic_s())
        return _visit_of(item, mask_secrets_in_value(response, self.identity.secrets, url))

    async def _pace_outside(self, url: str) -> Pace:
        """Return the request rate of a host outside the site: one request at a time."""
        host = host_of(url)
        if host not in self._foreign:
            delay_s = crawl_delay_s(await self.fetcher.robots_txt(origin_of(url)))
            self._foreign[host] = Pace(1 / self.settings.external_interval_s, 1, delay_s)
        return self._foreign[host]


def _visit_of(item: WaitingResource, response: ProbeResponse) -> ResourceVisit:
    has_response = response.failure is Failure.NONE and bool(response.hops)
    return ResourceVisit(
        item,
        status=response.status if has_response else 0,
        failure="" if has_response else response.failure.value,
        detail=challenge_of(Response(response.url, response.hops, response.body)) if has_response and not response.ok else "",
        media_type=response.headers.media_type,
        size_bytes=response.total_bytes if response.ok else None,
        is_missing_host=response.failure is Failure.DNS and response.cause is Cause.NAME_NOT_FOUND,
    )


def _not_requested(item: WaitingResource, same: ResourceVisit | None) -> ResourceVisit:
    """Return the result of a URL that was not requested; URLs whose host has no IP address share the result ``same``."""
    if same is None:
        return ResourceVisit(item, failure=Failure.NOT_ASKED.value)
    return ResourceVisit(item, failure=same.failure, is_missing_host=same.is_missing_host)
