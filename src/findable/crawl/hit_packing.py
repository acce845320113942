"""Requests of a bot on one day as bytes, which are small when compressed and fast to read."""

import sys
from array import array
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise

from findable.capture.bot_hits import HitStatus

STATUSES = len(HitStatus)
UrlHits = Mapping[int, int]
"""Number of requests by place: the id of the URL times `STATUSES`, plus the class of status (`HitStatus`)."""
_BYTES = 8
_WHOLE = "Q"
"""Type of the numbers: unsigned, with eight bytes."""


def pack_hits(hits: UrlHits) -> bytes:
    """Return the hits as bytes: the differences between the sorted places, then the numbers of requests."""
    order = sorted(hits)
    return _planes(later - place for place, later in pairwise([0, *order])) + _planes(hits[place] for place in order)


def unpack_hits(data: bytes) -> dict[int, int]:
    """Return the hits in bytes from `pack_hits`."""
    middle = len(data) // 2
    return dict(zip(accumulate(_numbers(data[:middle])), _numbers(data[middle:]), strict=True))


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
