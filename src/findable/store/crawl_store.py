"""Store of one crawl: its frontier, pages and links. Every change is one transaction, so that a killed crawl can continue."""

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, bindparam, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from findable.capture.crawl import Refusal, TrapKind
from findable.crawl.blocks import Block
from findable.crawl.record import PageRecord, ReadPage, packed_by_name, unpacked_verdicts
from findable.crawl.state import CrawlState
from findable.crawl.stored_responses import MAX_STORED_BYTES
from findable.crawl.traps import MANY_URLS
from findable.crawl.url_keys import FoundBy, text_key, url_key
from findable.crawl.varints import pack, unpack
from findable.crawl.visits import CrawlCounts, ResourceVisit, Visit, WaitingResource, WaitingUrl
from findable.errors import FindableError
from findable.formats.zstd import zstd
from findable.store.crawl_frontier import (
    CONFIRMING,
    DONE,
    DOUBTFUL,
    REFUSED,
    TAKEN,
    WAITING,
    Admitted,
    Candidate,
    Frontier,
    SeriesRow,
    parts,
)
from findable.store.crawl_resources import ResourceTable
from findable.store.crawl_schema import ANCHOR, BLOCK, FORMAT, HOLDER, PAGE, RESPONSE, STATE, TEMPORARY, TEXT, URL
from findable.store.database_errors import translated_errors
from findable.store.dialect import insert
from findable.store.extracted_values import Results, forget_others, put_extracted

RECORD_LEVEL = 3
ONLY_ROW = 1
NOFOLLOW = 1
FORGOTTEN_AT_ONCE = 500
NUMBERS_PER_LINK = 3


class CrawlStoreError(FindableError):
    """Error for a file that is not a crawl, or a store that cannot be used."""


class CrawlTakenOver(CrawlStoreError):
    """Error after another worker has taken the crawl over: nothing may be written."""


class StoredResponse(Struct, frozen=True):
    """Response of a page, as `crawl.stored_responses` packs it."""

    number: int
    url: str
    packed: bytes


