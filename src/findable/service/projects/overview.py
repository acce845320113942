"""Overview of an account: projects worst first, regressions, new reports; and the pages that fail a check."""

from collections.abc import Callable, Container, Iterable, Mapping
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import ValidationFailed
from findable.reports.earlier_score import WEEK, by_ruleset, score_base
from findable.reports.google_listing import Listing
from findable.reports.project_report import estimated_points
from findable.reports.reported_finding import AGAINST
from findable.reports.search_verdict import VerdictCode
from findable.service.accounts.permissions import require
from findable.service.projects import projects
from findable.service.projects.change_overview import ChangedPages, LostView, changed_pages, lost_views
from findable.service.reports import batches, reports
from findable.service.reports.batches import BatchView
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.paging import EXACT_UP_TO, MAX_OFFSET, ListOrder, Page, cut, position_of
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView, ScorePoint
from findable.service.values.report_summary import summary_of
from findable.service.values.report_values import ReportQuery, ReportView
from findable.service.values.views import moment
from findable.store.overview_queries import InProject
from findable.store.project_scores import NO_SCORE_ASCENDING
from findable.store.project_scores import ScorePoint as StoredPoint
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.vocabulary import ScoreOf, Status, Verdict

WORST_CHANGES = ProjectQuery(sort_by=ProjectSort.CHANGE, descending=False, per_page=25)
"""Projects of the home page."""
MAX_ORDERED = 1000
"""Maximum number of projects that are ordered by keys that the store does not know."""
TREND = timedelta(weeks=12)
MIN_COMPARED = 2
NEWEST = 8
NEWEST_REPORTS = 50
"""Maximum number of newest reports to read; queued reports of a batch are skipped."""
BATCHES = 3
MAX_STARTS = 1000
"""Maximum number of start pages with a limited score that are read."""
UNLISTED = (Listing.STATUS, Listing.BLOCKED, Listing.TOLD_NOT, Listing.NO_CONTENT, Listing.COOKIE)
"""Results of pages that Google cannot index; each of them limits the score of the page."""
UNLISTED_LIMIT = 49
"""Highest limit of their scores, that of rulesets until 2026-12."""
COUNTED = 1000
"""Limit for counting the reports that fail a check, when all checks are counted."""
COUNTED_IN_PROJECTS = 2_000
NAMED = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.INAPPLICABLE)
"""Verdicts that are stored per check; a report without one of them passed."""


class ProjectSummary(Struct, frozen=True):
    """Project with the history of its score."""

    project: ProjectView
    trend: tuple[ScorePoint, ...]
    """Scores of complete crawls, or of its pages at the end of days, oldest first: the last one is the current score, the first one that of
    TREND ago.
    """

    before: ScorePoint | None = None
    """Score that the current one is compared with; None if it cannot be compared, or is older than a week."""

    @property
    def change(self) -> int:
        """Change of the score within a week; 0 if it cannot be compared."""
        return (self.project.score or 0) - self.before.score if self.before else 0


def _worst_change(one: ProjectSummary) -> int:
    """Order by the change of the score, then by the score. An outage that is not confirmed yet is as bad as a score of nothing."""
    score, verdict = one.project.score, one.project.verdict
    change = -(score or 0) if verdict is not None and verdict.is_unconfirmed else one.change
    return change * 1000 + (NO_SCORE_ASCENDING if score is None else score)


ORDERS: Mapping[ProjectSort, Callable[[ProjectSummary], int | None]] = {
    ProjectSort.CHANGE: _worst_change,
    ProjectSort.INDEXABLE: lambda one: one.project.indexable_percent,
    ProjectSort.PROBLEMS: lambda one: one.project.problems_count,
    ProjectSort.CHECKED: lambda one: int(one.project.checked_at.timestamp()) if one.project.checked_at else None,
}
"""Sort keys that the store does not know."""


class SiteTotals(Struct, frozen=True):
    """Number of sites that the caller may see, by rating."""

    projects: int
    good: int
    decent: int
    bad: int
    unlisted_starts: int
    """Number of sites whose start page Google cannot index, by its report."""

    @property
    def unrated(self) -> int:
        """Number of sites without a score."""
        return self.projects - self.good - self.decent - self.bad


