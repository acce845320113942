"""Locks by which concurrent writing transactions wait for each other.

SQLite has one writer, so data that a transaction reads is still current when it writes. PostgreSQL has many, so each account has **one
writer**: a writing transaction locks the row of an account before it reads anything of that account that it depends on, until its end. READ
COMMITTED then shows it the writes of the previous holder. Data without an account has separate locks: one for claims of jobs, and one for
each name (an email address, an Idempotency-Key, a counter of wrong passwords).

Locks are acquired in one order to avoid deadlocks: claims, names, accounts, then rows. The methods of the store acquire them; nothing
happens on SQLite or in a reading transaction.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Column, Connection, Executable, bindparam, func, select

from findable.store.schema.account_tables import account, person
from findable.store.schema.job_tables import job
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.store.schema.site_tables import crawl

OPTION = "findable_held"
"""Execution option of a concurrent writing connection: the set of locks that its transaction holds."""
_NAMES = 0x46_6E_64
"""Namespace of advisory locks with two numbers; ``(_NAMES, hash)`` represents a name."""
_CLAIMS = 0x46_6E_64_00_00_00_00_01
"""Key of the advisory lock for claims of jobs."""
MIGRATIONS = _CLAIMS + 1
"""Key of the advisory lock for creating or changing tables."""

_LOCKED = select(account.c.id).with_for_update(key_share=True, of=account)
_ACCOUNT = _LOCKED.where(account.c.id == bindparam("id"))
_ACCOUNT_IF_FREE = select(account.c.id).where(account.c.id == bindparam("id")).with_for_update(key_share=True, of=account, skip_locked=True)
_OF = {
    column: _LOCKED.join(column.table, column.table.c.account_id == account.c.id).where(column == bindparam("id"))
    for column in (report.c.id, crawl.c.id, project.c.id, *(one.c.public_id for one in (report, crawl, project)), job.c.id, person.c.id)
}
"""Statements that lock the account of a row, by the column that identifies the row."""
_NAME = select(func.pg_advisory_xact_lock(_NAMES, func.hashtext(bindparam("name"))))
_CLAIM = select(func.pg_advisory_xact_lock(_CLAIMS))


def lock_account(connection: Connection, account_id: int) -> None:
    """Lock the account for writing until the end of the transaction."""
    _lock(connection, ("account", account_id), _ACCOUNT, id=account_id)


def try_lock_account(connection: Connection, account_id: int) -> bool:
    """Lock the account if it is free; return False without waiting if it is not."""
    held, what = _held_locks(connection), ("account", account_id)
    if held is None or what in held:
        return True
    if connection.execute(_ACCOUNT_IF_FREE, {"id": account_id}).first() is None:
        return False
    held.add(what)
    return True


def add_to_locked_account(connection: Connection, account_id: int, *, report_id: int, job_id: int) -> None:
    """Declare that report and job belong to the locked account, so that they need not be looked up."""
    held = _held_locks(connection)
    if held is not None and ("account", account_id) in held:
        held.update(((report.c.id, report_id), (job.c.id, job_id)))


def lock_account_of(connection: Connection, column: Column[Any], value: object) -> None:
    """Lock the account of the row that has this value until the transaction ends; does nothing if there is no such row.

    ``column``: one of those in `_OF`, such as ``report.c.id``.
    """
    _lock(connection, (column, value), _OF[column], id=value)


def lock_accounts_of_reports(connection: Connection, report_ids: Collection[int]) -> None:
    """Lock the accounts of several reports, in the order of their ids."""
    owners = select(report.c.account_id).where(report.c.id.in_(report_ids))
    _lock(connection, ("reports", *report_ids), _LOCKED.where(account.c.id.in_(owners)).order_by(account.c.id))


def lock_name(connection: Connection, *parts: str) -> None:
    """Lock a name until the end of the transaction, even if no row has it."""
    _lock(connection, parts, _NAME, name="\x1f".join(parts))


def lock_claims(connection: Connection) -> None:
    """Lock the claiming of jobs until the end of the transaction."""
    _lock(connection, ("claims",), _CLAIM)


def _lock(connection: Connection, key: tuple[object, ...], statement: Executable, **values: Any) -> None:
    held = _held_locks(connection)
    if held is not None and key not in held:
        connection.execute(statement, values)
        held.add(key)


def _held_locks(connection: Connection) -> set[tuple[object, ...]] | None:
    """Return the locks that the transaction holds; None if it needs none."""
    held: set[tuple[object, ...]] | None = connection.get_execution_options().get(OPTION)
    return held