class CrawlStore:
    """Frontier, pages and links of one crawl.

    Args:
        engine: connects to its tables, and to no other crawl's.
        name: for messages.
        holder: number of the worker's attempt; its writes are refused after `seize` of a later one. None: there is one worker only.
    """

    def __init__(self, engine: Engine, name: str, holder: int | None = None) -> None:
        self.engine = engine
        self.name = name
        self._holder = holder
        self._turn = threading.Lock()
        self._responses_bytes: int | None = None

    def close(self) -> None:
        """Close the connections that no other crawl uses."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for reading. Raises Unavailable if the database is away or its disk fails."""
        with translated_errors(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a writing transaction. Raises CrawlStoreError if it cannot be stored, CrawlTakenOver if another worker has the crawl."""
        try:
            with self._turn, self.engine.begin() as connection:
                self._require_holder(connection)
                yield connection
        except (DBAPIError, sqlite3.Error) as error:
            raise CrawlStoreError(f"{self.name} cannot be written: {getattr(error, 'orig', error)}") from error

    def _require_holder(self, connection: Connection) -> None:
        if self._holder is None:
            return
        if connection.execute(select(HOLDER.c.attempt).with_for_update()).scalar() != self._holder:
            raise CrawlTakenOver(f"{self.name} belongs to another worker")

    def seize(self) -> None:
        """Take the crawl over from earlier workers, whose writes are refused from now on."""
        holder, self._holder = self._holder, None
        try:
            with self.writing() as connection:
                made = insert(connection.dialect.name, HOLDER).values(id=ONLY_ROW, attempt=holder)
                connection.execute(made.on_conflict_do_update(index_elements=[HOLDER.c.id], set_={"attempt": holder}))
        finally:
            self._holder = holder

    # --- state

    def state(self) -> CrawlState | None:
        """Return the state of the crawl; None in a new file."""
        with self.reading() as connection:
            return _state(connection)

    def save_state(self, state: CrawlState) -> None:
        """Store the state of the crawl."""
        with self.writing() as connection:
            _save_state(connection, state)

    def site(self) -> bytes:
        """Return the saved site capture; empty before it was made."""
        with self.reading() as connection:
            return bytes(connection.execute(select(STATE.c.site)).scalar() or b"")

    def save_site(self, site: bytes) -> None:
        """Store the site capture."""
        with self.writing() as connection:
            connection.execute(update(STATE).values(site=site))

    def counts(self) -> CrawlCounts:
        """Return the progress of the crawl."""
        with self.reading() as connection:
            counted = connection.execute(select(URL.c.state, func.count()).group_by(URL.c.state)).all()
            by_state = Counter({row[0]: row[1] for row in counted})
            pages = connection.execute(select(func.count()).where(PAGE.c.is_html, PAGE.c.status == _OK)).scalar_one()
            indexable = connection.execute(select(func.count()).where(PAGE.c.is_html, PAGE.c.reason == "")).scalar_one()
            state = _state(connection)
        doubtful = by_state[DOUBTFUL] + by_state[CONFIRMING]
        waiting = by_state[WAITING] + by_state[TAKEN]
        return CrawlCounts(waiting, by_state[DONE], by_state[REFUSED], doubtful, pages, indexable, state.seconds if state else 0.0)

    # --- work

    def release(self) -> None:
        """Queue the URLs again that a killed crawl had taken."""
        with self.writing() as connection:
            Frontier(connection, _required(connection)).release()

    def add(self, urls: Iterable[str], found_by: FoundBy, depth: int) -> None:
        """Add URLs of the start, a list or a sitemap, which are not from a page."""
        with self.writing() as connection:
            frontier = Frontier(connection, _required(connection))
            batch = [Candidate(url, found_by, depth) for url in urls]
            for start in range(0, len(batch), _IN_ONE_BATCH):
                frontier.admit(batch[start : start + _IN_ONE_BATCH])
            _save_state(connection, frontier.state)

    def add_unknown(self, urls: Iterable[str], found_by: FoundBy, depth: int) -> bool:
        """Add those of the URLs that were not found in another way; return whether there are any to request."""
        batch = list(urls)
        with self.writing() as connection:
            frontier = Frontier(connection, _required(connection))
            added = False
            for start in range(0, len(batch), _IN_ONE_BATCH):
                part = frontier.unknown(batch[start : start + _IN_ONE_BATCH])
                added = bool(frontier.admit(Candidate(url, found_by, depth) for url in part).fresh) or added
            _save_state(connection, frontier.state)
        return added

    def indexable_urls(self, most: int) -> list[str]:
        """Return the first indexable pages in order of their URLs."""
        chosen = select(URL.c.url).join(PAGE, PAGE.c.id == URL.c.id).where(PAGE.c.is_html, PAGE.c.reason == "")
        with self.reading() as connection:
            return [row.url for row in connection.execute(chosen.order_by(URL.c.url).limit(most))]

    def take(self, count: int) -> list[WaitingUrl]:
        """Return the next URLs to request, within the maximum number of pages."""
        with self.writing() as connection:
            state = _required(connection)
            limit, last = state.settings.pages, connection.execute(select(func.max(URL.c.id))).scalar() or 0
            if last > limit:  # below it all known URLs fit, and need not be counted for every batch
                used = connection.execute(select(func.count()).where(URL.c.state.in_((DONE, DOUBTFUL, TAKEN, CONFIRMING)))).scalar_one()
                count = min(count, limit - used)
            return Frontier(connection, state).take(count) if count > 0 else []

    def take_doubtful(self, count: int) -> list[WaitingUrl]:
        """Return URLs whose response is to be confirmed."""
        with self.writing() as connection:
            return Frontier(connection, _required(connection)).take_doubtful(count)

    def put(self, visits: Sequence[Visit]) -> None:
        """Store results and the URLs that they lead to."""
        with self.writing() as connection:
            state = _required(connection)
            frontier = Frontier(connection, state)
            _Pages(connection, frontier).put(visits)
            read = {visit.waiting.number: visit.page.extracted for visit in visits if visit.page is not None}
            put_extracted(connection, state.settings.extractors, read)
            self._keep_responses(connection, visits)
            after = replace(frontier.state, unchanged_count=state.unchanged_count + sum(visit.is_unchanged for visit in visits))
            if after != state:
                _save_state(connection, after)

    def take_resources(self) -> list[WaitingResource]:
        """Return all resources and external links to request; those to confirm when no other is left. None is marked as taken."""
        with self.writing() as connection:
            return ResourceTable(connection, _required(connection).settings).take()

    def put_resources(self, visits: Sequence[ResourceVisit]) -> None:
        """Store results of resources and external links."""
        with self.writing() as connection:
            ResourceTable(connection, _required(connection).settings).put(visits)

    def _keep_responses(self, connection: Connection, visits: Sequence[Visit]) -> None:
        """Store the responses of pages while there is room."""
        if self._responses_bytes is None:
            self._responses_bytes = int(
                connection.execute(select(func.coalesce(func.sum(func.length(RESPONSE.c.response)), 0))).scalar_one()
            )
        rows = []
        for visit in visits:
            size = len(visit.page.stored) if visit.page is not None else 0
            if visit.page is not None and size and self._responses_bytes + size <= MAX_STORED_BYTES:
                self._responses_bytes += size
                rows.append({"id": visit.waiting.number, "response": visit.page.stored})
        if rows:
            connection.execute(delete(RESPONSE).where(RESPONSE.c.id.in_([row["id"] for row in rows])))
            connection.execute(RESPONSE.insert(), rows)

    # --- judging again

    def stored_responses(self, at_once: int, after: int = 0) -> Iterator[Sequence[StoredResponse]]:
        """Yield the stored responses with a higher number than ``after``, ``at_once`` in a batch, in order of their numbers."""
        last = after
        chosen = select(RESPONSE.c.id, RESPONSE.c.response, URL.c.url).join(URL, URL.c.id == RESPONSE.c.id)
        while True:
            with self.reading() as connection:
                rows = connection.execute(chosen.where(RESPONSE.c.id > last).order_by(RESPONSE.c.id).limit(at_once)).all()
            if not rows:
                return
            yield [StoredResponse(row.id, row.url, bytes(row.response)) for row in rows]
            last = rows[-1].id

    def stored_response(self, url: str) -> bytes | None:
        """Return the stored response of a URL."""
        key = url_key(url)
        with self.reading() as connection:
            found = connection.execute(select(RESPONSE.c.response).join(URL, URL.c.id == RESPONSE.c.id).where(URL.c.key == key)).scalar()
        return None if found is None else bytes(found)

    def forget_some_responses(self) -> bool:
        """Delete a few stored responses; return whether there were any."""
        some = select(RESPONSE.c.id).limit(FORGOTTEN_AT_ONCE)
        with self.writing() as connection:
            return connection.execute(delete(RESPONSE).where(RESPONSE.c.id.in_(some))).rowcount > 0

    def rename_checks(self, names: tuple[str, ...]) -> None:
        """Store the verdicts of all pages in the order of these checks."""
        with self.writing() as connection:
            state = _required(connection)
            last = 0
            while True:
                chosen = select(PAGE.c.id, PAGE.c.record).where(PAGE.c.is_html, PAGE.c.id > last).order_by(PAGE.c.id).limit(_IN_ONE_BATCH)
                rows = connection.execute(chosen).all()
                if not rows:
                    break
                last = rows[-1].id
                changed = []
                for row in rows:
                    record = unpacked_record(row.record)
                    verdicts = packed_by_name(unpacked_verdicts(record.verdicts, state.checks), names)
                    changed.append({"number": row.id, "packed": packed_record(replace(record, verdicts=verdicts))})
                connection.execute(update(PAGE).where(PAGE.c.id == bindparam("number")).values(record=bindparam("packed")), changed)
            _save_state(connection, replace(state, checks=names))

    def count_responses(self, after: int = 0) -> int:
        """Return the number of stored responses with a higher number."""
        with self.reading() as connection:
            return connection.execute(select(func.count()).select_from(RESPONSE).where(RESPONSE.c.id > after)).scalar_one()

    def replace_extracted(self, pages: Mapping[int, Results], judged_to: int) -> None:
        """Store the results of extractors on the same responses, and how far they are."""
        with self.writing() as connection:
            state = _required(connection)
            put_extracted(connection, state.settings.extractors, pages)
            _save_state(connection, replace(state, judged_to=judged_to))

    def end_judging(self, state: CrawlState) -> None:
        """Store the state of a crawl whose responses are judged again, and delete results of other extractors."""
        with self.writing() as connection:
            forget_others(connection, state.settings.extractors)
            _save_state(connection, state)

    def replace_pages(self, pages: Sequence[tuple[int, ReadPage]], judged_to: int) -> None:
        """Store other results of the same responses, and how far they are. Their links stay."""
        with self.writing() as connection:
            state = _required(connection)
            frontier = Frontier(connection, state)
            numbers = frontier.numbers({page.record.canonical for _, page in pages if page.record.canonical})
            for number, page in pages:
                row = _page_row(number, replace(page, blocks=(), resources=()), numbers, {})
                kept = {name: value for name, value in row.items() if name not in ("id", "blocks", "location", "resources")}
                connection.execute(update(PAGE).where(PAGE.c.id == number).values(kept))
            _put_texts(connection, pages)
            put_extracted(connection, state.settings.extractors, {number: page.extracted for number, page in pages})
            _save_state(connection, replace(state, judged_to=judged_to))

    def temporary_redirects(self) -> Mapping[tuple[str, str], str]:
        """Return when temporary redirects were first found, by URL and target: in this crawl, or in an earlier one."""
        target = URL.alias()
        joined = PAGE.join(URL, URL.c.id == PAGE.c.id).join(target, target.c.id == PAGE.c.location)
        columns = (URL.c.url, target.c.url.label("target"), TEMPORARY.c.since)
        chosen = select(*columns).select_from(joined.outerjoin(TEMPORARY, TEMPORARY.c.id == PAGE.c.id)).order_by(URL.c.id)
        with self.reading() as connection:
            state = _required(connection)
            rows = connection.execute(chosen.where(PAGE.c.status.in_(_TEMPORARY)).limit(MAX_TEMPORARY))
            return {(row.url, row.target): row.since or state.started_at for row in rows}

    def save_temporary(self, since: Mapping[tuple[str, str], str]) -> None:
        """Store when earlier crawls first found temporary redirects, by URL and target."""
        with self.writing() as connection:
            numbers = Frontier(connection, _required(connection)).numbers(url for url, _ in since)
            connection.execute(delete(TEMPORARY))
            rows = {numbers[url]: moment for (url, _), moment in since.items() if url in numbers}
            if rows:
                connection.execute(TEMPORARY.insert(), [{"id": number, "since": moment} for number, moment in rows.items()])

    def forget_failures(self) -> None:
        """Queue URLs again that had no response and were not confirmed: the whole site may be down."""
        with self.writing() as connection:
            doubtful = select(URL.c.id).where(URL.c.state.in_((DOUBTFUL, CONFIRMING)))
            failed = connection.execute(select(PAGE.c.id).where(PAGE.c.failure != "", PAGE.c.id.in_(doubtful))).scalars().all()
            for part in parts(failed):
                connection.execute(delete(PAGE).where(PAGE.c.id.in_(part)))
                connection.execute(update(URL).where(URL.c.id.in_(part)).values(state=WAITING))

    # --- reading

    def number_of(self, url: str) -> int | None:
        """Return the number of a URL; None if it was not found."""
        with self.reading() as connection:
            return connection.execute(select(URL.c.id).where(URL.c.url == url)).scalar()

    def has_traps(self) -> bool:
        """Return whether URLs were refused as part of an endless series."""
        with self.reading() as connection:
            return connection.execute(select(URL.c.id).where(URL.c.refusal == Refusal.TRAP.value).limit(1)).scalar() is not None

    def refusal_of(self, url: str) -> str:
        """Return the line of robots.txt that disallows a URL; empty for none."""
        with self.reading() as connection:
            return str(connection.execute(select(URL.c.detail).where(URL.c.url == url)).scalar() or "")

    def record_of(self, url: str) -> PageRecord | None:
        """Return the record of a URL; None if it was not requested."""
        with self.reading() as connection:
            row = connection.execute(select(PAGE.c.record).join(URL, URL.c.id == PAGE.c.id).where(URL.c.url == url)).scalar()
        return None if row is None else unpacked_record(row)


_OK = 200
_TEMPORARY = (302, 307)
MAX_TEMPORARY = 20_000
"""Temporary redirects that are compared between crawls."""
_IN_ONE_BATCH = 1000


class _Pages:
    """Writes the pages of one transaction."""

    def __init__(self, connection: Connection, frontier: Frontier) -> None:
        self._connection = connection
        self._frontier = frontier

    def put(self, visits: Sequence[Visit]) -> None:
        read = [(visit, visit.page) for visit in visits if visit.page is not None]
        for visit in visits:
            if visit.refusal is not None:
                self._frontier.set_state([visit.waiting.number], REFUSED, visit.refusal, visit.detail)
        if not read:
            return
        known = self._known_blocks({block.key: block for _, page in read for block in page.all_blocks})
        candidates = [candidate for visit, page in read for candidate in _candidates(visit, page, known, follow=self._follows)]
        admitted = self._frontier.admit(candidates)
        blocks = self._add_blocks(read, known, admitted.numbers)
        barren = self._barren(read, admitted)
        self._frontier.set_state([visit.waiting.number for visit, _ in read if not visit.is_doubtful], DONE)
        self._frontier.set_state([visit.waiting.number for visit, _ in read if visit.is_doubtful], DOUBTFUL)
        rows = [_page_row(visit.waiting.number, page, admitted.numbers, blocks) for visit, page in read]
        self._connection.execute(delete(PAGE).where(PAGE.c.id.in_([row["id"] for row in rows])))
        self._connection.execute(PAGE.insert(), rows)
        _put_texts(self._connection, [(visit.waiting.number, page) for visit, page in read])
        self._frontier.note_pages(barren)

    @property
    def _follows(self) -> bool:
        return self._frontier.state.settings.follows_links

    def _known_blocks(self, blocks: Mapping[int, Block]) -> dict[int, tuple[int, int]]:
        """Return (number, depth) of the blocks that are stored already, by key."""
        found: dict[int, tuple[int, int]] = {}
        for part in parts(list(blocks)):
            rows = self._connection.execute(select(BLOCK.c.key, BLOCK.c.id, BLOCK.c.depth).where(BLOCK.c.key.in_(part)))
            found |= {row.key: (row.id, row.depth) for row in rows}
        return found

    def _add_blocks(
        self, read: Sequence[tuple[Visit, ReadPage]], known: Mapping[int, tuple[int, int]], numbers: Mapping[str, int]
    ) -> dict[int, int]:
        """Store new blocks; return the numbers of all by key."""
        new: dict[int, tuple[Block, int]] = {}
        nearer: dict[int, int] = {}
        for visit, page in read:
            for block in page.all_blocks:
                if block.key not in known:
                    new.setdefault(block.key, (block, visit.waiting.depth))
                elif visit.waiting.depth < known[block.key][1]:
                    nearer[known[block.key][0]] = visit.waiting.depth
        for number, depth in nearer.items():
            self._connection.execute(update(BLOCK).where(BLOCK.c.id == number).values(depth=depth))
        found = {key: number for key, (number, _) in known.items()}
        if not new:
            return found
        anchors = self._anchors({link.anchor_text for block, _ in new.values() for link in block.links})
        used = ResourceTable(self._connection, self._frontier.state.settings).add(block.resources for block, _ in new.values())
        rows = [_block_row(block, depth, numbers, anchors, used) for block, depth in new.values()]
        self._connection.execute(insert(self._connection.dialect.name, BLOCK).on_conflict_do_nothing(), rows)
        return found | {key: number for key, (number, _) in self._known_blocks({key: block for key, (block, _) in new.items()}).items()}

    def _anchors(self, texts: Iterable[str]) -> dict[str, int]:
        by_key = {text_key(text): text for text in texts}
        if by_key:
            self._connection.execute(
                insert(self._connection.dialect.name, ANCHOR).on_conflict_do_nothing(),
                [{"key": key, "text": text} for key, text in by_key.items()],
            )
        found: dict[str, int] = {}
        for part in parts(list(by_key)):
            rows = self._connection.execute(select(ANCHOR.c.key, ANCHOR.c.id).where(ANCHOR.c.key.in_(part)))
            found |= {by_key[row.key]: row.id for row in rows}
        return found

    def _barren(self, read: Sequence[tuple[Visit, ReadPage]], admitted: Admitted) -> list[tuple[SeriesRow, bool | None]]:
        """Return for pages of a series whether they had nothing new; None if the response does not show that."""
        series_of = self._frontier.series_of([visit.waiting.number for visit, _ in read])
        fresh: dict[int, list[int]] = {}
        for candidate, number in admitted.fresh:
            fresh.setdefault(candidate.source, []).append(number)
        texts = self._known_texts({page.record.plain_text_key for visit, page in read if visit.waiting.number in series_of} - {0})
        found: list[tuple[SeriesRow, bool | None]] = []
        for visit, page in read:
            if visit.waiting.number not in series_of:
                continue
            series = series_of[visit.waiting.number]
            if page.record.status != _OK or not page.record.plain_text_key:
                found.append((series, None))
                continue
            own = fresh.get(visit.waiting.number, [])
            leads_on = series.id in own or series.found > MANY_URLS
            # Pages of a calendar differ by the names of months.
            is_known = series.kind == TrapKind.CALENDAR.value or page.record.plain_text_key in texts
            found.append((series, leads_on and all(item == series.id for item in own) and is_known))
        return found

    def _known_texts(self, keys: Iterable[int]) -> set[int]:
        """Return the texts that earlier stored pages had."""
        found: set[int] = set()
        for part in parts(sorted(keys)):
            found.update(self._connection.execute(select(PAGE.c.plain_text).where(PAGE.c.plain_text.in_(part)).distinct()).scalars())
        return found


def _put_texts(connection: Connection, pages: Iterable[tuple[int, ReadPage]]) -> None:
    texts = [
        {"id": number, "text": zstd.compress(page.text.encode("utf-8", "replace"), RECORD_LEVEL)} for number, page in pages if page.text
    ]
    if texts:
        connection.execute(delete(TEXT).where(TEXT.c.id.in_([row["id"] for row in texts])))
        connection.execute(TEXT.insert(), texts)


def _candidates(visit: Visit, page: ReadPage, known: Mapping[int, tuple[int, int]], *, follow: bool) -> Iterator[Candidate]:
    """Yield the URLs that a page links to, without those of a block that is known at this depth."""
    number, depth, record = visit.waiting.number, visit.waiting.depth, page.record
    if record.location:
        yield Candidate(record.location, FoundBy.REDIRECT, depth, number)
    if record.refresh and follow:
        yield Candidate(record.refresh, FoundBy.REDIRECT, depth + 1, number)
    for block in page.blocks:
        if block.key in known and known[block.key][1] <= depth:
            continue
        for link in block.links:
            yield Candidate(link.url, FoundBy.NOFOLLOW_LINK if link.nofollow else FoundBy.LINK, depth + 1, number)
    if record.canonical:
        yield Candidate(record.canonical, FoundBy.CANONICAL, depth + 1, number)
    for _, url in record.alternates if follow else ():
        yield Candidate(url, FoundBy.HREFLANG, depth + 1, number)


def _block_row(block: Block, depth: int, numbers: Mapping[str, int], anchors: Mapping[str, int], used: Mapping[str, int]) -> dict[str, Any]:
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


def _page_row(number: int, page: ReadPage, numbers: Mapping[str, int], blocks: Mapping[int, int]) -> dict[str, Any]:
    record = page.record
    return {
        "id": number,
        "status": record.status,
        "failure": record.failure,
        "reason": record.reason.value,
        "is_html": bool(record.verdicts),
        "location": numbers.get(record.location, 0) if record.location else 0,
        "canonical": numbers.get(record.canonical, 0) if record.canonical else 0,
        "title": _key_of(record.title),
        "description": _key_of(record.description),
        "heading": _key_of(record.h1),
        "text": record.text_key,
        "plain_text": record.plain_text_key,
        "stated": _stated_key(record),
        "lang": record.lang,
        "words": record.words,
        "first_byte_ms": record.first_byte_ms,
        "score": record.score,
        "record": packed_record(record),
        "blocks": pack(blocks[block.key] for block in page.blocks),
        "resources": pack(blocks[block.key] for block in page.resources),
    }


def _stated_key(record: PageRecord) -> int:
    """Return the hash of what comparisons of crawls read from a record."""
    return text_key(repr((record.title, record.description, record.h1, record.canonical, record.noindex, record.nofollow)))


def _key_of(text: str) -> int:
    """Return the hash of a text, letter case folded; 0 for none."""
    return text_key(text.casefold()) if text else 0


def packed_record(record: PageRecord) -> bytes:
    """Return a record as it is stored."""
    return zstd.compress(msgspec.msgpack.encode(record), RECORD_LEVEL)


def unpacked_record(data: bytes) -> PageRecord:
    """Return a stored record."""
    return msgspec.msgpack.decode(zstd.decompress(data), type=PageRecord)


def links_of(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """Return (URL, anchor, nofollow) of the links of a stored block."""
    numbers = unpack(data)
    targets, anchors, flags = (numbers[at::NUMBERS_PER_LINK] for at in range(3))
    return zip(targets, anchors, [bool(flag & NOFOLLOW) for flag in flags], strict=True)


def _state(connection: Connection) -> CrawlState | None:
    data = connection.execute(select(STATE.c.state)).scalar()
    return None if data is None else msgspec.json.decode(data, type=CrawlState)


def _required(connection: Connection) -> CrawlState:
    state = _state(connection)
    if state is None:
        raise CrawlStoreError("the crawl has not begun")
    return state


def _save_state(connection: Connection, state: CrawlState) -> None:
    data = msgspec.json.encode(state)
    made = insert(connection.dialect.name, STATE).values(id=ONLY_ROW, format=FORMAT, state=data, site=b"")
    connection.execute(made.on_conflict_do_update(index_elements=[STATE.c.id], set_={"state": data}))
