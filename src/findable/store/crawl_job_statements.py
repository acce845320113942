"""SQL statements for jobs of crawls. A job is processed in slices and returned to the queue after each; accounts take turns.

They have separate slots from reports, so that a crawl never delays a report. One crawl per host runs at a time; it counts towards the limit
of reports per host.
"""

from typing import Any

from sqlalchemy import and_, bindparam, case, delete, func, select, update

from findable.store import write_locks
from findable.store.crawl_row import CrawlJobRow
from findable.store.engine_messages import CRAWL as KIND
from findable.store.engine_messages import Messages
from findable.store.job_statements import AT_ONCE, MINE, READY, RUNNING, QueuedJobs, has_passed
from findable.store.schema.job_tables import job
from findable.store.schema.site_tables import crawl

CRAWL = 3
"""Priority of crawls, which claims for reports ignore."""
_IS_CRAWL = job.c.priority == CRAWL
_OF_CRAWLS = and_(job.c.state.in_((READY, RUNNING)), _IS_CRAWL)
_BY_ACCOUNT = (
    select(
        job.c.account_id,
        func.sum(case((job.c.state == RUNNING, 1), else_=0)).label("running"),
        func.max(func.coalesce(job.c.started_at, 0)).label("served"),
    )
    .where(_OF_CRAWLS)
    .group_by(job.c.account_id)
    .subquery()
)
_NEXT = (
    select(job.c.id, job.c.account_id)
    .join(_BY_ACCOUNT, _BY_ACCOUNT.c.account_id == job.c.account_id)
    .where(job.c.state == READY, _IS_CRAWL, has_passed(job.c.run_at))
    .order_by(_BY_ACCOUNT.c.running, _BY_ACCOUNT.c.served, func.coalesce(job.c.started_at, 0), job.c.id)
    .limit(1)
)
_HOSTS = select(job.c.host, func.count(), func.max(job.c.priority)).where(job.c.state == RUNNING, job.c.host != "").group_by(job.c.host)
_AGAIN: dict[str, Any] = {
    "state": READY,
    "worker": None,
    "reason": bindparam("why"),
    "run_at": bindparam("later"),
    "failures": bindparam("failed"),
}


class CrawlJobs(QueuedJobs[CrawlJobRow]):
    """SQL statements for jobs of crawls, in one transaction."""

    kind, is_of_kind, row_type = KIND, _IS_CRAWL, CrawlJobRow

    def add(self, account_id: int, **values: object) -> None:
        """Queue a job for a crawl that has none; ``values`` are further columns. ``host`` is empty if no limit per host applies."""
        write_locks.lock_account(self._connection, account_id)
        self._insert(account_id=account_id, priority=CRAWL, fresh_site=0, **values)

    def claim(self, worker: str, *, now: int, host_limit: int, limit: int) -> list[CrawlJobRow]:
        """Claim up to ``limit`` slices: accounts with the fewest running crawls first, then those served longest ago."""
        write_locks.lock_claims(self._connection)
        paused = self._paused_hosts(now)
        taken: list[CrawlJobRow] = []
        while len(taken) < limit:
            running = self._connection.execute(_HOSTS).all()
            busy = paused | {host for host, count, priority in running if priority == CRAWL or count >= host_limit}
            statement = _NEXT.where(job.c.host.not_in(busy)) if busy else _NEXT
            chosen = self._connection.execute(statement, {"now": now}).first()
            if chosen is None or not write_locks.try_lock_account(self._connection, chosen.account_id):
                break
            row = self._claim_job(chosen.id, worker, now)
            taken += [row] if row is not None else []
        return taken

    def hand_back(self, job_id: int, attempt: int, *, run_at: int = AT_ONCE, failures: int = 0, reason: str | None = None) -> bool:
        """Queue the next slice. Returns False if another attempt owns the job."""
        again = update(job).where(MINE).values(_AGAIN)
        return self._execute_own(job_id, attempt, again, why=reason, later=run_at, failed=failures).rowcount == 1

    def finish(self, job_id: int, attempt: int) -> bool:
        """Delete the finished job. Returns False if another attempt owns it; then the worker must not write."""
        return self._execute_own(job_id, attempt, delete(job).where(MINE)).rowcount == 1

    def belongs_to_attempt(self, job_id: int, attempt: int) -> bool:
        """Return whether the job still belongs to the attempt."""
        return self._execute_own(job_id, attempt, select(job.c.id).where(MINE)).first() is not None

    def reset_failures(self, job_id: int) -> None:
        """Reset the count of lost workers, because the crawl progressed."""
        self._connection.execute(update(job).where(job.c.id == job_id).values(failures=0))

    def make_due(self, crawl_id: int) -> None:
        """Make the next slice of a waiting crawl due now."""
        self._connection.execute(update(job).where(job.c.crawl_id == crawl_id, job.c.state == READY).values(run_at=AT_ONCE))

    def drop(self, crawl_id: int) -> None:
        """Delete the job of a crawl; a worker that runs it cancels it."""
        write_locks.lock_account_of(self._connection, crawl.c.id, crawl_id)
        deleted_jobs = self._connection.execute(delete(job).where(job.c.crawl_id == crawl_id).returning(job.c.id, job.c.attempt)).all()
        Messages(self._connection).cancel(KIND, deleted_jobs)
