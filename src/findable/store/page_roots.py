"""Roots of the pages of a settled crawl: their place among the other pages, without their markup."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, and_, func, select

from findable.capture.crawl import CrawlSummary, PageInCrawl
from findable.capture.site_graph import URLS_LISTED
from findable.crawl.clusters import MAX_LANGUAGES, cluster_keys
from findable.crawl.record import OK
from findable.crawl.settle import NOWHERE, chain_of
from findable.crawl.sketches import similarity
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import FoundBy, without_page_number, without_version
from findable.crawl.varints import unpack_sorted
from findable.formats.zstd import zstd
from findable.store.crawl_frontier import parts
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_roots import alternates_of
from findable.store.crawl_schema import BLOCK, BLOCK_PAGES, INLINKS, PAGE, SETTLED, URL
from findable.store.crawl_settling import StoredTexts
from findable.store.crawl_store import links_of
from findable.values import once

COMPARED_PAGES = 50
"""Size of a group of near duplicates up to which each page is compared with the first others; in larger groups with two."""
_LINKED = FoundBy.LINK | FoundBy.START


class PlacedPage(Struct, frozen=True):
    """Place of a page in its site, and its verdicts so far."""

    number: int
    page: PageInCrawl
    """Page with a path from the home page of the right length but without URLs: see `PageRoots.with_path`."""
    verdicts: bytes


class _Told(Struct, frozen=True):
    """Part of a record that its place needs."""

    title: str = ""
    description: str = ""
    verdicts: bytes = b""


class _Equals(Struct, frozen=True):
    """Pages with one value."""

    numbers: tuple[int, ...]
    urls: tuple[str, ...]
    """URLs in alphabetical order."""
    keys: tuple[str, ...]
    """Keys of `cluster_keys`: pages with one key are no duplicates of each other."""
    counts: Mapping[str, int]

    def others(self, place: int, most: int = URLS_LISTED) -> list[int]:
        """Return the positions of the first pages with the same value as the page at this position."""
        own = self.keys[place]
        return list(islice((other for other, key in enumerate(self.keys) if key != own), most))

    def others_count(self, place: int) -> int:
        """Return the number of these pages."""
        return len(self.keys) - self.counts[self.keys[place]]


Places = Mapping[int, tuple[_Equals, int]]
"""Groups of pages, and the place of the page in its group, by number."""


class PageRoots(CrawlReading):
    """Makes the roots of the indexable pages of one crawl.

    Args:
        connection: for reading.
        state: of the crawl.
        summary: of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState, summary: CrawlSummary) -> None:
        super().__init__(connection, state)
        self._summary = summary
        self._depths: array[int] = array("i")
        self._parents: dict[int, int] = {}
        self._texts = StoredTexts(connection)

    def each(self) -> Iterator[PlacedPage]:
        """Yield the indexable pages in order of their numbers."""
        titles = self._equals(PAGE.c.title, _without_page_and_version)
        descriptions = self._equals(PAGE.c.description, _without_page_and_version)
        texts = self._equals(PAGE.c.text, without_version)
        similar = self._equals(SETTLED.c.similar, without_version)
        columns = (PAGE.c.id, PAGE.c.record, URL.c.url, URL.c.found_by, SETTLED.c.depth, SETTLED.c.inlinks)
        joined = PAGE.join(URL, URL.c.id == PAGE.c.id).join(SETTLED, SETTLED.c.id == PAGE.c.id)
        chosen = select(*columns).select_from(joined).where(PAGE.c.is_html, PAGE.c.reason == "").order_by(PAGE.c.id)
        for row in self._connection.execute(chosen).yield_per(AT_ONCE):
            told = msgspec.msgpack.decode(zstd.decompress(row.record), type=_Told)
            same_title, titles_count = _shared(titles, row.id)
            same_description, descriptions_count = _shared(descriptions, row.id)
            same_text, texts_count = _shared(texts, row.id)
            page = PageInCrawl(
                url=row.url,
                status=OK,
                title=told.title,
                description=told.description,
                pages_count=self._summary.pages_count,
                depth=row.depth,
                found_by=_found_by(row.found_by),
                inlinks_count=row.inlinks,
                path_from_home=("",) * (row.depth + 1) if row.depth != NOWHERE else (),
                same_title=same_title,
                same_title_count=titles_count,
                same_description=same_description,
                same_description_count=descriptions_count,
                same_text=same_text,
                same_text_count=texts_count,
                similar_text=() if same_text else self._similar(similar, row.id),
                is_complete=self._summary.is_complete,
            )
            yield PlacedPage(row.id, page, told.verdicts)

    def with_path(self, placed: PlacedPage) -> PageInCrawl:
        """Return the page with the URLs of a shortest path of links from the home page: of several the first in order of URLs."""
        if not placed.page.path_from_home:
            return placed.page
        path = [placed.number]
        while self._depth_of(path[-1]) > 0 and (parent := self._parent_of(path[-1])):
            path.append(parent)
        urls = {row.id: row.url for row in self._connection.execute(select(URL.c.id, URL.c.url).where(URL.c.id.in_(path)))}
        return replace(placed.page, path_from_home=tuple(urls[number] for number in reversed(path)))

    # --- equal values

    def _equals(self, column: Any, folded: Callable[[str], str]) -> Places:
        """Return groups of indexable pages of one language with the same value."""
        joined = PAGE.join(SETTLED, SETTLED.c.id == PAGE.c.id)
        is_meant = and_(PAGE.c.is_html, PAGE.c.reason == "", column != 0)
        grouped = select(column.label("value"), PAGE.c.lang.label("language")).select_from(joined).where(is_meant)
        several = grouped.group_by(column, PAGE.c.lang).having(func.count() > 1).subquery()
        both = joined.join(URL, URL.c.id == PAGE.c.id).join(several, and_(several.c.value == column, several.c.language == PAGE.c.lang))
        chosen = select(PAGE.c.id, URL.c.url, several.c.value, several.c.language).select_from(both).where(is_meant)
        rows = self._connection.execute(chosen.order_by(several.c.value, several.c.language, URL.c.url)).yield_per(AT_ONCE)
        found: dict[int, tuple[_Equals, int]] = {}
        # The rows are read before further statements run on the connection.
        for _, members in groupby(rows.all(), key=lambda row: (row.value, row.language)):
            pages = list(members)
            by_url = cluster_keys((row.url for row in pages), self._alternates(pages), folded)
            counts = Counter(by_url.values())
            if len(counts) > 1:
                urls = tuple(row.url for row in pages)
                equals = _Equals(tuple(row.id for row in pages), urls, tuple(by_url[url] for url in urls), counts)
                found |= {row.id: (equals, place) for place, row in enumerate(pages)}
        return found

    def _alternates(self, pages: Sequence[Any]) -> dict[str, frozenset[str]]:
        if len(pages) > MAX_LANGUAGES:
            return {}
        chosen = select(URL.c.url, PAGE.c.record).join(PAGE, PAGE.c.id == URL.c.id).where(URL.c.id.in_([row.id for row in pages]))
        return {row.url: alternates_of(row.record) for row in self._connection.execute(chosen)}

    def _similar(self, groups: Places, number: int) -> tuple[tuple[str, float], ...]:
        """Return the first near duplicates of a page, with their similarity."""
        if number not in groups:
            return ()
        equals, place = groups[number]
        others = equals.others(place, URLS_LISTED if len(equals.urls) <= COMPARED_PAGES else 2)
        own = self._texts.shingles_of(number)
        shares = (similarity(own, self._texts.shingles_of(equals.numbers[other])) for other in others)
        return tuple((equals.urls[other], round(share, 3)) for other, share in zip(others, shares, strict=True))

    # --- paths

    def _depth_of(self, number: int) -> int:
        if not self._depths:
            rows = self._connection.execute(select(SETTLED.c.id, SETTLED.c.depth).order_by(SETTLED.c.id)).all()
            self._depths = array("i", [NOWHERE]) * (rows[-1].id + 1 if rows else 1)
            for row in rows:
                self._depths[row.id] = row.depth
        return self._depths[number]

    def _parent_of(self, number: int) -> int:
        """Return the page before this one on a shortest path: of several the one whose URL comes first; 0 for none."""
        if number not in self._parents:
            nearer = self._depth_of(number) - 1
            behind = self._redirects_by_end.get(number, [])
            sources = {*behind, *(page for target in (number, *behind) for page in self._linking_to(target))}
            self._parents[number] = self._first([page for page in sources if self._depth_of(page) == nearer])
        return self._parents[number]

    @once
    def _redirects_by_end(self) -> dict[int, list[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for number in self._redirects:
            found[chain_of(number, self._redirects.get)[0][-1]].append(number)
        return found

    def _linking_to(self, target: int) -> Iterator[int]:
        """Yield the pages with a followed link to a URL."""
        data = self._connection.execute(select(INLINKS.c.blocks).where(INLINKS.c.target == target)).scalar()
        for block in unpack_sorted(data or b""):
            chosen = select(BLOCK.c.links, BLOCK_PAGES.c.pages).join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
            row = self._connection.execute(chosen.where(BLOCK.c.id == block)).one()
            if any(url == target and not nofollow for url, _, nofollow in links_of(row.links)):
                yield from unpack_sorted(row.pages)

    def _first(self, numbers: Sequence[int]) -> int:
        found: list[tuple[str, int]] = []
        for part in parts(numbers):
            row = self._connection.execute(select(URL.c.url, URL.c.id).where(URL.c.id.in_(part)).order_by(URL.c.url).limit(1)).one()
            found.append((row.url, row.id))
        return min(found)[1] if found else 0


def _shared(groups: Places, number: int) -> tuple[tuple[str, ...], int]:
    """Return the first other pages with the same value, and how many there are."""
    if number not in groups:
        return (), 0
    equals, place = groups[number]
    return tuple(equals.urls[other] for other in equals.others(place)), equals.others_count(place)


def _without_page_and_version(url: str) -> str:
    return without_version(without_page_number(url))


def _found_by(ways: int) -> str:
    """Return the way in which a page was found, a link before others."""
    found = FoundBy(ways)
    return "link" if found & _LINKED else found.names[0] if found.names else "link"
