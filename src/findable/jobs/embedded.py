"""The carrier inside the service: a loop on its event loop that claims from the table of leases."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Generic, Protocol, TypeVar

from findable.clock import monotonic_s
from findable.errors import Unavailable
from findable.jobs.protocol import Handler, JobT, Leases

T = TypeVar("T")

HEARTBEAT_S = 10.0
"""A third of the lease."""
POLL_S = 2.0
"""How often the table is looked at when nobody said that there is work: retries whose time has come, other processes."""
_log = logging.getLogger(__name__)


class InThread(Protocol):
    """Runs a blocking function in a thread of a bounded number."""

    def __call__(self, function: Callable[[], T]) -> Awaitable[T]: ...  # noqa: D102 - the class says it


class EmbeddedCarrier(Generic[JobT]):
    """Claims jobs and runs them at once up to a number, with heartbeats.

    Args:
        leases: the table.
        handle: does one job.
        in_thread: where the table's methods are called.
        at_once: how many jobs are worked on at the same time.
        heartbeat_s: how often leases are extended and lost ones looked for.
    """

    def __init__(
        self,
        leases: Leases[JobT],
        handle: Handler[JobT],
        in_thread: InThread,
        *,
        at_once: int,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._leases = leases
        self._handle = handle
        self._in_thread = in_thread
        self._at_once = at_once
        self._heartbeat_s = heartbeat_s
        self._at_work: dict[int, tuple[JobT, asyncio.Task[None]]] = {}
        self._news = asyncio.Event()
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
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop was closed
                self._loop.call_soon_threadsafe(self._news.set)

    async def run(self) -> None:
        """Works until `drain` is called. When it is cancelled it hands all jobs back at once."""
        self._loop = asyncio.get_running_loop()
        beating = asyncio.create_task(self._beat())
        try:
            while not self._stopping.is_set():
                self._news.clear()
                if len(self._at_work) >= self._at_once or not await self._claim():
                    await self._wait(POLL_S)
            await self._let_end()
        finally:
            await self._abandon()
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating
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
        for _, task in left:
            task.cancel()
        if left:
            await asyncio.wait([task for _, task in left])
        for job, _ in left:
            await self._quietly(partial(self._leases.hand_back, job))

    async def _claim(self) -> bool:
        """Takes one job; False where there is none."""
        job = await self._quietly(self._leases.claim)
        if job is None:
            return False
        task = asyncio.create_task(self._do(job))
        self._at_work[job.id] = (job, task)
        return True

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
            for job, task in list(self._at_work.values()):
                if await self._quietly(partial(self._leases.beat, job)) is False:
                    task.cancel()
            await self._quietly(partial(self._leases.sweep, self.at_work))
            await asyncio.sleep(max(0.0, self._heartbeat_s - (monotonic_s() - begun_s)))

    async def _quietly(self, function: Callable[[], T]) -> T | None:
        """None where the store cannot answer now; the next turn asks again."""
        try:
            return await self._in_thread(function)
        except Unavailable as error:
            _log.warning("the table of jobs does not answer: %s", error)
            return None
