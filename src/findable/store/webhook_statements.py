"""SQL statements for webhooks of accounts."""

from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from findable.store import write_locks
from findable.store.outbox_rows import WebhookRow
from findable.store.schema.message_tables import webhook
from findable.store.statements import Statements, columns

_ROW = select(*columns(WebhookRow, webhook))
_OF_ACCOUNT = _ROW.where(webhook.c.account_id == bindparam("account")).order_by(webhook.c.id)


class Webhooks(Statements):
    """SQL statements for webhooks, in one transaction."""

    def add(self, values: dict[str, Any]) -> int:
        """Insert a webhook and return its id; the keys of ``values`` are column names."""
        write_locks.lock_account(self._connection, values["account_id"])
        return int(self._connection.execute(insert(webhook).returning(webhook.c.id), values).scalar_one())

    def of_account(self, account_id: int) -> list[WebhookRow]:
        """Return the webhooks of an account, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(WebhookRow, _OF_ACCOUNT, {"account": account_id})

    def by_id(self, webhook_id: int) -> WebhookRow | None:
        """Return a webhook of any account; None if there is none."""
        return self._first(WebhookRow, _ROW.where(webhook.c.id == webhook_id))

    def change(self, webhook_id: int, **values: Any) -> None:
        """Set columns of a webhook."""
        self._connection.execute(update(webhook).where(webhook.c.id == webhook_id).values(**values))

    def begin_failing(self, webhook_id: int, now: int) -> int:
        """Record a failed attempt; return the time of the first failure since the last success."""
        since = func.coalesce(webhook.c.failing_since, now)
        statement = update(webhook).where(webhook.c.id == webhook_id).values(failing_since=since).returning(webhook.c.failing_since)
        return int(self._connection.execute(statement).scalar_one_or_none() or now)

    def remove(self, webhook_id: int) -> None:
        """Delete a webhook with its deliveries."""
        self._connection.execute(delete(webhook).where(webhook.c.id == webhook_id))
