"""Adapt the request rate to a host: as fast as the settings allow, slower if the host slows down or is busy (429, 503)."""

from findable.limits import MAX_CONNECTIONS
from findable.values import median

SAMPLES = 50
SLOWDOWN = 2.0
"""Ratio of the median time to first byte to that of the first responses; from this ratio on, the crawl slows down."""
NOTICEABLE_MS = 100.0
"""Time to first byte below which a host counts as fast, regardless of the ratio."""
RECOVERY_S = 60.0
BUSY = frozenset({429, 503})


class Pace:
    """Adaptive request rate and number of connections. Times are those of the caller's clock.

    Args:
        rate: maximum requests per second.
        connections: maximum requests at the same time.
        delay_s: minimum time between two requests, set by the host (Crawl-delay).
    """

    def __init__(self, rate: float, connections: int, delay_s: float = 0.0) -> None:
        self._most = min(connections, MAX_CONNECTIONS) if not delay_s else 1
        self._interval_s = max(1 / rate, delay_s)
        self._next_s = 0.0
        self._changed_s = 0.0
        self._first: list[float] = []
        self._last: list[float] = []
        self.connections = self._most
        """Current maximum of concurrent requests."""

    def next_at_s(self, now_s: float) -> float:
        """Return the time of the next request, and reserve it."""
        at_s = max(now_s, self._next_s)
        self._next_s = at_s + self._interval_s * (self._most / self.connections)
        return at_s

    def adapt(self, status: int, first_byte_ms: float, now_s: float) -> None:
        """Adapt the rate to a response."""
        if status in BUSY:
            self._shrink(now_s)
            return
        if first_byte_ms:
            self._sample(first_byte_ms)
        if len(self._last) == SAMPLES:
            slow = median(self._last)
            if slow > NOTICEABLE_MS and slow > SLOWDOWN * median(self._first):
                self._shrink(now_s)
                self._last.clear()
        if self.connections < self._most and now_s - self._changed_s >= RECOVERY_S:
            self.connections += 1
            self._changed_s = now_s

    def _sample(self, first_byte_ms: float) -> None:
        if len(self._first) < SAMPLES:
            self._first.append(first_byte_ms)
            return
        self._last.append(first_byte_ms)
        del self._last[:-SAMPLES]

    def _shrink(self, now_s: float) -> None:
        self.connections = max(1, self.connections - 1)
        self._changed_s = now_s
        self._next_s = max(self._next_s, now_s + self._interval_s)

    @property
    def is_slowed(self) -> bool:
        """Whether the host has slowed the crawl down."""
        return self.connections < self._most
