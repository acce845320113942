"""Stored comparisons of a crawl with earlier ones: counts and findings in one row, changes of pages in list order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import ColumnElement, Connection, case, delete, func, select, tuple_, update

from findable.crawl.changes import GAINED, LOST, ChangeKind, CrawlComparison, PageChange
from findable.crawl.start_origins import with_origins
from findable.reports.site_areas import UrlState
from findable.store.crawl_schema import CHANGE, COMPARISON, SETTLED, URL
from findable.store.dialect import insert_missing
from findable.store.packed_pages import packed_record, unpacked_record

MAX_OTHERS = 3
"""Maximum number of stored comparisons besides the main one; the oldest of them is deleted first."""
AT_ONCE = 1000
_KINDS = tuple(ChangeKind)
_RANKS = 1000
"""Number of ranks per kind, which exceeds the number of link scores."""
_BEST = 100
_RANK = {kind: place * _RANKS for place, kind in enumerate(_KINDS)}
_STATES = (UrlState.LOST, UrlState.INDEXABLE, UrlState.HIGH)
"""States of changed pages, the worst first: lost, gained, otherwise changed."""
_LEVELS = {_KINDS.index(kind): place for place, kinds in enumerate((LOST, GAINED)) for kind in kinds}
_UNCOUNTED = [_KINDS.index(kind) for kind in (ChangeKind.DEPTH, ChangeKind.INLINKS)]
"""Changes that count for nothing in colours: a new link in a menu causes them on all pages."""


class StoredComparison(Struct, frozen=True):
    """Comparison of a crawl with an earlier one, complete or in progress."""

    comparison: CrawlComparison
    id: int = 0
    is_done: bool = False
    last_url: str = ""
    """Last compared URL."""
    changes_count: int = 0
    """Number of stored changes."""


class ListedChange(Struct, frozen=True):
    """Change of a page with its position in the list."""

    rank: int
    number: int
    change: PageChange


def main_comparison(connection: Connection) -> StoredComparison | None:
    """Return the comparison that is created when the crawl is settled; None if there is none yet."""
    return _comparison_where(connection, COMPARISON.c.is_main & COMPARISON.c.is_done)


def named_comparison(connection: Connection, name: str) -> StoredComparison | None:
    """Return a comparison by its name, complete or in progress; None if there is none."""
    return _comparison_where(connection, COMPARISON.c.name == name)


def _comparison_where(connection: Connection, condition: ColumnElement[bool]) -> StoredComparison | None:
    row = connection.execute(select(COMPARISON).where(condition).order_by(COMPARISON.c.id.desc()).limit(1)).first()
    if row is None:
        return None
    return StoredComparison(unpacked_record(row.comparison, CrawlComparison), row.id, row.is_done, row.last_url, row.changes_count)


def states_by_change(connection: Connection) -> Mapping[int, Mapping[UrlState, int]]:
    """Return the numbers of changed pages of the main comparison by the number of their area: lost, gained or otherwise changed.

    A page with several changes counts for the worst of them.
    """
    found: dict[int, dict[UrlState, int]] = {}
    stored_comparison = main_comparison(connection)
    if stored_comparison is not None:
        level = func.min(case(_LEVELS, value=CHANGE.c.rank // _RANKS, else_=len(_STATES) - 1)).label("level")
        kept = CHANGE.c.comparison == stored_comparison.id, (CHANGE.c.rank // _RANKS).not_in(_UNCOUNTED)
        pages = select(CHANGE.c.page, level).where(*kept).group_by(CHANGE.c.page).subquery()
        joined = pages.join(SETTLED, SETTLED.c.id == pages.c.page)
        counted = select(SETTLED.c.area, pages.c.level, func.count()).select_from(joined).group_by(SETTLED.c.area, pages.c.level)
        for area, place, count in connection.execute(counted):
            found.setdefault(area, {})[_STATES[place]] = count
    return found


def begin_comparison(connection: Connection, name: str, comparison: CrawlComparison, *, is_main: bool) -> StoredComparison:
    """Store a new comparison. It replaces the earlier main comparison, or else the oldest other comparison."""
    same = select(COMPARISON.c.id).where(COMPARISON.c.is_main == is_main).order_by(COMPARISON.c.id.desc())
    older = list(connection.execute(same.offset(0 if is_main else MAX_OTHERS - 1)).scalars())
    connection.execute(delete(CHANGE).where(CHANGE.c.comparison.in_(older)))
    connection.execute(delete(COMPARISON).where(COMPARISON.c.id.in_(older)))
    begun = StoredComparison(comparison)
    insert_missing(connection, COMPARISON, {"name": name, "is_main": is_main, **_columns(begun)})
    return structs.replace(begun, id=connection.execute(select(COMPARISON.c.id).where(COMPARISON.c.name == name)).scalar_one())


def save_changes(connection: Connection, stored_comparison: StoredComparison, changes: Sequence[PageChange]) -> bool:
    """Store further page changes and update their comparison; return False if the comparison was deleted."""
    first = stored_comparison.changes_count - len(changes)
    rows = [
        {
            "comparison": stored_comparison.id,
            "rank": _RANK[change.kind] + _BEST - change.link_score,
            "number": first + place,
            "page": change.number,
            "before": change.before,
            "after": change.after,
        }
        for place, change in enumerate(changes)
    ]
    if rows:  # a second process may compare the same two crawls: its rows are equal
        insert_missing(connection, CHANGE, rows)
    changed = update(COMPARISON).where(COMPARISON.c.id == stored_comparison.id).values(_columns(stored_comparison))
    return connection.execute(changed).rowcount == 1


def drop_comparisons(connection: Connection) -> None:
    """Delete all comparisons of the crawl, because it is settled again."""
    for table in (CHANGE, COMPARISON):
        connection.execute(delete(table))


def listed_changes(
    connection: Connection,
    stored_comparison: StoredComparison,
    kind: ChangeKind | None = None,
    *,
    place: tuple[int, int] | None = None,
    backwards: bool = False,
    offset: int = 0,
    limit: int,
) -> list[ListedChange]:
    """Return page changes by kind and link score: the first ones after a place, or the last ones before it."""
    own_place = tuple_(CHANGE.c.rank, CHANGE.c.number)
    order = (CHANGE.c.rank.desc(), CHANGE.c.number.desc()) if backwards else (CHANGE.c.rank, CHANGE.c.number)
    columns = (CHANGE.c.rank, CHANGE.c.number, CHANGE.c.page, CHANGE.c.before, CHANGE.c.after)
    first = _RANK[kind] if kind else 0
    end = first + _RANKS if kind else len(_KINDS) * _RANKS
    chosen = select(*columns).where(CHANGE.c.comparison == stored_comparison.id, CHANGE.c.rank >= first, CHANGE.c.rank < end)
    if place:
        chosen = chosen.where(own_place < tuple_(*place) if backwards else own_place > tuple_(*place))
    part = chosen.order_by(*order).offset(offset).limit(limit).subquery()
    joined = select(part, URL.c.url).join(URL, URL.c.id == part.c.page)
    origins = stored_comparison.comparison.origins
    found = [_listed_change(row, origins) for row in connection.execute(joined)]
    return sorted(found, key=lambda item: (item.rank, item.number))


def each_change(connection: Connection, stored_comparison: StoredComparison) -> Iterator[PageChange]:
    """Yield all page changes of a comparison, by kind and link score."""
    place = None
    while found := listed_changes(connection, stored_comparison, place=place, limit=AT_ONCE):
        yield from (item.change for item in found)
        place = found[-1].rank, found[-1].number


def _listed_change(row: Any, origins: Mapping[str, str]) -> ListedChange:
    kind, below_best = divmod(row.rank, _RANKS)
    url = with_origins(row.url, origins)
    return ListedChange(row.rank, row.number, PageChange(_KINDS[kind], url, row.before, row.after, row.page, _BEST - below_best))


def _columns(stored_comparison: StoredComparison) -> dict[str, Any]:
    """Return the columns that change while a comparison is in progress."""
    columns = structs.asdict(stored_comparison)
    del columns["id"]
    return {**columns, "comparison": packed_record(stored_comparison.comparison)}
