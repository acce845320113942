"""Pool of processes that parse and check pages, so that a page that crashes or stalls the parser affects nothing else.

Each process does one task at a time, so a crash is attributed to its task. A further process starts when calls have waited as long as its
start takes. Processes end when idle, after a number of pages, when they hold too much memory, and with the parent process, however it ends.
"""

import asyncio
import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from findable.clock import monotonic_s
from findable.sandbox import child_environment
from findable.worker.pool_child import LENGTH, fork

Made = TypeVar("Made")

TIME_LIMIT_S = 60.0
"""Time limit of one function for one page; the median page takes milliseconds."""
PAGES_PER_PROCESS = 2_000
"""Pages after which a process is replaced, in case they left something behind. Starting one takes as long as 20 typical pages."""
IDLE_S = 120.0
WAITED_S = 2.0
"""Time that calls wait for busy processes before a further one is started, which takes half a second of processor time: a site of ten pages
needs only one."""
MAX_RESIDENT_BYTES = 256_000_000
"""Memory above which a process is replaced after its task. Typical pages take 60 MB, a page of 58,000 elements 100 MB."""
MAX_MESSAGE_BYTES = 512 * 1024 * 1024


class ProcessCrashed(Exception):
    """Error for a process that crashed or exceeded the time limit in this call."""


class AnalysisPool:
    """Runs module-level pure functions on picklable values: ``await pool(function, *arguments)``.

    Args:
        size: maximum number of processes.
        time_limit_s: time limit per call.
        preload: modules that a process imports at start.
        niceness: nice value of the processes; a higher one gives others priority.
    """

    def __init__(
        self, size: int, *, time_limit_s: float = TIME_LIMIT_S, idle_s: float = IDLE_S, preload: tuple[str, ...] = (), niceness: int = 0
    ) -> None:
        self._time_limit_s = time_limit_s
        self._idle_s = idle_s
        self._preload = preload
        self._niceness = niceness
        self._free: list[_Process] = []
        self._spare: list[_Process] = []
        """Forked processes that have not worked yet."""
        self._busy_count = 0
        self._waited_s = 0.0
        """Time that calls have waited since a process was started."""
        self._changed = asyncio.Condition()
        """Notified when a process becomes free or ends."""
        self._turns = asyncio.Semaphore(size)
        self._reaper: asyncio.Task[None] | None = None

    async def fork_early(self) -> None:
        """Fork the first two processes, which need not import what this one has imported; none if this one has several threads."""
        if len(os.listdir("/proc/self/task")) == 1:  # noqa: PTH208 - names are enough
            self._free.append(await _Process.fork())
            self._spare.append(await _Process.fork())

    async def __call__(self, function: Callable[..., Made], *arguments: Any) -> Made:
        """Return the function's result or raise its exception. Raises ProcessCrashed if the process is lost."""
        async with self._turns:
            process = await self._take()
            try:
                response = await process.call(function, arguments, self._time_limit_s)
            except BaseException:
                # Cancelled or crashed: its next response would not be read.
                await process.end()
                raise
            else:
                await self._give_back(process)
            finally:
                self._busy_count -= 1
                async with self._changed:
                    self._changed.notify()
        raised, value = response
        if raised:
            raise cast("BaseException", value)
        return cast("Made", value)

    async def _take(self) -> "_Process":
        """Return a free process, or a new one if calls have waited for `WAITED_S`."""
        began_s = monotonic_s()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAITED_S - self._waited_s), self._changed:
                await self._changed.wait_for(lambda: self._free or not self._busy_count)
        self._waited_s += monotonic_s() - began_s
        self._busy_count += 1
        if self._free:
            return self._free.pop()
        self._waited_s = 0.0
        try:
            return self._spare.pop() if self._spare else await _Process.start(self._preload, self._niceness)
        except BaseException:
            self._busy_count -= 1
            raise

    async def _give_back(self, process: "_Process") -> None:
        if process.done_count < PAGES_PER_PROCESS and process.resident_bytes() <= MAX_RESIDENT_BYTES:
            self._free.append(process)
            self._watch_idle()
        else:
            await process.end()

    @property
    def pids(self) -> tuple[int, ...]:
        """Ids of the idle processes."""
        return tuple(process.pid for process in self._free)

    def _watch_idle(self) -> None:
        if self._reaper is None or self._reaper.done():
            self._reaper = asyncio.create_task(self._end_idle())

    async def _end_idle(self) -> None:
        while self._free:
            await asyncio.sleep(self._idle_s)
            # The first one has been idle longest. One at a time, so that `close` finds the others if it cancels this task.
            while self._free and monotonic_s() - self._free[0].last_used_s >= self._idle_s:
                await self._free.pop(0).end()

    async def close(self) -> None:
        """End all idle processes; busy ones end with their callers."""
        if self._reaper is not None:
            self._reaper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reaper
        for process in (*self._free, *self._spare):
            await process.end()
        self._free, self._spare = [], []


class _Process:
    """A child process that reads requests from a socket and writes responses to it."""

    def __init__(self, pid: int, wait: Callable[[], object], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self._wait = wait
        self._reader, self._writer = reader, writer
        self.done_count = 0
        self.last_used_s = monotonic_s()

    def resident_bytes(self) -> int:
        """Resident memory of the process; 0 if unknown."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1])
        except (OSError, IndexError, ValueError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    @classmethod
    async def start(cls, preload: tuple[str, ...], niceness: int) -> "_Process":
        ours, others = socket.socketpair()
        with others:
            started = subprocess.Popen(  # noqa: S603, ASYNC220 - this interpreter and module; it returns when the process has begun
                [sys.executable, "-m", "findable.worker.pool_child", *preload],
                stdin=others.fileno(),
                stdout=others.fileno(),
                env=child_environment(),
                start_new_session=True,  # the parent handles Ctrl-C, and waits for the child
            )
        if niceness:
            with contextlib.suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, started.pid, niceness)
        return cls(started.pid, started.wait, *await asyncio.open_connection(sock=ours))

    @classmethod
    async def fork(cls) -> "_Process":
        ours, others = socket.socketpair()
        with others:
            pid = fork(others)
        return cls(pid, lambda: os.waitpid(pid, 0), *await asyncio.open_connection(sock=ours))

    async def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], time_limit_s: float) -> tuple[bool, Any]:
        """Return whether the function raised, and its result or exception."""
        reader, writer = self._reader, self._writer
        message = pickle.dumps((function, arguments, time_limit_s))
        try:
            async with asyncio.timeout(time_limit_s):
                writer.write(LENGTH.pack(len(message)) + message)
                await writer.drain()
                (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
                if length > MAX_MESSAGE_BYTES:
                    raise ProcessCrashed("the response is too long")
                response = await reader.readexactly(length)
        except TimeoutError as error:
            raise ProcessCrashed(f"no response within {time_limit_s:g} s") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise ProcessCrashed("the process ended") from error
        self.done_count += 1
        self.last_used_s = monotonic_s()
        return cast("tuple[bool, Any]", pickle.loads(response))  # noqa: S301 - from this process's child over a private pipe

    async def end(self) -> None:
        """Kill the process immediately."""
        os.kill(self.pid, signal.SIGKILL)
        self._writer.close()
        await asyncio.to_thread(self._wait)
