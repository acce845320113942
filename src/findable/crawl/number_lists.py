"""Lists of numbers in one array: an array for each of a million short lists takes three times the memory."""

from array import array
from collections.abc import Iterator
from itertools import accumulate
from operator import sub


class NumberLists:
    """Lists of numbers by their ids; a list is empty until it is set.

    Args:
        size: highest id, plus one.
        numbers: array of other lists, in which these find numbers too.
    """

    def __init__(self, size: int, numbers: "array[int] | None" = None) -> None:
        self.numbers = array("i") if numbers is None else numbers
        self.starts, self.ends = array("I", [0]) * size, array("I", [0]) * size
        """Place of each list in the array."""

    def __len__(self) -> int:
        return len(self.starts)

    def __setitem__(self, at: int, numbers: list[int]) -> None:
        self.starts[at] = len(self.numbers)
        self.numbers.fromlist(numbers)
        self.ends[at] = len(self.numbers)

    def __getitem__(self, at: int) -> "array[int]":
        return self.numbers[self.starts[at] : self.ends[at]]

    def __iter__(self) -> "Iterator[array[int]]":
        return map(self.numbers.__getitem__, map(slice, self.starts, self.ends))

    def share(self, at: int, lists: "NumberLists") -> None:
        """Set a list to that of other lists with the same array."""
        self.starts[at], self.ends[at] = lists.starts[at], lists.ends[at]

    def lengths(self) -> Iterator[int]:
        """Yield the length of each list."""
        return map(sub, self.ends, self.starts)

    def inverted(self, size: int) -> "NumberLists":
        """Return for each number the ids of the lists that contain it, in ascending order; ``size``: highest number, plus one."""
        counts = array("I", [0]) * size
        for numbers in self:
            for number in numbers:
                counts[number] += 1
        found = NumberLists(size, array("i", [0]) * sum(counts))
        found.ends = array("I", accumulate(counts))
        found.starts = array("I", map(sub, found.ends, counts))
        ids, places = found.numbers, found.starts[:]
        for at, numbers in enumerate(self):
            for number in numbers:
                ids[places[number]] = at
                places[number] += 1
        return found
