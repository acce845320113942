"""Rows of lists of reports, projects and sites."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from findable.clock import now
from findable.errors import PageErrorCode
from findable.reports.earlier_score import by_ruleset
from findable.reports.score_change_words import new_ruleset
from findable.reports.scoring import rating_of
from findable.reports.titles import readable_url
from findable.service.values.crawl_values import CrawlView
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectView, ScorePoint
from findable.service.values.report_values import ReportView
from findable.vocabulary import Rating, ScoreOf
from findable.web.pages.shared.plots import polylines
from findable.web.pages.shared.untrusted_text import visible
from findable.web.query_strings import url_with
from findable.wording import Translator, later

WIDTH, HEIGHT = 120, 28
TREND = timedelta(weeks=12)
"""Time over the width of the chart."""
DAY = timedelta(days=1)
MIN_SPAN = 20
"""Minimum range of scores over the height of the chart, so that small changes look small."""

NO_SUCH_LIST = later("The URL of this page has an invalid filter. Everything is shown.")


class Pages(Struct, frozen=True):
    """Pagination of a list: URLs of the previous and next page, each empty if there is none."""

    newer: str
    older: str
    words: str
    """Total number, in words."""


def list_pages(page: Page[Any], path: str, parameters: Mapping[str, str], words: str, anchor: str = "list") -> Pages:
    """Return the pagination links of a list; ``words`` state the total."""

    def url_for(cursor: str | None) -> str:
        return url_with(path, {**parameters, "cursor": cursor}, anchor) if cursor else ""

    return Pages(url_for(page.prev_cursor), url_for(page.next_cursor), words)


class ScoreWords(Struct, frozen=True):
    """Score with its rating in words, or the reason why there is none."""

    words: str
    """Score and rating as text: ``93 good``, ``not loaded``."""
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``, a class of the stylesheet; empty without a rating."""


class Sparkline(Struct, frozen=True):
    """Line chart of the last scores, WIDTH by HEIGHT units."""

    lines: tuple[str, ...]
    """Points of SVG polylines, one for each ruleset."""
    last: tuple[float, float]
    """Last point."""
    words: str
    """Text alternative of the chart."""


class ProjectScore(Struct, frozen=True):
    """Score of a project, with an explanation."""

    score_words: ScoreWords
    basis: str
    """Explanation of the score in words: ``site score``, ``mean of 12 pages``."""


def rated_of(view: ReportView | CrawlView, say: Translator) -> ScoreWords:
    """Return the score of a report or crawl with its rating, or the reason why there is none."""
    if view.score is not None and view.verdict is not None and view.verdict.leaves_rating:
        return words_of_before(view.score, say)
    if view.score is not None:
        return score_words(view.score, view.result.value if view.result else "", say)
    is_imported = isinstance(view, ReportView) and view.error is not None and view.error.code is PageErrorCode.IMPORTED
    return ScoreWords(say("imported") if is_imported else say(view.status.words), "")


def score_words(score: int, rating: str, say: Translator) -> ScoreWords:
    """Return a score, with its rating unless that is empty."""
    return ScoreWords(f"{score} {say(Rating(rating).words)}" if rating else str(score), rating)


def words_of_before(score: int, say: Translator) -> ScoreWords:
    """Return a score that is from before an outage that is not confirmed yet, without a rating."""
    return ScoreWords(say("before: %(score)s", score=score), "")


def scored(score: int, say: Translator) -> ScoreWords:
    """Return a score with the rating that it has in the present ruleset."""
    return score_words(score, rating_of(score).value, say)


def worse_words(sites: int, say: Translator, *, is_part: bool) -> str:
    """Return the number of sites with regressions in words, for the home page and the page of changes."""
    words = say.plural("%(count)s site", "%(count)s sites", sites)
    return say("%(number)s, among the sites that changed most recently", number=words) if is_part else words


def project_url(project: str) -> str:
    """Return the URL of a project's page."""
    return f"/projects/{quote(project, safe=':')}"


def project_name(project: str) -> str:
    """Return a project's name for display: IDN hosts in Unicode."""
    return readable_url(f"https://{project}/")


def project_title(project: ProjectView) -> str:
    """Return the display name of a project, or its host."""
    return visible(project.title) if project.title else project_name(project.name)


def project_icon(project: ProjectView) -> str:
    """Return the path of the icon of a project's site; empty without one."""
    return f"{project_url(project.name)}/icon.png?v={project.icon}" if project.icon else ""


def titled(project: str, titles: Mapping[str, str]) -> str:
    """Return the display name of the project with this host, or the host; ``titles``: those of `service.projects.projects.titles`."""
    return visible(titles[project]) if project in titles else project_name(project)


def project_score(project: ProjectView, say: Translator) -> ProjectScore | None:
    """Return the score of a project with its explanation, in the same form on every page."""
    if project.score is None or project.result is None:
        return None
    mean = say.plural("score of %(count)s page", "mean of %(count)s pages", project.scored_pages)
    is_before = project.verdict is not None and project.verdict.leaves_rating
    words = words_of_before(project.score, say) if is_before else score_words(project.score, project.result.value, say)
    return ProjectScore(words, say("site score") if project.score_of is ScoreOf.SITE else mean)


def sparkline(points: Sequence[ScorePoint], caption: str, ended: datetime | None, say: Translator) -> Sparkline | None:
    """Return the scores of the last twelve weeks as a chart, in which no line joins two rulesets; None without a day.

    ``ended``: time up to which the last score is known to hold; None for its own time.
    """
    if not points:
        return None
    last = points[-1]
    if ended is not None and ended > last.at:
        points = (*points, replace(last, at=ended))
    scores, begin = [point.score for point in points], now() - TREND
    if points[-1].at < max(points[0].at, begin) + DAY:
        return None
    low, high = min(scores), max(scores)
    spare = max(0, MIN_SPAN - (high - low))
    low, high = max(0, low - spare // 2), min(100, high + spare // 2)
    dots = [
        (round(WIDTH * max(0.0, (point.at - begin) / TREND), 1), round(HEIGHT * (high - point.score) / max(1, high - low), 1))
        for point in points
    ]
    words = say("%(caption)s, the oldest first: %(scores)s", caption=caption, scores=", ".join(map(str, scores)))
    of_ruleset = by_ruleset(points)
    lines = polylines(dots, accumulate(map(len, of_ruleset[:-1])))
    if len(of_ruleset) > 1:
        words = f"{words}. {new_ruleset(of_ruleset[-2][-1].ruleset, of_ruleset[-1][0].ruleset, say)}"
    return Sparkline(lines, dots[-1], words)