class Home(Struct, frozen=True):
    """Content of the overview."""

    totals: SiteTotals
    projects: Page[ProjectSummary]
    """Sites with the worst change first."""
    changes: ChangedPages
    """Changes within a week, as on the page of changes."""
    losses: tuple[LostView, ...]
    """Sites whose newest crawl, within a week, lost pages."""
    newest: tuple[ReportView, ...]
    reports: int
    """Total number of reports."""
    batches: tuple[BatchView, ...]
    """Batches that are not complete."""


class CheckCount(Struct, frozen=True):
    """Check with its number of reports that currently have the verdict."""

    check: str
    reports: int
    is_more: bool
    """Whether the count reached its limit."""


class ReportsWithVerdict(Struct, frozen=True):
    """Reports with a verdict on a check."""

    reports: Page[ReportView]
    projects: tuple[InProject, ...]
    is_part: bool
    """Whether only the newest COUNTED_IN_PROJECTS reports were counted per project."""


def home(service: Service, caller: Caller) -> Home:
    """Return the content of the overview."""
    require(caller, READ)
    newest = reports.find(service, caller, ReportQuery(per_page=NEWEST_REPORTS, pages_only=True))
    with service.store.read() as session:
        changed, totals = _changed(session, caller), _totals(session, caller)
        listed = _find_ordered(service, session, caller, WORST_CHANGES, changed)
        losses = lost_views(session, _scope(caller), int((now() - WEEK).timestamp()), only_newest=True)
    return Home(
        totals=totals,
        projects=listed,
        changes=changed,
        losses=losses,
        newest=tuple(report for report in newest.items if report.status is not Status.QUEUED)[:NEWEST],
        reports=newest.total,
        batches=batches.running(service, caller, BATCHES),
    )


def find(service: Service, caller: Caller, query: ProjectQuery) -> Page[ProjectSummary]:
    """Return a list of projects with the history of their scores. Orders of `ORDERS` apply to the MAX_ORDERED worst projects."""
    if query.sort_by in ORDERS:
        with service.store.read() as session:
            return _find_ordered(service, session, caller, query, _changed(session, caller))
    page = projects.find(service, caller, query)
    return page.with_items(summaries(service, caller, page.items))


def summaries(service: Service, caller: Caller, listed: Iterable[ProjectView]) -> tuple[ProjectSummary, ...]:
    """Return these projects with the history of their scores, in order."""
    require(caller, READ)
    with service.store.read() as session:
        return _summaries(session, listed, _changed(session, caller))


def _find_ordered(service: Service, session: Session, caller: Caller, query: ProjectQuery, changed: ChangedPages) -> Page[ProjectSummary]:
    listed, total = projects.worst(service, session, caller, query, MAX_ORDERED)
    nothing = -MAX_OFFSET if query.descending else MAX_OFFSET

    def key(one: ProjectSummary) -> tuple[int, int]:
        value = ORDERS[query.sort_by](one)
        return nothing if value is None else value, one.project.id

    lines = sorted(_summaries(session, listed, changed), key=key, reverse=query.descending)
    position = position_of(query.cursor, query.sort_by.value, descending=query.descending)
    start, end = query.offset, query.offset + query.per_page + 1
    if position is not None:
        at = (position.key, position.id)
        earlier = sum(key(one) > at if query.descending else key(one) < at for one in lines)
        start = earlier + any(key(one) == at for one in lines)
        start, end = (max(0, earlier - query.per_page - 1), earlier) if position.backwards else (start, start + query.per_page + 1)
    order = ListOrder(query.sort_by.value, query.descending)
    return cut(lines[start:end], total, query, position, order, key, is_counted=total <= EXACT_UP_TO)


def _changed(session: Session, caller: Caller) -> ChangedPages:
    present = now()
    return changed_pages(session, _scope(caller), int((present - WEEK).timestamp()), int(present.timestamp()))


def _scope(caller: Caller) -> ChangeScope:
    return ChangeScope(caller.account_id, None, caller.only_projects_of)


