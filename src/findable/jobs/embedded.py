"""Run jobs of SQLite inside the service, the only process that uses the database: a task of its event loop claims them."""

import asyncio
from contextlib import suppress
from functools import partial

from findable.jobs.protocol import Handler, JobT, OwnJobs
from findable.jobs.working_carrier import HEARTBEAT_S, POLL_S, InThread, Work, WorkingCarrier


class EmbeddedCarrier(WorkingCarrier[JobT]):
    """Claims jobs and runs a limited number of them concurrently.

    Args:
        jobs: the jobs in the store.
        handle: processes one job.
        in_thread: runs the methods of ``jobs``.
        at_once: maximum number of concurrent jobs.
        spare: extra hands for accounts without a running job.
        heartbeat_s: interval at which progress is stored and lost jobs are detected.
    """

    def __init__(
        self,
        jobs: OwnJobs[JobT],
        handle: Handler[JobT],
        in_thread: InThread,
        *,
        at_once: int,
        spare: int = 0,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        super().__init__(jobs, handle, in_thread, at_once=at_once, spare=spare, heartbeat_s=heartbeat_s)
        self._own_jobs = jobs

    async def run(self) -> None:
        """Process jobs until `drain` is called. Cancellation returns all jobs to the queue immediately."""
        self._loop = asyncio.get_running_loop()
        beside = [asyncio.create_task(loop()) for loop in (self._beat, self._sweep)]
        try:
            while not self._stopping.is_set():
                self._woken.clear()
                limit = self._at_once - len(self._at_work)
                spare = self._spare + min(0, limit)
                if limit + spare <= 0 or not await self._claim(max(0, limit), spare):
                    await self._wait(POLL_S)
            await self._wait_for_jobs()
        finally:
            await self._abandon()
            for task in beside:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            self._over.set()

    async def _abandon(self) -> None:
        async with self._turn:
            left = list(self._at_work.values())
            for work in left:
                work.task.cancel()
            if left:
                await asyncio.wait([work.task for work in left])
            for work in left:
                await self._try_store(partial(self._own_jobs.hand_back, work.job))

    async def _claim(self, limit: int, spare: int) -> bool:
        """Claim and start jobs; return False if there are none."""
        async with self._turn:
            jobs = await self._try_store(partial(self._own_jobs.claim, limit, spare))
            for job in jobs or ():
                number = next(self._begun)
                self._at_work[number] = Work(job, asyncio.create_task(self._process(number, job)))
        return bool(jobs)

    async def _process(self, number: int, job: JobT) -> None:
        try:
            await self._handle(job)
        finally:
            self._at_work.pop(number, None)
            self._woken.set()
