"""Routes of the roles of people in a project: `/projects/{project}/roles`."""

from typing import Literal

from msgspec import Struct

from findable.service.projects import role_grants
from findable.service.projects.role_grants import ProjectRole
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.project_shapes import ProjectRoleDeleted

PATH = "/projects/{project}/roles"
PERSON_PATH = "/projects/{project}/roles/{person}"


class RoleGrant(Struct, frozen=True):
    """Role to give a person in a project."""

    role: Literal["viewer", "member", "owner"]
    """viewer: reads. member: also creates, changes and deletes reports, crawls and schedules. owner: also settings, roles and deletion."""


@operation("GET", PATH, {200: Items[ProjectRole]})
def list_roles(call: Call, project: str) -> Reply:
    """List the people with access to a project."""
    return Reply(role_grants.roles(call.service, call.caller, project))


@operation("PUT", PERSON_PATH, {200: Data[ProjectRole]}, example={"role": "viewer"})
def put_role(call: Call, project: str, person: int, *, body: RoleGrant) -> Reply:
    """Give a person of the account a role in a project."""
    return call.write_reply(Reply(role_grants.grant(call.service, call.caller, project, person, body.role)), person)


@operation("DELETE", PERSON_PATH, {200: Data[ProjectRoleDeleted]})
def delete_role(call: Call, project: str, person: int) -> Reply:
    """Remove the role of a person in a project; a role in the account stays."""
    role_grants.revoke(call.service, call.caller, project, person)
    return call.write_reply(Reply(ProjectRoleDeleted(id=person, object="role")), person)
