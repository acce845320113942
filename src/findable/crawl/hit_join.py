"""Requests of bots in access logs, joined with the URLs of a crawl. Memory grows with the URLs, not with their texts."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, timedelta
from heapq import heappush, heapreplace
from math import ceil

from msgspec import structs

from findable.capture.crawl import Reason
from findable.capture.hit_statuses import HitStatus
from findable.capture.site_graph import LIST_LIMIT, Redirects
from findable.capture.site_hits import BotTotal, HitList, HitPart, HitUrl, LogCoverage, NewPage, NewPages, SiteHits
from findable.crawl.crawled_url import CrawledUrl
from findable.crawl.hit_packing import STATUSES, UrlHits
from findable.crawl.hit_sums import STATUS_NAMES, HitSums
from findable.crawl.hit_urls import HitKind
from findable.crawl.url_keys import url_key
from findable.crawl.url_variants import normalize_variant
from findable.reports.site_areas import SiteArea, SiteAreas, UrlState
from findable.urls import first_folder

MAX_PARTS = 100
MAX_PARAMETERS = 10_000
"""Different names of parameters that are counted; a URL may contain any."""
MAX_FORMS = 20_000
"""Pages whose other forms are named; the requests of all forms count."""
WEEK_DAYS = 7
NEVER_DAYS = 1 << 31
"""Days until a request that did not come, larger than any."""
_EPOCH = date(1970, 1, 1)

LoggedUrl = tuple[int, int, str, int]
"""Id, URL key, URL and kind (`HitKind`) of a URL in the logs."""


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


class _BotCount:
    """Requests of a bot, and the URLs that it requested, also those of indexable pages."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.urls = self.indexable = 0


_INDEXABLE, _LOADED, _LINKED, _DISALLOWED = 1, 2, 4, 8
"""Properties of a URL of the crawl, as bits, which an IntFlag would compare ten times as slowly: it is indexable; it was loaded with
status 200; the site links to it or lists it in a sitemap; robots.txt disallows it."""


