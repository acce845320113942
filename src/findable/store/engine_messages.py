"""Messages of the queue engine (Procrastinate) that carry claimed jobs to workers. Its tables are in the same PostgreSQL database.

A message is one attempt at one job and is sent in the transaction that claims the job: no claimed job is without a message, and no message
of an earlier attempt can end a later one. SQLite has no engine: then there are no messages, and claimed jobs have leases.
"""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, and_, cast, column, exists, func, literal, or_, select, table, text

from findable.store.schema.job_tables import job
from findable.store.schema.message_tables import delivery

_message = table("procrastinate_jobs", column("id"), column("lock"), column("status"), column("queue_name"), column("worker_id"))
_worker = table("procrastinate_workers", column("id"), column("last_heartbeat"))
_SEND = text("""
    SELECT procrastinate_defer_jobs_v1(array_agg(ROW(
        CAST(:queue AS text), CAST(:kind AS text), 0, concat_ws('/', CAST(:kind AS text), sent.id, sent.attempt), NULL,
        jsonb_build_object('job_id', sent.id, 'attempt', sent.attempt), NULL
    )::procrastinate_job_to_defer_v1 ORDER BY sent.place))
    FROM unnest(CAST(:ids AS bigint[]), CAST(:attempts AS bigint[])) WITH ORDINALITY AS sent(id, attempt, place)
""")
_WAITING = text("SELECT count(*) FROM procrastinate_jobs WHERE queue_name = :queue AND status = 'todo'")
_CANCEL = text("SELECT procrastinate_cancel_job_v1(id, true, true) FROM procrastinate_jobs WHERE lock = ANY(:keys)")
_FORGET_DEAD = """
    DELETE FROM procrastinate_jobs m WHERE task_name = :kind AND status <> 'todo'
    AND NOT EXISTS (
        SELECT 1 FROM procrastinate_workers w WHERE w.id = m.worker_id AND w.last_heartbeat > now() - make_interval(secs => :lease_s)
    )
    AND NOT EXISTS (SELECT 1 FROM {jobs} j WHERE m.lock = concat_ws('/', CAST(:kind AS text), j.id, j.attempt) AND j.state = 'running')
"""


class Messages:
    """SQL statements for messages, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, queue: str, kind: str, attempts: Collection[tuple[int, int]]) -> None:
        """Send a message for each (job id, attempt) to a queue."""
        if attempts:
            ids, numbers = zip(*attempts, strict=True)
            self._connection.execute(_SEND, {"queue": queue, "kind": kind, "ids": list(ids), "attempts": list(numbers)})

    def waiting(self, queue: str) -> int:
        """Count the messages of the queue that no worker has taken."""
        return int(self._connection.execute(_WAITING, {"queue": queue}).scalar_one())

    def cancel(self, kind: str, attempts: Iterable[tuple[int, int]]) -> None:
        """Discard the messages of deleted jobs; the engine cancels those that run. Does nothing on SQLite."""
        keys = [f"{kind}/{job_id}/{attempt}" for job_id, attempt in attempts]
        if keys and self._connection.dialect.name == "postgresql":
            self._connection.execute(_CANCEL, {"keys": keys})

    def forget_dead(self, kind: str, lease_s: int) -> None:
        """Delete the messages of lost workers whose jobs are finished or queued again."""
        statement = _FORGET_DEAD.format(jobs=delivery.name if kind == "delivery" else job.name)
        self._connection.execute(text(statement), {"kind": kind, "lease_s": lease_s})


def has_no_worker(kind: str, jobs: Any, lease_s: int) -> ColumnElement[bool]:
    """Return the condition for a job (columns ``id``, ``attempt``) that no message waits for and no living worker runs."""
    living = and_(
        _worker.c.id == _message.c.worker_id, _worker.c.last_heartbeat > func.now() - func.make_interval(0, 0, 0, 0, 0, 0, lease_s)
    )
    key = literal(f"{kind}/").concat(cast(jobs.c.id, String)).concat("/").concat(cast(jobs.c.attempt, String))
    taken = and_(_message.c.status == text("'doing'"), exists(select(_worker.c.id).where(living)))
    return ~exists(select(_message.c.id).where(_message.c.lock == key, or_(_message.c.status == text("'todo'"), taken)))
