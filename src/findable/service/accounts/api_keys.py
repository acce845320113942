"""API keys of the people who use them: members can list and revoke their own keys, owners all keys of the account."""

from datetime import datetime

from msgspec import Struct

from findable.errors import ValidationFailed, require_found
from findable.service.accounts.account_admin import key_info, make_key, require_valid_key
from findable.service.accounts.permissions import may_make, require_person
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.account_values import KeyInfo, NewKey
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, READ, Caller
from findable.store.store_protocol import Session
from findable.wording import later


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
        person = require_found(session.people.by_id(caller.user_id))
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