class HitJoin:
    """Joins requests with the URLs of a crawl, if there is one.

    First `add_known` for all URLs of the crawl, then `add_logged` for all ranges of requested URLs, then `add_page` for the URLs of the
    crawl again, in the same order, which is that of URLs. Then `hits`.

    Args:
        days_count: days that the logs cover.
        names_of: returns the segments of a URL.
        templates: names of templates by number.
        new: day on which a crawl was the first to find a URL.
        chains: chains of redirects.
    """

    def __init__(
        self,
        days_count: int,
        names_of: Callable[[str], Iterable[str]] = lambda _url: (),
        templates: Mapping[int, str] | None = None,
        new: Mapping[str, date] | None = None,
        chains: Sequence[Redirects] = (),
    ) -> None:
        self._names_of, self._templates, self._new, self._chains = names_of, templates or {}, new or {}, chains
        self._days_count = max(1, days_count)
        self._places: dict[int, int] = {}
        """Position of each URL of the crawl by its key."""
        self._forms: dict[int, int] = {}
        """Position of an indexable page by the hash of its form."""
        self._flags = bytearray()
        self._requests, self._first_days = array("Q"), array("q")
        """Requests of search bots by position, and the day of the first; `NEVER_DAYS` for none."""
        self._next = 0
        self._redirected = dict.fromkeys((url_key(url) for one in chains for url, _ in one.hops[:-1]), 0)
        self._bots: dict[tuple[str, str], _BotCount] = {}
        self._hits_count = 0
        self._form_hits: dict[int, list[HitUrl]] = {}
        self.forms: dict[str, tuple[HitUrl, ...]] = {}
        """Other forms of the URL of a page that search bots requested, of at most `MAX_FORMS` pages."""
        self._new_pages: list[NewPage] = []
        self._lists: defaultdict[str, _Ranking] = defaultdict(_Ranking)
        self._folders, self._by_template, self._segments, self._parameters = _Parts(), _Parts(), _Parts(), _Parts()
        self._areas = SiteAreas()
        self._indexable_count = 0

    def add_known(self, page: CrawledUrl) -> None:
        """Note what the crawl knows about a URL."""
        place = self._places[page.key] = len(self._flags)
        flags = 0
        if page.state is UrlState.INDEXABLE:
            flags |= _INDEXABLE
            self._forms.setdefault(hash(_form_of(page.url)), place)
        elif page.state is not None and (page.reason is None or page.reason == Reason.ROBOTS):
            flags |= _DISALLOWED
        if page.reason is not None and page.reason not in (Reason.STATUS, Reason.FAILURE):
            flags |= _LOADED
        if page.links_count or page.is_listed:
            flags |= _LINKED
        self._flags.append(flags)
        self._requests.append(0)
        self._first_days.append(NEVER_DAYS)

    def add_logged(self, sums: HitSums, urls: Iterable[LoggedUrl]) -> None:
        """Add the requests of a range of URLs."""
        search, refused, get_all = sums.by_url(), sums.refused, sums.all.get
        self._hits_count += search.total()
        indexable = set[int]()
        for number, key, url, kind in urls:
            if every := get_all(number, 0):
                self._lists["top"].add(url, every)
            place = self._places.get(key)
            flags = 0 if place is None else self._flags[place]
            if flags & _INDEXABLE:
                indexable.add(number)
            if not (hits := search.get(number, 0)):
                continue
            if key in self._redirected:
                self._redirected[key] = sums.search[number * STATUSES + HitStatus.REDIRECT]
            if place is not None:
                self._add_requests(place, number, hits, sums)
            if flags & _DISALLOWED:
                for bot, count in sums.of_bots(number):
                    self._lists["disallowed"].add(url, count, bot=bot)
            if number in refused and (not self._flags or flags & _LOADED):
                for bot, count in refused[number]:
                    self._lists["refused"].add(url, count, bot=bot)
            self._add_search(number, url, hits, sums, flags, is_page=kind == HitKind.PAGE, is_known=place is not None)
        for key_of_bot, counts in sums.each_bot():
            self._add_bot(key_of_bot, counts, indexable)

    def _add_requests(self, place: int, number: int, hits: int, sums: HitSums) -> None:
        self._requests[place] += hits
        self._first_days[place] = min(self._first_days[place], sums.first_days.get(number, NEVER_DAYS))

    def _add_bot(self, key: tuple[str, str], counts: UrlHits, indexable: AbstractSet[int]) -> None:
        found = self._bots.setdefault(key, _BotCount())
        for place, count in counts.items():
            found.statuses[place % STATUSES] += count
        urls = {place // STATUSES for place in counts}
        found.urls += len(urls)
        found.indexable += len(urls & indexable)

    def _add_search(self, number: int, url: str, hits: int, sums: HitSums, flags: int, *, is_page: bool, is_known: bool) -> None:
        """Add a URL that search bots requested."""
        get, place = sums.search.get, number * STATUSES
        for name, status in (("redirects", HitStatus.REDIRECT), ("missing", HitStatus.MISSING), ("errors", HitStatus.SERVER_ERROR)):
            if count := get(place + status, 0):
                self._lists[name].add(url, count)
                if status is HitStatus.MISSING and flags & _LINKED:
                    self._lists["missing_linked"].add(url, count)
        if not is_page:
            return
        path, mark, query = url.partition("?")
        self._folders.add(first_folder(path), hits)
        if mark:
            self._lists["parameters"].add(url, hits)
            is_wasted = is_known and not flags & _INDEXABLE
            for name in {pair.partition("=")[0] for pair in query.split("&")}:
                self._parameters.add(name, hits, 0, 1, hits if is_wasted else 0)
        if self._flags and not is_known and not url.endswith("…") and (is_ok := sums.ok(number)):
            same = self._forms.get(hash(_form_of(url)))
            if same is not None:
                self._add_requests(same, number, is_ok, sums)
                if same in self._form_hits or len(self._form_hits) < MAX_FORMS:
                    self._form_hits.setdefault(same, []).append(HitUrl(url, is_ok))
            self._lists["unlinked" if same is None else "variants"].add(url, is_ok)

    def add_page(self, page: CrawledUrl) -> None:
        """Add a URL of the crawl, which sorts after those before it."""
        place, self._next = self._next, self._next + 1
        if page.state is None:
            return
        hits = self._requests[place]
        if place in self._form_hits:
            self.forms[page.url] = tuple(self._form_hits[place])
        self._areas.add(page.url, self._state(hits), page.template)
        if page.state is UrlState.INDEXABLE:
            self._add_indexable(page, hits)
            if page.url in self._new:
                first = self._first_days[place]
                requested = _EPOCH + timedelta(days=first) if first != NEVER_DAYS else None
                self._new_pages.append(NewPage(page.url, self._new[page.url], requested))
        elif hits:
            self._folders.add(first_folder(page.url), 0, wasted=hits)
            if page.reason == Reason.NOINDEX:
                self._lists["noindex"].add(page.url, hits)
            if not self._flags[place] & _DISALLOWED:
                self._lists["not_indexable"].add(page.url, hits)

    def _add_indexable(self, page: CrawledUrl, hits: int) -> None:
        self._indexable_count += 1
        is_requested = int(hits > 0)
        if not hits:
            self._lists["never"].add(page.url, 0, rank=page.links_count)
        self._folders.add(first_folder(page.url), 0, 1, is_requested)
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

    def hits(self, coverage: LogCoverage) -> SiteHits:
        """Return the requests, joined with all URLs of the crawl that were added."""
        for redirects in self._chains:  # a chain costs the redirected requests of all its URLs, not those of its end
            if count := sum(self._redirected[key] for key in {url_key(url) for url, _ in redirects.hops[:-1]}):
                self._lists["chains"].add(redirects.hops[0][0], count)
        return SiteHits(
            coverage=coverage,
            bots=self._bot_totals(),
            hits_count=self._hits_count,
            by_folder=self._folders.parts(),
            by_parameter=self._parameters.parts(),
            is_joined=bool(self._flags),
            indexable_count=self._indexable_count,
            by_template=self._by_template.parts(),
            by_segment=self._segments.parts(),
            new_pages=_new_pages(self._new_pages),
            **{name: self._lists[name].list() for name in HIT_LISTS},
        )

    def _bot_totals(self) -> tuple[BotTotal, ...]:
        """Return the totals of the bots, those with the most requests first."""
        made = []
        for (token, verification), found in self._bots.items():
            by_name = {STATUS_NAMES[one]: found.statuses[one] for one in sorted(found.statuses)}
            made.append(BotTotal(token, verification, found.statuses.total(), found.urls, by_name, found.indexable))
        return tuple(sorted(made, key=lambda one: (-one.hits_count, one.bot, one.verification)))

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
