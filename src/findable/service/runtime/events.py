"""Events of reports and queue, and their listeners: within this process, and across processes."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

ProgressT = TypeVar("ProgressT")

_Waiter = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class EventBus(Generic[ProgressT]):
    """Publishes events from any thread to listeners on event loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[int, list[_Waiter]] = {}
        self._progress: dict[int, ProgressT] = {}
        self._listeners: list[Callable[[], None]] = []
        self._end_listeners: list[Callable[[int | None], None]] = []
        self._pause_listeners: list[Callable[[str, float], None]] = []
        self._forward_queued: Callable[[], None] = lambda: None
        self._forward_end: Callable[[int], None] = lambda _: None
        self._forward_paused: Callable[[str, float], None] = lambda _origin, _seconds: None

    def forward_to(self, queued: Callable[[], None], ended: Callable[[int], None], paused: Callable[[str, float], None]) -> None:
        """Set callbacks that publish this process's events to others (fast, thread-safe)."""
        self._forward_queued, self._forward_end, self._forward_paused = queued, ended, paused

    def receive(self, queued: bool, ended: Iterable[int], pauses: Iterable[tuple[str, float]]) -> None:  # noqa: FBT001 - a field of the message
        """Handle events of another process."""
        for report_id in ended:
            self._end(report_id)
        for origin, seconds in pauses:
            for listener in self._pause_listeners:
                listener(origin, seconds)
        if queued:
            self._queued()

    def wake_all(self) -> None:
        """Wake all listeners, because events of another process may be lost."""
        with self._lock:
            waiters = [waiter for waiting in self._waiters.values() for waiter in waiting]
        self._wake(waiters)
        for listener in self._end_listeners:
            listener(None)
        self._queued()

    def on_queued(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` (fast, thread-safe) whenever a job or message is queued."""
        self._listeners.append(listener)

    def publish_queued(self) -> None:
        """Publish that a job or message was queued."""
        self._queued()
        self._forward_queued()

    def _queued(self) -> None:
        for listener in self._listeners:
            listener()

    def on_ended(self, listener: Callable[[int | None], None]) -> None:
        """Call ``listener`` (fast, thread-safe) whenever a generation of a report ended; the argument is None if any may have."""
        self._end_listeners.append(listener)

    def publish_end(self, report_id: int) -> None:
        """Publish that a generation of the report ended, or the report was deleted."""
        self._end(report_id)
        self._forward_end(report_id)

    def wake(self, report_id: int) -> None:
        """Let those who listen to the report look at it."""
        with self._lock:
            waiters = list(self._waiters.get(report_id, ()))
        self._wake(waiters)

    def _end(self, report_id: int) -> None:
        self.reset_progress(report_id)
        self.wake(report_id)
        for listener in self._end_listeners:
            listener(report_id)

    def on_paused(self, listener: Callable[[str, float], None]) -> None:
        """Call ``listener`` (fast, thread-safe) with origin and seconds when an origin requested a pause from another process."""
        self._pause_listeners.append(listener)

    def publish_pause(self, origin: str, seconds: float) -> None:
        """Publish that an origin requested a pause from this process."""
        self._forward_paused(origin, seconds)

    @staticmethod
    def _wake(waiters: Iterable[_Waiter]) -> None:
        for loop, event in waiters:
            with suppress(RuntimeError):  # the event loop was closed meanwhile
                loop.call_soon_threadsafe(event.set)

    @contextmanager
    def listen(self, report_id: int) -> Iterator[asyncio.Event]:
        """Yield an event that `publish_end` or `wake` of the report sets; on an event loop. Check the state after subscribing."""
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

    def set_progress(self, report_id: int, progress: ProgressT) -> None:
        """Set the progress of the report."""
        with self._lock:
            self._progress[report_id] = progress

    def reset_progress(self, report_id: int) -> None:
        """Reset the progress, because the report starts again."""
        with self._lock:
            self._progress.pop(report_id, None)

    def progress(self, report_id: int) -> ProgressT | None:
        """Return the progress; None if it is unknown in this process."""
        return self._progress.get(report_id)
