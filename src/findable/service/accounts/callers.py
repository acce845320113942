"""Authentication and authorization of callers."""

from contextlib import suppress
from datetime import UTC, datetime

from findable.clock import now
from findable.errors import Forbidden, Unauthenticated, Unavailable
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign, token_hash
from findable.service.values.caller import SCOPES, Caller
from findable.store.rows import PersonRow
from findable.wording import later

TOUCH_AFTER_S = 60
"""Minimum interval in which the last use of a key or session is written."""
MAX_TOKEN_CHARS = 200
OWNER = "owner"
MEMBER = "member"
ROLES = (MEMBER, OWNER)
"""Roles in order; each includes the permissions of those before it."""


def authenticate_key(service: Service, token: str) -> Caller:
    """Return the caller of an API key (the token without ``Bearer``). Raises Unauthenticated.

    Every token is hashed and looked up in the same way, so that the time reveals nothing about it.
    """
    moment = int(now().timestamp())
    with service.store.read() as session:
        found = session.accounts.key_by_hash(token_hash(token[:MAX_TOKEN_CHARS]))
    if found is None:
        raise Unauthenticated
    key, person = found
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= moment):
        raise Unauthenticated
    if key.last_used_at is None or moment - key.last_used_at >= TOUCH_AFTER_S:
        # A busy or full database must not prevent reading.
        with suppress(Unavailable), service.store.write() as session:
            session.accounts.touch_key(key.id, moment)
    expires_at = None if key.expires_at is None else datetime.fromtimestamp(key.expires_at, UTC)
    return Caller(key.account_id, person.id, key.id, frozenset(key.scopes.split()), key.prefix, expires_at, role=person.role)


def authenticate_session(service: Service, token: str) -> Caller | None:
    """Return the person of a session cookie; None if it is unknown, ended or expired."""
    moment = int(now().timestamp())
    hashed = session_hash(service, token)
    with service.store.read() as session:
        found = session.accounts.session(hashed, moment)
    if found is None:
        return None
    person, row = found
    if moment - (row.last_seen_at or row.created_at) >= TOUCH_AFTER_S:
        with suppress(Unavailable), service.store.write() as session:
            session.accounts.touch_session(hashed, moment)
    return caller_of(person)


def session_hash(service: Service, token: str) -> bytes:
    """Return the stored form of a session token."""
    return sign(service.secret, "session", token)


def caller_of(person: PersonRow) -> Caller:
    """Return the caller for a signed-in person."""
    return Caller(person.account_id, person.id, None, SCOPES, language=person.language, time_zone=person.time_zone, role=person.role)


def require(caller: Caller, scope: str) -> None:
    """Raise Forbidden if the caller lacks the scope."""
    if scope not in caller.scopes:
        raise Forbidden(f"This key may not {scope}.")


def require_role(caller: Caller, role: str = OWNER) -> None:
    """Raise Forbidden if the caller's role is lower. A key has the role of the person who made it.

    Members read, and make, change and delete reports. Owners also delete projects, change their settings, and manage people.
    """
    if ROLES.index(caller.role) < ROLES.index(role):
        raise Forbidden(later("Only owners of the account may do this."))


def require_person(caller: Caller, role: str = MEMBER) -> None:
    """Raise Forbidden for an API key, whatever its scopes: keys cannot make keys or invite people."""
    if caller.key_id is not None:
        raise Forbidden("An API key may not do this: sign in.")
    require_role(caller, role)
