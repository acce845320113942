"""Keeps results: those of one account that come at the same time in one transaction, since an account has one writer at a time."""

import asyncio
from typing import NamedTuple

from findable.errors import PageNotSeen, Unavailable
from findable.service.reports import generation
from findable.service.reports.generation import ReportJob, Seen
from findable.service.runtime.app import Service

AT_MOST = 16
"""Results in one transaction: others wait for the account as long as it takes."""
AT_ONCE = 4
"""Accounts for which is written at once; the service has threads for more."""


class _Offer(NamedTuple):
    job: ReportJob
    outcome: Seen | PageNotSeen
    kept: "asyncio.Future[None]"


class Keeper:
    """Bound to the event loop in which it is first used."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._offers: dict[int, list[_Offer]] = {}
        self._writing: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def keep(self, job: ReportJob, outcome: Seen | PageNotSeen) -> None:
        """Returns when it is kept, or nobody wants it any more. Raises Unavailable where the database cannot take it now."""
        kept = asyncio.get_running_loop().create_future()
        waiting = self._offers.get(job.account_id)
        if waiting is not None:
            waiting.append(_Offer(job, outcome, kept))
        else:
            self._offers[job.account_id] = [_Offer(job, outcome, kept)]
            task = asyncio.create_task(self._write(job.account_id))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)
        await kept

    async def _write(self, account_id: int) -> None:
        """All that is offered for the account, as long as something is."""
        while offers := self._offers[account_id][:AT_MOST]:
            del self._offers[account_id][: len(offers)]
            async with self._turns:
                wanted = [offer for offer in offers if not offer.kept.cancelled()]
                if wanted and not await self._try(wanted) and len(wanted) > 1:
                    for offer in wanted:  # one of them cannot be kept: it shall not take the others along
                        await self._try([offer])
        del self._offers[account_id]

    async def _try(self, offers: list[_Offer]) -> bool:
        """False where it failed for a reason of its own, and each is to be tried apart."""
        try:
            await self._service.run(generation.keep, [(offer.job, offer.outcome) for offer in offers])
        except Exception as error:  # noqa: BLE001 - told to whoever offered it
            if len(offers) > 1 and not isinstance(error, Unavailable):
                return False
            for offer in offers:
                if not offer.kept.done():
                    offer.kept.set_exception(error)
            return True
        for offer in offers:
            if not offer.kept.done():
                offer.kept.set_result(None)
        return True
