"""Files with the tables of a crawl, streamed: one table, or all of them in one file or a folder."""

from collections.abc import Iterator

from msgspec import Struct

from findable.crawl.page_selection import PageSelection
from findable.crawl.state import CrawlState
from findable.crawl.tables import CrawlTable
from findable.export.sitemap_file import sitemap_xml
from findable.export.table_files import TableFormat, all_in_one, files_of, table_file
from findable.store.crawl_store import CrawlStore
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.store.table_exports import TableExports


class TableChoice(Struct, frozen=True):
    """Tables to export, and their format."""

    format_: TableFormat
    table: CrawlTable | None = None
    """One table; None for all."""
    selection: PageSelection = PageSelection()
    without: frozenset[CrawlTable] = frozenset()
    """Tables that are left out of all."""


def exported_file(store: CrawlStore, state: CrawlState, name: str, choice: TableChoice, data: DataColumns = NO_DATA) -> Iterator[bytes]:
    """Yield the pieces of a file with one or all tables. The store must stay open; ``name`` is the value of the column `crawl`."""
    with store.reading() as connection:
        exports = TableExports(connection, state, name, data)
        if choice.table is None:
            yield from all_in_one(exports.each(choice.without), choice.format_)
        elif choice.table is CrawlTable.SITEMAP_XML:
            yield from sitemap_xml(exports.pages(choice.selection))
        else:
            yield from table_file(exports.table(choice.table, choice.selection), choice.format_)


def exported_files(store: CrawlStore, state: CrawlState, name: str, format_: TableFormat) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the names and pieces of files with all tables, which must be read one after the other."""
    with store.reading() as connection:
        yield from files_of(TableExports(connection, state, name).each(), format_)
