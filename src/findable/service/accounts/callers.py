"""Authentication and authorization of callers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from findable.clock import now
from findable.errors import Forbidden, NotFound, Unauthenticated, Unavailable
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign, token_hash
from findable.service.values.caller import MEMBER, OWNER, PROJECTS, READ, ROLES, SCOPES, VIEWER, WRITE, Caller
from findable.service.values.presentation import BrandView, brand_of
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session
from findable.values import shape_of
from findable.wording import later

TOUCH_AFTER_S = 60
"""Minimum interval between two writes of the last use of a key or session."""
MAX_TOKEN_CHARS = 200
MAX_BRANDS = 50
"""Maximum number of projects of a client whose brands are compared."""
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


def authenticate_key(service: Service, token: str) -> Caller:
    """Return the caller of an API key (the token without ``Bearer``). Raises Unauthenticated.

    Every token is hashed and looked up in the same way, so that the response time reveals nothing about it.
    """
    moment = int(now().timestamp())
    with service.store.read() as session:
        found = session.accounts.key_by_hash(token_hash(token[:MAX_TOKEN_CHARS]))
        grants = grants_of(session, found[1] if found else None)
    if found is None:
        raise Unauthenticated
    key, person = found
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= moment):
        raise Unauthenticated
    if key.last_used_at is None or moment - key.last_used_at >= TOUCH_AFTER_S:
        # If the time of use cannot be stored, the request still succeeds.
        with suppress(Unavailable), service.store.write() as session:
            session.accounts.touch_key(key.id, moment)
    expires_at = None if key.expires_at is None else datetime.fromtimestamp(key.expires_at, UTC)
    scopes = frozenset(key.scopes.split())
    return Caller(key.account_id, person.id, key.id, scopes, key.prefix, expires_at, role=person.role, grants=grants)


def authenticate_session(service: Service, token: str, proxied_email: str = "") -> Caller | None:
    """Return the person of a session cookie.

    None if it is unknown, ended or expired, or belongs to another person than the proxy's header.
    """
    moment = int(now().timestamp())
    hashed = session_hash(service, token)
    with service.store.read() as session:
        found = session.accounts.session(hashed, moment)
        if found is None:
            return None
        person, row = found
        caller = caller_of(person, grants_of(session, person))
        caller = caller if row.preview_of is None else as_client(caller, row.preview_of)
        caller = replace(caller, brand=client_brand(session, caller))
    if proxied_email and row.proxied_email != proxied_email:
        return None
    if moment - (row.last_seen_at or row.created_at) >= TOUCH_AFTER_S:
        with suppress(Unavailable), service.store.write() as session:
            session.accounts.touch_session(hashed, person.id, moment)
    return caller


def as_client(caller: Caller, project_id: int) -> Caller:
    """Return the caller with nothing but the rights of a viewer of one project, if they may see it themselves."""
    grants = {project_id: VIEWER} if may(caller, VIEWER, project_id) else {}
    return replace(caller, role=PROJECTS, grants=grants, scopes=frozenset({READ}), is_operator=False, preview_of=project_id)


def client_brand(session: Session, caller: Caller) -> BrandView:
    """Return the brand of the projects of a client; an empty one for people who see the whole account, and for several brands."""
    if may(caller, VIEWER):
        return BrandView()
    links = (session.links.of_project(number) for number in sorted(caller.grants)[:MAX_BRANDS])
    brands = [brand_of(link) for link in links if link is not None]
    return brands[0] if brands and all(one == brands[0] for one in brands) else BrandView()


def refreshed(service: Service, caller: Caller) -> Caller:
    """Return the caller with the roles of this moment, for a response after a wait.

    Raises Unauthenticated if the person left or is disabled, or if the API key was revoked or has expired.
    """
    moment = int(now().timestamp())
    with service.store.read() as session:
        person = session.accounts.person(caller.user_id)
        key = next((one for one in session.accounts.keys_of(caller.account_id) if one.id == caller.key_id), None)
        grants = grants_of(session, person)
    if person is None or person.account_id != caller.account_id or person.disabled_at is not None:
        raise Unauthenticated
    is_ended = key is None or key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= moment)
    if caller.key_id is not None and is_ended:
        raise Unauthenticated
    return replace(caller, role=person.role, grants=grants, is_operator=caller.is_operator and bool(person.is_operator))


def grants_of(session: Session, person: PersonRow | None) -> Mapping[int, str]:
    """Return the roles of a person in single projects; an owner of the account needs none."""
    return {} if person is None or person.role == OWNER else session.roles.of_person(person.id)


def session_hash(service: Service, token: str) -> bytes:
    """Return the stored form of a session token."""
    return sign(service.secret, "session", token)


def caller_of(person: PersonRow, grants: Mapping[int, str]) -> Caller:
    """Return the caller for a signed-in person."""
    is_operator = bool(person.is_operator)
    return shape_of(Caller, person, user_id=person.id, key_id=None, scopes=SCOPES, grants=grants, is_operator=is_operator)


def has_operator(session: Session, account_id: int) -> bool:
    """Return whether one of the people of an account operates the service."""
    return any(person.is_operator for person in session.accounts.people_of(account_id))


def require_operator(caller: Caller) -> None:
    """Raise NotFound unless the caller is an operator: others do not learn that the resource exists."""
    if caller.key_id is not None or not caller.is_operator:
        raise NotFound


def require(caller: Caller, scope: str) -> None:
    """Raise Forbidden if the caller lacks the scope."""
    if scope not in caller.scopes:
        raise Forbidden(f"This key may not {scope}." if caller.preview_of is None else PREVIEW)


@contextmanager
def reading(service: Service, caller: Caller, role: str = PROJECTS) -> Iterator[Session]:
    """Open a transaction in which the caller reads. Raises Forbidden without the scope, or without the role in the account."""
    require(caller, READ)
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
