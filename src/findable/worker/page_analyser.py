"""Generate a report for the service: fetch in the event loop, check in another process."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from hashlib import sha256
from weakref import WeakValueDictionary

from msgspec.structs import replace

from findable.analyze import Options, analyse_saved, report_page
from findable.capture.browser_options import DEFAULTS
from findable.capture.capture import Capture
from findable.capture.rendering import Rendering, RenderingFailure
from findable.capture.response import Response
from findable.capture.saved import dump
from findable.errors import UNREACHED, PageUnavailable, SettingError
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.browser_program import configured_browser
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.politeness import on_behalf_of
from findable.fetch.prober import Prober
from findable.fetch.site_cache import site_key_of
from findable.monitor.page_fingerprint import fingerprint
from findable.monitor.site_alert_conditions import SiteFacts, site_facts
from findable.recheck import RecheckResult, recheck
from findable.reports.report import Report
from findable.service.crawls.crawl_jobs import CrawlJob
from findable.service.reports.report_jobs import AnalysedPage, ReportJob, UnchangedPage, show_raw
from findable.service.results.rechecks import RecheckJob
from findable.service.runtime.service import Service
from findable.service.sites import site_identities
from findable.urls import origin_of, parse
from findable.vocabulary import BrowserUse
from findable.worker.analysis_pool import AnalysisPool, ProcessCrashed
from findable.worker.fetchers import CachedFetcher, Fetchers
from findable.worker.page_images import images_of
from findable.worker.report_task import Progress
from findable.worker.shared_pauses import SharedPauses
from findable.worker.shared_site_cache import SharedSiteCache

_log = logging.getLogger(__name__)
PRELOADED = ("findable.analyze", "findable.checks.engine", "findable.recheck")
RECHECKS_AT_ONCE, RECHECKS_OF_ACCOUNT = 8, 2


class PageAnalyser:
    """The `Analyser` of the service, bound to the event loop that first uses it.

    Args:
        service: provides the settings: which targets are allowed and how many processes analyse pages.
    """

    def __init__(self, service: Service) -> None:
        settings = service.settings
        self._service = service
        guard, contact, ca_file = service.guard, settings.user_agent_contact, settings.ca_file
        self._ask_as_crawlers = settings.ask_as_crawlers
        self._browsers: BrowserPool | None = None
        self._pool = AnalysisPool(settings.analysis_processes, preload=PRELOADED)
        self._pauses = SharedPauses(service)
        self._rechecking = asyncio.Semaphore(RECHECKS_AT_ONCE)
        self._rechecking_of: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()
        self._shared_sites = SharedSiteCache(service) if service.store.is_shared else None
        self._fetchers = Fetchers(
            lambda politeness: Fetcher(guard, contact=contact, ca_file=ca_file, politeness=politeness),
            self._pauses.politeness,
            self._shared_sites,
        )

    async def __call__(self, job: ReportJob, progress: Progress) -> AnalysedPage | UnchangedPage:
        """Return the report. Raises PageUnavailable if the page could not be loaded, ProcessCrashed if it crashed a process."""
        try:
            return await self._report(job, job.url, progress)
        except PageUnavailable as error:
            # Never send identity headers over an unencrypted connection unless the user requested http.
            if job.identity or not (job.scheme_guessed and error.code in UNREACHED and job.url.startswith("https://")):
                raise
            insecure = f"http://{job.url.removeprefix('https://')}"
            with suppress(PageUnavailable):
                seen = await self._report(job, insecure, progress)
                return replace(seen, url=insecure) if isinstance(seen, AnalysedPage) else seen
            raise

    @asynccontextmanager
    async def fetching(self, job: ReportJob | CrawlJob | RecheckJob) -> AsyncIterator[CachedFetcher]:
        """Yield the fetcher for a job. All jobs share its rate limits per host."""
        await self._pauses.begin()
        on_behalf_of.set(str(job.account_id))
        # one fetcher per project and identity, so that a changed identity gets a new one
        async with self._fetchers.of(f"{job.project_id} {sha256(job.identity).hexdigest()}" if job.identity else "") as memory:
            yield memory

    async def _report(self, job: ReportJob, url: str, progress: Progress) -> AnalysedPage | UnchangedPage:
        identity = site_identities.open_identity(self._service, job.project_id, job.identity, url)
        key = str(job.account_id)
        parsed = parse(url)
        options = Options(
            identity=identity,
            cache_key=key,
            not_for_search=job.not_for_search,
            visit=self._visit if job.browser is not BrowserUse.NONE else None,
            measure=self._measure if job.browser is BrowserUse.LAB else None,
            browser=job.browser_options,
            ask_as_crawlers=self._ask_as_crawlers,
            images=True,
        )
        async with self.fetching(job) as memory:
            if job.fresh_site and parsed:
                site_key = site_key_of(key, parsed.origin)
                memory.sites.delete(site_key)
                if self._shared_sites is not None:
                    await self._shared_sites.delete_everywhere(site_key)
            response: Response | None = None
            settings = f"{sorted(job.not_for_search)} {job.browser.value}".removesuffix(f" {BrowserUse.NONE.value}")
            if job.browser is not BrowserUse.NONE and job.browser_options != DEFAULTS:
                settings += f" {job.browser_options}"
            if job.known is not None:
                response = await memory.fetcher.fetch_page(url, identity=identity)
                robots = await Prober(memory.fetcher, Budget(), identity=identity).robots_txt(origin_of(response.final_url))
                if fingerprint(response, robots, settings) == job.known:
                    return UnchangedPage(site_facts(robots.status, robots.body, None))
            report_of = partial(report_page, url, memory.fetcher, site_cache=memory.sites, compute=self._pool, progress=progress)
            raw = None
            if job.shows_raw_first:
                capture, judged = await report_of(options=replace(options, visit=None, measure=None))
                raw = await self._service.run(show_raw, job, judged.report, url if url != job.url else None)
                response = None if identity.secrets else capture.page.response  # secrets are masked in the capture
            try:
                seen, judged_seen = await report_of(options=options, response=response)
                if raw is None or (seen.rendering and seen.rendering.failure is not RenderingFailure.NO_BROWSER):
                    capture, judged = seen, judged_seen
            except (PageUnavailable, ProcessCrashed):
                if raw is None:
                    raise
            return AnalysedPage(
                dump(_without_frames(capture)),
                judged.report,
                images=await images_of(judged.images, memory.fetcher, self._service, identity, capture.rendering),
                site=_site_facts(capture, judged.report),
                fingerprint=fingerprint(capture.page.response, capture.site.robots_txt, settings),
                raw=raw,
            )

    async def _visit(self, order: VisitOrder) -> Rendering:
        """Visit a page with the browser of this worker."""
        return await self._browser_pool().visit(order)

    async def render(self, order: VisitOrder) -> Rendering:
        """Visit a page of a crawl with the browser of this worker."""
        return await self._browser_pool().render(order)

    async def _measure(self, rendering: Rendering, order: VisitOrder) -> Rendering:
        """Measure how a page loads with the browser of this worker."""
        return await self._browser_pool().measure(rendering, order)

    def _browser_pool(self) -> BrowserPool:
        """Return the browsers of this worker, which start when first needed."""
        if self._browsers is None:
            settings = self._service.settings
            program = None
            try:
                program = configured_browser(settings)
            except SettingError as error:
                _log.warning("no browser is available: %s", error)
            self._browsers = BrowserPool(program, self._service.guard, concurrency=settings.browser_concurrency)
        return self._browsers

    async def rescore_page(self, capture_file: bytes, not_for_search: bool) -> Report:  # noqa: FBT001 - crosses threads by position
        """Return the report of a saved page under the current ruleset."""
        return await self._pool(analyse_saved, capture_file, not_for_search)

    async def recheck(self, job: RecheckJob) -> RecheckResult:
        """Check a finding again and return its current state. Raises PageUnavailable, NotRecheckable."""
        identity = site_identities.open_identity(self._service, job.project_id, job.identity, job.finding.url)
        of_account = self._rechecking_of.setdefault(job.account_id, asyncio.Semaphore(RECHECKS_OF_ACCOUNT))
        async with of_account, self._rechecking, self.fetching(job) as memory:
            return await recheck(
                job.finding,
                memory.fetcher,
                identity=identity,
                not_for_search=job.not_for_search,
                compute=self._pool,
                visit=self._visit,
                browser=job.browser_options,
            )

    async def close(self) -> None:
        """Close connections and processes."""
        await self._pauses.close()
        if self._shared_sites is not None:
            await self._shared_sites.close()
        if self._browsers is not None:
            await self._browsers.close()
        await self._fetchers.close()
        await self._pool.close()


def _without_frames(capture: Capture) -> Capture:
    """Return the capture without the images of a film: they are shown as one, and would be most of the saved page."""
    rendering = capture.rendering
    if rendering is None or rendering.film is None:
        return capture
    frames = tuple(replace(frame, data=b"") for frame in rendering.film.frames)
    return replace(capture, rendering=replace(rendering, film=replace(rendering.film, frames=frames)))


def _site_facts(capture: Capture, report: Report) -> SiteFacts:
    robots = capture.site.robots_txt
    sitemap = report.facts.sitemap
    return site_facts(robots.status, robots.body, sitemap.urls_count if sitemap else None)
