"""SQL statements for API keys."""

from sqlalchemy import bindparam, func, insert, select, update

from findable.store.dialect import read_rows
from findable.store.rows import KeyRow, PersonRow
from findable.store.schema.account_tables import api_key, person
from findable.store.statements import Statements, columns

_KEY = select(*columns(KeyRow, api_key))
_KEY_BY_HASH = (
    _KEY.add_columns(*columns(PersonRow, person))
    .join(person, person.c.id == api_key.c.person_id)
    .where(api_key.c.token_hash == bindparam("hash"), person.c.disabled_at.is_(None))
)
_TOUCH_KEY = update(api_key).where(api_key.c.id == bindparam("key")).values(last_used_at=bindparam("now"))


class Keys(Statements):
    """SQL statements for API keys, in one transaction."""

    def add(self, row: dict[str, object]) -> KeyRow:
        """Insert an API key and return it; the keys of ``row`` are column names."""
        made = self._connection.execute(insert(api_key).returning(*columns(KeyRow, api_key)), row).one()
        return KeyRow._make(made)

    def by_hash(self, token_hash: bytes) -> tuple[KeyRow, PersonRow] | None:
        """Return an API key, which may be revoked or expired, and its person; None if there is no such key or the person is disabled."""
        rows = read_rows(self._connection, _KEY_BY_HASH, {"hash": token_hash})
        return next(((KeyRow._make(row[: len(KeyRow._fields)]), PersonRow._make(row[len(KeyRow._fields) :])) for row in rows), None)

    def of_account(self, account_id: int) -> list[KeyRow]:
        """Return the API keys of the account, newest first."""
        return self._all(KeyRow, _KEY.where(api_key.c.account_id == account_id).order_by(api_key.c.id.desc()))

    def touch(self, key_id: int, now: int) -> None:
        """Record that the API key was used."""
        self._connection.execute(_TOUCH_KEY, {"key": key_id, "now": now})

    def revoke(self, account_id: int, prefix: str, now: int) -> KeyRow | None:
        """Revoke and return an API key; None if the account has no such key."""
        revoked = update(api_key).where(api_key.c.account_id == account_id, api_key.c.prefix == prefix)
        revoked = revoked.values(revoked_at=func.coalesce(api_key.c.revoked_at, now))
        return self._first(KeyRow, revoked.returning(*columns(KeyRow, api_key)))

    def revoke_of(self, person_id: int, now: int) -> None:
        """Revoke all keys of the person."""
        revoked = func.coalesce(api_key.c.revoked_at, now)
        self._connection.execute(update(api_key).where(api_key.c.person_id == person_id).values(revoked_at=revoked))
