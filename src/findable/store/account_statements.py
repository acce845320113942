"""SQL statements for accounts."""

from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from findable.store import write_locks
from findable.store.rows import AccountRow
from findable.store.schema.account_tables import account, person
from findable.store.schema.project_tables import project
from findable.store.statements import Statements, columns

_ACCOUNT = select(*columns(AccountRow, account))
_ACCOUNT_BY_ID = _ACCOUNT.where(account.c.id == bindparam("id"))


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

    def oldest(self) -> AccountRow | None:
        """Return the first account."""
        return self._first(AccountRow, _ACCOUNT.order_by(account.c.id).limit(1))

    def any(self) -> bool:
        """Return whether any account exists."""
        return self._has(select(account.c.id))
