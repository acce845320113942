"""Projects. A deleted one is marked at once; its rows are deleted later, a few at a time."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, tuple_, update

from findable.store import write_turns
from findable.store.dialect import contains, like_pattern
from findable.store.report_columns import VERDICT_PLACE
from findable.store.rows import VERDICTS, Position, ProjectRow, SharedFinding
from findable.store.schema import account, check_name, finding, project, report
from findable.vocabulary import Verdict

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
    project.c.good,
    project.c.decent,
    project.c.bad,
    project.c.brand_name,
    project.c.brand_color,
    project.c.brand_logo,
    project.c.language,
    project.c.identity,
    project.c.segments,
    project.c.extractors,
).select_from(project.outerjoin(report, report.c.id == _NEWEST_ID))
_ALIVE = and_(project.c.account_id == bindparam("account"), project.c.deleted_at.is_(None))
_BY_ID = _ROW.where(_ALIVE, project.c.id == bindparam("id"))
_BY_NAME = _ROW.where(_ALIVE, project.c.name == bindparam("name"))
_ID_BY_NAME = select(project.c.id).where(_ALIVE, project.c.name == bindparam("name"))
_FOR_WORKER = select(project.c.not_for_search, project.c.identity).where(project.c.id == bindparam("id"))
_NEWEST_IDS = (
    select(report.c.id, report.c.check_set)
    .where(report.c.project_id == bindparam("project"))
    .order_by(report.c.id.desc())
    .limit(bindparam("newest"))
    .subquery()
)
_SHARED = (
    select(check_name.c.name, finding.c.verdict, func.count())
    .select_from(_NEWEST_IDS)
    .join(finding, finding.c.report_id == _NEWEST_IDS.c.id)
    .join(check_name, check_name.c.id == finding.c.check_id)
    .where(finding.c.verdict.in_([VERDICT_PLACE[Verdict.FAILED], VERDICT_PLACE[Verdict.WARNED]]))
    .group_by(check_name.c.name, finding.c.verdict)
    .order_by(func.count().desc(), finding.c.verdict, check_name.c.name)
)
_SEEN = select(func.count(_NEWEST_IDS.c.check_set)).select_from(_NEWEST_IDS)
_MARK = update(project).where(project.c.id == bindparam("of_id")).values(deleted_at=bindparam("now"))


class Projects:
    """Statements about projects, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ensure(self, account_id: int, name: str, now: int) -> int:
        """Return the id of the project with that name, making the project if it is missing."""
        write_turns.lock_account(self._connection, account_id)
        found = self._connection.execute(_ID_BY_NAME, {"account": account_id, "name": name}).scalar_one_or_none()
        if found is not None:
            return int(found)
        row = {"account_id": account_id, "name": name, "created_at": now}
        self._connection.execute(update(account).where(account.c.id == account_id).values(projects=account.c.projects + 1))
        return int(self._connection.execute(insert(project).returning(project.c.id), row).scalar_one())

    def by_id(self, account_id: int, project_id: int) -> ProjectRow | None:
        """Return the project; None if it belongs to another account or is deleted."""
        write_turns.lock_account(self._connection, account_id)
        row = self._connection.execute(_BY_ID, {"account": account_id, "id": project_id}).first()
        return ProjectRow._make(row) if row else None

    def by_name(self, account_id: int, name: str) -> ProjectRow | None:
        """Return the project; None if it does not exist or is deleted."""
        write_turns.lock_account(self._connection, account_id)
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
        """Return one page of projects. ``sort`` is ``created_at`` or ``project``."""
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
        """Count the projects, up to ``cap``."""
        if not search:
            return int(self._connection.execute(select(account.c.projects).where(account.c.id == account_id)).scalar_one())
        chosen = select(project.c.id).where(_ALIVE, contains(self._connection.dialect.name, project.c.name, bindparam("pattern")))
        statement = select(func.count()).select_from(chosen.limit(cap).subquery())
        return int(self._connection.execute(statement, {"account": account_id, "pattern": like_pattern(search)}).scalar_one())

    def change(self, project_id: int, changes: Mapping[str, Any]) -> None:
        """Set columns of settings."""
        self._connection.execute(update(project).where(project.c.id == project_id).values(**changes))

    def for_worker(self, project_id: int) -> tuple[str | None, bytes | None]:
        """Return the patterns of URLs not meant for search (JSON) and the encrypted identity; None for each that is not set."""
        row = self._connection.execute(_FOR_WORKER, {"id": project_id}).first()
        return (row[0], row[1]) if row else (None, None)

    def shared_findings(self, project_id: int, newest: int) -> tuple[int, list[SharedFinding]]:
        """Return how many of the newest reports have results, and how many have each problem or warning, most first."""
        values = {"project": project_id, "newest": newest}
        rows = self._connection.execute(_SHARED, values)
        shared = [SharedFinding(name, VERDICTS[verdict], count) for name, verdict, count in rows]
        return int(self._connection.execute(_SEEN, values).scalar_one()), shared

    def mark_deleted(self, account_id: int, project_id: int, now: int) -> None:
        """Hide the project and its reports, and subtract them from the account's counters."""
        write_turns.lock_account(self._connection, account_id)
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

    def all_of(self, account_id: int) -> list[int]:
        """Return the ids of the account's projects."""
        write_turns.lock_account(self._connection, account_id)
        return list(self._connection.execute(select(project.c.id).where(_ALIVE), {"account": account_id}).scalars())

    def deleted(self) -> list[int]:
        """Return deleted projects whose rows still exist."""
        return list(self._connection.execute(select(project.c.id).where(project.c.deleted_at.is_not(None)).limit(100)).scalars())

    def remove(self, project_id: int) -> None:
        """Delete the last row of a deleted project."""
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
