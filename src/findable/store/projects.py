"""Projects. A deleted one is marked at once; its rows go later, a few at a time."""

from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, tuple_, update

from findable.store.dialect import contains, like_pattern
from findable.store.rows import Position, ProjectRow
from findable.store.schema import account, project, report

_newest = report.alias("newest")
_NEWEST_ID = (
    select(_newest.c.id)
    .where(_newest.c.project_id == project.c.id, _newest.c.generated_down > 0, _newest.c.result.is_not(None))
    .order_by(_newest.c.generated_down.desc(), _newest.c.id.desc())
    .limit(1)
    .correlate(project)
    .scalar_subquery()
)
_ROW = select(
    project.c.id,
    project.c.name,
    project.c.created_at,
    project.c.reports,
    report.c.result,
    report.c.score,
    report.c.generated_at,
    project.c.not_for_search,
).select_from(project.outerjoin(report, report.c.id == _NEWEST_ID))
_ALIVE = and_(project.c.account_id == bindparam("account"), project.c.deleted_at.is_(None))
_BY_ID = _ROW.where(_ALIVE, project.c.id == bindparam("id"))
_BY_NAME = _ROW.where(_ALIVE, project.c.name == bindparam("name"))
_ID_BY_NAME = select(project.c.id).where(_ALIVE, project.c.name == bindparam("name"))
_NOT_FOR_SEARCH = select(project.c.not_for_search).where(project.c.id == bindparam("id"))
_MARK = update(project).where(project.c.id == bindparam("of_id")).values(deleted_at=bindparam("now"))


class Projects:
    """The statements about projects, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ensure(self, account_id: int, name: str, now: int) -> int:
        """The id of the project of that name, which is made when it is missing."""
        found = self._connection.execute(_ID_BY_NAME, {"account": account_id, "name": name}).scalar_one_or_none()
        if found is not None:
            return int(found)
        row = {"account_id": account_id, "name": name, "created_at": now}
        self._connection.execute(update(account).where(account.c.id == account_id).values(projects=account.c.projects + 1))
        return int(self._connection.execute(insert(project).returning(project.c.id), row).scalar_one())

    def by_id(self, account_id: int, project_id: int) -> ProjectRow | None:
        """The project, None where it is another account's or deleted."""
        row = self._connection.execute(_BY_ID, {"account": account_id, "id": project_id}).first()
        return ProjectRow._make(row) if row else None

    def by_name(self, account_id: int, name: str) -> ProjectRow | None:
        """The project, None where it is missing or deleted."""
        row = self._connection.execute(_BY_NAME, {"account": account_id, "name": name}).first()
        return ProjectRow._make(row) if row else None

    def select(
        self,
        account_id: int,
        *,
        sort: str,
        descending: bool,
        limit: int,
        offset: int = 0,
        position: Position | None = None,
        search: str = "",
    ) -> list[ProjectRow]:
        """One page. ``sort``: ``created_at`` or ``project``."""
        backwards = position is not None and position.backwards
        statement = _page(self._connection.dialect.name, sort, descending != backwards, position is not None, bool(search))
        values: dict[str, Any] = {"account": account_id, "limit": limit, "offset": offset}
        if position is not None:
            values |= {"key": position.key, "after": position.id}
        if search:
            values |= {"pattern": like_pattern(search)}
        rows = [ProjectRow._make(row) for row in self._connection.execute(statement, values)]
        return rows[::-1] if backwards else rows

    def count(self, account_id: int, search: str, cap: int) -> int:
        """How many there are, at most ``cap``."""
        if not search:
            return int(self._connection.execute(select(account.c.projects).where(account.c.id == account_id)).scalar_one())
        chosen = select(project.c.id).where(_ALIVE, contains(self._connection.dialect.name, project.c.name, bindparam("pattern")))
        statement = select(func.count()).select_from(chosen.limit(cap).subquery())
        return int(self._connection.execute(statement, {"account": account_id, "pattern": like_pattern(search)}).scalar_one())

    def set_not_for_search(self, project_id: int, patterns_json: str | None) -> None:
        """Sets the patterns of addresses that are not meant for search."""
        self._connection.execute(update(project).where(project.c.id == project_id).values(not_for_search=patterns_json))

    def not_for_search(self, project_id: int) -> str | None:
        """The patterns as JSON, None where there is none."""
        return self._connection.execute(_NOT_FOR_SEARCH, {"id": project_id}).scalar_one_or_none()

    def mark_deleted(self, account_id: int, project_id: int, now: int) -> None:
        """Nobody sees the project and its reports any more; the account's counters lose them."""
        counted = self._connection.execute(
            select(project.c.reports, project.c.good, project.c.decent, project.c.bad).where(project.c.id == project_id)
        ).one()
        self._connection.execute(_MARK, {"of_id": project_id, "now": now})
        self._connection.execute(
            update(account)
            .where(account.c.id == account_id)
            .values(
                projects=account.c.projects - 1,
                reports=account.c.reports - counted.reports,
                good=account.c.good - counted.good,
                decent=account.c.decent - counted.decent,
                bad=account.c.bad - counted.bad,
            )
        )

    def deleted(self) -> list[int]:
        """Projects whose rows are still to go."""
        return list(self._connection.execute(select(project.c.id).where(project.c.deleted_at.is_not(None)).limit(100)).scalars())

    def remove(self, project_id: int) -> None:
        """The last row of a deleted project."""
        self._connection.execute(delete(project).where(project.c.id == project_id))


@lru_cache(maxsize=64)
def _page(dialect: str, sort: str, descending: bool, by_position: bool, search: bool) -> Select[Any]:  # noqa: FBT001 - the shape of a statement
    key = project.c.name if sort == "project" else project.c.created_at
    statement = _ROW.where(_ALIVE)
    if search:
        statement = statement.where(contains(dialect, project.c.name, bindparam("pattern")))
    if by_position:
        here = tuple_(key, project.c.id)
        there = tuple_(bindparam("key"), bindparam("after"))
        statement = statement.where(here < there if descending else here > there)
    order = (key.desc(), project.c.id.desc()) if descending else (key, project.c.id)
    return statement.order_by(*order).limit(bindparam("limit")).offset(bindparam("offset"))
