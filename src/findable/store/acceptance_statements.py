"""Accepted findings: for one report, or for the URLs of a project that match a pattern."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select

from findable.store import write_locks
from findable.store.rows import AcceptanceRow, ReportRow
from findable.store.schema.project_tables import acceptance
from findable.store.schema.report_tables import report
from findable.store.statements import Statements, columns

_ROW = select(*columns(AcceptanceRow, acceptance))


class Acceptances(Statements):
    """SQL statements for acceptances, in one transaction."""

    def of_report(self, row: ReportRow) -> list[AcceptanceRow]:
        """Return acceptances that may apply to the report: those of the report first, then all of its project, with any pattern."""
        write_locks.lock_account(self._connection, row.account_id)
        found = _ROW.where(or_(acceptance.c.report_id == row.id, _of_project(row.project_id, of_crawls=False)))
        return self._all(AcceptanceRow, found.order_by(acceptance.c.report_id.is_(None), acceptance.c.id))

    def of_crawls(self, project_id: int) -> list[AcceptanceRow]:
        """Return acceptances that apply to the crawls of a project."""
        return self._all(AcceptanceRow, _ROW.where(_of_project(project_id, of_crawls=True)).order_by(acceptance.c.id))

    def expired_for_crawls(self, today: str, projects: int) -> dict[int, list[int]]:
        """Return the ids of expired acceptances for crawls, by project; at most ``projects`` projects."""
        columns = (acceptance.c.project_id, acceptance.c.id)
        ended = select(*columns).where(acceptance.c.of_crawls == 1, acceptance.c.until != "", acceptance.c.until < today)
        found: dict[int, list[int]] = {}
        for project_id, number in self._connection.execute(ended.order_by(*columns)):
            if project_id in found or len(found) < projects:
                found.setdefault(project_id, []).append(number)
        return found

    def since(self, project_id: int, since: int, limit: int) -> list[tuple[AcceptanceRow, str | None]]:
        """Return the acceptances of a project since a time, newest first, with the URL of the report of those for one report."""
        found = _ROW.add_columns(report.c.url).outerjoin(report, report.c.id == acceptance.c.report_id)
        found = found.where(acceptance.c.project_id == project_id, acceptance.c.created_at > since)
        rows = self._connection.execute(found.order_by(acceptance.c.created_at.desc(), acceptance.c.id.desc()).limit(limit))
        return [(AcceptanceRow._make(row[:-1]), row[-1]) for row in rows]

    def add(self, row: dict[str, Any]) -> int:
        """Insert an acceptance and return its id; the keys of ``row`` are column names."""
        return int(self._connection.execute(insert(acceptance).returning(acceptance.c.id), row).scalar_one())

    def remove(self, ids: Sequence[int]) -> None:
        """Delete acceptances by id."""
        self._connection.execute(delete(acceptance).where(acceptance.c.id.in_(ids)))

    def count_for_project(self, project_id: int, *, of_crawls: bool) -> int:
        """Count the acceptances that apply to the project's crawls, or to its reports by a URL pattern."""
        counted = select(func.count()).where(_of_project(project_id, of_crawls=of_crawls))
        return int(self._connection.execute(counted).scalar_one())


def _of_project(project_id: int, *, of_crawls: bool) -> ColumnElement[bool]:
    return and_(acceptance.c.project_id == project_id, acceptance.c.report_id.is_(None), acceptance.c.of_crawls == int(of_crawls))
