"""Who asks, and whether it may."""

from contextlib import suppress
from datetime import UTC, datetime

from findable.clock import now
from findable.errors import Forbidden, Unauthenticated, Unavailable
from findable.service.app import Service
from findable.service.secret import sign, token_hash
from findable.service.values import SCOPES, Caller

TOUCH_AFTER_S = 60
"""`last_used_at` of a key is written at most this often."""
MAX_TOKEN_CHARS = 200


def authenticate_key(service: Service, token: str) -> Caller:
    """The caller of an API key (the token without ``Bearer``). Raises Unauthenticated.

    Every token is hashed and looked up alike, so that the time says nothing about how much of it is right.
    """
    moment = int(now().timestamp())
    with service.store.read() as session:
        key = session.accounts.key_by_hash(token_hash(token[:MAX_TOKEN_CHARS]))
    if key is None or key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= moment):
        raise Unauthenticated
    if key.last_used_at is None or moment - key.last_used_at >= TOUCH_AFTER_S:
        # A database that is busy or full must not keep anybody from reading.
        with suppress(Unavailable), service.store.write() as session:
            session.accounts.touch_key(key.id, moment)
    expires_at = None if key.expires_at is None else datetime.fromtimestamp(key.expires_at, UTC)
    return Caller(key.account_id, key.person_id, key.id, frozenset(key.scopes.split()), key.prefix, expires_at)


def authenticate_session(service: Service, token: str) -> Caller | None:
    """The person of a session cookie; None where it is unknown, ended or expired."""
    with service.store.read() as session:
        person = session.accounts.session(sign(service.secret, "session", token), int(now().timestamp()))
    return Caller(person.account_id, person.id, None, SCOPES) if person else None


def require(caller: Caller, scope: str) -> None:
    """Raises Forbidden where the caller lacks the scope."""
    if scope not in caller.scopes:
        raise Forbidden(f"This key may not {scope}.")
