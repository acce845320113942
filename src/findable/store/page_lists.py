"""Lists of the pages of a crawl: filters and sort orders in SQL, also while the crawl is running.

Link numbers, templates and findings are known when the crawl is settled.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    LargeBinary,
    Select,
    String,
    Table,
    and_,
    case,
    cast,
    false,
    func,
    literal,
    null,
    or_,
    select,
)

from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import VERDICT_BYTES
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import DATA, FILTERS, KNOWN_OF_IMPORTS, NUMBER, SORTS, PagePlace, PageSelection, Span, data_of, span_of
from findable.crawl.record import ListedRecord, PageRecord
from findable.crawl.state import CrawlState
from findable.reports.reported_finding import AGAINST
from findable.store.crawl_pages import OF_SETTLED, page_row
from findable.store.crawl_schema import (
    ALL_PAGES,
    ANSWER,
    EXTRACTED,
    FINDING,
    FINDING_PAGE,
    PAGE,
    RECORD,
    SETTLED,
    URL,
    VERDICT,
    WITH_RECORD,
)
from findable.store.crawl_url_data import NO_DATA, SCALE, DataColumns
from findable.store.dialect import contains, like_pattern, place_in, place_of_byte
from findable.store.extracted_values import extracted_of
from findable.store.packed_pages import unpacked_record
from findable.store.page_results import findings_of
from findable.store.rows_by_id import each_part, parts

HTTPS_CHARS = len("https://")
TENTHS = 10
"""Times to the first byte are sorted in tenths of a millisecond, as they are stored."""
_TTFB = cast(func.round(PAGE.c.first_byte_ms * TENTHS), Integer)
_OTHER_SOURCES: Mapping[str, tuple[FromClause, ColumnElement[Any]]] = {
    NUMBER: (PAGE, PAGE.c.id),
    "type": (PAGE, PAGE.c.media_type),
    "canonical": (PAGE, PAGE.c.canonical_kind),
    "ttfb_ms": (PAGE, _TTFB),
    "depth": (SETTLED, case((SETTLED.c.depth >= 0, SETTLED.c.depth))),
    "url": (URL, URL.c.url),
}
_SOURCES: Mapping[str, tuple[FromClause, ColumnElement[Any]]] = {
    name: _OTHER_SOURCES.get(name) or (table, table.c[name])
    for table in (PAGE, SETTLED, URL)
    for name in dict.fromkeys((*FILTERS, *SORTS))
    if (_OTHER_SOURCES[name][0] is table if name in _OTHER_SOURCES else name in table.c and table is not URL)
}
"""Sources of sort keys and filters, with their tables: columns of these names, the cheapest filters first, which SQLite checks in order."""
_NULLABLE = frozenset({"score", "depth", "content_inlinks", DATA})
"""Sort orders in which a page may have no value; in positions of a list, 0 means none, and values are incremented by one."""
_Conditions = Iterator[tuple[FromClause, ColumnElement[bool]]]
"""Conditions, each with the table that it reads."""


class ListedPage(Struct, frozen=True):
    """Row of a list of pages, with its sort value."""

    row: PageRow
    value: int | str
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
        data: uploaded metrics of its pages.
    """

    def __init__(self, connection: Connection, state: CrawlState, data: DataColumns = NO_DATA) -> None:
        self._connection = connection
        self._state = state
        self._dialect = connection.dialect.name
        self.data = data

    def select(self, selection: PageSelection) -> PageList:
        """Return one page of a list, and the total, from one statement.

        Filters of `PAGE` alone are cheaper to repeat for the total than to store; the ids that others choose are stored for both.
        """
        numbers = self._numbers(selection)
        table, key = self._key(selection, numbers)
        is_nullable = selection.sort in _NULLABLE or self._is_unknown(selection.sort)
        conditions = list(self._all_conditions(selection, numbers))
        number: ColumnElement[Any]
        if all(of is PAGE for of, _ in conditions):
            counted = select(func.count()).select_from(PAGE).where(*(condition for _, condition in conditions))
            source, number = _joined(PAGE, PAGE.c.id, {table}), PAGE.c.id
            rest = [condition for _, condition in conditions]
        else:
            chosen = self._chosen(conditions).cte("chosen").prefix_with("MATERIALIZED")
            counted = select(func.count()).select_from(chosen)
            source, number, rest = _joined(chosen, chosen.c.id, {table}), chosen.c.id, []
        place = selection.place
        backwards = place is not None and place.backwards
        listed = select(number.label("id"), key.label("key"), counted.scalar_subquery().label("total")).select_from(source).where(*rest)
        if place is not None:
            listed = listed.where(_beyond(key, number, place, descending=selection.descending, is_nullable=is_nullable))
        down = selection.descending != backwards
        missing = [key.is_not(None) if backwards else key.is_(None)] if is_nullable else []
        by_value, by_number = (column.desc() if turned else column for column, turned in ((key, down), (number, backwards)))
        ordered = listed.order_by(*missing, by_value, by_number).limit(selection.limit).offset(selection.offset)
        found = self._connection.execute(ordered).all()[:: -1 if backwards else 1]
        rows = {row.n: row for row in self.rows([one.id for one in found])}
        total = found[0].total if found else self._connection.execute(counted).scalar_one()
        return PageList(tuple(ListedPage(rows[one.id], _place_value(one.key, is_nullable=is_nullable)) for one in found), total)

    def ids(self, selection: PageSelection) -> Select[Any]:
        """Return the statement that selects the ids of the pages that match the filters."""
        return self._chosen([*self._all_conditions(selection, self._numbers(selection))], base=PAGE)

    def counts_by_area(self, selections: Sequence[PageSelection]) -> Iterator[tuple[int, int, int]]:
        """Yield the number of an area of the report, the place of a selection, and the number of pages for which it is the first to match.

        All selections select the same uploaded metric, from 1 up, if any.
        """
        numbers = self._numbers(selections[0])
        given = [list(self._all_conditions(selection, numbers)) for selection in selections]
        conditions = [and_(*(condition for _, condition in found)) for found in given]
        needed = {table for found in given for table, _ in found}
        start = PAGE if numbers is None else numbers  # pages without a number match none, and are not read
        joined = _joined(start, start.c.id, {PAGE, SETTLED, *needed})
        first = case(*((condition, place) for place, condition in enumerate(conditions))).label("first")
        chosen = select(SETTLED.c.area, first, func.count()).select_from(joined).where(or_(*conditions))
        for row in self._connection.execute(chosen.group_by(SETTLED.c.area, first)):
            yield row[0], row[1], row[2]

    def each(self, selection: PageSelection, *conditions: ColumnElement[bool]) -> Iterator[PageRow]:
        """Yield all rows of a selection in the order of their numbers; ``conditions``: further conditions for `PAGE`."""
        for numbers in self.numbers(selection, *conditions):
            yield from sorted(self.rows(numbers), key=lambda row: row.n)

    def numbers(self, selection: PageSelection, *conditions: ColumnElement[bool], at_once: int = 1000) -> Iterator[Sequence[int]]:
        """Yield the numbers of all pages of a selection in parts; ``conditions``: further conditions for `PAGE`."""
        for rows in each_part(self._connection, self.ids(selection).where(*conditions), PAGE.c.id, at_once):
            yield [number for (number,) in rows]

    def rows(self, numbers: Sequence[int]) -> list[PageRow]:
        """Return the rows of the requested URLs with these ids, in any order."""
        joined = ALL_PAGES.join(RECORD, WITH_RECORD).join(VERDICT, VERDICT.c.id == PAGE.c.id)
        settled = (SETTLED.c[name] for name in OF_SETTLED)
        of_page = (PAGE.c.segments, PAGE.c.requested_at, PAGE.c.score)
        columns = (URL.c.id, URL.c.url, URL.c.found_by, *of_page, RECORD.c.record, VERDICT.c.verdicts, *settled)
        found: list[PageRow] = []
        for part in parts(list(numbers)):
            rows = self._connection.execute(select(*columns).select_from(joined).where(PAGE.c.id.in_(part))).all()
            results = extracted_of(self._connection, self._state.settings.extractors, [row.id for row in rows])
            made = [page_row(row, unpacked_record(row.record, ListedRecord), self._state, results[row.id]) for row in rows]
            if self.data.names:
                data = self.data.rows(self._connection, part)
                made = [msgspec.structs.replace(row, data=data[row.n]) for row in made]
            found += made
        return found

    def page(self, number: int) -> tuple[PageRow, PageRecord] | None:
        """Return the row and record of a requested URL, with all its findings; None if it was not requested."""
        rows = self.rows([number])
        if not rows:
            return None
        joined = RECORD.outerjoin(ANSWER, ANSWER.c.id == RECORD.c.id)
        row = self._connection.execute(select(RECORD.c.record, ANSWER.c.findings).select_from(joined).where(RECORD.c.id == number)).one()
        record = unpacked_record(row.record, PageRecord)
        return rows[0], msgspec.structs.replace(record, findings=(*record.findings, *findings_of(row.findings)))

    def _chosen(self, conditions: Sequence[tuple[FromClause, ColumnElement[bool]]], base: Table | None = None) -> Select[Any]:
        """Return the statement that selects the ids of the pages that match conditions, from only those tables that it needs.

        Without a ``base`` it begins with the verdicts if the conditions do not read `PAGE`: only pages have some.
        """
        needed = {table for table, _ in conditions}
        start = base if base is not None else VERDICT if VERDICT in needed and PAGE not in needed else PAGE
        joined = _joined(start, start.c.id, needed)
        return select(start.c.id.label("id")).select_from(joined).where(*(condition for _, condition in conditions))

    def _all_conditions(self, selection: PageSelection, numbers: Any) -> _Conditions:
        yield from self._conditions(selection)
        yield from self._conditions_of_numbers(selection, numbers)

    def _conditions(self, selection: PageSelection) -> _Conditions:
        given = selection.given
        yield from ((PAGE, false()) for name in given if self._is_unknown(name))
        for name, (table, column) in _SOURCES.items():
            if name in given:
                yield table, _condition(column, given[name], TENTHS if name == "ttfb_ms" else 1)
        if selection.indexable is not UNSET:
            yield PAGE, PAGE.c.reason == "" if selection.indexable else PAGE.c.reason != ""
        yield from self._conditions_of_urls(selection)
        yield from self._conditions_of_results(selection)

    def _is_unknown(self, name: str) -> bool:
        """Return whether nothing is known about a sort key or filter, because the crawl is an imported table."""
        return self._state.settings.imported is not None and name not in KNOWN_OF_IMPORTS

    def _conditions_of_urls(self, selection: PageSelection) -> _Conditions:
        if selection.in_sitemap is not UNSET:
            is_listed = URL.c.found_by.op("&")(int(FoundBy.SITEMAP))
            yield URL, is_listed != 0 if selection.in_sitemap else is_listed == 0
        if selection.found_by is not UNSET:
            yield URL, URL.c.found_by.op("&")(int(FoundBy[selection.found_by.upper()])) != 0
        if selection.segment is not UNSET:
            names = [segment.name for segment in self._state.settings.segments]
            bit = 1 << names.index(selection.segment) if selection.segment in names else 0
            yield PAGE, PAGE.c.segments.op("&")(literal(bit, BigInteger)) != 0
        if selection.folder is not UNSET and selection.folder.strip("/"):
            path = f"/{selection.folder.strip('/')}/"
            first = place_in(self._dialect, func.substr(URL.c.url, HTTPS_CHARS + 1), "/") + HTTPS_CHARS
            within = contains(self._dialect, URL.c.url, literal(like_pattern(path)))  # cheaper, hence first
            yield URL, and_(within, func.substr(URL.c.url, first, len(path)) == path)
        if selection.search:
            yield URL, contains(self._dialect, URL.c.url, literal(like_pattern(selection.search)))

    def _conditions_of_results(self, selection: PageSelection) -> _Conditions:
        if selection.verdict is not UNSET or selection.check is not UNSET:
            verdicts = AGAINST if selection.verdict is UNSET else (selection.verdict,)
            packed = [bytes([VERDICT_BYTES[verdict]]) for verdict in verdicts]
            yield VERDICT, self._has_verdict(None if selection.check is UNSET else selection.check, packed)
        if selection.has is not UNSET:
            yield PAGE, self._has_extracted(selection.has, selection.value, has_match=True)
        if selection.lacks is not UNSET:
            yield PAGE, self._has_extracted(selection.lacks, "", has_match=False)
        if selection.finding is not UNSET:
            found = select(FINDING_PAGE.c.page).join(FINDING, FINDING.c.id == FINDING_PAGE.c.finding)
            yield PAGE, PAGE.c.id.in_(found.where(FINDING.c.key == selection.finding))

    def _has_verdict(self, check: str | None, verdicts: Sequence[bytes]) -> ColumnElement[bool]:
        """Return the condition for one of the verdicts on a check, or on any check."""
        if check is None:
            return or_(*(place_of_byte(self._dialect, VERDICT.c.verdicts, verdict) > 0 for verdict in verdicts))
        if check not in self._state.checks:
            return false()
        return func.substr(VERDICT.c.verdicts, self._state.checks.index(check) + 1, 1, type_=LargeBinary).in_(verdicts)

    def _has_extracted(self, name: str, text: str, *, has_match: bool) -> ColumnElement[bool]:
        """Return the condition for a match of an extractor that contains a text, or for no match."""
        rules = [extractor.key for extractor in self._state.settings.extractors if extractor.name == name]
        found = select(EXTRACTED.c.id).where(EXTRACTED.c.rule.in_(rules), EXTRACTED.c.found > 0 if has_match else EXTRACTED.c.found == 0)
        if text:
            found = found.where(contains(self._dialect, EXTRACTED.c.text, literal(like_pattern(text))))
        return PAGE.c.id.in_(found)

    def _numbers(self, selection: PageSelection) -> Any:
        """Return the selected uploaded metric as a table with the columns ``id`` and ``value``; None if none is selected."""
        column, _ = data_of(selection.data)
        return None if column is None else self.data.numbers(self._dialect, column)

    def _key(self, selection: PageSelection, numbers: Any) -> tuple[FromClause, ColumnElement[Any]]:
        """Return the sort key of a list, with its table."""
        if selection.sort == DATA:
            return numbers, self._value(selection, numbers)
        return (PAGE, cast(null(), Integer)) if self._is_unknown(selection.sort) else _SOURCES[selection.sort]

    def _value(self, selection: PageSelection, numbers: Any) -> ColumnElement[Any]:
        """Return the selected metric, which is 0 for pages without one if everything was counted."""
        return func.coalesce(numbers.c.value, 0) if self.data.is_counted(data_of(selection.data)[0]) else numbers.c.value

    def _conditions_of_numbers(self, selection: PageSelection, numbers: Any) -> _Conditions:
        _, span = data_of(selection.data)
        if numbers is not None and span is not None:
            yield numbers, _within(self._value(selection, numbers), span, SCALE)


