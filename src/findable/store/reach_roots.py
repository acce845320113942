"""Reachability of the pages of a settled crawl, as raw data (a root) for site checks: clicks, inbound and outbound links, link texts."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, select

from findable.artifacts.tables.languages import GENERIC_ANCHORS, file_words, fold
from findable.capture.crawl import Group, Reason, Refusal
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_reach import DEEP_FROM_CLICKS, CrawledReach, GenericLinks, HiddenSources, StartPage
from findable.crawl.settle import chain_of, common_path
from findable.crawl.site_sections import Sections
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import FoundBy, looks_like_legal_page, page_number, without_page_number
from findable.crawl.varints import unpack, unpack_sorted
from findable.store.crawl_reading import AT_ONCE, Counted, CrawlReading
from findable.store.crawl_schema import (
    ANCHOR,
    BLOCK,
    BLOCK_PAGES,
    INDEXABLE,
    INLINKS,
    PAGE,
    SERIES,
    SETTLED,
    SETTLED_PAGES,
    URL,
)
from findable.store.dialect import stream_rows
from findable.store.packed_pages import link_columns, links_of
from findable.store.record_pass import PassedPage
from findable.values import once

MAX_HIDDEN_SOURCES = 50
"""Number of linking pages from which one of them is assumed to be indexable."""
_GENERIC = frozenset().union(*GENERIC_ANCHORS.values())
_GENERIC_SEEN, _OTHER_SEEN = 1, 2


class ReachRoots(CrawlReading):
    """Computes `CrawledReach` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._endless = frozenset(connection.execute(select(SERIES.c.id).where(SERIES.c.closed)).scalars())
        self._unread: list[str] = []
        """Pages whose links are unknown."""
        self._alone: defaultdict[int, list[str]] = defaultdict(list)
        """Pages without a link to another page of the site, by template."""

    def add(self, page: PassedPage) -> None:
        """Read whether a page has links to other pages of the site; those of pages built by scripts are unknown."""
        if page.record.is_shell or page.record.is_unread:
            if not page.blocks:
                self._unread.append(page.url)
        elif not page.reason and page.series not in self._endless and not looks_like_legal_page(page.url):
            alone = self._blocks.alone
            if all(alone.get(block, -1) in (0, page.number) for block in set(unpack(page.blocks))):
                self._alone[page.template].append(page.url)

    def reach(self) -> CrawledReach:
        """Return the reachability of the site's pages."""
        hidden = list(self._hidden_sources())
        generic, judged_count = self._generic_links()
        sections = Sections()
        by_clicks, deep, listed, deepest = self._deep(sections)
        return CrawledReach(
            indexable_count=self.count(*INDEXABLE),
            start=self._start() if self._state.settings.follows_links else None,
            by_clicks=by_clicks,
            deep=deep,
            deep_listed=listed,
            far=tuple(sections.far()),
            deepest=self._path_to(deepest) if deepest else (),
            dead_ends=tuple(self._dead_ends()),
            one_inlink=self._one_inlink(),
            hidden_sources=tuple(hidden[:LIST_LIMIT]),
            hidden_sources_count=len(hidden),
            generic_links=tuple(self._generic(number) for number in generic[:LIST_LIMIT]),
            generic_links_count=len(generic),
            judged_links_count=judged_count,
            unread_count=len(self._unread),
            unread=tuple(self._unread[:URL_LIMIT]),
        )

    def _one_inlink(self) -> Group | None:
        is_other = URL.c.url != self._state.settings.start_url
        return self.group("one_inlink", *INDEXABLE, SETTLED.c.inlinks == 1, is_other, self.not_endless)

    def _start(self) -> StartPage | None:
        row = self._start_row()
        if row is None:
            return None
        canonical = self.url_row(row.canonical).url if row.canonical else ""
        return StartPage(row.url, row.status, Reason(row.reason), canonical)

    def _start_row(self) -> Any:
        columns = (URL.c.id, URL.c.url, PAGE.c.status, PAGE.c.reason, PAGE.c.canonical)
        chosen = select(*columns).join(PAGE, PAGE.c.id == URL.c.id).where(URL.c.url == self._state.settings.start_url)
        return self._connection.execute(chosen).first()

    # --- clicks

    def _deep(self, sections: Sections) -> tuple[tuple[tuple[int, int], ...], Group | None, Group | None, int]:
        """Return the pages by number of clicks, the deep pages, the deep pages in a sitemap, and the highest number of clicks."""
        columns = (URL.c.id, URL.c.url, URL.c.found_by, SETTLED.c.depth)
        chosen = select(*columns).select_from(SETTLED_PAGES).where(*INDEXABLE, SETTLED.c.depth >= 0, self.not_endless)
        by_clicks: Counter[int] = Counter()
        deep, listed = Counted[str](), Counted[str]()
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
        return (
            tuple(sorted(by_clicks.items())),
            Group("deep", deep.count, tuple(deep.first)) if deep.count else None,
            Group("deep_listed", listed.count, tuple(listed.first)) if listed.count else None,
            deepest,
        )

    def _path_to(self, number: int) -> tuple[str, ...]:
        """Return a shortest path of followed links to a page."""
        path = [number]
        depth = self._depth_of(number)
        while depth > 0:
            before = [page for page in self._pages_with_link_to(path[0]) if self._depth_of(page) == depth - 1]
            if not before:
                break
            path.insert(0, min(before))
            depth -= 1
        return tuple(self.url_row(page).url for page in path)

    def _depth_of(self, number: int) -> int:
        return int(self._connection.execute(select(SETTLED.c.depth).where(SETTLED.c.id == number)).scalar_one())

    def _pages_with_link_to(self, number: int, most: int = LIST_LIMIT) -> list[int]:
        """Return the ids of pages with a followed link to a URL, or to one that redirects to it."""
        found: dict[int, None] = {}
        for target in (number, *self._redirecting.get(number, ())):
            data = self._connection.execute(select(INLINKS.c.blocks).where(INLINKS.c.target == target)).scalar()
            for block in unpack_sorted(data or b""):
                row = self._connection.execute(
                    select(BLOCK.c.links, BLOCK_PAGES.c.pages)
                    .join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
                    .where(BLOCK.c.id == block)
                ).one()
                if any(url == target and not nofollow for url, _, nofollow in links_of(row.links)):
                    found |= dict.fromkeys(page for page in unpack_sorted(row.pages) if page != number)
                if len(found) > most:
                    return list(found)
        return list(found)

    @once
    def _redirecting(self) -> dict[int, list[int]]:
        """Ids of the URLs that redirect, by the id of the end of their chain."""
        found: dict[int, list[int]] = {}
        for number in sorted(self._redirects):
            found.setdefault(chain_of(number, self._redirects.get)[0][-1], []).append(number)
        return found

    # --- links out

    def _dead_ends(self) -> Iterator[Group]:
        """Yield the pages without a link to another page of the site, by template."""
        for _, urls in sorted(self._alone.items(), key=lambda item: (-len(item[1]), item[1][0])):
            yield Group(common_path(url.partition("?")[0] for url in urls[:LIST_LIMIT]), len(urls), tuple(urls[:URL_LIMIT]))

    # --- links in

    def _hidden_sources(self) -> Iterator[HiddenSources]:
        """Yield the pages that only non-indexable pages link to. They have the lowest link score."""
        least = select(SETTLED.c.link_score).join(PAGE, PAGE.c.id == SETTLED.c.id).where(*INDEXABLE)
        score = self._connection.execute(least.order_by(SETTLED.c.link_score).limit(1)).scalar()
        start = self._state.settings.start_url
        chosen = select(URL.c.id, URL.c.url).select_from(SETTLED_PAGES)
        chosen = chosen.where(*INDEXABLE, SETTLED.c.link_score == score, URL.c.url != start)
        few = SETTLED.c.inlinks.between(1, MAX_HIDDEN_SOURCES)
        linked = self._blocks.linked
        for row in self._connection.execute(chosen.where(few).order_by(URL.c.url).limit(AT_ONCE)).all():
            if linked[row.id]:
                continue
            pages = self._pages_with_link_to(row.id)
            columns = (URL.c.url, PAGE.c.reason)
            sources = select(*columns).join(PAGE, PAGE.c.id == URL.c.id).where(URL.c.id.in_(pages)).order_by(URL.c.url)
            reasons = [(source.url, Reason(source.reason)) for source in self._connection.execute(sources)]
            # The check site-pagination-broken reports later pages of lists that declare the first one as canonical.
            lists = [url for url, reason in reasons if reason is Reason.CANONICAL and page_number(url) is not None]
            if reasons and not lists and all(reason for _, reason in reasons):
                yield HiddenSources(row.url, tuple(reasons[:URL_LIMIT]))

    @once
    def _blocks(self) -> "_LinkFacts":
        """Facts from one pass over the blocks of links, instead of thousands of queries for the sources of each URL."""
        size = self._connection.execute(select(URL.c.id).order_by(URL.c.id.desc()).limit(1)).scalar_one() + 1
        indexable, inside = bytearray(size), bytearray(size)
        for (number,) in stream_rows(self._connection, select(PAGE.c.id).where(*INDEXABLE)):
            indexable[number] = 1
        for (number,) in stream_rows(self._connection, select(URL.c.id).where(URL.c.refusal != Refusal.SCOPE.value)):
            inside[number] = 1
        ends = {number: chain_of(number, self._redirects.get)[0][-1] for number in self._redirects}
        found = _LinkFacts(size, inside, *self._anchors(), ends)
        chosen = select(BLOCK.c.id, BLOCK.c.links, BLOCK_PAGES.c.pages).join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
        for number, links, pages in stream_rows(self._connection, chosen):
            sources = list(islice((page for page in unpack_sorted(pages) if indexable[page]), 2))
            found.add(number, sources, *link_columns(links))
        return found

    def _anchors(self) -> tuple[frozenset[int], frozenset[int]]:
        """Return the numbers of generic and of empty link texts."""
        generic, empty = set(), set()
        for row in self._connection.execute(select(ANCHOR.c.id, ANCHOR.c.text)).yield_per(AT_ONCE):
            if not row.text.strip():
                empty.add(row.id)
            elif fold(row.text) in _GENERIC:
                generic.add(row.id)
        return frozenset(generic), frozenset(empty)

    # --- link texts

    def _generic_links(self) -> tuple[list[int], int]:
        """Return the indexable pages whose followed inbound links all have generic texts, and the number of pages with any link text."""
        marks = self._blocks.texts
        chosen = select(PAGE.c.id, URL.c.url).select_from(SETTLED_PAGES).where(*INDEXABLE, URL.c.url != self._state.settings.start_url)
        ranked = chosen.where(SETTLED.c.inlinks > 0).order_by(SETTLED.c.link_score.desc(), URL.c.url)
        named = [row for row in self._connection.execute(ranked) if marks[row.id]]
        generic = [row.id for row in named if marks[row.id] == _GENERIC_SEEN and file_words(row.url) not in _GENERIC]
        return generic, len(named)

    def _generic(self, number: int) -> GenericLinks:
        sources = tuple(source for source in self.sources(number) if not source.nofollow and source.anchor_text.strip())
        texts = tuple(dict.fromkeys(source.anchor_text for source in sources))
        return GenericLinks(self.url_row(number).url, texts[:URL_LIMIT], sources[:URL_LIMIT])


