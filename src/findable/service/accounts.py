"""Accounts, their keys, one-time links and sessions."""

import re
import secrets
from datetime import UTC, datetime, timedelta

from findable.clock import now
from findable.errors import NotFound, ValidationFailed
from findable.service.app import Service
from findable.service.secret import sign, token_hash
from findable.service.values import SCOPES, AccountView, Caller, KeyInfo, NewKey, Session, SignInLink
from findable.store.protocol import Session as Transaction
from findable.store.rows import AccountRow, KeyRow

LINK_LIFE = timedelta(minutes=15)
SESSION_LIFE = timedelta(days=30)
KEY_MARK = "fnd"
_MAX_EMAIL_CHARS = 254
_MAX_NAME_CHARS = 200


def create_account(service: Service, email: str, name: str = "") -> AccountView:
    """Makes an account and its user. Raises ValidationFailed on ``email`` (not an address, or taken)."""
    address = _address(email)
    if not re.fullmatch(r"[^\s@<>,;]+@[^\s@<>,;]+", address) or len(address) > _MAX_EMAIL_CHARS:
        raise ValidationFailed({"email": ["The email must be an email address."]})
    with service.store.write() as session:
        if session.accounts.by_email(address):
            raise ValidationFailed({"email": ["There is an account of that email already."]})
        session.accounts.add(address, name.strip()[:_MAX_NAME_CHARS] or address.partition("@")[0], int(now().timestamp()))
        return _view(service, _account(session, address))


def find_account(service: Service, email: str) -> AccountView | None:
    """The account of that address, None where there is none."""
    with service.store.read() as session:
        row = session.accounts.by_email(_address(email))
    return _view(service, row) if row else None


def has_accounts(service: Service) -> bool:
    """Whether this is not the first start."""
    with service.store.read() as session:
        return session.accounts.any()


def info(service: Service, caller: Caller) -> AccountView:
    """The caller's account with limits and usage."""
    with service.store.read() as session:
        row = session.accounts.by_id(caller.account_id)
    if row is None:
        raise NotFound
    return _view(service, row)


def create_key(
    service: Service, email: str, *, name: str = "", scopes: frozenset[str] = SCOPES, expires_at: datetime | None = None
) -> NewKey:
    """Makes a key. Raises NotFound for an unknown account, ValidationFailed for unknown scopes or an expiry in the past."""
    wrong: dict[str, list[str]] = {}
    if not scopes or not scopes <= SCOPES:
        wrong["scopes"] = [f"The scopes must be among: {', '.join(sorted(SCOPES))}."]
    if expires_at is not None and expires_at <= now():
        wrong["expires"] = ["The expiry must be in the future."]
    if wrong:
        raise ValidationFailed(wrong)
    prefix = f"{KEY_MARK}_{secrets.token_hex(4)}"
    token = f"{prefix}_{secrets.token_urlsafe(32)}"
    with service.store.write() as session:
        account = _account(session, email)
        person = session.accounts.person_by_email(account.email)
        if person is None:
            raise NotFound(f"There is no account of {email}.")
        row = session.accounts.add_key(
            {
                "account_id": account.id,
                "person_id": person.id,
                "prefix": prefix,
                "token_hash": token_hash(token),
                "name": name.strip()[:_MAX_NAME_CHARS],
                "scopes": " ".join(sorted(scopes)),
                "created_at": int(now().timestamp()),
                "expires_at": int(expires_at.timestamp()) if expires_at else None,
            }
        )
    return NewKey(token, _key(row))


def keys(service: Service, email: str) -> tuple[KeyInfo, ...]:
    """The keys of an account, newest first, revoked ones included. Raises NotFound."""
    with service.store.read() as session:
        return tuple(_key(row) for row in session.accounts.keys_of(_account(session, email).id))


def revoke_key(service: Service, email: str, prefix: str) -> KeyInfo:
    """Revokes the key at once. Raises NotFound."""
    with service.store.write() as session:
        row = session.accounts.revoke_key(_account(session, email).id, prefix.strip(), int(now().timestamp()))
    if row is None:
        raise NotFound(f"{email} has no key {prefix}.")
    return _key(row)


def create_link(service: Service, email: str) -> SignInLink:
    """A one-time sign-in link of 15 minutes: ``BASE_URL/sign-in/TOKEN``. Raises NotFound."""
    token = secrets.token_urlsafe(32)
    made_at = now()
    expires_at = made_at + LINK_LIFE
    with service.store.write() as session:
        person = session.accounts.person_by_email(_account(session, email).email)
        if person is None or person.disabled_at is not None:
            raise NotFound(f"There is no account of {email}.")
        hashed = sign(service.secret, "link", token)
        session.accounts.add_link(hashed, person.id, int(made_at.timestamp()), int(expires_at.timestamp()))
    return SignInLink(f"{service.settings.base_url}/sign-in/{token}", expires_at)


def redeem_link(service: Service, token: str) -> Session | None:
    """Signs in with a link once; None where it is unknown, used or expired."""
    moment = now()
    seconds = int(moment.timestamp())
    made = secrets.token_urlsafe(32)
    expires_at = moment + SESSION_LIFE
    with service.store.write() as session:
        person_id = session.accounts.use_link(sign(service.secret, "link", token), seconds)
        person = session.accounts.person(person_id) if person_id is not None else None
        if person is None or person.disabled_at is not None:
            return None
        session.accounts.add_session(sign(service.secret, "session", made), person.id, seconds, int(expires_at.timestamp()))
    return Session(made, expires_at, Caller(person.account_id, person.id, None, SCOPES))


def end_session(service: Service, token: str) -> None:
    """Signs out, on the server's side."""
    with service.store.write() as session:
        session.accounts.end_session(sign(service.secret, "session", token))


def _address(email: str) -> str:
    return email.strip().lower()


def _account(session: Transaction, email: str) -> AccountRow:
    row = session.accounts.by_email(_address(email))
    if row is None:
        raise NotFound(f"There is no account of {email}.")
    return row


def _view(service: Service, row: AccountRow) -> AccountView:
    limit = service.settings.rate_limit
    return AccountView(
        id=row.id,
        name=row.name,
        email=row.email,
        created_at=datetime.fromtimestamp(row.created_at, UTC),
        reports_count=row.reports,
        projects_count=row.projects,
        limits={"requests_per_minute": limit, "reports_in_queue": service.settings.queue_limit if limit else 0},
    )


def _key(row: KeyRow) -> KeyInfo:
    def moment(seconds: int | None) -> datetime | None:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

    return KeyInfo(
        id=row.id,
        prefix=row.prefix,
        name=row.name,
        scopes=frozenset(row.scopes.split()),
        created_at=datetime.fromtimestamp(row.created_at, UTC),
        expires_at=moment(row.expires_at),
        revoked_at=moment(row.revoked_at),
        last_used_at=moment(row.last_used_at),
    )
