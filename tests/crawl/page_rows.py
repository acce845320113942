"""Rows of the pages of a crawl, the same for the same site whatever order its URLs were found in."""

from collections.abc import Iterator

from msgspec import structs
from sqlalchemy import Connection

from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import PageSelection
from findable.crawl.state import CrawlState
from findable.store.page_lists import PageLists


def page_rows(connection: Connection, state: CrawlState) -> Iterator[PageRow]:
    """Yield the rows of all requested URLs, sorted and numbered by URL."""
    rows = sorted(PageLists(connection, state).each(PageSelection()), key=lambda row: row.url)
    return (structs.replace(row, n=number) for number, row in enumerate(rows, 1))
