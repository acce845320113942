"""Tables of a crawl with their rows, to be written as files."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from msgspec import structs
from sqlalchemy import Connection

from findable.crawl.exported_table import Batch, ExportedCrawl, ExportedTable, file_columns, table_of, table_of_batches
from findable.crawl.page_selection import PageSelection
from findable.crawl.state import CrawlState
from findable.crawl.tables import AboutRow, CrawlTable
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.store.table_rows import CrawlTables

AFTER_CRAWL = "after the crawl"
SO_FAR = "so far: the crawl is running"


class TableExports(CrawlTables):
    """Exports the tables of one crawl.

    Args:
        connection: connection for reading.
        state: state of the crawl.
        name: value of the column `crawl`.
        data: uploaded metrics of its pages.
    """

    def __init__(self, connection: Connection, state: CrawlState, name: str, data: DataColumns = NO_DATA) -> None:
        super().__init__(connection, state, data)
        started_at = datetime.fromisoformat(state.started_at) if state.started_at else None
        self._crawl = ExportedCrawl(name, started_at, state.settings.extractors, data.names)

    def table(self, table: CrawlTable, selection: PageSelection) -> ExportedTable:
        """Return one table."""
        if table is CrawlTable.LINKS:
            return table_of_batches(table.value, file_columns(table.row), self.link_cells(selection), self._crawl)
        return table_of(table.value, table.row, self.rows(table, selection), self._crawl)

    def each(self, without: Collection[CrawlTable] = ()) -> Iterator[ExportedTable]:
        """Yield all tables, then a table about them. While the crawl runs, tables that need its end are left out.

        Rows are counted while they are read: read each table before the next one.
        """
        about: list[AboutRow] = []
        is_settled = self._state.phase.has_results
        for table in CrawlTable:
            if table in without or table is CrawlTable.SITEMAP_XML:
                continue
            if is_settled or not table.needs_end:
                exported = self.table(table, PageSelection())
                counted = _Counted(exported.batches)
                yield structs.replace(exported, batches=counted)
                about.append(self._about(table, counted.rows, None if is_settled else SO_FAR))
            else:
                about.append(self._about(table, None, AFTER_CRAWL))
        yield table_of("about", AboutRow, about, self._crawl)

    def _about(self, table: CrawlTable, count: int | None, note: str | None) -> AboutRow:
        ended_by = self._state.ended_by.value if self._state.ended_by else None
        meaning = " ".join((table.row.__doc__ or "").split())
        return AboutRow(table.value, count, note, meaning, self._state.settings.start_url, ended_by)


class _Counted:
    """Batches whose rows are counted while they are read."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[Batch]:
        for batch in self._batches:
            self.rows += len(batch[0])
            yield batch
