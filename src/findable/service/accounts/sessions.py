"""Signing in and out, and where somebody is signed in."""

import secrets
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from findable.clock import now
from findable.errors import NotFound
from findable.service.accounts.callers import caller_of, require_person, session_hash
from findable.service.accounts.failed_attempts import count_try, counters, network_of, remember, take_back
from findable.service.runtime.app import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.use_cases import Caller, Session
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session as Transaction

SESSION_LIFE = timedelta(days=30)
MAX_AGENT_CHARS = 300


class Place(Struct, frozen=True):
    """Where somebody signs in."""

    user_agent: str
    address: str
    """The IP address; only its network is kept."""


NOWHERE = Place("", "")
"""Nothing is known of it: no browser signs in."""


class SessionView(Struct, frozen=True):
    """One of somebody's sessions."""

    id: str
    """Names it among the sessions of the person; opens nothing."""
    is_current: bool
    user_agent: str
    network: str
    created_at: datetime
    last_seen_at: datetime


def begin(service: Service, session: Transaction, person: PersonRow, place: Place, moment: datetime) -> Session:
    """A new session of that person; its token is known to nobody else."""
    token = secrets.token_urlsafe(32)
    expires_at = moment + SESSION_LIFE
    session.accounts.add_session(
        session_hash(service, token),
        person.id,
        int(moment.timestamp()),
        int(expires_at.timestamp()),
        place.user_agent[:MAX_AGENT_CHARS] or None,
        network_of(place.address) if place.address else None,
    )
    return Session(token, expires_at, caller_of(person))


def sign_in(service: Service, email: str, password: str, place: Place, old_token: str = "") -> Session | None:
    """Signs in by password; None where there is nobody of that address, or the password is another. Both take the same time.

    A session that the browser still has (``old_token``) ends. Raises RateLimited after too many wrong passwords for the address or from
    the network, or while too many are being tried.
    """
    moment = now()
    seconds = int(moment.timestamp())
    address = email.strip().lower() if email.isprintable() else ""
    # What is typed as an address may be a password: it is not kept as it is.
    door = sign(service.secret, "tries", address).hex()[:32]
    with service.store.write() as session:
        counted = counters(session, "sign-in", door, place.address, seconds)
        count_try(session, counted, seconds)
    with service.store.read() as session:
        found = session.accounts.person_by_email(address)
    known_hash = found.password_hash if found is not None and found.disabled_at is None else None
    if not service.passwords.is_right(known_hash, password) or known_hash is None:
        return None
    new_hash = service.passwords.hash(password) if service.passwords.is_outdated(known_hash) else known_hash
    with service.store.write() as session:
        person = session.accounts.person_by_email(address)
        if person is None or person.disabled_at is not None or person.password_hash != known_hash:
            return None  # removed or changed while the password was compared
        take_back(session, counted, seconds)
        remember(session, "sign-in", door, place.address, seconds)
        if new_hash != known_hash:
            session.accounts.change_person(person.id, password_hash=new_hash)
        if old_token:
            session.accounts.end_session(session_hash(service, old_token))
        return begin(service, session, person, place, moment)


def sign_out(service: Service, token: str) -> None:
    """Ends the session of that token, on the server's side."""
    with service.store.write() as session:
        session.accounts.end_session(session_hash(service, token))


def of_caller(service: Service, caller: Caller, token: str) -> tuple[SessionView, ...]:
    """Where the caller is signed in, the place used last first; ``token`` is of the session that asks."""
    require_person(caller)
    current = session_hash(service, token)
    with service.store.read() as session:
        rows = session.accounts.sessions_of(caller.user_id, int(now().timestamp()))
    return tuple(
        SessionView(
            _id(service, row.token_hash),
            row.token_hash == current,
            row.user_agent or "",
            row.network or "",
            datetime.fromtimestamp(row.created_at, UTC),
            datetime.fromtimestamp(row.last_seen_at or row.created_at, UTC),
        )
        for row in rows
    )


def end(service: Service, caller: Caller, session_id: str) -> None:
    """Ends one of the caller's sessions. Raises NotFound."""
    require_person(caller)
    with service.store.write() as session:
        for row in session.accounts.sessions_of(caller.user_id, int(now().timestamp())):
            if _id(service, row.token_hash) == session_id:
                session.accounts.end_session(row.token_hash)
                return
    raise NotFound


def end_all(service: Service, caller: Caller) -> None:
    """Signs the caller out everywhere, here too."""
    require_person(caller)
    with service.store.write() as session:
        session.accounts.end_sessions_of(caller.user_id)


def _id(service: Service, token_hash: bytes) -> str:
    return sign(service.secret, "session-id", token_hash.hex()).hex()[:16]
