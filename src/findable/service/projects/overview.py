"""What somebody sees first: the projects with how their scores went, what got worse, what is new. And which pages fail a check."""

from collections.abc import Sequence
from statistics import median_low

from msgspec import Struct

from findable.errors import ValidationFailed
from findable.service.accounts.callers import require
from findable.service.projects import projects
from findable.service.reports import batches, reports
from findable.service.reports.batches import BatchView
from findable.service.reports.report_views import report_view
from findable.service.runtime.app import Service
from findable.service.values.use_cases import READ, Caller, Page, ProjectQuery, ProjectSort, ProjectView, ReportQuery, ReportView
from findable.store.overview_queries import Score
from findable.store.store_protocol import Session
from findable.vocabulary import Status, Verdict

PROJECTS = 50
TREND_RUNS = 12
WORSE = 6
NEWEST = 8
LOOKED_AT = 50
"""So many of the newest reports are looked at: those of a batch that wait are passed over."""
BATCHES = 3
COUNTED = 1000
"""Reports that fail a check are counted up to here where all checks are counted."""
COUNTED_IN_PROJECTS = 2_000
NAMED = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.INAPPLICABLE)
"""The verdicts that are kept by check; passed is what has none of them."""


class Trend(Struct, frozen=True):
    """How the scores of a project went."""

    scores: tuple[int, ...]
    """Median of the scores that the pages had, oldest first: at the beginning, and after each time that one was reported on again."""
    pages: int
    """How many there are; a page counts with its first score until it has another, so that a new page moves nothing."""


class ProjectLine(Struct, frozen=True):
    """A project and how its scores went."""

    project: ProjectView
    trend: Trend | None
    """None where no page was rated."""


class Home(Struct, frozen=True):
    """The first page."""

    projects: tuple[ProjectLine, ...]
    more_projects: bool
    worse: tuple[ReportView, ...]
    newest: tuple[ReportView, ...]
    reports: int
    """All there are."""
    batches: tuple[BatchView, ...]
    """Those that are not done."""


class CheckCount(Struct, frozen=True):
    """A check and how many reports have the verdict now."""

    check: str
    reports: int
    is_more: bool
    """There are more than that."""


class ProjectCount(Struct, frozen=True):
    """A project and how many of its reports have the verdict."""

    project: str
    reports: int


class Found(Struct, frozen=True):
    """The reports that have a verdict on a check."""

    reports: Page[ReportView]
    projects: tuple[ProjectCount, ...]
    is_part: bool
    """The projects were counted over the newest COUNTED_IN_PROJECTS reports only."""


def home(service: Service, caller: Caller) -> Home:
    """What the first page shows."""
    require(caller, READ)
    listed = projects.find(service, caller, ProjectQuery(sort_by=ProjectSort.PROJECT, descending=False, per_page=PROJECTS))
    newest = reports.find(service, caller, ReportQuery(per_page=LOOKED_AT))
    with service.store.read() as session:
        trends = session.overview.trends((project.id for project in listed.items), TREND_RUNS)
        worse = tuple(_views(service, session, caller))
    return Home(
        projects=tuple(ProjectLine(project, trend_of(trends[project.id])) for project in listed.items),
        more_projects=listed.next_cursor is not None,
        worse=worse,
        newest=tuple(report for report in newest.items if report.status is not Status.QUEUED)[:NEWEST],
        reports=newest.total,
        batches=batches.running(service, caller, BATCHES),
    )


def trend_of(runs: Sequence[Score]) -> Trend | None:
    """The trend over rated runs, given oldest first."""
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
    return Trend(tuple(scores[-TREND_RUNS:]), len(now))


def _views(service: Service, session: Session, caller: Caller) -> list[ReportView]:
    rows = session.overview.worse(caller.account_id, WORSE)
    not_asked = session.reports.not_asked(row.check_set for row in rows)
    return [report_view(row, not_asked, service.news) for row in rows]


def checks(service: Service, caller: Caller, verdict: Verdict) -> tuple[CheckCount, ...]:
    """The checks on which reports have that verdict now, most first. Raises ValidationFailed for a verdict that is not counted."""
    require(caller, READ)
    _require_named(verdict)
    with service.store.read() as session:
        found = session.overview.failing(caller.account_id, verdict, COUNTED + 1)
    ordered = sorted(found, key=lambda one: (-one.reports, one.check))
    return tuple(CheckCount(one.check, min(one.reports, COUNTED), one.reports > COUNTED) for one in ordered)


def found(service: Service, caller: Caller, query: ReportQuery) -> Found:
    """The reports with a verdict on a check, over all projects or in one. Raises ValidationFailed."""
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
