"""Changes of pages between two settled crawls."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, and_, not_, or_, select

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.crawl.changes import ChangeKind, ComparedPage, ComparedRecord, NotCompared, PageChange, page_changes, pair_rows
from findable.crawl.link_graph import NOWHERE
from findable.crawl.start_origins import with_origins
from findable.store.crawl_frontier import REFUSED
from findable.store.crawl_schema import ALL_URLS, PAGE, RECORD, SETTLED, URL
from findable.store.packed_pages import unpacked_record
from findable.store.rows_by_id import rows_in
from findable.values import batches_of, shape_of

AT_ONCE = 1000
BUDGET = "budget"
"""Reason for URLs that were still queued when the crawl ended."""
_COMPARED = (
    URL.c.url,
    PAGE.c.status,
    PAGE.c.reason,
    PAGE.c.is_html,
    PAGE.c.text,
    PAGE.c.stated,
    SETTLED.c.depth,
    SETTLED.c.inlinks,
    URL.c.id,
    URL.c.state,
    URL.c.refusal,
    SETTLED.c.link_score,
)
_EQUAL = slice(1, 8)
"""Columns that are equal if nothing changed."""
_Pair = tuple[str, Any, Any]
"""URL with its rows in both crawls."""


def compared_urls(
    before: Connection, after: Connection, origins: Mapping[str, str], kinds: frozenset[ChangeKind]
) -> Iterator[tuple[str, tuple[PageChange | NotCompared, ...]]]:
    """Yield all URLs of two crawls in order, each once with its changes.

    Args:
        before: store of the earlier crawl.
        after: store of the newer crawl.
        origins: origins of the newer crawl by equivalent origin of the earlier one.
        kinds: kinds of changes, see `compared_kinds`.
    """
    pairs = pair_rows(_rows(before, {}), _rows(after, origins))
    for batch in batches_of(pairs, AT_ONCE):
        differing = [pair for pair in batch if origins or not _is_equal(pair)]
        read = [pair for pair in differing if origins or not _has_equal_record(pair)]
        old_records = _compared_records(before, (old for _, old, _ in read))
        new_records = _compared_records(after, (new for _, _, new in read))
        changes = {
            url: tuple(page_changes(_page(url, old, old_records, {}), _page(url, new, new_records, origins), kinds))
            for url, old, new in differing
        }
        yield from ((url, changes.get(url, ())) for url, _, _ in batch)


def _is_equal(pair: _Pair) -> bool:
    """Return whether a URL is the same in both crawls, comparing the record of a page by hash."""
    _, old, new = pair
    if old is None or new is None or old[_EQUAL] != new[_EQUAL]:
        return False
    return not new.is_html or (new.stated != 0 and new.reason != Reason.CHALLENGE)


def _has_equal_record(pair: _Pair) -> bool:
    """Return whether the records are equal for a comparison."""
    _, old, new = pair
    return old is not None and new is not None and old.stated == new.stated != 0


def _compared_records(connection: Connection, rows: Iterable[Any]) -> dict[int, ComparedRecord]:
    """Return the compared parts of the records of HTML pages by page number."""
    numbers = (row.id for row in rows if row is not None and row.is_html)
    found = rows_in(connection, select(RECORD.c.id, RECORD.c.record), RECORD.c.id, numbers)
    return {number: unpacked_record(record, ComparedRecord) for number, record in found}


def _rows(connection: Connection, origins: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield (public URL, row) in order of the URL, each URL once."""
    own = [URL.c.url.startswith(f"{origin}/", autoescape=True) for origin in origins]
    if not own:
        yield from ((row.url, row) for row in _ordered_rows(connection, and_(True)))
        return
    streams = [_ordered_rows(connection, condition) for condition in (*own, not_(or_(*own)))]
    last = ""
    for url, row in heapq.merge(*(((with_origins(row.url, origins), row) for row in rows) for rows in streams), key=lambda pair: pair[0]):
        if url != last:
            yield url, row
        last = url


def _ordered_rows(connection: Connection, condition: Any) -> Iterator[Any]:
    chosen = select(*_COMPARED).select_from(ALL_URLS).where(condition).order_by(URL.c.url)
    yield from connection.execute(chosen).yield_per(AT_ONCE)


def _page(url: str, row: Any, known: Mapping[int, ComparedRecord], origins: Mapping[str, str]) -> ComparedPage | None:
    if row is None:
        return None
    if row.status is None:
        return ComparedPage(url=url, number=row.id, left_out=row.refusal if row.state == REFUSED else BUDGET)
    record = known.get(row.id, ComparedRecord())
    return shape_of(
        ComparedPage,
        record,
        url=url,
        number=row.id,
        status=row.status,
        reason=Reason(row.reason),
        is_page=bool(row.is_html) and row.status == OK,
        canonical=with_origins(record.canonical, origins),
        text_key=row.text,
        depth=row.depth if row.depth is not None and row.depth != NOWHERE else None,
        inlinks=row.inlinks or 0,
        link_score=row.link_score or 0,
    )
