"""Writer of fetched pages to the store of a crawl: their records, texts, link blocks and link texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, select, update

from findable.capture.crawl import TrapKind
from findable.capture.status_classes import OK
from findable.crawl.blocks import Block
from findable.crawl.followed_urls import candidates_of
from findable.crawl.page_selection import CanonicalKind
from findable.crawl.record import PageRecord, ReadPage
from findable.crawl.redirect_chains import chain_of
from findable.crawl.rolling import is_temporary
from findable.crawl.settings import Segment
from findable.crawl.traps import MANY_URLS
from findable.crawl.url_keys import text_key
from findable.crawl.varints import pack
from findable.crawl.visits import Visit
from findable.reports.url_patterns import any_matches
from findable.store.crawl_frontier import CARRIED, DONE, DOUBTFUL, REFUSED, AddedUrls, Frontier, SeriesRow
from findable.store.crawl_resources import ResourceTable
from findable.store.crawl_schema import ANCHOR, BLOCK, EXTRACTED, HAS_PLAIN_TEXT, PAGE, PAGES, RECORD, RESPONSE, TEXT, URL, VERDICT
from findable.store.dialect import insert_missing
from findable.store.packed_pages import NOFOLLOW, packed_page_text, packed_record
from findable.store.rows_by_id import parts, rows_in

CONTENT = ("status", "reason", "location", "text", "stated")
"""Columns of a page whose values differ if it has changed."""
PAGE_TABLES = (PAGE, RECORD, VERDICT, TEXT, RESPONSE, EXTRACTED)
"""Tables of what is stored of a page."""


class PageWriter:
    """Writes fetched pages to the store of a crawl, within one transaction."""

    def __init__(self, connection: Connection, frontier: Frontier) -> None:
        self._connection = connection
        self._frontier = frontier

    def put(self, visits: Sequence[Visit], moment: int) -> Sequence[Visit]:
        """Write the results of requests, the fetched pages, and the new URLs to which they link; return the results that count.

        ``moment``: time of the requests.
        """
        earlier = self._earlier(visits)
        for visit in visits:
            if visit.refusal is not None:
                self._frontier.set_state([visit.waiting.number], REFUSED, refusal=visit.refusal.value, detail=visit.detail)
                delete_pages(self._connection, earlier.keys() & {visit.waiting.number})
        kept = self._keep(visits, earlier, moment)
        pages = [(visit, visit.page) for visit in visits if visit.page is not None and visit.waiting.number not in kept]
        if not pages:
            return []
        known = self._known_blocks({block.key: block for _, page in pages for block in page.all_blocks})
        candidates = [candidate for visit, page in pages for candidate in candidates_of(visit, page, known, follow=self._follows)]
        urls = self._frontier.admit(candidates)
        blocks = self._add_blocks(pages, known, urls.numbers)
        barren = self._barren([(visit, page) for visit, page in pages if visit.waiting.number not in earlier], urls)
        self._frontier.set_state([visit.waiting.number for visit, _ in pages if not visit.is_doubtful], DONE, refusal="", detail="")
        self._frontier.set_state([visit.waiting.number for visit, _ in pages if visit.is_doubtful], DOUBTFUL, refusal="", detail="")
        segments = self._frontier.state.settings.segments
        rows = [page_row(visit.waiting.number, page, urls.numbers, segments_of(segments, visit.waiting.url)) for visit, page in pages]
        for row in rows:
            earlier_row: Any = earlier.get(row["id"])
            is_changed = earlier_row is None or any(getattr(earlier_row, name) != row[name] for name in CONTENT)
            row |= {"requested_at": moment, "changed_at": moment if is_changed else earlier_row.changed_at}
        delete_pages(self._connection, earlier.keys() - kept, (TEXT, RESPONSE, EXTRACTED))
        self._replace(PAGE, rows)
        self._replace(RECORD, [record_row(visit.waiting.number, page, blocks) for visit, page in pages])
        self._replace(VERDICT, [{"id": visit.waiting.number, "verdicts": page.record.verdicts} for visit, page in pages])
        confirmed = {visit.waiting.number for visit in visits if visit.waiting.confirms}
        self._frontier.set_state(self._looping({row["id"]: row["location"] for row in rows if row["id"] not in confirmed}), DOUBTFUL)
        put_texts(self._connection, [(visit.waiting.number, page) for visit, page in pages])
        self._frontier.count_pages(barren)
        return [visit for visit, _ in pages]

    def _earlier(self, visits: Sequence[Visit]) -> dict[int, Any]:
        """Return the rows of the pages that a rolling crawl requests again, by id, with why the last request failed."""
        if self._frontier.state.settings.rolling is None:
            return {}
        confirmed = {visit.waiting.number for visit in visits if visit.waiting.confirms}
        columns = (PAGE.c.id, PAGE.c.changed_at, URL.c.detail, *(PAGE.c[name] for name in CONTENT))
        rows = rows_in(self._connection, select(*columns).select_from(PAGES), PAGE.c.id, [visit.waiting.number for visit in visits])
        # The row of a confirmed page is of this crawl unless the first request failed in a way that says nothing about the page.
        return {row.id: row for row in rows if row.id not in confirmed or row.detail}

    def _keep(self, visits: Sequence[Visit], earlier: Mapping[int, Any], moment: int) -> set[int]:
        """Keep the rows of pages that have not changed or could not be loaded this time; return the ids of these pages.

        A page that could not be loaded at the last time either is recorded as it is now.
        """
        kept = {visit.waiting.number for visit in visits if visit.page is None and visit.is_unchanged}
        if kept:
            self._frontier.set_state(list(kept), DONE, refusal="", detail="")
            self._connection.execute(update(PAGE).where(PAGE.c.id.in_(kept)).values(requested_at=moment))
        for visit in visits:
            number, known = visit.waiting.number, earlier.get(visit.waiting.number)
            if visit.page is None or known is None or is_temporary(known.status, known.reason):
                continue
            record = visit.page.record
            if is_temporary(record.status, record.reason) and (visit.waiting.confirms or not known.detail):
                state = CARRIED if visit.waiting.confirms else DOUBTFUL
                self._frontier.set_state([number], state, detail=record.failure or str(record.status))
                kept.add(number)
        return kept

    def _replace(self, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        self._connection.execute(delete(table).where(table.c.id.in_([row["id"] for row in rows])))
        self._connection.execute(table.insert(), rows)

    @property
    def _follows(self) -> bool:
        return self._frontier.state.settings.follows_links

    def _known_blocks(self, blocks: Mapping[int, Block]) -> dict[int, tuple[int, int]]:
        """Return (id, depth) of the stored blocks among these, by key."""
        rows = rows_in(self._connection, select(BLOCK.c.key, BLOCK.c.id, BLOCK.c.depth), BLOCK.c.key, blocks)
        return {row.key: (row.id, row.depth) for row in rows}

    def _add_blocks(
        self, pages: Sequence[tuple[Visit, ReadPage]], url_numbers: Mapping[int, tuple[int, int]], numbers: Mapping[str, int]
    ) -> dict[int, int]:
        """Store new blocks of links; return the ids of all blocks of the pages by key."""
        new: dict[int, tuple[Block, int]] = {}
        nearer: dict[int, int] = {}
        for visit, page in pages:
            for block in page.all_blocks:
                if block.key not in url_numbers:
                    new.setdefault(block.key, (block, visit.waiting.depth))
                elif visit.waiting.depth < url_numbers[block.key][1]:
                    nearer[url_numbers[block.key][0]] = visit.waiting.depth
        for number, depth in nearer.items():
            self._connection.execute(update(BLOCK).where(BLOCK.c.id == number).values(depth=depth))
        found = {key: number for key, (number, _) in url_numbers.items()}
        if not new:
            return found
        anchors = self._anchors({link.anchor_text for block, _ in new.values() for link in block.links})
        used = ResourceTable(self._connection, self._frontier.state.settings).add(block.resources for block, _ in new.values())
        rows = [block_row(block, depth, numbers, anchors, used) for block, depth in new.values()]
        insert_missing(self._connection, BLOCK, rows)
        return found | {key: number for key, (number, _) in self._known_blocks({key: block for key, (block, _) in new.items()}).items()}

    def _anchors(self, texts: Iterable[str]) -> dict[str, int]:
        by_key = {text_key(text): text for text in texts}
        if by_key:
            insert_missing(self._connection, ANCHOR, [{"key": key, "text": text} for key, text in by_key.items()])
        rows = rows_in(self._connection, select(ANCHOR.c.key, ANCHOR.c.id), ANCHOR.c.key, by_key)
        return {by_key[row.key]: row.id for row in rows}

    def _barren(self, pages: Sequence[tuple[Visit, ReadPage]], urls: AddedUrls) -> list[tuple[SeriesRow, bool | None]]:
        """Return each page's series with whether the page added nothing new; None if the response does not show that."""
        series_of = self._frontier.series_of([visit.waiting.number for visit, _ in pages])
        fresh: dict[int, list[int]] = {}
        for candidate, number in urls.fresh:
            fresh.setdefault(candidate.source, []).append(number)
        texts = self._known_texts({page.record.plain_text_key for visit, page in pages if visit.waiting.number in series_of} - {0})
        found: list[tuple[SeriesRow, bool | None]] = []
        for visit, page in pages:
            if visit.waiting.number not in series_of:
                continue
            series = series_of[visit.waiting.number]
            if page.record.status != OK or not page.record.plain_text_key:
                found.append((series, None))
                continue
            own = fresh.get(visit.waiting.number, [])
            leads_on = series.id in own or series.found > MANY_URLS
            # Pages of a calendar differ by the names of months. Pages with a text of their own are dated articles.
            is_calendar = series.kind == TrapKind.CALENDAR.value and not page.record.sketch
            is_known = is_calendar or page.record.plain_text_key in texts
            found.append((series, leads_on and all(item == series.id for item in own) and is_known))
        return found

    def _looping(self, locations: Mapping[int, int]) -> list[int]:
        """Return the ids of several URLs that redirect to each other since these redirects, which perhaps end with a cookie."""
        targets = {number: target for number, target in locations.items() if target not in (0, number)}
        added, new = tuple(targets), set(targets.values())
        while new := new - targets.keys():
            redirects = select(PAGE.c.id, PAGE.c.location).where(PAGE.c.location != 0)
            found = {row.id: row.location for row in rows_in(self._connection, redirects, PAGE.c.id, sorted(new))}
            targets |= found
            new = set(found.values())
        chains = (chain_of(number, targets.get) for number in added)
        return sorted({number for chain, is_loop in chains if is_loop for number in chain[chain.index(chain[-1]) :]})

    def _known_texts(self, keys: Iterable[int]) -> set[int]:
        """Return those text keys that earlier pages have too."""
        rows = rows_in(self._connection, select(PAGE.c.plain_text).where(HAS_PLAIN_TEXT).distinct(), PAGE.c.plain_text, sorted(keys))
        return {row.plain_text for row in rows}


