"""The lease table: work that is accepted, and who is at it.

A claim counts ``attempt`` up; whatever a worker writes later counts only while ``attempt`` is still the one it was given (the fence). A
worker says by heartbeats that it lives; a lease that ran out is somebody else's to take. Accounts take turns.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, delete, func, insert, or_, select, update

from findable.store import dialect
from findable.store.rows import JobRow
from findable.store.schema import job, turn

READY = "ready"
RUNNING = "running"
SMALL, BULK = 0, 1
"""Priorities."""
SMALL_QUEUE = 4
"""The first jobs of an account go before the long queues of others: somebody waits for them."""
LOOK_AHEAD = 200
"""How far down a long queue is looked for a host that is free, before its hosts are walked one by one."""
TURNS = 64
"""How many accounts are asked in one claim."""
HOSTS = 4
"""How many free hosts whose jobs all rest are passed over in one claim."""

FAR_S = 3600
"""A time further ahead was written while the clock was wrong."""


def _come(moment: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether a time has come."""
    return or_(moment <= bindparam("now"), moment > bindparam("now") + FAR_S)


_MINE = and_(job.c.id == bindparam("of_id"), job.c.attempt == bindparam("of_attempt"), job.c.state == RUNNING)
_CLAIM = (
    update(job)
    .where(job.c.id == bindparam("of_id"), job.c.state == READY)
    .values(
        state=RUNNING,
        attempt=job.c.attempt + 1,
        worker=bindparam("by"),
        lease_until=bindparam("until"),
        started_at=bindparam("now"),
    )
    .returning(*(job.c[name] for name in JobRow._fields))
)
_BEAT = update(job).where(_MINE).values(lease_until=bindparam("until"), progress=func.coalesce(bindparam("told"), job.c.progress))
_FINISH = delete(job).where(_MINE).returning(job.c.account_id)
_AGAIN = {"state": READY, "worker": None, "lease_until": None, "progress": None}
_HAND_BACK = update(job).where(_MINE).values(**_AGAIN)
_BACK_FAILED = update(job).where(_MINE).values(**_AGAIN, failures=job.c.failures + 1, run_at=bindparam("later")).returning(job.c.failures)
_RUNNING = select(*(job.c[name] for name in JobRow._fields)).where(job.c.state == RUNNING)
_BUSY_HOSTS = (
    select(job.c.host).where(job.c.state == RUNNING, job.c.host != "").group_by(job.c.host).having(func.count() >= bindparam("host_limit"))
)
_SMALL = and_(job.c.state == READY, job.c.priority == SMALL)
_BULK = and_(job.c.state == READY, job.c.priority == BULK, job.c.account_id == bindparam("account"))
_TURNS = select(turn.c.account_id).order_by(turn.c.served).limit(bindparam("limit"))
_SERVED = update(turn).where(turn.c.account_id == bindparam("account")).values(served=select(func.max(turn.c.served) + 1).scalar_subquery())
_NEXT_HOST = select(func.min(job.c.host)).where(_BULK, job.c.host > bindparam("after"))
_FIRST_OF_HOST = select(job.c.id).where(_BULK, job.c.host == bindparam("host"), _come(job.c.run_at)).order_by(job.c.id).limit(1)
_FEW = select(job.c.id, job.c.host, job.c.run_at).where(_BULK).order_by(job.c.id).limit(LOOK_AHEAD).subquery()


def _first_small(busy: Collection[str]) -> Select[Any]:
    """The first job of a short queue, the account that waited longest first."""
    statement = select(job.c.id).join(turn, turn.c.account_id == job.c.account_id).where(_SMALL, _come(job.c.run_at))
    if busy:
        statement = statement.where(job.c.host.not_in(busy))
    return statement.order_by(turn.c.served, job.c.id).limit(1)


def _first_bulk(busy: Collection[str]) -> Select[Any]:
    """The first job among the first few of a long queue whose host is free."""
    statement = select(_FEW.c.id).where(_come(_FEW.c.run_at))
    if busy:
        statement = statement.where(_FEW.c.host.not_in(busy))
    return statement.order_by(_FEW.c.id).limit(1)


