"""One report job: fetch and check a page, and store the result."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

from findable.errors import PageErrorCode, PageUnavailable
from findable.log_context import working_on_job
from findable.service.reports import report_jobs
from findable.service.reports.report_jobs import AnalysedPage, ReportJob, RunOutcome, UnchangedPage
from findable.service.runtime.service import Service
from findable.worker.analysis_pool import ProcessCrashed
from findable.worker.result_writer import ResultWriter
from findable.worker.store_writes import store_result

_log = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]
"""Called with (stage, completed steps, total steps)."""


Analyser = Callable[[ReportJob, Progress], Awaitable[AnalysedPage | UnchangedPage]]
"""Fetches and checks a page. Raises PageUnavailable if the page could not be loaded, ProcessCrashed if it crashed a process."""


class ReportTask:
    """Handler of report jobs."""

    def __init__(self, service: Service, analyser: Analyser) -> None:
        self._service = service
        self._analyser = analyser
        self._writer = ResultWriter(service)

    async def __call__(self, job: ReportJob) -> None:
        """Process the job. Its outcome is stored unless the job is cancelled."""
        with working_on_job(job.id):
            outcome = await self._outcome(job)
            if outcome is None:
                store = partial(self._service.run, report_jobs.record_crash, job)
            else:
                store = partial(self._writer.write, job, outcome)
            await store_result(f"report {job.report_id}", store)

    async def _outcome(self, job: ReportJob) -> RunOutcome | None:
        """Return the outcome; None if the page crashed the process that checked it."""
        progress = partial(report_jobs.report_progress, self._service, job)
        try:
            return await self._analyser(job, progress)
        except PageUnavailable as reason:
            return reason
        except ProcessCrashed as error:
            _log.warning("report %d (%s): %s", job.report_id, job.url, error)
            return None
        except Exception:  # noqa: BLE001 - a report always ends done or failed
            _log.exception("report %d (%s) failed", job.report_id, job.url)
            return PageUnavailable(PageErrorCode.INTERNAL_ERROR)
