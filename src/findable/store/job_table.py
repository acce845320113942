"""The lease table: work that is accepted, and who is at it.

A claim counts ``attempt`` up; whatever a worker writes later counts only while ``attempt`` is still the one it was given (the fence). A
worker says by heartbeats that it lives; a lease that ran out is somebody else's to take. Accounts take turns.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, Select, and_, bindparam, cast, delete, func, insert, or_, select, update

from findable.store import dialect, write_turns
from findable.store.rows import JobRow
from findable.store.schema import job, pause, run, turn

READY = "ready"
RUNNING = "running"
SMALL, BULK, BATCH = 0, 1, 2
"""Priorities. Jobs of batches come after all others of their account: nobody waits for one of them."""
SMALL_QUEUE = 4
"""The first jobs of an account go before the long queues of others: somebody waits for them."""
LOOK_AHEAD = 200
"""How far down a long queue is looked for a host that is free, before its hosts are walked one by one."""
TURNS = 64
"""How many accounts are asked in one claim."""
HOSTS = 4
"""How many free hosts whose jobs all rest are passed over in one claim."""

FAR_S = 120
"""A time further ahead was written while the clock was wrong: leases, rests and pauses end within a minute."""
AT_ONCE = 0
"""The time of a new job: it waits for no clock, neither one that is set back nor another machine's."""


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
_AGAIN: dict[str, Any] = {"state": READY, "worker": None, "lease_until": None, "progress": None, "reason": bindparam("why")}
_HAND_BACK = update(job).where(_MINE).values(**_AGAIN)
_BACK_FAILED = update(job).where(_MINE).values(**_AGAIN, failures=job.c.failures + 1, run_at=bindparam("later")).returning(job.c.failures)
_RUNNING = select(*(job.c[name] for name in JobRow._fields)).where(job.c.state == RUNNING)
_RUNNING_HOSTS = select(job.c.host, func.count()).where(job.c.state == RUNNING, job.c.host != "").group_by(job.c.host)
_AT_WORK = select(job.c.account_id).where(job.c.state == RUNNING).distinct()
_PAUSED = select(pause.c.origin, pause.c.host, pause.c.until_at).where(
    pause.c.until_at > bindparam("now"), pause.c.until_at <= bindparam("now") + FAR_S
)
_CLOCK = select(cast(func.extract("epoch", func.clock_timestamp()), BigInteger))
_SMALL = and_(job.c.state == READY, job.c.priority == SMALL)
_BULK = and_(job.c.state == READY, job.c.priority == bindparam("priority"), job.c.account_id == bindparam("account"))
_OWN = and_(job.c.state.in_((READY, RUNNING)), job.c.account_id == bindparam("account"))
_AHEAD = select(func.count()).select_from(select(job.c.id).where(_OWN, job.c.priority.in_((SMALL, BULK))).limit(SMALL_QUEUE).subquery())
_OF_BATCHES = select(func.count()).where(_OWN, job.c.priority == BATCH)
_TURNS = select(turn.c.account_id).order_by(turn.c.served).limit(bindparam("limit"))
_SERVED = update(turn).where(turn.c.account_id == bindparam("account")).values(served=select(func.max(turn.c.served) + 1).scalar_subquery())
_NEXT_HOST = select(func.min(job.c.host)).where(_BULK, job.c.host > bindparam("after"))
_FIRST_OF_HOST = (
    select(job.c.id, job.c.account_id).where(_BULK, job.c.host == bindparam("host"), _come(job.c.run_at)).order_by(job.c.id).limit(1)
)
_FEW = select(job.c.id, job.c.account_id, job.c.host, job.c.run_at).where(_BULK).order_by(job.c.id).limit(LOOK_AHEAD).subquery()


def _first_small(busy: Collection[str], passed: Collection[int]) -> Select[Any]:
    """The first job of a short queue, the account that waited longest first."""
    statement = select(job.c.id, job.c.account_id).join(turn, turn.c.account_id == job.c.account_id).where(_SMALL, _come(job.c.run_at))
    if busy:
        statement = statement.where(job.c.host.not_in(busy))
    if passed:
        statement = statement.where(job.c.account_id.not_in(passed))
    return statement.order_by(turn.c.served, job.c.id).limit(1)


