"""Overview of an account: projects with score trends, deteriorated reports, new reports; and the pages that fail a check."""

from collections.abc import Sequence
from statistics import median_low

from msgspec import Struct

from findable.errors import ValidationFailed
from findable.service.accounts.callers import require
from findable.service.projects import projects
from findable.service.reports import batches, reports
from findable.service.reports.batches import BatchView
from findable.service.reports.report_views import report_view
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView
from findable.service.values.report_values import ReportQuery, ReportView
from findable.store.overview_queries import RatedRun
from findable.store.store_protocol import Session
from findable.vocabulary import Status, Verdict

PROJECTS = 50
TREND_RUNS = 12
WORSE = 6
NEWEST = 8
NEWEST_REPORTS = 50
"""Newest reports that are read; queued ones of a batch are skipped."""
BATCHES = 3
COUNTED = 1000
"""Limit for counting the reports that fail a check, when all checks are counted."""
COUNTED_IN_PROJECTS = 2_000
NAMED = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.INAPPLICABLE)
"""Verdicts that are stored by check; a report without one of them passed."""


class ProjectTrend(Struct, frozen=True):
    """Score trend of a project."""

    scores: tuple[int, ...]
    """Median score of all pages, oldest first: at the start, and after each new report of a known page."""
    pages: int
    """Number of pages; a page counts with its first score until it has another, so that a new page does not change the trend."""


class ProjectSummary(Struct, frozen=True):
    """Project with its score trend."""

    project: ProjectView
    trend: ProjectTrend | None
    """Trend, None if no page was rated."""


class Home(Struct, frozen=True):
    """Content of the overview."""

    projects: tuple[ProjectSummary, ...]
    more_projects: bool
    worse: tuple[ReportView, ...]
    newest: tuple[ReportView, ...]
    reports: int
    """Total number of reports."""
    batches: tuple[BatchView, ...]
    """Unfinished batches."""


class CheckCount(Struct, frozen=True):
    """Check with its number of reports that currently have the verdict."""

    check: str
    reports: int
    is_more: bool
    """Whether the count was cut off."""


class ProjectCount(Struct, frozen=True):
    """Project with its number of reports that have the verdict."""

    project: str
    reports: int


class Found(Struct, frozen=True):
    """Reports with a verdict on a check."""

    reports: Page[ReportView]
    projects: tuple[ProjectCount, ...]
    is_part: bool
    """Whether only the newest COUNTED_IN_PROJECTS reports were counted per project."""


def home(service: Service, caller: Caller) -> Home:
    """Return the content of the overview."""
    require(caller, READ)
    listed = projects.find(service, caller, ProjectQuery(sort_by=ProjectSort.PROJECT, descending=False, per_page=PROJECTS))
    newest = reports.find(service, caller, ReportQuery(per_page=NEWEST_REPORTS))
    with service.store.read() as session:
        trends = session.overview.trends((project.id for project in listed.items), TREND_RUNS)
        worse = tuple(_views(service, session, caller))
    return Home(
        projects=tuple(ProjectSummary(project, trend_of(trends[project.id])) for project in listed.items),
        more_projects=listed.next_cursor is not None,
        worse=worse,
        newest=tuple(report for report in newest.items if report.status is not Status.QUEUED)[:NEWEST],
        reports=newest.total,
        batches=batches.running(service, caller, BATCHES),
    )


def trend_of(runs: Sequence[RatedRun]) -> ProjectTrend | None:
    """Return the trend of rated runs, given oldest first."""
    now: dict[str, int] = {}
    for run in runs:
        now.setdefault(run.url, run.score)
    if not now:
        return None
    scores, seen = [median_low(now.values())], set()
    for run in runs:
        if run.url in seen:
            now[run.url] = run.score
            scores.append(median_low(now.values()))
        seen.add(run.url)
    return ProjectTrend(tuple(scores[-TREND_RUNS:]), len(now))


def _views(service: Service, session: Session, caller: Caller) -> list[ReportView]:
    rows = session.overview.worse(caller.account_id, WORSE)
    not_asked = session.reports.not_asked(row.check_set for row in rows)
    return [report_view(row, not_asked, service.events) for row in rows]


def checks(service: Service, caller: Caller, verdict: Verdict) -> tuple[CheckCount, ...]:
    """Return checks by their number of reports with that verdict, most first. Raises ValidationFailed for a verdict that is not counted."""
    require(caller, READ)
    _require_named(verdict)
    with service.store.read() as session:
        found = session.overview.failing(caller.account_id, verdict, COUNTED + 1)
    ordered = sorted(found, key=lambda one: (-one.reports, one.check))
    return tuple(CheckCount(one.check, min(one.reports, COUNTED), one.reports > COUNTED) for one in ordered)


def found(service: Service, caller: Caller, query: ReportQuery) -> Found:
    """Return the reports with a verdict on a check, in all projects or one. Raises ValidationFailed."""
    page = reports.find(service, caller, query)
    if query.verdict is None:
        raise ValidationFailed({"verdict": ["The verdict field is required."]})
    _require_named(query.verdict)
    with service.store.read() as session:
        rows = session.overview.by_project(caller.account_id, query.check, query.verdict, COUNTED_IN_PROJECTS + 1)
    counted = tuple(ProjectCount(row.project, row.reports) for row in rows)
    return Found(page, counted, sum(row.reports for row in rows) > COUNTED_IN_PROJECTS)


def _require_named(verdict: Verdict) -> None:
    if verdict not in NAMED:
        raise ValidationFailed({"verdict": [f"The selected verdict is invalid; allowed: {', '.join(NAMED)}."]})
