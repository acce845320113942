"""SQL statements for accounts, people, API keys, one-time links, sessions and invitations."""

from typing import Any

from sqlalchemy import Select, bindparam, case, delete, exists, func, insert, select, update

from findable.store import write_locks
from findable.store.dialect import read_rows
from findable.store.rows import AccountRow, InvitationRow, KeyRow, PersonRow, SessionRow
from findable.store.schema.account_tables import account, api_key, identity, invitation, one_time_link, person, session
from findable.store.schema.project_tables import project
from findable.store.statements import Statements, columns

VISIT_GAP_S = 1800
"""Time without a request after which the next request begins another visit."""
_ACCOUNT = select(*columns(AccountRow, account))
_ACCOUNT_BY_ID = _ACCOUNT.where(account.c.id == bindparam("id"))
_PERSON = select(*columns(PersonRow, person))
_KEY = select(*columns(KeyRow, api_key))
_KEY_BY_HASH = (
    _KEY.add_columns(*columns(PersonRow, person))
    .join(person, person.c.id == api_key.c.person_id)
    .where(api_key.c.token_hash == bindparam("hash"), person.c.disabled_at.is_(None))
)
_TOUCH_KEY = update(api_key).where(api_key.c.id == bindparam("key")).values(last_used_at=bindparam("now"))
_SESSION = (
    _PERSON.add_columns(*columns(SessionRow, session))
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


class Accounts(Statements):
    """SQL statements for accounts, in one transaction."""

    def add(self, email: str, name: str, now: int, person_name: str = "") -> int:
        """Insert an account with one person of the same email address; return its id."""
        row = {"email": email, "name": name, "created_at": now}
        account_id = int(self._connection.execute(insert(account).returning(account.c.id), row).scalar_one())
        self._connection.execute(insert(person), {"account_id": account_id, "email": email, "name": person_name, "created_at": now})
        return account_id

    def change(self, account_id: int, **values: object) -> None:
        """Set columns of the account."""
        self._connection.execute(update(account).where(account.c.id == account_id).values(**values))

    def remove_empty_accounts(self) -> None:
        """Delete accounts that have neither people nor projects."""
        used = exists(select(person.c.id).where(person.c.account_id == account.c.id))
        holds = exists(select(project.c.id).where(project.c.account_id == account.c.id))
        self._connection.execute(delete(account).where(~used, ~holds))

    def by_id(self, account_id: int) -> AccountRow | None:
        """Return the account; None if it does not exist."""
        write_locks.lock_account(self._connection, account_id)
        return self._first(AccountRow, _ACCOUNT_BY_ID, {"id": account_id})

    def totals(self) -> dict[str, int]:
        """Count the reports of all accounts by result; ``none`` counts reports without a result."""
        results = [account.c[name] for name in ("good", "decent", "bad")]
        row = self._connection.execute(select(func.sum(account.c.reports), *(func.sum(column) for column in results))).one()
        reports, *rated = (int(number or 0) for number in row)
        return {**dict(zip(("good", "decent", "bad"), rated, strict=True)), "none": reports - sum(rated)}

    def by_email(self, email: str) -> AccountRow | None:
        """Return the account with the email address."""
        write_locks.lock_name(self._connection, "email", email)
        return self._first(AccountRow, _ACCOUNT.where(account.c.email == email))

    def person_by_email(self, email: str) -> PersonRow | None:
        """Return the person with the email address."""
        write_locks.lock_name(self._connection, "email", email)
        return self._first(PersonRow, _PERSON.where(person.c.email == email))

    def oldest(self) -> AccountRow | None:
        """Return the first account."""
        return self._first(AccountRow, _ACCOUNT.order_by(account.c.id).limit(1))

    def person_of_identity(self, issuer: str, subject: str) -> PersonRow | None:
        """Return the person who signs in with an identity of an OpenID provider or trusted proxy."""
        write_locks.lock_name(self._connection, "identity", issuer, subject)
        joined = _PERSON.join(identity, identity.c.person_id == person.c.id)
        return self._first(PersonRow, joined.where(identity.c.issuer == issuer, identity.c.subject == subject))

    def has_identity(self, person_id: int, issuer: str) -> bool:
        """Return whether the person signs in with that OpenID provider or trusted proxy."""
        return self._has(select(identity.c.subject).where(identity.c.person_id == person_id, identity.c.issuer == issuer))

    def add_identity(self, **row: object) -> None:
        """Insert the identity by which an OpenID provider or trusted proxy identifies a person; ``row`` are the columns."""
        self._connection.execute(insert(identity), row)

    def revoke_keys_of(self, person_id: int, now: int) -> None:
        """Revoke all keys of the person."""
        revoked = func.coalesce(api_key.c.revoked_at, now)
        self._connection.execute(update(api_key).where(api_key.c.person_id == person_id).values(revoked_at=revoked))

    def people_of(self, account_id: int) -> list[PersonRow]:
        """Return the people of the account, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(PersonRow, _PERSON.where(person.c.account_id == account_id).order_by(person.c.id))

    def all_people(self) -> list[tuple[str, PersonRow]]:
        """Return all people with the name of their account, by account."""
        found = self._connection.execute(
            _PERSON.add_columns(account.c.name.label("of_account"))
            .join(account, account.c.id == person.c.account_id)
            .order_by(person.c.account_id, person.c.id)
        )
        return [(row[-1], PersonRow._make(row[:-1])) for row in found]

    def add_person(self, row: dict[str, object]) -> int:
        """Insert a person; the keys of ``row`` are column names. Return the id."""
        return int(self._connection.execute(insert(person).returning(person.c.id), row).scalar_one())

    def change_person(self, person_id: int, **values: object) -> None:
        """Set columns of the person."""
        self._connection.execute(update(person).where(person.c.id == person_id).values(**values))

    def remove_person(self, person_id: int) -> None:
        """Delete the person with all keys, sessions and links, and the open invitations they sent."""
        self.withdraw_invitations_by(person_id)
        self._connection.execute(delete(person).where(person.c.id == person_id))

    def any(self) -> bool:
        """Return whether any account exists."""
        return self._has(select(account.c.id))

    def add_key(self, row: dict[str, object]) -> KeyRow:
        """Insert an API key and return it; the keys of ``row`` are column names."""
        made = self._connection.execute(insert(api_key).returning(*columns(KeyRow, api_key)), row).one()
        return KeyRow._make(made)

    def key_by_hash(self, token_hash: bytes) -> tuple[KeyRow, PersonRow] | None:
        """Return an API key, which may be revoked or expired, and its person; None if there is no such key or the person is disabled."""
        rows = read_rows(self._connection, _KEY_BY_HASH, {"hash": token_hash})
        return next(((KeyRow._make(row[: len(KeyRow._fields)]), PersonRow._make(row[len(KeyRow._fields) :])) for row in rows), None)

    def keys_of(self, account_id: int) -> list[KeyRow]:
        """Return the API keys of the account, newest first."""
        return self._all(KeyRow, _KEY.where(api_key.c.account_id == account_id).order_by(api_key.c.id.desc()))

    def touch_key(self, key_id: int, now: int) -> None:
        """Record that the API key was used."""
        self._connection.execute(_TOUCH_KEY, {"key": key_id, "now": now})

    def revoke_key(self, account_id: int, prefix: str, now: int) -> KeyRow | None:
        """Revoke and return an API key; None if the account has no such key."""
        revoked = update(api_key).where(api_key.c.account_id == account_id, api_key.c.prefix == prefix)
        revoked = revoked.values(revoked_at=func.coalesce(api_key.c.revoked_at, now))
        return self._first(KeyRow, revoked.returning(*columns(KeyRow, api_key)))

    def add_link(self, token_hash: bytes, person_id: int, now: int, expires_at: int) -> None:
        """Insert a one-time sign-in link."""
        row = {"token_hash": token_hash, "person_id": person_id, "created_at": now, "expires_at": expires_at}
        self._connection.execute(insert(one_time_link), row)

    def use_link(self, token_hash: bytes, now: int, until: int) -> int | None:
        """Mark a one-time link as used and store it until ``until``. Return the person's id; None if it is unknown, used or expired."""
        usable = one_time_link.c.token_hash == token_hash, one_time_link.c.used_at.is_(None), one_time_link.c.expires_at > now
        used = update(one_time_link).where(*usable).values(used_at=now, expires_at=until)
        return self._connection.execute(used.returning(one_time_link.c.person_id)).scalar_one_or_none()

    def is_link_session(self, token_hash: bytes, now: int) -> bool:
        """Return whether a one-time link that is still stored started the session."""
        own = (session.c.person_id == one_time_link.c.person_id) & (session.c.created_at == one_time_link.c.used_at)
        stored = select(one_time_link.c.person_id).join(session, own)
        return self._has(stored.where(session.c.token_hash == token_hash, one_time_link.c.expires_at > now))

    def delete_links_of(self, person_id: int) -> None:
        """Delete the one-time links of the person, including used links."""
        self._connection.execute(delete(one_time_link).where(one_time_link.c.person_id == person_id))

    def add_session(self, row: dict[str, Any]) -> None:
        """Insert a session of a person who signed in; the keys of ``row`` are column names."""
        self._connection.execute(insert(session), row)
        self._connection.execute(_TOUCH_PERSON, {"person": row["person_id"], "now": row["created_at"]})

    def session(self, token_hash: bytes, now: int) -> tuple[PersonRow, SessionRow] | None:
        """Return a session that has not expired, and its person; None if there is no such session."""
        row = self._connection.execute(_SESSION, {"hash": token_hash, "now": now}).first()
        return (PersonRow._make(row[: len(PersonRow._fields)]), SessionRow._make(row[len(PersonRow._fields) :])) if row else None

    def sessions_of(self, person_id: int, now: int) -> list[SessionRow]:
        """Return the current sessions of a person, last used first."""
        current = select(*columns(SessionRow, session)).where(session.c.person_id == person_id, session.c.expires_at > now)
        last_used = func.coalesce(session.c.last_seen_at, session.c.created_at)
        return self._all(SessionRow, current.order_by(last_used.desc(), session.c.token_hash))

    def set_preview(self, token_hash: bytes, project_id: int | None) -> None:
        """Begin or end the preview of a project in a session."""
        self._connection.execute(update(session).where(session.c.token_hash == token_hash).values(preview_of=project_id))

    def touch_session(self, token_hash: bytes, person_id: int, now: int) -> None:
        """Record that the person used the session."""
        self._connection.execute(_TOUCH_SESSION, {"hash": token_hash, "now": now})
        self._connection.execute(_TOUCH_PERSON, {"person": person_id, "now": now})

    def person(self, person_id: int) -> PersonRow | None:
        """Return the person; None if the person does not exist."""
        write_locks.lock_account_of(self._connection, person.c.id, person_id)
        return self._first(PersonRow, _PERSON.where(person.c.id == person_id))

    def end_session(self, token_hash: bytes) -> None:
        """End the session (sign out)."""
        self._connection.execute(delete(session).where(session.c.token_hash == token_hash))

    def end_sessions_of(self, person_id: int) -> None:
        """End all sessions of the person."""
        self._connection.execute(delete(session).where(session.c.person_id == person_id))

    def add_invitation(self, row: dict[str, object]) -> None:
        """Insert an invitation; the keys of ``row`` are column names."""
        self._connection.execute(insert(invitation), row)

    def invitation(self, token_hash: bytes, now: int) -> InvitationRow | None:
        """Return an open invitation. Until a writing transaction ends, no other transaction can accept it."""
        write_locks.lock_name(self._connection, "invitation", token_hash.hex())
        return self._first(InvitationRow, _open_invitations(now).where(invitation.c.token_hash == token_hash))

    def invitations_of(self, account_id: int, now: int) -> list[InvitationRow]:
        """Return the open invitations of the account, newest first."""
        found = _open_invitations(now).where(invitation.c.account_id == account_id)
        return self._all(InvitationRow, found.order_by(invitation.c.created_at.desc(), invitation.c.token_hash))

    def remove_invitation(self, token_hash: bytes) -> None:
        """Delete an invitation that was accepted or withdrawn."""
        self._connection.execute(delete(invitation).where(invitation.c.token_hash == token_hash))

    def withdraw_invitations_by(self, person_id: int) -> None:
        """Delete the open invitations that the person sent."""
        self._connection.execute(delete(invitation).where(invitation.c.invited_by == person_id))

    def delete_expired(self, now: int) -> None:
        """Delete expired sessions, links and invitations."""
        self._connection.execute(delete(session).where(session.c.expires_at <= now))
        self._connection.execute(delete(invitation).where(invitation.c.expires_at <= now))
        self._connection.execute(delete(one_time_link).where(one_time_link.c.expires_at <= now))


def _open_invitations(now: int) -> Select[Any]:
    return select(*columns(InvitationRow, invitation)).where(invitation.c.used_at.is_(None), invitation.c.expires_at > now)
