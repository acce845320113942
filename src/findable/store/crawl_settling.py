"""Settle a finished crawl: build the reverse link index, and store link score, depth, template and near duplicate of each page.

It needs no network.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Table, delete, func, select

from findable.artifacts.html.landmarks import Region
from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.crawl.link_graph import SharedLinks, scale_scores
from findable.crawl.number_lists import NumberLists
from findable.crawl.redirect_chains import chain_of
from findable.crawl.templates import templates
from findable.crawl.varints import pack_sorted, unpack
from findable.formats.sketches import shingles, similar_groups, similarity
from findable.reports.site_areas import SiteArea
from findable.store.crawl_schema import BLOCK, BLOCK_PAGES, INLINKS, PAGE, RECORD, RECORDED_PAGES, REFRESHING, SETTLED, TEXT, URL
from findable.store.dialect import stream_rows, write_rows
from findable.store.packed_pages import link_columns, refresh_of, unpacked_page_text, unpacked_record
from findable.store.rows_by_id import parts
from findable.store.structure_reading import divided_urls
from findable.values import batches_of

WRITTEN_AT_ONCE = 5000


class _TemplateRecord(Struct, frozen=True):
    """Part of a record for templates and near duplicates."""

    shapes: tuple[int, ...] = ()
    types: tuple[str, ...] = ()
    sketch: bytes = b""


class _Targets(Struct, frozen=True):
    """Different targets of blocks."""

    followed: NumberLists
    """Targets of followed links, and the ends of redirects, which a click reaches too."""
    every: NumberLists
    """Targets of all links; the same lists if all are followed and none redirects."""
    content: NumberLists | None
    """Lists of `followed` for blocks in the main content of pages; None if no page declares its main content."""


class Settling:
    """Computes and stores link score, depth, templates and near duplicates of the pages of a crawl, in one transaction.

    Args:
        connection: connection to the store of the crawl, with an open transaction.
        home: id of the start page.
    """

    def __init__(self, connection: Connection, home: int) -> None:
        self._connection = connection
        self._home = home
        self._size = max(connection.execute(select(URL.c.id).order_by(URL.c.id.desc()).limit(1)).scalar() or 0, home) + 1
        rows = connection.execute(select(PAGE.c.id, PAGE.c.location).where(PAGE.c.location != 0))
        self._redirects = {row.id: row.location for row in rows}
        self._refreshes = self._refresh_targets()
        """Targets of pages that redirect by a refresh of 0 seconds."""

    def settle(self) -> tuple[tuple[SiteArea, ...], "array[int]"]:
        """Compute and store the values, replacing earlier ones.

        Return the areas of the site, whose numbers are stored for its URLs, and the previous page on a shortest path from the start page
        to each URL: of several, the one whose URL sorts first; 0 for none.
        """
        for table in (SETTLED, BLOCK_PAGES, INLINKS):
            self._connection.execute(delete(table))
        builds, similar_pages = self._builds()
        lists, ends, scored = self._lists_of_pages()
        pages = lists.inverted(1 + (self._connection.execute(select(func.max(BLOCK.c.id))).scalar() or 0))
        self._write(BLOCK_PAGES, ((block, pack_sorted(having)) for block, having in enumerate(pages) if having))
        targets = self._targets(pages)
        self._write(INLINKS, ((url, pack_sorted(blocks)) for url, blocks in enumerate(targets.every.inverted(self._size)) if blocks))
        followed = SharedLinks(targets.followed, lists, pages)
        linked = followed if targets.every is targets.followed else SharedLinks(targets.every, lists, pages)
        contents = repeat(None) if targets.content is None else SharedLinks(targets.content, lists, pages).inlinks
        clicks, parents = followed.paths(self._home, ends, self._ranks())
        scores = scale_scores(followed.scores(ends | scored))
        columns = zip(range(self._size), clicks, followed.inlinks, contents, linked.inlinks, scores, builds, strict=False)
        divided, areas = divided_urls(self._connection, builds)
        self._write(SETTLED, ((*row, similar_pages.get(row[0], 0), areas[row[0]]) for row in islice(columns, 1, None)))
        return divided, parents

    def _ranks(self) -> "array[int]":
        """Return the position of each URL in alphabetical order."""
        ranks = array("i", [0]) * self._size
        for rank, (number,) in enumerate(stream_rows(self._connection, select(URL.c.id).order_by(URL.c.url))):
            ranks[number] = rank
        return ranks

    def _lists_of_pages(self) -> tuple[NumberLists, dict[int, int], dict[int, int]]:
        """Return the blocks of each page, the URLs that lead to only one, and the pages whose links have no value.

        Such a page has its canonical page, 0 for none.
        """
        lists = NumberLists(self._size)
        ends, scored = dict(self._redirects), dict[int, int]()
        for number, packed, resources, reason, canonical in self._pages():
            lists[number] = list(dict.fromkeys((*unpack(packed), *unpack(resources))))
            ends.pop(number, None)
            if number in self._refreshes:
                ends[number] = self._refreshes[number]
            elif reason:
                scored[number] = canonical if reason == Reason.CANONICAL.value else 0
        return lists, ends, scored

    def _targets(self, pages: NumberLists) -> _Targets:
        """Return the targets of the blocks of pages."""
        followed = NumberLists(len(pages))
        every, content = NumberLists(len(pages), followed.numbers), NumberLists(len(pages), followed.numbers)
        are_all_followed, is_content_known = True, False
        chosen = select(BLOCK.c.id, BLOCK.c.links, BLOCK.c.landmark).order_by(BLOCK.c.id)
        for number, links, landmark in stream_rows(self._connection, chosen):
            is_content_known = is_content_known or landmark == Region.MAIN
            if pages.starts[number] == pages.ends[number]:
                continue
            found, reached = self._different_targets(links)
            followed[number] = sorted(reached)
            if found == reached:
                every.share(number, followed)
            else:
                every[number] = sorted(found)
                are_all_followed = False
            if landmark == Region.MAIN:
                content.share(number, followed)
        return _Targets(followed, followed if are_all_followed else every, content if is_content_known else None)

    def _different_targets(self, links: bytes) -> tuple[set[int], set[int]]:
        """Return the different targets of the links of a block, and those of its followed links with the ends of redirects."""
        targets, _, nofollow = link_columns(links)
        every = set(targets)
        followed = every if not any(nofollow) else {target for target, is_not in zip(targets, nofollow, strict=True) if not is_not}
        redirecting = followed & self._redirects.keys()
        if redirecting:
            followed = followed.union(chain_of(target, self._redirects.get)[0][-1] for target in redirecting)
        return every, followed

    def _pages(self) -> Iterator[Any]:
        """Yield the pages with their blocks of links, in order of their ids."""
        columns = (PAGE.c.id, RECORD.c.blocks, RECORD.c.resources, PAGE.c.reason, PAGE.c.canonical)
        chosen = select(*columns).select_from(RECORDED_PAGES).where(PAGE.c.is_html, PAGE.c.status == OK)
        return stream_rows(self._connection, chosen.order_by(PAGE.c.id))

    def _refresh_targets(self) -> dict[int, int]:
        rows = self._connection.execute(select(PAGE.c.id, RECORD.c.record).select_from(RECORDED_PAGES).where(*REFRESHING)).all()
        targets: dict[int, str] = {row.id: refresh_of(row.record) for row in rows}
        known: dict[str, int] = {}
        for part in parts(sorted(set(targets.values()))):
            known |= {row.url: row.id for row in self._connection.execute(select(URL.c.url, URL.c.id).where(URL.c.url.in_(part)))}
        return {number: known[url] for number, url in targets.items() if url in known}

    def _builds(self) -> tuple["array[int]", Mapping[int, int]]:
        """Return the template of each URL, and for each near duplicate the id of the first page of its group."""
        sketches: dict[int, bytes] = {}
        found = templates(self._structures(sketches))
        builds = array("i", (found.get(number, 0) for number in range(self._size)))
        del found  # before much is allocated for near duplicates
        return builds, self._similar(sketches)

    def _structures(self, sketches: dict[int, bytes]) -> Iterator[tuple[int, Sequence[int], Sequence[str]]]:
        """Yield the template features of pages; add the sketches of indexable pages, or for equal texts the sketch of the first page."""
        chosen = select(PAGE.c.id, PAGE.c.reason, PAGE.c.text, RECORD.c.record).select_from(RECORDED_PAGES)
        chosen = chosen.where(PAGE.c.is_html, PAGE.c.status == OK)
        seen = {0}
        for number, reason, text, record in stream_rows(self._connection, chosen.order_by(PAGE.c.id)):
            build = unpacked_record(record, _TemplateRecord)
            yield number, build.shapes, build.types
            if not reason and text not in seen:
                seen.add(text)
                if build.sketch:
                    sketches[number] = build.sketch

    def _similar(self, sketches: Mapping[int, bytes]) -> dict[int, int]:
        """Return for each near duplicate the id of the first page of its group."""
        texts = StoredTexts(self._connection)
        groups = similar_groups(sketches, lambda first, second: similarity(texts.shingles_of(first), texts.shingles_of(second)))
        return {number: members[0] for members in groups for number in members}

    def _write(self, table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
        statement = table.insert()
        for batch in batches_of(rows, WRITTEN_AT_ONCE):
            write_rows(self._connection, statement, table.c.keys(), batch)


class StoredTexts:
    """Shingles of the stored texts of pages; recently used ones are cached."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[int, frozenset[str]] = {}

    def shingles_of(self, number: int) -> frozenset[str]:
        """Return the shingles of the text of a page."""
        if number not in self._known:
            if len(self._known) >= MAX_CACHED_TEXTS:
                self._known.pop(next(iter(self._known)))
            data = self._connection.execute(select(TEXT.c.text).where(TEXT.c.id == number)).scalar()
            self._known[number] = shingles(unpacked_page_text(data)) if data else frozenset()
        return self._known[number]


MAX_CACHED_TEXTS = 64
