"""Store results. Concurrent results of one account share a transaction, since an account has one writer at a time."""

import asyncio

from msgspec import Struct

from findable.errors import Unavailable
from findable.service.reports import report_jobs
from findable.service.reports.report_jobs import ReportJob, RunOutcome
from findable.service.runtime.service import Service

MAX_RESULTS = 16
"""Results per transaction; a longer one would block the account for other writers."""
MAX_ACCOUNTS = 4
"""Accounts that are written concurrently; the remaining threads of the service serve requests."""


class _Offer(Struct, frozen=True):
    job: ReportJob
    outcome: RunOutcome
    stored: "asyncio.Future[None]"


class ResultWriter:
    """Writes results in groups, bound to the event loop that first uses it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._offers: dict[int, list[_Offer]] = {}
        self._writing: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(MAX_ACCOUNTS)

    async def write(self, job: ReportJob, outcome: RunOutcome) -> None:
        """Return when the result is stored or no longer needed. Raises Unavailable if the database cannot store it now."""
        stored = asyncio.get_running_loop().create_future()
        waiting = self._offers.get(job.account_id)
        if waiting is not None:
            waiting.append(_Offer(job, outcome, stored))
        else:
            self._offers[job.account_id] = [_Offer(job, outcome, stored)]
            task = asyncio.create_task(self._write_all(job.account_id))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)
        await stored

    async def _write_all(self, account_id: int) -> None:
        """Write the results of the account until none are left."""
        while offers := self._offers[account_id][:MAX_RESULTS]:
            del self._offers[account_id][: len(offers)]
            async with self._turns:
                wanted = [offer for offer in offers if not offer.stored.cancelled()]
                if wanted and not await self._try(wanted) and len(wanted) > 1:
                    for offer in wanted:  # one of them cannot be stored: try each separately, so that it does not block the others
                        await self._try([offer])
        del self._offers[account_id]

    async def _try(self, offers: list[_Offer]) -> bool:
        """Store the results together; return False if this failed and each must be tried alone."""
        try:
            await self._service.run(report_jobs.store_outcomes, [(offer.job, offer.outcome) for offer in offers])
        except Exception as error:  # noqa: BLE001 - passed to the callers
            if len(offers) > 1 and not isinstance(error, Unavailable):
                return False
            for offer in offers:
                if not offer.stored.done():
                    offer.stored.set_exception(error)
            return True
        for offer in offers:
            if not offer.stored.done():
                offer.stored.set_result(None)
        return True
