"""SQL statements for scores of projects and their history.

The score is that of the last crawl that counts, or else the mean of the page scores, limited by the start page.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Join,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    delete,
    desc,
    func,
    insert,
    or_,
    select,
    update,
)

from findable.clock import now
from findable.reports.scoring import RULESET
from findable.reports.search_verdict import BAD_AFTER, CONFIRMED_AFTER, DEINDEXED_SCORE, WHOLE_SITE, VerdictCode
from findable.store.crawl_row import ruleset_in
from findable.store.schema.project_tables import project, project_day
from findable.store.schema.report_tables import report
from findable.store.schema.site_tables import SITE_SCORE, SITE_VERDICT, crawl
from findable.store.statements import Statements
from findable.urls import is_start_page, project_name, subject_key

DAY_S = 86_400
WEEK_S = 7 * DAY_S
NO_SCORE_ASCENDING, NO_SCORE_DESCENDING = 101, -1
"""Sort keys of projects without a score."""
KEPT_DAYS = 800
"""Number of days for which the score by pages is stored."""


def _last_crawl(condition: ColumnElement[bool]) -> ScalarSelect[int]:
    """Return the id of the last crawl of a project that meets a condition."""
    of_project = select(crawl.c.id).where(crawl.c.project_id == project.c.id, condition)
    return of_project.order_by(crawl.c.id.desc()).limit(1).correlate(project).scalar_subquery()


SITE_CRAWL_ID = _last_crawl(SITE_SCORE)
"""Last crawl of a project whose score counts."""
VERDICT_CRAWL_ID = _last_crawl(SITE_VERDICT)
"""Last crawl of a project whose verdict is about the site."""
site = crawl.alias("site")
newest = crawl.alias("newest_crawl")
_MEAN = project.c.page_scores // func.nullif(project.c.scored_pages, 0, type_=Integer)
PAGES_SCORE = case((project.c.start_cap < _MEAN, project.c.start_cap), else_=_MEAN)
"""Mean score of the pages, limited by the start page; null without a rated page."""
IS_NOT_FOR_SEARCH = or_(*(project.c.not_for_search.contains(f'"{pattern}"', autoescape=True) for pattern in sorted(WHOLE_SITE)))
_IS_AWAY = and_(
    newest.c.verdict == VerdictCode.UNREACHABLE.value,
    or_(
        newest.c.finished_at >= newest.c.verdict_since + int(CONFIRMED_AFTER.total_seconds()),
        newest.c.verdict_since <= bindparam("away_since", type_=BigInteger, callable_=lambda: int((now() - BAD_AFTER).timestamp())),
    ),
)
SCORE = case(
    (_IS_AWAY, DEINDEXED_SCORE),
    (and_(IS_NOT_FOR_SEARCH, newest.c.verdict == VerdictCode.INDEXABLE.value), DEINDEXED_SCORE),
    (and_(IS_NOT_FOR_SEARCH, newest.c.verdict.in_((VerdictCode.DEINDEXED.value, VerdictCode.BLOCKED_FOR_US.value))), None),
    (newest.c.verdict == VerdictCode.BLOCKED_FOR_US.value, None),
    else_=func.coalesce(site.c.score, PAGES_SCORE),
)
"""Score of a project by `reports.search_verdict`; `site` is joined by `SITE_CRAWL_ID`, `newest` by `VERDICT_CRAWL_ID`."""


def with_crawls(projects: FromClause) -> Join:
    """Return projects joined with the crawl of their score and that of their verdict."""
    return projects.outerjoin(site, site.c.id == SITE_CRAWL_ID).outerjoin(newest, newest.c.id == VERDICT_CRAWL_ID)


_page = and_(report.c.project_id == bindparam("project"), report.c.subject == bindparam("subject"), report.c.result.is_not(None))
_NEWEST_OF_PAGE = select(report.c.score).where(_page).order_by(report.c.generated_down.desc(), report.c.id.desc()).limit(1)
_START_CAP = select(report.c.cap).where(_page).order_by(report.c.generated_down.desc(), report.c.id.desc()).limit(1)
_COUNT = (
    update(project)
    .where(project.c.id == bindparam("of"))
    .values(page_scores=project.c.page_scores + bindparam("points"), scored_pages=project.c.scored_pages + bindparam("pages"))
)
_BY_PAGES = select(PAGES_SCORE).where(project.c.id == bindparam("project"))
_RECENT_S = 15 * DAY_S
"""Time within which all scores are read, not only the last one of each week."""
_SITES = select(
    crawl.c.project_id, crawl.c.finished_at.label("at"), crawl.c.score, crawl.c.counts.label("ruleset"), crawl.c.id.label("place")
).where(crawl.c.project_id.in_(bindparam("projects", expanding=True)), SITE_SCORE, crawl.c.finished_at.is_not(None))
_DAYS = select(
    project_day.c.project_id,
    (project_day.c.day * DAY_S).label("at"),
    project_day.c.score,
    project_day.c.ruleset,
    project_day.c.day.label("place"),
).where(project_day.c.project_id.in_(bindparam("projects", expanding=True)))


def _by_week(scores: Select[Any]) -> Select[Any]:
    """Return the recent scores, the last one of each earlier week, and the last one before ``since``, oldest first."""
    found = scores.subquery()
    week = case((found.c.at >= bindparam("since"), found.c.at // WEEK_S), else_=-1)
    place = func.row_number().over(partition_by=(found.c.project_id, week), order_by=found.c.place.desc())
    chosen = select(found, place.label("newer")).subquery()
    listed = or_(chosen.c.newer == 1, chosen.c.at >= bindparam("recent"))
    columns = chosen.c.project_id, chosen.c.at, chosen.c.score, chosen.c.ruleset
    return select(*columns).where(listed).order_by(chosen.c.at, chosen.c.place)


_SITES_BY_WEEK, _DAYS_BY_WEEK = _by_week(_SITES), _by_week(_DAYS)


class ScorePoint(NamedTuple):
    """Score of a project at a point in time."""

    at: int
    score: int
    ruleset: str
    """Ruleset of the score; empty if it is not known."""


class ProjectScores(Statements):
    """SQL statements for scores of projects, in one transaction."""

    def of_page(self, project_id: int, url: str) -> int | None:
        """Return the newest score of a page (`urls.subject_key`); None if it is unrated.

        Call it before its reports change, for `update_totals`.
        """
        score: int | None = self._connection.execute(_NEWEST_OF_PAGE, {"project": project_id, "subject": subject_key(url)}).scalar()
        return score

    def update_totals(self, project_id: int, url: str, before: int | None, now: int) -> None:
        """Update the project's totals after the score of a page changed; ``before`` is the result of `of_page` before the change."""
        new, subject = self.of_page(project_id, url), subject_key(url)
        if before != new:
            change = {"points": (new or 0) - (before or 0), "pages": (new is not None) - (before is not None)}
            self._connection.execute(_COUNT, {"of": project_id, **change})
        is_start = is_start_page(url, project_name(url))
        if is_start:
            cap = self._connection.execute(_START_CAP, {"project": project_id, "subject": subject}).scalar()
            self._connection.execute(update(project).where(project.c.id == project_id).values(start_cap=cap))
        if before != new or is_start:
            self._save_day(project_id, now)

    def _save_day(self, project_id: int, now: int) -> None:
        """Store today's page score of the project, and delete old days."""
        day = now // DAY_S
        score = self._connection.execute(_BY_PAGES, {"project": project_id}).scalar()
        today = and_(project_day.c.project_id == project_id, project_day.c.day == day)
        old = and_(project_day.c.project_id == project_id, project_day.c.day <= day - KEPT_DAYS)
        self._connection.execute(delete(project_day).where(today | old))
        if score is not None:
            self._connection.execute(insert(project_day).values(project_id=project_id, day=day, score=score, ruleset=RULESET))

    def history(self, project_id: int, limit: int, *, of_site: bool) -> list[ScorePoint]:
        """Return the scores of the last complete crawls, or the page scores at the end of each day, oldest first."""
        newest = (_SITES if of_site else _DAYS).order_by(desc("place")).limit(limit)
        return self._points(newest, {"projects": [project_id]}, of_site=of_site).get(project_id, [])[::-1]

    def by_week(self, projects: Collection[int], since: int, now: int, *, of_site: bool) -> Mapping[int, list[ScorePoint]]:
        """Return the scores of each of these projects since a time and the one before: all recent ones, of earlier weeks the last one."""
        values = {"projects": list(projects), "since": since, "recent": now - _RECENT_S}
        return self._points(_SITES_BY_WEEK if of_site else _DAYS_BY_WEEK, values, of_site=of_site)

    def _points(self, statement: Select[Any], values: Mapping[str, Any], *, of_site: bool) -> dict[int, list[ScorePoint]]:
        found: dict[int, list[ScorePoint]] = {}
        for project_id, at, score, ruleset, *_ in self._connection.execute(statement, values):
            found.setdefault(project_id, []).append(ScorePoint(at, score, ruleset_in(ruleset) if of_site else ruleset or ""))
        return found
