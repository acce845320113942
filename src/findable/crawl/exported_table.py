"""Tables of a crawl as typed columns with a stream of cells, which files of every format and questions read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any

from msgspec import Struct

from findable.crawl.extractors import Extractor
from findable.crawl.page_columns import PageRow
from findable.crawl.tables import TableColumn, columns_of
from findable.formats.number_tables import DAY_COLUMNS
from findable.reports.reported_finding import AGAINST
from findable.values import batches_of

STACKED = (
    TableColumn("crawl", "text", is_nullable=False, meaning="Id of the crawl in a service, or name of its file."),
    TableColumn("crawled_at", "time", is_nullable=True, meaning="Time at which the crawl started."),
)
"""First columns of every exported table, so that rows of several crawls can be stacked."""
VERDICT_COLUMNS = tuple(
    TableColumn(
        verdict.value, "list of texts", is_nullable=True, meaning=f"Ids of the checks that {verdict.value}; null if none was asked."
    )
    for verdict in AGAINST
)
"""Columns of pages instead of the map of verdicts."""
BATCH_ROWS = 1000
Cells = tuple[Any, ...]
Batch = Sequence[Sequence[Any]]
"""Rows as the cells of each column."""
_Read = Callable[[Any], Any]
"""Function that returns the cell of a row in one column."""


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
    batches: Iterable[Batch]

    @property
    def rows(self) -> Iterator[Cells]:
        """Cells row by row."""
        return chain.from_iterable(zip(*batch, strict=True) for batch in self.batches)


def in_batches(rows: Iterable[Cells]) -> Iterator[Batch]:
    """Yield the cells of rows in batches of BATCH_ROWS."""
    return (list(zip(*part, strict=True)) for part in batches_of(rows, BATCH_ROWS))


def table_of(name: str, row: type[Struct], rows: Iterable[Struct], crawl: ExportedCrawl | None = None) -> ExportedTable:
    """Return a table to write; with the first columns STACKED if it belongs to a crawl."""
    columns = dict(_columns(row, crawl))
    batches = ([list(map(read, part)) for read in columns.values()] for part in batches_of(rows, BATCH_ROWS))
    return table_of_batches(name, tuple(columns), batches, crawl)


def table_of_batches(
    name: str, columns: tuple[TableColumn, ...], batches: Iterable[Batch], crawl: ExportedCrawl | None = None
) -> ExportedTable:
    """Return a table to write, like `table_of`, from the cells of its columns."""
    first: Cells = (crawl.name, crawl.started_at) if crawl else ()
    texts = [column.type == "text" for column in columns]

    def completed() -> Iterator[Batch]:
        for batch in batches:
            stacked = [[cell] * len(batch[0]) for cell in first]
            yield [*stacked, *([cell or None for cell in cells] if text else cells for cells, text in zip(batch, texts, strict=True))]

    return ExportedTable(name, (*STACKED, *columns) if crawl else columns, completed())


def file_columns(row: type[Struct]) -> tuple[TableColumn, ...]:
    """Return the columns of a type of rows in files: maps become columns."""
    return tuple(column for column, _ in _columns(row, None))


def _columns(row: type[Struct], crawl: ExportedCrawl | None) -> Iterator[tuple[TableColumn, _Read]]:
    """Yield the columns, with those of extractors and uploaded numbers; names of other columns get a prefix."""
    plain = [column for column in columns_of(row) if column.type != "map"]
    yield from ((column, attrgetter(column.name)) for column in plain)
    if row is not PageRow:
        return
    yield from ((column, partial(_verdict_cell, column.name)) for column in VERDICT_COLUMNS)
    taken = {column.name for column in (*STACKED, *plain, *VERDICT_COLUMNS)}
    for extractor in crawl.extractors if crawl else ():
        name = _free_name(extractor.name, "extracted_", taken)
        column = TableColumn(name, "integer" if extractor.counts else "text", is_nullable=True, meaning="")
        yield column, partial(_extractor_cell, extractor)
    for number in crawl.data if crawl else ():
        name = _free_name(number, "number_", taken)
        yield TableColumn(name, "text" if number in DAY_COLUMNS else "number", is_nullable=True, meaning=""), partial(_number_cell, number)


def _free_name(name: str, prefix: str, taken: set[str]) -> str:
    """Return the name of a column, after as many prefixes as make it unique, and add it to the taken ones (in lower case)."""
    while name.lower() in taken:
        name = f"{prefix}{name}"
    taken.add(name.lower())
    return name


def _verdict_cell(verdict: str, row: PageRow) -> tuple[str, ...] | None:
    return tuple(row.verdicts[verdict]) if row.checks_asked else None


def _number_cell(name: str, row: PageRow) -> float | str | None:
    return row.data.get(name)


def _extractor_cell(extractor: Extractor, row: PageRow) -> str | int | None:
    """Return the cell of an extractor on a page: its values, or the number of matches if it counts; None without a result."""
    found = row.extracted.get(extractor.name)
    if found is None:
        return None
    return found.count if extractor.counts else " | ".join(found.values)
