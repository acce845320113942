"""Write the audit log: sign-ins, runs, shares, changes, deletions and grants, with the person.

An entry is written in the same transaction as the action. It contains names and codes, but nothing that grants access: no password, link,
token or secret.
"""

from typing import Any

import msgspec
from msgspec import UNSET

from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import Caller
from findable.store.store_protocol import Session

SUBJECT_CHARS = 300


def record(session: Session, caller: Caller, action: AuditAction, subject: str, **details: Any) -> None:
    """Add an entry of a caller. Details without a value are omitted."""
    write(session, caller.account_id, caller.user_id, action, subject, key_prefix=caller.key_prefix, **details)


def write(
    session: Session,
    account_id: int,
    person_id: int | None,
    action: AuditAction,
    subject: str,
    *,
    key_prefix: str = "",
    network: str | None = None,
    **details: object,
) -> None:
    """Add an entry of a person without a caller, or of the operator (None)."""
    values = {name: str(value)[:SUBJECT_CHARS] for name, value in details.items() if value not in (None, "", UNSET)}
    row: dict[str, object] = {
        "account_id": account_id,
        "at": session.moment,
        "key_prefix": key_prefix or None,
        "action": action.value,
        "subject": subject[:SUBJECT_CHARS],
        "details": msgspec.json.encode(values).decode(),
        "network": network,
    }
    session.audit.add(row, person_id)
