"""SQL statements for webhooks of accounts."""

from sqlalchemy import func, select, update

from findable.store import write_locks
from findable.store.outbox_rows import WebhookRow
from findable.store.schema.message_tables import webhook
from findable.store.statements import TableRows, columns

_ROW = select(*columns(WebhookRow, webhook))


class Webhooks(TableRows):
    """SQL statements for webhooks, in one transaction; the deliveries of a removed webhook are deleted too."""

    table = webhook

    def of_account(self, account_id: int) -> list[WebhookRow]:
        """Return the webhooks of an account, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(WebhookRow, _ROW.where(webhook.c.account_id == account_id).order_by(webhook.c.id))

    def by_id(self, webhook_id: int) -> WebhookRow | None:
        """Return a webhook of any account; None if there is none."""
        return self._first(WebhookRow, _ROW.where(webhook.c.id == webhook_id))

    def begin_failing(self, webhook_id: int, now: int) -> int:
        """Record a failed attempt; return the time of the first failure since the last success."""
        since = func.coalesce(webhook.c.failing_since, now)
        statement = update(webhook).where(webhook.c.id == webhook_id).values(failing_since=since).returning(webhook.c.failing_since)
        return int(self._connection.execute(statement).scalar_one_or_none() or now)
