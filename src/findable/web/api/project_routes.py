"""Routes of projects (`/projects`): settings, summary, watching and findings."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from findable.checks.engine import all_checks
from findable.reports import project_report
from findable.service.projects import project_links, project_lists, project_reports, projects, watched_sites
from findable.service.projects.project_summary import SummaryView
from findable.service.values.caller import READ, WRITE
from findable.service.values.project_values import IdentityChanges, ProjectChanges, ProjectQuery, ProjectSettingsUpdate, ProjectSort
from findable.values import NEEDED, shape_of
from findable.vocabulary import Rating
from findable.web.api import project_shapes
from findable.web.api.operation import Call, Data, Items, Listing, Reply, operation
from findable.web.api.project_shapes import ListedProject, ProjectDeleted, ProjectFinding, ProjectFindingPage, ProjectWhole
from findable.web.api.request_models import FieldsQuery, ListQuery, Search
from findable.web.api.shape_parts import page_reply
from findable.web.api.validation import input_of, value_or
from findable.web.bodies import WITH_IMAGE

PATH = "/projects/{project}"
LISTED_PAGES = 100


class ProjectListQuery(ListQuery, frozen=True):
    """The query of `GET /projects`."""

    search: Search = ""
    """Part of the host, of the display name or of the client, case-insensitive."""
    search_by: Literal["project"] = "project"
    """Member to search."""
    sort_by: ProjectSort = ProjectSort.CREATED_AT
    """Ties are broken by id. change: change of the score within a week, the worst first with sort=asc."""
    tag: Search = ""
    client: Search = ""
    owner: Search = ""
    """Email address of the person responsible for the site."""
    result: Rating | UnsetType = UNSET
    """Rating of the score."""
    watched: Literal[0, 1] | UnsetType = UNSET

    def to_query(self) -> ProjectQuery:
        """Convert to the query of the service."""
        is_watched = None if self.watched is UNSET else bool(self.watched)
        return input_of(ProjectQuery, self, descending=self.sort == "desc", result=value_or(self.result), is_watched=is_watched)


class Identity(Struct, frozen=True, forbid_unknown_fields=True):
    """Login, headers, cookies and user agent for requests to the site of a project. They are never returned."""

    user: str | UnsetType = UNSET
    """User name for Basic authentication."""
    password: str | UnsetType = UNSET
    """Password for Basic authentication."""
    headers: dict[str, str] = {}
    """Header values by name."""
    cookies: dict[str, str] = {}
    """Cookie values by name."""
    user_agent: str | UnsetType = UNSET
    """User agent in place of the default one."""


class ProjectCreate(Struct, frozen=True):
    """New project: its site and settings."""

    project: Annotated[str, NEEDED] | UnsetType = UNSET
    """Host of the site, or any URL of the site."""


class SummaryUpdate(Struct, frozen=True):
    """Summary of a project."""

    text: str | UnsetType = UNSET
    """Plain text with names of figures in braces, like {score}; empty for the suggested sentences."""


class ProjectUpdate(ProjectSettingsUpdate, frozen=True):
    """Changes of a project; only fields that are sent change."""

    identity: Identity | UnsetType = UNSET
    """Identity for the project's own site, for example a staging site. It is sent only to the scheme, host and port of a report's URL.
    Replaces the whole identity; {} removes it. Stored encrypted, never returned.
    """


@operation("GET", "/projects", {200: Listing[ListedProject]}, reply_headers=("Link",))
def list_projects(call: Call, *, query: ProjectListQuery) -> Reply:
    """List projects."""
    page = project_lists.find(call.service, call.caller, query.to_query())
    items = [project_shapes.listed_project(item, call.at, call.say) for item in page.items]
    return page_reply(call, page, items)


@operation("GET", PATH, {200: Data[ProjectWhole]})
def get_project(call: Call, project: str, *, query: FieldsQuery) -> Reply:
    """Read a project."""
    del query
    return Reply(project_shapes.project_whole(projects.get(call.service, call.caller, project), call.at, call.say))


@operation("GET", f"{PATH}/summary", {200: Data[SummaryView]})
def get_project_summary(call: Call, project: str) -> Reply:
    """Read the summary of a project, with its figures filled in."""
    return Reply(project_links.summary(call.service, call.caller, project, call.say))


@operation("PUT", f"{PATH}/summary", {200: Data[SummaryView]}, example={"text": "The score is {score} of 100."})
def put_project_summary(call: Call, project: str, *, body: SummaryUpdate) -> Reply:
    """Replace the summary of a project for its client.

    Names of figures in braces are replaced by the values of the newest result when it is shown. Empty for the suggested sentences.
    """
    number = project_links.write_summary(call.service, call.caller, project, value_or(body.text) or "")
    unread = SummaryView(text="", filled="", figures={})
    shown = project_links.summary(call.service, call.caller, project, call.say) if READ in call.caller.scopes else unread
    return call.write_reply(Reply(shown), number)


@operation("DELETE", PATH, {200: Data[ProjectDeleted]})
def delete_project(call: Call, project: str) -> Reply:
    """Delete a project and its reports."""
    gone = projects.delete(call.service, call.caller, project)
    return call.write_reply(Reply(shape_of(ProjectDeleted, gone, project=gone.name)), gone.id)


@operation(
    "POST",
    "/projects",
    {201: Data[ProjectWhole], 200: Data[ProjectWhole]},
    reply_headers=("Location",),
    example={"project": "staging.example.com"},
)
def make_project(call: Call, *, body: ProjectCreate) -> Reply:
    """Create a project before its first report.

    This allows you to set the credentials of a staging site; otherwise the first report of a page creates the project. 200 if it exists.
    """
    made = projects.make(call.service, call.caller, value_or(body.project))
    headers = {"Location": call.at.project(made.project.name)}
    return call.write_reply(
        Reply(project_shapes.project_whole(made.project, call.at, call.say), 201 if made.is_new else 200, headers), made.project.id
    )


@operation(
    "PUT",
    PATH,
    {200: Data[ProjectWhole]},
    is_partial=True,
    bounds=WITH_IMAGE,
    aliases={"PATCH": "Change a project, like PUT"},
    example={"not_for_search": ["/thanks*", "https://example.com/cart/*"]},
)
def update_project(call: Call, project: str, *, body: ProjectUpdate) -> Reply:
    """Change a project.

    Only fields that are sent change. Settings apply to new reports.
    """
    identity = UNSET if body.identity is UNSET else _identity(body.identity)
    view = projects.update(call.service, call.caller, project, input_of(ProjectChanges, body, identity=identity))
    return call.write_reply(Reply(project_shapes.project_whole(view, call.at, call.say)), view.id)


class WatchingUpdate(Struct, frozen=True):
    """Whether a site is watched."""

    watched: Literal[0, 1]
    """1: crawl the site each week and check its pages each day, and send you its alerts; 0: delete its schedules."""


@operation("PUT", f"{PATH}/watching", {200: Data[ProjectWhole]}, example={"watched": 1})
def update_watching(call: Call, project: str, *, body: WatchingUpdate) -> Reply:
    """Watch a site, or stop watching it.

    A site that has a schedule already keeps it.
    """
    work = watched_sites.watch if body.watched else watched_sites.stop_watching
    work(call.service, call.caller, [project])
    view = projects.get(call.service, call.caller, project, WRITE)
    return call.write_reply(Reply(project_shapes.project_whole(view, call.at, call.say)), view.id)


def _identity(body: Identity) -> IdentityChanges:
    """Return the identity of a request for the use case, as a whole: parts that are not sent are removed."""
    user, password = value_or(body.user), value_or(body.password)
    basic = None if user is None and password is None else (user or "", password or "")
    return IdentityChanges(basic, tuple(body.headers.items()), tuple(body.cookies.items()), value_or(body.user_agent, ""))


@operation("GET", "/projects/{project}/findings", {200: Items[ProjectFinding]})
def list_project_findings(call: Call, project: str) -> Reply:
    """List the problems and warnings of a project in the newest results of its pages.

    One row per check, ordered by its total cost on all pages. Only the newest 1,000 pages count; if there are more, meta.warnings contains
    a note.
    """
    report = project_reports.get(call.service, call.caller, project).report
    if report.is_part:
        call.warnings.append(f"Only the newest {len(report.pages)} pages are counted.")
    return Reply([_finding(one) for one in report.findings])


def _finding(one: project_report.ProjectFinding) -> ProjectFinding:
    check = all_checks()[one.check]
    return ProjectFinding(
        id=one.check,
        category=check.category,
        verdict=one.verdict,
        importance=check.importance,
        summary=check.documentation.summary,
        pages_count=len(one.pages),
        new_on=one.new_on,
        pages=[shape_of(ProjectFindingPage, page) for page in one.pages[:LISTED_PAGES]],
    )
