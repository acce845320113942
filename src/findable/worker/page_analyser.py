"""Make a report for the service: fetch in the event loop, judge in another process."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256

from msgspec.structs import replace

from findable.analyze import Options, analyse_saved, report_page
from findable.artifacts.responses.preview_images import ImageSources
from findable.capture.saved import dump
from findable.errors import UNREACHED, PageUnavailable
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.politeness import on_behalf_of
from findable.fetch.site_cache import site_key_of
from findable.reports.report import Report
from findable.service.crawls.crawl_slices import CrawlJob
from findable.service.reports.generation import AnalysedPage, ReportJob
from findable.service.reports.stored_images import ReportImages
from findable.service.runtime.service import Service
from findable.service.sites import site_identities
from findable.urls import parse
from findable.worker.analysis_pool import TIME_LIMIT_S, AnalysisPool
from findable.worker.crawl_task import CrawlTask
from findable.worker.fetchers import Fetchers, Memory
from findable.worker.page_images import images_of
from findable.worker.report_task import Progress
from findable.worker.shared_pauses import SharedPauses
from findable.worker.shared_site_cache import SharedSiteCache
from findable.worker.worker_loop import DRAIN_S, Worker

_log = logging.getLogger(__name__)
PRELOADED = ("findable.analyze", "findable.checks.engine")


class PageAnalyser:
    """The `Analyser` of the service, bound to the event loop of first use.

    Args:
        service: provides the settings: which targets are allowed and how many processes judge.
    """

    def __init__(self, service: Service) -> None:
        settings = service.settings
        self._service = service
        guard, contact, ca_file = service.guard, settings.user_agent_contact, settings.ca_file
        self._ask_as_crawlers = settings.ask_as_crawlers
        self._pool = AnalysisPool(settings.analysis_processes, preload=PRELOADED)
        self._pauses = SharedPauses(service)
        self._shared_sites = SharedSiteCache(service) if service.store.shared else None
        self._fetchers = Fetchers(
            lambda politeness: Fetcher(guard, contact=contact, ca_file=ca_file, politeness=politeness),
            self._pauses.politeness,
            self._shared_sites,
        )

    async def __call__(self, job: ReportJob, progress: Progress) -> AnalysedPage:
        """Return the report. Raises PageUnavailable if the page could not be loaded, ProcessCrashed if it crashed a process."""
        try:
            return await self._report(job, job.url, progress)
        except PageUnavailable as error:
            # Never send identity headers over an unencrypted connection without being asked to.
            if job.identity or not (job.scheme_guessed and error.code in UNREACHED and job.url.startswith("https://")):
                raise
            insecure = f"http://{job.url.removeprefix('https://')}"
            with suppress(PageUnavailable):
                seen = await self._report(job, insecure, progress)
                return replace(seen, url=insecure)
            raise

    @asynccontextmanager
    async def fetching(self, job: ReportJob | CrawlJob) -> AsyncIterator[Memory]:
        """Yield the fetcher for a job, polite together with all other jobs."""
        await self._pauses.begin()
        on_behalf_of.set(str(job.account_id))
        async with self._fetchers.of(_name_of(job)) as memory:
            yield memory

    async def _report(self, job: ReportJob, url: str, progress: Progress) -> AnalysedPage:
        identity = site_identities.opened(self._service, job.project_id, job.identity, url)
        key = str(job.account_id)
        parsed = parse(url)
        options = Options(
            identity=identity, cache_key=key, not_for_search=job.not_for_search, ask_as_crawlers=self._ask_as_crawlers, images=True
        )
        async with self.fetching(job) as memory:
            if job.fresh_site and parsed:
                site_key = site_key_of(key, parsed.origin)
                memory.sites.forget(site_key)
                if self._shared_sites is not None:
                    await self._shared_sites.forget_everywhere(site_key)
            capture, judged = await report_page(
                url, memory.fetcher, options=options, site_cache=memory.sites, compute=self._pool, progress=progress
            )
            return AnalysedPage(dump(capture), judged.report, pictures=await self._pictures(memory.fetcher, judged.images, identity))

    async def _pictures(self, fetcher: Fetcher, sources: ImageSources, identity: Identity) -> ReportImages:
        """Return the images of the page that can be fetched within a few seconds. A failure never fails the report."""
        try:
            return await images_of(sources, fetcher, self._service, identity)
        except Exception as error:  # noqa: BLE001 - a report matters more than its images
            _log.warning("no images: %s: %s", type(error).__name__, error)
            return ReportImages()

    async def rescored(self, saved: bytes, not_for_search: bool) -> Report:  # noqa: FBT001 - crosses threads by position
        """Return the report of a saved page under the current ruleset."""
        return await self._pool(analyse_saved, saved, not_for_search)

    async def close(self) -> None:
        """Close connections and processes."""
        await self._pauses.close()
        if self._shared_sites is not None:
            await self._shared_sites.close()
        await self._fetchers.close()
        await self._pool.close()


def _name_of(job: ReportJob | CrawlJob) -> str:
    """Return the key of the fetcher: one per project and identity, so that a changed identity gets a new fetcher."""
    return f"{job.project_id} {sha256(job.identity).hexdigest()}" if job.identity else ""


class Rescorer:
    """Rescores old reports for comparisons, in a service whose reports are made by separate workers."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._analyser = PageAnalyser(service)

    async def start(self) -> None:
        """Enable rescoring in the service."""
        loop = asyncio.get_running_loop()

        def rescore(saved: bytes, not_for_search: bool) -> Report:  # noqa: FBT001 - crosses threads by position
            return asyncio.run_coroutine_threadsafe(self._analyser.rescored(saved, not_for_search), loop).result(TIME_LIMIT_S)

        self._service.rescore = rescore

    async def stop(self, drain_s: float = DRAIN_S) -> None:
        """Stop accepting work and end the processes."""
        self._service.drain()
        await self._analyser.close()


class ReportWorker(Rescorer):
    """The worker of `findable serve` and `findable worker`, which also makes reports."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._crawls = CrawlTask(service, self._analyser.fetching)
        self._worker = Worker(service, self._analyser, crawls=self._crawls)

    async def start(self) -> None:
        """Start in the background."""
        await super().start()
        await self._worker.start()

    async def stop(self, drain_s: float = DRAIN_S) -> None:
        """Stop running work, or hand it back when the time is over; a second call stops at once."""
        await self._worker.stop(drain_s)
        await self._crawls.close()
        await super().stop(drain_s)
