"""Read the audit log of an account for its owners, and delete old entries."""

from collections.abc import Iterator

import msgspec

from findable.service.accounts.permissions import require, require_role
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction, AuditQuery, AuditShape
from findable.service.values.caller import OWNER, READ, Caller
from findable.service.values.views import view_of
from findable.store.audit_log_statements import AuditRow

MAX_ENTRIES = 100_000
"""Maximum number of entries of an account; older ones are deleted."""
DELETED_ENTRIES = 500
EXPORT_STEP = 1000
_DAY_S = 86_400
_ALL = 2**53


def find(service: Service, caller: Caller, query: AuditQuery) -> tuple[AuditShape, ...]:
    """Return entries of the audit log, newest first, for owners of the account. Raises Forbidden for other people."""
    require(caller, READ)
    require_role(caller, OWNER)
    before = _ALL if query.before is None else query.before
    actions = (
        tuple(action.value for action in AuditAction if action.value.startswith(f"{query.subject_type}.")) if query.subject_type else ()
    )
    with service.store.read() as session:
        rows = session.audit.select(caller.account_id, actions=actions, actor=query.actor, before=before, limit=query.limit)
    return tuple(_entry(row) for row in rows)


def all_entries(service: Service, caller: Caller, query: AuditQuery) -> Iterator[AuditShape]:
    """Yield the matching entries of the audit log, newest first, up to about MAX_ENTRIES."""
    before = query.before
    for _ in range(MAX_ENTRIES // EXPORT_STEP + 1):
        found = find(service, caller, msgspec.structs.replace(query, before=before, limit=EXPORT_STEP))
        yield from found
        if len(found) < EXPORT_STEP:
            return
        before = found[-1].id


def delete_old(service: Service) -> bool:
    """Delete a few entries older than the setting `audit_days` or beyond MAX_ENTRIES of an account; return whether there may be more."""
    with service.store.write() as session:
        before = session.moment - service.settings.audit_days * _DAY_S
        counts = session.audit.delete_older_than(before, DELETED_ENTRIES), session.audit.delete_beyond(MAX_ENTRIES, DELETED_ENTRIES)
    return max(counts) == DELETED_ENTRIES


def _entry(row: AuditRow) -> AuditShape:
    details = msgspec.json.decode(row.details, type=dict[str, str])
    return view_of(AuditShape, row, actor=row.actor or None, key=row.key_prefix or None, details=details, network=row.network or None)
