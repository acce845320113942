"""Limit the load on hosts: few connections, and the pauses that they request."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from findable import clock

HOST_CONNECTIONS = 4
TOTAL_CONNECTIONS = 64
MAX_PAUSE_S = 60.0
"""Maximum pause of an origin, whatever it requests."""
PUBLISH_FROM_S = 1.0
"""Minimum increase of a pause that is published to other processes."""
_MAX_ORIGINS = 4096
on_behalf_of: ContextVar[str] = ContextVar("on_behalf_of", default="")
"""Account whose report makes the requests of this task; empty for a command, which shares its connections with no one."""


def retry_after_s(value: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds in a Retry-After header (RFC 9110 section 10.2.3), never negative; None if unreadable."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or clock.now())).total_seconds())


class Politeness:
    """Slots per host and pauses per origin for all requests of a process. Bound to one event loop."""

    def __init__(self, host_connections: int = HOST_CONNECTIONS, total_connections: int = TOTAL_CONNECTIONS) -> None:
        self.on_pause: Callable[[str, float], None] = lambda _origin, _seconds: None
        """Fast callback on the event loop, with origin and seconds, when an origin requests a pause or extends it."""
        self._host_connections = host_connections
        self._total = asyncio.Semaphore(total_connections)
        self._shared: dict[tuple[str, str], tuple[asyncio.Semaphore, int]] = {}
        """Semaphores in use, with their number of users, of a host and of an account at a host."""
        self._paused_until_s: dict[str, float] = {}

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[None]:
        """Occupy one of the host's connections during a request. One is always left for other accounts."""
        account = on_behalf_of.get()
        async with AsyncExitStack() as held:
            # The order matters: a request that waits for its account or a busy host must not occupy a slot that others need.
            if account:
                await held.enter_async_context(self._shared_slot(host, account, max(1, self._host_connections - 1)))
            await held.enter_async_context(self._shared_slot(host, "", self._host_connections))
            await held.enter_async_context(self._total)
            yield

    @asynccontextmanager
    async def _shared_slot(self, host: str, account: str, limit: int) -> AsyncIterator[None]:
        key = (host, account)
        semaphore, users_count = self._shared.get(key) or (asyncio.Semaphore(limit), 0)
        self._shared[key] = (semaphore, users_count + 1)
        try:
            async with semaphore:
                yield
        finally:
            semaphore, users_count = self._shared[key]
            if users_count == 1:
                del self._shared[key]
            else:
                self._shared[key] = (semaphore, users_count - 1)

    def pause(self, origin: str, seconds: float) -> None:
        """Pause requests to the origin (at most MAX_PAUSE_S); other ports of the host are not affected."""
        longer = min(seconds, MAX_PAUSE_S) - self.pause_left_s(origin)
        self.apply_pause(origin, seconds)
        if longer > PUBLISH_FROM_S:
            self.on_pause(origin, min(seconds, MAX_PAUSE_S))

    def apply_pause(self, origin: str, seconds: float) -> None:
        """Apply a pause that an origin requested, perhaps in another process; it does not shorten an earlier one."""
        if len(self._paused_until_s) >= _MAX_ORIGINS:
            now_s = clock.monotonic_s()
            self._paused_until_s = {name: until_s for name, until_s in self._paused_until_s.items() if until_s > now_s}
        until_s = clock.monotonic_s() + min(seconds, MAX_PAUSE_S)
        self._paused_until_s[origin] = max(until_s, self._paused_until_s.get(origin, 0.0))

    def pause_left_s(self, origin: str) -> float:
        """Return the remaining pause of the origin."""
        return max(0.0, self._paused_until_s.get(origin, 0.0) - clock.monotonic_s())
