"""Limited slots that a single caller can never use up."""

from collections import Counter

OTHERS = 4
"""Share of the slots that one caller cannot occupy: one of this number."""


def limit_per_caller(count: int) -> int:
    """Return how many of the slots one caller may occupy."""
    return count - count // OTHERS


class Slots:
    """Slots that are acquired and released on one event loop."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._most = limit_per_caller(count)
        self._taken: Counter[str] = Counter()

    @property
    def taken_count(self) -> int:
        """Number of slots in use."""
        return self._taken.total()

    def is_free(self, owner: str) -> bool:
        """Return whether a slot is free for the caller; an empty ``owner`` is anonymous and has no personal limit."""
        return self._free > 0 and (not owner or self._taken[owner] < self._most)

    def acquire(self, owner: str) -> bool:
        """Acquire a slot; return False if none is free for the caller."""
        if not self.is_free(owner):
            return False
        self._free -= 1
        self._taken[owner] += 1
        return True

    def release(self, owner: str) -> None:
        """Release a slot of the caller."""
        self._free += 1
        self._taken[owner] -= 1
        if not self._taken[owner]:
            del self._taken[owner]
