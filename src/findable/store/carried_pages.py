"""Store of a rolling crawl: it begins with a copy of the earlier crawl, and ends without what nothing leads to any more."""

import sqlite3
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Integer, MetaData, Table, and_, bindparam, case, delete, exists, func, or_, select, update

from findable.capture.crawl import Refusal
from findable.crawl.blocks import UsedAs
from findable.crawl.found_by import FoundBy
from findable.crawl.rolling import CarriedPage, DuePages
from findable.crawl.varints import unpack
from findable.store.crawl_frontier import AFTER_NEW, BEFORE_NEW, CARRIED, DONE, DOUBTFUL, DUE, REFUSED, WAITING, Frontier
from findable.store.crawl_schema import (
    ANCHOR,
    BLOCK,
    HOLDER,
    INDEXABLE,
    METADATA,
    PAGE,
    RECORD,
    REFRESHING,
    RESOURCE,
    RESPONSE,
    SERIES,
    SESSION,
    SETTLED,
    STATE,
    URL,
    WITH_RECORD,
    WITH_VERSIONS,
)
from findable.store.packed_pages import link_columns, refresh_of, versions_of
from findable.store.page_writer import PAGE_TABLES, delete_pages
from findable.store.rows_by_id import parts

COPIED = (URL, *PAGE_TABLES, BLOCK, RESOURCE, ANCHOR, SERIES, SESSION, SETTLED)
"""Tables that are copied; all others are derived when a crawl is settled."""
_OF_RUN = FoundBy.START | FoundBy.SITEMAP | FoundBy.UPLOAD | FoundBy.LIST
"""Sources of URLs that each crawl reads itself."""
_AT_ONCE = 5000


def copy_crawl(connection: Connection, earlier: str) -> None:
    """Replace all but the state of a crawl by the pages of an earlier one; ``earlier``: name of its store."""
    for table in METADATA.sorted_tables:
        if table not in (STATE, HOLDER):
            connection.execute(delete(table))
    if connection.dialect.name == "sqlite":
        with _attached(connection, earlier) as raw:
            for table in COPIED:
                raw.execute(f"INSERT INTO main.{table.name} SELECT * FROM earlier.{table.name}")  # noqa: S608 - names of tables
    else:
        for table in COPIED:
            _copy_table(connection, table, earlier)
    _make_carried(connection)


@contextmanager
def _attached(connection: Connection, path: str) -> Iterator[sqlite3.Connection]:
    """Attach the file of an earlier crawl, between two transactions."""
    raw: Any = connection.connection.driver_connection
    raw.commit()
    raw.execute("ATTACH ? AS earlier", (path,))
    try:
        yield raw
        raw.commit()
    finally:
        raw.rollback()
        raw.execute("DETACH earlier")


def _copy_table(connection: Connection, table: Table, schema: str) -> None:
    """Copy a table from another schema, and continue its sequence of ids."""
    source = table.to_metadata(MetaData(), schema=schema)
    names = [column.name for column in table.c]
    connection.execute(table.insert().from_select(names, select(*(source.c[name] for name in names))))
    first = table.primary_key.columns.values()[0]
    if table.autoincrement_column is not None and isinstance(first.type, Integer):
        own = connection.get_execution_options()["schema_translate_map"][None]
        sequence = select(func.pg_get_serial_sequence(f"{own}.{table.name}", first.name)).scalar_subquery()
        last = select(func.coalesce(func.max(first), 0) + 1).scalar_subquery()
        connection.execute(select(func.setval(sequence, last, False)))


