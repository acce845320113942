"""Threads that run blocking use cases for the event loop."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")

LONG_S = 0.01
"""Time in which no queued use case begins, after which a new thread takes over the queue."""


class UseCaseThreads:
    """Queue of use cases with few threads.

    On SQLite one thread is enough while use cases are short. Each call of the driver releases Python's global lock; with several threads
    another one takes it each time, which costs more CPU than the use cases. While a use case is long, a new thread takes over the queue,
    and the old one ends after its use case.

    Args:
        usual: number of threads while use cases are short.
        most: maximum number of threads.
    """

    def __init__(self, usual: int, most: int) -> None:
        self._usual = usual
        self._most = most
        self._queue: SimpleQueue[_UseCase | None] = SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._newest = 0
        """Number of the newest thread."""
        self._begun_count = 0
        self._results: _Results | None = None
        """Results for the event loop of the last use case."""
        self._watching: asyncio.AbstractEventLoop | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function in a thread and return its result. Raises what it raises."""
        loop = asyncio.get_running_loop()
        if self._results is None or self._results.loop is not loop:
            self._results = _Results(loop)
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_UseCase(work, future, self._results))
        if len(self._threads) < self._usual:
            self._start_thread()
        if self._watching is not loop:
            self._watching = loop
            loop.call_later(LONG_S, self._add_thread_if_stalled, loop, self._begun_count)
        return await future

    def close(self) -> None:
        """Run all queued use cases, then end the threads (blocking), also those that are started meanwhile."""
        self._queue.put(None)
        while threads := list(self._threads):
            for thread in threads:
                thread.join()
        while (use_case := self._queue.get()) is not None:
            use_case.run()

    def _add_thread_if_stalled(self, loop: asyncio.AbstractEventLoop, begun_count: int) -> None:
        """Start a thread if no queued use case has begun since ``begun_count``; repeat until the queue is empty."""
        if self._queue.empty():
            self._watching = None
            return
        if self._begun_count == begun_count and len(self._threads) < self._most:
            self._start_thread()
        loop.call_later(LONG_S, self._add_thread_if_stalled, loop, self._begun_count)

    def _start_thread(self) -> None:
        self._newest += 1
        thread = threading.Thread(target=self._run_queued, args=(self._newest,), name=f"service {self._newest}")
        self._threads.add(thread)
        thread.start()

    def _run_queued(self, number: int) -> None:
        """Run queued use cases until there are enough newer threads, or None is queued, which stays there for the other threads."""
        while self._newest - number < self._usual:
            use_case = self._queue.get()
            if use_case is None:
                self._queue.put(None)
                break
            self._begun_count += 1
            use_case.run()
            del use_case  # its values would be held while the queue is empty
        self._threads.discard(threading.current_thread())


class _Results:
    """Results on their way to an event loop, which is woken once for several."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._ended: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._is_waking = False

    def add(self, future: "asyncio.Future[Any]", result: object, error: BaseException | None = None) -> None:
        """Pass on a result or an error (thread-safe)."""
        self._ended.append((future, result, error))
        if not self._is_waking:
            self._is_waking = True
            with suppress(RuntimeError):  # the event loop has ended
                self.loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        self._is_waking = False
        while self._ended:
            future, result, error = self._ended.popleft()
            if future.cancelled():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


class _UseCase(Struct):
    """Queued use case."""

    work: Callable[[], Any]
    future: "asyncio.Future[Any]"
    results: _Results

    def run(self) -> None:
        """Run the use case and pass on its result."""
        try:
            self.results.add(self.future, self.work())
        except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
            self.results.add(self.future, None, error)
