"""Lists of the pages of a crawl, by the sets of `crawl_page_index`.

Filters are intersections of sets, totals are exact, and the last page of a list costs as much as the first. While a crawl runs there are no
sets yet: its pages are listed in the order of discovery.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, func, select

from findable.crawl.bitmaps import Column, above, below, bits_of, first_numbers, unpack_bits
from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import PagePlace, PageSelection, PageSort, Span
from findable.crawl.record import VERDICT_BYTES, PageRecord
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import FoundBy
from findable.formats.zstd import zstd
from findable.reports.reported_finding import AGAINST
from findable.store.crawl_frontier import parts
from findable.store.crawl_page_index import ANY_VERDICT, CANONICAL_KINDS, EXTRACTED_SET, REQUESTED, verdict_set
from findable.store.crawl_pages import page_row
from findable.store.crawl_schema import ALL_PAGES, ANSWER, BITMAP, FINDING, PAGE, SETTLED, URL
from findable.store.crawl_url_data import NO_DATA, SCALE, DataColumns
from findable.store.dialect import contains, like_pattern
from findable.store.extracted_values import extracted_of, with_value
from findable.store.packed_pages import unpacked_record
from findable.store.page_results import findings_of

SEARCHED_ONE_BY_ONE = 5_000
"""Number of pages up to which the URLs of a selection are read for a search; above it, all URLs of the crawl are read."""
SEARCHED = 500_000
"""Maximum number of URLs of a crawl that are searched."""
FOLDER_ORIGINS = 20
DEEPEST_OFFSET = 100_000
_UNSETTLED = PageSelection()
_PLACING = frozenset({"limit", "offset", "place", "descending"})


class TooBroadError(Exception):
    """Error for a selection that would take too long.

    Args:
        field: the filter that is too broad.
    """

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class NotSettledError(Exception):
    """Error for a filter or sort order that needs a settled crawl.

    Args:
        field: the filter or ``sort``.
    """

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class ListedPage(Struct, frozen=True):
    """Row of a list of pages, with its sort value."""

    row: PageRow
    value: int
    """Sort value of the row; 0 for none."""


class PageList(Struct, frozen=True):
    """Part of the pages of a selection, and their total number."""

    pages: tuple[ListedPage, ...]
    total: int


class PageLists:
    """Lists the pages of one crawl.

    Args:
        connection: connection for reading.
        state: state of the crawl.
        dialect: name of the database.
        data: uploaded metrics of its pages.
    """

    def __init__(self, connection: Connection, state: CrawlState, dialect: str = "sqlite", data: DataColumns = NO_DATA) -> None:
        self._connection = connection
        self._state = state
        self._dialect = dialect
        self._data = data
        self._columns: dict[str, Column] = {}

    def select(self, selection: PageSelection) -> PageList:
        """Return one page of a list. Raises TooBroadError and NotSettledError."""
        if selection.offset > DEEPEST_OFFSET:
            raise TooBroadError("page")
        if not self.is_settled:
            return self._list_running_crawl(selection)
        within = self.numbers(selection)
        if selection.data is not None:
            self._columns[PageSort.DATA] = self._data.columns[selection.data]
        numbers = self._in_order(selection, within)[selection.offset :]
        values = {number: self._value_of(selection.sort, number) for number in numbers}
        rows = {row.n: row for row in self.rows(numbers)}
        return PageList(tuple(ListedPage(rows[number], values[number]) for number in numbers if number in rows), within.bit_count())

    @property
    def is_settled(self) -> bool:
        """Whether the crawl is settled, so that its index of pages exists and matches the pages."""
        if not self._state.phase.has_results:
            return False
        return self._connection.execute(select(BITMAP.c.part).where(BITMAP.c.name == REQUESTED)).scalar() is not None

    def each(self, selection: PageSelection, *, at_once: int = 1000) -> Iterator[PageRow]:
        """Yield all rows of a selection in the order of their numbers."""
        place: PagePlace | None = None
        wanted = msgspec.structs.replace(selection, sort=PageSort.NUMBER, descending=False, limit=at_once, offset=0)
        while True:
            found = self.select(msgspec.structs.replace(wanted, place=place)).pages
            yield from (item.row for item in found)
            if len(found) < at_once:
                return
            place = PagePlace(found[-1].row.n, found[-1].row.n)

    def rows(self, numbers: Sequence[int]) -> list[PageRow]:
        """Return the rows of the requested URLs with these ids, in any order."""
        joined = ALL_PAGES.outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
        columns = (URL.c.id, URL.c.url, URL.c.found_by, PAGE.c.record, ANSWER.c.verdicts, *_SETTLED)
        found: list[PageRow] = []
        for part in parts(list(numbers)):
            rows = self._connection.execute(select(*columns).select_from(joined).where(PAGE.c.id.in_(part))).all()
            results = extracted_of(self._connection, self._state.settings.extractors, [row.id for row in rows])
            made = (page_row(row.id, row, unpacked_record(row.record, PageRecord), self._state, results[row.id]) for row in rows)
            found += [msgspec.structs.replace(row, data=self._data.row(row.n)) if self._data.columns else row for row in made]
        return found

    def page(self, number: int) -> tuple[PageRow, PageRecord] | None:
        """Return the row and record of a requested URL, with all its findings; None if it was not requested."""
        rows = self.rows([number])
        if not rows:
            return None
        joined = PAGE.outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
        row = self._connection.execute(select(PAGE.c.record, ANSWER.c.findings).select_from(joined).where(PAGE.c.id == number)).one()
        record = unpacked_record(row.record, PageRecord)
        return rows[0], msgspec.structs.replace(record, findings=(*record.findings, *findings_of(row.findings)))

    # --- sets

    def numbers(self, selection: PageSelection) -> int:
        """Return the set of the pages of a selection. Raises TooBroadError."""
        within = self.stored_set(REQUESTED, 0)
        for name, span in _spans(selection):
            within = self._in_span(name, span, within)
        for name, text in _texts(selection):
            known = self._names(name)
            within = self.column(name).equal(known.index(text) + 1, within) if text in known else 0
        if selection.indexable is not None:
            known = self._names("reason")
            indexable = self.column("reason").equal(known.index("") + 1, within) if "" in known else 0
            within = indexable if selection.indexable else within ^ indexable
        if selection.template is not None:
            within = self.column("template").equal(selection.template, within)
        if selection.canonical is not None:
            within = self.column("canonical").equal(CANONICAL_KINDS.index(selection.canonical) + 1, within)
        within = self._found_by(selection, within)
        if selection.verdict is not None or selection.check is not None:
            within &= self._with_verdict(selection)
        if selection.segment is not None:
            segments = self._names("segment")
            within &= self.stored_set("segment", segments.index(selection.segment)) if selection.segment in segments else 0
        if selection.has is not None or selection.lacks is not None:
            within &= self._with_extracted(selection)
        if selection.finding is not None:
            data = self._connection.execute(select(FINDING.c.pages).where(FINDING.c.key == selection.finding)).scalar()
            within &= 0 if data is None else unpack_bits(zstd.decompress(data))
        if selection.data_span is not None and selection.data is not None:
            within &= self._with_number(selection.data, selection.data_span)
        if selection.folder is not None:
            within = self._in_folder(selection.folder, within)
        return self._matching_url(selection.search, within) if selection.search else within

    def _with_number(self, name: str, span: Span) -> int:
        """Return the set of the pages whose uploaded metric is in a range."""
        column, within = self._data.columns[name], self._data.known[name]
        if span.low:
            within = column.at_least(span.low * SCALE + 1, within)
        return within if span.high is None else column.at_most(span.high * SCALE + 1, within)

    def _with_extracted(self, selection: PageSelection) -> int:
        """Return the set of the pages with, or without, a match of the selected extractors."""
        names, known = self._names(EXTRACTED_SET), {item.name: item for item in self._state.settings.extractors}
        within = self.stored_set(REQUESTED, 0)
        for part, name in enumerate((selection.has, selection.lacks)):
            if name is not None:
                within &= self.stored_set(EXTRACTED_SET, 2 * names.index(name) + part) if name in names else 0
        if selection.value and within and selection.has in known:
            within &= bits_of(with_value(self._connection, known[selection.has], selection.value), within.bit_length())
        return within

    def _found_by(self, selection: PageSelection, within: int) -> int:
        ways = self.column("found_by")
        if selection.in_sitemap is not None:
            listed = ways.any_of(FoundBy.SITEMAP, within)
            within = listed if selection.in_sitemap else within ^ listed
        if selection.found_by is not None:
            within = ways.any_of(FoundBy[selection.found_by.upper()], within)
        return within

    def _with_verdict(self, selection: PageSelection) -> int:
        """Return the set of the pages with a verdict on the selected check, or on any check."""
        verdicts = AGAINST if selection.verdict is None else (selection.verdict,)
        name = verdict_set(selection.check or ANY_VERDICT)
        return reduce(or_, (self.stored_set(name, VERDICT_BYTES[verdict]) for verdict in verdicts))

    def _in_span(self, name: str, span: Span, within: int) -> int:
        """Return the set of the pages whose value in a column is in a range. Pages without a value are excluded."""
        column, shift = self.column(name), 1 if name in _FROM_ONE else 0
        within = column.at_least(max(0, span.low or 0) + shift, within) if span.low is not None or shift else within
        if span.high is not None:
            within = column.at_most(span.high + shift, within) if span.high >= 0 else 0
        return within

    def _in_folder(self, folder: str, within: int) -> int:
        origins = self._names("origin")
        if len(origins) > FOLDER_ORIGINS:
            raise TooBroadError("folder")
        ranks, found = self.column("url"), 0
        last = self.stored_set(REQUESTED, 0).bit_count()
        path = f"/{folder.strip('/')}/" if folder.strip("/") else "/"
        for origin in origins:
            first = self._rank_of(f"{origin}{path}", last)
            end = self._rank_of(f"{origin}{path[:-1]}{_AFTER_SLASH}", last)
            if first < end:
                found |= ranks.at_most(end - 1, ranks.at_least(first, within))
        return found

    def _rank_of(self, url: str, last: int) -> int:
        """Return the rank of the first URL that is equal to a text or sorts after it."""
        low, high = 1, last + 1
        everything, ranks = self.stored_set(REQUESTED, 0), self.column("url")
        while low < high:
            middle = (low + high) // 2
            (number,) = first_numbers(ranks.equal(middle, everything), 1)
            if str(self._connection.execute(_URL_OF, {"number": number}).scalar_one()) < url:
                low = middle + 1
            else:
                high = middle
        return low

    def _matching_url(self, text: str, within: int) -> int:
        """Return the set of the pages whose URL contains a text."""
        matching = contains(self._dialect, URL.c.url, bindparam("pattern"))
        values = {"pattern": like_pattern(text)}
        size = within.bit_length()
        if within.bit_count() <= SEARCHED_ONE_BY_ONE:
            found: list[int] = []
            for part in parts(first_numbers(within, SEARCHED_ONE_BY_ONE)):
                found += self._connection.execute(select(URL.c.id).where(URL.c.id.in_(part), matching), values).scalars()
            return bits_of(found, size)
        if (self._connection.execute(select(func.max(URL.c.id))).scalar() or 0) > SEARCHED:
            raise TooBroadError("search")
        rows = self._connection.execute(select(URL.c.id).where(matching, URL.c.id < size), values)
        return bits_of(rows.scalars(), size) & within

    def stored_set(self, name: str, part: int) -> int:
        """Return a set of pages from the index; empty if there is no such set."""
        data = self._connection.execute(select(BITMAP.c.bits).where(BITMAP.c.name == name, BITMAP.c.part == part)).scalar()
        return 0 if data is None else unpack_bits(zstd.decompress(data))

    def column(self, name: str) -> Column:
        """Return the numeric values of the pages from the index."""
        if name not in self._columns:
            rows = self._connection.execute(select(BITMAP.c.bits).where(BITMAP.c.name == name).order_by(BITMAP.c.part))
            self._columns[name] = Column([zstd.decompress(data) for data in rows.scalars()])
        return self._columns[name]

    def _names(self, name: str) -> list[str]:
        data = self._connection.execute(select(BITMAP.c.bits).where(BITMAP.c.name == f"names {name}")).scalar()
        return [] if data is None else msgspec.msgpack.decode(zstd.decompress(data), type=list[str])

    # --- orders

    def _in_order(self, selection: PageSelection, within: int) -> list[int]:
        """Return the ids of the pages from the position on, in list order; pages without a value come last in both directions."""
        place, count = selection.place, selection.limit + selection.offset
        if selection.sort is PageSort.NUMBER:
            return _by_number(within, place, count, descending=selection.descending)
        column = self.column(selection.sort)
        missing = column.equal(0, within) if selection.sort in _FROM_ONE else 0
        known = within ^ missing
        backwards = place is not None and place.backwards
        if place is not None and (place.value or selection.sort not in _FROM_ONE):
            known = column.beyond(place.value, place.number, known, descending=selection.descending, backwards=backwards)
            missing = 0 if backwards else missing
        elif place is not None:
            known = known if backwards else 0
            missing = below(missing, place.number) if backwards else above(missing, place.number)
        if backwards:
            found = first_numbers(missing, count, down=True)
            found += column.first(known, count - len(found), descending=selection.descending, backwards=True)
            return found[::-1]
        found = column.first(known, count, descending=selection.descending)
        return found + first_numbers(missing, count - len(found))

    def _value_of(self, sort: PageSort, number: int) -> int:
        return number if sort is PageSort.NUMBER else self.column(sort).value_of(number)

    # --- running crawls

    def _list_running_crawl(self, selection: PageSelection) -> PageList:
        """Return the pages of a running crawl. Raises NotSettledError for any order except by number."""
        for name in PageSelection.__struct_fields__:
            if name not in _PLACING and getattr(selection, name) != getattr(_UNSETTLED, name):
                raise NotSettledError(name)
        place = selection.place
        down = selection.descending != (place is not None and place.backwards)
        chosen = select(PAGE.c.id).order_by(PAGE.c.id.desc() if down else PAGE.c.id).limit(selection.limit).offset(selection.offset)
        if place is not None:
            chosen = chosen.where(PAGE.c.id < place.number if down else PAGE.c.id > place.number)
        numbers = sorted(self._connection.execute(chosen).scalars(), reverse=selection.descending)
        rows = {row.n: row for row in self.rows(numbers)}
        total = self._connection.execute(select(func.count()).select_from(PAGE)).scalar_one()
        return PageList(tuple(ListedPage(rows[number], number) for number in numbers), total)


_SETTLED = (SETTLED.c.depth, SETTLED.c.inlinks, SETTLED.c.link_score, SETTLED.c.template)
_URL_OF = select(URL.c.url).where(URL.c.id == bindparam("number"))
_FROM_ONE = frozenset({"depth", "score", "data"})
"""Columns whose values are stored incremented by one, so that 0 means no value."""
_AFTER_SLASH = chr(ord("/") + 1)


def _spans(selection: PageSelection) -> Iterator[tuple[str, Span]]:
    for name in ("status", "depth", "inlinks", "words", "ttfb_ms"):
        span: Any = getattr(selection, name)
        if span is not None:
            yield name, span


def _texts(selection: PageSelection) -> Iterator[tuple[str, str]]:
    for name, text in (("type", selection.media_type), ("reason", selection.reason), ("lang", selection.lang)):
        if text is not None:
            yield name, text


def _by_number(within: int, place: PagePlace | None, count: int, *, descending: bool) -> list[int]:
    backwards = place is not None and place.backwards
    down = descending != backwards
    if place is not None:
        within = below(within, place.number) if down else above(within, place.number)
    found = first_numbers(within, count, down=down)
    return found[::-1] if backwards else found
