"""Raw data (roots) for site checks of the URLs of a settled crawl: variants, parameters, unnecessary requests, paginated lists, folders."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from findable.capture.crawl import Reason
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_urls import (
    CrawledFolders,
    CrawledPaginations,
    CrawledParameters,
    CrawledVariants,
    MissingFolder,
    Pagination,
    Parameter,
    RequestShare,
    VariantKind,
    VariantPair,
    Variants,
)
from findable.capture.status_classes import ERRORS, OK, REFUSALS, SERVER_ERRORS
from findable.crawl.site.counted import Counted
from findable.crawl.traps import parameter_names, without_parameters
from findable.crawl.url_keys import page_number, text_key, url_key
from findable.crawl.url_variants import has_double_slash, is_index, normalize_variant, variant_kind
from findable.crawl.varints import unpack, unpack_sorted
from findable.limits import MAX_BROKEN, MAX_PAGED_LISTS, MAX_VARIANTS
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_schema import (
    ALL_PAGES,
    ALL_URLS,
    BLOCK,
    INDEXABLE,
    INLINKS,
    PAGE,
    PAGES,
    RECORD,
    SERIES,
    SETTLED,
    SETTLED_PAGES,
    URL,
    WITH_RECORD,
)
from findable.store.dialect import stream_rows
from findable.store.packed_pages import link_columns
from findable.store.rows_by_id import rows_in
from findable.urls import first_folder, origin_part

VALUES_FROM = 50
"""Number of values from which a parameter may create duplicates."""
SAME_SHARE = 0.9
"""Share of the pages with a parameter that have the same text without it (set by Findable)."""
MAX_VALUES = 1000
"""Maximum number of counted values of a parameter."""
WASTED_LISTED = 10
NEW_LINKS = 3
"""Number of links that a further page of a list must add to the first page, otherwise it is a copy (set by Findable)."""
MEMBERS_READ = 3
NEIGHBOURS_READ = 50
NEIGHBOURS_SHARE = 0.8
"""Share of the pages of a list that must link to a neighbouring page, so that the numbers count as page numbers (set by Findable)."""
MISSING_LISTED = 10
MISSING_FROM = 3
"""Number of missing pages of a folder, and of sources linking to them, from which the folder is the cause (set by Findable)."""
VARIANT_COLUMNS = (URL.c.id, URL.c.url, PAGE.c.text, PAGE.c.plain_text, PAGE.c.title, PAGE.c.heading, SETTLED.c.linked_from)
_USELESS = (Reason.STATUS, Reason.REDIRECT, Reason.NOINDEX, Reason.CANONICAL)


class UrlRoots(CrawlReading):
    """Computes the roots of one crawl about URLs."""

    # --- variants

    def variants(self) -> CrawledVariants:
        """Return indexable pages with several linked URLs."""
        pairs: defaultdict[VariantKind, list[tuple[Any, Any]]] = defaultdict(list)
        for members in self._groups_of_variants():
            for preferred, other, kind in variant_pairs(members):
                pairs[kind].append((preferred, other))
        items = [
            Variants(kind, len(found), tuple(self._variant_pair(*pair) for pair in sorted(found, key=_most_linked)[:URL_LIMIT]))
            for kind, found in sorted(pairs.items())
        ]
        return CrawledVariants(self.count(*INDEXABLE), tuple(items))

    def _groups_of_variants(self) -> Iterator[Sequence[Any]]:
        """Yield groups of linked indexable pages whose URLs are variants of one URL."""
        linked_pages = *INDEXABLE, SETTLED.c.linked_from > 0
        firsts: dict[int, int] = {}
        groups: dict[int, list[int]] = {}
        chosen = select(URL.c.id, URL.c.url).select_from(SETTLED_PAGES).where(*linked_pages).order_by(URL.c.id)
        for number, url in stream_rows(self._connection, chosen):
            key = text_key(normalize_variant(url))
            first = firsts.setdefault(key, number)
            if first != number and (key in groups or len(groups) < MAX_VARIANTS):
                groups.setdefault(key, [first]).append(number)
        for numbers in groups.values():
            yield self._connection.execute(
                select(*VARIANT_COLUMNS).select_from(SETTLED_PAGES).where(URL.c.id.in_(numbers[:LIST_LIMIT]))
            ).all()

    def _variant_pair(self, preferred: Any, other: Any) -> VariantPair:
        sources = self.sources(other.id)
        return VariantPair(preferred.url, other.url, other.linked_from, sources[0] if sources else None)

    # --- parameters

    def parameters(self) -> CrawledParameters:
        """Return the number of requests by parameter and folder."""
        return CrawledParameters(self.count(*_WITH_PARAMETERS), self.multiplying(), *self._useless_requests())

    def multiplying(self) -> tuple[Parameter, ...]:
        """Return the parameters that mostly create duplicates: the page without the parameter has the same text."""
        found: dict[str, _ParameterPages] = defaultdict(_ParameterPages)
        columns = (URL.c.id, URL.c.url, PAGE.c.text, PAGE.c.plain_text, SETTLED.c.similar, PAGE.c.title)
        chosen = select(*columns).select_from(ALL_PAGES).where(*_WITH_PARAMETERS).order_by(URL.c.id)
        for rows in self._connection.execute(chosen).partitions(AT_ONCE):
            named = [(row, name, without_parameters(row.url, frozenset({name}))) for row in rows for name in parameter_names(row.url)]
            bases = self._texts_of({base for _, _, base in named})
            for row, name, base in named:
                found[name].add(row, base, bases.get(url_key(base)))
        ranked = sorted(found.items(), key=lambda item: (-item[1].urls.count, item[0]))
        return tuple(self._parameter(name, values) for name, values in ranked if values.multiplies)[:LIST_LIMIT]

    def _texts_of(self, urls: Iterable[str]) -> dict[int, Any]:
        """Return the rows of fetched pages, with the keys of their texts, by URL key."""
        columns = (URL.c.key, PAGE.c.text, PAGE.c.plain_text, SETTLED.c.similar, PAGE.c.title)
        chosen = select(*columns).select_from(ALL_PAGES).where(PAGE.c.status == OK)
        return {row.key: row for row in rows_in(self._connection, chosen, URL.c.key, (url_key(url) for url in urls))}

    def _parameter(self, name: str, values: "_ParameterPages") -> Parameter:
        sources = self.sources(values.first)
        return Parameter(name, values.urls.count, values.same_count, tuple(values.urls.first), sources[0] if sources else None)

    def _useless_requests(self) -> tuple[int, int, tuple[RequestShare, ...]]:
        """Return the number of requests, the number of unnecessary ones, and the URL patterns with the most unnecessary ones."""
        requests = 0
        reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
        urls: defaultdict[str, Counted[str]] = defaultdict(Counted)
        chosen = select(URL.c.url, PAGE.c.reason).select_from(PAGE.join(URL, URL.c.id == PAGE.c.id)).order_by(URL.c.id)
        for url, reason in stream_rows(self._connection, chosen):
            requests += 1
            if reason in _USELESS:
                pattern = _pattern_of(url)
                reasons[pattern][reason] += 1
                urls[pattern].add(url)
        shares = [
            RequestShare(name, urls[name].count, found.most_common(1)[0][0], tuple(urls[name].first)) for name, found in reasons.items()
        ]
        shares.sort(key=lambda share: (-share.requests_count, share.pattern))
        return requests, sum(share.requests_count for share in shares), tuple(shares[:WASTED_LISTED])

    # --- lists on several pages

    def paginations(self) -> CrawledPaginations:
        """Return paginated lists with a problem."""
        series = self._pages_by_number()
        largest = sorted(series.items(), key=lambda item: (-len(item[1]), item[0]))[:MAX_PAGED_LISTS]
        found = [self._pagination(base, self._rows_of(members)) for base, members in largest]
        return CrawledPaginations(len(series), tuple(item for item in found if item.canonical_to_first_count or item.missing))

    def _pages_by_number(self) -> dict[str, dict[int, int]]:
        """Return the ids of the pages of lists by page number, grouped by the URL of the list. Endless series are excluded."""
        endless = select(SERIES.c.id).where(SERIES.c.closed)
        chosen = select(URL.c.id, URL.c.url).where(URL.c.series != 0, URL.c.series.not_in(endless)).order_by(URL.c.id)
        found: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for number, url in stream_rows(self._connection, chosen):
            numbered = page_number(url)
            if numbered is not None:
                found[numbered[0]].setdefault(numbered[1], number)
        return {base: members for base, members in found.items() if max(members) > 1}

    def _rows_of(self, members: Mapping[int, int]) -> dict[int, Any]:
        """Return the pages of a list by page number."""
        columns = (URL.c.id, URL.c.url, PAGE.c.status, PAGE.c.reason, PAGE.c.canonical, RECORD.c.blocks, SETTLED.c.template)
        chosen = select(*columns).select_from(ALL_URLS.outerjoin(RECORD, WITH_RECORD))
        rows = {row.id: row for row in rows_in(self._connection, chosen, URL.c.id, members.values())}
        return {number: rows[page] for number, page in members.items()}

    def _pagination(self, base: str, members: Mapping[int, Any]) -> Pagination:
        of_base = (
            select(URL.c.id, URL.c.url, RECORD.c.blocks)
            .select_from(PAGES.join(RECORD, WITH_RECORD))
            .where(URL.c.key.in_((url_key(base), url_key(f"{base}/"))))
            .order_by(URL.c.id)
        )
        firsts = [*([members[1]] if 1 in members else []), *self._connection.execute(of_base).all()]
        read = {number: row for number, row in members.items() if row.status == OK}
        further = [row for number, row in sorted(read.items()) if number > 1]
        declaring = self._declaring_first(firsts, further)
        return Pagination(
            url=firsts[-1].url if firsts else base,
            pages_count=len(read),
            last_number=max(members),
            template=further[0].template or 0 if further else 0,
            canonical_to_first=tuple(declaring[:URL_LIMIT]),
            canonical_to_first_count=len(declaring),
            missing=tuple(self._missing(members, read)),
        )

    def _declaring_first(self, firsts: Sequence[Any], further: Sequence[Any]) -> list[str]:
        """Return later pages of a list that declare its first page as canonical; empty if they link to few new pages (reviews)."""
        numbers = {row.id for row in firsts}
        declaring = [row for row in further if row.reason == Reason.CANONICAL.value and row.canonical in numbers]
        known = frozenset().union(*self._targets(firsts))
        if not any(self._indexable_count(found - known) >= NEW_LINKS for found in self._targets(declaring[:MEMBERS_READ])):
            return []
        return [row.url for row in declaring]

    def _targets(self, pages: Sequence[Any]) -> list[frozenset[int]]:
        """Return the URLs to which each of some pages links."""
        blocks = [set(unpack(row.blocks or b"")) for row in pages]
        rows = rows_in(self._connection, select(BLOCK.c.id, BLOCK.c.links), BLOCK.c.id, sorted(set().union(*blocks)))
        targets = {row.id: link_columns(row.links)[0] for row in rows}
        return [frozenset().union(*map(targets.__getitem__, found)) for found in blocks]

    def _indexable_count(self, numbers: Iterable[int]) -> int:
        """Return the number of indexable pages among these, except pages of lists."""
        rows = rows_in(self._connection, select(URL.c.url).select_from(PAGES).where(*INDEXABLE), PAGE.c.id, sorted(numbers))
        return sum(page_number(row.url) is None for row in rows)

    def _missing(self, members: Mapping[int, Any], read: Mapping[int, Any]) -> list[int]:
        """Return the page numbers in a list that no page links to although the previous page was fetched."""
        missing = [number for number in range(2, max(members)) if number not in members and number - 1 in read]
        if not missing:
            return []
        first_numbers = sorted(read)[:NEIGHBOURS_READ]
        linking_count = 0
        for number, targets in zip(first_numbers, self._targets([read[number] for number in first_numbers]), strict=True):
            linking_count += any(members[other].id in targets for other in (number - 1, number + 1) if other in members)
        return missing[:MISSING_LISTED] if linking_count >= NEIGHBOURS_SHARE * len(first_numbers) else []

    def _pages_of(self, block: int, known: dict[int, frozenset[int]]) -> frozenset[int]:
        if block not in known:
            known[block] = frozenset(self.pages_of_block(block))
        return known[block]

    # --- folders

    def folders(self) -> CrawledFolders:
        """Return missing folders: several link blocks point into them, and no URL in them loads."""
        broken = self._broken()
        if len(broken) < MISSING_FROM:
            return CrawledFolders()
        existing: set[str] = set()
        living = select(URL.c.url).select_from(PAGES).where(PAGE.c.status > 0, PAGE.c.status < ERRORS)
        for row in self._connection.execute(living).yield_per(AT_ONCE):
            existing.update(folders_of(row.url))
        by_folder: defaultdict[str, list[Any]] = defaultdict(list)
        for row in broken:
            missing = next((folder for folder in folders_of(row.url) if folder not in existing), "")
            by_folder[missing].append(row)
        by_folder.pop("", None)
        ranked = sorted(by_folder.items(), key=lambda item: (-len(item[1]), item[0]))
        found = [self._missing_folder(url, rows) for url, rows in ranked[:LIST_LIMIT] if len(rows) >= MISSING_FROM]
        return CrawledFolders(tuple(folder for folder in found if folder.blocks_count >= MISSING_FROM))

    def _broken(self) -> Sequence[Any]:
        """Return linked URLs that do not exist, those linked from the most pages first."""
        joined = SETTLED_PAGES
        is_broken = PAGE.c.status >= ERRORS, PAGE.c.status < SERVER_ERRORS, PAGE.c.status.not_in(REFUSALS)
        chosen = select(URL.c.id, URL.c.url).select_from(joined).where(SETTLED.c.linked_from > 0, *is_broken)
        return self._connection.execute(chosen.order_by(SETTLED.c.linked_from.desc(), URL.c.url).limit(MAX_BROKEN)).all()

    def _missing_folder(self, url: str, rows: Sequence[Any]) -> MissingFolder:
        inlinks = rows_in(self._connection, select(INLINKS.c.blocks), INLINKS.c.target, (row.id for row in rows))
        blocks = {block for row in inlinks for block in unpack_sorted(row.blocks)}
        known: dict[int, frozenset[int]] = {}
        pages = {page for block in sorted(blocks)[:MAX_BROKEN] for page in self._pages_of(block, known)}
        return MissingFolder(url, len(rows), len(blocks), len(pages), tuple(self.target(row.id) for row in rows[:URL_LIMIT]))


_WITH_PARAMETERS = URL.c.has_query, *INDEXABLE


class _ParameterPages:
    """Pages whose URL has one parameter: their values and duplicates."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.urls = Counted[str]()
        self.same_count = 0
        self.first = 0
        self._texts: dict[str, Any] = {}
        """Page without the parameter, or the first one with it, by the URL without it."""

    def add(self, row: Any, base: str, page: Any | None) -> None:
        """Count a page. ``page``: row of the page without the parameter, if that was fetched."""
        self.urls.add(row.url)
        self.first = self.first or row.id
        if len(self.values) < MAX_VALUES:
            self.values.add(row.url.removeprefix(base))
        if page is None:
            page = self._texts.setdefault(base, row)
        if page is not row and _has_same_text(page, row):
            self.same_count += 1

    @property
    def multiplies(self) -> bool:
        """Whether the parameter has many values and rarely changes the page."""
        return len(self.values) >= VALUES_FROM and self.same_count >= SAME_SHARE * self.urls.count


