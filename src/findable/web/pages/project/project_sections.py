"""Sections of the report of a project: findings on its pages, changes, score and findings over time.

The page of the project and its shared page use the same sections.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo

from markupsafe import Markup, escape
from msgspec import Struct, structs

from findable.reports.project_report import ProjectFinding, ProjectPage, ProjectReport, TrendPoint, short_url
from findable.reports.titles import question_of, summary_of
from findable.service.crawls.uploaded_metrics import Weights
from findable.vocabulary import ScoreOf, Verdict
from findable.web.pages.result.finding_cards import card
from findable.web.pages.result.findings_table import FindingRow, FindingsTable, change_badge, finding_row, findings_query, findings_table
from findable.web.pages.shared.local_times import Moment, day_of
from findable.web.pages.shared.number_words import weight_words
from findable.web.pages.shared.plots import Event, Plot, days_of, plot_line, plot_of, score_plot, with_events
from findable.web.pages.shared.untrusted_text import sentence
from findable.web.query_strings import url_with
from findable.wording import Translator

LISTED_PAGES = 8
"""Maximum number of listed pages per finding, and per change."""


class ChangeLine(Struct, frozen=True):
    """Row about a check with new or fixed problems, with the affected pages."""

    mark: str
    fact: Markup
    """Finding of a page, or of the check in general; the question of a check that is fixed."""
    check: str
    pages: tuple[ProjectPage, ...]


TrendRow = tuple[Moment, TrendPoint | None, str]
"""Row of the table below the plots: day or time, values, and events, which may be empty."""


class Trend(Struct, frozen=True):
    """Score and findings over time."""

    plots: tuple[Plot, ...]
    rows: tuple[TrendRow, ...]
    """Values, newest first."""
    note: str
    """Meaning of a point, in a sentence."""
    has_events: bool


class ProjectSections(Struct, frozen=True):
    """Sections of the report of a project."""

    report: ProjectReport
    reader: "Reader"
    table: FindingsTable | None
    """Findings on all pages; None without any."""
    findings: Mapping[str, ProjectFinding]
    """Findings with their pages by anchor of the row."""
    new: tuple[ChangeLine, ...]
    fixed: tuple[ChangeLine, ...]
    since: str
    """Time of the runs that the newest runs are compared with, in words; empty without earlier runs."""
    trend: Trend | None
    listed: int = LISTED_PAGES
    """Maximum number of listed pages per finding, and per change."""
    csv: str = ""
    """URL of the filtered findings as a file; empty if there is none."""


class Reader(Struct, frozen=True):
    """Reader of a project's report, with the path and query of the page that shows it."""

    say: Translator
    zone: tzinfo | None
    action: str
    """Path of the page."""
    query: Mapping[str, object]
    parameters: Mapping[str, str] = {}
    """Further query parameters of the page."""
    project: str = ""
    """URL of the project, for its people; empty for guests and for batches."""
    notes: Mapping[str, str] = {}
    """Notes of the owner by check."""
    weights: Weights | None = None
    """Uploaded metrics of the pages of each check."""
    tracker: str = ""
    """Name of the tracker for issues about findings; empty for none."""
    is_plain: bool = False
    """Whether the findings of a crawl are shown in plain words."""

    @property
    def is_owner(self) -> bool:
        """Whether the reader is a person of the project."""
        return bool(self.project)


def sections_of(report: ProjectReport, reader: Reader) -> ProjectSections:
    """Return the sections of a project's report."""
    say = reader.say
    rows = tuple(_finding_rows(report, reader))
    chosen = findings_query(reader.query)
    table = findings_table(rows, chosen, reader.action, say, measure=say("Pages and gain"), parameters=reader.parameters) if rows else None
    return ProjectSections(
        report=report,
        reader=reader,
        table=table,
        findings={finding.check: finding for finding in report.first_fixes},
        new=tuple(_new_line(finding, report, reader) for finding in report.new),
        fixed=tuple(
            ChangeLine(Verdict.PASSED.value, escape(question_of(one.check, say)), one.check, tuple(one.pages)) for one in report.fixed
        ),
        since=_compared_words(report, say, reader.zone),
        trend=_trend(report, say, reader.zone),
        csv=url_with(f"{reader.project}/findings.csv", chosen.parameters()) if reader.is_owner and table else "",
    )


def _compared_words(report: ProjectReport, say: Translator, zone: tzinfo | None) -> str:
    moments = sorted(page.compared_at for page in report.pages if page.compared_at)
    if not moments:
        return ""
    first, last = say.day(moments[0], zone), say.day(moments[-1], zone)
    if first == last:
        return say("Compared with the results of %(day)s.", day=first)
    return say("Compared with the results of %(first)s to %(last)s.", first=first, last=last)


