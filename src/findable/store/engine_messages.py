"""Messages of the queue engine (Procrastinate) that carry claimed jobs to workers. Its tables are in the same PostgreSQL database.

A message is one attempt at one job and is sent in the transaction that claims the job: no claimed job is without a message, and no message
of an earlier attempt can end a later one. SQLite has no engine and no messages: a single process uses the database.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    Table,
    and_,
    cast,
    column,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    table,
    text,
    true,
)

from findable.store import write_locks
from findable.store.outbox_rows import RUNNING
from findable.store.schema.job_tables import job
from findable.store.schema.message_tables import delivery
from findable.store.statements import Statements

REPORT, CRAWL, DELIVERY, SCHEDULE = "report", "crawl", "delivery", "schedule"
"""Kinds of jobs."""
_TABLES: Mapping[str, Table] = {REPORT: job, CRAWL: job, DELIVERY: delivery}
"""Tables of jobs with attempts; a schedule is claimed for a time instead."""
_TODO, _DOING = text("'todo'"), text("'doing'")
_message = table(
    "procrastinate_jobs", column("id"), column("task_name"), column("lock"), column("status"), column("queue_name"), column("worker_id")
)
_worker = table("procrastinate_workers", column("id"), column("last_heartbeat"))
_SEND = text("""
    SELECT procrastinate_defer_jobs_v1(array_agg(ROW(
        CAST(:queue AS text), CAST(:kind AS text), 0, concat_ws('/', CAST(:kind AS text), sent.id, sent.attempt), NULL,
        jsonb_build_object('job_id', sent.id, 'attempt', sent.attempt), NULL
    )::procrastinate_job_to_defer_v1 ORDER BY sent.place))
    FROM unnest(CAST(:ids AS bigint[]), CAST(:attempts AS bigint[])) WITH ORDINALITY AS sent(id, attempt, place)
""")
_CANCEL = text("SELECT procrastinate_cancel_job_v1(id, true, true) FROM procrastinate_jobs WHERE lock = ANY(:keys)")


class Attempt(Protocol):
    """Attempt at a job, which a message to workers identifies."""

    @property
    def id(self) -> int:
        """Id of the job."""

    @property
    def attempt(self) -> int:
        """Number of the attempt."""


class Messages(Statements):
    """SQL statements for messages, in one transaction."""

    def dispatch(self, queue: str, kind: str, slots: int, claim: Callable[[int], Sequence[Attempt]]) -> int:
        """Claim jobs for the free slots of a queue, send their messages and return their number.

        ``claim`` claims up to the given number of jobs. No other process claims jobs until the transaction ends.
        """
        free = self.free(queue, slots)
        claimed = claim(free) if free else ()
        self.send(queue, kind, claimed)
        return len(claimed)

    def free(self, queue: str, slots: int) -> int:
        """Return the number of a queue's slots without a waiting message. No other process claims jobs until the transaction ends."""
        write_locks.lock_claims(self._connection)
        return max(0, slots - self.waiting(queue)) if slots > 0 else 0

    def waiting(self, queue: str) -> int:
        """Count the messages of the queue that no worker has taken."""
        statement = select(func.count()).select_from(_message).where(_message.c.queue_name == queue, _message.c.status == _TODO)
        return int(self._connection.execute(statement).scalar_one())

    def send(self, queue: str, kind: str, attempts: Sequence[Attempt]) -> None:
        """Send a message for each attempt to a queue."""
        if attempts:
            ids, numbers = [one.id for one in attempts], [one.attempt for one in attempts]
            self._connection.execute(_SEND, {"queue": queue, "kind": kind, "ids": ids, "attempts": numbers})

    def cancel(self, kind: str, attempts: Sequence[Attempt]) -> None:
        """Delete the waiting messages of deleted jobs and cancel running ones. Does nothing on SQLite."""
        if attempts and _has_engine(self._connection):
            self._connection.execute(_CANCEL, {"keys": [f"{kind}/{one.id}/{one.attempt}" for one in attempts]})

    def delete_lost(self, kind: str, lost_after_s: int) -> None:
        """Delete the messages of lost workers whose jobs are finished or queued again. Does nothing on SQLite."""
        if not _has_engine(self._connection):
            return
        dead = and_(_message.c.task_name == kind, _message.c.status != _TODO, ~_has_living_worker(lost_after_s))
        if (jobs := _TABLES.get(kind)) is not None:
            dead = and_(dead, ~exists(select(jobs.c.id).where(jobs.c.state == RUNNING, _key(kind, jobs) == _message.c.lock)))
        self._connection.execute(delete(_message).where(dead))


def is_lost(connection: Connection, kind: str, lost_after_s: int) -> ColumnElement[bool]:
    """Return the condition for running jobs that may be lost: their attempt has no waiting message and no living worker.

    On SQLite it is true for all running jobs: no other process uses the database, so those that the calling process does not run are lost.
    """
    if not _has_engine(connection):
        return true()
    jobs = _TABLES[kind]
    is_carried = or_(_message.c.status == _TODO, and_(_message.c.status == _DOING, _has_living_worker(lost_after_s)))
    carried = exists(select(_message.c.id).where(_message.c.lock == _key(kind, jobs), is_carried))
    return ~carried


def _has_engine(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _has_living_worker(lost_after_s: int) -> ColumnElement[bool]:
    """Return the condition for a message whose worker has sent a heartbeat within that time."""
    since = func.now() - func.make_interval(0, 0, 0, 0, 0, 0, lost_after_s)
    return exists(select(_worker.c.id).where(_worker.c.id == _message.c.worker_id, _worker.c.last_heartbeat > since))


def _key(kind: str, jobs: Table) -> ColumnElement[Any]:
    """Return the key that `Messages.send` stores with the message of a job's attempt."""
    return literal(f"{kind}/").concat(cast(jobs.c.id, String)).concat("/").concat(cast(jobs.c.attempt, String))