def _summaries(session: Session, listed: Iterable[ProjectView], changed: ChangedPages) -> tuple[ProjectSummary, ...]:
    with_changes = None if changed.is_part else {view.project for view in (*changed.worse, *changed.better) if not view.is_site}
    present, views = now(), tuple(listed)
    since, moment_s = int((present - TREND).timestamp()), int(present.timestamp())
    histories: dict[int, list[StoredPoint]] = {}
    for kind in ScoreOf:
        chosen = [view.id for view in views if view.score_of is kind]
        histories |= session.scores.by_week(chosen, since, moment_s, of_site=kind is ScoreOf.SITE) if chosen else {}
    return tuple(_summary(project, histories.get(project.id, []), with_changes, present) for project in views)


def _totals(session: Session, caller: Caller) -> SiteTotals:
    whose = caller.account_id, caller.only_projects_of
    starts = session.overview.limited_starts(whose[0], UNLISTED_LIMIT, MAX_STARTS, whose[1])
    unlisted = sum(summary_of(one).listing in UNLISTED for one in starts)
    return SiteTotals(*session.overview.ratings(*whose), unlisted)


def _summary(project: ProjectView, points: Iterable[StoredPoint], with_changes: Container[str] | None, present: datetime) -> ProjectSummary:
    """Return the trend of a project.

    ``with_changes`` contains the projects with changed pages, or is None if they are not all known: without a changed page, a new mean only
    means that pages were added or removed.
    """
    if project.score_of is None:
        return ProjectSummary(project, ())
    is_of_site = project.score_of is ScoreOf.SITE
    trend = tuple(ScorePoint(moment(point.at), point.score, point.ruleset) for point in points)
    verdict = project.verdict
    if verdict is not None and verdict.is_site and trend and trend[-1].score != project.score:
        if project.score is None or verdict.code is not VerdictCode.UNREACHABLE or verdict.since is None:
            return ProjectSummary(project, ())
        trend = (*trend, ScorePoint(verdict.since, project.score, trend[-1].ruleset))
    has_changed = trend[-1].at > present - WEEK if is_of_site and trend else with_changes is None or project.name in with_changes
    if len(trend) < MIN_COMPARED or not has_changed:
        return ProjectSummary(project, trend)
    *earlier, last = by_ruleset(trend)[-1]
    return ProjectSummary(project, trend, score_base(reversed(earlier), lambda point: point.at, last.at, present))


def checks(service: Service, caller: Caller, verdict: Verdict) -> tuple[CheckCount, ...]:
    """Return checks with their number of reports with the verdict: the most harmful first, by the points that all reports lose.

    Raises ValidationFailed for a verdict that is not counted.
    """
    require(caller, READ)
    _require_named(verdict)
    with service.store.read() as session:
        found = session.overview.failing(caller.account_id, verdict, COUNTED + 1, caller.only_projects_of)
    known = all_checks().keys() if verdict in AGAINST else ()
    costs = {one.check: one.reports * estimated_points(one.check, verdict) for one in found if one.check in known}
    ordered = sorted(found, key=lambda one: (-costs.get(one.check, 0), -one.reports, one.check))
    return tuple(CheckCount(one.check, min(one.reports, COUNTED), one.reports > COUNTED) for one in ordered)


def find_reports(service: Service, caller: Caller, query: ReportQuery) -> ReportsWithVerdict:
    """Return the reports with a verdict on a check, in all projects or one. Raises ValidationFailed."""
    page = reports.find(service, caller, replace(query, pages_only=True))
    if query.verdict is None:
        raise ValidationFailed({"verdict": ["The verdict field is required."]})
    _require_named(query.verdict)
    with service.store.read() as session:
        rows = session.overview.by_project(caller.account_id, query.check, query.verdict, COUNTED_IN_PROJECTS + 1, caller.only_projects_of)
    return ReportsWithVerdict(page, tuple(rows), sum(row.reports for row in rows) > COUNTED_IN_PROJECTS)


def _require_named(verdict: Verdict) -> None:
    if verdict not in NAMED:
        raise ValidationFailed({"verdict": [f"The selected verdict is invalid; allowed: {', '.join(NAMED)}."]})
