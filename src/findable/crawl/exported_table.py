"""Tables of a crawl as typed columns with a stream of cells, which every file format writes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from msgspec import Struct, structs

from findable.crawl.extractors import Extractor
from findable.crawl.page_row import PageRow
from findable.crawl.tables import TableColumn, columns_of
from findable.reports.reported_finding import AGAINST

STACKED = (
    TableColumn("crawl", "text", is_nullable=False, meaning="Id of the crawl in a service, or name of its file."),
    TableColumn("crawled_at", "time", is_nullable=True, meaning="Time at which the crawl started."),
)
"""First columns of every exported table, so that rows of several crawls can be stacked."""
VERDICT_COLUMNS = tuple(
    TableColumn(verdict.value, "list of texts", is_nullable=False, meaning=f"Ids of the checks that {verdict.value}.")
    for verdict in AGAINST
)
"""Columns of pages instead of the map of verdicts."""
Cells = tuple[Any, ...]


class ExportedCrawl(Struct, frozen=True):
    """Crawl whose tables are exported, with the names of those columns that only its pages have."""

    name: str
    """Value of the column `crawl`."""
    started_at: datetime | None
    extractors: Sequence[Extractor] = ()
    data: Sequence[str] = ()
    """Names of uploaded columns."""


class ExportedTable(Struct, frozen=True):
    """Table to write: its columns, and a stream of its cells. Missing values are None, never an empty text."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: Iterable[Cells]


def table_of(name: str, row: type[Struct], rows: Iterable[Struct], crawl: ExportedCrawl | None = None) -> ExportedTable:
    """Return a table to write; with the first columns STACKED if it belongs to a crawl."""
    columns = file_columns(row)
    cells: Callable[[Any], Cells] = structs.astuple
    if row is PageRow:
        more = tuple(_page_columns(crawl, {column.name for column in (*STACKED, *columns)})) if crawl else ()
        columns, cells = (*columns, *more), _page_cells(crawl)
    first: Cells = (crawl.name, crawl.started_at) if crawl else ()
    columns = (*STACKED, *columns) if crawl else columns
    return ExportedTable(name, columns, _without_empty_texts(rows, cells, first))


def file_columns(row: type[Struct]) -> tuple[TableColumn, ...]:
    """Return the columns of a type of rows in files: maps become columns."""
    columns = tuple(column for column in columns_of(row) if column.type != "map")
    return (*columns, *VERDICT_COLUMNS) if row is PageRow else columns


def _without_empty_texts(rows: Iterable[Struct], cells: Callable[[Any], Cells], first: Cells) -> Iterator[Cells]:
    for row in rows:
        yield (*first, *[None if cell == "" else cell for cell in cells(row)])


def _page_columns(crawl: ExportedCrawl, taken: set[str]) -> Iterator[TableColumn]:
    """Yield the columns of extractors and uploaded numbers; names of other columns get a prefix."""
    for extractor in crawl.extractors:
        name = f"extracted_{extractor.name}" if extractor.name.lower() in taken else extractor.name
        yield TableColumn(name, "integer" if extractor.counts else "text", is_nullable=True, meaning="")
        taken.add(name.lower())
    for column in crawl.data:
        yield TableColumn(f"number_{column}" if column.lower() in taken else column, "number", is_nullable=True, meaning="")


def _page_cells(crawl: ExportedCrawl | None) -> Callable[[PageRow], Cells]:
    plain = attrgetter(*(column.name for column in columns_of(PageRow) if column.type != "map"))
    against = [verdict.value for verdict in AGAINST]
    extractors, data = (tuple(crawl.extractors), tuple(crawl.data)) if crawl else ((), ())

    def cells(row: PageRow) -> Cells:
        found = [_extractor_cell(row, extractor) for extractor in extractors]
        return (*plain(row), *(tuple(row.verdicts[name]) for name in against), *found, *(row.data.get(name) for name in data))

    return cells


def _extractor_cell(row: PageRow, extractor: Extractor) -> str | int | None:
    """Return the cell of an extractor on a page: its values, or the number of matches if it counts; None without a result."""
    found = row.extracted.get(extractor.name)
    if found is None:
        return None
    return found.count if extractor.counts else " | ".join(found.values)
