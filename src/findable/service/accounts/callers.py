"""Who asks, and whether it may."""

from contextlib import suppress
from datetime import UTC, datetime

from findable.clock import now
from findable.errors import Forbidden, Unauthenticated, Unavailable
from findable.service.runtime.app import Service
from findable.service.runtime.signing_secret import sign, token_hash
from findable.service.values.use_cases import SCOPES, Caller
from findable.store.rows import PersonRow
from findable.wording import later

TOUCH_AFTER_S = 60
"""When a key or a session was last used is written at most this often."""
MAX_TOKEN_CHARS = 200
OWNER = "owner"
MEMBER = "member"
ROLES = (MEMBER, OWNER)
"""Each may what those before it may."""


def authenticate_key(service: Service, token: str) -> Caller:
    """The caller of an API key (the token without ``Bearer``). Raises Unauthenticated.

    Every token is hashed and looked up alike, so that the time says nothing about how much of it is right.
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
        # A database that is busy or full must not keep anybody from reading.
        with suppress(Unavailable), service.store.write() as session:
            session.accounts.touch_key(key.id, moment)
    expires_at = None if key.expires_at is None else datetime.fromtimestamp(key.expires_at, UTC)
    return Caller(key.account_id, person.id, key.id, frozenset(key.scopes.split()), key.prefix, expires_at, role=person.role)


def authenticate_session(service: Service, token: str) -> Caller | None:
    """The person of a session cookie; None where it is unknown, ended or expired."""
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
    """How the token of a session is stored."""
    return sign(service.secret, "session", token)


def caller_of(person: PersonRow) -> Caller:
    """Somebody who is signed in."""
    return Caller(person.account_id, person.id, None, SCOPES, language=person.language, time_zone=person.time_zone, role=person.role)


def require(caller: Caller, scope: str) -> None:
    """Raises Forbidden where the caller lacks the scope."""
    if scope not in caller.scopes:
        raise Forbidden(f"This key may not {scope}.")


def require_role(caller: Caller, role: str = OWNER) -> None:
    """Raises Forbidden where the caller's role may less than that one. A key may what the person may who made it.

    Members read, and make, change and delete reports. Owners also delete projects, decide on their settings, and manage people.
    """
    if ROLES.index(caller.role) < ROLES.index(role):
        raise Forbidden(later("Only owners of the account may do this."))


def require_person(caller: Caller, role: str = MEMBER) -> None:
    """Raises Forbidden for an API key, whatever its scopes: keys make no keys and let nobody in."""
    if caller.key_id is not None:
        raise Forbidden("An API key may not do this: sign in.")
    require_role(caller, role)
