"""Requests of bots, summed by URL over the days of access logs."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import chain, compress

from msgspec import Struct

from findable.artifacts.tables.bot_names import BOTS_BY_TOKEN
from findable.artifacts.tables.bot_ranges import Verification
from findable.artifacts.tables.bots import BotPurpose
from findable.capture.hit_statuses import HitStatus
from findable.crawl.hit_packing import STATUSES, DayHits, UrlHits

SEARCH = frozenset({BotPurpose.SEARCH, BotPurpose.AI_SEARCH})
AI = frozenset({BotPurpose.AI_SEARCH, BotPurpose.AI_TRAINING, BotPurpose.AI_USER})
AT_ONCE = 50_000
"""URLs whose requests are summed at a time."""
STATUS_NAMES = tuple(status.name.lower() for status in HitStatus)


class HitSums:
    """Requests of bots, summed over days by the id of their URL. First everything is added, then sums are read."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], dict[int, int]] = {}
        """Requests by place (id × 8 + class of status) of each bot and verification."""
        self.first_days: dict[int, int] = {}
        """Day (since 1970) of the first request of a search bot by id."""
        self.last_days: dict[int, int] = {}
        """Day of the last request of a search bot by id."""

    def add(self, day: int, token: str, verification: str, hits: Iterable[tuple[int, int]]) -> None:
        """Add requests of a bot by place; days in order."""
        sums = self._sums.setdefault((token, verification), {})
        get = sums.get
        if _is_genuine(token, verification, SEARCH):
            note, last_days = self.first_days.setdefault, self.last_days
            for place, count in hits:
                sums[place] = get(place, 0) + count
                number = place // STATUSES
                note(number, day)
                last_days[number] = day
        else:
            for place, count in hits:
                sums[place] = get(place, 0) + count

    @cached_property
    def search(self) -> Counter[int]:
        """Requests of search bots, by place."""
        found: Counter[int] = Counter()
        for (token, verification), sums in self._sums.items():
            if _is_genuine(token, verification, SEARCH):
                found.update(sums)
        return found

    @cached_property
    def ai(self) -> Counter[int]:
        """Requests of verified AI bots by id."""
        return _by_id(sums for (token, verification), sums in self._sums.items() if _is_genuine(token, verification, AI))

    def of_bot(self, token: str) -> Counter[int]:
        """Return the requests of a verified bot by id."""
        return _by_id([self._sums.get((token, Verification.VERIFIED.value), {})])

    @cached_property
    def all(self) -> Counter[int]:
        """Requests of all bots but fakes by id."""
        return _by_id(sums for (_, verification), sums in self._sums.items() if verification != Verification.FAKE)

    @cached_property
    def refused(self) -> dict[int, list[tuple[str, int]]]:
        """Refused requests of search bots: bots and their numbers by id."""
        found: dict[int, list[tuple[str, int]]] = {}
        for (token, verification), sums in self._sums.items():
            if _is_genuine(token, verification, SEARCH):
                for place, count in sums.items():
                    if place % STATUSES == HitStatus.REFUSED:
                        found.setdefault(place // STATUSES, []).append((token, count))
        return found

    def of_bots(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield the search bots that requested a URL, with the number of their requests."""
        for (token, verification), sums in self._sums.items():
            if _is_genuine(token, verification, SEARCH):
                count = sum(sums.get(number * STATUSES + status, 0) for status in range(STATUSES))
                if count:
                    yield token, count

    def by_url(self) -> Counter[int]:
        """Return the requests of search bots by id."""
        return _by_id([self.search])

    def ok(self, number: int) -> int:
        """Return the requests of search bots for a URL with 2xx or 304."""
        get, place = self.search.get, number * STATUSES
        return get(place + HitStatus.OK, 0) + get(place + HitStatus.NOT_MODIFIED, 0)

    def each_bot(self) -> Iterator[tuple[tuple[str, str], UrlHits]]:
        """Yield each bot and verification with its requests by place."""
        return ((key, sums) for key, sums in self._sums.items() if sums)


def ranges_of(days: Sequence[DayHits]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of ids with requests: start and end (excluded)."""
    last = max((one.places[-1] // STATUSES for one in days if one.places), default=-1)
    return ((start, start + AT_ONCE) for start in range(0, last + 1, AT_ONCE))


def in_ranges(days: Sequence[DayHits]) -> Iterator[tuple[int, int, HitSums]]:
    """Yield (start, end, sums) of all ranges of ids: the memory of sums does not depend on the number of URLs."""
    for start, end in ranges_of(days):
        sums = HitSums()
        for one in days:
            sums.add(one.day, one.bot, one.verification, one.between(start, end))
        yield start, end, sums


def _is_genuine(token: str, verification: str, purposes: Container[BotPurpose]) -> bool:
    bot = BOTS_BY_TOKEN.get(token)
    return verification == Verification.VERIFIED and bot is not None and bot.purpose in purposes


def _by_id(parts: Iterable[UrlHits]) -> Counter[int]:
    found: dict[int, int] = {}
    get = found.get
    for sums in parts:
        for place, count in sums.items():
            number = place // STATUSES
            found[number] = get(number, 0) + count
    return Counter(found)


class RequestedUrl(Struct, frozen=True):
    """Requests of a URL by bots, without fakes."""

    number: int
    """Id of the URL."""
    hits: int
    bots: Mapping[str, int]
    statuses: Mapping[str, int]
    """Number of requests by class of status."""
    last_day: int


def most_requested(days: Sequence[DayHits], limit: int) -> tuple[RequestedUrl, ...]:
    """Return the URLs with the most requests, without those of fakes."""
    genuine = [one for one in days if one.verification != Verification.FAKE]
    ordered: list[tuple[int, int]] = []
    for _, _, sums in in_ranges(genuine):
        ordered = nlargest(limit, chain(ordered, ((count, -number) for number, count in sums.all.items())))
    bots: dict[int, Counter[str]] = {-number: Counter() for _, number in ordered}
    statuses: dict[int, Counter[str]] = {number: Counter() for number in bots}
    newest: dict[int, int] = {}
    places = {number * STATUSES + status for number in bots for status in HitStatus}
    for one in genuine:
        for place, count in compress(zip(one.places, one.counts, strict=True), map(places.__contains__, one.places)):
            number, status = divmod(place, STATUSES)
            bots[number][one.bot] += count
            statuses[number][STATUS_NAMES[status]] += count
            newest[number] = max(newest.get(number, 0), one.day)
    return tuple(RequestedUrl(-number, hits, bots[-number], statuses[-number], newest[-number]) for hits, number in ordered)
