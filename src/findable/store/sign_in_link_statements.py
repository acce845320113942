"""SQL statements for one-time links with which people sign in."""

from sqlalchemy import delete, insert, select, update

from findable.store.schema.account_tables import one_time_link, session
from findable.store.statements import Statements


class SignInLinks(Statements):
    """SQL statements for one-time links with which people sign in, in one transaction."""

    def add(self, token_hash: bytes, person_id: int, now: int, expires_at: int) -> None:
        """Insert a one-time sign-in link."""
        row = {"token_hash": token_hash, "person_id": person_id, "created_at": now, "expires_at": expires_at}
        self._connection.execute(insert(one_time_link), row)

    def use(self, token_hash: bytes, now: int, until: int) -> int | None:
        """Mark a one-time link as used and store it until ``until``. Return the person's id; None if it is unknown, used or expired."""
        usable = one_time_link.c.token_hash == token_hash, one_time_link.c.used_at.is_(None), one_time_link.c.expires_at > now
        used = update(one_time_link).where(*usable).values(used_at=now, expires_at=until)
        return self._connection.execute(used.returning(one_time_link.c.person_id)).scalar_one_or_none()

    def has_started(self, token_hash: bytes, now: int) -> bool:
        """Return whether a one-time link that is still stored started the session."""
        own = (session.c.person_id == one_time_link.c.person_id) & (session.c.created_at == one_time_link.c.used_at)
        stored = select(one_time_link.c.person_id).join(session, own)
        return self._has(stored.where(session.c.token_hash == token_hash, one_time_link.c.expires_at > now))

    def delete_of(self, person_id: int) -> None:
        """Delete the one-time links of the person, including used links."""
        self._connection.execute(delete(one_time_link).where(one_time_link.c.person_id == person_id))