def _joined(start: FromClause, number: ColumnElement[Any], tables: Collection[FromClause]) -> FromClause:
    """Return a table joined with others by the number of the page; pages have no row in some of them."""
    joined = start
    for table in tables:
        if table is not start:
            joined = joined.join(table, table.c.id == number, isouter=table not in (PAGE, URL, VERDICT))
    return joined


def _condition(column: ColumnElement[Any], value: Any, factor: int) -> ColumnElement[bool]:
    """Return the condition for the value of a filter: a number, or a range for columns of numbers, as text, or a text."""
    is_range = isinstance(value, str) and not isinstance(column.type, String)
    return _within(column, span_of(value), factor) if is_range else column == value


def _within(column: ColumnElement[Any], span: Span, factor: int) -> ColumnElement[bool]:
    """Return the condition for a value in a range in units of which it has ``factor`` each, which a missing value is not."""
    low = column >= max(0, span.low or 0) * factor
    return low if span.high is None else and_(low, column <= span.high * factor)


def _beyond(
    key: ColumnElement[Any], number: ColumnElement[Any], place: PagePlace, *, descending: bool, is_nullable: bool
) -> ColumnElement[bool]:
    """Return the condition for the pages after a position, or before it if it is read backwards; pages without a value come last."""
    beyond_number = number < place.number if place.backwards else number > place.number
    if is_nullable and not place.value:
        tied = and_(key.is_(None), beyond_number)
        return or_(key.is_not(None), tied) if place.backwards else tied
    value = place.value - 1 if is_nullable and isinstance(place.value, int) else place.value
    further = key > value if descending == place.backwards else key < value
    found = or_(further, and_(key == value, beyond_number))
    return or_(found, key.is_(None)) if is_nullable and not place.backwards else found


def _place_value(value: Any, *, is_nullable: bool) -> int | str:
    if not is_nullable:
        return str(value) if isinstance(value, str) else int(value)
    return 0 if value is None else int(value) + 1
