"""SQL statements for merges of the reports of one page, which can be undone for a limited time."""

from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select, update

from findable.store import write_locks
from findable.store.schema.report_tables import report, report_merge
from findable.store.statements import Statements, columns


class MergeRow(NamedTuple):
    """Merge of other reports of a URL into one report."""

    id: int
    report_id: int
    created_at: int
    undo_json: str


class RepeatedPage(NamedTuple):
    """Page with several reports, and their number."""

    url: str
    """One of its URLs."""
    reports: int


_ROW = select(*columns(MergeRow, report_merge))
_NEWEST = _ROW.where(report_merge.c.report_id == bindparam("report")).order_by(report_merge.c.id.desc()).limit(1)
_RECENT = (
    _ROW.join(report, report.c.id == report_merge.c.report_id)
    .where(report.c.project_id == bindparam("project"), report_merge.c.created_at > bindparam("since"))
    .order_by(report_merge.c.id.desc())
    .limit(bindparam("limit"))
)
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

    def add(self, report_id: int, now: int, undo_json: str) -> int:
        """Insert the record of a merge into this report; return its id."""
        values = {"report_id": report_id, "created_at": now, "undo": undo_json}
        return int(self._connection.execute(insert(report_merge).returning(report_merge.c.id), values).scalar_one())

    def newest(self, report_id: int) -> MergeRow | None:
        """Return the last merge into the report; None if there is none."""
        write_locks.lock_account_of_report(self._connection, report_id)
        return self._first(MergeRow, _NEWEST, {"report": report_id})

    def recent(self, project_id: int, since: int, limit: int) -> list[MergeRow]:
        """Return the merges of a project after that time, newest first."""
        return self._all(MergeRow, _RECENT, {"project": project_id, "since": since, "limit": limit})

    def repeated_pages(self, account_id: int, project_id: int, limit: int) -> list[RepeatedPage]:
        """Return the pages of a project with several reports that are not merged, most reports first."""
        return self._all(RepeatedPage, _REPEATED, {"account": account_id, "project": project_id, "limit": limit})

    def set_merged(self, report_ids: list[int], report_id: int | None, now: int) -> None:
        """Mark reports as merged into another one, or as not merged with None."""
        values: dict[str, Any] = {"merged_into": report_id, "version": report.c.version + 1, "updated_at": now}
        self._connection.execute(update(report).where(report.c.id.in_(report_ids)).values(**values))

    def remove(self, merge_id: int) -> None:
        """Delete the record of a merge, which can then no longer be undone."""
        self._connection.execute(delete(report_merge).where(report_merge.c.id == merge_id))

    def delete_before(self, moment: int) -> None:
        """Delete the records of merges before that time."""
        self._connection.execute(delete(report_merge).where(report_merge.c.created_at < moment))