class Jobs:
    """The statements about jobs, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, account_id: int, report_id: int, *, host: str, fresh_site: bool, now: int) -> int:
        """Queues a job for a report that has none. Its id. ``host`` is empty where no limit per host holds."""
        active = self._enter(account_id)
        values = {
            "kind": "report",
            "state": READY,
            "report_id": report_id,
            "account_id": account_id,
            "host": host,
            "priority": SMALL if active <= SMALL_QUEUE else BULK,
            "fresh_site": int(fresh_site),
            "run_at": now,
            "created_at": now,
        }
        return int(self._connection.execute(insert(job).returning(job.c.id), values).scalar_one())

    def _enter(self, account_id: int) -> int:
        """Counts one more job of the account, which is next if it had none; how many it has."""
        served = select(func.coalesce(func.min(turn.c.served), 0)).select_from(turn).scalar_subquery()
        statement = dialect.insert(self._connection.dialect.name, turn).values(account_id=account_id, active=1, served=served)
        statement = statement.on_conflict_do_update(index_elements=["account_id"], set_={"active": turn.c.active + 1})
        return int(self._connection.execute(statement.returning(turn.c.active)).scalar_one())

    def _leave(self, account_id: int) -> None:
        self._connection.execute(update(turn).where(turn.c.account_id == account_id).values(active=turn.c.active - 1))
        self._connection.execute(delete(turn).where(turn.c.account_id == account_id, turn.c.active <= 0))

    def active(self, account_id: int) -> int:
        """How many jobs of the account are queued or running."""
        return int(self._connection.execute(select(turn.c.active).where(turn.c.account_id == account_id)).scalar_one_or_none() or 0)

    def join(self, report_id: int, *, fresh_site: bool) -> bool:
        """Whether a job is queued or running for the report; one that is queued asks the site anew if that is wanted."""
        found = self._connection.execute(select(job.c.id).where(job.c.report_id == report_id)).first()
        if found and fresh_site:
            self._connection.execute(update(job).where(job.c.report_id == report_id, job.c.state == READY).values(fresh_site=1))
        return found is not None

    def claim(self, worker: str, *, now: int, lease_s: int, host_limit: int) -> JobRow | None:
        """Takes the job whose turn it is, None where nothing can be done now."""
        busy = list(self._connection.execute(_BUSY_HOSTS, {"host_limit": host_limit}).scalars())
        chosen = self._connection.execute(_first_small(busy), {"now": now}).scalar_one_or_none()
        if chosen is None:
            chosen = self._next_bulk(busy, now)
        if chosen is None:
            return None
        values = {"of_id": chosen, "by": worker, "until": now + lease_s, "now": now}
        row = self._connection.execute(_CLAIM, values).first()
        if row is None:
            return None
        self._connection.execute(_SERVED, {"account": row.account_id})
        return JobRow._make(row)

    def _next_bulk(self, busy: Sequence[str], now: int) -> int | None:
        for account_id in self._connection.execute(_TURNS, {"limit": TURNS}).scalars().all():
            values = {"account": account_id, "now": now}
            chosen = self._connection.execute(_first_bulk(busy), values).scalar_one_or_none()
            if chosen is None and busy:
                chosen = self._of_free_host(busy, values)
            if chosen is not None:
                return int(chosen)
        return None

    def _of_free_host(self, busy: Sequence[str], values: dict[str, Any]) -> int | None:
        """Walks the hosts of a long queue; at most one more step than there are busy hosts finds a free one, or one that rests."""
        host = ""
        for _ in range(len(busy) + HOSTS):
            host = str(self._connection.execute(_NEXT_HOST, {**values, "after": host}).scalar_one_or_none() or "")
            if not host:
                return None
            if host not in busy:
                chosen = self._connection.execute(_FIRST_OF_HOST, {**values, "host": host}).scalar_one_or_none()
                if chosen is not None:
                    return int(chosen)
        return None

    def beat(self, job_id: int, attempt: int, *, until: int, progress: str | None) -> bool:
        """Extends the lease and keeps the progress (JSON). False where the job is not this attempt's any more."""
        values = {"of_id": job_id, "of_attempt": attempt, "until": until, "told": progress}
        return self._connection.execute(_BEAT, values).rowcount == 1

    def finish(self, job_id: int, attempt: int) -> bool:
        """The job is over. False where it is not this attempt's any more: then nothing may be written."""
        account_id = self._connection.execute(_FINISH, {"of_id": job_id, "of_attempt": attempt}).scalar_one_or_none()
        if account_id is None:
            return False
        self._leave(account_id)
        return True

    def hand_back(self, job_id: int, attempt: int) -> bool:
        """The job is queued again as if it had not been taken (`attempt` stays counted up: the fence)."""
        return self._connection.execute(_HAND_BACK, {"of_id": job_id, "of_attempt": attempt}).rowcount == 1

    def back_failed(self, job_id: int, attempt: int, run_at: int) -> int | None:
        """The job is queued again after its worker was lost; how often that happened. None where it is not this attempt's any more."""
        return self._connection.execute(_BACK_FAILED, {"of_id": job_id, "of_attempt": attempt, "later": run_at}).scalar_one_or_none()

    def rest(self, job_id: int, run_at: int) -> None:
        """Not to be taken before."""
        self._connection.execute(update(job).where(job.c.id == job_id).values(run_at=run_at))

    def remove(self, job_id: int, account_id: int) -> None:
        """The job is given up."""
        self._connection.execute(delete(job).where(job.c.id == job_id))
        self._leave(account_id)

    def expired(self, now: int) -> list[JobRow]:
        """Running jobs whose lease is over."""
        return [JobRow._make(row) for row in self._connection.execute(_RUNNING.where(_come(job.c.lease_until)), {"now": now})]

    def running(self) -> list[JobRow]:
        """All running jobs."""
        return [JobRow._make(row) for row in self._connection.execute(_RUNNING)]

    def drop(self, report_ids: Collection[int]) -> None:
        """Reports go: so do their jobs; a worker that is at one learns it by its next heartbeat."""
        gone = self._connection.execute(delete(job).where(job.c.report_id.in_(report_ids)).returning(job.c.account_id)).scalars().all()
        for account_id in gone:
            self._leave(account_id)

    def counts(self) -> dict[str, int]:
        """Number of jobs by state."""
        return dict(self._connection.execute(select(job.c.state, func.count()).group_by(job.c.state)).all())
