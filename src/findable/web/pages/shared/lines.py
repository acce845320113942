"""Reports and projects as lines of a list, in words."""

from collections.abc import Mapping
from datetime import tzinfo
from urllib.parse import quote

from msgspec import Struct

from findable.reports.scoring import rating_of
from findable.reports.titles import readable_address
from findable.service.projects.overview import ProjectLine, Trend
from findable.service.values.use_cases import ReportView
from findable.vocabulary import Privacy, Status
from findable.web.pages.report.run_trend import RATING_WORDS, name_of
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.wording import Wording, later

WIDTH, HEIGHT = 120, 28
LEAST_SPAN = 20
"""Points of the score that the height stands for at least, so that a little change looks little."""

STATES: Mapping[Status, str] = {
    Status.QUEUED: later("waits"),
    Status.RUNNING: later("being made"),
    Status.DONE: later("not rated"),
    Status.FAILED: later("not seen"),
}
"""Of a report without a score."""
_PRIVACIES: Mapping[Privacy, str] = {Privacy.PUBLIC: "", Privacy.PRIVATE: later("private"), Privacy.PASSWORD: later("behind a password")}


class Rated(Struct, frozen=True):
    """A score with its rating, or why there is none."""

    words: str
    """``93 good``, ``not seen``."""
    rating: str
    """``good``, ``decent`` or ``bad``, a class of the style sheet; empty without a rating."""


class ReportLine(Struct, frozen=True):
    """A report in a list."""

    href: str
    address: str
    rated: Rated
    when: Moment
    privacy: str
    """In words; empty for public."""


class WorseLine(Struct, frozen=True):
    """A report whose score or rating fell."""

    href: str
    compare: str
    """Address of the page that says what changed."""
    address: str
    rated: Rated
    before: Rated
    change: str
    """``−9``; empty where only the rating fell."""
    words: str
    """The whole of it in a sentence, for those who hear the page."""
    when: Moment


class Dot(Struct, frozen=True):
    """A place in the picture."""

    x: float
    y: float


class Sparkline(Struct, frozen=True):
    """The last scores as a line in a box of WIDTH by HEIGHT."""

    points: str
    """Of a polyline."""
    last: Dot
    words: str
    """What the picture says, for those who do not see it."""


class SiteLine(Struct, frozen=True):
    """A project in a list."""

    href: str
    name: str
    rated: Rated | None
    """The median of its newest pages; None before the first rated report."""
    measured: str
    """What that is the score of, in words."""
    trend: Sparkline | None
    """None where no page was rated twice."""
    reports: str
    """How many, in words."""
    when: Moment | None
    """The day of the newest rated report."""


def rated_of(view: ReportView, say: Wording) -> Rated:
    """The score of a report with its rating, or why there is none."""
    if view.score is None:
        return Rated(say(STATES[view.status]), "")
    return scored(view.score, view.result.value if view.result else "", say)


def scored(score: int, rating: str, say: Wording) -> Rated:
    """A score, with its rating where that is not empty."""
    return Rated(f"{score} {say(RATING_WORDS[rating])}" if rating else str(score), rating)


def report_line(view: ReportView, say: Wording, zone: tzinfo, anchor: str = "") -> ReportLine:
    """One report; ``anchor`` is a place on its page."""
    when = moment_of(view.generated_at or view.created_at, say, zone)
    href = f"/r/{view.public_id}" + (f"#{anchor}" if anchor else "")
    return ReportLine(href, readable_address(view.url), rated_of(view, say), when, say.text(_PRIVACIES[view.privacy]))


def worse_line(view: ReportView, say: Wording, zone: tzinfo) -> WorseLine | None:
    """What got worse; None where nothing is known of the run before."""
    before = view.previous
    if before is None or view.generated_at is None or view.run is None:
        return None
    name = name_of(before.report, before.run, view.id)
    now, then = rated_of(view, say), scored(before.score, before.result.value, say)
    return WorseLine(
        href=f"/r/{view.public_id}",
        compare=f"/r/{view.public_id}/compare?from={name}&to={view.run}",
        address=readable_address(view.url),
        rated=now,
        before=then,
        change=f"−{-before.change}" if before.change < 0 else "",
        words=say("from %(before)s to %(after)s", before=then.words, after=now.words),
        when=moment_of(view.generated_at, say, zone),
    )


def project_address(project: str) -> str:
    """The page of a project."""
    return f"/projects/{quote(project, safe=':')}"


def project_name(project: str) -> str:
    """Its name, IDN hosts in their own script."""
    return readable_address(f"https://{project}/")


def site_line(line: ProjectLine, say: Wording, zone: tzinfo) -> SiteLine:
    """One project."""
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


def _measured(trend: Trend, say: Wording) -> str:
    return say.plural("score of %(count)s page", "median of the %(count)s newest pages", trend.pages)


def sparkline(trend: Trend, say: Wording) -> Sparkline:
    """How the scores of a project went, as a picture."""
    scores = trend.scores
    low, high = min(scores), max(scores)
    spare = max(0, LEAST_SPAN - (high - low))
    low, high = max(0, low - spare // 2), min(100, high + spare // 2)
    step = WIDTH / (len(scores) - 1)
    dots = [Dot(round(index * step, 1), round(HEIGHT * (high - score) / max(1, high - low), 1)) for index, score in enumerate(scores)]
    words = say("%(caption)s, the oldest first: %(scores)s", caption=_measured(trend, say), scores=", ".join(map(str, scores)))
    return Sparkline(" ".join(f"{dot.x},{dot.y}" for dot in dots), dots[-1], words)
