"""Authentication of callers: by API key, by the session of a person, and again after a wait."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from findable.errors import Unauthenticated, Unavailable
from findable.service.accounts.permissions import may
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign, token_hash
from findable.service.values.caller import OWNER, PROJECTS, READ, SCOPES, VIEWER, Caller
from findable.service.values.presentation import BrandView, brand_of
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session
from findable.values import shape_of

TOUCH_AFTER_S = 60
"""Minimum interval between two writes of the last use of a key or session."""
MAX_TOKEN_CHARS = 200
MAX_BRANDS = 50
"""Maximum number of projects of a client whose brands are compared."""


def authenticate_key(service: Service, token: str) -> Caller:
    """Return the caller of an API key (the token without ``Bearer``). Raises Unauthenticated.

    Every token is hashed and looked up in the same way, so that the response time reveals nothing about it.
    """
    with service.store.read() as session:
        found = session.keys.by_hash(token_hash(token[:MAX_TOKEN_CHARS]))
        grants = grants_of(session, found[1] if found else None)
    if found is None:
        raise Unauthenticated
    key, person = found
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= session.moment):
        raise Unauthenticated
    if key.last_used_at is None or session.moment - key.last_used_at >= TOUCH_AFTER_S:
        # If the time of use cannot be stored, the request still succeeds.
        with suppress(Unavailable), service.store.write() as session:
            session.keys.touch(key.id, session.moment)
    expires_at = None if key.expires_at is None else datetime.fromtimestamp(key.expires_at, UTC)
    scopes = frozenset(key.scopes.split())
    return Caller(key.account_id, person.id, key.id, scopes, key.prefix, expires_at, role=person.role, grants=grants)


def authenticate_session(service: Service, token: str, proxied_email: str = "") -> Caller | None:
    """Return the person of a session cookie.

    None if it is unknown, ended or expired, or belongs to another person than the proxy's header.
    """
    hashed = session_hash(service, token)
    with service.store.read() as session:
        found = session.sessions.by_hash(hashed, session.moment)
        if found is None:
            return None
        person, row = found
        caller = caller_of(person, grants_of(session, person))
        caller = caller if row.preview_of is None else as_client(caller, row.preview_of)
        caller = replace(caller, brand=client_brand(session, caller))
    if proxied_email and row.proxied_email != proxied_email:
        return None
    if session.moment - (row.last_seen_at or row.created_at) >= TOUCH_AFTER_S:
        with suppress(Unavailable), service.store.write() as session:
            session.sessions.touch(hashed, person.id, session.moment)
    return caller


def as_client(caller: Caller, project_id: int) -> Caller:
    """Return the caller with nothing but the rights of a viewer of one project, if they may see it themselves."""
    grants = {project_id: VIEWER} if may(caller, VIEWER, project_id) else {}
    return replace(caller, role=PROJECTS, grants=grants, scopes=frozenset({READ}), is_operator=False, preview_of=project_id)


def client_brand(session: Session, caller: Caller) -> BrandView:
    """Return the brand of the projects of a client; an empty one for people who see the whole account, and for several brands."""
    if may(caller, VIEWER):
        return BrandView()
    links = (session.links.of("project", number) for number in sorted(caller.grants)[:MAX_BRANDS])
    brands = [brand_of(link) for link in links if link is not None]
    return brands[0] if brands and all(one == brands[0] for one in brands) else BrandView()


def refreshed(service: Service, caller: Caller) -> Caller:
    """Return the caller with the roles of this moment, for a response after a wait.

    Raises Unauthenticated if the person left or is disabled, or if the API key was revoked or has expired.
    """
    with service.store.read() as session:
        person = session.people.by_id(caller.user_id)
        key = next((one for one in session.keys.of_account(caller.account_id) if one.id == caller.key_id), None)
        grants = grants_of(session, person)
    if person is None or person.account_id != caller.account_id or person.disabled_at is not None:
        raise Unauthenticated
    is_ended = key is None or key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= session.moment)
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
    return any(person.is_operator for person in session.people.of_account(account_id))
