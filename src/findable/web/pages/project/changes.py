"""Pages that list the changes since a point in time, in one project or in all."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from starlette.responses import Response

from findable.clock import now
from findable.crawl.changes import ChangeKind
from findable.errors import NotFound
from findable.reports.score_base import WEEK
from findable.service.projects import change_overview, projects, worse_reports
from findable.service.projects.change_overview import LONGEST, ChangeOverview
from findable.service.projects.worse_sites import worse_sites
from findable.service.values.project_values import ProjectView
from findable.web.pages.project.project_context import ProjectPageContext, project_page, project_response
from findable.web.pages.project.worse_lines import WorseSiteLine, worse_lines
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import project_url, worse_words
from findable.web.pages.shared.project_tabs import CHANGES
from findable.web.pages.shared.viewer import SignedInRequest, person_page, person_response
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


class ChangesPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of changes.html, for one project or for all."""

    template: ClassVar[str] = "changes.html"
    place: ClassVar[str] = CHANGES
    choices: tuple[Choice, ...]
    worse: tuple[WorseSiteLine, ...]
    worse_words: str
    """Number of sites with regressions in words; empty in a project."""
    titles: Mapping[str, str]
    """Display names of projects by host."""
    changed: ChangeOverview
    """All changes, of which the page shows the first ``most`` of each kind."""
    first: int
    """Number of sites, or pages with fixes, to show before the rest is collapsed."""
    most: int
    kinds: Mapping[str, str]
    """Kinds of lost pages in words."""


@person_page("/changes")
def get_changes(request: SignedInRequest) -> Response:
    """Show the changes in all projects: ``?since=visit``, ``7`` or ``30`` days."""
    return person_response(request, _changes_page(request, ""))


@project_page("/changes")
def get_project_changes(request: SignedInRequest, view: ProjectView) -> Response:
    """Show the changes in a project, see `get_changes`."""
    return project_response(request, view, _changes_page(request, view.name))


def _changes_page(request: SignedInRequest, project: str) -> ChangesPage:
    href = project_url(project) if project else ""
    say, zone = request.say, request.zone
    starts = _start_times(request)
    chosen = request.query.get("since", SHORT)
    if chosen not in starts:
        raise NotFound
    result = change_overview.get(request.service, request.caller, project, starts[chosen])
    worse = worse_sites(result.pages.worse)
    hosts = {one.project for one in (*result.pages.worse, *result.pages.better)}
    hosts |= {project, *(one.project for one in result.certificates), *(one.project for one in result.losses)}
    titles = projects.titles(request.service, request.caller, hosts)
    newest = worse_reports.newest_of(request.service, request.caller, worse[:FIRST], result.since)
    most_causes = CAUSES if project else FEW_CAUSES
    return ChangesPage(
        choices=tuple(Choice(one, say.text(CHOICES[one]), one == chosen, f"{href}/changes?since={one}") for one in starts),
        worse=tuple(worse_lines(worse[:SHOWN], newest, say, zone, titles, causes=most_causes, pages=PAGES if project else 0)),
        worse_words="" if project else worse_words(len(worse), say, is_part=result.pages.is_part),
        titles=titles,
        changed=result,
        first=FIRST,
        most=SHOWN,
        kinds={one.value: say.text(one.words) for one in ChangeKind},
    )


def _start_times(request: SignedInRequest) -> dict[str, datetime]:
    """Return the start times to choose from by parameter value; the last visit only if it is recent enough."""
    present = now()
    starts = {SHORT: present - WEEK, LONG: present - LONGEST + timedelta(minutes=1)}
    visit_of = request.caller.visited_at
    if visit_of is not None and (at := datetime.fromtimestamp(visit_of, UTC)) > starts[LONG]:
        return {VISIT: at, **starts}
    return starts
