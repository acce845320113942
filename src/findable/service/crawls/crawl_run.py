"""Run a crawl from its file: discover, settle, report. A killed or stopped crawl continues where it stopped."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from itertools import islice
from math import inf
from typing import Any, TypeVar

from msgspec.structs import replace

from findable.artifacts.registry import Artifacts, gather
from findable.capture.crawl import CrawlEnd, CrawlSummary, Refusal, StartPage
from findable.capture.preview_origin import with_public_urls
from findable.capture.redaction import mask_secrets_in_value
from findable.capture.response import Failure, ProbeResponse, Response
from findable.capture.saved import dump_site, load_site
from findable.capture.site import SiteCapture
from findable.capture.site_graph import CrawledDuplicates, CrawledSitemap, CrawledTemplates
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.clock import monotonic_s, now, rfc3339
from findable.compute import Compute
from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.progress import CrawlMemory, CrawlProgress, CrawlStage, first_findings
from findable.crawl.render_sampling import RenderSampling
from findable.crawl.rolling import due_pages, lastmod_s
from findable.crawl.settings import CrawlSettings
from findable.crawl.start_origins import public_origins, with_origins
from findable.crawl.state import CrawlState, Phase
from findable.crawl.stored_responses import unpack_response
from findable.crawl.url_keys import url_key
from findable.crawl.visits import ResourceVisit, Visit, WaitingUrl
from findable.crawler import SLICE_PAGES, SLICE_S, Crawler, RenderPage, preview_of
from findable.errors import FindableError
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.listed_urls import listed_urls
from findable.fetch.robots_rules import forbidden_by
from findable.fetch.site_requests import HOME_CAP_BYTES, probe_site, probe_tls
from findable.fetch.sitemaps import declared_sitemaps
from findable.fetch.user_agent import PRODUCT_TOKEN
from findable.formats.robots_txt import ALLOWED
from findable.malloc_arenas import return_free_memory
from findable.reports.scoring import RULESET
from findable.reports.site_areas import SiteArea
from findable.reports.site_report import START_CHECK, SiteReport, site_report
from findable.reports.site_structure import TEMPLATES, SitemapFile, SiteStructure, duplicates_of
from findable.resource_requests import ResourceRequests
from findable.service.crawls.position_checks import PositionChecks
from findable.service.crawls.site_colours import areas_by_colour
from findable.store.carried_pages import remove_unlinked
from findable.store.crawl_findings import stored_report, write_report
from findable.store.crawl_frontier import Frontier
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_settling import Settling
from findable.store.crawl_store import CrawlStore, CrawlStoreDamaged
from findable.store.page_lists import PageLists
from findable.store.page_results import add_page_results, settle_pages, write_page_results
from findable.store.page_roots import PageRoots
from findable.store.site_roots import ReadSite
from findable.store.stored_comparisons import drop_comparisons
from findable.store.structure_reading import StructureReading, site_areas
from findable.urls import host_of, origin_of, origin_part, start_page_project, without_fragment
from findable.vocabulary import Source, Subject

_log = logging.getLogger(__name__)
NEEDS_BROWSER_FROM = 0.8
"""Share of script-built pages from which the site is not rated without a browser."""
PROGRESS_S = 1.0
PROGRESS_SHARE = 20
"""Time between two reports of progress, as a multiple of the duration of a report: large crawls are counted less often."""
SITE_DOWN_FROM = 30
"""Consecutive requests without a response after which a site counts as down."""
SITE_DEADLINE_S = 60.0
SITEMAPS_S = 1800.0
"""Time in which a crawl reads the sitemaps of a site."""
Made = TypeVar("Made")


class SiteDown(FindableError):
    """Error for a site that no longer responds."""


@dataclass(eq=False)
class CrawlRun:
    """One run of a crawl: `run` until it is settled, or `begin` and `work` slice by slice, then `settle_crawl`.

    Args:
        file: stores the crawl.
        fetcher: makes the requests.
        compute: runs the analysis.
        identity: headers and login of the project, sent only to the origin of its site.
        fallback_url: start URL to try if the first one cannot be reached; empty for none.
        memory: what the slices of the crawl share.
        on_progress: called after each batch that was stored.
        earlier: an earlier crawl of the site; its pages that are no longer linked are requested as well.
        uploaded: URLs with uploaded metrics; those without links are requested as well.
        clicks: returns the uploaded metric of the importance of URLs by their keys, for a rolling crawl.
        render: function that visits a page with a browser; None without a browser.
    """

    file: CrawlStore
    fetcher: Fetcher
    compute: Compute
    _: KW_ONLY
    identity: Identity = NOBODY
    fallback_url: str = ""
    memory: CrawlMemory = field(default_factory=CrawlMemory)
    on_progress: Callable[[CrawlProgress], None] = lambda _progress: None
    earlier: CrawlStore | None = None
    uploaded: Sequence[str] = ()
    clicks: Callable[[], Mapping[int, int]] = dict
    render: RenderPage | None = None

    def __post_init__(self) -> None:
        self._sampling: RenderSampling | None = None
        self._tell_at_s = 0.0
        self._crawlers: tuple[Crawler, Crawler] | None = None
        self._requests: ResourceRequests | None = None
        self._resources_left: int | None = None
        self._resources_count = 0
        self._confirmable_at_s = 0.0
        self._failed_count = 0
        self._is_halted = False

    async def run(self, settings: CrawlSettings) -> CrawlState:
        """Begin or continue the crawl, and settle it; return its last state."""
        state = self.begin(settings)
        while state.phase in (Phase.START, Phase.DISCOVER):
            try:
                state = await self.work()
            except SiteDown:
                state = await asyncio.to_thread(self.stop, CrawlEnd.UNREACHABLE)
        if state.phase is not Phase.SETTLE:
            return state
        for store in (self.file, self.earlier):
            if store is not None:
                store.close()  # the memory of its connections, for settling, which opens one again
        return_free_memory()
        return settle_crawl(self.file)

    def begin(self, settings: CrawlSettings) -> CrawlState:
        """Store a new crawl, or continue one; return its state."""
        state = self.file.state()
        if state is None:
            state = CrawlState(settings.start_url, settings, started_at=rfc3339(now()), checks=all_check_ids(), ruleset=RULESET)
            state = replace(state, extracted=settings.extractors)
        elif state.phase.has_results and not state.can_continue(settings):
            return state
        elif not self.file.site():
            state = replace(state, settings=settings, phase=Phase.START, ended_by=None, checks=all_check_ids(), ruleset=RULESET)
            state = replace(state, extracted=settings.extractors)
        elif state.phase is not Phase.START:
            kept = replace(settings.at_origin_of(state.typed_url), start_url=state.settings.start_url)
            if state.checks != all_check_ids():
                self.file.rename_checks(all_check_ids())
            state = replace(state, settings=kept, phase=Phase.DISCOVER, ended_by=None, checks=all_check_ids())
        self.file.save_state(state)
        return state

    async def work(self, pages: int = SLICE_PAGES, seconds: float = SLICE_S) -> CrawlState:
        """Process this many URLs or seconds; return the state after them. Raises SiteDown if the site is unreachable."""
        state = await asyncio.to_thread(self._required_state)
        return await (self._prepare(state) if state.phase is Phase.START else self._discover(state, pages, seconds))

    def halt(self) -> None:
        """End the current slice as soon as the running requests are stored."""
        self._is_halted = True
        for crawler in self._crawlers or ():
            crawler.halt()
        if self._requests is not None:
            self._requests.halt()

    def stop(self, ended_by: CrawlEnd = CrawlEnd.STOPPED) -> CrawlState:
        """End the crawl with the pages that are stored so far."""
        state = self._required_state()
        if not self.file.site():
            return self._ended_early(state, ended_by, "")
        state = replace(state, phase=Phase.SETTLE, ended_by=ended_by, ended_at=rfc3339(now()))
        self.file.save_state(state)
        return state

    # --- start

    async def _prepare(self, state: CrawlState) -> CrawlState:
        """Find the start page behind redirects, make the site-wide requests, and add the URLs of its sitemaps."""
        crawler = self._crawler(state, b"")
        state = await self._with_robots_rules(state)
        rule = await crawler.disallowed_by(state.settings.start_url) if state.settings.follows_links else None
        if rule is not None:
            return await asyncio.to_thread(self._ended_early, state, CrawlEnd.BLOCKED, rule.numbered)
        preview = preview_of(state.settings)
        wanted = preview.request_url(state.settings.start_url)
        response = await self.fetcher.request(wanted, body_cap_bytes=HOME_CAP_BYTES, identity=self.identity)
        if response.failure is not Failure.NONE and not response.hops and self.fallback_url:
            insecure = await self.fetcher.request(self.fallback_url, body_cap_bytes=HOME_CAP_BYTES, identity=self.identity)
            if insecure.failure is Failure.NONE or insecure.hops:
                response = insecure
                state = replace(state, typed_url=self.fallback_url, settings=state.settings.at_origin_of(self.fallback_url))
                state = await self._with_robots_rules(state)
        if response.failure is not Failure.NONE and not response.hops and state.settings.follows_links:
            state = _with_response(state, response)
            return await asyncio.to_thread(self._ended_early, state, CrawlEnd.UNREACHABLE, response.failure.words)
        start = preview.public_url(without_fragment(response.final_url))
        if state.settings.follows_links:
            state = await self._with_robots_rules(replace(state, settings=replace(state.settings, start_url=start)))
            rule = await crawler.disallowed_by(start)
            if rule is not None:
                return await asyncio.to_thread(self._ended_early, state, CrawlEnd.BLOCKED, rule.numbered)
            state = _with_response(state, response)
        budget = Budget(SITE_DEADLINE_S, reserved_s=0.0)
        site = await probe_site(self.fetcher, preview.request_url(start), budget, identity=self.identity, preview=preview)
        if site.home is None:  # the start page is the home page: site checks treat it as such
            site = replace(site, home=response)
        site = replace(site, tls_versions=await probe_tls(self.fetcher, preview.request_url(start), budget, identity=self.identity))
        site = with_public_urls(site, preview.origin, preview.future_origin)
        site = mask_secrets_in_value(site, self.identity.secrets, start)
        carried = await asyncio.to_thread(self._carried_from, state)
        if carried is not None and self.earlier is not None:
            await asyncio.to_thread(self.file.carry_over, self.earlier)
            state = replace(state, **carried)
        await asyncio.to_thread(self.file.save_state, state)
        await asyncio.to_thread(self.file.save_site, dump_site(site))
        if state.settings.urls:
            targets = [target for _, target in state.settings.expected]
            await asyncio.to_thread(self.file.add, list(dict.fromkeys((*state.settings.urls, *targets))), FoundBy.LIST, 0)
        else:
            await asyncio.to_thread(self.file.add, [state.settings.start_url], FoundBy.START, 0)
            dates = await self._sitemap_dates(state.settings, site.robots_txt)
            await asyncio.to_thread(self.file.add, dates, FoundBy.SITEMAP, 1)
            if carried is not None:
                await asyncio.to_thread(self._queue_due, state.settings, dates, site)
        state = replace(await asyncio.to_thread(self._required_state), phase=Phase.DISCOVER)
        await asyncio.to_thread(self.file.save_state, state)
        return state

    async def _with_robots_rules(self, state: CrawlState) -> CrawlState:
        """Return the state with the rules of robots.txt about the start page, for Googlebot and for this crawler."""
        url = state.settings.start_url
        if not state.settings.follows_links:
            return state
        reached = preview_of(state.settings).request_url(url)
        robots_txt = await self.fetcher.robots_txt(origin_of(reached), self.identity)
        for_google = forbidden_by(robots_txt, reached, ("googlebot",)) or ALLOWED
        for_findable = forbidden_by(robots_txt, reached) or ALLOWED
        start = StartPage(
            is_home=bool(start_page_project(url)),
            host=host_of(reached),
            robots_status=robots_txt.status,
            robots_failure=robots_txt.failure.value,
            blocks_google=for_google.rule,
            blocks_google_line=for_google.line or 0,
            blocks_findable=for_findable.rule,
            blocks_findable_line=for_findable.line or 0,
        )
        return replace(state, start=start)

    def _ended_early(self, state: CrawlState, ended_by: CrawlEnd, detail: str) -> CrawlState:
        """Store a crawl that found no page, with the reason."""
        state = replace(state, ended_by=ended_by, ended_at=rfc3339(now()), phase=Phase.REPORT)
        self.file.save_state(state)
        self.file.add([state.settings.start_url], FoundBy.START, 0)
        if ended_by is CrawlEnd.BLOCKED:
            waiting = WaitingUrl(1, state.settings.start_url, 0)
            self.file.put([Visit(waiting, refusal=Refusal.ROBOTS, detail=detail)])
        return state

    def _carried_from(self, state: CrawlState) -> dict[str, Any] | None:
        """Return the changes of the state of a rolling crawl that carries over pages of the earlier crawl; None if none can be."""
        found = None if state.settings.rolling is None else self._of_earlier(lambda earlier: earlier.state())
        if found is None or not found.phase.has_results or found.settings.imported is not None or public_origins(found, state):
            return None
        names = ("checks", "ruleset", "extracted", "session_names")
        return {name: getattr(found, name) for name in names}

    def _queue_due(self, settings: CrawlSettings, dates: Mapping[str, str], site: SiteCapture) -> None:
        """Queue the pages of the earlier crawl that are requested again. ``dates``: last changes in sitemaps by URL."""
        now_s, saved = int(now().timestamp()), self._of_earlier(lambda earlier: earlier.site())
        self.file.queue_due(
            settings.start_url,
            partial(due_pages, limit=settings.url_limit, now_s=now_s),
            clicks=self.clicks(),
            lastmods={url_key(url): lastmod_s(date, now_s) for url, date in dates.items()},
            has_other_rule=_other_rule(load_site(saved).robots_txt, site.robots_txt) if saved else None,
        )

    async def _sitemap_dates(self, settings: CrawlSettings, robots_txt: Any) -> dict[str, str]:
        """Return the dates of the URLs of the crawl in the sitemaps of robots.txt, or in the one at the default location."""
        preview = preview_of(settings)
        places = declared_sitemaps(robots_txt) or (f"{origin_part(settings.start_url)}/sitemap.xml",)
        found: dict[str, str] = {}
        most, until_s = settings.known_limit, monotonic_s() + SITEMAPS_S
        for place in map(preview.request_url, places):
            left_s = until_s - monotonic_s()
            if self.fetcher.guard.check_url(place) is None and len(found) < most and left_s > 0:
                listed = await listed_urls(
                    self.fetcher, place, most, identity=self.identity, preview_of=preview.future_origin, total_timeout_s=left_s
                )
                for url, date in listed.dates.items():
                    found.setdefault(preview.public_url(without_fragment(url)), date)
        return {url: date for url, date in islice(found.items(), most) if settings.refusal_of(url) is not Refusal.SCOPE}

    # --- discover

    async def _discover(self, state: CrawlState, pages: int, seconds: float) -> CrawlState:
        if self._is_halted:
            return state
        if self._crawlers is None:
            await asyncio.to_thread(self.file.release)
            site = await asyncio.to_thread(self.file.site)
            self._crawlers = (
                self._crawler(state, site),
                self._crawler(state, site, lambda count: asyncio.to_thread(self.file.take_unconfirmed, count)),
            )
            self._confirmable_at_s = (
                monotonic_s() + state.settings.confirm_after_s if (await asyncio.to_thread(self.file.counts)).doubtful else 0.0
            )
        crawler, confirmer = self._crawlers
        began_s = monotonic_s()
        left_s = seconds if state.settings.seconds is None else min(seconds, state.settings.seconds - state.seconds)
        had_work = await crawler.run_slice(pages, left_s) if left_s > 0 else False
        state = await asyncio.to_thread(self._with_seconds, monotonic_s() - began_s)
        await self._require_alive(state)
        if had_work or self._is_halted:
            self._confirmable_at_s = monotonic_s() + state.settings.confirm_after_s
            return state
        if (await asyncio.to_thread(self.file.counts)).doubtful:
            began_s = monotonic_s()
            await self._report_progress(at_once=True)
            await asyncio.sleep(self._confirmable_at_s - began_s)
            await confirmer.run_slice(pages, seconds)
            return await asyncio.to_thread(self._with_seconds, monotonic_s() - began_s)
        if not self._is_late(state) and await asyncio.to_thread(self._add_known, state):
            return state
        if not self._is_late(state) and await self._request_resources(state, seconds):
            return await asyncio.to_thread(self._required_state)
        state = replace(state, phase=Phase.SETTLE, ended_by=await asyncio.to_thread(self._end_of, state), ended_at=rfc3339(now()))
        state = await asyncio.to_thread(self._with_earlier, state)
        await asyncio.to_thread(self.file.save_state, state)
        return state

    def _with_earlier(self, state: CrawlState) -> CrawlState:
        """Store the temporary redirects of an earlier crawl; return the state with the first known crawl."""
        found = self._of_earlier(lambda earlier: (earlier.state(), earlier.temporary_redirects()))
        if found is None or (known := found[0]) is None:
            return state
        earlier = found[1]
        self.file.save_temporary({pair: earlier[pair] for pair in self.file.temporary_redirects() if pair in earlier})
        return replace(state, known_since=known.known_since or known.started_at)

    async def _request_resources(self, state: CrawlState, seconds: float) -> bool:
        """Request resources and external links; return whether there were any. Uncertain results are confirmed at the end."""
        items = await asyncio.to_thread(self.file.take_resources)
        if not items:
            return False
        if self._requests is None:
            self._requests = self._resource_requests(state)
            self._confirmable_at_s = monotonic_s() + state.settings.confirm_after_s
        began_s = monotonic_s()
        if items[0].confirms:
            await asyncio.sleep(self._confirmable_at_s - began_s)
        self._resources_left = self._resources_count = len(items)
        await self._requests.run(items, seconds)
        self._confirmable_at_s = monotonic_s() + state.settings.confirm_after_s
        await asyncio.to_thread(self._with_seconds, monotonic_s() - began_s)
        return True

    def _resource_requests(self, state: CrawlState) -> ResourceRequests:
        crawler = self._crawler(state, b"")
        return ResourceRequests(
            self.fetcher,
            state.settings,
            self._put_resources,
            pace_of=crawler.pace_of,
            disallowed_by=crawler.disallowed_by,
            preview=preview_of(state.settings),
            identity=self.identity,
        )

    async def _require_alive(self, state: CrawlState) -> None:
        """Raise SiteDown after many consecutive requests without a response, if the start page does not respond either.

        The URLs are queued again.
        """
        if self._failed_count < SITE_DOWN_FROM:
            return
        self._failed_count = 0
        start = preview_of(state.settings).request_url(state.settings.start_url)
        response = await self.fetcher.request(start, body_cap_bytes=1, identity=self.identity)
        if response.failure is not Failure.NONE and not response.hops:
            await asyncio.to_thread(self.file.requeue_failed)
            raise SiteDown("the site does not respond")

    def _add_known(self, state: CrawlState) -> bool:
        """Add uploaded URLs and pages of the earlier crawl that were not found; return whether there are any."""
        if not state.settings.follows_links:
            return False
        preview = preview_of(state.settings)
        added = self.file.add([preview.public_url(url) for url in self.uploaded], FoundBy.UPLOAD, 1, only_unknown=True)
        return self._add_earlier(state) or added

    def _add_earlier(self, state: CrawlState) -> bool:
        found = self._of_earlier(lambda earlier: (earlier.state(), earlier.indexable_urls(state.settings.known_limit)))
        if found is None or found[0] is None:
            return False
        origins = public_origins(state, found[0])
        urls = [with_origins(url, origins) for url in found[1]]
        return self.file.add(urls, FoundBy.EARLIER, 1, only_unknown=True)

    def _of_earlier(self, read: Callable[[CrawlStore], Made]) -> Made | None:
        """Return what is read of the earlier crawl; None without one. A damaged one is ignored: it must not fail this crawl."""
        if self.earlier is None:
            return None
        try:
            return read(self.earlier)
        except CrawlStoreDamaged as error:
            _log.warning("the earlier crawl is ignored: %s", error)
            self.earlier = None
            return None

    def _crawler(self, state: CrawlState, site: bytes, take: Callable[[int], Awaitable[Sequence[WaitingUrl]]] | None = None) -> Crawler:
        return Crawler(
            self.fetcher,
            state.settings,
            site,
            take or (lambda count: asyncio.to_thread(self.file.take, count)),
            self._store_visits,
            compute=self.compute,
            identity=self.identity,
            paces=self.memory.paces,
            load_stored=self._load_stored(state.settings),
            render=self.render,
            sampling=self._sampling_of(state),
        )

    def _sampling_of(self, state: CrawlState) -> RenderSampling:
        """Return the page sampling that all crawlers of this run share."""
        if self._sampling is None:
            self._sampling = RenderSampling(state.settings.render, state.rendered)
        return self._sampling

    def _load_stored(self, settings: CrawlSettings) -> Callable[[str], Response | None] | None:
        """Return what loads a response that the earlier crawl stored, and a rolling crawl has copied; None without one."""
        if settings.rolling is None and self.earlier is None:
            return None

        def load(url: str) -> Response | None:
            own = settings.rolling is not None
            found = self.file.stored_response(url) if own else self._of_earlier(lambda earlier: earlier.stored_response(url))
            return None if found is None else unpack_response(found)

        return load

    async def _store_visits(self, visits: Sequence[Visit]) -> None:
        await asyncio.to_thread(self.file.put, visits)
        self.memory.add(visits)
        for visit in visits:
            if visit.page is not None or visit.is_unchanged:
                self._failed_count = self._failed_count + 1 if visit.page is not None and visit.page.record.failure else 0
        if self._failed_count >= SITE_DOWN_FROM and self._crawlers is not None:
            self._crawlers[0].halt()
        await self._report_progress()

    async def _put_resources(self, visits: Sequence[ResourceVisit]) -> None:
        await asyncio.to_thread(self.file.put_resources, visits)
        self.memory.add_requests(len(visits))
        self._resources_left = max(0, (self._resources_left or 0) - len(visits))
        await self._report_progress()

    async def _report_progress(self, *, at_once: bool = False) -> None:
        if at_once or monotonic_s() >= self._tell_at_s:
            began_s = monotonic_s()
            self._tell_at_s = inf  # not more than once at a time: of a large crawl, each takes a second and a hundred megabytes
            try:
                self.on_progress(await asyncio.to_thread(self._progress))
            finally:
                self._tell_at_s = began_s + max(PROGRESS_S, PROGRESS_SHARE * (monotonic_s() - began_s))

    def _progress(self) -> CrawlProgress:
        counts, state = self.file.counts(), self._required_state()
        stage = CrawlStage.URLS if self._resources_left is None else CrawlStage.FILES
        most = state.settings.page_limit if state.settings.rolling is None else state.settings.url_limit
        of = min(most, counts.done + counts.doubtful + counts.waiting + counts.due)
        left = of - counts.done if self._resources_left is None else self._resources_left
        rate, rest_s = self.memory.speed(stage, monotonic_s(), left)
        return CrawlProgress(
            counts,
            stage,
            counts.done if stage is CrawlStage.URLS else self._resources_count - left,
            of if stage is CrawlStage.URLS else self._resources_count,
            is_at_least=stage is CrawlStage.URLS and state.settings.follows_links and of < most,
            pages_per_second=rate,
            limited_by="politeness" if rate > _NEAR_LIMIT * state.settings.rate else "site",
            eta_s=rest_s,
            latest=self.memory.latest,
            findings=first_findings(self.file.packed_verdicts(), state.checks),
        )

    def _required_state(self) -> CrawlState:
        state = self.file.state()
        if state is None:
            raise RuntimeError("the crawl has no state")
        return state

    def _with_seconds(self, seconds: float) -> CrawlState:
        """Store the duration of the crawl; the store may have changed the state meanwhile."""
        state = self._required_state()
        rendered = state.rendered if self._sampling is None else self._sampling.rendered
        state = replace(state, seconds=round(state.seconds + seconds, 2), rendered=rendered)
        self.file.save_state(state)
        return state

    def _is_late(self, state: CrawlState) -> bool:
        return state.settings.seconds is not None and state.seconds >= state.settings.seconds

    def _end_of(self, state: CrawlState) -> CrawlEnd:
        counts = self.file.counts()
        if counts.waiting:
            return CrawlEnd.TIME if self._is_late(state) else CrawlEnd.PAGES
        return CrawlEnd.TRAP if self.file.has_traps() else CrawlEnd.COMPLETE


def _other_rule(before: ProbeResponse, after: ProbeResponse) -> Callable[[str], bool] | None:
    """Return whether the newer robots.txt has another rule about a URL; None if both are the same."""
    if (before.status, before.failure, before.body) == (after.status, after.failure, after.body):
        return None
    tokens = ("googlebot",), (PRODUCT_TOKEN,)
    return lambda url: any((forbidden_by(before, url, one) is None) != (forbidden_by(after, url, one) is None) for one in tokens)


def _with_response(state: CrawlState, response: ProbeResponse) -> CrawlState:
    """Return the state with the response of the start page."""
    start = state.start or StartPage()
    cause = response.cause.value if response.cause else ""
    found = {"status": response.status, "failure": response.failure.value, "cause": cause, "detail": response.detail}
    return replace(state, start=replace(start, **found))


def settle_crawl(file: CrawlStore) -> CrawlState:
    """Settle a crawl whose requests are complete; return its last state. Needs no network."""
    state = file.state()
    if state is None or state.phase is not Phase.SETTLE:
        raise RuntimeError("the crawl is not to be settled")
    home = file.number_of(state.settings.start_url) or 1  # a second connection would have a full cache until the end
    with file.writing() as connection:
        drop_comparisons(connection)
        if state.settings.rolling is not None:
            remove_unlinked(connection, Frontier(connection, state))
        areas, parents = Settling(connection, home).settle()
        page_roots = PageRoots(connection, state, CrawlRoots(connection, state).summary(), parents)
        judging = PositionChecks(page_roots, state.checks, file.site())
        write_page_results(connection, judging.results())
        add_page_results(connection, judging.version_results())
        settle_pages(connection, state.settings.segments)
    state, report = _report_of(file, replace(state, phase=Phase.REPORT), areas)
    with file.writing() as connection:
        write_report(connection, state, report)
    file.save_state(state)
    return state


_NEAR_LIMIT = 0.7


def report_of_crawl(file: CrawlStore, state: CrawlState) -> SiteReport:
    """Return the stored report of a settled crawl; rescore the crawl if the ruleset has changed."""
    with file.reading() as connection:
        report = stored_report(connection, None if state.settings.imported else RULESET)
    return compute_report(file, state) if report is None else report


def compute_report(file: CrawlStore, state: CrawlState) -> SiteReport:
    """Compute the report of a settled crawl from its stored pages."""
    with file.reading() as connection:
        earlier = stored_report(connection, ruleset=None)
        areas = site_areas(connection) if earlier is None else earlier.structure.areas
    return _report_of(file, state, areas)[1]


def _report_of(file: CrawlStore, state: CrawlState, areas: tuple[SiteArea, ...]) -> tuple[CrawlState, SiteReport]:
    """Return the report, and the state of the crawl, whose end changes if the pages need a browser."""
    saved = file.site()
    with file.reading() as connection:
        site = ReadSite(connection, state)
        if site.findings.shells_share >= NEEDS_BROWSER_FROM:
            state = replace(state, ended_by=CrawlEnd.NEEDS_BROWSER)
        artifacts = gather(*site.roots(state), *([load_site(saved)] if saved else []))
        structure = _structure(StructureReading(connection, state), areas, artifacts)
        structure = replace(structure, areas_by_colour=areas_by_colour(PageLists(connection, state), areas))
    summary, templates = artifacts.get_or_none(CrawlSummary), artifacts.get_or_none(CrawledTemplates)
    if summary is None or templates is None:
        raise RuntimeError("the crawl has no summary")
    checks = runnable_checks(frozenset({Source.SITE, Source.CRAWL}), Subject.SITE)
    if not saved:  # no page was requested: only the start page can be judged, by robots.txt
        checks = tuple(check for check in checks if check.id == START_CHECK)
    results = run(artifacts, checks)
    return state, site_report(summary, templates, site.findings.found(), results, structure)


def _structure(reading: StructureReading, areas: tuple[SiteArea, ...], artifacts: Artifacts) -> SiteStructure:
    """Return the structure of the site, for its report."""
    templates, duplicates = artifacts.get_or_none(CrawledTemplates), artifacts.get_or_none(CrawledDuplicates)
    site = artifacts.get_or_none(SiteCapture)
    kinds = duplicates_of(duplicates) if duplicates is not None else ()
    languages, pairs = reading.languages()
    return SiteStructure(
        areas=areas,
        depths=reading.depths(),
        scores=reading.scores(),
        segments=reading.segments(),
        templates=templates.items[:TEMPLATES] if templates is not None else (),
        duplicates=tuple(replace(one, words=reading.words_of(one.groups)) if one.kind == "similar" else one for one in kinds),
        languages=languages,
        pairs=pairs,
        sitemap=artifacts.get_or_none(CrawledSitemap),
        robots_txt=SitemapFile(site.robots_txt.url, site.robots_txt.status) if site is not None else None,
        sitemaps=tuple(SitemapFile(one.url, one.status) for one in site.sitemaps[:SITEMAPS_SHOWN]) if site is not None else (),
    )


SITEMAPS_SHOWN = 20
