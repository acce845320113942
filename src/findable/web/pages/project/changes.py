"""Pages that list the changes since a point in time, in one project or in all."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import ClassVar

from msgspec import Struct, structs
from starlette.responses import Response

from findable.clock import now, rfc3339
from findable.errors import NotFound
from findable.export.csv_rows import csv_head, csv_line
from findable.reports.difference import NotComparable
from findable.reports.earlier_score import WEEK
from findable.service.crawls import crawl_access
from findable.service.projects import change_overview, project_lists, project_reports, projects, worse_reports
from findable.service.projects.change_overview import LONGEST, ChangeOverview, WorkDone
from findable.service.projects.worse_sites import worse_sites
from findable.service.values.project_values import ProjectView
from findable.web.pages.project.project_context import ProjectPageContext, project_page
from findable.web.pages.project.project_sections import statement_of
from findable.web.pages.project.worse_lines import WorseSiteLine, outage_lines, worse_lines
from findable.web.pages.shared.attachments import attachment, in_file_name
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import project_url, worse_words
from findable.web.pages.shared.project_tabs import CHANGES
from findable.web.pages.shared.viewer import SignedInRequest, person_page
from findable.web.pages.site.site_changes import SiteChangesPage, changes_fields
from findable.web.pages.site.site_visit import visit_of_tab, visit_response
from findable.wording import Translator, later

FIRST = 10
SHOWN = 100
CAUSES = 20
"""Maximum number of new problems of one project."""
FEW_CAUSES = 3
"""Maximum number of new problems per site in the list of all projects."""
WORK_COLUMNS = ("kind", "finding", "check", "url", "pages_count", "first_seen", "at", "path", "by", "reason", "until")
PAGES = 20
"""Maximum number of pages per new problem."""
VISIT, SHORT, LONG = "visit", "7", "30"
CHOICES = {VISIT: later("Since the last visit"), SHORT: later("Last 7 days"), LONG: later("Last 30 days")}


class WorkLine(Struct, frozen=True):
    """Line of the table of work done, in words."""

    finding: str
    is_fixed: bool
    where: str
    """Pages, or URL of the only one."""
    first_seen: str
    at: str
    href: str
    """URL of the result that verified it, the last of them; empty for none."""
    by: str
    reason: str
    until: str


class ProjectChangesPage(SiteChangesPage, frozen=True, kw_only=True):
    """Variables of project_changes.html, for a project whose score comes from a crawl."""

    work: tuple[WorkLine, ...]
    """Fixed and accepted findings of the last 30 days."""
    work_csv: str
    """URL of their CSV."""


class ChangesPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of changes.html, for one project or for all."""

    place: ClassVar[str] = CHANGES
    choices: tuple[Choice, ...]
    day: str
    """Day that was chosen as the start, as ISO 8601; empty for another start."""
    days: tuple[str, str]
    """First and last day to choose from."""
    worse: tuple[WorseSiteLine, ...]
    worse_words: str
    """Number of sites with regressions in words; empty in a project."""
    titles: Mapping[str, str]
    """Display names of projects by host."""
    changed: ChangeOverview
    """All changes, of which the page shows the first ``most`` of each kind."""
    first: int = FIRST
    """Number of sites, or pages with fixes, to show before the rest is collapsed."""
    most: int = SHOWN
    work: tuple[WorkLine, ...]
    """Fixed and accepted findings of a project."""
    work_csv: str
    """URL of their CSV."""


@project_page("/changes/work.csv")
def get_work_csv(request: SignedInRequest, view: ProjectView) -> Response:
    """Return the fixed and accepted findings of a project as CSV."""
    work = change_overview.get(request.service, request.caller, view.name, _chosen_start(request)[1]).work
    rows = (structs.asdict(one) | {"finding": statement_of(one.check, request.say)} for one in work)
    texts = ({name: value if not isinstance(value, datetime) else rfc3339(value) for name, value in row.items()} for row in rows)
    body = csv_head(WORK_COLUMNS) + b"".join(csv_line([row[name] for name in WORK_COLUMNS]) for row in texts)
    return Response(body, media_type="text/csv", headers=attachment(f"findable-{in_file_name(view.name)}-work.csv"))


