"""SQL statements for queued and running jobs of reports.

A claim increments ``attempt``. Later writes of a worker are accepted only while ``attempt`` is unchanged (fencing). Accounts take turns.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Select, and_, bindparam, cast, delete, func, insert, or_, select, tuple_, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.sql import Executable

from findable.store import write_locks
from findable.store.engine_messages import REPORT, Messages, is_lost
from findable.store.rows import ClaimedJob, JobRow
from findable.store.schema.job_tables import job, pause, turn
from findable.store.schema.report_tables import report, run
from findable.store.statements import Statements, columns

READY = "ready"
RUNNING = "running"
SMALL, BULK, BATCH = 0, 1, 2
"""Priorities of jobs. Jobs of batches come after all others of their account, because no person waits for a single one of them."""
SMALL_QUEUE = 4
"""Number of first jobs of an account that precede the long queues of other accounts, because a person is waiting for them."""
LONG_SHARE = 5
"""One job in this many is taken from a long queue first, so that endless short queues never block long ones. Every second of them is
taken from a batch first, so that an account's single reports never block its own batches."""
LOOK_AHEAD = 200
"""Number of jobs of a long queue that are searched for a free host before its hosts are tried one by one."""
TURNS = 64
"""Number of accounts to try per claim."""
HOSTS = 4
"""Number of free hosts that a claim may skip because all their jobs are delayed."""

FAR_S = 120
"""Maximum distance of a plausible future time. Delays and pauses end within a minute, so a later time was written with a wrong clock."""
HELD_LONG_S = 1
"""Running time after which a report is assumed to hang."""
AT_ONCE = 0
"""Time of a new job: it is due on any clock, even one that was set back or on another machine."""


