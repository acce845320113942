"""Base of the carriers: heartbeats, lost jobs and the end of the jobs that run in this process."""

import asyncio
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from findable.clock import monotonic_s
from findable.errors import Unavailable
from findable.jobs.heartbeats import HEARTBEAT_S
from findable.jobs.protocol import Handler, JobT, StoredJobs

T = TypeVar("T")

POLL_S = 2.0
"""Polling interval for due retries and lost events."""
_log = logging.getLogger(__name__)


class InThread(Protocol):
    """Runs a blocking function of the service in a bounded pool of threads."""

    def __call__(self, function: Callable[..., T], /, *args: Any) -> Awaitable[T]: ...  # noqa: D102 - documented by the class


class Work(Struct, Generic[JobT]):
    """Job that runs in this process, with its task."""

    job: JobT
    task: asyncio.Task[None]
    is_spare: bool = False
    """Whether it runs in a slot that is reserved for accounts without running jobs."""


@dataclass(eq=False)
class Carrier(ABC, Generic[JobT]):
    """Runs jobs of one kind, a limited number at a time.

    Args:
        jobs: the jobs in the store.
        handle: processes one job.
        in_thread: runs the functions of ``jobs``.
        worker: name of this process.
        at_once: maximum number of concurrent jobs.
        spare: extra slots for accounts without a running job.
        heartbeat_s: interval at which progress is stored and lost jobs are detected.
    """

    jobs: StoredJobs[JobT]
    handle: Handler[JobT]
    in_thread: InThread
    worker: str
    _: KW_ONLY
    at_once: int
    spare: int = 0
    heartbeat_s: float = HEARTBEAT_S

    def __post_init__(self) -> None:
        self._at_work: dict[int, Work[JobT]] = {}  # keyed by attempt: two attempts at one job may overlap
        self._begun = count()
        self._turn = asyncio.Lock()
        """Held while jobs are claimed or returned and while lost ones are reclaimed: such jobs are not in `at_work`, but not lost."""
        self._woken = asyncio.Event()
        self._recheck = asyncio.Event()
        self._stopping = asyncio.Event()
        self._over = asyncio.Event()
        self._loops: list[asyncio.Task[None]] = []
        self._deadline_s = math.inf
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def at_work(self) -> tuple[int, ...]:
        """Ids of the running jobs of this process."""
        return tuple(work.job.id for work in self._at_work.values())

    async def run(self) -> None:
        """Process jobs until `drain` is called. Cancellation returns all jobs to the queue immediately."""
        self._loop = asyncio.get_running_loop()
        self._loops = [asyncio.create_task(loop()) for loop in (self._beat, self._sweep)]
        try:
            await self._work()
        finally:
            for task in self._loops:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            self._over.set()

    @abstractmethod
    async def _work(self) -> None:
        """Process jobs, and return all of them to the queue if cancelled."""

    def wake(self) -> None:
        """Signal that there may be jobs. Thread-safe."""
        self._call_soon(self._woken.set)

    def recheck(self, concerns: Callable[[JobT], bool]) -> None:
        """Check the running jobs that ``concerns`` selects immediately, not at the next heartbeat. Thread-safe."""

        def check() -> None:
            if any(concerns(work.job) for work in self._at_work.values()):
                self._recheck.set()

        self._call_soon(check)

    def _call_soon(self, call: Callable[[], object]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the event loop is closed
                self._loop.call_soon_threadsafe(call)

    async def drain(self, timeout_s: float) -> None:
        """Begin no more jobs, wait for running ones, and return the rest to the queue after the timeout. A second call may shorten it."""
        self._deadline_s = min(self._deadline_s, monotonic_s() + timeout_s)
        self._stopping.set()
        self._woken.set()
        if self._loop is not None:
            await self._over.wait()

    async def _wait_for_jobs(self) -> None:
        while self._at_work and (left_s := self._deadline_s - monotonic_s()) > 0:
            self._woken.clear()
            await self._wait(left_s)

    async def _wait(self, timeout_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._woken.wait()

    async def _beat(self) -> None:
        """Send heartbeats for running jobs. A suspended process detects here that it has lost them."""
        while True:
            begun_s = monotonic_s()
            self._recheck.clear()
            await asyncio.gather(*map(self._check, list(self._at_work.values())))
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, self.heartbeat_s - (monotonic_s() - begun_s))):
                    await self._recheck.wait()

    async def _sweep(self) -> None:
        """Reclaim jobs of lost workers, separately from heartbeats, which must not wait for a claim."""
        while True:
            async with self._turn:
                await self._try_store(self.jobs.sweep, self.at_work)
            await asyncio.sleep(self.heartbeat_s)

    async def _check(self, work: Work[JobT]) -> None:
        if await self._try_store(self.jobs.beat, work.job) is False:
            work.task.cancel()

    async def _try_store(self, function: Callable[..., T], *args: Any) -> T | None:
        """Run a function of the store; None if the store is unavailable, so that the next call retries."""
        try:
            return await self.in_thread(function, *args)
        except Unavailable as error:
            _log.warning("the job table is unavailable: %s", error)
            return None
