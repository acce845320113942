"""Routes of projects: `/projects`."""

from findable.errors import NotFound
from findable.service.projects import projects
from findable.web.api import project_shapes, shape_parts
from findable.web.api.operation import Call, Data, Listing, Reply, operation
from findable.web.api.project_shapes import Project, ProjectDeleted, ProjectWhole
from findable.web.api.request_models import FieldsQuery, ProjectListQuery
from findable.web.list_links import list_links


@operation("GET", "/projects", {200: Listing[Project]}, reply_headers=("Link",))
def list_projects(call: Call, *, query: ProjectListQuery) -> Reply:
    """List projects."""
    page = projects.find(call.service, call.caller, query.to_query())
    items = [project_shapes.project(item, call.at) for item in page.items]
    return Reply(items, links=list_links(page, call.path, call.query), meta=shape_parts.list_meta(page, call.path))


@operation("GET", "/projects/{project}", {200: Data[ProjectWhole]}, NotFound)
def get_project(call: Call, project: str, *, query: FieldsQuery) -> Reply:
    """Read a project."""
    del query
    return Reply(project_shapes.project_whole(projects.get(call.service, call.caller, project), call.at))


@operation("DELETE", "/projects/{project}", {200: Data[ProjectDeleted]}, NotFound)
def delete_project(call: Call, project: str) -> Reply:
    """Delete a project and its reports."""
    gone = projects.delete(call.service, call.caller, project)
    return call.write_reply(Reply(project_shapes.deleted_project(gone)), gone.id)
