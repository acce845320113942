"""API keys: members can list and revoke their own, owners all of the account, the operator all."""

import secrets
from datetime import datetime

from msgspec import Struct

from findable.clock import now
from findable.errors import ValidationFailed, require_found, require_valid
from findable.service.accounts.account_admin import active_person, name_of
from findable.service.accounts.people import current_person
from findable.service.accounts.permissions import may_make, require_person
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import token_hash
from findable.service.values.account_values import KeyInfo, NewKey
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import KEY_SCOPES, OWNER, READ, SCOPES, Caller
from findable.service.values.views import view_of
from findable.store.rows import KeyRow, PersonRow
from findable.store.store_protocol import Session
from findable.wording import Message, later

KEY_MARK = "fnd"


class OwnedKey(Struct, frozen=True):
    """API key with the person who created it."""

    info: KeyInfo
    holder: str
    """Name of the person, or the email address if there is no name."""
    is_own: bool


def make(service: Service, caller: Caller, name: str, scopes: frozenset[str], expires_at: datetime | None) -> NewKey:
    """Create a key for the caller; its secret is not stored.

    Raises ValidationFailed for unknown scopes, for writing if the caller may only read, and for an expiry in the past.
    """
    require_person(caller)
    require_valid_key(scopes, expires_at)
    if scopes - {READ} and not may_make(caller):
        raise ValidationFailed({"scope": [later("You may only read, so the key may only read as well.")]})
    with service.store.write() as session:
        person = current_person(session, caller)
        made = make_key(session, person, name, scopes, expires_at)
        audit_log.record(session, caller, AuditAction.KEY_MADE, made.info.prefix, name=made.info.name, scopes=" ".join(sorted(scopes)))
        return made


def visible_keys(service: Service, caller: Caller) -> tuple[OwnedKey, ...]:
    """Return the keys that the caller may see, newest first, including revoked keys."""
    require_person(caller)
    with service.store.read() as session:
        return _visible_to(session, caller)


def revoke(service: Service, caller: Caller, prefix: str) -> None:
    """Revoke a key that the caller may see. It stops working immediately. Raises NotFound."""
    require_person(caller)
    with service.store.write() as session:
        held = require_found(next((key for key in _visible_to(session, caller) if key.info.prefix == prefix), None))
        session.keys.revoke(caller.account_id, held.info.prefix, session.moment)
        audit_log.record(session, caller, AuditAction.KEY_REVOKED, held.info.prefix, person=held.holder)


def _visible_to(session: Session, caller: Caller) -> tuple[OwnedKey, ...]:
    names = {person.id: person.name or person.email for person in session.people.of_account(caller.account_id)}
    return tuple(
        OwnedKey(key_info(row), names[row.person_id], row.person_id == caller.user_id)
        for row in session.keys.of_account(caller.account_id)
        if row.person_id == caller.user_id or caller.role == OWNER
    )


def create_key(
    service: Service, email: str, *, name: str = "", scopes: frozenset[str] = SCOPES, expires_at: datetime | None = None
) -> NewKey:
    """Create an API key for the person with that email address.

    Raises NotFound for an unknown address, ValidationFailed for unknown scopes or an expiry in the past.
    """
    require_valid_key(scopes, expires_at)
    with service.store.write() as session:
        person = active_person(session, email)
        made = make_key(session, person, name, scopes, expires_at)
        audit_log.write(session, person.account_id, None, AuditAction.KEY_MADE, made.info.prefix, person=person.email, name=made.info.name)
        return made


def require_valid_key(scopes: frozenset[str], expires_at: datetime | None) -> None:
    """Raise ValidationFailed for unknown scopes or an expiry in the past."""
    wrong: dict[str, list[str]] = {}
    if not scopes or not scopes <= KEY_SCOPES:
        wrong["scopes"] = [Message(later("The scopes must be among: %(names)s."), names=", ".join(sorted(KEY_SCOPES)))]
    if expires_at is not None and expires_at <= now():
        wrong["expires"] = [later("The expiry must be in the future.")]
    require_valid(wrong)


def make_key(session: Session, person: PersonRow, name: str, scopes: frozenset[str], expires_at: datetime | None) -> NewKey:
    """Store a new API key of the person, and return it with its secret."""
    prefix = f"{KEY_MARK}_{secrets.token_hex(4)}"
    token = f"{prefix}_{secrets.token_urlsafe(32)}"
    row = session.keys.add(
        {
            "account_id": person.account_id,
            "person_id": person.id,
            "prefix": prefix,
            "token_hash": token_hash(token),
            "name": name_of(name),
            "scopes": " ".join(sorted(scopes)),
            "created_at": session.moment,
            "expires_at": int(expires_at.timestamp()) if expires_at else None,
        }
    )
    return NewKey(token, key_info(row))


def keys(service: Service, email: str) -> tuple[KeyInfo, ...]:
    """Return all keys in the account of the person, newest first, including revoked keys. Raises NotFound."""
    with service.store.read() as session:
        return tuple(key_info(row) for row in session.keys.of_account(active_person(session, email).account_id))


def revoke_key(service: Service, email: str, prefix: str) -> KeyInfo:
    """Revoke an API key in the account of the person immediately. Raises NotFound."""
    with service.store.write() as session:
        account_id = active_person(session, email).account_id
        row = session.keys.revoke(account_id, prefix.strip(), session.moment)
        row = require_found(row, f"{email} has no key {prefix}.")
        audit_log.write(session, account_id, None, AuditAction.KEY_REVOKED, row.prefix)
    return key_info(row)


def key_info(row: KeyRow) -> KeyInfo:
    """Return a key without its secret."""
    return view_of(KeyInfo, row, scopes=frozenset(row.scopes.split()))
