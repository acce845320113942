"""Roles of people in one project: list, grant and remove them. For owners of the project."""

from typing import Literal

from msgspec import Struct

from findable.errors import NotFound, ValidationFailed
from findable.service.accounts import invitations
from findable.service.accounts.invitations import NewInvitation
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import may, reading, writing
from findable.service.accounts.sign_in_emails import queue_access_email
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, OWNER, PROJECTS, ROLES, VIEWER, Caller
from findable.store.project_roles import RoleRow
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.wording import Message, later

GRANTED = (VIEWER, MEMBER, OWNER)
"""Roles that can be granted in a project."""
MAX_GRANTS = 1000
"""Maximum number of projects granted to one person."""
_NOT_A_ROLE = later("The role must be viewer, member or owner.")
_NOBODY = later("Nobody in this account has that email address. Ask an owner of the account to invite them.")
_TOO_MANY = later("A person can be granted at most %(most)s single projects. Give them a role in the account.")


class ProjectRole(Struct, frozen=True, kw_only=True):
    """Person with access to a project: `role` is the higher of `granted` (in this project) and `account_role`."""

    object: Literal["role"] = "role"
    person: int
    name: str
    email: str
    role: str
    granted: str | None
    account_role: str


def roles(service: Service, caller: Caller, name_or_id: str) -> tuple[ProjectRole, ...]:
    """Return the people with access to the project. Raises NotFound."""
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id, OWNER)
        return _roles(session, caller, project)


def grant(service: Service, caller: Caller, name_or_id: str, person: int | str, role: str) -> ProjectRole:
    """Give a person of the account, by id or email address, a role in the project. Raises NotFound, ValidationFailed.

    An id is accepted only for people who already have access, so that owners of one project do not learn other names of the account.
    """
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id, OWNER)
        if role not in GRANTED:
            raise ValidationFailed({"role": [_NOT_A_ROLE]})
        number = _person(session, caller, project, person)
        if session.roles.count(number) >= MAX_GRANTS:
            raise ValidationFailed({"role": [Message(_TOO_MANY, most=f"{MAX_GRANTS:,}")]})
        session.roles.grant(project.id, number, role, session.moment)
        view = next(view for view in _roles(session, caller, project) if view.person == number)
        audit_log.record(session, caller, AuditAction.ROLE_GRANTED, view.email, role=role, project=project.name)
        return view


def give_access(service: Service, caller: Caller, name_or_id: str, email: str, role: str) -> ProjectRole | NewInvitation:
    """Give a person of the account a role in the project, by email address; owners of the account may also invite everybody else.

    They may leave the address empty for an invitation that anyone with its link can accept. Raises NotFound, ValidationFailed.
    """
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        known = next((one for one in session.people.of_account(caller.account_id) if one.email == email.strip().lower()), None)
    if known is None and may(caller, OWNER):
        return invitations.invite(service, caller, role=role, email=email, project_id=project.id)
    given = grant(service, caller, name_or_id, email, role)
    if known is not None and known.id != caller.user_id:
        with service.store.write() as session:
            queue_access_email(service, session, caller, known, project)
        service.events.publish_queued()
    return given


def revoke(service: Service, caller: Caller, name_or_id: str, person_id: int) -> None:
    """Remove the role of a person in the project; a role in the account stays. Raises NotFound."""
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id, OWNER)
        email = next((row.email for row in session.roles.of_project(caller.account_id, project.id) if row.person_id == person_id), "")
        if not session.roles.revoke(project.id, person_id):
            raise NotFound
        audit_log.record(session, caller, AuditAction.ROLE_TAKEN_BACK, email, project=project.name)


def _person(session: Session, caller: Caller, project: ProjectRow, person: int | str) -> int:
    people = session.people.of_account(caller.account_id)
    if isinstance(person, int):
        with_access = (row.person_id for row in session.roles.of_project(caller.account_id, project.id))
        known = (row.id for row in people) if may(caller, OWNER) else with_access
        if person not in known:
            raise NotFound
        return person
    wanted = person.strip().lower()
    found = next((row for row in people if row.email == wanted), None)
    if found is None:
        raise ValidationFailed({"email": [_NOBODY]})
    return found.id


def _roles(session: Session, caller: Caller, project: ProjectRow) -> tuple[ProjectRole, ...]:
    return tuple(_view(row) for row in session.roles.of_project(caller.account_id, project.id))


def _view(row: RoleRow) -> ProjectRole:
    role = max(row.account_role, row.project_role or PROJECTS, key=ROLES.index)
    return ProjectRole(
        person=row.person_id, name=row.name, email=row.email, role=role, granted=row.project_role, account_role=row.account_role
    )