def variant_pairs(members: Iterable[Any]) -> Iterator[tuple[Any, Any, VariantKind]]:
    """Yield (URL, its variant, kind) of rows with VARIANT_COLUMNS. Pages link to both URLs, and both return the same page."""
    by_fold: defaultdict[str, list[Any]] = defaultdict(list)
    for member in members:
        if member.linked_from:
            by_fold[normalize_variant(member.url)].append(member)
    for group in by_fold.values():
        preferred, *others = sorted(group, key=_preference)
        for other in others:
            kind = variant_kind(preferred.url, other.url)
            if kind is not None and _is_same_page(preferred, other):
                yield preferred, other, kind


def _has_same_text(one: Any, other: Any) -> bool:
    if one.text or other.text:
        return bool(one.text == other.text or (one.similar and one.similar == other.similar))
    return bool(one.plain_text == other.plain_text and one.title == other.title)


def _is_same_page(one: Any, other: Any) -> bool:
    """Return whether two URLs return the same page. Short texts, which may differ only in numbers, need the same heading too."""
    if one.text or other.text:
        return bool(one.text == other.text)
    return (one.plain_text, one.title, one.heading) == (other.plain_text, other.title, other.heading) and bool(one.title)


def _preference(row: Any) -> tuple[bool, bool, int, int, str]:
    return has_double_slash(row.url), is_index(row.url), -row.linked_from, len(row.url), row.url


def _most_linked(pair: tuple[Any, Any]) -> tuple[int, str]:
    return -pair[1].linked_from, pair[1].url


def folders_of(url: str) -> Iterator[str]:
    """Yield the folders of a URL, the outermost first, without the root of the host."""
    start = len(origin_part(url)) + 1
    path = url.partition("?")[0]
    end = path.find("/", start)
    while end > 0:
        yield url[: end + 1]
        end = path.find("/", end + 1)


def _pattern_of(url: str) -> str:
    """Return the pattern of a URL: its parameters, or else the first folder of its path."""
    names = parameter_names(url)
    if names:
        return "?" + "&".join(f"{name}=" for name in names)
    return f"{first_folder(url)}*"
