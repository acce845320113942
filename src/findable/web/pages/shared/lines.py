"""Reports and projects as lines of a list."""

from collections.abc import Mapping
from datetime import tzinfo
from urllib.parse import quote

from msgspec import Struct

from findable.reports.scoring import rating_of
from findable.reports.titles import readable_url
from findable.service.projects.overview import ProjectSummary, ProjectTrend
from findable.service.values.report_values import ReportView
from findable.vocabulary import Privacy, Status
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.rating_words import RATING_WORDS
from findable.web.pages.shared.run_names import name_of
from findable.wording import Wording, later

WIDTH, HEIGHT = 120, 28
LEAST_SPAN = 20
"""Minimum score span of the chart's height, so that small changes look small."""

STATES: Mapping[Status, str] = {
    Status.QUEUED: later("queued"),
    Status.RUNNING: later("being made"),
    Status.DONE: later("not rated"),
    Status.FAILED: later("not loaded"),
}
"""States of a report without a score."""
_PRIVACIES: Mapping[Privacy, str] = {Privacy.PUBLIC: "", Privacy.PRIVATE: later("private"), Privacy.PASSWORD: later("password-protected")}


NO_SUCH_LIST = later("The URL of this page has an invalid filter. Everything is shown.")


class Pages(Struct, frozen=True):
    """Links to the other pages of a list; empty if there is none."""

    newer: str
    older: str
    words: str
    """Total number, in words."""


class ScoreWords(Struct, frozen=True):
    """Score with its rating, or the reason why there is none."""

    words: str
    """Score and rating as text: ``93 good``, ``not seen``."""
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``, a class of the stylesheet; empty without a rating."""


class ReportLine(Struct, frozen=True):
    """A report in a list."""

    href: str
    address: str
    rated: ScoreWords
    when: Moment
    privacy: str
    """Access in words; empty for public."""


class WorseLine(Struct, frozen=True):
    """Report whose score or rating fell."""

    href: str
    compare: str
    """URL of the page with the changes."""
    address: str
    rated: ScoreWords
    before: ScoreWords
    change: str
    """Score change like ``−9``; empty if only the rating fell."""
    words: str
    """Complete sentence for screen readers."""
    when: Moment


class SparkPoint(Struct, frozen=True):
    """Point in the chart."""

    x: float
    y: float


class Sparkline(Struct, frozen=True):
    """Chart of the last scores: a line in a box of WIDTH by HEIGHT."""

    points: str
    """Points of a polyline."""
    last: SparkPoint
    words: str
    """Text alternative of the chart."""


class SiteLine(Struct, frozen=True):
    """A project in a list."""

    href: str
    name: str
    rated: ScoreWords | None
    """Median of its newest pages; None before the first rated report."""
    measured: str
    """Pages that the score covers, in words."""
    trend: Sparkline | None
    """Trend, None if no page was rated twice."""
    reports: str
    """Number of reports, in words."""
    when: Moment | None
    """Day of the newest rated report."""


def rated_of(view: ReportView, say: Wording) -> ScoreWords:
    """Return the score of a report with its rating, or the reason why there is none."""
    if view.score is None:
        return ScoreWords(say(STATES[view.status]), "")
    return scored(view.score, view.result.value if view.result else "", say)


def scored(score: int, rating: str, say: Wording) -> ScoreWords:
    """Return a score, with its rating unless that is empty."""
    return ScoreWords(f"{score} {say(RATING_WORDS[rating])}" if rating else str(score), rating)


def report_line(view: ReportView, say: Wording, zone: tzinfo, anchor: str = "") -> ReportLine:
    """Return one report; ``anchor`` is a place on its page."""
    when = moment_of(view.generated_at or view.created_at, say, zone)
    href = f"/r/{view.public_id}" + (f"#{anchor}" if anchor else "")
    return ReportLine(href, readable_url(view.url), rated_of(view, say), when, say.text(_PRIVACIES[view.privacy]))


def worse_line(view: ReportView, say: Wording, zone: tzinfo) -> WorseLine | None:
    """Return the deterioration; None if the previous run is unknown."""
    before = view.previous
    if before is None or view.generated_at is None or view.run is None:
        return None
    name = name_of(before.report, before.run, view.id)
    now, then = rated_of(view, say), scored(before.score, before.result.value, say)
    return WorseLine(
        href=f"/r/{view.public_id}",
        compare=f"/r/{view.public_id}/compare?from={name}&to={view.run}",
        address=readable_url(view.url),
        rated=now,
        before=then,
        change=f"−{-before.change}" if before.change < 0 else "",
        words=say("from %(before)s to %(after)s", before=then.words, after=now.words),
        when=moment_of(view.generated_at, say, zone),
    )


def project_address(project: str) -> str:
    """Return the URL of a project's page."""
    return f"/projects/{quote(project, safe=':')}"


def project_name(project: str) -> str:
    """Return the project's name, IDN hosts in Unicode."""
    return readable_url(f"https://{project}/")


def site_line(line: ProjectSummary, say: Wording, zone: tzinfo) -> SiteLine:
    """Return one project."""
    project, last, trend = line.project, line.project.last_generated_at, line.trend
    return SiteLine(
        href=project_address(project.name),
        name=project_name(project.name),
        rated=None if trend is None else scored(trend.scores[-1], rating_of(trend.scores[-1]).value, say),
        measured="" if trend is None else _measured(trend, say),
        trend=None if trend is None or len(trend.scores) == 1 else sparkline(trend, say),
        reports=say.plural("%(count)s report", "%(count)s reports", project.reports_count),
        when=None if last is None else Moment(last.isoformat(timespec="seconds"), say.day(last, zone)),
    )


def _measured(trend: ProjectTrend, say: Wording) -> str:
    return say.plural("score of %(count)s page", "median of the %(count)s newest pages", trend.pages)


def sparkline(trend: ProjectTrend, say: Wording) -> Sparkline:
    """Return the score trend of a project as a chart."""
    scores = trend.scores
    low, high = min(scores), max(scores)
    spare = max(0, LEAST_SPAN - (high - low))
    low, high = max(0, low - spare // 2), min(100, high + spare // 2)
    step = WIDTH / (len(scores) - 1)
    dots = [
        SparkPoint(round(index * step, 1), round(HEIGHT * (high - score) / max(1, high - low), 1)) for index, score in enumerate(scores)
    ]
    words = say("%(caption)s, the oldest first: %(scores)s", caption=_measured(trend, say), scores=", ".join(map(str, scores)))
    return Sparkline(" ".join(f"{dot.x},{dot.y}" for dot in dots), dots[-1], words)
