"""SQL queries for a project's report: its pages, their findings, and their runs over time."""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, literal, select

from findable.store.project_roles import granted_to
from findable.store.report_columns import AGAINST, VERDICT_PLACE
from findable.store.rows import VERDICTS
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import batch_member, check_name, finding, report, run
from findable.store.statements import Statements, columns
from findable.values import batches_of
from findable.vocabulary import Verdict


class PageRow(NamedTuple):
    """Page of a project, with its newest result."""

    report_id: int
    public_id: str
    url: str
    privacy: int
    link_expires_at: int | None
    score: int | None
    cap: int | None
    generated_at: int
    new_json: str | None
    fixed_json: str | None
    previous_report: int | None
    previous_run: int | None
    run: int
    runs_id: int
    previous_at: int | None
    summary_json: str | None


class PageFindingRow(NamedTuple):
    """Problem or warning of a page."""

    report_id: int
    check: str
    verdict: Verdict


class PageRun(NamedTuple):
    """Run of a page, with its numbers of problems and warnings."""

    url: str
    at: int
    failed: int
    warned: int
    engine_json: str | None


_before = run.alias("before")
_RESULTS = (
    select(
        *columns(
            PageRow,
            report,
            report_id=report.c.id,
            new_json=report.c.new_findings,
            fixed_json=report.c.fixed_findings,
            run=run.c.number,
            runs_id=run.c.id,
            previous_at=_before.c.finished_at,
        )
    )
    .join(run, and_(run.c.report_id == report.c.id, run.c.number == report.c.run))
    .outerjoin(_before, and_(_before.c.report_id == report.c.previous_report, _before.c.number == report.c.previous_run))
    .where(report.c.generated_down > 0)
    .order_by(report.c.generated_down.desc(), report.c.id.desc())
)
_AT_ONCE = 500
"""Number of reports per statement."""


class ProjectReportRows(Statements):
    """SQL statements for the report of a project, in one transaction."""

    def pages(self, project_id: int, limit: int) -> list[PageRow]:
        """Return the pages with a result, newest first."""
        return self._all(PageRow, _RESULTS.where(report.c.project_id == project_id, report.c.is_page == 1).limit(limit))

    def pages_of_account(self, account_id: int, limit: int, person_id: int | None = None) -> list[PageRow]:
        """Return the pages with a result of all projects, newest result first; with a person, only of projects granted to the person."""
        projects = select(project.c.id).where(project.c.account_id == account_id, project.c.deleted_at.is_(None))
        found = _RESULTS.where(report.c.account_id == account_id, report.c.is_page == 1, report.c.project_id.in_(projects))
        if person_id is not None:
            found = found.where(report.c.project_id.in_(granted_to(literal(person_id))))
        return self._all(PageRow, found.limit(limit))

    def pages_of_batch(self, batch_id: int, limit: int) -> list[PageRow]:
        """Return the pages of a batch with their newest result, newest first."""
        return self._all(PageRow, _RESULTS.where(report.c.id.in_(_members(batch_id))).limit(limit))

    def projects_of_batch(self, batch_id: int, limit: int) -> list[str]:
        """Return the names of the projects whose pages are in a batch."""
        found = select(project.c.name).join(report, report.c.project_id == project.c.id).where(report.c.id.in_(_members(batch_id)))
        return list(self._connection.execute(found.distinct().order_by(project.c.name).limit(limit)).scalars())

    def findings(self, report_ids: Collection[int]) -> list[PageFindingRow]:
        """Return the problems and warnings of these reports that are not accepted."""
        joined = select(finding.c.report_id, check_name.c.name, finding.c.verdict).join(check_name, check_name.c.id == finding.c.check_id)
        open_ones = joined.where(finding.c.verdict.in_([VERDICT_PLACE[verdict] for verdict in AGAINST]), finding.c.is_accepted == 0)
        batches = batches_of(sorted(report_ids), _AT_ONCE)
        rows = (row for some in batches for row in self._connection.execute(open_ones.where(finding.c.report_id.in_(some))))
        return [PageFindingRow(report_id, check, VERDICTS[verdict]) for report_id, check, verdict in rows]

    def runs(self, project_id: int, limit: int) -> list[PageRun]:
        """Return the newest rated runs of the project's pages, oldest first."""
        joined = select(run.c.url, run.c.finished_at, run.c.failed, run.c.warned, run.c.engine).join(report, report.c.id == run.c.report_id)
        is_rated = run.c.result.is_not(None), run.c.failed.is_not(None), run.c.rescored_from.is_(None)
        found = joined.where(report.c.project_id == project_id, *is_rated)
        return self._all(PageRun, found.order_by(run.c.id.desc()).limit(limit))[::-1]


def _members(batch_id: int) -> Select[Any]:
    """Select the ids of the reports of a batch."""
    joined = batch_member.join(report, report.c.id == batch_member.c.report_id).join(project, project.c.id == report.c.project_id)
    return select(report.c.id).select_from(joined).where(batch_member.c.batch_id == batch_id, project.c.deleted_at.is_(None))
