"""Limited slots that a single caller can never use up."""

from collections import Counter

OTHERS = 4
"""Fraction of slots that one caller cannot occupy: one in this many."""


def most_of(count: int) -> int:
    """Return how many of the slots one caller may occupy."""
    return count - count // OTHERS


class Slots:
    """Slots that are acquired and released on one event loop."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._most = most_of(count)
        self._taken: Counter[str] = Counter()

    @property
    def taken_count(self) -> int:
        """Number of slots in use."""
        return self._taken.total()

    def has_room(self, who: str) -> bool:
        """Return whether a slot is free for the caller; an empty ``who`` is anonymous and has no personal limit."""
        return self._free > 0 and (not who or self._taken[who] < self._most)

    def enter(self, who: str) -> bool:
        """Acquire a slot; return False if none is free for the caller."""
        if not self.has_room(who):
            return False
        self._free -= 1
        self._taken[who] += 1
        return True

    def leave(self, who: str) -> None:
        """Release the slot."""
        self._free += 1
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]
