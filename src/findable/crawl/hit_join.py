"""Requests of bots in access logs, summed by URL and joined with the URLs of a crawl. Memory grows with the URLs, not with their texts."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cached_property
from heapq import heappush, heapreplace
from math import ceil
from typing import NamedTuple

from msgspec import structs

from findable.artifacts.tables.bot_ranges import Verification
from findable.artifacts.tables.bots import BOTS_BY_TOKEN, BotPurpose
from findable.capture.bot_hits import HitStatus
from findable.capture.crawl import Reason
from findable.capture.site_graph import LIST_LIMIT, Redirects
from findable.capture.site_hits import BotTotal, HitList, HitPart, HitUrl, LogCoverage, NewPage, NewPages, SiteHits
from findable.crawl.hit_packing import STATUSES, UrlHits
from findable.crawl.hit_urls import HitKind
from findable.crawl.url_keys import url_key
from findable.crawl.url_variants import normalize_variant
from findable.reports.site_areas import SiteArea, SiteAreas, UrlState, folders_of

SEARCH = frozenset({BotPurpose.SEARCH, BotPurpose.AI_SEARCH})
AI = frozenset({BotPurpose.AI_SEARCH, BotPurpose.AI_TRAINING, BotPurpose.AI_USER})
MAX_PARTS = 100
MAX_PARAMETERS = 10_000
"""Different names of parameters that are counted; a URL may contain any."""
WEEK_DAYS = 7
NEVER_DAYS = 1 << 31
"""Days until a request that did not come, larger than any."""
_EPOCH = date(1970, 1, 1)
_NAMES = tuple(status.name.lower() for status in HitStatus)

LoggedUrl = tuple[int, int, str, int]
"""Id, URL key, URL and kind (`HitKind`) of a URL in the logs."""


class CrawledUrl(NamedTuple):
    """URL that a crawl knows."""

    key: int
    url: str
    state: UrlState | None
    """State for search engines; None for files and URLs that were not requested."""
    reason: str | None
    """Value of `Reason`; None if it was not requested."""
    links_count: int
    """Number of pages that link to it."""
    is_listed: bool
    """Whether a sitemap lists it."""
    template: int


class HitSums:
    """Requests of bots, summed over days by the id of their URL. First everything is added, then sums are read."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], dict[int, int]] = {}
        """Requests by place (id × 8 + class of status) of each bot and verification."""
        self.first_days: dict[int, int] = {}
        """Day (since 1970) of the first request of a search bot by id."""
        self.last_days: dict[int, int] = {}
        """Day of the last request of a search bot by id."""

    def add(self, day: int, token: str, verification: str, hits: UrlHits) -> None:
        """Add requests of a bot by place; days in order."""
        sums = self._sums.setdefault((token, verification), {})
        get = sums.get
        for place, count in hits.items():
            sums[place] = get(place, 0) + count
        if _is_genuine(token, verification, SEARCH):
            note = self.first_days.setdefault
            for place in hits:
                note(place // STATUSES, day)
            self.last_days.update(dict.fromkeys((place // STATUSES for place in hits), day))

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
    def refused(self) -> dict[tuple[str, int], int]:
        """Refused requests of search bots by bot and id."""
        return {
            (token, place // STATUSES): count
            for (token, verification), sums in self._sums.items()
            if _is_genuine(token, verification, SEARCH)
            for place, count in sums.items()
            if place % STATUSES == HitStatus.REFUSED
        }

    def of_bots(self, number: int | None) -> Iterator[tuple[str, int]]:
        """Yield the search bots that requested a URL, with the number of their requests."""
        for (token, verification), sums in self._sums.items():
            if number is not None and _is_genuine(token, verification, SEARCH):
                count = sum(sums.get(number * STATUSES + status, 0) for status in range(STATUSES))
                if count:
                    yield token, count

    def by_url(self) -> Counter[int]:
        """Return the requests of search bots by id."""
        return _by_id([self.search])

    def ok(self, number: int) -> int:
        """Return the requests of search bots for a URL with 2xx or 304."""
        return self.search[number * STATUSES + HitStatus.OK] + self.search[number * STATUSES + HitStatus.NOT_MODIFIED]

    def bots(self, indexable: Iterable[int] = ()) -> tuple[BotTotal, ...]:
        """Return the totals of the bots, those with the most requests first. ``indexable``: ids of indexable pages."""
        pages = set(indexable)
        made = []
        for (token, verification), sums in self._sums.items():
            statuses: Counter[int] = Counter()
            for place, count in sums.items():
                statuses[place % STATUSES] += count
            urls = {place // STATUSES for place in sums}
            by_name = {_NAMES[one]: statuses[one] for one in sorted(statuses)}
            made.append(BotTotal(token, verification, statuses.total(), len(urls), by_name, len(urls & pages)))
        return tuple(sorted(made, key=lambda one: (-one.hits_count, one.bot, one.verification)))


def _is_genuine(token: str, verification: str, purposes: Container[BotPurpose]) -> bool:
    bot = BOTS_BY_TOKEN.get(token)
    return verification == Verification.VERIFIED and bot is not None and bot.purpose in purposes


def _by_id(parts: Iterable[UrlHits]) -> Counter[int]:
    found: Counter[int] = Counter()
    for sums in parts:
        for place, count in sums.items():
            found[place // STATUSES] += count
    return found


class _Ranking:
    """URLs with the most requests, and the number of all."""

    def __init__(self) -> None:
        self._hits = self._urls = 0
        self._last = ""
        self._heap: list[tuple[int, str, int, str]] = []

    def add(self, url: str, hits: int, *, rank: int | None = None, bot: str = "") -> None:
        self._hits += hits
        self._urls += url != self._last  # the bots of a URL come one after the other
        self._last = url
        item = (hits if rank is None else rank, url, hits, bot)
        if len(self._heap) < LIST_LIMIT:
            heappush(self._heap, item)
        elif item > self._heap[0]:
            heapreplace(self._heap, item)

    def list(self) -> HitList:
        ordered = sorted(self._heap, key=lambda item: (-item[0], item[1], item[3]))
        return HitList(self._hits, self._urls, tuple(HitUrl(url, hits, bot) for _, url, hits, bot in ordered))


class _Parts:
    """Parts of a site by name, with requests, indexable pages and requested ones."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}

    def add(self, name: str, hits: int, pages: int = 0, requested: int = 0, wasted: int = 0) -> None:
        if name in self._counts or len(self._counts) < MAX_PARAMETERS:
            counts = self._counts.setdefault(name, [0, 0, 0, 0])
            for place, number in enumerate((hits, pages, requested, wasted)):
                counts[place] += number

    def parts(self) -> tuple[HitPart, ...]:
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1][0], -item[1][1], item[0]))
        return tuple(HitPart(name, *counts) for name, counts in ordered[:MAX_PARTS])


class HitJoin:
    """Joins sums with URLs: first `add_page` for each URL of the crawl, if there is one, in the order of URLs, then `hits`.

    Args:
        sums: requests of bots.
        keys: (id, URL key) of their URLs.
        days_count: days that the logs cover.
        names_of: returns the segments of a URL.
        templates: names of templates by number.
        new: day on which a crawl was the first to find a URL.
    """

    def __init__(
        self,
        sums: HitSums,
        keys: Iterable[tuple[int, int]],
        days_count: int,
        names_of: Callable[[str], Iterable[str]] = lambda _url: (),
        templates: Mapping[int, str] | None = None,
        new: Mapping[str, date] | None = None,
    ) -> None:
        self._sums, self._names_of, self._templates, self._new = sums, names_of, templates or {}, new or {}
        self._variants: dict[str, list[tuple[int, str]]] = {}
        self._variant_ids = set[int]()
        self.forms: dict[str, tuple[HitUrl, ...]] = {}
        """Other forms of the URL of a page that search bots requested."""
        self._new_pages: list[NewPage] = []
        self._search = sums.by_url()
        self._ids = {key: number for number, key in keys}
        self._days_count = max(1, days_count)
        self._known, self._loaded, self._linked = set[int](), set[int](), set[int]()
        self._lists: dict[str, _Ranking] = {}
        self._folders, self._by_template, self._segments, self._parameters = _Parts(), _Parts(), _Parts(), _Parts()
        self._areas = SiteAreas()
        self._indexable = set[int]()
        self._indexable_count = 0
        self._is_joined = False

    def _list(self, name: str) -> _Ranking:
        return self._lists.setdefault(name, _Ranking())

    def unmatched(self, crawled_keys: Container[int]) -> list[int]:
        """Return the ids of URLs with 2xx that the crawl does not know."""
        return [number for key, number in self._ids.items() if key not in crawled_keys and self._sums.ok(number)]

    def add_variants(self, urls: Iterable[LoggedUrl]) -> None:
        """Add unmatched URLs, to be matched with pages that differ only in their form; before all pages."""
        for number, _, url, kind in urls:
            if kind == HitKind.PAGE and not url.endswith("…"):
                self._variants.setdefault(_form_of(url), []).append((number, url))

    def add_page(self, page: CrawledUrl) -> None:
        """Add a URL of the crawl, which sorts after those before it."""
        self._is_joined = True
        number = self._ids.get(page.key)
        forms = self._variants.pop(_form_of(page.url), ()) if self._variants and page.state is UrlState.INDEXABLE else ()
        if forms:
            self.forms[page.url] = tuple(HitUrl(url, self._sums.ok(one)) for one, url in forms)
        same = [one for one, _ in forms]
        self._variant_ids.update(same)
        hits = (self._search[number] if number is not None else 0) + sum(map(self._sums.ok, same))
        if number is not None:
            self._known.add(number)
            if page.reason is not None and page.reason not in (Reason.STATUS, Reason.FAILURE):
                self._loaded.add(number)
            if page.links_count or page.is_listed:
                self._linked.add(number)
        if page.state is None:
            return
        self._areas.add(page.url, self._state(hits), page.template)
        if page.state is UrlState.INDEXABLE:
            self._add_indexable(page, hits)
            self._indexable.update(() if number is None else (number,))
            if page.url in self._new:
                days = [self._sums.first_days[one] for one in (number, *same) if one in self._sums.first_days]
                self._new_pages.append(NewPage(page.url, self._new[page.url], _EPOCH + timedelta(days=min(days)) if days else None))
        elif hits:
            self._folders.add(_folder(page.url), 0, wasted=hits)
            if page.reason is None or page.reason == Reason.ROBOTS:
                for bot, count in self._sums.of_bots(number):
                    self._list("disallowed").add(page.url, count, bot=bot)
            else:
                self._list("not_indexable").add(page.url, hits)
            if page.reason == Reason.NOINDEX:
                self._list("noindex").add(page.url, hits)

    def _add_indexable(self, page: CrawledUrl, hits: int) -> None:
        self._indexable_count += 1
        is_requested = int(hits > 0)
        if not hits:
            self._list("never").add(page.url, 0, rank=page.links_count)
        self._folders.add(_folder(page.url), 0, 1, is_requested)
        if page.template in self._templates:
            self._by_template.add(self._templates[page.template], hits, 1, is_requested)
        for name in self._names_of(page.url):
            self._segments.add(name, hits, 1, is_requested)

    def _state(self, hits: int) -> UrlState:
        if not hits:
            return UrlState.NEVER
        if hits >= self._days_count:
            return UrlState.DAILY
        return UrlState.WEEKLY if hits * WEEK_DAYS >= self._days_count else UrlState.RARE

    def add_chain(self, chain: Redirects) -> None:
        """Add a chain of redirects: it costs the redirected requests of all its URLs, not those of its end."""
        numbers = {self._ids[key] for url, _ in chain.hops[:-1] if (key := url_key(url)) in self._ids}
        if count := sum(self._sums.search[number * STATUSES + HitStatus.REDIRECT] for number in numbers):
            self._list("chains").add(chain.hops[0][0], count)

    def hits(self, coverage: LogCoverage, urls: Iterable[LoggedUrl]) -> SiteHits:
        """Return the requests, joined with all URLs of the crawl that were added; ``urls`` are those of the logs."""
        refused: dict[int, list[tuple[str, int]]] = {}
        for (bot, number), count in self._sums.refused.items():
            refused.setdefault(number, []).append((bot, count))
        for number, _, url, kind in urls:
            if every := self._sums.all[number]:
                self._list("top").add(url, every)
            if hits := self._search[number]:
                self._add_logged(number, url, hits, is_page=kind == HitKind.PAGE)
            for bot, count in refused.get(number, ()):
                if not self._is_joined or number in self._loaded:
                    self._list("refused").add(url, count, bot=bot)
        return SiteHits(
            coverage=coverage,
            bots=self._sums.bots(self._indexable),
            hits_count=self._search.total(),
            by_folder=self._folders.parts(),
            by_parameter=self._parameters.parts(),
            is_joined=self._is_joined,
            indexable_count=self._indexable_count,
            by_template=self._by_template.parts(),
            by_segment=self._segments.parts(),
            new_pages=_new_pages(self._new_pages),
            **{name: self._list(name).list() for name in HIT_LISTS},
        )

    def _add_logged(self, number: int, url: str, hits: int, *, is_page: bool) -> None:
        counts = [self._sums.search[number * STATUSES + status] for status in range(STATUSES)]
        for name, status in (("redirects", HitStatus.REDIRECT), ("missing", HitStatus.MISSING), ("errors", HitStatus.SERVER_ERROR)):
            if counts[status]:
                self._list(name).add(url, counts[status])
        if counts[HitStatus.MISSING] and number in self._linked:
            self._list("missing_linked").add(url, counts[HitStatus.MISSING])
        if not is_page:
            return
        path, mark, query = url.partition("?")
        self._folders.add(_folder(path), hits)
        if mark:
            self._list("parameters").add(url, hits)
            for name in {pair.partition("=")[0] for pair in query.split("&")}:
                self._parameters.add(name, hits, 0, 1)
        is_ok = self._sums.ok(number)
        if self._is_joined and is_ok and number not in self._known and not url.endswith("…"):
            self._list("variants" if number in self._variant_ids else "unlinked").add(url, is_ok)

    def areas(self) -> tuple[SiteArea, ...]:
        """Return the areas of the site by the requests of search bots."""
        return self._areas.areas()


HIT_LISTS = tuple(field.name for field in structs.fields(SiteHits) if field.type is HitList)
"""Names of the lists of `SiteHits`."""


def _form_of(url: str) -> str:
    """Return the form that variants of a URL share, without the scheme; for most URLs without the slow general way."""
    rest = url.partition("://")[2].lower()
    if not rest.isascii() or any(mark in rest for mark in ("%", "?", "//", "/index.", "/default.")):
        rest = normalize_variant(url).partition("://")[2]
    return rest.rstrip("/")


def _new_pages(found: list[NewPage]) -> NewPages | None:
    if not found:
        return None
    waits = sorted((one.requested - one.found).days if one.requested else NEVER_DAYS for one in found)

    def within(share: float) -> int | None:
        days = waits[ceil(share * len(waits)) - 1]
        return None if days == NEVER_DAYS else max(0, days)

    ordered = sorted(found, key=lambda one: (one.requested is not None, one.found, one.url))[:LIST_LIMIT]
    return NewPages(len(found), sum(one.requested is not None for one in found), within(0.5), within(0.9), tuple(ordered))


def _folder(url: str) -> str:
    """Return the first folder of a URL as a path; ``/`` for pages in none."""
    folders = folders_of(url)
    return folders[1] if len(folders) > 1 else "/"
