"""Who may write what at once.

SQLite has one writer, so whatever a transaction reads is still so when it writes. On PostgreSQL many write at once; there the same is kept
true in small: **one writer for each account**. A writing transaction locks the row of an account before it reads anything of that account
that it decides by, and keeps it to its end. READ COMMITTED then shows it what the last holder wrote. What no account owns has locks of its
own: claims of jobs take turns all together, names (an e-mail address, an Idempotency-Key, a counter of wrong passwords) each for itself.

Locks are taken in one order, so that nobody waits in a circle: claims, names, accounts, then rows. The methods of the store take them by
themselves; none of it does anything where one connection writes, or in a transaction that only reads.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Executable, bindparam, func, select

from findable.store.schema import account, job, person, project, report

OPTION = "findable_held"
"""The execution option of a writing connection beside others: the set of what its transaction holds."""
_NAMES = 0x46_6E_64
"""Our space among advisory locks of two numbers; ``(_NAMES, hash)`` stands for a name."""
_CLAIMS = 0x46_6E_64_00_00_00_00_01
"""An advisory lock of one number."""
MIGRATIONS = _CLAIMS + 1
"""The same, for whoever makes or changes tables."""

_LOCKED = select(account.c.id).with_for_update(key_share=True, of=account)
_ACCOUNT = _LOCKED.where(account.c.id == bindparam("id"))
_ACCOUNT_IF_FREE = select(account.c.id).where(account.c.id == bindparam("id")).with_for_update(key_share=True, of=account, skip_locked=True)
_OF_REPORT = _LOCKED.join(report, report.c.account_id == account.c.id).where(report.c.id == bindparam("id"))
_OF_PUBLIC_ID = _LOCKED.join(report, report.c.account_id == account.c.id).where(report.c.public_id == bindparam("id"))
_OF_JOB = _LOCKED.join(job, job.c.account_id == account.c.id).where(job.c.id == bindparam("id"))
_OF_PROJECT = _LOCKED.join(project, project.c.account_id == account.c.id).where(project.c.id == bindparam("id"))
_OF_PERSON = _LOCKED.join(person, person.c.account_id == account.c.id).where(person.c.id == bindparam("id"))
_NAME = select(func.pg_advisory_xact_lock(_NAMES, func.hashtext(bindparam("name"))))
_CLAIM = select(func.pg_advisory_xact_lock(_CLAIMS))


def lock_account(connection: Connection, account_id: int) -> None:
    """From here on this transaction alone writes what belongs to the account."""
    _lock(connection, ("account", account_id), _ACCOUNT, id=account_id)


def try_lock_account(connection: Connection, account_id: int) -> bool:
    """The same where nobody else holds it now; False without waiting where somebody does."""
    held, what = _held(connection), ("account", account_id)
    if held is None or what in held:
        return True
    if connection.execute(_ACCOUNT_IF_FREE, {"id": account_id}).first() is None:
        return False
    held.add(what)
    return True


def belongs(connection: Connection, account_id: int, *, report_id: int, job_id: int) -> None:
    """Told by whoever holds the account and knows that these are its own: they need not be looked up to be locked."""
    held = _held(connection)
    if held is not None and ("account", account_id) in held:
        held.update((("report", report_id), ("job", job_id)))


def lock_account_of_report(connection: Connection, report_id: int) -> None:
    """The same, by one of its reports."""
    _lock(connection, ("report", report_id), _OF_REPORT, id=report_id)


def lock_account_of_public_id(connection: Connection, public_id: str) -> None:
    """The same, by the share link of one of its reports."""
    _lock(connection, ("public", public_id), _OF_PUBLIC_ID, id=public_id)


def lock_account_of_job(connection: Connection, job_id: int) -> None:
    """The same, by one of its jobs."""
    _lock(connection, ("job", job_id), _OF_JOB, id=job_id)


def lock_account_of_project(connection: Connection, project_id: int) -> None:
    """The same, by one of its projects."""
    _lock(connection, ("project", project_id), _OF_PROJECT, id=project_id)


def lock_account_of_person(connection: Connection, person_id: int) -> None:
    """The same, by one of its people."""
    _lock(connection, ("person", person_id), _OF_PERSON, id=person_id)


def lock_accounts_of_reports(connection: Connection, report_ids: Collection[int]) -> None:
    """The same for the accounts of several reports, in the order of their ids."""
    owners = select(report.c.account_id).where(report.c.id.in_(report_ids))
    _lock(connection, ("reports", *report_ids), _LOCKED.where(account.c.id.in_(owners)).order_by(account.c.id))


def lock_name(connection: Connection, *parts: str) -> None:
    """From here on this transaction alone decides about what is called so, whether there is a row of it or not."""
    _lock(connection, parts, _NAME, name="\x1f".join(parts))


def lock_claims(connection: Connection) -> None:
    """From here on this transaction alone takes jobs."""
    _lock(connection, ("claims",), _CLAIM)


def _lock(connection: Connection, what: tuple[object, ...], statement: Executable, **values: Any) -> None:
    held = _held(connection)
    if held is not None and what not in held:
        connection.execute(statement, values)
        held.add(what)


def _held(connection: Connection) -> set[tuple[object, ...]] | None:
    """What the transaction holds; None where nothing needs to be held."""
    held: set[tuple[object, ...]] | None = connection.get_execution_options().get(OPTION)
    return held
