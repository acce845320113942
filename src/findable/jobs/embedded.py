"""Run jobs inside a service or a worker: a task of its event loop claims them from the lease table."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from findable.clock import monotonic_s
from findable.errors import Unavailable
from findable.jobs.protocol import LEASE_S, Handler, JobT, Leases

T = TypeVar("T")

HEARTBEAT_S = LEASE_S / 3
"""Interval of heartbeats."""
POLL_S = 2.0
"""Polling interval for due retries and lost events."""
WATCHES = 20
"""Number of checks for expired leases during one lease."""
_log = logging.getLogger(__name__)


class InThread(Protocol):
    """Runs a blocking function in a bounded pool of threads."""

    def __call__(self, function: Callable[[], T]) -> Awaitable[T]: ...  # noqa: D102 - documented by the class


class _Work(Struct, Generic[JobT]):
    """Running job."""

    job: JobT
    task: asyncio.Task[None]
    last_heartbeat_s: float
    """Monotonic time of the last successful heartbeat, from which the lease is counted."""


class EmbeddedCarrier(Generic[JobT]):
    """Claims jobs, runs a limited number of them concurrently and sends heartbeats.

    A job whose lease has expired belongs to another worker: when the lease table was unreachable for that long, processing stops.

    Args:
        leases: the lease table.
        handle: processes one job.
        in_thread: runs the table's methods.
        at_once: maximum number of concurrent jobs.
        spare: extra slots for accounts without a running job.
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
        self._leases = leases
        self._handle = handle
        self._in_thread = in_thread
        self._at_once = at_once
        self._spare = spare
        self._heartbeat_s = heartbeat_s
        self._lease_s = lease_s
        self._may_outlive = may_outlive
        self._at_work: dict[int, _Work[JobT]] = {}  # keyed by attempt: two attempts at one job may overlap
        self._begun = count()
        self._turn = asyncio.Lock()
        """Held while jobs are claimed and while lost ones are reclaimed.

        A job that is claimed is not in `at_work` yet, and a jump of the clock makes its lease look expired.
        """
        self._woken = asyncio.Event()
        self._recheck = asyncio.Event()
        self._stopping = asyncio.Event()
        self._over = asyncio.Event()
        self._deadline_s = math.inf
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def at_work(self) -> tuple[int, ...]:
        """Ids of the running jobs."""
        return tuple(work.job.id for work in self._at_work.values())

    def wake(self) -> None:
        """Signal that there may be jobs. Thread-safe."""
        self._call_soon(self._woken.set)

    def recheck_leases(self, concerns: Callable[[JobT], bool]) -> None:
        """Check the leases of the jobs that ``concerns`` selects immediately, not at the next heartbeat. Thread-safe."""

        def check_leases() -> None:
            if any(concerns(work.job) for work in self._at_work.values()):
                self._recheck.set()

        self._call_soon(check_leases)

    def _call_soon(self, call: Callable[[], object]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the event loop is closed
                self._loop.call_soon_threadsafe(call)

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

    async def drain(self, timeout_s: float) -> None:
        """Stop claiming, give running jobs this much time, and return the others to the queue. A second call may shorten the time."""
        self._deadline_s = min(self._deadline_s, monotonic_s() + timeout_s)
        self._stopping.set()
        self._woken.set()
        if self._loop is not None:
            await self._over.wait()

    async def _wait_for_jobs(self) -> None:
        while self._at_work and (left_s := self._deadline_s - monotonic_s()) > 0:
            self._woken.clear()
            await self._wait(left_s)

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
                self._at_work[number] = _Work(job, asyncio.create_task(self._process(number, job)), asked_s)
        return bool(jobs)

    async def _process(self, number: int, job: JobT) -> None:
        try:
            await self._handle(job)
        finally:
            self._at_work.pop(number, None)
            self._woken.set()

    async def _wait(self, timeout_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._woken.wait()

    async def _beat(self) -> None:
        """Extend leases. A suspended process detects here that its leases have expired."""
        while True:
            begun_s = monotonic_s()
            self._recheck.clear()
            await asyncio.gather(*map(self._extend, list(self._at_work.values())))
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, self._heartbeat_s - (monotonic_s() - begun_s))):
                    await self._recheck.wait()

    async def _sweep(self) -> None:
        """Reclaim jobs of lost workers, separately from heartbeats, which must not wait for a claim."""
        while True:
            async with self._turn:
                await self._try_store(partial(self._leases.sweep, self.at_work))
            await asyncio.sleep(self._heartbeat_s)

    async def _extend(self, work: _Work[JobT]) -> None:
        asked_s = monotonic_s()
        kept = await self._try_store(partial(self._leases.beat, work.job))
        if kept:
            work.last_heartbeat_s = asked_s
        elif kept is not None:
            work.task.cancel()

    async def _watch(self) -> None:
        """Cancel jobs whose lease has expired. The worker that claims such a job starts it from the beginning."""
        while True:
            await asyncio.sleep(self._lease_s / WATCHES)
            for work in list(self._at_work.values()):
                if monotonic_s() - work.last_heartbeat_s > self._lease_s and not self._may_outlive(work.job) and not work.task.cancelling():
                    _log.warning("job %d cancelled: its lease expired while the job table was unreachable", work.job.id)
                    work.task.cancel()

    async def _try_store(self, function: Callable[[], T]) -> T | None:
        """Run a function of the store; None if the store is unavailable, so that the next call retries."""
        try:
            return await self._in_thread(function)
        except Unavailable as error:
            _log.warning("the job table is unavailable: %s", error)
            return None