def _first_bulk(busy: Collection[str]) -> Select[Any]:
    """The first job among the first few of a long queue whose host is free."""
    statement = select(_FEW.c.id, _FEW.c.account_id).where(_come(_FEW.c.run_at))
    if busy:
        statement = statement.where(_FEW.c.host.not_in(busy))
    return statement.order_by(_FEW.c.id).limit(1)


class Jobs:
    """The statements about jobs, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, account_id: int, report_id: int, *, host: str, fresh_site: bool, now: int, of_batch: bool = False) -> int:
        """Queues a job for a report that has none. Its id. ``host`` is empty where no limit per host holds."""
        write_turns.lock_account(self._connection, account_id)
        priority = BATCH if of_batch else self._priority(account_id)
        self._enter(account_id)
        values = {
            "kind": "report",
            "state": READY,
            "report_id": report_id,
            "account_id": account_id,
            "host": host,
            "priority": priority,
            "fresh_site": int(fresh_site),
            "run_at": AT_ONCE,
            "created_at": now,
        }
        return int(self._connection.execute(insert(job).returning(job.c.id), values).scalar_one())

    def _priority(self, account_id: int) -> int:
        """Of one more job that belongs to no batch."""
        if self.active(account_id) < SMALL_QUEUE:
            return SMALL
        ahead = int(self._connection.execute(_AHEAD, {"account": account_id}).scalar_one())
        return SMALL if ahead < SMALL_QUEUE else BULK

    def _enter(self, account_id: int) -> None:
        """Counts one more job of the account, which is next if it had none."""
        served = select(func.coalesce(func.min(turn.c.served), 0)).select_from(turn).scalar_subquery()
        statement = dialect.insert(self._connection.dialect.name, turn).values(account_id=account_id, active=1, served=served)
        statement = statement.on_conflict_do_update(index_elements=["account_id"], set_={"active": turn.c.active + 1})
        self._connection.execute(statement)

    def _leave(self, account_id: int, count: int = 1) -> None:
        self._connection.execute(update(turn).where(turn.c.account_id == account_id).values(active=turn.c.active - count))
        self._connection.execute(delete(turn).where(turn.c.account_id == account_id, turn.c.active <= 0))

    def active(self, account_id: int) -> int:
        """How many jobs of the account are queued or running."""
        write_turns.lock_account(self._connection, account_id)
        return int(self._connection.execute(select(turn.c.active).where(turn.c.account_id == account_id)).scalar_one_or_none() or 0)

    def of_batches(self, account_id: int) -> int:
        """How many of them belong to batches."""
        write_turns.lock_account(self._connection, account_id)
        return int(self._connection.execute(_OF_BATCHES, {"account": account_id}).scalar_one())

    def join(self, report_id: int, *, fresh_site: bool) -> bool:
        """Whether a job is queued or running for the report; one that is queued asks the site anew if that is wanted."""
        write_turns.lock_account_of_report(self._connection, report_id)
        found = self._connection.execute(select(job.c.id).where(job.c.report_id == report_id)).first()
        if found and fresh_site:
            self._connection.execute(update(job).where(job.c.report_id == report_id, job.c.state == READY).values(fresh_site=1))
        return found is not None

    def claim(self, worker: str, *, now: int, lease_s: int, host_limit: int, limit: int = 1, spare: int = 0) -> list[JobRow]:
        """Takes jobs whose turn it is, at most so many, and ``spare`` more of accounts for which nobody is at work.

        What is decided over all workers is decided here: a host that has enough of us, or asked for a pause, is passed over, and an
        account that somebody is writing to is waited for only where no other one has work.
        """
        write_turns.lock_claims(self._connection)
        running: Counter[str] = Counter(dict(self._connection.execute(_RUNNING_HOSTS).all()))
        paused = {host for _, host, _ in self.paused(now) if host}
        passed: set[int] = set()
        taken: list[JobRow] = []
        while len(taken) < limit + spare:
            busy = paused | {host for host, count in running.items() if count >= host_limit}
            at_work = self._at_work() if len(taken) >= limit else frozenset()
            chosen = self._next(sorted(busy), passed | at_work, now)
            if chosen is None:
                if taken or not passed:
                    break
                write_turns.lock_account(self._connection, passed.pop())
                passed.clear()
                continue
            job_id, account_id = chosen
            if not write_turns.try_lock_account(self._connection, account_id):
                passed.add(account_id)
                continue
            values = {"of_id": job_id, "by": worker, "until": now + lease_s, "now": now}
            row = self._connection.execute(_CLAIM, values).first()
            if row is not None:  # else it was deleted before we held its account
                write_turns.belongs(self._connection, account_id, report_id=row.report_id, job_id=job_id)
                self._connection.execute(_SERVED, {"account": account_id})
                running.update([row.host] if row.host else [])
                taken.append(JobRow._make(row))
        return taken

    def clock(self, now: int) -> int:
        """The time by which leases begin and end: where several machines share a database, its own; else the time given."""
        if self._connection.dialect.name != "postgresql":
            return now
        return int(self._connection.execute(_CLOCK).scalar_one())

    def paused(self, now: int) -> list[tuple[str, str, int]]:
        """(origin, host, until) of those that want to be left alone."""
        return [(str(origin), str(host), int(until)) for origin, host, until in self._connection.execute(_PAUSED, {"now": now})]

    def set_pause(self, origin: str, host: str, until: int) -> None:
        """The origin wants to be left alone until then."""
        statement = dialect.insert(self._connection.dialect.name, pause).values(origin=origin, host=host, until_at=until)
        self._connection.execute(statement.on_conflict_do_update(index_elements=["origin"], set_={"host": host, "until_at": until}))

    def forget_pauses(self, now: int) -> None:
        """Those that are over."""
        self._connection.execute(delete(pause).where(or_(pause.c.until_at <= now, pause.c.until_at > now + FAR_S)))

    def _at_work(self) -> frozenset[int]:
        """Accounts for which somebody is at work."""
        return frozenset(self._connection.execute(_AT_WORK).scalars())

    def _next(self, busy: Sequence[str], passed: Collection[int], now: int) -> tuple[int, int] | None:
        """(job, account)."""
        small = self._connection.execute(_first_small(busy, passed), {"now": now}).first()
        return self._next_bulk(busy, passed, now) if small is None else (int(small[0]), int(small[1]))

    def _next_bulk(self, busy: Sequence[str], passed: Collection[int], now: int) -> tuple[int, int] | None:
        for account_id in self._connection.execute(_TURNS, {"limit": TURNS + len(passed)}).scalars().all():
            if account_id in passed:
                continue
            for priority in (BULK, BATCH):
                values = {"account": account_id, "now": now, "priority": priority}
                chosen = self._connection.execute(_first_bulk(busy), values).first()
                if chosen is None and busy:
                    chosen = self._of_free_host(busy, values)
                if chosen is not None:
                    return int(chosen[0]), int(chosen[1])
        return None

    def _of_free_host(self, busy: Sequence[str], values: dict[str, Any]) -> Any:
        """(job, account) or None: walks the hosts; one more step than there are busy ones finds a free one, or one that rests."""
        host = ""
        for _ in range(len(busy) + HOSTS):
            host = str(self._connection.execute(_NEXT_HOST, {**values, "after": host}).scalar_one_or_none() or "")
            if not host:
                return None
            if host not in busy:
                chosen: Any = self._connection.execute(_FIRST_OF_HOST, {**values, "host": host}).first()
                if chosen is not None:
                    return chosen
        return None

    def beat(self, job_id: int, attempt: int, *, until: int, progress: str | None) -> bool:
        """Extends the lease and keeps the progress (JSON). False where the job is not this attempt's any more."""
        values = {"of_id": job_id, "of_attempt": attempt, "until": until, "told": progress}
        return self._connection.execute(_BEAT, values).rowcount == 1

    def hold(self, account_id: int, jobs: Iterable[tuple[int, int]]) -> None:
        """The account is locked for several of its jobs (id, id of the report) at once."""
        write_turns.lock_account(self._connection, account_id)
        for job_id, report_id in jobs:
            write_turns.belongs(self._connection, account_id, report_id=report_id, job_id=job_id)

    def finish(self, job_id: int, attempt: int) -> bool:
        """The job is over. False where it is not this attempt's any more: then nothing may be written."""
        return bool(self.finish_all([(job_id, attempt)]))

    def finish_all(self, jobs: Iterable[tuple[int, int]]) -> set[int]:
        """(id, attempt) of several jobs that are over. The ids of those that were still this attempt's: only for them may be written."""
        finished: set[int] = set()
        left: Counter[int] = Counter()
        for job_id, attempt in jobs:
            write_turns.lock_account_of_job(self._connection, job_id)
            account_id = self._connection.execute(_FINISH, {"of_id": job_id, "of_attempt": attempt}).scalar_one_or_none()
            if account_id is not None:
                finished.add(job_id)
                left[account_id] += 1
        for account_id, count in left.items():
            self._leave(account_id, count)
        return finished

    def hand_back(self, job_id: int, attempt: int) -> bool:
        """The job is queued again as if it had not been taken (`attempt` stays counted up: the fence)."""
        write_turns.lock_account_of_job(self._connection, job_id)
        return self._connection.execute(_HAND_BACK, {"of_id": job_id, "of_attempt": attempt, "why": None}).rowcount == 1

    def back_failed(self, job_id: int, attempt: int, run_at: int, reason: str) -> int | None:
        """The job is queued again after its worker was lost; how often that happened. None where it is not this attempt's any more."""
        write_turns.lock_account_of_job(self._connection, job_id)
        values = {"of_id": job_id, "of_attempt": attempt, "later": run_at, "why": reason}
        return self._connection.execute(_BACK_FAILED, values).scalar_one_or_none()

    def rest(self, job_id: int, run_at: int) -> None:
        """Not to be taken before."""
        self._connection.execute(update(job).where(job.c.id == job_id).values(run_at=run_at))

    def remove(self, job_id: int, account_id: int) -> None:
        """The job is given up."""
        write_turns.lock_account(self._connection, account_id)
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
        write_turns.lock_accounts_of_reports(self._connection, report_ids)
        gone = self._connection.execute(delete(job).where(job.c.report_id.in_(report_ids)).returning(job.c.account_id)).scalars().all()
        for account_id, count in Counter(gone).items():
            self._leave(account_id, count)

    def counts(self) -> dict[str, int]:
        """Number of jobs by state."""
        return {state: count for state, (count, _) in self.depths().items()}

    def depths(self) -> dict[str, tuple[int, int]]:
        """Number of jobs by state, and when the oldest of them was queued."""
        statement = select(job.c.state, func.count(), func.min(job.c.created_at)).group_by(job.c.state)
        return {row[0]: (row[1], row[2]) for row in self._connection.execute(statement)}

    def waiting_by_priority(self) -> dict[int, int]:
        """Number of jobs that wait, by priority."""
        statement = select(job.c.priority, func.count()).where(job.c.state == READY).group_by(job.c.priority)
        return {int(priority): int(count) for priority, count in self._connection.execute(statement)}

    def waiting_again(self) -> dict[str, int]:
        """Number of jobs that wait once more, by the reason."""
        statement = select(job.c.reason, func.count()).where(job.c.state == READY, job.c.reason.is_not(None)).group_by(job.c.reason)
        return {str(reason): int(count) for reason, count in self._connection.execute(statement)}

    def running_by(self) -> list[tuple[str, str, int]]:
        """(worker, host, jobs) of what is being done; the host is empty where no limit holds."""
        statement = select(job.c.worker, job.c.host, func.count()).where(job.c.state == RUNNING).group_by(job.c.worker, job.c.host)
        return [(str(worker), str(host), int(count)) for worker, host, count in self._connection.execute(statement)]

    def ended_since(self, moment: int) -> int:
        """How many runs ended since then."""
        statement = select(func.count()).select_from(run).where(run.c.finished_at >= moment, run.c.rescored_from.is_(None))
        return int(self._connection.execute(statement).scalar_one())

    def errors_since(self, moment: int) -> list[str]:
        """The errors (JSON) of those that ended since then and have one."""
        statement = select(run.c.error).where(run.c.finished_at >= moment, run.c.rescored_from.is_(None), run.c.error.is_not(None))
        return [str(error) for error in self._connection.execute(statement).scalars()]
