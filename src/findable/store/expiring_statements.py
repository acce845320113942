"""SQL statements for rows that expire: responses by Idempotency-Key, counters of wrong passwords, and all that lets people sign in."""

from sqlalchemy import bindparam, delete, select, update

from findable.store import write_locks
from findable.store.rows import IdempotencyRow
from findable.store.schema.account_tables import invitation, one_time_link, session
from findable.store.schema.job_tables import idempotency, rate_bucket
from findable.store.statements import Statements, columns

_OWN = (idempotency.c.owner == bindparam("of_owner"), idempotency.c.key == bindparam("of_key"))
_REPLY = select(*columns(IdempotencyRow, idempotency)).where(*_OWN)
_BUCKET = select(rate_bucket.c.count, rate_bucket.c.blocked_until).where(
    rate_bucket.c.name == bindparam("name"), rate_bucket.c.expires_at > bindparam("now")
)


class ExpiringRows(Statements):
    """SQL statements for expiring rows, in one transaction."""

    def reply(self, owner: str, key: str) -> IdempotencyRow | None:
        """Return the request with this Idempotency-Key; None if there is none."""
        write_locks.lock_name(self._connection, "reply", owner, key)
        return self._first(IdempotencyRow, _REPLY, {"of_owner": owner, "of_key": key})

    def reserve_key(self, owner: str, key: str, *, payload_hash: str, report_id: int, now: int, until: int) -> None:
        """Record that a request with the key has created a report and is in progress."""
        values = {"payload_hash": payload_hash, "report_id": report_id, "created_at": now, "held_until": until, "reply": None}
        self._upsert(idempotency, {"owner": owner, "key": key}, values)

    def transfer_key(self, owner: str, key: str, until: int) -> None:
        """Reserve a key, whose request ended without a response, for another request until that time; 0 releases the key."""
        self._connection.execute(update(idempotency).where(*_OWN).values(held_until=until), {"of_owner": owner, "of_key": key})

    def save_reply(self, owner: str, key: str, reply: bytes) -> None:
        """Store the response to a request, for later requests with the same key."""
        statement = update(idempotency).where(*_OWN).values(reply=bindparam("body"), held_until=0)
        self._connection.execute(statement, {"of_owner": owner, "of_key": key, "body": reply})

    def release_keys(self) -> None:
        """Release all reserved keys after a restart, because their requests were interrupted."""
        self._connection.execute(update(idempotency).where(idempotency.c.held_until > 0).values(held_until=0))

    def bucket(self, name: str, now: int) -> tuple[int, int]:
        """Return (count, blocked until) of a counter that has not expired; zeros if there is none."""
        write_locks.lock_name(self._connection, "bucket", name)
        row = self._connection.execute(_BUCKET, {"name": name, "now": now}).first()
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def set_bucket(self, name: str, count: int, blocked_until: int, expires_at: int) -> None:
        """Set a counter."""
        self._upsert(rate_bucket, {"name": name}, {"count": count, "blocked_until": blocked_until, "expires_at": expires_at})

    def clear_bucket(self, name: str) -> None:
        """Delete a counter."""
        self._connection.execute(delete(rate_bucket).where(rate_bucket.c.name == name))

    def delete_expired(self, now: int, *, replies_before: int) -> None:
        """Delete expired rows."""
        self._connection.execute(delete(idempotency).where(idempotency.c.created_at < replies_before))
        for table in (rate_bucket, session, invitation, one_time_link):
            self._connection.execute(delete(table).where(table.c.expires_at <= now))
