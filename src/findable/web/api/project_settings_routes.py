"""Settings of a project: `PUT` and `PATCH /projects/{project}`, and `POST /projects` to create one before its first report."""

from typing import Any

from msgspec import UNSET, structs

from findable.errors import NotFound
from findable.service.projects import projects
from findable.service.values.project_values import BrowserOptionsChanges, IdentityChanges, ProjectChanges, RetentionChanges, TrackerChanges
from findable.values import shape_of
from findable.web.api import project_shapes
from findable.web.api.account_routes import defaults_sent
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.project_shapes import ProjectWhole
from findable.web.api.request_models import Identity, ProjectCreate, ProjectUpdate
from findable.web.api.validation import value_or
from findable.web.bodies import WITH_IMAGE

PATH = "/projects/{project}"


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


def _update(call: Call, project: str, body: ProjectUpdate) -> Reply:
    changes = ProjectChanges(
        **structs.asdict(defaults_sent(body)),
        not_for_search=body.not_for_search,
        identity=UNSET if body.identity is UNSET else _identity(body.identity),
        browser_options=(UNSET if body.browser_options is UNSET else shape_of(BrowserOptionsChanges, body.browser_options)),
        segments=body.segments,
        extractors=body.extractors,
        alert_rules=body.alert_rules,
        retention=UNSET if body.retention is UNSET else shape_of(RetentionChanges, body.retention),
        tracker=UNSET if body.tracker is UNSET else TrackerChanges(value_or(body.tracker.kind, ""), value_or(body.tracker.url, "")),
    )
    view = projects.update(call.service, call.caller, project, changes)
    return call.write_reply(Reply(project_shapes.project_whole(view, call.at)), view.id)


UPDATE: dict[str, Any] = {
    "is_partial": True,
    "bounds": WITH_IMAGE,
    "example": {"not_for_search": ["/thanks*", "https://example.com/cart/*"]},
}


@operation("PUT", PATH, {200: Data[ProjectWhole]}, NotFound, **UPDATE)
def update_project(call: Call, project: str, *, body: ProjectUpdate) -> Reply:
    """Change a project.

    Only fields that are sent change. New reports use the settings.
    """
    return _update(call, project, body)


@operation("PATCH", PATH, {200: Data[ProjectWhole]}, NotFound, **UPDATE)
def patch_project(call: Call, project: str, *, body: ProjectUpdate) -> Reply:
    """Change a project, like PUT."""
    return _update(call, project, body)


def _identity(body: Identity) -> IdentityChanges:
    """Return the complete identity: parts that are not sent are removed."""
    user, password = value_or(body.user), value_or(body.password)
    basic = None if user is None and password is None else (user or "", password or "")
    return IdentityChanges(basic, tuple(body.headers.items()), tuple(body.cookies.items()), value_or(body.user_agent, ""))
