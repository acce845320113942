"""Requests of a bot on one day as bytes, which are small when compressed and fast to read."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from typing import NamedTuple

from findable.capture.hit_statuses import HitStatus

STATUSES = len(HitStatus)
UrlHits = Mapping[int, int]
"""Number of requests by place: the id of the URL times `STATUSES`, plus the class of status (`HitStatus`)."""


class DayHits(NamedTuple):
    """Requests of a bot on one day in one log."""

    day: int
    """Days since 1970."""
    bot: str
    verification: str
    places: "array[int]"
    """Sorted, see `UrlHits`."""
    counts: "array[int]"

    def between(self, start: int, end: int) -> Iterable[tuple[int, int]]:
        """Return (place, count) of the URLs with ids from ``start`` to ``end`` (excluded)."""
        low, high = bisect_left(self.places, start * STATUSES), bisect_left(self.places, end * STATUSES)
        return zip(self.places[low:high], self.counts[low:high], strict=True)


_BYTES = 8
_WHOLE = "Q"
"""Type of the numbers: unsigned, with eight bytes."""


def pack_hits(hits: UrlHits) -> bytes:
    """Return the hits as bytes: the differences between the sorted places, then the numbers of requests."""
    order = sorted(hits)
    return _planes(later - place for place, later in pairwise([0, *order])) + _planes(hits[place] for place in order)


def unpack_hits(data: bytes) -> dict[int, int]:
    """Return the hits in bytes from `pack_hits`."""
    return dict(zip(*unpack_arrays(data), strict=True))


def unpack_arrays(data: bytes) -> "tuple[array[int], array[int]]":
    """Return the sorted places in bytes from `pack_hits`, and their numbers of requests."""
    middle = len(data) // 2
    return array(_WHOLE, accumulate(_numbers(data[:middle]))), _numbers(data[middle:])


def _planes(numbers: Iterable[int]) -> bytes:
    """Return the lowest bytes of all numbers, then the next ones. The highest are all zero, so that they need no room when compressed."""
    made = array(_WHOLE, numbers)
    if sys.byteorder == "big":
        made.byteswap()
    data = made.tobytes()
    return b"".join(data[at::_BYTES] for at in range(_BYTES))


def _numbers(planes: bytes) -> "array[int]":
    size = len(planes) // _BYTES
    data = bytearray(len(planes))
    for at in range(_BYTES):
        data[at::_BYTES] = planes[at * size : (at + 1) * size]
    made = array(_WHOLE, bytes(data))
    if sys.byteorder == "big":
        made.byteswap()
    return made
