"""One job: fetch and judge a page, and keep what came of it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol

from findable.errors import PageNotSeen, Unavailable
from findable.service import generation
from findable.service.app import Service
from findable.service.generation import ReportJob, Seen
from findable.worker.pool import ProcessDied

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

    async def __call__(self, job: ReportJob) -> None:
        """Does the job; its end is kept whatever happens, unless it is cancelled."""
        end = await self._outcome(job)
        for _ in range(STORE_TRIES):
            try:
                await self._service.run(end)
            except Unavailable as error:
                _log.warning("the result of report %d cannot be kept yet: %s", job.report_id, error)
                await asyncio.sleep(STORE_PAUSE_S)
            else:
                return

    async def _outcome(self, job: ReportJob) -> Callable[[Service], object]:
        """What is to be told to the service."""
        progress = partial(generation.tell_progress, self._service, job)
        try:
            seen = await self._analyser(job, progress)
        except PageNotSeen as reason:
            return partial(generation.not_seen, job=job, reason=reason)
        except ProcessDied as error:
            _log.warning("report %d (%s): %s", job.report_id, job.url, error)
            return partial(generation.crashed, job=job)
        except Exception:  # noqa: BLE001 - a report always ends done or failed
            _log.exception("report %d (%s) failed", job.report_id, job.url)
            return partial(generation.not_seen, job=job, reason=PageNotSeen("internal_error"))
        return partial(generation.complete, job=job, seen=seen)
