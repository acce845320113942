"""Queries of the overview and of the list "which pages fail this?", over all projects of an account and any number of reports."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, or_, select

from findable.store.report_columns import ONE, VERDICT_PLACE
from findable.store.rows import ReportRow
from findable.store.schema import WORSE, check_name, finding, project, report, run
from findable.vocabulary import Verdict

NEWEST_REPORTS = 200
"""Newest deteriorated reports that are searched; those whose URL has a newer result are skipped."""


class RatedRun(NamedTuple):
    """A rated run of a page."""

    url: str
    score: int


class Failing(NamedTuple):
    """Number of reports with a verdict on a check."""

    check: str
    reports: int


class InProject(NamedTuple):
    """Number of them in a project."""

    project: str
    reports: int


_ORDER = (report.c.generated_down.desc(), report.c.id.desc())
# Three small statements: for one large statement, SQLite's statistics would decide whether it reads a few rows or all.
_WORSE_IDS = select(report.c.id).where(report.c.account_id == bindparam("account"), WORSE).order_by(*_ORDER).limit(NEWEST_REPORTS)
_CHOSEN_ROWS = ONE.where(report.c.id.in_(bindparam("ids", expanding=True)), project.c.deleted_at.is_(None))
_OVERTAKEN = select(func.count()).where(
    report.c.account_id == bindparam("account"),
    report.c.url == bindparam("url"),
    report.c.result.is_not(None),
    or_(
        report.c.generated_down > bindparam("when"),
        and_(report.c.generated_down == bindparam("when"), report.c.id > bindparam("than")),
    ),
)
_NEWEST = (
    select(report.c.id, report.c.runs)
    .where(report.c.project_id == bindparam("project"), report.c.generated_down > 0, report.c.result.is_not(None))
    .order_by(*_ORDER)
    .limit(bindparam("limit"))
    .subquery()
)
_TREND = (
    select(run.c.url, run.c.score)
    .join(_NEWEST, and_(run.c.report_id == _NEWEST.c.id, run.c.number > _NEWEST.c.runs - bindparam("limit")))
    .where(run.c.score.is_not(None), run.c.result.is_not(None))
    .order_by(run.c.finished_at, run.c.id)
)
_HAVE = (
    finding.c.account_id == bindparam("account"),
    finding.c.check_id == bindparam("check"),
    finding.c.verdict == bindparam("verdict"),
)
_OF_EACH = (
    select(finding.c.report_id)
    .where(finding.c.account_id == bindparam("account"), finding.c.check_id == check_name.c.id, finding.c.verdict == bindparam("verdict"))
    .limit(bindparam("cap"))
    .correlate(check_name)
    .subquery()
)
FAILING = select(check_name.c.name, select(func.count()).select_from(_OF_EACH).scalar_subquery())
_CHOSEN = select(finding.c.report_id).where(*_HAVE).order_by(finding.c.report_id.desc()).limit(bindparam("cap")).subquery()
_BY_PROJECT = (
    select(project.c.name, func.count())
    .select_from(_CHOSEN)
    .join(report, report.c.id == _CHOSEN.c.report_id)
    .join(project, project.c.id == report.c.project_id)
    .where(project.c.deleted_at.is_(None))
    .group_by(project.c.id, project.c.name)
    .order_by(func.count().desc(), project.c.name)
)


class Overview:
    """The overview statements, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def worse(self, account_id: int, limit: int) -> list[ReportRow]:
        """Return reports whose shown run has a lower score or rating than the previous one, and no newer run; newest first."""
        ids = list(self._connection.execute(_WORSE_IDS, {"account": account_id}).scalars())
        rows = {row.id: ReportRow._make(row) for row in self._connection.execute(_CHOSEN_ROWS, {"ids": ids})} if ids else {}
        return list(islice((rows[number] for number in ids if number in rows and not self._is_overtaken(rows[number])), limit))

    def _is_overtaken(self, row: ReportRow) -> bool:
        """Return whether another report of the same URL has a newer result."""
        values = {"account": row.account_id, "url": row.url, "when": row.generated_down, "than": row.id}
        return bool(self._connection.execute(_OVERTAKEN, values).scalar_one())

    def trends(self, project_ids: Iterable[int], runs: int) -> dict[int, list[RatedRun]]:
        """Return the last ``runs`` rated runs of the newest reports of each project, oldest first."""
        found = {}
        for number in project_ids:
            rows = self._connection.execute(_TREND, {"project": number, "limit": runs})
            found[number] = [RatedRun._make(row) for row in rows]
        return found

    def failing(self, account_id: int, verdict: Verdict, cap: int) -> list[Failing]:
        """Return checks with the number of reports that currently have the verdict, counted up to ``cap``; others are left out."""
        rows = self._connection.execute(FAILING, {"account": account_id, "verdict": VERDICT_PLACE[verdict], "cap": cap})
        return [Failing(name, count) for name, count in rows if count]

    def by_project(self, account_id: int, check: str, verdict: Verdict, cap: int) -> list[InProject]:
        """Return the projects in which reports currently have the verdict, most first, among the newest ``cap`` reports."""
        number = self._connection.execute(select(check_name.c.id).where(check_name.c.name == check)).scalar_one_or_none()
        if number is None:
            return []
        values = {"account": account_id, "check": number, "verdict": VERDICT_PLACE[verdict], "cap": cap}
        return [InProject._make(row) for row in self._connection.execute(_BY_PROJECT, values)]
