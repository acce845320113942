"""Links to places on other pages of a settled crawl, as raw data (a root) for site checks."""

from array import array
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_places import CrawledPlaces, MissingPlace
from findable.capture.status_classes import OK
from findable.crawl.places import has_place
from findable.crawl.site.counted import Counted
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.limits import MAX_PLACES
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


class _Links(Counted[str]):
    """URLs of the pages with a link to one place."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url


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
        found, is_cut = self._links()
        links_count = missing_links_count = 0
        missing = []
        for key, keys in self._known_places(found):
            for fragment, links in found[key].items():
                links_count += links.count
                if not has_place(keys, fragment):
                    missing_links_count += links.count
                    missing.append(MissingPlace(f"{links.url}#{fragment}", links.count, tuple(links.first)))
        missing.sort(key=lambda item: (-item.pages_count, item.url))
        return CrawledPlaces(links_count, tuple(missing[:LIST_LIMIT]), len(missing), missing_links_count, is_cut)

    def _pages(self) -> Any:
        joined = PAGES.join(RECORD, WITH_RECORD)
        return select(URL.c.key, RECORD.c.record).select_from(joined).where(PAGE.c.is_html, PAGE.c.status == OK)

    def _links(self) -> tuple[dict[int, dict[str, _Links]], bool]:
        """Return the links by key of the page with the place and by fragment, and whether some were left out."""
        found: dict[int, dict[str, _Links]] = {}
        left = MAX_PLACES
        for row in rows_in(self._connection, self._pages().order_by(PAGE.c.id), PAGE.c.id, sorted(self._linking)):
            page = unpacked_record(row.record, _PlaceLinks)
            for url, fragment in page.place_links:
                places = found.setdefault(url_key(url), {})
                if fragment not in places:
                    if not left:
                        return found, True
                    left -= 1
                    places[fragment] = _Links(url)
                places[fragment].add(page.url)
        return found, False

    def _known_places(self, keys: dict[int, dict[str, _Links]]) -> Iterator[tuple[int, bytes]]:
        """Yield (key, names of places) of those pages whose places are known."""
        for row in rows_in(self._connection, self._pages(), URL.c.key, sorted(keys)):
            page = unpacked_record(row.record, _Places)
            if page.places is not None and not page.refresh:
                yield row.key, page.places