def _make_carried(connection: Connection) -> None:
    """Mark the pages of the earlier crawl, and forget what this crawl finds out itself."""
    has_page = exists().where(PAGE.c.id == URL.c.id)
    state = case((has_page, CARRIED), (URL.c.refusal.in_(("", Refusal.ROBOTS.value)), WAITING), else_=REFUSED)
    is_refused = (URL.c.state == REFUSED) & (URL.c.refusal != Refusal.ROBOTS.value)
    connection.execute(
        update(URL).values(
            state=state,
            refusal=case((is_refused, URL.c.refusal), else_=""),
            detail=case((is_refused | has_page, URL.c.detail), else_=""),
            found_by=URL.c.found_by.op("&")(~int(FoundBy.START | FoundBy.LIST)),
        )
    )
    depth = select(SETTLED.c.depth).where(SETTLED.c.id == URL.c.id).scalar_subquery()
    connection.execute(update(URL).where(depth >= 0).values(depth=depth))
    link = int(UsedAs.LINK)
    connection.execute(delete(RESOURCE).where(RESOURCE.c.used_as == link))
    fresh = {"status": 0, "failure": "", "detail": "", "media_type": "", "size_bytes": None, "is_missing_host": False}
    fresh |= {"state": case((RESOURCE.c.state.in_((DONE, DOUBTFUL)), WAITING), else_=RESOURCE.c.state)}
    connection.execute(update(RESOURCE).values(fresh | {"used_as": RESOURCE.c.used_as.op("&")(~link)}))


def carried_pages(
    connection: Connection, clicks: Mapping[int, int], lastmods: Mapping[int, int], has_other_rule: Callable[[str], bool] | None
) -> list[CarriedPage]:
    """Return the pages of the earlier crawl that something leads to, or that are indexable.

    Those with another rule are requested without conditions.

    Args:
        connection: connection to the store of the crawl.
        clicks: uploaded metric by URL key.
        lastmods: time of the last change by URL key, of all URLs in sitemaps; 0 without one.
        has_other_rule: whether robots.txt has another rule about a URL than at the earlier crawl; None if it is the same.
    """
    dropped = _drop_unlisted(connection, lastmods)
    columns = (URL.c.id, URL.c.key, URL.c.url, PAGE.c.requested_at, PAGE.c.changed_at, SETTLED.c.link_score)
    joined = URL.join(PAGE, PAGE.c.id == URL.c.id).outerjoin(SETTLED, SETTLED.c.id == URL.c.id)
    chosen = select(*columns).select_from(joined).where(URL.c.state == CARRIED)
    rows = connection.execute(chosen.where(or_(URL.c.found_by.not_in((0, int(FoundBy.EARLIER))), and_(*INDEXABLE)))).yield_per(_AT_ONCE)
    found, forced = [], []
    for number, key, url, requested_at, changed_at, link_score in rows:
        is_forced = has_other_rule is not None and has_other_rule(url)
        if is_forced:
            forced.append(number)
        is_declared = is_forced or number in dropped or lastmods.get(key, 0) > requested_at
        found.append(CarriedPage(number, requested_at, changed_at, link_score or 0, clicks.get(key, 0), is_declared))
    delete_pages(connection, forced, (RESPONSE,))
    return found


def _drop_unlisted(connection: Connection, listed: Container[int]) -> set[int]:
    """Mark the URLs that were in a sitemap and are in none now; return their ids. ``listed``: keys of the URLs in sitemaps."""
    in_sitemap = URL.c.found_by.op("&")(int(FoundBy.SITEMAP)) != 0
    rows = connection.execute(select(URL.c.id, URL.c.key).where(in_sitemap)).yield_per(_AT_ONCE)
    dropped = [number for number, key in rows if key not in listed]
    for part in parts(dropped):
        connection.execute(update(URL).where(URL.c.id.in_(part)).values(found_by=URL.c.found_by.op("&")(~int(FoundBy.SITEMAP))))
    return set(dropped)


def queue_due(connection: Connection, due: DuePages) -> None:
    """Queue pages of the earlier crawl to be requested again."""
    rows = [{"number": number, "rank": BEFORE_NEW} for number in due.before_new]
    rows += [{"number": number, "rank": AFTER_NEW + at} for at, number in enumerate(due.after_new)]
    queued = update(URL).where(URL.c.id == bindparam("number")).values(state=DUE, place=bindparam("rank"))
    if rows:
        connection.execute(queued, rows)


