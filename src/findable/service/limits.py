"""How much one caller may ask."""

import math
import threading
from typing import TYPE_CHECKING

from findable.clock import monotonic_s
from findable.errors import RateLimited
from findable.service.values import Caller, RateState

if TYPE_CHECKING:
    from findable.service.app import Service

WINDOW_S = 60
_TIDY_ABOVE = 10_000


class Rates:
    """Requests per caller in windows of a minute, each beginning with its first request. Kept in the memory of this process."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, owner: str) -> RateState:
        """Counts one. Raises RateLimited above the limit."""
        if not self.limit:
            return RateState(0, 0, 0)
        with self._lock:
            start, count = self._window(owner)
            self._windows[owner] = (start, min(count + 1, self.limit))
            state = self._state(start, min(count + 1, self.limit))
        if count >= self.limit:
            raise RateLimited("Too many requests.", retry_after_s=max(1, state.reset_s))
        return state

    def state(self, owner: str) -> RateState:
        """The present window."""
        if not self.limit:
            return RateState(0, 0, 0)
        with self._lock:
            return self._state(*self._window(owner))

    def _window(self, owner: str) -> tuple[float, int]:
        now_s = monotonic_s()
        if len(self._windows) > _TIDY_ABOVE:
            self._windows = {key: value for key, value in self._windows.items() if now_s - value[0] < WINDOW_S}
        start, count = self._windows.get(owner, (now_s, 0))
        return (start, count) if now_s - start < WINDOW_S else (now_s, 0)

    def _state(self, start: float, count: int) -> RateState:
        reset_s = max(0, math.ceil(start + WINDOW_S - monotonic_s()))
        return RateState(self.limit, max(0, self.limit - count), reset_s, WINDOW_S)


def count_request(service: "Service", caller: Caller) -> RateState:
    """Counts one request in the caller's minute. Never blocks; may be called on the event loop.

    Raises RateLimited (with ``retry_after_s``) when RATE_LIMIT is passed; `state` gives the headers for that reply too.
    """
    return service.rates.count(caller.owner)


def state(service: "Service", caller: Caller) -> RateState:
    """The caller's present window, without counting."""
    return service.rates.state(caller.owner)
