"""Accounts, people, keys, links, sessions."""

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from findable.store.rows import AccountRow, KeyRow, PersonRow
from findable.store.schema import account, api_key, one_time_link, person, session

_ACCOUNT = select(*(account.c[name] for name in AccountRow._fields))
_ACCOUNT_BY_ID = _ACCOUNT.where(account.c.id == bindparam("id"))
_ACCOUNT_BY_EMAIL = _ACCOUNT.where(account.c.email == bindparam("email"))
_PERSON = select(*(person.c[name] for name in PersonRow._fields))
_PERSON_BY_EMAIL = _PERSON.where(person.c.email == bindparam("email"))
_KEY = select(*(api_key.c[name] for name in KeyRow._fields))
_KEY_BY_HASH = _KEY.join(person, person.c.id == api_key.c.person_id).where(
    api_key.c.token_hash == bindparam("hash"), person.c.disabled_at.is_(None)
)
_KEYS_OF = _KEY.where(api_key.c.account_id == bindparam("account")).order_by(api_key.c.id.desc())
_TOUCH_KEY = update(api_key).where(api_key.c.id == bindparam("key")).values(last_used_at=bindparam("now"))
_REVOKE = (
    update(api_key)
    .where(api_key.c.account_id == bindparam("account"), api_key.c.prefix == bindparam("of_prefix"))
    .values(revoked_at=func.coalesce(api_key.c.revoked_at, bindparam("now")))
    .returning(*(api_key.c[name] for name in KeyRow._fields))
)
_USE_LINK = (
    update(one_time_link)
    .where(
        one_time_link.c.token_hash == bindparam("hash"),
        one_time_link.c.used_at.is_(None),
        one_time_link.c.expires_at > bindparam("now"),
    )
    .values(used_at=bindparam("now"))
    .returning(one_time_link.c.person_id)
)
_SESSION = (
    _PERSON.add_columns(session.c.expires_at)
    .join(session, session.c.person_id == person.c.id)
    .where(session.c.token_hash == bindparam("hash"), session.c.expires_at > bindparam("now"), person.c.disabled_at.is_(None))
)


class Accounts:
    """The statements about accounts, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, email: str, name: str, now: int) -> int:
        """A new account with one person of the same address; its id."""
        row = {"email": email, "name": name, "created_at": now}
        account_id = int(self._connection.execute(insert(account).returning(account.c.id), row).scalar_one())
        self._connection.execute(insert(person), {"account_id": account_id, "email": email, "created_at": now})
        return account_id

    def by_id(self, account_id: int) -> AccountRow | None:
        """The account."""
        row = self._connection.execute(_ACCOUNT_BY_ID, {"id": account_id}).first()
        return AccountRow._make(row) if row else None

    def by_email(self, email: str) -> AccountRow | None:
        """The account of that address."""
        row = self._connection.execute(_ACCOUNT_BY_EMAIL, {"email": email}).first()
        return AccountRow._make(row) if row else None

    def person_by_email(self, email: str) -> PersonRow | None:
        """The person of that address."""
        row = self._connection.execute(_PERSON_BY_EMAIL, {"email": email}).first()
        return PersonRow._make(row) if row else None

    def disable_person(self, person_id: int, now: int) -> None:
        """Ends every key and session of the person at once."""
        self._connection.execute(update(person).where(person.c.id == person_id).values(disabled_at=now))

    def any(self) -> bool:
        """Whether there is an account."""
        return bool(self._connection.execute(select(exists(select(account.c.id)))).scalar_one())

    def add_key(self, row: dict[str, object]) -> KeyRow:
        """A new key; ``row`` names the columns."""
        made = self._connection.execute(insert(api_key).returning(*(api_key.c[name] for name in KeyRow._fields)), row).one()
        return KeyRow._make(made)

    def key_by_hash(self, token_hash: bytes) -> KeyRow | None:
        """The key, revoked and expired ones too; none of a person who is disabled."""
        row = self._connection.execute(_KEY_BY_HASH, {"hash": token_hash}).first()
        return KeyRow._make(row) if row else None

    def keys_of(self, account_id: int) -> list[KeyRow]:
        """All keys of the account, newest first."""
        return [KeyRow._make(row) for row in self._connection.execute(_KEYS_OF, {"account": account_id})]

    def touch_key(self, key_id: int, now: int) -> None:
        """The key was used."""
        self._connection.execute(_TOUCH_KEY, {"key": key_id, "now": now})

    def revoke_key(self, account_id: int, prefix: str, now: int) -> KeyRow | None:
        """Revokes it; None where the account has no such key."""
        row = self._connection.execute(_REVOKE, {"account": account_id, "of_prefix": prefix, "now": now}).first()
        return KeyRow._make(row) if row else None

    def add_link(self, token_hash: bytes, person_id: int, now: int, expires_at: int) -> None:
        """A one-time link."""
        row = {"token_hash": token_hash, "person_id": person_id, "created_at": now, "expires_at": expires_at}
        self._connection.execute(insert(one_time_link), row)

    def use_link(self, token_hash: bytes, now: int) -> int | None:
        """Uses a link up; the person's id, None where it is unknown, used or expired."""
        return self._connection.execute(_USE_LINK, {"hash": token_hash, "now": now}).scalar_one_or_none()

    def add_session(self, token_hash: bytes, person_id: int, now: int, expires_at: int) -> None:
        """A person signs in."""
        row = {"token_hash": token_hash, "person_id": person_id, "created_at": now, "expires_at": expires_at}
        self._connection.execute(insert(session), row)

    def session(self, token_hash: bytes, now: int) -> PersonRow | None:
        """The person of a session that lasts."""
        row = self._connection.execute(_SESSION, {"hash": token_hash, "now": now}).first()
        return PersonRow._make(row[:-1]) if row else None

    def person(self, person_id: int) -> PersonRow | None:
        """The person."""
        row = self._connection.execute(_PERSON.where(person.c.id == person_id)).first()
        return PersonRow._make(row) if row else None

    def end_session(self, token_hash: bytes) -> None:
        """The person signs out."""
        self._connection.execute(delete(session).where(session.c.token_hash == token_hash))

    def end_all_sessions(self) -> None:
        """Everybody signs out."""
        self._connection.execute(delete(session))

    def forget_expired(self, now: int) -> None:
        """Sessions and links whose time is over."""
        self._connection.execute(delete(session).where(session.c.expires_at <= now))
        self._connection.execute(delete(one_time_link).where(one_time_link.c.expires_at <= now))
