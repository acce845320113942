"""SQL statements for schedules: claim those that are due, and plan their next runs."""

from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, func, literal, or_, select, update

from findable.store import write_locks
from findable.store.crawl_statements import UNFINISHED
from findable.store.project_roles import granted_to
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import batch
from findable.store.schema.site_tables import crawl, schedule
from findable.store.statements import TableRows, columns


class ScheduleRow(NamedTuple):
    """Schedule of a project."""

    id: int
    account_id: int
    project_id: int
    person_id: int
    what: str
    every: str
    at: str
    time_zone: str
    settings_json: str
    created_at: int
    planned_at: int
    due_at: int
    last_at: int | None
    last_is_late: int
    last_batch: int | None
    last_crawl: int | None
    last_problem: str | None
    project: str


_ROW = (
    select(*columns(ScheduleRow, schedule, project=project.c.name))
    .join(project, project.c.id == schedule.c.project_id)
    .where(project.c.deleted_at.is_(None))
)
_DUE = (
    select(schedule.c.id)
    .where(schedule.c.due_at <= bindparam("now"))
    .order_by(schedule.c.planned_at, schedule.c.id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)
CLAIM = update(schedule).where(schedule.c.id.in_(_DUE.scalar_subquery())).values(due_at=bindparam("until")).returning(schedule.c.id)


class Schedules(TableRows):
    """SQL statements for schedules, in one transaction; reports and crawls of a removed schedule stay."""

    table = schedule

    def is_due(self, now: int) -> bool:
        """Return whether a schedule is due."""
        return self._has(select(schedule.c.id).where(schedule.c.due_at <= now))

    def claim(self, now: int, until: int, limit: int) -> list[int]:
        """Lease due schedules, those planned first come first, and return their ids. After ``until`` they are due again."""
        found = self._connection.execute(CLAIM, {"now": now, "until": until, "limit": limit})
        return sorted(int(number) for number in found.scalars())

    def advance(self, row: ScheduleRow, **values: Any) -> bool:
        """Record that the planned run is being started. Returns False if another worker has done so; then the caller must not start it."""
        write_locks.lock_account(self._connection, row.account_id)
        is_planned = schedule.c.id == row.id, schedule.c.planned_at == row.planned_at
        return self._connection.execute(update(schedule).where(*is_planned).values(**values)).rowcount == 1

    def wait(self, row: ScheduleRow, now: int, until: int, problem: str) -> None:
        """Let the planned run of a crawl wait, and with it the due crawls of the account; those planned first come first."""
        if not self.advance(row, due_at=until):
            return
        others = schedule.c.account_id == row.account_id, schedule.c.what == row.what, schedule.c.due_at <= now
        self._connection.execute(
            update(schedule).where(or_(schedule.c.id == row.id, and_(*others))).values(due_at=until, last_problem=problem)
        )

    def repeat_crawl(self, project_id: int, at: int) -> None:
        """Plan an additional crawl of the site before its next planned one."""
        mine = schedule.c.project_id == project_id, schedule.c.what == "crawl", schedule.c.planned_at > at
        self._connection.execute(update(schedule).where(*mine).values(planned_at=at, due_at=at))

    def by_id(self, schedule_id: int, account_id: int | None = None) -> ScheduleRow | None:
        """Return the schedule; None if it or its project is deleted, or it does not belong to ``account_id``."""
        if account_id is not None:
            write_locks.lock_account(self._connection, account_id)
        found = self._first(ScheduleRow, _ROW.where(schedule.c.id == schedule_id))
        return found if found is None or account_id in (None, found.account_id) else None

    def select(
        self, account_id: int, *, project_id: int | None = None, person_id: int | None = None, after: int = 0, limit: int
    ) -> list[ScheduleRow]:
        """Return schedules with larger ids than ``after``, in order; with a person, only of projects granted to the person."""
        statement = _ROW.where(schedule.c.account_id == account_id, schedule.c.id > after).order_by(schedule.c.id).limit(limit)
        if project_id is not None:
            statement = statement.where(schedule.c.project_id == project_id)
        if person_id is not None:
            statement = statement.where(schedule.c.project_id.in_(granted_to(literal(person_id))))
        return self._all(ScheduleRow, statement)

    def all_of(self, after: int, limit: int) -> list[ScheduleRow]:
        """Return schedules of all accounts with larger ids than ``after``, in order."""
        return self._all(ScheduleRow, _ROW.where(schedule.c.id > after).order_by(schedule.c.id).limit(limit))

    def count(self, account_id: int) -> int:
        """Count the schedules of an account."""
        write_locks.lock_account(self._connection, account_id)
        return int(self._connection.execute(select(func.count()).where(schedule.c.account_id == account_id)).scalar_one())

    def is_running(self, row: ScheduleRow) -> bool:
        """Return whether the batch or crawl of the schedule's last run is unfinished."""
        waiting = select(batch.c.id).where(batch.c.id == row.last_batch, batch.c.fed < batch.c.members)
        crawling = select(crawl.c.id).where(crawl.c.id == row.last_crawl, crawl.c.status.in_(UNFINISHED), crawl.c.deleted_at.is_(None))
        return self._has(waiting if row.last_batch is not None else crawling)