def delete_pages(connection: Connection, numbers: Iterable[int], tables: Sequence[Table] | None = None) -> None:
    """Delete the rows of pages from these tables, or from all."""
    for part in parts(list(numbers)):
        for table in PAGE_TABLES if tables is None else tables:
            connection.execute(delete(table).where(table.c.id.in_(part)))


def put_texts(connection: Connection, pages: Iterable[tuple[int, ReadPage]]) -> None:
    """Store the texts of pages by page id, replacing earlier ones; a page without text is skipped."""
    texts = [{"id": number, "text": packed_page_text(page.text)} for number, page in pages if page.text]
    if texts:
        connection.execute(delete(TEXT).where(TEXT.c.id.in_([row["id"] for row in texts])))
        connection.execute(TEXT.insert(), texts)


def block_row(block: Block, depth: int, numbers: Mapping[str, int], anchors: Mapping[str, int], used: Mapping[str, int]) -> dict[str, Any]:
    """Return the row of a block. ``numbers``, ``anchors``, ``used``: ids of URLs, link texts and resources."""
    links: list[int] = []
    for link in block.links:
        if link.url in numbers:
            links += (numbers[link.url], anchors[link.anchor_text], NOFOLLOW if link.nofollow else 0)
    return {
        "key": block.key,
        "links": pack(links),
        "landmark": block.landmark,
        "selector": block.selector,
        "depth": depth,
        "resources": pack(used[item.url] for item in block.resources if item.url in used),
    }


