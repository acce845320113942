"""Places of which there are few: whoever takes many leaves some for everybody else."""

from collections import Counter

OTHERS = 4
"""One in so many is left for others."""


def most_of(count: int) -> int:
    """How many of so many places one caller may have."""
    return count - count // OTHERS


class Places:
    """A number of places that are taken and given back on one event loop."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._most = most_of(count)
        self._taken: Counter[str] = Counter()

    @property
    def taken_count(self) -> int:
        """How many are taken."""
        return self._taken.total()

    def has_room(self, who: str) -> bool:
        """Whether one is free for them; an empty ``who`` is nobody known, who may have them all."""
        return self._free > 0 and (not who or self._taken[who] < self._most)

    def enter(self, who: str) -> bool:
        """Takes a place. False where there is none for them."""
        if not self.has_room(who):
            return False
        self._free -= 1
        self._taken[who] += 1
        return True

    def leave(self, who: str) -> None:
        """Gives it back."""
        self._free += 1
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]
