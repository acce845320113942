"""SQL statements for merges of the reports of one page."""

from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select, update

from findable.store.schema.report_tables import report
from findable.store.statements import Statements


class RepeatedPage(NamedTuple):
    """Page with several reports, and their number."""

    url: str
    """One of its URLs."""
    reports: int


_older = report.alias("older")
_REPEATED = (
    select(func.max(_older.c.url), func.count() + 1)
    .where(
        _older.c.account_id == bindparam("account"),
        _older.c.project_id == bindparam("project"),
        _older.c.is_page == 0,
        _older.c.merged_into.is_(None),
    )
    .group_by(_older.c.subject)
    .order_by(func.count().desc(), _older.c.subject)
    .limit(bindparam("limit"))
)


class Merges(Statements):
    """SQL statements for merges, in one transaction."""

    def repeated_pages(self, account_id: int, project_id: int, limit: int) -> list[RepeatedPage]:
        """Return the pages of a project with several reports that are not merged, most reports first."""
        return self._all(RepeatedPage, _REPEATED, {"account": account_id, "project": project_id, "limit": limit})

    def set_merged(self, report_ids: list[int], report_id: int, now: int) -> None:
        """Mark reports as merged into another one."""
        values: dict[str, Any] = {"merged_into": report_id, "version": report.c.version + 1, "updated_at": now}
        self._connection.execute(update(report).where(report.c.id.in_(report_ids)).values(**values))
