"""Reachability of the pages of a settled crawl, as raw data (a root) for site checks: clicks and link texts."""

from collections import Counter

from sqlalchemy import Connection, select

from findable.artifacts.tables.wordings import GENERIC_ANCHORS, file_words, fold
from findable.capture.crawl import Group
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_reach import DEEP_FROM_CLICKS, CrawledReach, GenericLinks
from findable.crawl.found_by import FoundBy
from findable.crawl.page_numbers import without_page_number
from findable.crawl.redirect_chains import chain_of
from findable.crawl.site.counted import CountedPages
from findable.crawl.site_sections import Sections
from findable.crawl.state import CrawlState
from findable.crawl.varints import unpack_sorted
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_schema import (
    ANCHOR,
    BLOCK,
    BLOCK_PAGES,
    INDEXABLE,
    PAGE,
    SETTLED,
    SETTLED_PAGES,
    URL,
)
from findable.store.dialect import stream_rows
from findable.store.packed_pages import link_columns, links_of
from findable.store.record_pass import PassedPage
from findable.store.rows_by_id import rows_in
from findable.values import once

_GENERIC = frozenset().union(*GENERIC_ANCHORS.values())
_GENERIC_SEEN, _OTHER_SEEN = 1, 2


class ReachRoots(CrawlReading):
    """Computes `CrawledReach` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._unread: list[str] = []
        """Pages whose links are unknown."""

    def add(self, page: PassedPage) -> None:
        """Read whether the links of a page are known; those of pages built by scripts are not."""
        if (page.record.is_shell or page.record.is_unread) and not page.blocks:
            self._unread.append(page.url)

    def reach(self) -> CrawledReach:
        """Return the reachability of the site's pages."""
        generic, judged_count = self._generic_links()
        sections, start = Sections(), self.start_page
        by_clicks, deep, listed, deepest = self._deep(sections)
        return CrawledReach(
            start=start if start is not None and start.url else None,
            by_clicks=by_clicks,
            deep=deep,
            deep_listed=listed,
            far=tuple(sections.far()),
            deepest=self._path_to(deepest) if deepest else (),
            generic_links=tuple(self._generic(number) for number in generic[:LIST_LIMIT]),
            generic_links_count=len(generic),
            judged_links_count=judged_count,
            unread_count=len(self._unread),
            unread=tuple(self._unread[:URL_LIMIT]),
        )

    # --- clicks

    def _deep(self, sections: Sections) -> tuple[tuple[tuple[int, int], ...], Group | None, Group | None, int]:
        """Return the pages by number of clicks, the deep pages, the deep pages in a sitemap, and the highest number of clicks."""
        columns = (URL.c.id, URL.c.url, URL.c.found_by, SETTLED.c.depth)
        chosen = select(*columns).select_from(SETTLED_PAGES).where(*INDEXABLE, SETTLED.c.depth >= 0, self.not_endless)
        by_clicks: Counter[int] = Counter()
        deep, listed = CountedPages(), CountedPages()
        deepest = most = 0
        for number, url, found_by, depth in stream_rows(self._connection, chosen.order_by(SETTLED.c.depth.desc(), URL.c.url)):
            if without_page_number(url) != url:
                continue
            by_clicks[depth] += 1
            is_listed = bool(found_by & int(FoundBy.SITEMAP))
            sections.add(url, depth, is_listed=is_listed)
            if depth < DEEP_FROM_CLICKS:
                continue
            if depth > most:
                most, deepest = depth, number
            deep.add(url)
            if is_listed:
                listed.add(url)
        return tuple(sorted(by_clicks.items())), deep.as_group("deep"), listed.as_group("deep_listed"), deepest

    def _path_to(self, number: int) -> tuple[str, ...]:
        """Return a shortest path of followed links to a page."""
        path = [number]
        depth = self._connection.execute(select(SETTLED.c.depth).where(SETTLED.c.id == number)).scalar_one()
        while depth > 0:
            depth -= 1
            before = self._page_with_link_to(path[0], depth)
            if before is None:
                break
            path.insert(0, before)
        return tuple(self.url_row(page).url for page in path)

    def _page_with_link_to(self, number: int, depth: int) -> int | None:
        """Return a page of a depth with a followed link to a URL, or to one that redirects to it; None if there is none."""
        of_depth = select(SETTLED.c.id).where(SETTLED.c.depth == depth).order_by(SETTLED.c.id)
        for target in (number, *self._redirecting.get(number, ())):
            for block in self.blocks_linking_to(target):
                row = self._connection.execute(
                    select(BLOCK.c.links, BLOCK_PAGES.c.pages)
                    .join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
                    .where(BLOCK.c.id == block)
                ).one()
                if any(url == target and not nofollow for url, _, nofollow in links_of(row.links)):
                    found = next(rows_in(self._connection, of_depth, SETTLED.c.id, unpack_sorted(row.pages)), None)
                    if found is not None:
                        return int(found.id)
        return None

    @once
    def _redirecting(self) -> dict[int, list[int]]:
        """Ids of the URLs that redirect, by the id of the end of their chain."""
        found: dict[int, list[int]] = {}
        for number in sorted(self._redirects):
            found.setdefault(chain_of(number, self._redirects.get)[0][-1], []).append(number)
        return found

    # --- link texts

    def _texts_of_links(self) -> bytearray:
        """Return the kinds of texts of the followed links to each URL, by its id, from one pass over the blocks of links."""
        size = self._connection.execute(select(URL.c.id).order_by(URL.c.id.desc()).limit(1)).scalar_one() + 1
        generic, empty = self._anchors()
        texts = bytearray(size)
        on_pages = select(BLOCK.c.links).join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
        for (links,) in stream_rows(self._connection, on_pages):
            for target, anchor, nofollow in zip(*link_columns(links), strict=True):
                if not nofollow and anchor not in empty:
                    texts[target] |= _GENERIC_SEEN if anchor in generic else _OTHER_SEEN
        return texts

    def _anchors(self) -> tuple[frozenset[int], frozenset[int]]:
        """Return the numbers of generic and of empty link texts."""
        generic, empty = set(), set()
        for row in self._connection.execute(select(ANCHOR.c.id, ANCHOR.c.text)).yield_per(AT_ONCE):
            if not row.text.strip():
                empty.add(row.id)
            elif fold(row.text) in _GENERIC:
                generic.add(row.id)
        return frozenset(generic), frozenset(empty)

    def _generic_links(self) -> tuple[list[int], int]:
        """Return the indexable pages whose followed inbound links all have generic texts, and the number of pages with any link text."""
        marks = self._texts_of_links()
        chosen = select(PAGE.c.id, URL.c.url).select_from(SETTLED_PAGES).where(*INDEXABLE, URL.c.url != self._state.settings.start_url)
        ranked = chosen.where(SETTLED.c.inlinks > 0).order_by(SETTLED.c.link_score.desc(), URL.c.url)
        named = [row for row in self._connection.execute(ranked) if marks[row.id]]
        generic = [row.id for row in named if marks[row.id] == _GENERIC_SEEN and file_words(row.url) not in _GENERIC]
        return generic, len(named)

    def _generic(self, number: int) -> GenericLinks:
        sources = tuple(source for source in self.sources(number) if not source.nofollow and source.anchor_text.strip())
        texts = tuple(dict.fromkeys(source.anchor_text for source in sources))
        return GenericLinks(self.url_row(number).url, texts[:URL_LIMIT], sources[:URL_LIMIT])