def _finding_rows(report: ProjectReport, reader: Reader) -> Iterator[FindingRow]:
    """Yield the findings as rows. A finding on several pages has the statement of its check and the finding of one page as an example."""
    say = reader.say
    for finding in report.first_fixes:
        if finding.example is None:
            continue
        example = structs.replace(finding.example, verdict=finding.verdict)
        shown = card(example, say, names=reader.is_owner, note=reader.notes.get(finding.check, ""))
        fact = ""
        page = short_url((finding.example_page or finding.pages[0]).url, report.name)
        if len(finding.pages) > 1:
            fact = say("for example %(page)s: %(finding)s", page=page, finding=shown.fact.striptags())
            shown = structs.replace(shown, fact=escape(statement_of(finding.check, say)))
        on_pages = say.plural("%(count)s page", "%(count)s pages", len(finding.pages))
        new = say.plural("new on %(count)s page", "new on %(count)s pages", finding.new_on) if finding.new_on else ""
        weight = weight_words(reader.weights.column, reader.weights.totals.get(finding.check, 0), say) if reader.weights else ""
        row = finding_row(shown, on_pages, badge=change_badge(new, say, is_plain=reader.is_plain))
        yield structs.replace(
            row,
            where=" · ".join(filter(None, (fact, weight))),
            cost=": ".join(filter(None, (finding.split(say), report.gain_words(finding, say)))),
        )


def statement_of(check: str, say: Translator) -> str:
    """Return the general statement of a check's problem, without values of a page."""
    return sentence(summary_of(check, say)).removesuffix(".")


def _new_line(finding: ProjectFinding, report: ProjectReport, reader: Reader) -> ChangeLine:
    pages = tuple(page for page in report.pages if finding.check in page.new)
    mark = finding.example.mark if finding.example else finding.verdict.value
    if finding.example and pages == (finding.example_page,):  # the finding is only about this page
        fact = card(finding.example, reader.say, names=reader.is_owner).fact
    else:
        fact = escape(statement_of(finding.check, reader.say))
    return ChangeLine(mark, fact, finding.check, pages)


# --- over time


def _trend(report: ProjectReport, say: Translator, zone: tzinfo | None) -> Trend | None:
    points = report.trend
    if len(points) < 2:  # noqa: PLR2004 - a line has two points
        return None
    is_site = report.score_of is ScoreOf.SITE
    events = [(one.at, one.label or say("Ruleset %(ruleset)s", ruleset=one.ruleset)) for one in report.markers]
    placed = [(_place(at, is_site=is_site), f"{words} ({say.day(at, zone)})") for at, words in events]
    breaks = [_place(one.at, is_site=is_site) for one in report.markers if not one.label]
    scored = [(point.at, point.score) for point in points if point.score is not None]
    title = say("Findings of the crawl") if is_site else say("Findings in the reports of all pages")
    plots = [with_events(_findings(title, points, breaks, say, zone), placed, points[0].at, points[-1].at)]
    if scores := score_plot(scored, breaks, say, zone):
        plots.insert(0, with_events(scores, placed, scored[0][0], scored[-1][0]))
    by_day = say("Each point shows the findings of all pages on a day with a new result.")
    note = say("Each point is a crawl of the whole site.") if is_site else by_day
    return Trend(tuple(plots), _trend_rows(points, events, say, zone), note, bool(events))


def _place(at: datetime, *, is_site: bool) -> datetime:
    """Return the time of an event in a plot: points of pages represent days."""
    return at if is_site else at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _trend_rows(points: Sequence[TrendPoint], events: Sequence[Event], say: Translator, zone: tzinfo | None) -> tuple[TrendRow, ...]:
    """Return the rows of the table, newest first: values with the events of their days; events on other days get separate rows."""
    days = days_of([point.at for point in points], say, zone)
    rows: list[tuple[datetime, TrendRow]] = [(point.at, (day, point, "")) for point, day in zip(points, days, strict=True)]
    last_of_day = {say.day(at, zone): place for place, (at, _) in enumerate(rows)}
    for at, words in events:
        day = day_of(at, say, zone)
        place = last_of_day.setdefault(day.words, len(rows))
        if place == len(rows):
            rows.append((at, (day, None, words)))
        else:
            when, (shown, point, known) = rows[place]
            rows[place] = when, (shown, point, "; ".join(filter(None, (known, words))))
    return tuple(row for _, row in sorted(rows, key=lambda pair: pair[0], reverse=True))


def _findings(title: str, points: Sequence[TrendPoint], breaks: Sequence[datetime], say: Translator, zone: tzinfo | None) -> Plot:
    failed, warned = ([(point.at, getattr(point, name)) for point in points] for name in ("failed", "warned"))
    most = max(1, *(value for _, value in (*failed, *warned)))
    lines = (
        plot_line(say("Problems"), "failed", failed, most, breaks, say, zone),
        plot_line(say("Warnings"), "warned", warned, most, breaks, say, zone),
    )
    return plot_of(title, lines, (most, 0), say)
