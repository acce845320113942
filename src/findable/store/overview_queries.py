"""SQL queries for the overview of an account's projects, and for the reports that fail a check."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, literal, or_, select

from findable.reports.scoring import DECENT_FROM, GOOD_FROM
from findable.store.project_roles import granted_to
from findable.store.project_scores import SCORE, with_crawls
from findable.store.report_columns import VERDICT_PLACE
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import DUPLICATE, check_name, finding, report
from findable.store.statements import Statements
from findable.urls import start_page_key
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


def _listed(account_id: int, person_id: int | None) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of the projects of an account; with a person, only those granted to the person."""
    yield and_(project.c.account_id == account_id, project.c.deleted_at.is_(None))
    if person_id is not None:
        yield project.c.id.in_(granted_to(literal(person_id)))


class StartRow(NamedTuple):
    """Start page of a project with its newest result."""

    summary_json: str | None
    error_json: str | None
    """Reason why the newest run has no rating; None if it has one."""
    verdict_since: int | None
    generated_at: int | None


class RatedProjects(NamedTuple):
    """Numbers of the projects of an account by their rating."""

    projects: int
    good: int
    decent: int
    bad: int


FAILING, _FAILING_GRANTED = _failing(), _failing(_GRANTED)
_BY_PROJECT, _BY_PROJECT_GRANTED = _by_project(), _by_project(_GRANTED)


class Overview(Statements):
    """SQL statements for the overview, in one transaction."""

    def failing(self, account_id: int, verdict: Verdict, cap: int, person_id: int | None = None) -> list[Failing]:
        """Return checks with the number of the account's reports that currently have the verdict, counted up to ``cap``.

        Checks without such reports are omitted.
        """
        values = {"account": account_id, "verdict": VERDICT_PLACE[verdict], "cap": cap, "person": person_id}
        rows = self._connection.execute(FAILING if person_id is None else _FAILING_GRANTED, values)
        return [Failing(name, count) for name, count in rows if count]

    def ratings(self, account_id: int, person_id: int | None = None) -> RatedProjects:
        """Return the number of projects by the rating of their score."""
        ratings = SCORE >= GOOD_FROM, and_(SCORE >= DECENT_FROM, SCORE < GOOD_FROM), SCORE < DECENT_FROM
        counted = select(func.count(), *(func.count().filter(rating) for rating in ratings)).select_from(with_crawls(project))
        row = self._connection.execute(counted.where(*_listed(account_id, person_id))).one()
        return RatedProjects(*map(int, row))

    def limited_starts(self, account_id: int, cap: int, limit: int, person_id: int | None = None) -> list[str | None]:
        """Return the summaries (JSON) of the newest rated start pages whose score is limited to ``cap`` or less, one per project."""
        limited = select(project.c.id, project.c.name).where(*_listed(account_id, person_id), project.c.start_cap <= cap).limit(limit)
        names = {row.id: row.name for row in self._connection.execute(limited)}
        return [start.summary_json for start in self.start_pages(names).values()]

    def start_pages(self, names: Mapping[int, str]) -> dict[int, StartRow]:
        """Return the newest results of start pages by project; ``names``: names of the projects by id."""
        starts: dict[int, StartRow] = {}
        error = func.coalesce(report.c.last_error, report.c.error)
        found = select(report.c.project_id, report.c.summary, error, report.c.verdict_since, report.c.generated_at).where(
            report.c.project_id.in_(names),
            report.c.subject.in_([start_page_key(name) for name in names.values()]),
            or_(report.c.result.is_not(None), error.is_not(None)),
        )
        newest = found.order_by(report.c.generated_down.desc(), report.c.id.desc())
        for number, *values in self._connection.execute(newest) if names else ():
            starts.setdefault(number, StartRow(*values))
        return starts

    def by_project(self, account_id: int, check: str, verdict: Verdict, cap: int, person_id: int | None = None) -> list[InProject]:
        """Return the projects in which reports currently have the verdict, most first, among the newest ``cap`` reports."""
        number = self._connection.execute(select(check_name.c.id).where(check_name.c.name == check)).scalar_one_or_none()
        if number is None:
            return []
        values = {"account": account_id, "check": number, "verdict": VERDICT_PLACE[verdict], "cap": cap, "person": person_id}
        statement = _BY_PROJECT if person_id is None else _BY_PROJECT_GRANTED
        return self._all(InProject, statement, values)
