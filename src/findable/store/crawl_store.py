"""Store of one crawl: its frontier, pages and links. Every change is one transaction, so that a killed worker's crawl can continue."""

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, Select, bindparam, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from findable.capture.crawl import Refusal
from findable.capture.status_classes import OK
from findable.clock import now
from findable.crawl.followed_urls import Candidate
from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import pack_in_order, unpack_verdicts
from findable.crawl.record import PageRecord, ReadPage
from findable.crawl.rolling import CarriedPage, DuePages
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.crawl.visits import CrawlCounts, ResourceVisit, Visit, WaitingResource, WaitingUrl
from findable.errors import FindableError
from findable.limits import MAX_STORED_BYTES, MAX_TEMPORARY
from findable.store.carried_pages import carried_pages, copy_crawl, queue_due
from findable.store.crawl_frontier import CARRIED, CONFIRMING, DONE, DOUBTFUL, DUE, REFUSED, REQUESTED, TAKEN, WAITING, Frontier
from findable.store.crawl_resources import ResourceTable
from findable.store.crawl_schema import FORMAT, HOLDER, INDEXABLE, PAGE, RECORD, RECORDED_PAGES, RESPONSE, STATE, TEMPORARY, URL, VERDICT
from findable.store.database_errors import StorageBroken, is_damage, translated_errors
from findable.store.dialect import insert
from findable.store.extracted_values import Results, delete_other_rules, put_extracted
from findable.store.packed_pages import packed_record, unpacked_record
from findable.store.page_writer import PageWriter, delete_pages, page_row, put_texts
from findable.store.rows_by_id import each_part, parts
from findable.values import batches_of

ONLY_ROW = 1
FORGOTTEN_AT_ONCE = 500
_TEMPORARY = (302, 307)
_IN_ONE_BATCH = 1000


class CrawlStoreError(FindableError):
    """Error for a file that is not a crawl, or a store that cannot be used."""


class CrawlStoreDamaged(CrawlStoreError):
    """Error for a store that can never be read again, because the database says that it is damaged."""


class CrawlTakenOver(CrawlStoreError):
    """Error after another worker has taken over the crawl: this worker must not write any more."""


class StoredResponse(Struct, frozen=True):
    """Response of a page, packed by `crawl.stored_responses`."""

    number: int
    url: str
    data: bytes


