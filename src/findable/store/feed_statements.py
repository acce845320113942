"""SQL statements for feeds: secret URLs from which feed readers load recent entries."""

from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from findable.store import write_locks
from findable.store.schema.message_tables import feed
from findable.store.statements import Statements, columns


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
_OF_ACCOUNT = _ROW.where(feed.c.account_id == bindparam("account")).order_by(feed.c.id)
_BY_HASH = _ROW.where(feed.c.token_hash == bindparam("hash"))


class Feeds(Statements):
    """SQL statements for feeds, in one transaction."""

    def add(self, values: dict[str, Any]) -> int:
        """Insert a feed; the keys of ``values`` are column names."""
        return int(self._connection.execute(insert(feed).returning(feed.c.id), values).scalar_one())

    def of_account(self, account_id: int) -> list[FeedRow]:
        """Return the feeds of an account, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(FeedRow, _OF_ACCOUNT, {"account": account_id})

    def by_hash(self, token_hash: bytes) -> FeedRow | None:
        """Return the feed whose token has this hash; None if there is none."""
        return self._first(FeedRow, _BY_HASH, {"hash": token_hash})

    def touch(self, feed_id: int, now: int) -> None:
        """Record that the feed was read."""
        self._connection.execute(update(feed).where(feed.c.id == feed_id).values(last_used_at=now))

    def remove(self, feed_id: int) -> None:
        """Delete a feed; its URL stops working immediately."""
        self._connection.execute(delete(feed).where(feed.c.id == feed_id))
