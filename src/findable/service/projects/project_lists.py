"""Lists of projects with the history of their scores, in orders that the store does not know."""

from collections.abc import Callable, Container, Iterable, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from findable.clock import now
from findable.reports.earlier_score import WEEK, by_ruleset, score_base
from findable.reports.search_verdict import VerdictCode
from findable.service.accounts.permissions import reading
from findable.service.projects import projects
from findable.service.projects.change_overview import ChangedPages, changed_pages
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.paging import EXACT_UP_TO, MAX_OFFSET, ListOrder, Page, cut_sorted
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView, ScorePoint
from findable.service.values.views import moment
from findable.store.project_scores import NO_SCORE_ASCENDING
from findable.store.project_scores import ScorePoint as StoredPoint
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.vocabulary import ScoreOf

WORST_CHANGES = ProjectQuery(sort_by=ProjectSort.CHANGE, descending=False, per_page=25)
"""Projects of the home page."""
MAX_ORDERED = 1000
"""Maximum number of projects that are ordered by keys that the store does not know."""
TREND = timedelta(weeks=12)
MIN_COMPARED = 2


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


def find(service: Service, caller: Caller, query: ProjectQuery) -> Page[ProjectSummary]:
    """Return a list of projects with the history of their scores. Orders of `ORDERS` apply to the MAX_ORDERED worst projects."""
    if query.sort_by in ORDERS:
        with service.store.read() as session:
            return find_ordered(service, session, caller, query, changed_in_week(session, caller))
    page = projects.find(service, caller, query)
    return page.with_items(summaries(service, caller, page.items))


def summaries(service: Service, caller: Caller, listed: Iterable[ProjectView]) -> tuple[ProjectSummary, ...]:
    """Return these projects with the history of their scores, in order."""
    with reading(service, caller) as session:
        return _summaries(session, listed, changed_in_week(session, caller))


def find_ordered(service: Service, session: Session, caller: Caller, query: ProjectQuery, changed: ChangedPages) -> Page[ProjectSummary]:
    """Return a list of projects in an order of `ORDERS`; ``changed`` are the pages that changed within a week."""
    listed, total = projects.worst(service, session, caller, query, MAX_ORDERED)
    nothing = -MAX_OFFSET if query.descending else MAX_OFFSET

    def key(one: ProjectSummary) -> tuple[int, int]:
        value = ORDERS[query.sort_by](one)
        return nothing if value is None else value, one.project.id

    lines = sorted(_summaries(session, listed, changed), key=key, reverse=query.descending)
    order = ListOrder(query.sort_by.value, query.descending)
    return cut_sorted(lines, total, query, order, key, is_counted=total <= EXACT_UP_TO)


def changed_in_week(session: Session, caller: Caller) -> ChangedPages:
    """Return the pages of the caller's projects that changed within a week."""
    present = now()
    return changed_pages(
        session, ChangeScope(caller.account_id, None, caller.only_projects_of), int((present - WEEK).timestamp()), int(present.timestamp())
    )


def _summaries(session: Session, listed: Iterable[ProjectView], changed: ChangedPages) -> tuple[ProjectSummary, ...]:
    with_changes = None if changed.is_part else {view.project for view in (*changed.worse, *changed.better) if not view.is_site}
    present, views = now(), tuple(listed)
    since, moment_s = int((present - TREND).timestamp()), int(present.timestamp())
    histories: dict[int, list[StoredPoint]] = {}
    for kind in ScoreOf:
        chosen = [view.id for view in views if view.score_of is kind]
        histories |= session.scores.by_week(chosen, since, moment_s, of_site=kind is ScoreOf.SITE) if chosen else {}
    return tuple(_summary(project, histories.get(project.id, []), with_changes, present) for project in views)


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
