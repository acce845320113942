"""Raw data (roots) about the indexable pages of a settled crawl, for page checks: links, duplicates and declared pages, without markup."""

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, and_, func, select

from findable.capture.crawl import CrawlSummary, PageInCrawl
from findable.capture.status_classes import OK
from findable.crawl.clusters import without_version
from findable.crawl.link_graph import NOWHERE
from findable.crawl.record import UnsettledFinding
from findable.crawl.redirect_chains import chain_of
from findable.crawl.site.equal_pages import Places, near_pages, others_with_value, places_of, without_page_and_version
from findable.crawl.site.positions import (
    DeclaredUrl,
    DeclaringPage,
    DeclaringPages,
    PlacedPage,
    RelatedRecord,
    Standing,
    declared_url,
    found_by_name,
    plain_page,
)
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import text_key
from findable.store.crawl_frontier import Frontier
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_schema import (
    INDEXABLE,
    PAGE,
    PAGES,
    RECORD,
    SETTLED,
    SETTLED_PAGES,
    URL,
    VERDICT,
    WITH_RECORD,
    WITH_VERSIONS,
)
from findable.store.crawl_settling import StoredTexts
from findable.store.dialect import stream_rows
from findable.store.duplicate_roots import alternates_of
from findable.store.packed_pages import unpacked_record
from findable.store.rows_by_id import parts, rows_in
from findable.values import batches_of, once

DECLARED_AT_ONCE = 500
"""Number of pages whose canonical pages are read together."""


class _DeclaringRecord(Struct, frozen=True):
    """Part of the record of a page that declares another page as canonical."""

    verdicts: bytes = b""
    sketch: bytes = b""
    unsettled: UnsettledFinding | None = None
    score: int | None = None


class _UnreadRecord(Struct, frozen=True):
    """Part of a record that tells why a page has no known links."""

    is_shell: bool = False
    is_unread: bool = False


def _related_record(record: bytes) -> RelatedRecord:
    return unpacked_record(record, RelatedRecord)


