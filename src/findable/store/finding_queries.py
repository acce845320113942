"""SQL queries for the findings of an account: the number of reports with a verdict on a check, by check and by project."""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, select

from findable.store.project_roles import granted_to
from findable.store.report_columns import VERDICT_PLACE
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import DUPLICATE, check_name, finding, report
from findable.store.statements import Statements
from findable.vocabulary import Verdict


class Failing(NamedTuple):
    """Check, with the number of reports that have a verdict on it."""

    check: str
    reports: int


class InProject(NamedTuple):
    """Project, with the number of its reports that have a verdict on a check."""

    project: str
    reports: int


_HAVE = (finding.c.account_id == bindparam("account"), finding.c.check_id == bindparam("check"), finding.c.verdict == bindparam("verdict"))
_OF_PAGE = finding.c.report_id.not_in(select(report.c.id).where(report.c.account_id == bindparam("account"), DUPLICATE))
_GRANTED = finding.c.report_id.in_(select(report.c.id).where(report.c.project_id.in_(granted_to(bindparam("person")))))
"""Condition for findings in projects that are granted to a person."""


def _failing(*more: ColumnElement[bool]) -> Select[Any]:
    of_each = (
        select(finding.c.report_id)
        .where(
            finding.c.account_id == bindparam("account"),
            finding.c.check_id == check_name.c.id,
            finding.c.verdict == bindparam("verdict"),
            _OF_PAGE,
            *more,
        )
        .limit(bindparam("cap"))
        .correlate(check_name)
        .subquery()
    )
    return select(check_name.c.name, select(func.count()).select_from(of_each).scalar_subquery())


def _by_project(*more: ColumnElement[bool]) -> Select[Any]:
    having = select(finding.c.report_id).where(*_HAVE, _OF_PAGE, *more)
    chosen = having.order_by(finding.c.report_id.desc()).limit(bindparam("cap")).subquery()
    return (
        select(project.c.name, func.count())
        .select_from(chosen)
        .join(report, report.c.id == chosen.c.report_id)
        .join(project, project.c.id == report.c.project_id)
        .where(project.c.deleted_at.is_(None))
        .group_by(project.c.id, project.c.name)
        .order_by(func.count().desc(), project.c.name)
    )


FAILING, _FAILING_GRANTED = _failing(), _failing(_GRANTED)
_BY_PROJECT, _BY_PROJECT_GRANTED = _by_project(), _by_project(_GRANTED)


class FindingCounts(Statements):
    """SQL statements that count findings, in one transaction."""

    def failing(self, account_id: int, verdict: Verdict, cap: int, person_id: int | None = None) -> list[Failing]:
        """Return checks with the number of the account's reports that currently have the verdict, counted up to ``cap``.

        Checks without such reports are omitted.
        """
        values = {"account": account_id, "verdict": VERDICT_PLACE[verdict], "cap": cap, "person": person_id}
        rows = self._connection.execute(FAILING if person_id is None else _FAILING_GRANTED, values)
        return [Failing(name, count) for name, count in rows if count]

    def by_project(self, account_id: int, check: str, verdict: Verdict, cap: int, person_id: int | None = None) -> list[InProject]:
        """Return the projects in which reports currently have the verdict, most first, among the newest ``cap`` reports."""
        number = self._connection.execute(select(check_name.c.id).where(check_name.c.name == check)).scalar_one_or_none()
        if number is None:
            return []
        values = {"account": account_id, "check": number, "verdict": VERDICT_PLACE[verdict], "cap": cap, "person": person_id}
        statement = _BY_PROJECT if person_id is None else _BY_PROJECT_GRANTED
        return self._all(InProject, statement, values)
