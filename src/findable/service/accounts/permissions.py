"""Permissions of callers: the one rule who may do what, and transactions that ask it."""

from collections.abc import Iterator
from contextlib import contextmanager

from findable.errors import Forbidden, NotFound
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, OWNER, PROJECTS, READ, ROLES, VIEWER, WRITE, Caller
from findable.store.store_protocol import Session
from findable.wording import later

PREVIEW = later("You look at the project as a client: nothing can be changed. End the preview first.")
_REFUSED = {
    OWNER: later("Only owners of the account may do this."),
    MEMBER: later("Only members and owners of the account may do this."),
    VIEWER: later("Only people who see the whole account may do this."),
    PROJECTS: "",
}
_REFUSED_IN_PROJECT = {
    **_REFUSED,
    OWNER: later("Only owners of the project may do this."),
    MEMBER: later("You may only read this project."),
}


def require_operator(caller: Caller) -> None:
    """Raise NotFound unless the caller is an operator: others do not learn that the resource exists."""
    if caller.key_id is not None or not caller.is_operator:
        raise NotFound


def require(caller: Caller, scope: str) -> None:
    """Raise Forbidden if the caller lacks the scope."""
    if scope not in caller.scopes:
        raise Forbidden(f"This key may not {scope}." if caller.preview_of is None else PREVIEW)


@contextmanager
def reading(service: Service, caller: Caller, role: str = PROJECTS, *, scope: str = READ) -> Iterator[Session]:
    """Open a transaction in which the caller reads. Raises Forbidden without the scope, or without the role in the account.

    ``scope``: WRITE for what a change reads or returns, which a key without read access gets too.
    """
    require(caller, scope)
    require_role(caller, role)
    with service.store.read() as session:
        yield session


@contextmanager
def writing(service: Service, caller: Caller, role: str = PROJECTS) -> Iterator[Session]:
    """Open a transaction in which the caller writes, like `reading`."""
    require(caller, WRITE)
    require_role(caller, role)
    with service.store.write() as session:
        yield session


def role_in(caller: Caller, project_id: int | None) -> str:
    """Return the role of a caller in a project: the higher one of account and project; without a project, the role in the account."""
    granted = PROJECTS if project_id is None else caller.grants.get(project_id, PROJECTS)
    return max(caller.role, granted, key=ROLES.index)


def may(caller: Caller, role: str, project_id: int | None = None) -> bool:
    """Return whether the caller has at least that role in the project, or in the whole account. All permissions depend on this rule.

    A key has the roles of the person who created it. Viewers read; members also create, change and delete reports, crawls and schedules;
    owners also change settings, grant roles and delete projects, and those of the account manage its people.
    """
    return ROLES.index(role_in(caller, project_id)) >= ROLES.index(role)


def require_role(caller: Caller, role: str = OWNER, project_id: int | None = None) -> None:
    """Raise Forbidden if the caller lacks that role in the project."""
    if not may(caller, role, project_id):
        raise Forbidden(_REFUSED[role] if project_id is None else _REFUSED_IN_PROJECT[role])


def may_make(caller: Caller) -> bool:
    """Return whether the caller may create reports in any project."""
    return may(caller, MEMBER) or any(may(caller, MEMBER, number) for number in caller.grants)


def require_access(caller: Caller, project_id: int, *, for_update: bool) -> None:
    """Raise NotFound if the caller may not see the project, Forbidden if they may not change its reports."""
    if not may(caller, VIEWER, project_id):
        raise NotFound
    if for_update:
        require_role(caller, MEMBER, project_id)


def require_person(caller: Caller, role: str = PROJECTS) -> None:
    """Raise Forbidden for an API key, regardless of its scopes: keys cannot create keys or invite people."""
    if caller.key_id is not None:
        raise Forbidden("An API key may not do this: sign in.")
    require_role(caller, role)
