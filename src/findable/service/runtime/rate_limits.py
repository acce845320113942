"""Rate limits of callers: their requests are counted in windows of a minute."""

import math
import threading
from collections.abc import Callable

from msgspec import Struct

from findable.clock import monotonic_s
from findable.errors import RateLimited
from findable.service.values.caller import Caller


class RateState(Struct, frozen=True):
    """Values of the headers ``RateLimit-Policy`` and ``RateLimit``. `limit` 0 means no limit."""

    limit: int
    remaining: int
    reset_s: int
    """Seconds until the window ends."""
    window_s: int = 60


WINDOW_S = 60
KEYS_OF_ACCOUNT = 4
"""Multiple of a key's limit that all keys of an account share."""
_MAX_WINDOWS = 10_000


class Rates:
    """Requests per caller in windows of a minute that begin with the first request. Stored in memory.

    Processes exchange their counts: within half a second the limit applies to all of them together.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.on_count: Callable[[str], None] = lambda _owner: None
        """Called (fast, thread-safe) with the owner of each accepted request."""
        self._lock = threading.Lock()
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, owner: str) -> RateState:
        """Count one request. Raises RateLimited above the limit."""
        if not self.limit:
            return RateState(0, 0, 0)
        with self._lock:
            start, count = self._window(owner)
            self._windows[owner] = (start, min(count + 1, self.limit))
            state = self._state(start, min(count + 1, self.limit))
        if count >= self.limit:
            raise RateLimited("Too many requests.", retry_after_s=max(1, state.reset_s))
        self.on_count(owner)
        return state

    def receive(self, owner: str, count: int) -> None:
        """Add requests that another process counted."""
        if self.limit:
            with self._lock:
                start, before = self._window(owner)
                self._windows[owner] = (start, min(before + max(0, count), self.limit))

    def state(self, owner: str) -> RateState:
        """Return the current window of a caller, without counting."""
        if not self.limit:
            return RateState(0, 0, 0)
        with self._lock:
            return self._state(*self._window(owner))

    def _window(self, owner: str) -> tuple[float, int]:
        now_s = monotonic_s()
        if len(self._windows) > _MAX_WINDOWS:
            self._windows = {key: value for key, value in self._windows.items() if now_s - value[0] < WINDOW_S}
        start, count = self._windows.get(owner, (now_s, 0))
        return (start, count) if now_s - start < WINDOW_S else (now_s, 0)

    def _state(self, start: float, count: int) -> RateState:
        reset_s = max(0, math.ceil(start + WINDOW_S - monotonic_s()))
        return RateState(self.limit, max(0, self.limit - count), reset_s, WINDOW_S)


class RateLimits(Struct, frozen=True):
    """Requests of callers by API key or person, and those of their accounts."""

    by_owner: Rates
    by_account: Rates

    def count(self, caller: Caller) -> RateState:
        """Count one request of the caller. Never blocks; may be called on the event loop.

        Raises RateLimited (with ``retry_after_s``) above RATE_LIMIT, or the multiple for the account; `state` and `account_state` provide
        the headers for that response too.
        """
        counted = self.by_owner.count(caller.owner)
        self.by_account.count(caller.account)
        return counted

    def state(self, caller: Caller) -> RateState:
        """Return the caller's current window, without counting."""
        return self.by_owner.state(caller.owner)

    def account_state(self, caller: Caller) -> RateState:
        """Return the current window of the caller's account, without counting."""
        return self.by_account.state(caller.account)


def rate_limits(limit: int) -> RateLimits:
    """Return empty windows with a limit for each API key or person; 0 means no limit."""
    return RateLimits(Rates(limit), Rates(limit * KEYS_OF_ACCOUNT))
