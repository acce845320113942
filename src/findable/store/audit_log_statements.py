"""SQL statements for the audit log. Entries are added and later deleted, but never changed."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select

from findable.store.schema.account_tables import audit_entry, person
from findable.store.statements import Statements, columns


class AuditRow(NamedTuple):
    """Entry of the audit log."""

    id: int
    at: int
    actor: str
    person_id: int | None
    key_prefix: str | None
    action: str
    subject: str
    details: str
    network: str | None


_ENTRY = select(*columns(AuditRow, audit_entry))
_EMAIL = func.coalesce(select(person.c.email).where(person.c.id == bindparam("of_person")).scalar_subquery(), "")
_ADD = insert(audit_entry).values(actor=_EMAIL)


class AuditLog(Statements):
    """SQL statements for the audit log, in one transaction."""

    def add(self, row: dict[str, object], person_id: int | None) -> None:
        """Insert an entry. ``row`` contains the other columns; the person is None for the operator."""
        self._connection.execute(_ADD, {**row, "person_id": person_id, "of_person": person_id})

    def select(self, account_id: int, *, actions: tuple[str, ...], actor: str, before: int, limit: int) -> list[AuditRow]:
        """Return entries with smaller ids than ``before``, newest first; empty ``actions`` and ``actor`` select all entries."""
        statement = _ENTRY.where(audit_entry.c.account_id == account_id, audit_entry.c.id < before)
        if actions:
            statement = statement.where(audit_entry.c.action.in_(actions))
        if actor:
            statement = statement.where(audit_entry.c.actor == actor)
        return self._all(AuditRow, statement.order_by(audit_entry.c.id.desc()).limit(limit))

    def delete_older_than(self, before: int, limit: int) -> int:
        """Delete up to ``limit`` entries from before a time; return their number."""
        old = select(audit_entry.c.id).where(audit_entry.c.at < before).limit(limit)
        return self._delete(list(self._connection.execute(old).scalars()))

    def delete_beyond(self, most: int, limit: int) -> int:
        """Delete up to ``limit`` entries that are not among the newest ``most`` of their account; return their number."""
        found: list[int] = []
        for account_id in self._connection.execute(select(audit_entry.c.account_id).distinct()).scalars().all():
            of_account = select(audit_entry.c.id).where(audit_entry.c.account_id == account_id).order_by(audit_entry.c.id.desc())
            found += self._connection.execute(of_account.offset(most).limit(limit)).scalars()
        return self._delete(found[:limit])

    def _delete(self, entry_ids: list[int]) -> int:
        if entry_ids:
            self._connection.execute(delete(audit_entry).where(audit_entry.c.id.in_(entry_ids)))
        return len(entry_ids)
