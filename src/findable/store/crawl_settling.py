"""Settle a finished crawl: build the reverse link index, and store link score, depth, template and near duplicate of each page.

It needs no network.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Table, delete, select

from findable.artifacts.html.landmarks import Region
from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.crawl.settle import Graph, chain_of, depths, link_scores, scale_scores, templates
from findable.crawl.sketches import shingles, similar_groups, similarity
from findable.crawl.varints import pack_sorted, unpack
from findable.store.crawl_frontier import parts
from findable.store.crawl_schema import BLOCK, BLOCK_PAGES, INLINKS, PAGE, RECORD, RECORDED_PAGES, REFRESHING, SETTLED, TEXT, URL
from findable.store.packed_pages import links_of, refresh_of, unpacked_page_text, unpacked_record
from findable.values import batches_of

WRITTEN_AT_ONCE = 5000


class _TemplateRecord(Struct, frozen=True):
    """Part of a record for templates and near duplicates."""

    shapes: tuple[int, ...] = ()
    types: tuple[str, ...] = ()
    sketch: bytes = b""


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
        self._blocks: dict[int, array[int]] = {}
        """Targets of the followed links of blocks, and the ends of redirects, which a click reaches too."""
        self._others: dict[int, array[int]] = {}
        """All targets, by block, where they differ from those in `_blocks`."""
        self._content: set[int] = set()
        """Blocks in the main content of pages."""
        for row in connection.execute(select(BLOCK.c.id, BLOCK.c.links, BLOCK.c.landmark)).yield_per(WRITTEN_AT_ONCE):
            self._read_block(row.id, row.links)
            if row.landmark == Region.MAIN:
                self._content.add(row.id)

    def settle(self) -> None:
        """Compute and store the values, replacing earlier ones."""
        for table in (SETTLED, BLOCK_PAGES, INLINKS):
            self._connection.execute(delete(table))
        followed, linked, in_content = self._reverse_links()
        graph = Graph.from_rows(self._rows(for_score=False))
        clicks = depths(graph, self._home)
        del graph
        scores = scale_scores(link_scores(Graph.from_rows(self._rows(for_score=True))))
        sketches: dict[int, bytes] = {}
        builds = templates(self._builds(sketches))
        similar_pages = self._similar(sketches)
        self._write(
            SETTLED,
            (
                {
                    "id": number,
                    "depth": clicks[number],
                    "inlinks": followed[number],
                    "content_inlinks": in_content[number] if self._content else None,
                    "linked_from": linked[number],
                    "link_score": scores[number],
                    "template": builds.get(number, 0),
                    "similar": similar_pages.get(number, 0),
                }
                for number in range(1, self._size)
            ),
        )

    def _reverse_links(self) -> tuple["array[int]", "array[int]", Mapping[int, int]]:
        """Store the pages of each block and the blocks of each target.

        Returns for each URL the number of pages with a followed link to it, with any link to it, and with a followed link in main content.
        """
        followed: Counter[int] = Counter()
        linked: Counter[int] = Counter()
        in_content: Counter[int] = Counter()
        both: Counter[int] = Counter()
        """Numbers of linking pages by target, from pages whose followed links have the same targets as all their links: most pages."""
        pages_of: dict[int, array[int]] = {}
        for row in self._pages():
            blocks = set(unpack(row.blocks))
            for block in (*blocks, *set(unpack(row.resources))):
                pages_of.setdefault(block, array("i")).append(row.id)
            targets = set().union(*map(self._blocks.__getitem__, blocks)) - {row.id}
            in_content.update(set().union(*map(self._blocks.__getitem__, blocks & self._content)) - {row.id})
            if blocks.isdisjoint(self._others):
                both.update(targets)
            else:
                followed.update(targets)
                linked.update(set().union(*map(self._all_targets, blocks)) - {row.id})
        self._write(BLOCK_PAGES, ({"block": block, "pages": pack_sorted(pages)} for block, pages in sorted(pages_of.items())))
        blocks_of: dict[int, array[int]] = {}
        for block in sorted(pages_of):
            for target in set(self._all_targets(block)):
                blocks_of.setdefault(target, array("i")).append(block)
        self._write(INLINKS, ({"target": target, "blocks": pack_sorted(blocks)} for target, blocks in sorted(blocks_of.items())))
        numbers = range(self._size)
        return (
            array("i", (followed.get(number, 0) + both.get(number, 0) for number in numbers)),
            array("i", (linked.get(number, 0) + both.get(number, 0) for number in numbers)),
            in_content,
        )

    def _read_block(self, number: int, links: bytes) -> None:
        listed = list(links_of(links))
        followed = array("i")
        for target, _, nofollow in listed:
            if not nofollow:
                followed.append(target)
                if target in self._redirects:
                    followed.append(chain_of(target, self._redirects.get)[0][-1])
        self._blocks[number] = followed
        targets = array("i", (target for target, _, _ in listed))
        if targets != followed:
            self._others[number] = targets

    def _all_targets(self, block: int) -> "array[int]":
        return self._others.get(block, self._blocks[block])

    def _pages(self) -> Iterator[Any]:
        """Yield the pages with their blocks of links, in order of their ids."""
        columns = (PAGE.c.id, RECORD.c.blocks, RECORD.c.resources, PAGE.c.reason, PAGE.c.canonical)
        chosen = select(*columns).select_from(RECORDED_PAGES).where(PAGE.c.is_html, PAGE.c.status == OK)
        yield from self._connection.execute(chosen.order_by(PAGE.c.id)).yield_per(WRITTEN_AT_ONCE)

    def _rows(self, *, for_score: bool) -> Iterator[Iterable[int]]:
        """Yield for each URL, in order of the ids, the ids of the targets of its followed links or redirect."""
        at = 0
        for row in self._pages():
            yield from (self._end_of(number) for number in range(at, row.id))
            at = row.id + 1
            if row.id in self._refreshes:
                yield [self._refreshes[row.id]]
            elif for_score and row.reason == Reason.CANONICAL.value:
                yield [row.canonical] if row.canonical else []
            elif for_score and row.reason:
                yield []
            else:
                yield chain.from_iterable(map(self._blocks.__getitem__, set(unpack(row.blocks))))
        yield from (self._end_of(number) for number in range(at, self._size))

    def _refresh_targets(self) -> dict[int, int]:
        rows = self._connection.execute(select(PAGE.c.id, RECORD.c.record).select_from(RECORDED_PAGES).where(*REFRESHING)).all()
        targets: dict[int, str] = {row.id: refresh_of(row.record) for row in rows}
        known: dict[str, int] = {}
        for part in parts(sorted(set(targets.values()))):
            known |= {row.url: row.id for row in self._connection.execute(select(URL.c.url, URL.c.id).where(URL.c.url.in_(part)))}
        return {number: known[url] for number, url in targets.items() if url in known}

    def _end_of(self, number: int) -> list[int]:
        return [self._redirects[number]] if number in self._redirects else []

    def _builds(self, sketches: dict[int, bytes]) -> Iterator[tuple[int, Sequence[int], Sequence[str]]]:
        """Yield the template features of pages; add the sketches of indexable pages, or for equal texts the sketch of the first page."""
        chosen = select(PAGE.c.id, PAGE.c.reason, PAGE.c.text, RECORD.c.record).select_from(RECORDED_PAGES)
        chosen = chosen.where(PAGE.c.is_html, PAGE.c.status == OK)
        seen = {0}
        for row in self._connection.execute(chosen.order_by(PAGE.c.id)).yield_per(WRITTEN_AT_ONCE):
            build = unpacked_record(row.record, _TemplateRecord)
            yield row.id, build.shapes, build.types
            if not row.reason and row.text not in seen:
                seen.add(row.text)
                if build.sketch:
                    sketches[row.id] = build.sketch

    def _similar(self, sketches: Mapping[int, bytes]) -> dict[int, int]:
        """Return for each near duplicate the id of the first page of its group."""
        texts = StoredTexts(self._connection)
        groups = similar_groups(sketches, lambda first, second: similarity(texts.shingles_of(first), texts.shingles_of(second)))
        return {number: members[0] for members in groups for number in members}

    def _write(self, table: Table, rows: Iterable[dict[str, int | bytes | None]]) -> None:
        for batch in batches_of(rows, WRITTEN_AT_ONCE):
            self._connection.execute(table.insert(), batch)


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
