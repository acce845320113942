"""Limits of all extra requests of one report together: time, requests, bytes."""

import asyncio

from findable.capture.page import BudgetBound
from findable.clock import monotonic_s

DEADLINE_S = 15.0
RESERVED_S = 5.0
MAX_REQUESTS = 80
MAX_BYTES = 5_000_000
MIN_GRANT_BYTES = 4096
MAX_UNSENT = 100
"""Requests to unresolvable hosts that do not count; a page may link to any number of such hosts."""
_RETURNABLE = frozenset({BudgetBound.BYTES, BudgetBound.REQUESTS})


class Budget:
    """Limits that start at creation: create it when the page has arrived.

    Args:
        deadline_s: for the page and its extra requests together.
        reserved_s: the page's own part; extra requests have the rest, even if the page took longer.
        max_requests: maximum extra requests, each redirect counted.
        max_bytes: maximum bytes of their bodies, as transferred.
        parent: budget that this one is part of.
    """

    def __init__(
        self,
        deadline_s: float = DEADLINE_S,
        *,
        reserved_s: float = RESERVED_S,
        max_requests: int = MAX_REQUESTS,
        max_bytes: int = MAX_BYTES,
        parent: "Budget | None" = None,
    ) -> None:
        self.until_s = monotonic_s() + deadline_s - reserved_s
        self.requests_left = max_requests
        self.bytes_left = max_bytes
        self.ended_by: BudgetBound | None = None
        """First limit that was reached; None before that."""
        self._parent = parent
        self._open_count = 0
        self._unsent_left = MAX_UNSENT
        self._released = asyncio.Condition()

    def part(self, *, share_s: float, max_requests: int, max_bytes: int) -> "Budget":
        """Return a budget with separate limits that is also charged to this one."""
        seconds = min(share_s, self.left_s)
        return Budget(seconds, reserved_s=0.0, max_requests=max_requests, max_bytes=max_bytes, parent=self)

    def exclude_wait(self, seconds: float) -> None:
        """Extend the deadline of this budget by a wait that was not caused by its requests."""
        self.until_s += seconds

    def reserve(self, *, max_requests: int, max_bytes: int) -> "Budget":
        """Reserve a part of this budget for later work, before other requests use it up; both have the same deadline."""
        held = Budget(
            self.left_s, reserved_s=0.0, max_requests=min(max_requests, self.requests_left), max_bytes=min(max_bytes, self.bytes_left)
        )
        self.requests_left -= held.requests_left
        self.bytes_left -= held.bytes_left
        return held

    @property
    def left_s(self) -> float:
        """Remaining seconds, at least 0."""
        return max(0.0, self.until_s - monotonic_s())

    async def take(self, bytes_count: int) -> int | None:
        """Grant one request of at most ``bytes_count`` bytes; return the number of bytes that it may read, None if the budget is used up.

        Waits while other grants reserve the rest and may return a part of it.
        """
        async with self._released:
            while self._has_ended(bytes_count) in _RETURNABLE and self._open_count and self.left_s:
                try:
                    await asyncio.wait_for(self._released.wait(), self.left_s)
                except TimeoutError:
                    break
            self.ended_by = self.ended_by or self._has_ended(bytes_count)
            if self._has_ended(bytes_count):
                return None
            granted = min(bytes_count, self.bytes_left)
            if self._parent is not None:
                outer = await self._parent.take(granted)
                if outer is None:
                    self.ended_by = self.ended_by or self._parent.ended_by
                    return None
                granted = outer
            self.requests_left -= 1
            self.bytes_left -= granted
            self._open_count += 1
            return granted

    async def release(self, granted_bytes: int, *, requests_count: int, bytes_count: int) -> None:
        """Release the unused part of a grant, and count additional use.

        Args:
            granted_bytes: result of `take`.
            requests_count: requests that left this machine; may be 0.
            bytes_count: bytes of bodies, as transferred.
        """
        if self._parent is not None:  # the parent comes first: its waiters have this lock
            await self._parent.release(granted_bytes, requests_count=requests_count, bytes_count=bytes_count)
        async with self._released:
            if requests_count:
                self.requests_left -= requests_count - 1
            elif self._unsent_left:
                self._unsent_left -= 1
                self.requests_left += 1
            self.bytes_left += granted_bytes - bytes_count
            self._open_count -= 1
            self._released.notify_all()

    def _has_ended(self, bytes_count: int) -> BudgetBound | None:
        if not self.left_s:
            return BudgetBound.TIME
        if self.requests_left <= 0:
            return BudgetBound.REQUESTS
        return BudgetBound.BYTES if self.bytes_left < min(bytes_count, MIN_GRANT_BYTES) else None
