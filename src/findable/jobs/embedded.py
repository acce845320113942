"""The carrier inside a service or a worker: a loop on its event loop that claims from the table of leases."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from findable.clock import monotonic_s
from findable.errors import Unavailable
from findable.jobs.protocol import Handler, JobT, Leases

T = TypeVar("T")

HEARTBEAT_S = 10.0
"""A third of the lease."""
LEASE_S = 30.0
POLL_S = 2.0
"""How often the table is looked at when nobody said that there is work: retries whose time has come, news that was lost."""
WATCHES = 20
"""How often in the time of a lease is looked whether one is over."""
_log = logging.getLogger(__name__)


class InThread(Protocol):
    """Runs a blocking function in a thread of a bounded number."""

    def __call__(self, function: Callable[[], T]) -> Awaitable[T]: ...  # noqa: D102 - the class says it


class _Work(Struct, Generic[JobT]):
    """A job that is being done."""

    job: JobT
    task: asyncio.Task[None]
    heard_s: float
    """When the table was last asked, with success, to keep the job for us: the lease is counted from there, by a clock that never jumps."""


class EmbeddedCarrier(Generic[JobT]):
    """Claims jobs and runs them at once up to a number, with heartbeats.

    A job whose lease is over is somebody else's: when the table could not be reached for so long, the work on it stops.

    Args:
        leases: the table.
        handle: does one job.
        in_thread: where the table's methods are called.
        at_once: how many jobs are worked on at the same time.
        spare: how many more, where they are of somebody for whom nobody is at work.
        heartbeat_s: how often leases are extended and lost ones looked for.
        lease_s: how long the table keeps a job for us.
        may_outlive: whether a job may go on without a lease, since all that is left to do is to offer a result, which the table refuses
            where the job is somebody else's.
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
        self._at_work: dict[int, _Work[JobT]] = {}
        self._news = asyncio.Event()
        self._doubt = asyncio.Event()
        self._stopping = asyncio.Event()
        self._over = asyncio.Event()
        self._deadline_s = math.inf
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def at_work(self) -> tuple[int, ...]:
        """Ids of the jobs that are being done."""
        return tuple(self._at_work)

    def wake(self) -> None:
        """There may be work. From any thread."""
        self._soon(self._news.set)

    def doubt(self, concerns: Callable[[JobT], bool]) -> None:
        """Some jobs may not be ours any more: where we are at one, the table is asked now, not with the next heartbeat. From any thread."""

        def look() -> None:
            if any(concerns(work.job) for work in self._at_work.values()):
                self._doubt.set()

        self._soon(look)

    def _soon(self, call: Callable[[], object]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop was closed
                self._loop.call_soon_threadsafe(call)

    async def run(self) -> None:
        """Works until `drain` is called. When it is cancelled it hands all jobs back at once."""
        self._loop = asyncio.get_running_loop()
        beside = [asyncio.create_task(self._beat()), asyncio.create_task(self._watch())]
        try:
            while not self._stopping.is_set():
                self._news.clear()
                limit = self._at_once - len(self._at_work)
                spare = self._spare + min(0, limit)
                if limit + spare <= 0 or not await self._claim(max(0, limit), spare):
                    await self._wait(POLL_S)
            await self._let_end()
        finally:
            await self._abandon()
            for task in beside:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            self._over.set()

    async def drain(self, timeout_s: float) -> None:
        """Takes no new jobs, lets those that run end for so long, and hands the others back. A second call may shorten the time."""
        self._deadline_s = min(self._deadline_s, monotonic_s() + timeout_s)
        self._stopping.set()
        self._news.set()
        if self._loop is not None:
            await self._over.wait()

    async def _let_end(self) -> None:
        while self._at_work and (left_s := self._deadline_s - monotonic_s()) > 0:
            self._news.clear()
            await self._wait(left_s)

    async def _abandon(self) -> None:
        left = list(self._at_work.values())
        for work in left:
            work.task.cancel()
        if left:
            await asyncio.wait([work.task for work in left])
        for work in left:
            await self._quietly(partial(self._leases.hand_back, work.job))

    async def _claim(self, limit: int, spare: int) -> bool:
        """Takes jobs; False where there is none."""
        asked_s = monotonic_s()
        jobs = await self._quietly(partial(self._leases.claim, limit, spare))
        for job in jobs or ():
            self._at_work[job.id] = _Work(job, asyncio.create_task(self._do(job)), asked_s)
        return bool(jobs)

    async def _do(self, job: JobT) -> None:
        try:
            await self._handle(job)
        finally:
            self._at_work.pop(job.id, None)
            self._news.set()

    async def _wait(self, timeout_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._news.wait()

    async def _beat(self) -> None:
        """A paused process finds here, before anything else, that its leases are over."""
        while True:
            begun_s = monotonic_s()
            self._doubt.clear()
            await asyncio.gather(*map(self._extend, list(self._at_work.values())))
            await self._quietly(partial(self._leases.sweep, self.at_work))
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, self._heartbeat_s - (monotonic_s() - begun_s))):
                    await self._doubt.wait()

    async def _extend(self, work: _Work[JobT]) -> None:
        asked_s = monotonic_s()
        kept = await self._quietly(partial(self._leases.beat, work.job))
        if kept:
            work.heard_s = asked_s
        elif kept is not None:
            work.task.cancel()

    async def _watch(self) -> None:
        """Ends what is worked on without a lease; who took the job over, or will, begins anew."""
        while True:
            await asyncio.sleep(self._lease_s / WATCHES)
            for work in list(self._at_work.values()):
                if monotonic_s() - work.heard_s > self._lease_s and not self._may_outlive(work.job) and not work.task.cancelling():
                    _log.warning("job %d is left: its lease is over, and the table of jobs could not be reached", work.job.id)
                    work.task.cancel()

    async def _quietly(self, function: Callable[[], T]) -> T | None:
        """None where the store cannot answer now; the next turn asks again."""
        try:
            return await self._in_thread(function)
        except Unavailable as error:
            _log.warning("the table of jobs does not answer: %s", error)
            return None
