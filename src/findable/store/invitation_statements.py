"""SQL statements for invitations to an account."""

from typing import Any

from sqlalchemy import Select, delete, insert, select

from findable.store import write_locks
from findable.store.rows import InvitationRow
from findable.store.schema.account_tables import invitation
from findable.store.statements import Statements, columns


class Invitations(Statements):
    """SQL statements for invitations to an account, in one transaction."""

    def add(self, row: dict[str, object]) -> None:
        """Insert an invitation; the keys of ``row`` are column names."""
        self._connection.execute(insert(invitation), row)

    def open(self, token_hash: bytes, now: int) -> InvitationRow | None:
        """Return an open invitation. Until a writing transaction ends, no other transaction can accept it."""
        write_locks.lock_name(self._connection, "invitation", token_hash.hex())
        return self._first(InvitationRow, _open_invitations(now).where(invitation.c.token_hash == token_hash))

    def of_account(self, account_id: int, now: int) -> list[InvitationRow]:
        """Return the open invitations of the account, newest first."""
        found = _open_invitations(now).where(invitation.c.account_id == account_id)
        return self._all(InvitationRow, found.order_by(invitation.c.created_at.desc(), invitation.c.token_hash))

    def remove(self, token_hash: bytes) -> None:
        """Delete an invitation that was accepted or withdrawn."""
        self._connection.execute(delete(invitation).where(invitation.c.token_hash == token_hash))

    def withdraw_by(self, person_id: int) -> None:
        """Delete the open invitations that the person sent."""
        self._connection.execute(delete(invitation).where(invitation.c.invited_by == person_id))


def _open_invitations(now: int) -> Select[Any]:
    return select(*columns(InvitationRow, invitation)).where(invitation.c.used_at.is_(None), invitation.c.expires_at > now)
