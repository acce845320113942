"""SQL statements for the people of accounts, and the identities with which they sign in."""

from sqlalchemy import delete, insert, select, update

from findable.store import write_locks
from findable.store.rows import PersonRow
from findable.store.schema.account_tables import account, identity, invitation, person
from findable.store.statements import Statements, columns

PERSON = select(*columns(PersonRow, person))


class People(Statements):
    """SQL statements for the people of accounts, and the identities with which they sign in, in one transaction."""

    def by_id(self, person_id: int) -> PersonRow | None:
        """Return the person; None if the person does not exist."""
        write_locks.lock_account_of(self._connection, person.c.id, person_id)
        return self._first(PersonRow, PERSON.where(person.c.id == person_id))

    def by_email(self, email: str) -> PersonRow | None:
        """Return the person with the email address."""
        write_locks.lock_name(self._connection, "email", email)
        return self._first(PersonRow, PERSON.where(person.c.email == email))

    def of_identity(self, issuer: str, subject: str) -> PersonRow | None:
        """Return the person who signs in with an identity of an OpenID provider or trusted proxy."""
        write_locks.lock_name(self._connection, "identity", issuer, subject)
        joined = PERSON.join(identity, identity.c.person_id == person.c.id)
        return self._first(PersonRow, joined.where(identity.c.issuer == issuer, identity.c.subject == subject))

    def has_identity(self, person_id: int, issuer: str) -> bool:
        """Return whether the person signs in with that OpenID provider or trusted proxy."""
        return self._has(select(identity.c.subject).where(identity.c.person_id == person_id, identity.c.issuer == issuer))

    def add_identity(self, **row: object) -> None:
        """Insert the identity by which an OpenID provider or trusted proxy identifies a person; ``row`` are the columns."""
        self._connection.execute(insert(identity), row)

    def of_account(self, account_id: int) -> list[PersonRow]:
        """Return the people of the account, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(PersonRow, PERSON.where(person.c.account_id == account_id).order_by(person.c.id))

    def all_accounts(self) -> list[tuple[str, PersonRow]]:
        """Return all people with the name of their account, by account."""
        found = self._connection.execute(
            PERSON.add_columns(account.c.name.label("of_account"))
            .join(account, account.c.id == person.c.account_id)
            .order_by(person.c.account_id, person.c.id)
        )
        return [(row[-1], PersonRow._make(row[:-1])) for row in found]

    def add(self, row: dict[str, object]) -> int:
        """Insert a person; the keys of ``row`` are column names. Return the id."""
        return int(self._connection.execute(insert(person).returning(person.c.id), row).scalar_one())

    def change(self, person_id: int, **values: object) -> None:
        """Set columns of the person."""
        self._connection.execute(update(person).where(person.c.id == person_id).values(**values))

    def remove(self, person_id: int) -> None:
        """Delete the person with all keys, sessions and links, and the open invitations they sent."""
        self._connection.execute(delete(invitation).where(invitation.c.invited_by == person_id))
        self._connection.execute(delete(person).where(person.c.id == person_id))
