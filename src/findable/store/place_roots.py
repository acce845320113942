"""Links to places on other pages of a settled crawl, as raw data (a root) for site checks."""

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from findable.capture.site_places import CrawledPlaces
from findable.capture.status_classes import OK
from findable.crawl.site.missing_places import crawled_places
from findable.crawl.state import CrawlState
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import PAGE, PAGES, RECORD, URL, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.store.record_pass import PassedPage
from findable.store.rows_by_id import rows_in


class _PlaceLinks(Struct, frozen=True):
    """Part of a record that contains links to places."""

    url: str
    place_links: tuple[tuple[str, str], ...] = ()


class _Places(Struct, frozen=True):
    """Part of a record that contains the names of places."""

    refresh: str = ""
    places: bytes | None = None


class PlaceRoots(CrawlReading):
    """Computes `CrawledPlaces` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._linking = array("i")
        """Pages with links to places on other pages."""

    def add(self, page: PassedPage) -> None:
        """Note whether a page has links to places."""
        if page.record.place_links:
            self._linking.append(page.number)

    def places(self) -> CrawledPlaces:
        """Return the links to places on other pages."""
        return crawled_places(self._linking_pages(), self._known_places)

    def _pages(self) -> Any:
        joined = PAGES.join(RECORD, WITH_RECORD)
        return select(URL.c.key, RECORD.c.record).select_from(joined).where(PAGE.c.is_html, PAGE.c.status == OK)

    def _linking_pages(self) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        """Yield (URL, links to places) of pages."""
        for row in rows_in(self._connection, self._pages().order_by(PAGE.c.id), PAGE.c.id, sorted(self._linking)):
            page = unpacked_record(row.record, _PlaceLinks)
            yield page.url, page.place_links

    def _known_places(self, keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield (key, names of places) of those pages whose places are known."""
        for row in rows_in(self._connection, self._pages(), URL.c.key, keys):
            page = unpacked_record(row.record, _Places)
            if page.places is not None and not page.refresh:
                yield row.key, page.places