_OF_RECORD = ("status", "failure", "lang", "words", "first_byte_ms", "score", "media_type")


def page_row(number: int, page: ReadPage, numbers: Mapping[str, int], segments: int) -> dict[str, Any]:
    """Return the row of a page. ``numbers``: ids of URLs by URL; ``segments``: result of `segments_of`."""
    record = page.record
    return {name: getattr(record, name) for name in _OF_RECORD} | {
        "id": number,
        "reason": record.reason.value,
        "is_html": bool(record.verdicts),
        "location": numbers.get(record.location, 0) if record.location else 0,
        "canonical": numbers.get(record.canonical, 0) if record.canonical else 0,
        "title": _key_of(record.title),
        "description": _key_of(record.description),
        "heading": _key_of(record.h1),
        "text": record.text_key,
        "plain_text": record.plain_text_key,
        # the values that comparisons of crawls read from a record
        "stated": text_key(repr((record.title, record.description, record.h1, record.canonical, record.noindex, record.nofollow))),
        "canonical_kind": canonical_kind(record).value,
        "versions_count": len(record.alternates),
        "segments": segments,
    }


def record_row(number: int, page: ReadPage, blocks: Mapping[int, int]) -> dict[str, Any]:
    """Return the row of the record of a page; ``blocks``: ids of blocks by key."""
    return {
        "id": number,
        "record": packed_record(page.record),
        "blocks": pack(blocks[block.key] for block in page.blocks),
        "resources": pack(blocks[block.key] for block in page.resources),
    }


def canonical_kind(record: PageRecord) -> CanonicalKind:
    """Return what the canonical link of a page declares."""
    if record.canonical:
        return CanonicalKind.OTHER
    return CanonicalKind.SELF if record.declares_canonical else CanonicalKind.NONE


def segments_of(segments: Sequence[Segment], url: str) -> int:
    """Return the segments that a URL belongs to, one bit for each segment of the settings."""
    return sum(1 << place for place, segment in enumerate(segments) if any_matches(segment.patterns, url))


def _key_of(text: str) -> int:
    """Return the hash of a text, ignoring case; 0 for an empty text."""
    return text_key(text.casefold()) if text else 0
