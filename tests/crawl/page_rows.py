"""Rows of the pages of a crawl, the same for the same site whatever order its URLs were found in."""

from collections.abc import Iterator

from msgspec import structs
from sqlalchemy import Connection, select

from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import PageSelection
from findable.crawl.record import PageRecord
from findable.crawl.state import CrawlState
from findable.store.crawl_schema import RECORD, URL
from findable.store.crawl_store import CrawlStore
from findable.store.packed_pages import unpacked_record
from findable.store.page_lists import PageLists


def page_rows(connection: Connection, state: CrawlState) -> Iterator[PageRow]:
    """Yield the rows of all requested URLs, sorted and numbered by URL."""
    rows = sorted(PageLists(connection, state).each(PageSelection()), key=lambda row: row.url)
    return (structs.replace(row, n=number) for number, row in enumerate(rows, 1))


def record_of(store: CrawlStore, url: str) -> PageRecord | None:
    """Return the record of a URL; None if it was not requested."""
    with store.reading() as connection:
        found = connection.execute(select(RECORD.c.record).join(URL, URL.c.id == RECORD.c.id).where(URL.c.url == url)).scalar()
    return None if found is None else unpacked_record(found, PageRecord)
