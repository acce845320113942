"""Run jobs of SQLite inside the service: a task of its event loop claims them from the lease table."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from findable.clock import monotonic_s
from findable.jobs.protocol import LEASE_S, Handler, JobT, Leases
from findable.jobs.working_carrier import HEARTBEAT_S, POLL_S, InThread, Work, WorkingCarrier

WATCHES = 20
"""Number of checks for expired leases during one lease."""
_log = logging.getLogger(__name__)


class EmbeddedCarrier(WorkingCarrier[JobT]):
    """Claims jobs, runs a limited number of them concurrently and extends their leases.

    A job whose lease has expired belongs to another worker: when the lease table was unreachable for that long, processing stops.

    Args:
        leases: the lease table.
        handle: processes one job.
        in_thread: runs the table's methods.
        at_once: maximum number of concurrent jobs.
        spare: extra hands for accounts without a running job.
        heartbeat_s: interval at which leases are extended and lost ones detected.
        lease_s: duration of a lease.
        may_outlive: whether a job may continue without a lease, because only its result remains to be stored and the table rejects it
            if the job belongs to another worker.
    """

    def __init__(
        self,
        leases: Leases[JobT],
        handle: Handler[JobT],
        in_thread: InThread,
        *,
        at_once: int,
        spare: int = 0,
        heartbeat_s: float = HEARTBEAT_S,
        lease_s: float = LEASE_S,
        may_outlive: Callable[[JobT], bool] = lambda _job: False,
    ) -> None:
        super().__init__(leases, handle, in_thread, at_once=at_once, spare=spare, heartbeat_s=heartbeat_s, lease_s=lease_s)
        self._leases = leases
        self._may_outlive = may_outlive

    async def run(self) -> None:
        """Process jobs until `drain` is called. Cancellation returns all jobs to the queue immediately."""
        self._loop = asyncio.get_running_loop()
        beside = [asyncio.create_task(loop()) for loop in (self._beat, self._sweep, self._watch)]
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
        left = list(self._at_work.values())
        for work in left:
            work.task.cancel()
        if left:
            await asyncio.wait([work.task for work in left])
        for work in left:
            await self._try_store(partial(self._leases.hand_back, work.job))

    async def _claim(self, limit: int, spare: int) -> bool:
        """Claim and start jobs; return False if there are none."""
        async with self._turn:
            asked_s = monotonic_s()
            jobs = await self._try_store(partial(self._leases.claim, limit, spare))
            for job in jobs or ():
                number = next(self._begun)
                self._at_work[number] = Work(job, asyncio.create_task(self._process(number, job)), asked_s)
        return bool(jobs)

    async def _process(self, number: int, job: JobT) -> None:
        try:
            await self._handle(job)
        finally:
            self._at_work.pop(number, None)
            self._woken.set()

    async def _watch(self) -> None:
        """Cancel jobs whose lease has expired. The worker that claims such a job starts it from the beginning."""
        while True:
            await asyncio.sleep(self._lease_s / WATCHES)
            for work in list(self._at_work.values()):
                if monotonic_s() - work.last_heartbeat_s > self._lease_s and not self._may_outlive(work.job) and not work.task.cancelling():
                    _log.warning("job %d cancelled: its lease expired while the job table was unreachable", work.job.id)
                    work.task.cancel()
