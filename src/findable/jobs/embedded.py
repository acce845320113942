"""Run jobs stored in SQLite inside the service, the only process that uses the database: a task of its event loop claims them."""

import asyncio

from findable.jobs.carrier import POLL_S, Carrier, Work
from findable.jobs.protocol import JobT


class EmbeddedCarrier(Carrier[JobT]):
    """Claims jobs and runs them in this process."""

    async def _work(self) -> None:
        try:
            while not self._stopping.is_set():
                self._woken.clear()
                limit = self.at_once - len(self._at_work)
                spare = self.spare + min(0, limit)
                if limit + spare <= 0 or not await self._claim(max(0, limit), spare):
                    await self._wait(POLL_S)
            await self._wait_for_jobs()
        finally:
            await self._abandon()

    async def _abandon(self) -> None:
        async with self._turn:
            left = list(self._at_work.values())
            for work in left:
                work.task.cancel()
            if left:
                await asyncio.wait([work.task for work in left])
            for work in left:
                await self._try_store(self.jobs.hand_back, work.job)

    async def _claim(self, limit: int, spare: int) -> bool:
        """Claim and start jobs; return False if there are none."""
        async with self._turn:
            jobs = await self._try_store(self.jobs.claim_some, self.worker, limit, spare)
            for job in jobs or ():
                number = next(self._begun)
                self._at_work[number] = Work(job, asyncio.create_task(self._process(number, job)))
        return bool(jobs)

    async def _process(self, number: int, job: JobT) -> None:
        try:
            await self.handle(job)
        finally:
            self._at_work.pop(number, None)
            self._woken.set()