def has_passed(moment: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a time has passed."""
    return or_(moment <= bindparam("now"), moment > bindparam("now") + FAR_S)


MINE = and_(job.c.id == bindparam("of_id"), job.c.attempt == bindparam("of_attempt"), job.c.state == RUNNING)
_OF_REPORT = job.c.report_id.is_not(None)
"""Condition for jobs of reports; jobs of crawls have separate statements (`crawl_job_statements`)."""
_CLAIM = (
    update(job)
    .where(job.c.id == bindparam("of_id"), job.c.state == READY)
    .values(state=RUNNING, attempt=job.c.attempt + 1, worker=bindparam("by"), started_at=bindparam("now"))
)
_BEAT = update(job).where(MINE).values(progress=func.coalesce(bindparam("reported"), job.c.progress))
_BEGIN = update(job).where(MINE).values(worker=bindparam("by"), started_at=bindparam("now"))
_FINISH = delete(job).where(MINE).returning(job.c.account_id)
_AGAIN: dict[str, Any] = {"state": READY, "worker": None, "progress": None, "reason": bindparam("why")}
_HAND_BACK = update(job).where(MINE).values(**_AGAIN)
_LOST: dict[str, Any] = {**_AGAIN, "failures": job.c.failures + bindparam("points"), "run_at": bindparam("later")}
_BACK_FAILED = update(job).where(MINE).values(**_LOST).returning(job.c.failures)
_RUNNING_HOSTS = select(job.c.host, job.c.account_id, job.c.started_at).where(job.c.state == RUNNING, job.c.host != "")
_AT_WORK = select(job.c.account_id).where(job.c.state == RUNNING, _OF_REPORT).distinct()
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
    select(job.c.id, job.c.account_id).where(_BULK, job.c.host == bindparam("host"), has_passed(job.c.run_at)).order_by(job.c.id).limit(1)
)
_FEW = select(job.c.id, job.c.account_id, job.c.host, job.c.run_at).where(_BULK).order_by(job.c.id).limit(LOOK_AHEAD).subquery()

ClaimedT = TypeVar("ClaimedT", bound=ClaimedJob)


class _BusyHosts:
    """Hosts that accept no further report: paused, or at their limit.

    If one account has used all slots of a host for seconds, its pages may hang: then other accounts get one more slot.
    """

    def __init__(self, running: Iterable[tuple[str, int, int]], paused: Collection[str], limit: int, now: int) -> None:
        self._paused = paused
        self._limit = limit
        self._held_since = now - HELD_LONG_S
        self._running: dict[str, list[tuple[int, int]]] = {}
        for host, account_id, started_at in running:
            self.add(host, account_id, started_at)

    def add(self, host: str, account_id: int, started_at: int) -> None:
        """Count one more running report."""
        if host:
            self._running.setdefault(host, []).append((account_id, started_at))

    def blocked_by_one_account(self) -> dict[str, int]:
        """Return the hosts at their limit whose slots a single account has occupied for long, with that account."""
        return {
            host: held[0][0]
            for host, held in self._running.items()
            if len(held) == self._limit and len({one for one, _ in held}) == 1 and max(at for _, at in held) <= self._held_since
        }

    def for_all(self) -> list[str]:
        """Return the hosts that are busy for every account."""
        full = {host for host, held in self._running.items() if len(held) >= self._limit}
        return sorted({*self._paused, *(full - self.blocked_by_one_account().keys())})

    def for_account(self, account_id: int) -> list[str]:
        """Return the hosts that are busy for the account."""
        return sorted({*self.for_all(), *(host for host, one in self.blocked_by_one_account().items() if one == account_id)})


def _first_small(busy: _BusyHosts, passed: Collection[int]) -> Select[Any]:
    """Select the first job among short queues, of the account that has waited longest."""
    statement = select(job.c.id, job.c.account_id).join(turn, turn.c.account_id == job.c.account_id).where(_SMALL, has_passed(job.c.run_at))
    if for_all := busy.for_all():
        statement = statement.where(job.c.host.not_in(for_all))
    if blocked_by_one_account := busy.blocked_by_one_account():
        statement = statement.where(tuple_(job.c.host, job.c.account_id).not_in(sorted(blocked_by_one_account.items())))
    if passed:
        statement = statement.where(job.c.account_id.not_in(passed))
    return statement.order_by(turn.c.served, job.c.id).limit(1)


def _first_bulk(busy: Collection[str]) -> Select[Any]:
    """Select the first job with a free host among the first few jobs of a long queue."""
    statement = select(_FEW.c.id, _FEW.c.account_id).where(has_passed(_FEW.c.run_at))
    if busy:
        statement = statement.where(_FEW.c.host.not_in(busy))
    return statement.order_by(_FEW.c.id).limit(1)


class QueuedJobs(Statements, Generic[ClaimedT]):
    """SQL statements for jobs of one kind, in one transaction."""

    kind: ClassVar[str]
    is_of_kind: ClassVar[ColumnElement[bool]]
    row_type: ClassVar[type[Any]]
    """Type of a claimed job."""

    def _insert(self, **values: object) -> int:
        """Queue a job with these columns and return its id."""
        row = {"kind": self.kind, "state": READY, "run_at": AT_ONCE, **values}
        return int(self._connection.execute(insert(job).returning(job.c.id), row).scalar_one())

    def _claim_job(self, job_id: int, worker: str, now: int) -> ClaimedT | None:
        """Claim a queued job; None if it was deleted before its account was locked."""
        statement = _CLAIM.returning(*columns(self.row_type, job))
        return self._first(self.row_type, statement, {"of_id": job_id, "by": worker, "now": now})

    def _execute_own(self, job_id: int, attempt: int, statement: Executable, **values: object) -> CursorResult[Any]:
        """Lock the account of a job and execute a statement on it (`MINE`); it has no row if another attempt owns the job."""
        write_locks.lock_account_of(self._connection, job.c.id, job_id)
        return self._connection.execute(statement, {"of_id": job_id, "of_attempt": attempt, **values})

    def _paused_hosts(self, now: int) -> set[str]:
        """Return the hosts to which requests are paused."""
        return {host for _, host, _ in self.pauses(now) if host}

    def pauses(self, now: int) -> list[tuple[str, str, int]]:
        """Return (origin, host, end) of current pauses of requests."""
        return [(str(origin), str(host), int(until)) for origin, host, until in self._connection.execute(_PAUSED, {"now": now})]

    def begin(self, job_id: int, attempt: int, worker: str, now: int) -> ClaimedT | None:
        """Record which worker runs a job that the engine delivered; None if another attempt owns it or it was deleted.

        The record may be lost if the server fails, since it only informs people.
        """
        self._connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
        statement = _BEGIN.returning(*columns(self.row_type, job))
        return self._first(self.row_type, statement, {"of_id": job_id, "of_attempt": attempt, "by": worker, "now": now})

    def lost(self, lost_after_s: int) -> list[ClaimedT]:
        """Return running jobs whose worker may be lost; see `engine_messages.is_lost`."""
        statement = select(*columns(self.row_type, job)).where(job.c.state == RUNNING, self.is_of_kind)
        return self._all(self.row_type, statement.where(is_lost(self._connection, self.kind, lost_after_s)))

    def depths(self) -> dict[str, tuple[int, int]]:
        """Return the number of jobs by state, and the time at which the oldest was queued."""
        statement = select(job.c.state, func.count(), func.min(job.c.created_at)).where(self.is_of_kind).group_by(job.c.state)
        return {row[0]: (row[1], row[2]) for row in self._connection.execute(statement)}

    def waiting_again(self) -> dict[str, int]:
        """Count requeued jobs by reason."""
        statement = select(job.c.reason, func.count()).where(job.c.state == READY, self.is_of_kind, job.c.reason.is_not(None))
        return {str(reason): int(count) for reason, count in self._connection.execute(statement.group_by(job.c.reason))}


class Jobs(QueuedJobs[JobRow]):
    """SQL statements for jobs of reports, in one transaction."""

    kind, is_of_kind, row_type = REPORT, _OF_REPORT, JobRow

    def add(self, account_id: int, *, of_batch: bool = False, **values: object) -> int:
        """Queue a job for a report that has none and return its id. ``values`` are further columns.

        ``host`` is empty if no limit per host applies; ``person_id`` is None for work of the project.
        """
        write_locks.lock_account(self._connection, account_id)
        priority = BATCH if of_batch else self._priority(account_id)
        self._add_to_turn(account_id)
        return self._insert(account_id=account_id, priority=priority, **values)

    def set_browser(self, report_id: int, browser: str) -> None:
        """Set the browser mode of the queued run of a report (`JobRow.browser`); one that is running keeps its own."""
        self._connection.execute(update(job).where(job.c.report_id == report_id, job.c.state == READY).values(browser=browser))

    def _priority(self, account_id: int) -> int:
        """Return the priority of a new job outside batches."""
        if self.active(account_id) < SMALL_QUEUE:
            return SMALL
        ahead = int(self._connection.execute(_AHEAD, {"account": account_id}).scalar_one())
        return SMALL if ahead < SMALL_QUEUE else BULK

    def _add_to_turn(self, account_id: int) -> None:
        """Count one more job of the account; an account without jobs becomes the next in turn."""
        served = select(func.coalesce(func.min(turn.c.served), 0)).select_from(turn).scalar_subquery()
        self._upsert(turn, {"account_id": account_id}, {"active": 1, "served": served}, {"active": turn.c.active + 1})

    def _remove_from_turn(self, account_id: int, count: int = 1) -> None:
        self._connection.execute(update(turn).where(turn.c.account_id == account_id).values(active=turn.c.active - count))
        self._connection.execute(delete(turn).where(turn.c.account_id == account_id, turn.c.active <= 0))

    def active(self, account_id: int) -> int:
        """Count the queued and running jobs of the account."""
        write_locks.lock_account(self._connection, account_id)
        return int(self._connection.execute(select(turn.c.active).where(turn.c.account_id == account_id)).scalar_one_or_none() or 0)

    def of_batches(self, account_id: int) -> int:
        """Count the account's jobs that belong to batches."""
        write_locks.lock_account(self._connection, account_id)
        return int(self._connection.execute(_OF_BATCHES, {"account": account_id}).scalar_one())

    def join(self, report_id: int, *, fresh_site: bool, person_id: int | None = None) -> bool:
        """Return whether the report has a job. With ``fresh_site``, a queued job will refetch the site capture.

        A queued job of a person runs with the role of ``person_id`` from now on.
        """
        write_locks.lock_account_of(self._connection, report.c.id, report_id)
        found = self._connection.execute(select(job.c.id).where(job.c.report_id == report_id)).first()
        if found and fresh_site:
            self._connection.execute(
                update(job).where(job.c.report_id == report_id, job.c.state == READY).values(fresh_site=1, is_scheduled=0)
            )
        if found and person_id is not None:
            queued = job.c.report_id == report_id, job.c.state == READY, job.c.person_id.is_not(None)
            self._connection.execute(update(job).where(*queued).values(person_id=person_id))
        return found is not None

    def claim(self, worker: str, *, now: int, host_limit: int, limit: int = 1, spare: int = 0, claim_count: int = 0) -> list[JobRow]:
        """Claim up to ``limit`` jobs in turn, and ``spare`` more of accounts without running jobs.

        ``claim_count``: number of jobs that the process has claimed before; every fifth job comes from a long queue if there is one
        (``LONG_SHARE``).

        Decisions across all workers are made here: hosts that are busy or in a pause are skipped, and a locked account is waited for only
        if no other account has jobs.
        """
        write_locks.lock_claims(self._connection)
        paused = self._paused_hosts(now)
        running = [(str(host), int(account_id), int(at or 0)) for host, account_id, at in self._connection.execute(_RUNNING_HOSTS)]
        busy = _BusyHosts(running, paused, host_limit, now)
        passed: set[int] = set()
        taken: list[JobRow] = []
        while len(taken) < limit + spare:
            at_work = frozenset(self._connection.execute(_AT_WORK).scalars()) if len(taken) >= limit else frozenset()
            chosen = self._next(busy, passed | at_work, now, claim_count + len(taken) + 1)
            if chosen is None:
                if taken or not passed:
                    break
                write_locks.lock_account(self._connection, passed.pop())
                passed.clear()
                continue
            job_id, account_id = chosen
            if not write_locks.try_lock_account(self._connection, account_id):
                passed.add(account_id)
                continue
            row = self._claim_job(job_id, worker, now)
            if row is not None:
                write_locks.add_to_locked_account(self._connection, account_id, report_id=row.report_id, job_id=job_id)
                self._connection.execute(_SERVED, {"account": account_id})
                busy.add(row.host, account_id, now)
                taken.append(row)
        return taken

    def clock(self, now: int) -> int:
        """Return the time of the database if several machines share it, else ``now``."""
        if self._connection.dialect.name != "postgresql":
            return now
        return int(self._connection.execute(_CLOCK).scalar_one())

    def set_pause(self, origin: str, host: str, until: int) -> None:
        """Pause requests to the origin until that time."""
        self._upsert(pause, {"origin": origin}, {"host": host, "until_at": until})

    def delete_ended_pauses(self, now: int) -> None:
        """Delete pauses that have ended."""
        self._connection.execute(delete(pause).where(or_(pause.c.until_at <= now, pause.c.until_at > now + FAR_S)))

    def _next(self, busy: _BusyHosts, passed: Collection[int], now: int, number: int) -> tuple[int, int] | None:
        """Return the next (job, account) for the claim of this number."""
        long_first, batch_first = number % LONG_SHARE == 0, number % (2 * LONG_SHARE) == 0
        if long_first and (bulk := self._next_bulk(busy, passed, now, (BATCH, BULK) if batch_first else (BULK, BATCH))) is not None:
            return bulk
        small = self._connection.execute(_first_small(busy, passed), {"now": now}).first()
        if small is not None:
            return int(small[0]), int(small[1])
        return None if long_first else self._next_bulk(busy, passed, now, (BULK, BATCH))

    def _next_bulk(self, busy: _BusyHosts, passed: Collection[int], now: int, priorities: tuple[int, int]) -> tuple[int, int] | None:
        """Return the first (job, account) of a long queue, by the accounts' turns and these priorities."""
        for account_id in self._connection.execute(_TURNS, {"limit": TURNS + len(passed)}).scalars().all():
            if account_id in passed:
                continue
            hosts = busy.for_account(account_id)
            for priority in priorities:
                values = {"account": account_id, "now": now, "priority": priority}
                chosen = self._connection.execute(_first_bulk(hosts), values).first()
                if chosen is None and hosts:
                    chosen = self._first_of_free_host(hosts, values)
                if chosen is not None:
                    return int(chosen[0]), int(chosen[1])
        return None

    def _first_of_free_host(self, busy: Sequence[str], values: dict[str, Any]) -> Any:
        """Return (job, account) of the first free host of a long queue; None if there is none.

        It reads a few hosts more than there are busy hosts, so that some are not busy.
        """
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

    def beat(self, job_id: int, attempt: int, *, progress: str | None) -> bool:
        """Store the progress (JSON). Returns False if the job no longer belongs to this attempt."""
        values = {"of_id": job_id, "of_attempt": attempt, "reported": progress}
        return self._connection.execute(_BEAT, values).rowcount == 1

    def lock_account(self, account_id: int, jobs: Iterable[tuple[int, int]]) -> None:
        """Lock the account for several of its jobs (job id, report id) at once."""
        write_locks.lock_account(self._connection, account_id)
        for job_id, report_id in jobs:
            write_locks.add_to_locked_account(self._connection, account_id, report_id=report_id, job_id=job_id)

    def finish(self, job_id: int, attempt: int) -> bool:
        """End the job. Returns False if it no longer belongs to this attempt: then the worker must not write."""
        return bool(self.finish_all([(job_id, attempt)]))

    def finish_all(self, jobs: Iterable[tuple[int, int]]) -> set[int]:
        """End several jobs, given as (id, attempt).

        Only for the returned ids, which their attempt still owns, the worker may write results.
        """
        finished: set[int] = set()
        left: Counter[int] = Counter()
        for job_id, attempt in jobs:
            account_id = self._execute_own(job_id, attempt, _FINISH).scalar_one_or_none()
            if account_id is not None:
                finished.add(job_id)
                left[account_id] += 1
        for account_id, count in left.items():
            self._remove_from_turn(account_id, count)
        return finished

    def hand_back(self, job_id: int, attempt: int) -> bool:
        """Queue the job again as if it had not been claimed; `attempt` stays incremented, so that the old attempt cannot write."""
        return self._execute_own(job_id, attempt, _HAND_BACK, why=None).rowcount == 1

    def requeue_lost(self, job_id: int, attempt: int, run_at: int, reason: str, points: int) -> int | None:
        """Queue the job again after a loss and return the sum of the points of its losses; None if another attempt owns it."""
        return self._execute_own(job_id, attempt, _BACK_FAILED, later=run_at, why=reason, points=points).scalar_one_or_none()

    def delay(self, job_id: int, run_at: int) -> None:
        """Delay the job until ``run_at``."""
        self._connection.execute(update(job).where(job.c.id == job_id).values(run_at=run_at))

    def remove(self, job_id: int, account_id: int) -> None:
        """Delete a job of the account."""
        write_locks.lock_account(self._connection, account_id)
        self._connection.execute(delete(job).where(job.c.id == job_id))
        self._remove_from_turn(account_id)

    def drop(self, report_ids: Collection[int]) -> None:
        """Delete the jobs of deleted reports; a worker that runs one cancels it."""
        write_locks.lock_accounts_of_reports(self._connection, report_ids)
        statement = delete(job).where(job.c.report_id.in_(report_ids)).returning(job.c.account_id, job.c.id, job.c.attempt)
        deleted_jobs = self._connection.execute(statement).all()
        Messages(self._connection).cancel(REPORT, deleted_jobs)
        for account_id, count in Counter(row.account_id for row in deleted_jobs).items():
            self._remove_from_turn(account_id, count)

    def waiting_by_priority(self) -> dict[int, int]:
        """Count queued jobs by priority."""
        statement = select(job.c.priority, func.count()).where(job.c.state == READY, _OF_REPORT).group_by(job.c.priority)
        return {int(priority): int(count) for priority, count in self._connection.execute(statement)}

    def running_by(self) -> list[tuple[str, str, int]]:
        """Return (worker, host, number of running jobs); the host is empty if no limit applies."""
        statement = select(job.c.worker, job.c.host, func.count()).where(job.c.state == RUNNING).group_by(job.c.worker, job.c.host)
        return [(str(worker), str(host), int(count)) for worker, host, count in self._connection.execute(statement)]

    def ended_since(self, moment: int) -> int:
        """Count the runs that ended since that time."""
        statement = select(func.count()).select_from(run).where(run.c.finished_at >= moment, run.c.rescored_from.is_(None))
        return int(self._connection.execute(statement).scalar_one())

    def errors_since(self, moment: int) -> list[str]:
        """Return the errors (JSON) of runs that failed since that time."""
        statement = select(run.c.error).where(run.c.finished_at >= moment, run.c.rescored_from.is_(None), run.c.error.is_not(None))
        return [str(error) for error in self._connection.execute(statement).scalars()]
