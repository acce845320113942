"""Run slices of a crawl: take URLs, request them, check the pages, store the results.

Requests and analysis overlap: pages are checked in batches through ``compute``, which may use other processes. The store is passed as
``take`` and ``put``.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, field

from findable.capture.crawl import Refusal
from findable.capture.preview_origin import with_public_urls
from findable.capture.redaction import mask_secrets_in_value
from findable.capture.rendering import Rendering, RenderingFailure
from findable.capture.response import Response
from findable.clock import monotonic_s
from findable.compute import Compute, compute_here
from findable.crawl.pace import Pace
from findable.crawl.record import ReadPage
from findable.crawl.render_sampling import RenderSampling
from findable.crawl.rendered import Rendered
from findable.crawl.settings import CrawlSettings, Render, RobotsRules
from findable.crawl.url_keys import text_key
from findable.crawl.visits import Visit, WaitingUrl
from findable.crawled_pages import read_pages, unparsed_record
from findable.fetch.action_urls import looks_like_action
from findable.fetch.browser.page_orders import order_for
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.preview import NO_PREVIEW, PreviewOrigin
from findable.fetch.prober import Prober
from findable.fetch.robots_rules import crawl_delay_s, forbidden_by
from findable.fetch.single_fetch import SingleFetch, fetch_single
from findable.fetch.user_agent import PRODUCT_TOKEN
from findable.formats.robots_txt import Decision
from findable.urls import origin_of, origin_part

_log = logging.getLogger(__name__)

SLICE_PAGES = 200
SLICE_S = 60.0
TAKE_COUNT = 32
BATCH_PAGES = 8
MAX_UNCHECKED = 64
"""Maximum number of responses that are queued for analysis."""

Take = Callable[[int], Awaitable[Sequence[WaitingUrl]]]
"""Returns the next URLs to request, at most the given number."""
RenderPage = Callable[[VisitOrder], Awaitable[Rendering]]
"""Visits a page with a browser to get its document; a failure is in the rendering."""
Put = Callable[[Sequence[Visit]], Awaitable[None]]
"""Stores results and the URLs that they link to in one transaction."""


@dataclass(eq=False)
class Crawler:
    """Requests and checks the URLs of one crawl, at the rate of each host.

    Args:
        fetcher: makes the requests.
        settings: of the crawl.
        site: saved site capture that page checks read.
        take: returns URLs to request.
        put: stores results.
        compute: runs the analysis.
        identity: sent to its one origin.
        load_stored: returns the response of a URL that an earlier crawl stored.
        render: visits a page with a browser; None for no browser.
        sampling: chooses the pages that are visited.
        paces: pace by origin, shared by the slices of a crawl.
    """

    fetcher: Fetcher
    settings: CrawlSettings
    site: bytes
    take: Take
    put: Put
    _: KW_ONLY
    compute: Compute = compute_here
    identity: Identity = NOBODY
    paces: dict[str, Pace] = field(default_factory=dict)
    load_stored: Callable[[str], Response | None] | None = None
    render: RenderPage | None = None
    sampling: RenderSampling = field(default_factory=lambda: RenderSampling(Render.NEVER, Rendered()))

    def __post_init__(self) -> None:
        self._preview = preview_of(self.settings)
        self._sampled = asyncio.Lock()
        self._uploaded_urls = frozenset(self.settings.urls)
        self._waiting: deque[WaitingUrl] = deque()
        self._unchecked: list[tuple[WaitingUrl, SingleFetch]] = []
        self._running: set[asyncio.Task[None]] = set()
        self._checking: set[asyncio.Task[None]] = set()
        self._in_order = self.settings.has_fixed_sample
        self._held: list[Visit] = []
        self._taken_count = 0
        self._is_halted = False

    @property
    def is_slowed(self) -> bool:
        """Whether a host has slowed the crawl down."""
        return any(pace.is_slowed for pace in self.paces.values())

    def halt(self) -> None:
        """Stop taking URLs; `run_slice` returns when those already taken are stored."""
        self._is_halted = True

    async def run_slice(self, pages: int = SLICE_PAGES, seconds: float = SLICE_S) -> bool:
        """Process URLs within limits of their number and of seconds; return whether there were any URLs."""
        until_s = monotonic_s() + seconds
        self._taken_count = 0
        self._is_halted = False
        try:
            while True:
                item = await self._next(pages, until_s)
                if item is not None:
                    await self._start(item)
                elif self._running:
                    await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
                elif self._unchecked or self._checking:
                    self._start_checks(everything=True)
                    await asyncio.wait(self._checking, return_when=asyncio.FIRST_COMPLETED)
                elif self._held:
                    held, self._held = self._held, []
                    await self.put(sorted(held, key=lambda visit: visit.waiting.number))
                else:
                    return self._taken_count > 0
                self._raise_errors()
        finally:
            for task in (*self._running, *self._checking):
                task.cancel()

    async def _next(self, pages: int, until_s: float) -> WaitingUrl | None:
        """Return the next URL to request; None if there is none at the moment, or the slice is over."""
        if not self._waiting and not self._is_halted and self._taken_count < pages and monotonic_s() < until_s:
            if self._in_order and (self._running or self._unchecked or self._checking or self._held):
                return None  # what these pages link to may be requested before URLs that are queued
            if len(self._unchecked) >= BATCH_PAGES or not self._running:
                self._start_checks(everything=not self._running)
            taken = await self.take(TAKE_COUNT if self._in_order else min(TAKE_COUNT, pages - self._taken_count))
            self._taken_count += len(taken)
            self._waiting.extend(taken)
        return self._waiting.popleft() if self._waiting else None

    async def _start(self, item: WaitingUrl) -> None:
        """Start a request as soon as the rate of its host allows it."""
        pace = await self.pace_of(item.url)
        while len(self._running) >= pace.connections:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
            self._raise_errors()
        while len(self._checking) * BATCH_PAGES >= MAX_UNCHECKED:
            await asyncio.wait(self._checking, return_when=asyncio.FIRST_COMPLETED)
            self._raise_errors()
        refused = await self._refusal_of(item)
        if refused is not None:
            await self._store([refused])
            return
        now_s = monotonic_s()
        await asyncio.sleep(pace.next_at_s(now_s) - now_s)
        self._add(self._running, self._visit(item, pace))

    async def _visit(self, item: WaitingUrl, pace: Pace) -> None:
        earlier = None if self.load_stored is None or self._is_sampled(item) else await asyncio.to_thread(self.load_stored, item.url)
        reached = self._preview.request_url(item.url)
        single = await fetch_single(self.fetcher, reached, self.identity, stored_response=earlier, ends_loops=item.confirms)
        if not single.is_unchanged:
            single = with_public_urls(single, self._preview.origin, self._preview.future_origin)
            single = mask_secrets_in_value(single, self.identity.secrets, reached)
        first_byte_ms = single.response.final.timing.first_byte_ms if single.response is not None else 0.0
        pace.adapt(single.response.status if single.response is not None else 0, first_byte_ms, monotonic_s())
        self._unchecked.append((item, single))
        self._start_checks(everything=False)

    @staticmethod
    def _is_sampled(item: WaitingUrl) -> bool:
        """Return whether a stored page is requested without conditions, because some sites return 304 for changed pages."""
        return item.confirms or text_key(item.url) % SAMPLING_INTERVAL == 0

    def _start_checks(self, *, everything: bool) -> None:
        """Start the analysis of a full batch of responses or, with ``everything``, of all that are left."""
        if self._in_order and self.render is not None:
            self._start_ordered_check()
            return
        while len(self._unchecked) >= BATCH_PAGES or (everything and self._unchecked):
            batch, self._unchecked = self._unchecked[:BATCH_PAGES], self._unchecked[BATCH_PAGES:]
            self._add(self._checking, self._check_and_put(batch))

    def _start_ordered_check(self) -> None:
        """Start the analysis of one batch when all responses have arrived, because each page decides which ones a browser opens next."""
        if self._running or self._checking or not self._unchecked:
            return
        self._unchecked.sort(key=lambda response: response[0].number)
        batch, self._unchecked = self._unchecked[:BATCH_PAGES], self._unchecked[BATCH_PAGES:]
        self._add(self._checking, self._check_and_put(batch))

    async def _check_and_put(self, batch: Sequence[tuple[WaitingUrl, SingleFetch]]) -> None:
        kept = [Visit(item, is_unchanged=True) for item, single in batch if single.is_unchanged and self.settings.rolling is not None]
        batch = [(item, single) for item, single in batch if not (single.is_unchanged and kept)]
        if not batch:
            await self._store(kept)
            return
        singles = tuple((item.url, single) for item, single in batch)
        try:
            pages = await self.compute(read_pages, self.site, singles, self.settings.extractors)
        except Exception:  # noqa: BLE001 - a process crashed, perhaps because of one page
            pages = [await self._check_one(url, single) for url, single in singles]
        if self.render is not None and self.sampling.is_used:
            rendered = (self._render_page(item.url, single, page) for (item, single), page in zip(batch, pages, strict=True))
            pages = list(await asyncio.gather(*rendered))
        visits = [Visit(item, page, is_unchanged=single.is_unchanged) for (item, single), page in zip(batch, pages, strict=True)]
        await self._store([*kept, *visits])

    async def _store(self, visits: Sequence[Visit]) -> None:
        """Store results; in a fixed sample only when all URLs that were taken have one, so that links are found in the same order."""
        if self._in_order:
            self._held += visits
        else:
            await self.put(visits)

    async def _render_page(self, url: str, single: SingleFetch, sent_page: ReadPage) -> ReadPage:
        """Return the page as rendered by a browser if it is chosen, else as sent."""
        # The choice of the next page of a sample may depend on this visit.
        async with self._sampled if self.sampling.is_sample else nullcontext():
            return await self._render_if_chosen(url, single, sent_page)

    async def _render_if_chosen(self, url: str, single: SingleFetch, sent_page: ReadPage) -> ReadPage:
        if self.render is None or single.response is None or not self.sampling.choose(sent_page.record):
            return sent_page
        pace = await self.pace_of(url)
        now_s = monotonic_s()
        await asyncio.sleep(pace.next_at_s(now_s) - now_s)
        prober = Prober(self.fetcher, Budget(), identity=self.identity)
        rendering = await self.render(await order_for(self._preview.request_url(url), self.settings.browser, prober))
        rendering = mask_secrets_in_value(rendering, self.identity.secrets, url)
        rendering = with_public_urls(rendering, self._preview.origin, self._preview.future_origin)
        found = None if rendering.failure is not RenderingFailure.NONE else await self._check_one(url, single, rendering)
        is_checked = found is not None and bool(found.record.verdicts)
        self.sampling.add_visit(sent_page.record, found.record if found is not None and is_checked else None)
        return found if found is not None and is_checked else sent_page

    async def _check_one(self, url: str, single: SingleFetch, rendering: Rendering | None = None) -> ReadPage:
        try:
            return (await self.compute(read_pages, self.site, ((url, single),), self.settings.extractors, rendering))[0]
        except Exception:  # noqa: BLE001 - one page must not end a crawl
            _log.exception("page_not_checked")
            return ReadPage(unparsed_record(url, single))

    def _add(self, tasks: set[asyncio.Task[None]], work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: "asyncio.Task[None]") -> None:
        if task.cancelled() or task.exception() is None:
            self._running.discard(task)
            self._checking.discard(task)

    def _raise_errors(self) -> None:
        """Raise the first error of a task, which is a full disk or a bug."""
        for task in (*self._running, *self._checking):
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                raise error

    async def pace_of(self, url: str) -> Pace:
        """Return the request rate of the origin of a URL."""
        origin = origin_of(self._preview.request_url(url))
        if origin not in self.paces:
            robots_txt = await self.fetcher.robots_txt(origin, self.identity)
            delay_s = crawl_delay_s(robots_txt, self._tokens) if self.settings.robots is not RobotsRules.IGNORE else 0.0
            self.paces[origin] = Pace(self.settings.rate, self.settings.connections, delay_s)
        return self.paces[origin]

    @property
    def _tokens(self) -> tuple[str, ...]:
        return ("googlebot",) if self.settings.robots is RobotsRules.GOOGLEBOT else (PRODUCT_TOKEN,)

    async def _refusal_of(self, item: WaitingUrl) -> Visit | None:
        """Return the result of a URL that may not be requested; None if it may be."""
        is_start = item.url == self.settings.start_url
        if not is_start and item.url not in self._uploaded_urls and looks_like_action(item.url):
            return Visit(item, refusal=Refusal.ACTION)
        if self.fetcher.guard.check_url(self._preview.request_url(item.url)) is not None:
            return Visit(item, refusal=Refusal.GUARD)
        rule = await self.disallowed_by(item.url)
        return None if rule is None else Visit(item, refusal=Refusal.ROBOTS, detail=rule.numbered)

    async def disallowed_by(self, url: str) -> Decision | None:
        """Return the rule of robots.txt that disallows the URL, none if robots.txt is unreachable; None if the URL is allowed."""
        if self.settings.robots is RobotsRules.IGNORE:
            return None
        reached = self._preview.request_url(url)
        return forbidden_by(await self.fetcher.robots_txt(origin_of(reached), self.identity), reached, self._tokens)


SAMPLING_INTERVAL = 50
"""Sampling interval of stored pages that are requested without conditions."""


def preview_of(settings: CrawlSettings) -> PreviewOrigin:
    """Return the preview origin of a crawl; it maps no URL if the crawl is not of a preview."""
    return PreviewOrigin(settings.preview_origin, origin_part(settings.start_url)) if settings.preview_origin else NO_PREVIEW
