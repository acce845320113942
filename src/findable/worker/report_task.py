"""One job: fetch and judge a page, and keep what came of it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol

from findable.errors import PageErrorCode, PageNotSeen, Unavailable
from findable.log_context import working_on_job
from findable.service.reports import generation
from findable.service.reports.generation import ReportJob, Seen
from findable.service.runtime.app import Service
from findable.worker.analysis_pool import ProcessDied
from findable.worker.result_writer import Keeper

STORE_TRIES = 12
STORE_PAUSE_S = 5.0
"""A result is offered to a busy or full database for a minute; then the job is left, and done again later."""
_log = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]
"""(stage, steps done, steps in all)."""


class Analyser(Protocol):
    """Fetches and judges one page."""

    async def __call__(self, job: ReportJob, progress: Progress) -> Seen:
        """Raises PageNotSeen where the page could not be seen, ProcessDied where it killed a process of the pool."""
        ...


class ReportTask:
    """The handler of report jobs."""

    def __init__(self, service: Service, analyser: Analyser) -> None:
        self._service = service
        self._analyser = analyser
        self._keeper = Keeper(service)
        self._offered: set[int] = set()

    def is_offered(self, job: ReportJob) -> bool:
        """Whether its work is done and only the result is to be kept."""
        return job.id in self._offered

    async def __call__(self, job: ReportJob) -> None:
        """Does the job; its end is kept whatever happens, unless it is cancelled."""
        with working_on_job(job.id):
            outcome = await self._outcome(job)
            self._offered.add(job.id)
            try:
                await self._offer(job, outcome)
            finally:
                self._offered.discard(job.id)

    async def _offer(self, job: ReportJob, outcome: Seen | PageNotSeen | None) -> None:
        for _ in range(STORE_TRIES):
            try:
                if outcome is None:
                    await self._service.run(generation.crashed, job)
                else:
                    await self._keeper.keep(job, outcome)
            except Unavailable as error:
                _log.warning("the result of report %d cannot be kept yet: %s", job.report_id, error)
                await asyncio.sleep(STORE_PAUSE_S)
            else:
                return

    async def _outcome(self, job: ReportJob) -> Seen | PageNotSeen | None:
        """What came of it; None where it killed the process that judged it."""
        progress = partial(generation.tell_progress, self._service, job)
        try:
            return await self._analyser(job, progress)
        except PageNotSeen as reason:
            return reason
        except ProcessDied as error:
            _log.warning("report %d (%s): %s", job.report_id, job.url, error)
            return None
        except Exception:  # noqa: BLE001 - a report always ends done or failed
            _log.exception("report %d (%s) failed", job.report_id, job.url)
            return PageNotSeen(PageErrorCode.INTERNAL_ERROR)