class PageRoots(CrawlReading):
    """Computes the roots of the indexable pages of one crawl.

    Args:
        connection: connection for reading.
        state: state of the crawl.
        summary: summary of the crawl.
        parents: result of `Settling.settle`.
    """

    def __init__(self, connection: Connection, state: CrawlState, summary: CrawlSummary, parents: Sequence[int]) -> None:
        super().__init__(connection, state)
        self._summary = summary
        self._parents = parents
        self._texts = StoredTexts(connection)
        self._are_links_known = summary.is_complete and not self._has_unread_links()
        self._lists: dict[int, array[int]] | None = None
        """Indexable pages by the hash of the language versions that they declare; None before `each` has read them."""

    def _has_unread_links(self) -> bool:
        """Return whether a page may have links that are not known, because scripts build it or it is too large."""
        without_links = select(RECORD.c.record).select_from(PAGE.join(RECORD, WITH_RECORD)).where(*INDEXABLE, RECORD.c.blocks == b"")
        records = (unpacked_record(record, _UnreadRecord) for (record,) in stream_rows(self._connection, without_links))
        return any(record.is_shell or record.is_unread for record in records)

    def each(self) -> Iterator[PlacedPage]:
        """Yield the indexable pages in order of their numbers."""
        lists: dict[int, array[int]] = {}
        equal = self._titles.keys() | self._descriptions.keys() | self._same_texts.keys() | self._near.keys()
        columns = (PAGE.c.id, PAGE.c.description, URL.c.found_by, SETTLED.c.depth, SETTLED.c.inlinks, VERDICT.c.verdicts, RECORD.c.record)
        joined = SETTLED_PAGES.join(VERDICT, VERDICT.c.id == PAGE.c.id).outerjoin(RECORD, WITH_VERSIONS)
        chosen = select(*columns).select_from(joined).where(*INDEXABLE).order_by(PAGE.c.id)
        for number, description, found_by, depth, inlinks, verdicts, record in stream_rows(self._connection, chosen):
            if record is not None:
                related = _related_record(record)
                key = text_key(repr((related.alternates, related.faulty_alternates)))
                lists.setdefault(key, array("i")).append(number)
            standing = None if number in equal else Standing(depth, found_by_name(found_by), inlinks > 0, bool(description))
            yield PlacedPage(number, verdicts, standing)
        self._lists = lists

    def plain_page(self, standing: Standing) -> PageInCrawl:
        """Return a page without texts and duplicates (`crawl.site.positions.plain_page`)."""
        return plain_page(standing, self._summary.pages_count, is_complete=self._are_links_known)

    def pages(self, numbers: Sequence[int]) -> Mapping[int, PageInCrawl]:
        """Return pages by their ids, each with the URLs of the first of the shortest paths of links from the home page."""
        columns = (PAGE.c.id, PAGE.c.description, URL.c.url, URL.c.found_by, SETTLED.c.depth, SETTLED.c.inlinks)
        rows = list(rows_in(self._connection, select(*columns).select_from(SETTLED_PAGES), PAGE.c.id, numbers))
        paths = {row.id: self._path_to(row.id) if row.depth != NOWHERE else [] for row in rows}
        on_paths = set().union(*paths.values())
        urls = {row.id: row.url for row in rows_in(self._connection, select(URL.c.id, URL.c.url), URL.c.id, on_paths)}
        records = select(RECORD.c.id, RECORD.c.record)
        shared = rows_in(self._connection, records, RECORD.c.id, [number for number in numbers if number in self._titles])
        titles = {row.id: _related_record(row.record).title for row in shared}
        return {row.id: self._page(row, titles.get(row.id, ""), tuple(map(urls.__getitem__, paths[row.id]))) for row in rows}

    def _page(self, row: Any, title: str, path: tuple[str, ...]) -> PageInCrawl:
        """Return a page; ``title``: empty for a page that shares its title with no other."""
        same_title, titles_count = others_with_value(self._titles, row.id)
        same_description, descriptions_count = others_with_value(self._descriptions, row.id)
        same_text, texts_count = others_with_value(self._same_texts, row.id)
        return PageInCrawl(
            url=row.url,
            status=OK,
            title=title,
            description="text" if row.description else "",
            pages_count=self._summary.pages_count,
            depth=row.depth,
            found_by=found_by_name(row.found_by),
            inlinks_count=row.inlinks,
            path_from_home=path,
            same_title=same_title,
            same_title_count=titles_count,
            same_description=same_description,
            same_description_count=descriptions_count,
            same_text=same_text,
            same_text_count=texts_count,
            similar_text=() if same_text else near_pages(self._near, row.id, self._texts.shingles_of),
            is_complete=self._are_links_known,
        )

    def _path_to(self, number: int) -> list[int]:
        """Return the pages on the first of the shortest paths from the home page to a page that can be reached."""
        path = [number]
        while number := self._parents[number]:
            path.append(number)
        return path[::-1]

    def canonical_targets(self) -> Iterator[tuple[DeclaringPage, DeclaredUrl]]:
        """Yield the pages that declare another page as canonical, each with the facts about that page, in order of their ids."""
        chosen = select(PAGE.c.id, PAGE.c.canonical, RECORD.c.record, URL.c.url).select_from(PAGES.join(RECORD, WITH_RECORD))
        chosen = chosen.where(PAGE.c.is_html, PAGE.c.canonical != 0).order_by(PAGE.c.id)
        for rows in batches_of(self._connection.execute(chosen).yield_per(AT_ONCE), DECLARED_AT_ONCE):
            targets = self._declared_urls({row.canonical for row in rows})
            for row in rows:
                record = unpacked_record(row.record, _DeclaringRecord)
                page = DeclaringPage(row.id, row.url, record.verdicts, record.sketch, record.unsettled, record.score)
                yield page, targets[row.canonical]

    def language_versions(self) -> Iterator[DeclaringPages]:
        """Yield the indexable pages with language versions, grouped by their list of versions, which is resolved once."""
        if self._lists is None:
            deque(self.each(), maxlen=0)
        frontier = Frontier(self._connection, self._state)
        for numbers in (self._lists or {}).values():
            versions: dict[str, DeclaredUrl] | None = None
            for part in parts(numbers):
                wanted = select(RECORD.c.id, RECORD.c.record, URL.c.url).join(URL, URL.c.id == RECORD.c.id)
                rows = self._connection.execute(wanted.where(RECORD.c.id.in_(part)).order_by(RECORD.c.id)).all()
                related = _related_record(rows[0].record)
                if versions is None:
                    found = frontier.numbers(dict.fromkeys(url for _, url in related.alternates))
                    declared = self._declared_urls(found.values())
                    versions = {url: declared[number] for url, number in found.items()}
                yield DeclaringPages(
                    related, versions, tuple(DeclaringPage(row.id, row.url, _related_record(row.record).verdicts) for row in rows)
                )

    def _declared_urls(self, numbers: Iterable[int]) -> Mapping[int, DeclaredUrl]:
        """Return the crawled facts about declared URLs by their ids."""
        chains = {number: chain_of(number, self._redirects.get)[0] for number in numbers}
        rows = self.url_rows(set().union(*chains.values()))
        ends = {chain[-1] for chain in chains.values()}
        stored = rows_in(self._connection, select(RECORD.c.id, RECORD.c.record), RECORD.c.id, ends)
        records = {row.id: _related_record(row.record) for row in stored}
        found = {}
        for number, chain in chains.items():
            hops = [(rows[hop].url, rows[hop].status) for hop in chain]
            found[number] = declared_url(hops, rows[chain[-1]].reason, records.get(chain[-1], RelatedRecord()))
        return found

    # --- equal values

    @once
    def _titles(self) -> Places:
        return self._equals(PAGE.c.title, without_page_and_version)

    @once
    def _descriptions(self) -> Places:
        return self._equals(PAGE.c.description, without_page_and_version)

    @once
    def _same_texts(self) -> Places:
        return self._equals(PAGE.c.text, without_version)

    @once
    def _near(self) -> Places:
        return self._equals(SETTLED.c.similar, without_version)

    def _equals(self, column: Any, fold: Callable[[str], str]) -> Places:
        """Return groups of indexable pages that share a language and a value."""
        joined = PAGE.join(SETTLED, SETTLED.c.id == PAGE.c.id)
        is_meant = and_(*INDEXABLE, column != 0)
        grouped = select(column.label("value"), PAGE.c.lang.label("language")).select_from(joined).where(is_meant)
        several = grouped.group_by(column, PAGE.c.lang).having(func.count() > 1).subquery()
        both = joined.join(URL, URL.c.id == PAGE.c.id).join(several, and_(several.c.value == column, several.c.language == PAGE.c.lang))
        chosen = select(PAGE.c.id, URL.c.url, several.c.value, several.c.language).select_from(both).where(is_meant)
        rows = self._connection.execute(chosen.order_by(several.c.value, several.c.language, URL.c.url)).yield_per(AT_ONCE)
        # Read all rows before other statements run on the connection.
        groups = groupby(rows.all(), key=lambda row: (row.value, row.language))
        return places_of(([(row.id, row.url) for row in members] for _, members in groups), self._alternates, fold)

    def _alternates(self, pages: Sequence[tuple[int, str]]) -> dict[str, frozenset[str]]:
        """Return the language versions that pages declare, by their URLs."""
        is_one = URL.c.id.in_([number for number, _ in pages])
        chosen = select(URL.c.url, RECORD.c.record).join(RECORD, RECORD.c.id == URL.c.id).where(is_one)
        return {row.url: alternates_of(row.record) for row in self._connection.execute(chosen)}