class CrawlStore:
    """Frontier, pages and links of one crawl.

    Args:
        engine: connects only to the tables of this crawl.
        name: name of the crawl in messages.
        holder: number of the worker's attempt; its writes are refused after a later attempt took over. None: no other attempt can exist.
    """

    def __init__(self, engine: Engine, name: str, holder: int | None = None) -> None:
        self.engine = engine
        self.name = name
        self._holder = holder
        self._turn = threading.Lock()
        self._responses_bytes: int | None = None

    def close(self) -> None:
        """Close the connections of this store, unless other crawls share them."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for reading.

        Raises Unavailable if the database is unreachable or its disk fails, CrawlStoreDamaged if the store is damaged.
        """
        try:
            with translated_errors(), self.engine.connect() as connection:
                yield connection
        except StorageBroken as error:
            if is_damage(error.__cause__):
                raise CrawlStoreDamaged(f"{self.name} cannot be read: {getattr(error.__cause__, 'orig', error)}") from error
            raise

    def _scalar(self, statement: Select[Any]) -> Any:
        """Return the first value of a result; None if it is empty."""
        with self.reading() as connection:
            return connection.execute(statement).scalar()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a writing transaction. Raises CrawlStoreError if writing fails, CrawlTakenOver if another worker owns the crawl."""
        try:
            with self._turn, self.engine.begin() as connection:
                self._require_holder(connection)
                yield connection
        except (DBAPIError, sqlite3.Error) as error:
            kind = CrawlStoreDamaged if is_damage(error) else CrawlStoreError
            raise kind(f"{self.name} cannot be written: {getattr(error, 'orig', error)}") from error

    def _require_holder(self, connection: Connection) -> None:
        if self._holder is None:
            return
        if connection.execute(select(HOLDER.c.attempt).with_for_update()).scalar() != self._holder:
            raise CrawlTakenOver(f"{self.name} is now processed by another worker")

    def take_over(self) -> None:
        """Take the crawl over from earlier workers, whose writes are refused from now on."""
        holder, self._holder = self._holder, None
        try:
            with self.writing() as connection:
                made = insert(connection.dialect.name, HOLDER).values(id=ONLY_ROW, attempt=holder)
                connection.execute(made.on_conflict_do_update(index_elements=[HOLDER.c.id], set_={"attempt": holder}))
        finally:
            self._holder = holder

    def damage(self) -> str:
        """Return the damage found by a check; empty for none. Only the state is read, because a server itself checks its pages."""
        self.state()
        return ""

    # --- state

    def state(self) -> CrawlState | None:
        """Return the state of the crawl; None in a new store."""
        with self.reading() as connection:
            return _state(connection)

    def save_state(self, state: CrawlState) -> None:
        """Store the state of the crawl."""
        with self.writing() as connection:
            _save_state(connection, state)

    def site(self) -> bytes:
        """Return the capture of the site; empty before it is saved."""
        return bytes(self._scalar(select(STATE.c.site)) or b"")

    def save_site(self, site: bytes) -> None:
        """Store the capture of the site."""
        with self.writing() as connection:
            connection.execute(update(STATE).values(site=site))

    def counts(self) -> CrawlCounts:
        """Return the progress of the crawl."""
        with self.reading() as connection:
            counted = connection.execute(select(URL.c.state, func.count()).group_by(URL.c.state)).all()
            by_state = Counter({row[0]: row[1] for row in counted})
            pages = connection.execute(select(func.count()).where(PAGE.c.is_html, PAGE.c.status == OK)).scalar_one()
            indexable = connection.execute(select(func.count()).where(*INDEXABLE)).scalar_one()
            columns = PAGE.c.status, func.count(), func.min(PAGE.c.requested_at)
            statuses = connection.execute(select(*columns).group_by(PAGE.c.status)).all()
            state = _state(connection)
        carried = by_state[CARRIED] + by_state[DUE]
        by_class = Counter[str]()
        for status, count, _ in statuses:
            by_class[f"{status // 100}xx" if status else "none"] += count
        return CrawlCounts(
            waiting=by_state[WAITING] + by_state[TAKEN],
            done=by_state[DONE],
            refused=by_state[REFUSED],
            doubtful=by_state[DOUBTFUL] + by_state[CONFIRMING],
            pages=pages,
            indexable=indexable,
            seconds=state.seconds if state else 0.0,
            statuses=dict(sorted(by_class.items())),
            carried=carried,
            due=by_state[DUE],
            oldest_at=min((oldest for *_, oldest in statuses), default=0) if carried else 0,
        )

    def packed_verdicts(self) -> Mapping[bytes, int]:
        """Return the number of indexable pages by their packed verdicts."""
        chosen = select(VERDICT.c.verdicts, func.count()).join(PAGE, PAGE.c.id == VERDICT.c.id).where(*INDEXABLE)
        with self.reading() as connection:
            return {bytes(row[0]): row[1] for row in connection.execute(chosen.group_by(VERDICT.c.verdicts))}

    # --- work

    def release(self) -> None:
        """Queue the URLs again that a killed crawl had taken from the frontier."""
        with self.writing() as connection:
            Frontier(connection, _required_state(connection)).release()

    def add(self, urls: Iterable[str], found_by: FoundBy, depth: int, *, only_unknown: bool = False) -> bool:
        """Add URLs that were found without a link: the start page, URLs of a list or sitemap; return whether any is new and requested.

        With ``only_unknown``, nothing is recorded about URLs that are known.
        """
        with self.writing() as connection:
            frontier = Frontier(connection, _required_state(connection))
            fresh_count = 0
            for part in batches_of(urls, _IN_ONE_BATCH):
                added = frontier.unknown(part) if only_unknown else part
                fresh_count += len(frontier.admit(Candidate(url, found_by, depth) for url in added).fresh)
            _save_state(connection, frontier.state)
        return fresh_count > 0

    def indexable_urls(self, limit: int) -> list[str]:
        """Return the first indexable URLs in sort order."""
        chosen = select(URL.c.url).join(PAGE, PAGE.c.id == URL.c.id).where(*INDEXABLE)
        with self.reading() as connection:
            return [row.url for row in connection.execute(chosen.order_by(URL.c.url).limit(limit))]

    def carry_over(self, earlier: "CrawlStore") -> None:
        """Replace everything but the state of a rolling crawl by the pages of an earlier crawl."""
        with self.writing() as connection:
            copy_crawl(connection, earlier.name)

    def queue_due(
        self,
        start_url: str,
        choose: Callable[[Sequence[CarriedPage], int], DuePages],
        *,
        clicks: Mapping[int, int],
        lastmods: Mapping[int, int],
        has_other_rule: Callable[[str], bool] | None,
    ) -> None:
        """Queue pages of the earlier crawl to be requested again: those that are chosen from all and the id of the start page.

        The other arguments are those of `carried_pages`.
        """
        with self.writing() as connection:
            pages = carried_pages(connection, clicks, lastmods, has_other_rule)
            start = Frontier(connection, _required_state(connection)).numbers([start_url])[start_url]
            queue_due(connection, choose(pages, start))

    def take(self, count: int) -> list[WaitingUrl]:
        """Return the next URLs to request, within the maximum number of pages."""
        with self.writing() as connection:
            state = _required_state(connection)
            limit, last = state.settings.page_limit, connection.execute(select(func.max(URL.c.id))).scalar() or 0
            new_count, rolling = count, state.settings.rolling
            if last > limit:  # fewer known URLs cannot exceed the limit, so requests are not counted for every batch
                new_count = min(count, limit - _count_in(connection, (*REQUESTED, CARRIED, DUE)))
            if rolling is not None:
                count = min(count, rolling - _count_in(connection, REQUESTED))
            return Frontier(connection, state).take(count, new_count) if count > 0 else []

    def take_unconfirmed(self, count: int) -> list[WaitingUrl]:
        """Return URLs that must be requested again to confirm their response."""
        with self.writing() as connection:
            return Frontier(connection, _required_state(connection)).take_unconfirmed(count)

    def put(self, visits: Sequence[Visit]) -> None:
        """Store the results of requests, and the URLs that were found."""
        with self.writing() as connection:
            state = _required_state(connection)
            frontier = Frontier(connection, state)
            again = [visit.waiting.number for visit in visits if state.settings.rolling is not None]
            earlier_bytes = self._stored_bytes(connection, again) if again else 0
            counted = PageWriter(connection, frontier).put(visits, int(now().timestamp()))
            read = {visit.waiting.number: visit.page.extractor_results for visit in counted if visit.page is not None}
            put_extracted(connection, state.settings.extractors, read)
            self._save_responses(connection, counted, earlier_bytes - self._stored_bytes(connection, again) if again else 0)
            after = replace(frontier.state, unchanged_count=state.unchanged_count + sum(visit.is_unchanged for visit in visits))
            if after != state:
                _save_state(connection, after)

    def take_resources(self) -> list[WaitingResource]:
        """Return all resources and external links to request; once none are left, those to confirm by another request."""
        with self.writing() as connection:
            return ResourceTable(connection, _required_state(connection).settings).take()

    def put_resources(self, visits: Sequence[ResourceVisit]) -> None:
        """Store results of resources and external links."""
        with self.writing() as connection:
            ResourceTable(connection, _required_state(connection).settings).put(visits)

    @staticmethod
    def _stored_bytes(connection: Connection, numbers: Sequence[int] = ()) -> int:
        """Return the size of all stored responses, or of those of some URLs."""
        chosen = select(func.coalesce(func.sum(func.length(RESPONSE.c.response)), 0))
        return int(connection.execute(chosen.where(RESPONSE.c.id.in_(numbers)) if numbers else chosen).scalar_one())

    def _save_responses(self, connection: Connection, visits: Sequence[Visit], deleted_bytes: int) -> None:
        """Store the responses of pages until the size limit is reached."""
        known_bytes = self._responses_bytes
        self._responses_bytes = self._stored_bytes(connection) if known_bytes is None else known_bytes - deleted_bytes
        rows = []
        for visit in visits:
            size = len(visit.page.packed_response) if visit.page is not None else 0
            if visit.page is not None and size and self._responses_bytes + size <= MAX_STORED_BYTES:
                self._responses_bytes += size
                rows.append((visit.waiting.number, visit.page.packed_response))
        if rows:
            delete_pages(connection, [number for number, _ in rows], (RESPONSE,))
            connection.execute(RESPONSE.insert(), [{"id": number, "response": response} for number, response in rows])

    # --- rescoring

    def stored_responses(self, at_once: int, after: int = 0) -> Iterator[Sequence[StoredResponse]]:
        """Yield batches of ``at_once`` stored responses with higher ids than ``after``, in order."""
        chosen = select(RESPONSE.c.id, RESPONSE.c.response, URL.c.url).join(URL, URL.c.id == RESPONSE.c.id)
        while True:
            with self.reading() as connection:
                rows = connection.execute(chosen.where(RESPONSE.c.id > after).order_by(RESPONSE.c.id).limit(at_once)).all()
            if not rows:
                return
            yield [StoredResponse(row.id, row.url, bytes(row.response)) for row in rows]
            after = rows[-1].id

    def stored_response(self, url: str) -> bytes | None:
        """Return the stored response of a URL; None if there is none."""
        key = url_key(url)
        found = self._scalar(select(RESPONSE.c.response).join(URL, URL.c.id == RESPONSE.c.id).where(URL.c.key == key))
        return None if found is None else bytes(found)

    def delete_some_responses(self) -> bool:
        """Delete a few stored responses; return whether there were any."""
        some = select(RESPONSE.c.id).limit(FORGOTTEN_AT_ONCE)
        with self.writing() as connection:
            return connection.execute(delete(RESPONSE).where(RESPONSE.c.id.in_(some))).rowcount > 0

    def rename_checks(self, names: tuple[str, ...]) -> None:
        """Rewrite the packed verdicts of all pages for another list of checks."""
        with self.writing() as connection:
            state = _required_state(connection)
            chosen = select(PAGE.c.id, RECORD.c.record).select_from(RECORDED_PAGES).where(PAGE.c.is_html)
            for rows in each_part(connection, chosen, PAGE.c.id, _IN_ONE_BATCH):
                changed = []
                for row in rows:
                    record = unpacked_record(row.record, PageRecord)
                    verdicts = pack_in_order(unpack_verdicts(record.verdicts, state.checks), names)
                    changed.append({"number": row.id, "packed": packed_record(replace(record, verdicts=verdicts)), "bytes": verdicts})
                connection.execute(update(RECORD).where(RECORD.c.id == bindparam("number")).values(record=bindparam("packed")), changed)
                connection.execute(update(VERDICT).where(VERDICT.c.id == bindparam("number")).values(verdicts=bindparam("bytes")), changed)
            _save_state(connection, replace(state, checks=names))

    def count_responses(self, after: int = 0) -> int:
        """Count the stored responses with a higher id than ``after``."""
        return int(self._scalar(select(func.count()).select_from(RESPONSE).where(RESPONSE.c.id > after)))

    def replace_extracted(self, pages: Mapping[int, Results], judged_to: int) -> None:
        """Store new results of extractors from stored responses; ``judged_to`` is the id of the last rescored page."""
        with self.writing() as connection:
            state = _required_state(connection)
            put_extracted(connection, state.settings.extractors, pages)
            _save_state(connection, replace(state, judged_to=judged_to))

    def end_rescoring(self, state: CrawlState) -> None:
        """Store the state after rescoring, and delete the results of extractors that the crawl no longer has."""
        with self.writing() as connection:
            delete_other_rules(connection, state.settings.extractors)
            _save_state(connection, state)

    def replace_pages(self, pages: Sequence[tuple[int, ReadPage]], judged_to: int) -> None:
        """Store new results of stored responses; ``judged_to`` is the id of the last rescored page. The links of the pages stay."""
        with self.writing() as connection:
            state = _required_state(connection)
            frontier = Frontier(connection, state)
            numbers = frontier.numbers({page.record.canonical for _, page in pages if page.record.canonical})
            for number, page in pages:
                row = page_row(number, page, numbers, 0)
                changes = {name: value for name, value in row.items() if name not in ("id", "location", "segments")}
                connection.execute(update(PAGE).where(PAGE.c.id == number).values(changes))
                connection.execute(update(RECORD).where(RECORD.c.id == number).values(record=packed_record(page.record)))
                connection.execute(update(VERDICT).where(VERDICT.c.id == number).values(verdicts=page.record.verdicts))
            put_texts(connection, pages)
            put_extracted(connection, state.settings.extractors, {number: page.extractor_results for number, page in pages})
            _save_state(connection, replace(state, judged_to=judged_to))

    def temporary_redirects(self) -> Mapping[tuple[str, str], str]:
        """Return the time at which this or an earlier crawl first found each temporary redirect, by (URL, target)."""
        target = URL.alias()
        joined = PAGE.join(URL, URL.c.id == PAGE.c.id).join(target, target.c.id == PAGE.c.location)
        columns = (URL.c.url, target.c.url.label("target"), TEMPORARY.c.since)
        chosen = select(*columns).select_from(joined.outerjoin(TEMPORARY, TEMPORARY.c.id == PAGE.c.id)).order_by(URL.c.id)
        with self.reading() as connection:
            state = _required_state(connection)
            rows = connection.execute(chosen.where(PAGE.c.status.in_(_TEMPORARY)).limit(MAX_TEMPORARY))
            return {(row.url, row.target): row.since or state.started_at for row in rows}

    def save_temporary(self, since: Mapping[tuple[str, str], str]) -> None:
        """Store the time at which earlier crawls first found temporary redirects, by (URL, target)."""
        with self.writing() as connection:
            numbers = Frontier(connection, _required_state(connection)).numbers(url for url, _ in since)
            connection.execute(delete(TEMPORARY))
            rows = {numbers[url]: moment for (url, _), moment in since.items() if url in numbers}
            if rows:
                connection.execute(TEMPORARY.insert(), [{"id": number, "since": moment} for number, moment in rows.items()])

    def requeue_failed(self) -> None:
        """Queue URLs again whose failure was not confirmed, because the whole site may have been unreachable."""
        with self.writing() as connection:
            doubtful = select(URL.c.id).where(URL.c.state.in_((DOUBTFUL, CONFIRMING)))
            failed = connection.execute(select(PAGE.c.id).where(PAGE.c.failure != "", PAGE.c.id.in_(doubtful))).scalars().all()
            for part in parts(failed):
                delete_pages(connection, part, (PAGE, RECORD, VERDICT))
                connection.execute(update(URL).where(URL.c.id.in_(part)).values(state=WAITING))

    # --- reading

    def number_of(self, url: str) -> int | None:
        """Return the id of a URL; None if the crawl did not find it."""
        found: int | None = self._scalar(select(URL.c.id).where(URL.c.url == url))
        return found

    def has_traps(self) -> bool:
        """Return whether URLs were refused as part of an endless series."""
        return self._scalar(select(URL.c.id).where(URL.c.refusal == Refusal.TRAP.value).limit(1)) is not None


def _state(connection: Connection) -> CrawlState | None:
    data = connection.execute(select(STATE.c.state)).scalar()
    return None if data is None else msgspec.json.decode(data, type=CrawlState)


def _count_in(connection: Connection, states: Sequence[int]) -> int:
    return connection.execute(select(func.count()).where(URL.c.state.in_(states))).scalar_one()


def _required_state(connection: Connection) -> CrawlState:
    state = _state(connection)
    if state is None:
        raise CrawlStoreError("the crawl has not started")
    return state


def _save_state(connection: Connection, state: CrawlState) -> None:
    data = msgspec.json.encode(state)
    made = insert(connection.dialect.name, STATE).values(id=ONLY_ROW, format=FORMAT, state=data, site=b"")
    connection.execute(made.on_conflict_do_update(index_elements=[STATE.c.id], set_={"state": data}))