class _LinkFacts:
    """Facts about inbound and outbound links, collected from all blocks of links.

    Args:
        size: highest id of a URL, plus one.
        inside: whether each URL belongs to the site.
        generic: ids of generic link texts.
        empty: ids of empty link texts.
        ends: final URL of each redirecting URL.
    """

    def __init__(self, size: int, inside: bytearray, generic: frozenset[int], empty: frozenset[int], ends: Mapping[int, int]) -> None:
        self._inside = inside
        self._generic = generic
        self._empty = empty
        self._ends = ends
        self.linked = bytearray(size)
        """Marks of URLs to which a followed link of another indexable page leads, directly or by redirects."""
        self.texts = bytearray(size)
        """Kinds of texts of the followed links to each URL."""
        self.alone: dict[int, int] = {}
        """Id of the only URL of the site to which a block links, 0 for none; blocks with several are omitted."""

    def add(self, number: int, sources: Sequence[int], targets: Sequence[int], anchors: Sequence[int], nofollow: Sequence[bool]) -> None:
        """Record the links of a block. ``sources``: the first two indexable pages with the block."""
        inside = (target for target in targets if self._inside[target])
        first = next(inside, 0)
        if all(target == first for target in inside):
            self.alone[number] = first
        if any(nofollow):
            followed = [place for place, is_not in enumerate(nofollow) if not is_not]
            targets, anchors = [targets[place] for place in followed], [anchors[place] for place in followed]
        if sources:
            own = sources[0] if len(sources) == 1 else 0  # a link of the page to itself is not counted
            for target in {*targets, *(self._ends[target] for target in self._ends.keys() & targets)} - {own}:
                self.linked[target] = 1
        for target, anchor in zip(targets, anchors, strict=True):
            if anchor not in self._empty:
                self.texts[target] |= _GENERIC_SEEN if anchor in self._generic else _OTHER_SEEN
