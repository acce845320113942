"""Routes of the roles of people in a project: `/projects/{project}/roles`."""

from findable.errors import NotFound
from findable.service.projects import role_grants
from findable.web.api import project_shapes
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.project_shapes import ProjectRole, ProjectRoleDeleted
from findable.web.api.request_models import RoleGrant

PATH = "/projects/{project}/roles"
ONE = "/projects/{project}/roles/{person}"


@operation("GET", PATH, {200: Items[ProjectRole]}, NotFound)
def list_roles(call: Call, project: str) -> Reply:
    """List the people with access to a project."""
    return Reply([project_shapes.project_role(view) for view in role_grants.roles(call.service, call.caller, project)])


@operation("PUT", ONE, {200: Data[ProjectRole]}, NotFound, example={"role": "viewer"})
def put_role(call: Call, project: str, person: int, *, body: RoleGrant) -> Reply:
    """Give a person of the account a role in a project."""
    view = role_grants.grant(call.service, call.caller, project, person, body.role)
    return call.write_reply(Reply(project_shapes.project_role(view)), person)


@operation("DELETE", ONE, {200: Data[ProjectRoleDeleted]}, NotFound)
def delete_role(call: Call, project: str, person: int) -> Reply:
    """Remove the role of a person in a project; a role in the account stays."""
    role_grants.revoke(call.service, call.caller, project, person)
    return call.write_reply(Reply(ProjectRoleDeleted(id=person, object="role", deleted=True)), person)
