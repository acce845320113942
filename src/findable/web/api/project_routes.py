"""Routes of projects and their settings: `/projects`."""

from msgspec import UNSET, structs

from findable.service.projects import projects
from findable.service.values.project_values import BrowserOptionsChanges, IdentityChanges, ProjectChanges, RetentionChanges, TrackerChanges
from findable.values import shape_of
from findable.web.api import project_shapes, shape_parts
from findable.web.api.account_routes import defaults_sent
from findable.web.api.operation import Call, Data, Listing, Reply, operation
from findable.web.api.project_shapes import Project, ProjectDeleted, ProjectWhole
from findable.web.api.request_models import FieldsQuery, Identity, ProjectCreate, ProjectListQuery, ProjectUpdate
from findable.web.api.validation import input_of, value_or
from findable.web.bodies import WITH_IMAGE
from findable.web.list_links import list_links

PATH = "/projects/{project}"


@operation("GET", "/projects", {200: Listing[Project]}, reply_headers=("Link",))
def list_projects(call: Call, *, query: ProjectListQuery) -> Reply:
    """List projects."""
    page = projects.find(call.service, call.caller, query.to_query())
    items = [project_shapes.project(item, call.at) for item in page.items]
    return Reply(items, links=list_links(page, call.path, call.query), meta=shape_parts.list_meta(page, call.path))


@operation("GET", PATH, {200: Data[ProjectWhole]})
def get_project(call: Call, project: str, *, query: FieldsQuery) -> Reply:
    """Read a project."""
    del query
    return Reply(project_shapes.project_whole(projects.get(call.service, call.caller, project), call.at))


@operation("DELETE", PATH, {200: Data[ProjectDeleted]})
def delete_project(call: Call, project: str) -> Reply:
    """Delete a project and its reports."""
    gone = projects.delete(call.service, call.caller, project)
    return call.write_reply(Reply(shape_of(ProjectDeleted, gone, object="project", project=gone.name, deleted=True)), gone.id)


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
        Reply(project_shapes.project_whole(made.project, call.at), 201 if made.is_new else 200, headers), made.project.id
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

    Only fields that are sent change. New reports use the settings.
    """
    changes = input_of(
        ProjectChanges,
        body,
        **structs.asdict(defaults_sent(body)),
        identity=UNSET if body.identity is UNSET else _identity(body.identity),
        browser_options=UNSET if body.browser_options is UNSET else shape_of(BrowserOptionsChanges, body.browser_options),
        retention=UNSET if body.retention is UNSET else shape_of(RetentionChanges, body.retention),
        tracker=UNSET if body.tracker is UNSET else TrackerChanges(value_or(body.tracker.kind, ""), value_or(body.tracker.url, "")),
    )
    view = projects.update(call.service, call.caller, project, changes)
    return call.write_reply(Reply(project_shapes.project_whole(view, call.at)), view.id)


def _identity(body: Identity) -> IdentityChanges:
    """Return the complete identity: parts that are not sent are removed."""
    user, password = value_or(body.user), value_or(body.password)
    basic = None if user is None and password is None else (user or "", password or "")
    return IdentityChanges(basic, tuple(body.headers.items()), tuple(body.cookies.items()), value_or(body.user_agent, ""))
