"""Requests of a bot on one day as bytes: small differences between sorted numbers."""

from collections.abc import Mapping

from findable.capture.bot_hits import HitStatus
from findable.crawl.varints import pack, pack_sorted, unpack

_STATUSES = len(HitStatus)
UrlHits = Mapping[tuple[int, int], int]
"""Number of requests by id of the URL and class of status (`HitStatus`)."""


def pack_hits(hits: UrlHits) -> bytes:
    """Return the hits as bytes."""
    places = {url * _STATUSES + status: count for (url, status), count in hits.items()}
    order = sorted(places)
    return pack([len(order)]) + pack_sorted(order) + pack(places[place] for place in order)


def unpack_hits(data: bytes) -> dict[tuple[int, int], int]:
    """Return the hits in bytes from `pack_hits`."""
    count, *numbers = unpack(data)
    place, found = 0, {}
    for step, hits in zip(numbers[:count], numbers[count:], strict=True):
        place += step
        found[divmod(place, _STATUSES)] = hits
    return found
