"""Sign in and out, and list sessions."""

import secrets
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from findable.errors import NotFound, require_found
from findable.service.accounts.callers import caller_of, grants_of, session_hash
from findable.service.accounts.permissions import require_access, require_person
from findable.service.runtime import audit_log
from findable.service.runtime.attempt_limits import count_try, counters, network_of, remember, undo_counts
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.account_values import Session
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import Caller
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session as Transaction

SESSION_LIFE = timedelta(days=30)
EXTERNAL_SESSION_LIFE = timedelta(hours=12)
"""Length of a session that began at a provider or proxy. It is short because people and roles change there."""
MAX_AGENT_CHARS = 300


class SignInClient(Struct, frozen=True):
    """Browser and IP address of a sign-in."""

    user_agent: str
    address: str
    """IP address; only its network is stored."""


UNKNOWN_CLIENT = SignInClient("", "")
"""Unknown client, without a browser."""


class SessionView(Struct, frozen=True):
    """Session for display to its person."""

    id: str
    """Identifier within the person's sessions, which grants nothing."""
    is_current: bool
    user_agent: str
    network: str
    created_at: datetime
    last_seen_at: datetime


def begin(
    service: Service,
    session: Transaction,
    person: PersonRow,
    client: SignInClient,
    *,
    method: str,
    life: timedelta = SESSION_LIFE,
    old_token: str = "",
    proxied_email: str | None = None,
) -> Session:
    """Start a session for the person; only the return value contains its token. An existing session of the browser (``old_token``) ends.

    ``method`` is the method of sign-in in the audit log.
    """
    if old_token:
        session.sessions.end(session_hash(service, old_token))
    token = secrets.token_urlsafe(32)
    expires_at = datetime.fromtimestamp(session.moment, UTC) + life
    network = network_of(client.address) if client.address else None
    session.sessions.add(
        {
            "token_hash": session_hash(service, token),
            "person_id": person.id,
            "created_at": session.moment,
            "expires_at": int(expires_at.timestamp()),
            "last_seen_at": session.moment,
            "user_agent": client.user_agent[:MAX_AGENT_CHARS] or None,
            "network": network,
            "proxied_email": proxied_email,
        }
    )
    audit_log.write(session, person.account_id, person.id, AuditAction.SIGNED_IN, person.email, network=network, how=method)
    return Session(token, expires_at, caller_of(person, grants_of(session, person)))


def sign_in(service: Service, email: str, password: str, client: SignInClient, old_token: str = "") -> Session | None:
    """Sign in by password; None if the email address or the password is wrong, after the same time.

    An existing session of the browser (``old_token``) ends. Raises RateLimited after too many wrong passwords for the email address or
    from the network, or while too many are being checked, and NotFound if sign-in by password is turned off.
    """
    if not service.settings.sign_in_password:
        raise NotFound
    address = email.strip().lower() if email.isprintable() else ""
    # People may type a password as email address: only its digest is stored.
    target = sign(service.secret, "tries", address).hex()[:32]
    with service.store.write() as session:
        counted = counters(session, "sign-in", target, client.address)
        count_try(session, counted)
    with service.store.read() as session:
        found = session.people.by_email(address)
    known_hash = found.password_hash if found is not None and found.disabled_at is None else None
    if not service.passwords.is_right(known_hash, password) or known_hash is None:
        return None
    new_hash = service.passwords.hash(password) if service.passwords.is_outdated(known_hash) else known_hash
    with service.store.write() as session:
        person = session.people.by_email(address)
        if person is None or person.disabled_at is not None or person.password_hash != known_hash:
            return None  # removed or changed during the password check
        undo_counts(session, counted)
        remember(session, "sign-in", target, client.address)
        if new_hash != known_hash:
            session.people.change(person.id, password_hash=new_hash)
        return begin(service, session, person, client, method="password", old_token=old_token)


def sign_out(service: Service, token: str) -> None:
    """End the session of the token on the server."""
    with service.store.write() as session:
        session.sessions.end(session_hash(service, token))


def preview(service: Service, caller: Caller, token: str, project_id: int | None) -> None:
    """Let a person look at a project as its clients do, in this session until they end the preview (None). Raises NotFound."""
    if project_id is not None:
        require_access(caller, project_id, for_update=False)
    with service.store.write() as session:
        session.sessions.set_preview(session_hash(service, token), project_id)


def of_caller(service: Service, caller: Caller, token: str) -> tuple[SessionView, ...]:
    """Return the caller's sessions, last used first; ``token`` belongs to the current one."""
    require_person(caller)
    current = session_hash(service, token)
    with service.store.read() as session:
        rows = session.sessions.of_person(caller.user_id, session.moment)
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
    """End one of the caller's sessions. Raises NotFound."""
    require_person(caller)
    with service.store.write() as session:
        hashes = (row.token_hash for row in session.sessions.of_person(caller.user_id, session.moment))
        session.sessions.end(require_found(next((one for one in hashes if _id(service, one) == session_id), None)))


def end_all(service: Service, caller: Caller) -> None:
    """Sign the caller out everywhere, including the current browser."""
    require_person(caller)
    with service.store.write() as session:
        session.sessions.end_of(caller.user_id)


def _id(service: Service, token_hash: bytes) -> str:
    return sign(service.secret, "session-id", token_hash.hex()).hex()[:16]
