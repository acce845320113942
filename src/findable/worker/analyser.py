"""Makes a report for the service: fetches in the event loop, judges in another process."""

import asyncio
from contextlib import suppress

from findable.analyze import Options, analyse_saved, report_page
from findable.errors import UNREACHED, PageNotSeen
from findable.fetch.client import Fetcher
from findable.fetch.site_cache import MemorySiteCache
from findable.service.app import Service
from findable.service.generation import ReportJob, Seen
from findable.urls import parse
from findable.worker.loop import DRAIN_S, Worker
from findable.worker.pool import TIME_LIMIT_S, AnalysisPool
from findable.worker.tasks import Progress

PRELOADED = ("findable.analyze", "findable.checks.engine")


class PageAnalyser:
    """The `Analyser` of the service. Bound to the event loop in which it is first used.

    Args:
        service: its settings say what may be reached and how many processes judge.
    """

    def __init__(self, service: Service) -> None:
        settings = service.settings
        self._guard = service.guard
        self._contact = settings.user_agent_contact
        self._ca_file = settings.ca_file
        self._pool = AnalysisPool(settings.analysis_processes, preload=PRELOADED)
        self._sites = MemorySiteCache()
        self._fetcher: Fetcher | None = None

    async def __call__(self, job: ReportJob, progress: Progress) -> Seen:
        """Raises PageNotSeen where the page could not be seen, ProcessDied where it killed a process of the pool."""
        try:
            return await self._report(job, job.url, progress)
        except PageNotSeen as error:
            if not (job.scheme_guessed and error.code in UNREACHED and job.url.startswith("https://")):
                raise
            insecure = f"http://{job.url.removeprefix('https://')}"
            with suppress(PageNotSeen):
                seen = await self._report(job, insecure, progress)
                return seen._replace(url=insecure)
            raise

    async def _report(self, job: ReportJob, url: str, progress: Progress) -> Seen:
        fetcher = self._fetcher_of_this_loop()
        key = str(job.account_id)
        parsed = parse(url)
        if job.fresh_site and parsed:
            self._sites.forget(f"{key} {parsed.origin}")
        options = Options(cache_key=key, not_for_search=job.not_for_search)
        saved, analysis = await report_page(url, fetcher, options=options, site_cache=self._sites, compute=self._pool, progress=progress)
        return Seen(saved, analysis)

    def _fetcher_of_this_loop(self) -> Fetcher:
        if self._fetcher is None:
            self._fetcher = Fetcher(self._guard, contact=self._contact, ca_file=self._ca_file)
        return self._fetcher

    async def rescored(self, saved: bytes, not_for_search: bool) -> bytes:  # noqa: FBT001 - crosses threads by position
        """The analysis of a saved page under the present ruleset."""
        return await self._pool(analyse_saved, saved, not_for_search)

    async def close(self) -> None:
        """Ends the connections and the processes."""
        if self._fetcher is not None:
            await self._fetcher.close()
        await self._pool.close()


class ReportWorker:
    """The worker of `findable serve`: it makes reports, and scores old ones anew when they are compared."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._analyser = PageAnalyser(service)
        self._worker = Worker(service, self._analyser)

    async def start(self) -> None:
        """Begins to work in the background."""
        loop = asyncio.get_running_loop()

        def rescore(saved: bytes, not_for_search: bool) -> bytes:  # noqa: FBT001 - crosses threads by position
            return asyncio.run_coroutine_threadsafe(self._analyser.rescored(saved, not_for_search), loop).result(TIME_LIMIT_S)

        self._service.rescore = rescore
        await self._worker.start()

    async def stop(self, drain_s: float = DRAIN_S) -> None:
        """Ends what runs, or hands it back when the time is over; called again, at once."""
        await self._worker.stop(drain_s)
        await self._analyser.close()
