"""SQL statements for feeds: secret URLs from which feed readers load recent entries."""

from typing import NamedTuple

from sqlalchemy import select

from findable.store import write_locks
from findable.store.schema.message_tables import feed
from findable.store.statements import TableRows, columns


class FeedRow(NamedTuple):
    """Feed of an account."""

    id: int
    account_id: int
    person_id: int
    project_id: int | None
    saved_view_id: int | None
    name: str
    created_at: int
    last_used_at: int | None


_ROW = select(*columns(FeedRow, feed))


class Feeds(TableRows):
    """SQL statements for feeds, in one transaction; the URL of a removed feed stops working immediately."""

    table = feed

    def of_account(self, account_id: int) -> list[FeedRow]:
        """Return the feeds of an account, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(FeedRow, _ROW.where(feed.c.account_id == account_id).order_by(feed.c.id))

    def by_hash(self, token_hash: bytes) -> FeedRow | None:
        """Return the feed whose token has this hash; None if there is none."""
        return self._first(FeedRow, _ROW.where(feed.c.token_hash == token_hash))
