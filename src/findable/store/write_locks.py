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

from sqlalchemy import Connection, Executable, bindparam, func, select

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
_OF_REPORT = _LOCKED.join(report, report.c.account_id == account.c.id).where(report.c.id == bindparam("id"))
_OF_CRAWL = _LOCKED.join(crawl, crawl.c.account_id == account.c.id).where(crawl.c.id == bindparam("id"))
_OF_PUBLIC_ID = _LOCKED.join(report, report.c.account_id == account.c.id).where(report.c.public_id == bindparam("id"))
_OF_JOB = _LOCKED.join(job, job.c.account_id == account.c.id).where(job.c.id == bindparam("id"))
_OF_PROJECT = _LOCKED.join(project, project.c.account_id == account.c.id).where(project.c.id == bindparam("id"))
_OF_PERSON = _LOCKED.join(person, person.c.account_id == account.c.id).where(person.c.id == bindparam("id"))
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
        held.update((("report", report_id), ("job", job_id)))


def lock_account_of_report(connection: Connection, report_id: int) -> None:
    """Lock the account of the report until the transaction ends; does nothing if the report does not exist."""
    _lock(connection, ("report", report_id), _OF_REPORT, id=report_id)


def lock_account_of_public_id(connection: Connection, public_id: str) -> None:
    """Lock the account of a share link."""
    _lock(connection, ("public", public_id), _OF_PUBLIC_ID, id=public_id)


def lock_account_of_job(connection: Connection, job_id: int) -> None:
    """Lock the account of the job until the transaction ends; does nothing if the job does not exist."""
    _lock(connection, ("job", job_id), _OF_JOB, id=job_id)


def lock_account_of_crawl(connection: Connection, crawl_id: int) -> None:
    """Lock the account of the crawl until the transaction ends; does nothing if the crawl does not exist."""
    _lock(connection, ("crawl", crawl_id), _OF_CRAWL, id=crawl_id)


def lock_account_of_project(connection: Connection, project_id: int) -> None:
    """Lock the account of the project until the transaction ends; does nothing if the project does not exist."""
    _lock(connection, ("project", project_id), _OF_PROJECT, id=project_id)


def lock_account_of_person(connection: Connection, person_id: int) -> None:
    """Lock the account of the person until the transaction ends; does nothing if the person does not exist."""
    _lock(connection, ("person", person_id), _OF_PERSON, id=person_id)


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
