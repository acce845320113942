"""SQL statements for the sessions of people who are signed in."""

from typing import Any

from sqlalchemy import bindparam, case, delete, func, insert, select, update

from findable.store.person_statements import PERSON
from findable.store.rows import PersonRow, SessionRow
from findable.store.schema.account_tables import person, session
from findable.store.statements import Statements, columns

VISIT_GAP_S = 1800
"""Time without a request after which the next request begins another visit."""
_SESSION = (
    PERSON.add_columns(*columns(SessionRow, session))
    .join(session, session.c.person_id == person.c.id)
    .where(session.c.token_hash == bindparam("hash"), session.c.expires_at > bindparam("now"), person.c.disabled_at.is_(None))
)
_TOUCH_SESSION = update(session).where(session.c.token_hash == bindparam("hash")).values(last_seen_at=bindparam("now"))
_TOUCH_PERSON = (
    update(person)
    .where(person.c.id == bindparam("person"))
    .values(
        seen_at=bindparam("now"),
        visited_at=case((bindparam("now") - person.c.seen_at >= VISIT_GAP_S, person.c.seen_at), else_=person.c.visited_at),
    )
)


class SignedInSessions(Statements):
    """SQL statements for the sessions of people who are signed in, in one transaction."""

    def add(self, row: dict[str, Any]) -> None:
        """Insert a session of a person who signed in; the keys of ``row`` are column names."""
        self._connection.execute(insert(session), row)
        self._connection.execute(_TOUCH_PERSON, {"person": row["person_id"], "now": row["created_at"]})

    def by_hash(self, token_hash: bytes, now: int) -> tuple[PersonRow, SessionRow] | None:
        """Return a session that has not expired, and its person; None if there is no such session."""
        row = self._connection.execute(_SESSION, {"hash": token_hash, "now": now}).first()
        return (PersonRow._make(row[: len(PersonRow._fields)]), SessionRow._make(row[len(PersonRow._fields) :])) if row else None

    def of_person(self, person_id: int, now: int) -> list[SessionRow]:
        """Return the current sessions of a person, last used first."""
        current = select(*columns(SessionRow, session)).where(session.c.person_id == person_id, session.c.expires_at > now)
        last_used = func.coalesce(session.c.last_seen_at, session.c.created_at)
        return self._all(SessionRow, current.order_by(last_used.desc(), session.c.token_hash))

    def set_preview(self, token_hash: bytes, project_id: int | None) -> None:
        """Begin or end the preview of a project in a session."""
        self._connection.execute(update(session).where(session.c.token_hash == token_hash).values(preview_of=project_id))

    def touch(self, token_hash: bytes, person_id: int, now: int) -> None:
        """Record that the person used the session."""
        self._connection.execute(_TOUCH_SESSION, {"hash": token_hash, "now": now})
        self._connection.execute(_TOUCH_PERSON, {"person": person_id, "now": now})

    def end(self, token_hash: bytes) -> None:
        """End the session (sign out)."""
        self._connection.execute(delete(session).where(session.c.token_hash == token_hash))

    def end_of(self, person_id: int) -> None:
        """End all sessions of the person."""
        self._connection.execute(delete(session).where(session.c.person_id == person_id))
