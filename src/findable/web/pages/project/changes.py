"""Pages that list the changes since a point in time, in one project or in all."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.clock import now
from findable.crawl.changes import ChangeKind
from findable.errors import NotFound
from findable.reports.score_base import WEEK
from findable.service.projects import change_overview, projects, worse_reports
from findable.service.projects.change_overview import LONGEST, CertificateShape, LostView
from findable.service.projects.worse_sites import worse_sites
from findable.web.pages.project.watching import AlertLine, alert_line
from findable.web.pages.project.worse_lines import WorseSiteLine, worse_lines
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import AwayLine, ChangedLine, away_line, better_line, project_url, titled, worse_words
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_page, person_response
from findable.web.path_parts import without_nul
from findable.wording import later

FIRST = 10
SHOWN = 100
CAUSES = 20
"""Maximum number of new problems of one project."""
FEW_CAUSES = 3
"""Maximum number of new problems per site in the list of all projects."""
PAGES = 20
"""Maximum number of pages per new problem."""
VISIT, SHORT, LONG = "visit", "7", "30"
CHOICES = {VISIT: later("Since the last visit"), SHORT: later("Last 7 days"), LONG: later("Last 30 days")}


class TextLine(Struct, frozen=True):
    """Row about an expiring certificate, or about pages that a crawl no longer found."""

    project: str
    words: str
    href: str = ""
    when: Moment | None = None


class ChangesPage(PersonPage, frozen=True, kw_only=True):
    """Variables of changes.html."""

    template: ClassVar[str] = "changes.html"
    entry: ClassVar[str] = "projects"
    name: str
    """Name of the project; empty for all projects."""
    href: str
    """URL of the project."""
    since: Moment
    choices: tuple[Choice, ...]
    worse: tuple[WorseSiteLine, ...]
    worse_words: str
    """Number of sites with regressions in words; empty in a project."""
    better: tuple[ChangedLine, ...]
    away: tuple[AwayLine, ...]
    """Pages that were away for a time and are available again."""
    first: int
    """Number of sites, or pages with fixes, to show before the rest is collapsed."""
    opened: tuple[AlertLine, ...]
    closed: tuple[AlertLine, ...]
    still_open: tuple[AlertLine, ...]
    certificates: tuple[TextLine, ...]
    lost: tuple[TextLine, ...]
    findings: str
    """URL of the list of all open problems."""


@person_page("/changes")
def get_changes(request: SignedInRequest) -> Response:
    """Show the changes in all projects: ``?since=visit``, ``7`` or ``30`` days."""
    return _changes_page(request, "", "")


@person_page("/projects/{project}/changes")
def get_project_changes(request: SignedInRequest, project: str) -> Response:
    """Show the changes in a project, see `get_changes`."""
    view = projects.get(request.service, request.caller, without_nul(project))
    return _changes_page(request, view.name, project_url(view.name))


def _changes_page(request: SignedInRequest, project: str, href: str) -> Response:
    say, zone = request.say, request.zone
    starts = _start_times(request)
    chosen = request.query.get("since", SHORT)
    if chosen not in starts:
        raise NotFound
    result = change_overview.get(request.service, request.caller, project, starts[chosen])
    alerts = (result.opened_alerts, result.closed_alerts, result.still_open)
    opened, closed, still_open = (tuple(alert_line(one, request, with_project=not project) for one in some) for some in alerts)
    worse = worse_sites(result.pages.worse)
    hosts = {one.project for one in (*result.pages.worse, *result.pages.better)}
    hosts |= {project, *(one.project for one in result.certificates), *(one.project for one in result.losses)}
    titles = projects.titles(request.service, request.caller, hosts)
    newest = worse_reports.newest_of(request.service, request.caller, worse[:FIRST], result.since)
    most_causes = CAUSES if project else FEW_CAUSES
    shown = ChangesPage(
        name=titled(project, titles) if project else "",
        href=href,
        since=moment_of(result.since, say, zone),
        choices=tuple(Choice(one, say.text(CHOICES[one]), one == chosen, f"{href}/changes?since={one}") for one in starts),
        worse=tuple(worse_lines(worse[:SHOWN], newest, say, zone, titles, causes=most_causes, pages=PAGES if project else 0)),
        worse_words="" if project else worse_words(len(worse), say, is_part=result.pages.is_part),
        better=tuple(better_line(one, say, zone, titles) for one in result.pages.better[:SHOWN]),
        away=tuple(away_line(one, say, zone) for one in result.pages.away[:SHOWN]),
        first=FIRST,
        opened=opened,
        closed=closed,
        still_open=still_open,
        certificates=_certificate_lines(request, result.certificates, titles),
        lost=tuple(_lost_pages_line(request, one, titles) for one in result.losses),
        findings=f"{href}#findings" if project else "/findings",
    )
    return person_response(request, shown)


def _start_times(request: SignedInRequest) -> dict[str, datetime]:
    """Return the start times to choose from by parameter value; the last visit only if it is recent enough."""
    present = now()
    starts = {SHORT: present - WEEK, LONG: present - LONGEST + timedelta(minutes=1)}
    visit_of = request.caller.visited_at
    if visit_of is not None and (at := datetime.fromtimestamp(visit_of, UTC)) > starts[LONG]:
        return {VISIT: at, **starts}
    return starts


def _certificate_lines(request: SignedInRequest, result: Iterable[CertificateShape], titles: Mapping[str, str]) -> tuple[TextLine, ...]:
    say = request.say
    return tuple(
        TextLine(
            titled(one.project, titles),
            say.plural("%(day)s, in %(count)s day", "%(day)s, in %(count)s days", one.days_left, day=say.day(one.ends_at, request.zone)),
        )
        for one in result
    )


def _lost_pages_line(request: SignedInRequest, one: LostView, titles: Mapping[str, str]) -> TextLine:
    say = request.say
    kinds = [f"{say.number(count)} {say.text(ChangeKind(kind).words)}" for kind, count in one.counts.items() if count]
    return TextLine(titled(one.project, titles), ", ".join(kinds), one.path, moment_of(one.at, say, request.zone))
