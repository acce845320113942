"""Relay of events between services that share a database, in batches with a short delay."""

import json
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from findable.clock import monotonic_s
from findable.service.runtime.events import EventBus
from findable.service.runtime.rate_limits import Rates

if TYPE_CHECKING:
    from findable.store.postgres_messages import Signals

GATHERED_S = 0.02
"""Time for which events are collected into one message."""
IDS = 400
PAUSES = 10
COUNTS = 100
"""Maximum number of counters per message, whose size is limited; an origin has at most 260 bytes."""
COUNTS_EVERY_S = 0.5


class Relay:
    """Publishes this process's events and delivers those of others.

    Args:
        events: events of this process.
        rates: request counters that all processes share.
        connect: creates the transport from two callbacks, for messages and for possibly lost messages.
    """

    def __init__(
        self,
        events: EventBus[Any],
        rates: Sequence[Rates],
        connect: Callable[[Callable[[str], None], Callable[[], None]], "Signals"],
    ) -> None:
        self._events = events
        self._rates = rates
        self._counts: Counter[tuple[int, str]] = Counter()
        self._counts_sent_s = 0.0
        self._name = secrets.token_hex(6)
        self._lock = threading.Lock()
        self._queued = False
        self._ended: list[int] = []
        self._pauses: dict[str, float] = {}
        self._something = threading.Event()
        self._ending = threading.Event()
        self._transport = connect(self._receive, events.wake_all)
        events.forward_to(self._on_queued, self._on_end, self._on_paused)
        for place, one in enumerate(rates):
            one.on_count = partial(self._on_count, place)
        self._thread = threading.Thread(target=self._send, name="relay", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether events of other processes are being received."""
        return self._transport.alive

    def close(self) -> None:
        """Send pending events and close."""
        self._ending.set()
        self._something.set()
        self._thread.join()
        self._transport.close()

    def _on_queued(self) -> None:
        with self._lock:
            self._queued = True
        self._something.set()

    def _on_end(self, report_id: int) -> None:
        with self._lock:
            self._ended.append(report_id)
        self._something.set()

    def _on_paused(self, origin: str, seconds: float) -> None:
        with self._lock:
            self._pauses[origin] = seconds
        self._something.set()

    def _on_count(self, place: int, owner: str) -> None:
        with self._lock:
            self._counts[place, owner] += 1

    def _send(self) -> None:
        while not self._ending.is_set():
            self._something.wait(COUNTS_EVERY_S)
            self._ending.wait(GATHERED_S)
            self._something.clear()
            while (word := self._next()) is not None and self._transport.send(word):
                pass

    def _next(self) -> str | None:
        with self._lock:
            ended, self._ended = self._ended[:IDS], self._ended[IDS:]
            pauses = [(origin, self._pauses.pop(origin)) for origin in list(self._pauses)[:PAUSES]]
            queued, self._queued = self._queued, False
            counts = self._due_counts()
        if not (ended or pauses or queued or counts):
            return None
        return json.dumps([self._name, int(queued), ended, pauses, counts])

    def _due_counts(self) -> list[tuple[int, str, int]]:
        """Return some pending counts at intervals; the rest follows later."""
        if not self._counts or monotonic_s() - self._counts_sent_s < COUNTS_EVERY_S:
            return []
        due = [(*key, self._counts.pop(key)) for key in list(self._counts)[:COUNTS]]
        if not self._counts:
            self._counts_sent_s = monotonic_s()
        return due

    def _receive(self, message: str) -> None:
        try:
            sender, queued, ended, pauses, counts = json.loads(message)
            if sender == self._name:
                return
            for place, owner, count in counts:
                self._rates[int(place)].receive(str(owner), int(count))
            self._events.receive(bool(queued), [int(number) for number in ended], [(str(origin), float(left)) for origin, left in pauses])
        except (ValueError, TypeError, IndexError):  # a message from another version or program
            return
