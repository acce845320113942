"""Accepted findings: for one report, or for the URLs of a project that match a pattern."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select

from findable.store import write_turns
from findable.store.rows import AcceptanceRow, ReportRow
from findable.store.schema import acceptance

_OF_PROJECT = and_(acceptance.c.project_id == bindparam("project"), acceptance.c.report_id.is_(None))
_FOR_PROJECT = and_(_OF_PROJECT, acceptance.c.of_crawls == 0)
_OF_REPORT = (
    select(*(acceptance.c[name] for name in AcceptanceRow._fields))
    .where(or_(acceptance.c.report_id == bindparam("report"), _FOR_PROJECT))
    .order_by(acceptance.c.report_id.is_(None), acceptance.c.id)
)
_OF_CRAWLS = (
    select(*(acceptance.c[name] for name in AcceptanceRow._fields))
    .where(_OF_PROJECT, acceptance.c.of_crawls == 1)
    .order_by(acceptance.c.id)
)
_COUNT = select(func.count()).select_from(acceptance).where(_FOR_PROJECT)


class Acceptances:
    """Statements about acceptances, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_report(self, row: ReportRow) -> list[AcceptanceRow]:
        """Return acceptances that may apply to the report: its own first, then all of its project, whatever their pattern."""
        write_turns.lock_account(self._connection, row.account_id)
        found = self._connection.execute(_OF_REPORT, {"report": row.id, "project": row.project_id})
        return [AcceptanceRow._make(one) for one in found]

    def of_crawls(self, project_id: int) -> list[AcceptanceRow]:
        """Return acceptances that apply to the crawls of a project."""
        return [AcceptanceRow._make(one) for one in self._connection.execute(_OF_CRAWLS, {"project": project_id})]

    def add(self, row: dict[str, Any]) -> None:
        """Insert an acceptance; ``row`` names the columns."""
        self._connection.execute(insert(acceptance), row)

    def remove(self, ids: Sequence[int]) -> None:
        """Delete acceptances."""
        self._connection.execute(delete(acceptance).where(acceptance.c.id.in_(ids)))

    def count_for_project(self, project_id: int) -> int:
        """Count the acceptances that apply to URLs of the project."""
        return int(self._connection.execute(_COUNT, {"project": project_id}).scalar_one())
