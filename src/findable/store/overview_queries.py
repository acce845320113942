"""SQL queries for the overview of an account's projects."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, literal, or_, select

from findable.reports.scoring import DECENT_FROM, GOOD_FROM
from findable.store.project_roles import granted_to
from findable.store.project_scores import SCORE, with_crawls
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.store.statements import Statements
from findable.urls import start_page_key


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


class Overview(Statements):
    """SQL statements for the overview, in one transaction."""

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
