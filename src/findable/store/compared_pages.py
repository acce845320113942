"""URLs of a settled crawl in order, with the values that comparisons of crawls need."""

import heapq
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, and_, not_, or_, select

from findable.capture.crawl import Reason
from findable.crawl.changes import ComparedPage, with_origins
from findable.crawl.record import OK
from findable.crawl.settle import NOWHERE
from findable.formats.zstd import zstd
from findable.store.crawl_frontier import REFUSED
from findable.store.crawl_schema import PAGE, SETTLED, URL

AT_ONCE = 1000
BUDGET = "budget"
"""Reason of URLs that were still queued when the crawl ended."""


class _Told(Struct, frozen=True):
    """Part of a record that is compared."""

    title: str = ""
    description: str = ""
    h1: str = ""
    canonical: str = ""
    noindex: bool = False
    nofollow: bool = False


def compared_pages(connection: Connection, origins: Mapping[str, str] | None = None) -> Iterator[ComparedPage]:
    """Yield all URLs in order, each once. ``origins``: public origins by the crawl's origins."""
    origins = origins or {}
    own = [URL.c.url.startswith(f"{origin}/", autoescape=True) for origin in origins]
    streams = [_rows(connection, condition) for condition in own]
    streams.append(_rows(connection, not_(or_(*own)) if own else and_(True)))
    last = ""
    for url, row in heapq.merge(*(_with_urls(stream, origins) for stream in streams), key=lambda pair: pair[0]):
        if url != last:
            yield _page(url, row, origins)
        last = url


def _with_urls(rows: Iterator[Any], origins: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield rows with their public URL: within one origin the order stays."""
    return ((with_origins(row.url, origins), row) for row in rows)


def _rows(connection: Connection, condition: Any) -> Iterator[Any]:
    columns = (
        URL.c.id,
        URL.c.url,
        URL.c.state,
        URL.c.refusal,
        PAGE.c.status,
        PAGE.c.reason,
        PAGE.c.is_html,
        PAGE.c.text,
        PAGE.c.record,
        SETTLED.c.depth,
        SETTLED.c.inlinks,
        SETTLED.c.link_score,
    )
    joined = URL.outerjoin(PAGE, PAGE.c.id == URL.c.id).outerjoin(SETTLED, SETTLED.c.id == URL.c.id)
    chosen = select(*columns).select_from(joined).where(condition).order_by(URL.c.url)
    yield from connection.execute(chosen).yield_per(AT_ONCE)


def _page(url: str, row: Any, origins: Mapping[str, str]) -> ComparedPage:
    if row.status is None:
        return ComparedPage(url, row.id, left_out=row.refusal if row.state == REFUSED else BUDGET)
    told = msgspec.msgpack.decode(zstd.decompress(row.record), type=_Told) if row.is_html else _Told()
    return ComparedPage(
        url=url,
        number=row.id,
        status=row.status,
        reason=Reason(row.reason),
        is_page=bool(row.is_html) and row.status == OK,
        title=told.title,
        description=told.description,
        h1=told.h1,
        canonical=with_origins(told.canonical, origins),
        noindex=told.noindex,
        nofollow=told.nofollow,
        text_key=row.text,
        depth=row.depth if row.depth is not None and row.depth != NOWHERE else None,
        inlinks=row.inlinks or 0,
        link_score=row.link_score or 0,
    )
