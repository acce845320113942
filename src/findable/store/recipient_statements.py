"""SQL statements for recipients of the monthly report of a project, who may have no account."""

from typing import NamedTuple

from sqlalchemy import and_, delete, func, select, update

from findable.store.schema.message_tables import recipient
from findable.store.schema.project_tables import project
from findable.store.statements import Statements, columns


class RecipientRow(NamedTuple):
    """Recipient with the account that owns the project."""

    id: int
    project_id: int
    email: str
    language: str
    stopped_at: int | None
    account_id: int


_ROW = select(*columns(RecipientRow, recipient, account_id=project.c.account_id)).join(
    project, and_(project.c.id == recipient.c.project_id, project.c.deleted_at.is_(None))
)


class Recipients(Statements):
    """SQL statements for recipients, in one transaction."""

    def add(self, project_id: int, email: str, language: str, now: int) -> None:
        """Insert a recipient, or change the language of an existing one."""
        key, values = {"project_id": project_id, "email": email}, {"language": language, "created_at": now}
        self._upsert(recipient, key, values, {"language": language})

    def of_project(self, project_id: int) -> list[RecipientRow]:
        """Return the recipients of a project, oldest first."""
        statement = _ROW.where(recipient.c.project_id == project_id).order_by(recipient.c.id)
        return self._all(RecipientRow, statement)

    def by_id(self, recipient_id: int) -> RecipientRow | None:
        """Return a recipient of any project; None if there is none."""
        return self._first(RecipientRow, _ROW.where(recipient.c.id == recipient_id))

    def due(self, month: str, until: int, after: int, limit: int) -> list[RecipientRow]:
        """Return recipients with larger ids than ``after``, added before ``until``, who have not received the report of the month."""
        is_due = recipient.c.created_at < until, func.coalesce(recipient.c.sent_month, "") < month
        found = _ROW.where(recipient.c.stopped_at.is_(None), *is_due, recipient.c.id > after)
        return self._all(RecipientRow, found.order_by(recipient.c.id).limit(limit))

    def claim_month(self, recipient_id: int, month: str) -> bool:
        """Record that the report of the month is sent. Returns False if it was already sent."""
        mine = and_(recipient.c.id == recipient_id, func.coalesce(recipient.c.sent_month, "") < month)
        return self._connection.execute(update(recipient).where(mine).values(sent_month=month)).rowcount == 1

    def stop(self, recipient_id: int, now: int) -> None:
        """Record that a recipient has unsubscribed."""
        stopped = func.coalesce(recipient.c.stopped_at, now)
        self._connection.execute(update(recipient).where(recipient.c.id == recipient_id).values(stopped_at=stopped))

    def remove(self, project_id: int, recipient_id: int) -> bool:
        """Delete a recipient of a project; an unsubscribed recipient remains stored, so that they cannot be added again.

        Returns False if there is no such recipient.
        """
        mine = and_(recipient.c.project_id == project_id, recipient.c.id == recipient_id)
        if self._connection.execute(delete(recipient).where(mine, recipient.c.stopped_at.is_(None))).rowcount == 1:
            return True
        return self._has(select(recipient.c.id).where(mine))
