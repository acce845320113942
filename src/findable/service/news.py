"""Who waits for which report, how far reports are, and that there is something to do: all within this process."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from findable.service.values import Progress

_Waiter = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class News:
    """Told from any thread, heard on event loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[int, list[_Waiter]] = {}
        self._progress: dict[int, Progress] = {}
        self._listeners: list[Callable[[], None]] = []

    def on_queued(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` (quickly, from any thread) whenever something was queued."""
        self._listeners.append(listener)

    def queued(self) -> None:
        """Something was queued."""
        for listener in self._listeners:
            listener()

    def settled(self, report_id: int) -> None:
        """A generation of the report ended, or the report is gone."""
        with self._lock:
            self._progress.pop(report_id, None)
            waiters = list(self._waiters.get(report_id, ()))
        for loop, event in waiters:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(event.set)

    @contextmanager
    def listen(self, report_id: int) -> Iterator[asyncio.Event]:
        """An event that `settled` of that report sets; on an event loop. Look whether it is settled after this begins."""
        waiter = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiters.setdefault(report_id, []).append(waiter)
        try:
            yield waiter[1]
        finally:
            with self._lock:
                rest = self._waiters[report_id]
                rest.remove(waiter)
                if not rest:
                    del self._waiters[report_id]

    def set_progress(self, report_id: int, progress: Progress) -> None:
        """How far the report is."""
        with self._lock:
            self._progress[report_id] = progress

    def forget_progress(self, report_id: int) -> None:
        """The report starts anew."""
        with self._lock:
            self._progress.pop(report_id, None)

    def progress(self, report_id: int) -> Progress | None:
        """How far it is, None where this process does not know."""
        return self._progress.get(report_id)