def _work_lines(work: Sequence[WorkDone], say: Translator, zone: tzinfo) -> Iterator[WorkLine]:
    """Yield a line for each acceptance, and one for the fixed findings of each check of pages on the same day."""
    groups: dict[tuple[object, ...], list[WorkDone]] = {}
    for one in work:
        day = one.at.astimezone(zone).date()
        groups.setdefault((one.check, day) if one.kind == "fixed" else (one.check, one.url, one.at), []).append(one)
    for (first, *_), found in ((tuple(group), group) for group in groups.values()):
        seen = [one.first_seen for one in found]
        oldest = min((at for at in seen if at is not None), default=None) if None not in seen else None
        pages = sum(one.pages_count for one in found)
        yield WorkLine(
            statement_of(first.check, say),
            first.kind == "fixed",
            say.plural("%(count)s page", "%(count)s pages", pages) if len(found) > 1 or pages > 1 else first.url,
            say.day(oldest, zone) if oldest else say("more than 30 days ago") if first.kind == "fixed" else "–",
            say.day((last := max(found, key=lambda one: one.at)).at, zone),
            last.path,
            first.by,
            first.reason,
            say.day(datetime.fromisoformat(first.until)) if first.until else "",
        )


@person_page("/changes")
def get_changes(request: SignedInRequest) -> ChangesPage:
    """Show the changes in all projects: ``?since=visit``, ``7`` or ``30`` days, or since a day like ``2026-11-01``."""
    return _changes_page(request, "")


@project_page("/changes")
def get_project_changes(request: SignedInRequest, view: ProjectView) -> ChangesPage | Response:
    """Compare the newest crawl of a project with an earlier one; without crawls show the changes of its pages, see `get_changes`."""
    content = project_reports.get(request.service, request.caller, view.name)
    crawl = content.crawl
    if crawl is None or (content.site is None and view.pages_count):
        return _changes_page(request, view.name)
    visit = visit_of_tab(request, crawl, CHANGES)
    if content.site is not None and crawl_access.incomparable_before(request.service, visit.access) is not NotComparable.AFTER_INCOMPLETE:
        visit = visit_of_tab(request, content.site.crawl, CHANGES)
    done = change_overview.get(request.service, request.caller, view.name, _start_times(request)[LONG]).work
    work = tuple(_work_lines(done, request.say, request.zone))[:SHOWN]
    href = f"{project_url(view.name)}/changes/work.csv?since={LONG}"
    return visit_response(visit, ProjectChangesPage(**changes_fields(visit), work=work, work_csv=href))


def _changes_page(request: SignedInRequest, project: str) -> ChangesPage:
    href = project_url(project) if project else ""
    say, zone = request.say, request.zone
    starts = _start_times(request)
    chosen, start = _chosen_start(request)
    result = change_overview.get(request.service, request.caller, project, start)
    worse = worse_sites(result.pages.worse)
    hosts = {one.project for one in (*result.pages.worse, *result.pages.better)}
    hosts |= {project, *(one.project for one in result.certificates), *(one.project for one in result.losses)}
    titles = projects.titles(request.service, request.caller, hosts)
    newest = worse_reports.newest_of(request.service, request.caller, worse[:FIRST], result.since)
    most_causes = CAUSES if project else FEW_CAUSES
    listed = () if project else project_lists.find(request.service, request.caller, project_lists.WORST_CHANGES).items
    outages = tuple(outage_lines(listed, say, zone))
    return ChangesPage(
        day="" if chosen in starts else chosen,
        days=(str(starts[LONG].astimezone(zone).date() + timedelta(days=1)), str(now().astimezone(zone).date())),
        choices=tuple(Choice(one, say.text(CHOICES[one]), one == chosen, f"{href}/changes?since={one}") for one in starts),
        worse=(*outages, *worse_lines(worse[:SHOWN], newest, say, zone, titles, causes=most_causes, pages=PAGES if project else 0)),
        worse_words="" if project else worse_words(len(outages) + len(worse), say, is_part=result.pages.is_part),
        titles=titles,
        changed=result,
        work=tuple(_work_lines(result.work, say, zone)),
        work_csv=f"{href}/changes/work.csv?since={chosen}",
    )


def _chosen_start(request: SignedInRequest) -> tuple[str, datetime]:
    """Return the chosen period and its start. Raises NotFound for another value."""
    chosen, starts = request.query.get("since", SHORT), _start_times(request)
    if chosen in starts:
        return chosen, starts[chosen]
    with suppress(ValueError):
        start = datetime.combine(date.fromisoformat(chosen), time(), request.zone)
        if starts[LONG] <= start <= now():
            return chosen, start
    raise NotFound


def _start_times(request: SignedInRequest) -> dict[str, datetime]:
    """Return the start times to choose from by parameter value; the last visit only if it is recent enough."""
    present = now()
    starts = {SHORT: present - WEEK, LONG: present - LONGEST + timedelta(minutes=1)}
    visit_of = request.caller.visited_at
    if visit_of is not None and (at := datetime.fromtimestamp(visit_of, UTC)) > starts[LONG]:
        return {VISIT: at, **starts}
    return starts
