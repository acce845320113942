"""Reachability of the pages of a settled crawl, as raw data (a root) for site checks: clicks and link texts."""

from collections.abc import Iterator

from msgspec.structs import replace
from sqlalchemy import Connection, select

from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_reach import CrawledReach
from findable.crawl.redirect_chains import chain_of
from findable.crawl.site.reach import LinkTexts, generic_links, reach_by_clicks
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
        (clicks, deepest), start = reach_by_clicks(self._clicks()), self.start_page
        generic, judged_count = self._link_texts().generic_only(self._linked_pages())
        return replace(
            clicks,
            start=start if start is not None and start.url else None,
            deepest=self._path_to(deepest) if deepest else (),
            generic_links=tuple(generic_links(self.url_row(number).url, self.sources(number)) for number in generic[:LIST_LIMIT]),
            generic_links_count=len(generic),
            judged_links_count=judged_count,
            unread_count=len(self._unread),
            unread=tuple(self._unread[:URL_LIMIT]),
        )

    # --- clicks

    def _clicks(self) -> Iterator[tuple[int, str, int, int]]:
        """Yield id, URL, sources and clicks of the indexable pages that can be reached, those with the most clicks first."""
        columns = (URL.c.id, URL.c.url, URL.c.found_by, SETTLED.c.depth)
        chosen = select(*columns).select_from(SETTLED_PAGES).where(*INDEXABLE, SETTLED.c.depth >= 0, self.not_endless)
        yield from stream_rows(self._connection, chosen.order_by(SETTLED.c.depth.desc(), URL.c.url))

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

    def _link_texts(self) -> LinkTexts:
        """Return the texts of the followed links to each URL, from one pass over the blocks of links."""
        size = self._connection.execute(select(URL.c.id).order_by(URL.c.id.desc()).limit(1)).scalar_one() + 1
        anchors = self._connection.execute(select(ANCHOR.c.id, ANCHOR.c.text)).yield_per(AT_ONCE)
        texts = LinkTexts(size, anchors)
        on_pages = select(BLOCK.c.links).join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
        for (links,) in stream_rows(self._connection, on_pages):
            texts.add(*link_columns(links))
        return texts

    def _linked_pages(self) -> Iterator[tuple[int, str]]:
        """Yield ids and URLs of the indexable pages with links, without the start page, the highest link score first."""
        chosen = select(PAGE.c.id, URL.c.url).select_from(SETTLED_PAGES).where(*INDEXABLE, URL.c.url != self._state.settings.start_url)
        ranked = chosen.where(SETTLED.c.inlinks > 0).order_by(SETTLED.c.link_score.desc(), URL.c.url)
        yield from self._connection.execute(ranked).yield_per(AT_ONCE)
