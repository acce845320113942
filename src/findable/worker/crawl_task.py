"""One slice of a crawl: request and check some pages, or settle the crawl, and store the progress."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

from findable.capture.crawl import CrawlEnd
from findable.crawl.changes import CrawlComparison
from findable.crawl.progress import CrawlMemory
from findable.crawl.state import CrawlState, Phase
from findable.crawled_pages import images_of_site
from findable.crawler import RenderPage, preview_of
from findable.errors import PageUnavailable, Unavailable
from findable.log_context import working_on_job
from findable.service.crawls import crawl_jobs
from findable.service.crawls.crawl_finishing import finish_crawl
from findable.service.crawls.crawl_jobs import CRASH_POINTS, MAX_LOSS_POINTS, WAIT_POINTS, CrawlJob, SliceOutcome
from findable.service.crawls.crawl_questions import counts_of_watched
from findable.service.crawls.crawl_rescoring import begin_rescoring, rescore_slice
from findable.service.crawls.crawl_run import CrawlRun, SiteDown
from findable.service.crawls.crawls import FREE_BYTES
from findable.service.crawls.uploaded_metrics import clicks_of, uploaded_urls
from findable.service.runtime.service import Service
from findable.service.sites import site_identities
from findable.service.values.crawl_values import CrawlFailure, CrawlStatus, CrawlWait
from findable.store.crawl_store import CrawlStore, CrawlStoreDamaged, CrawlStoreError, CrawlTakenOver
from findable.store.stored_comparisons import main_comparison
from findable.store.top_pages import top_pages
from findable.worker.analysis_pool import AnalysisPool, ProcessCrashed
from findable.worker.fetchers import CachedFetcher
from findable.worker.page_images import images_of
from findable.worker.store_writes import store_result

PRELOADED = ("findable.crawler",)
ANALYSIS_NICENESS = 10
"""Niceness of the analysis processes of crawls, which gives reports priority."""
SETTLE_LIMIT_S = 6 * 3600.0
WATCH_S = 1.0
"""Interval at which a slice checks whether the crawl or the service is being stopped."""
MAX_MEMORIES = 64
MIN_FREE_BYTES = FREE_BYTES // 5
"""Free disk space below which a started crawl is paused."""
_log = logging.getLogger(__name__)


class CrawlTask:
    """Handler of crawl slices.

    Args:
        service: owner of the jobs.
        fetching: opens the fetcher for a job.
        render: visits a page with a browser.
    """

    def __init__(
        self, service: Service, fetching: Callable[[CrawlJob], AbstractAsyncContextManager[CachedFetcher]], render: RenderPage | None = None
    ) -> None:
        self._service = service
        self._render = render
        self._fetching = fetching
        self._pool = AnalysisPool(service.settings.analysis_processes, preload=PRELOADED, niceness=ANALYSIS_NICENESS)
        self._settling = AnalysisPool(1, time_limit_s=SETTLE_LIMIT_S, niceness=ANALYSIS_NICENESS)
        self._memories: dict[int, CrawlMemory] = {}

    async def close(self) -> None:
        """End the processes."""
        await self._pool.close()
        await self._settling.close()

    async def __call__(self, job: CrawlJob) -> None:
        """Process the slice. Its outcome is stored unless the job is cancelled or belongs to another worker."""
        with working_on_job(job.id):
            try:
                outcome = await self._outcome(job)
            except CrawlTakenOver:
                return
            await store_result(f"crawl {job.crawl_id}", partial(self._service.run, crawl_jobs.store_outcome, job, outcome))

    async def _outcome(self, job: CrawlJob) -> SliceOutcome:
        """Return the outcome of the slice: a crawl always ends done, failed or stopped. Raises CrawlTakenOver."""
        try:
            return await self._slice(job)
        except CrawlTakenOver:
            raise
        except CrawlStoreDamaged as error:
            _log.error("crawl %d failed, because its store cannot be read: %s", job.crawl_id, error)
            return SliceOutcome(failure=CrawlFailure.STORAGE_DAMAGED)
        except (CrawlStoreError, Unavailable) as error:
            _log.warning("crawl %d is paused: %s", job.crawl_id, error)
            return SliceOutcome(waits_for=CrawlWait.STORAGE)
        except SiteDown:
            return SliceOutcome(waits_for=CrawlWait.SITE_DOWN)
        except ProcessCrashed as error:
            _log.warning("a process crashed while crawl %d was finished: %s", job.crawl_id, error)
            return self._outcome_of_loss(job, CrawlFailure.WORKER_CRASHED)
        except Exception:  # noqa: BLE001 - a slice always ends, either with an outcome or as lost
            _log.exception("crawl %d failed", job.crawl_id)
            return self._outcome_of_loss(job, CrawlFailure.INTERNAL_ERROR)

    @staticmethod
    def _outcome_of_loss(job: CrawlJob, failure: CrawlFailure) -> SliceOutcome:
        is_abandoned = job.failures + CRASH_POINTS >= MAX_LOSS_POINTS
        return SliceOutcome(failure=failure) if is_abandoned else SliceOutcome(waits_for=CrawlWait.WORKER_LOST)

    async def _slice(self, job: CrawlJob) -> SliceOutcome:
        home = self._service.crawl_home
        free = await asyncio.to_thread(home.free_bytes)
        if free is not None and free < MIN_FREE_BYTES:
            raise CrawlStoreError(f"the disk has {free:,} bytes left")
        store = await asyncio.to_thread(home.make, job.crawl_id, job.attempt)
        try:
            await self._service.run(crawl_jobs.reset_losses, job, await asyncio.to_thread(store.counts))
            state = await asyncio.to_thread(store.state)
            report = None
            is_settling = job.status is CrawlStatus.SETTLING and state is not None  # a lost store is filled again
            if not is_settling or state is None:
                state = await self._request_pages(job, store)
            else:
                state = await asyncio.to_thread(begin_rescoring, store, state, job.settings)
            if state.phase is Phase.JUDGE:
                told = partial(crawl_jobs.report_progress, self._service, job)
                state = await rescore_slice(store, state, self._pool, on_progress=told, is_halted=lambda: self._service.draining)
            elif is_settling or state.phase is Phase.REPORT:
                database = self._service.settings.database_url
                base = await self._service.run(crawl_jobs.base_of, job, state)
                state, report = await self._settling(finish_crawl, database, job.crawl_id, job.attempt, base)
            compared, top_urls = await asyncio.to_thread(comparison_and_top_urls, store) if report is not None else (None, ())
            counts = await asyncio.to_thread(store.counts)
            questions = (
                ()
                if report is None or state is None
                else await asyncio.to_thread(counts_of_watched, self._service, job.crawl_id, store, state)
            )
            size_bytes = await asyncio.to_thread(home.size_bytes, job.crawl_id)
            return SliceOutcome(state, counts, size_bytes, report, compared, questions, top_urls)
        finally:
            await asyncio.to_thread(store.close)

    async def _request_pages(self, job: CrawlJob, store: CrawlStore) -> CrawlState:
        """Request pages until the slice ends or none are left, and return the state. Raises SiteDown."""
        url = preview_of(job.settings).request_url(job.settings.start_url)
        try:
            identity = site_identities.open_identity(self._service, job.project_id, job.identity, url)
        except PageUnavailable as error:
            raise RuntimeError(f"the identity of the project cannot be used: {error.code.words}") from error
        earlier = await asyncio.to_thread(self._earlier_store, job)
        uploaded = await self._service.run(uploaded_urls, job.project_id, job.settings)
        try:
            async with self._fetching(job) as memory:
                run = CrawlRun(
                    store,
                    memory.fetcher,
                    self._pool,
                    identity=identity,
                    fallback_url=job.fallback_url,
                    memory=self._memory_of(job.crawl_id),
                    on_progress=partial(crawl_jobs.report_progress, self._service, job),
                    earlier=earlier,
                    uploaded=uploaded,
                    clicks=partial(clicks_of, self._service, job.project_id, job.settings),
                    render=self._render,
                )
                return await self._run(job, run)
        finally:
            if earlier is not None:
                await asyncio.to_thread(earlier.close)

    async def _run(self, job: CrawlJob, run: CrawlRun) -> CrawlState:
        state = await asyncio.to_thread(run.begin, job.settings)
        if state.phase is Phase.REPORT:
            return state
        if await self._service.run(crawl_jobs.is_stopping, job):
            return await asyncio.to_thread(run.stop)
        watching = asyncio.create_task(self._halt_when_stopped(job, run))
        try:
            if state.phase is Phase.START:
                state = await run.work()
                await self._store_site_icon(job, run)
            if state.phase is Phase.DISCOVER:
                state = await run.work()
        except SiteDown:
            if job.failures + WAIT_POINTS < MAX_LOSS_POINTS:
                raise
            return await asyncio.to_thread(run.stop, CrawlEnd.UNREACHABLE)
        finally:
            watching.cancel()
        is_stopped = state.ended_by is None and await self._service.run(crawl_jobs.is_stopping, job)
        return await asyncio.to_thread(run.stop) if is_stopped else state

    async def _store_site_icon(self, job: CrawlJob, run: CrawlRun) -> None:
        """Store the icon of a crawled site. Failures never fail the crawl."""
        site = await asyncio.to_thread(run.file.site)
        if not site or not job.settings.follows_links:
            return
        try:
            sources = await self._pool(images_of_site, site)
            icon = (await images_of(sources, run.fetcher, self._service, run.identity)).icon
            if icon is not None:
                await self._service.run(crawl_jobs.store_site_icon, job, icon)
        except (ProcessCrashed, Unavailable) as error:
            _log.warning("the icon of crawl %d could not be stored: %s", job.crawl_id, error)

    def _earlier_store(self, job: CrawlJob) -> CrawlStore | None:
        """Return the store of the previous crawl, whose pages are requested again even if they are no longer linked."""
        is_limited = job.settings.is_limited and job.settings.rolling is None
        if job.previous is None or not job.settings.follows_links or is_limited:
            return None
        try:
            return self._service.crawl_home.open(job.previous)
        except CrawlStoreError:
            return None

    async def _halt_when_stopped(self, job: CrawlJob, run: CrawlRun) -> None:
        while not self._service.draining:
            try:
                if await self._service.run(crawl_jobs.is_stopping, job):
                    break
            except Unavailable:
                _log.debug("the database is unavailable; the crawl continues")
            await asyncio.sleep(WATCH_S)
        run.halt()

    def _memory_of(self, crawl_id: int) -> CrawlMemory:
        """Return the memory of a crawl, such as the reduced rate for a host that slowed it down."""
        memory = self._memories.pop(crawl_id, None) or CrawlMemory()
        self._memories[crawl_id] = memory
        while len(self._memories) > MAX_MEMORIES:
            self._memories.pop(next(iter(self._memories)))
        return memory


def comparison_and_top_urls(store: CrawlStore) -> tuple[CrawlComparison | None, tuple[str, ...]]:
    """Return the changes since an earlier crawl (None if the crawl was not compared), and the URLs with the highest link score."""
    with store.reading() as connection:
        stored, top = main_comparison(connection), top_pages(connection)
    return (stored.comparison if stored is not None and stored.comparison.not_comparable is None else None), top
