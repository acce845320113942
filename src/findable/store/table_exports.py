"""Tables of a crawl with their rows, to be written as files."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection

from findable.crawl.exported_table import ExportedCrawl, ExportedTable, table_of
from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import PageSelection
from findable.crawl.state import CrawlState
from findable.crawl.tables import AboutRow, CrawlTable
from findable.store.crawl_tables import CrawlTables
from findable.store.crawl_url_data import NO_DATA, DataColumns

AFTER_CRAWL = "after the crawl"
SO_FAR = "so far: the crawl is running"


class TableExports:
    """Exports the tables of one crawl.

    Args:
        connection: connection for reading.
        state: state of the crawl.
        name: value of the column `crawl`.
        data: uploaded metrics of its pages.
    """

    def __init__(self, connection: Connection, state: CrawlState, name: str, data: DataColumns = NO_DATA) -> None:
        started_at = datetime.fromisoformat(state.started_at) if state.started_at else None
        self._state = state
        self._crawl = ExportedCrawl(name, started_at, state.settings.extractors, tuple(data.columns))
        self._tables = CrawlTables(connection, state, data)

    def table(self, table: CrawlTable, selection: PageSelection) -> ExportedTable:
        """Return one table."""
        return self.of_rows(table, self._tables.rows(table, selection))

    def pages(self, selection: PageSelection) -> Iterator[PageRow]:
        """Yield the rows of the pages of a selection."""
        return self._tables.pages(selection)

    def of_rows(self, table: CrawlTable, rows: Iterable[Struct]) -> ExportedTable:
        """Return a table with other rows, such as the changes since an earlier crawl."""
        return table_of(table.value, table.row, rows, self._crawl)

    def each(self, without: Collection[CrawlTable] = ()) -> Iterator[ExportedTable]:
        """Yield all tables, then a table about them. While the crawl runs, tables that need its end are left out."""
        about: list[AboutRow] = []
        is_settled = self._state.phase.has_results
        for table in CrawlTable:
            if table in without or table is CrawlTable.SITEMAP_XML:
                continue
            rows = _Counted(self._tables.rows(table, PageSelection()))
            if is_settled or not table.needs_end:
                yield self.of_rows(table, rows)
                about.append(self._about(table, rows.count, None if is_settled else SO_FAR))
            else:
                about.append(self._about(table, None, AFTER_CRAWL))
        yield table_of("about", AboutRow, about, self._crawl)

    def _about(self, table: CrawlTable, count: int | None, note: str | None) -> AboutRow:
        ended_by = self._state.ended_by.value if self._state.ended_by else None
        meaning = " ".join((table.row.__doc__ or "").split())
        return AboutRow(table.value, count, note, meaning, self._state.settings.start_url, ended_by)


class _Counted:
    """Rows that are counted while they are read."""

    def __init__(self, rows: Iterable[Struct]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Struct]:
        for row in self._rows:
            self.count += 1
            yield row