def remove_unlinked(connection: Connection, frontier: Frontier) -> None:
    """Store in which ways URLs are found now, and delete what nothing leads to: only pages that are indexable, or new, stay."""
    ways = _ways(connection, frontier)
    columns = (URL.c.id, URL.c.found_by, URL.c.state, (PAGE.c.is_html & (PAGE.c.reason == "")).label("is_indexable"))
    rows = connection.execute(select(*columns).select_from(URL.outerjoin(PAGE, PAGE.c.id == URL.c.id))).yield_per(_AT_ONCE)
    changed: list[dict[str, int]] = []
    unlinked: list[int] = []
    for number, found_by, state, is_indexable in rows:
        now = (found_by & int(_OF_RUN)) | ways.get(number, 0)
        if not now and (is_indexable or state in (DONE, DOUBTFUL)):
            now = int(FoundBy.EARLIER)
        if not now:
            unlinked.append(number)
        elif now != found_by:
            changed.append({"number": number, "ways": now})
    if changed:
        connection.execute(update(URL).where(URL.c.id == bindparam("number")).values(found_by=bindparam("ways")), changed)
    delete_pages(connection, unlinked, (*PAGE_TABLES, SETTLED, URL))


def _ways(connection: Connection, frontier: Frontier) -> dict[int, int]:
    """Return the ways in which pages lead to URLs, as flags by id; delete blocks, link texts and resources that no page has."""
    used: set[int] = set()
    for row in connection.execute(select(RECORD.c.blocks, RECORD.c.resources)).yield_per(_AT_ONCE):
        used.update(unpack(row.blocks), unpack(row.resources))
    found: dict[FoundBy, set[int]] = {way: set() for way in FoundBy}
    anchors: set[int] = set()
    resources: set[int] = set()
    unused: list[int] = []
    for number, links, loaded in connection.execute(select(BLOCK.c.id, BLOCK.c.links, BLOCK.c.resources)).yield_per(_AT_ONCE):
        if number not in used:
            unused.append(number)
            continue
        targets, texts, nofollows = link_columns(links)
        anchors.update(texts)
        resources.update(unpack(loaded))
        if any(nofollows):
            for target, is_nofollow in zip(targets, nofollows, strict=True):
                found[FoundBy.NOFOLLOW_LINK if is_nofollow else FoundBy.LINK].add(target)
        else:
            found[FoundBy.LINK].update(targets)
    delete_pages(connection, unused, (BLOCK,))
    for table, known, kept in (
        (ANCHOR, select(ANCHOR.c.id), anchors),
        (RESOURCE, select(RESOURCE.c.id).where(RESOURCE.c.used_as < int(UsedAs.LINK)), resources),
    ):
        delete_pages(connection, set(connection.execute(known).scalars()) - kept, (table,))
    found[FoundBy.CANONICAL].update(connection.execute(select(PAGE.c.canonical).where(PAGE.c.canonical != 0).distinct()).scalars())
    found[FoundBy.REDIRECT].update(connection.execute(select(PAGE.c.location).where(PAGE.c.location != 0).distinct()).scalars())
    chosen = select(RECORD.c.record).select_from(RECORD.join(PAGE, WITH_RECORD))
    refreshing = connection.execute(chosen.where(*REFRESHING)).scalars()
    found[FoundBy.REDIRECT].update(frontier.numbers(map(refresh_of, refreshing)).values())
    versions = {url for one in connection.execute(chosen.where(WITH_VERSIONS)).scalars().yield_per(_AT_ONCE) for _, url in versions_of(one)}
    found[FoundBy.HREFLANG].update(frontier.numbers(versions).values())
    ways: dict[int, int] = {}
    for way, numbers in found.items():
        for number in numbers:
            ways[number] = ways.get(number, 0) | int(way)
    return ways
