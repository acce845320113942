"""SQL statements for batches: many URLs submitted at once. Their reports are queued gradually, in the order of their positions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, delete, func, insert, not_, or_, select, update

from findable.store import write_locks
from findable.store.schema.job_tables import job
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import WAITING, batch, batch_member, report
from findable.store.statements import Statements, columns
from findable.vocabulary import Status

WAITS, REFUSED, DELETED = "waiting", "refused", "deleted"
"""States of a member without a report: pending, rejected, deleted. With a report, its status is the state."""


class BatchRow(NamedTuple):
    """Batch of an account."""

    id: int
    account_id: int
    source: str
    members: int
    left_out: int
    created_at: int
    duplicates: int
    fed: int
    privacy: int
    password_hash: str | None
    makes_new: int
    schedule_id: int | None
    browser: str | None
    person_id: int | None
    project_id: int | None


class NewMember(NamedTuple):
    """A URL of a new batch."""

    url: str
    scheme_guessed: int
    refused: str | None


class WaitingRow(NamedTuple):
    """Member of a batch whose report must be created, or that was rejected at the start."""

    place: int
    url: str
    scheme_guessed: int
    refused: str | None


class MemberRow(NamedTuple):
    """Member of a batch with the state of its report."""

    url: str
    refused: str | None
    state: str
    report_id: int | None
    public_id: str | None
    result: str | None
    score: int | None
    error_json: str | None
    summary_json: str | None = None
    """Summary of the shown run of its report, in lists for people."""


class MemberCount(NamedTuple):
    """Number of members of a batch with the state and result."""

    state: str
    result: str | None
    members: int


_ALIVE = and_(report.c.id.is_not(None), project.c.deleted_at.is_(None))
_STATE: ColumnElement[str] = case(
    (batch_member.c.refused.is_not(None), REFUSED),
    (and_(_ALIVE, job.c.state == "ready"), Status.QUEUED.value),
    (and_(_ALIVE, job.c.id.is_not(None)), Status.RUNNING.value),
    (and_(_ALIVE, report.c.last_error.is_not(None)), Status.FAILED.value),
    (_ALIVE, report.c.status),
    (batch_member.c.place >= batch.c.fed, WAITS),
    else_=DELETED,
)
_JOINED = (
    batch_member.join(batch, batch.c.id == batch_member.c.batch_id)
    .outerjoin(report, report.c.id == batch_member.c.report_id)
    .outerjoin(project, project.c.id == report.c.project_id)
    .outerjoin(job, job.c.report_id == batch_member.c.report_id)
)
_ROW = select(*columns(BatchRow, batch))
_HAS_RESPONDED = and_(_ALIVE, batch_member.c.scheme_guessed == 1, report.c.run.is_not(None))
_URL: ColumnElement[str] = case((_HAS_RESPONDED, report.c.url), else_=batch_member.c.url)
"""URL of a member, with the scheme that responded if none was typed."""


def _members(batch_id: int) -> Select[Any]:
    """Select the members of a batch in order of position."""
    return (
        select(
            _URL.label("url"),
            batch_member.c.refused,
            _STATE.label("state"),
            case((_ALIVE, report.c.id)).label("report_id"),
            case((_ALIVE, report.c.public_id)).label("public_id"),
            case((_ALIVE, report.c.result)).label("result"),
            case((_ALIVE, report.c.score)).label("score"),
            case((_ALIVE, func.coalesce(report.c.last_error, report.c.error))).label("error_json"),
        )
        .select_from(_JOINED)
        .where(batch_member.c.batch_id == batch_id)
        .order_by(batch_member.c.place)
    )


class Batches(Statements):
    """SQL statements for batches, in one transaction."""

    def add(self, row: dict[str, Any], members: Sequence[NewMember]) -> int:
        """Insert a batch with all its members and return its id; the keys of ``row`` are column names except ``members``."""
        write_locks.lock_account(self._connection, row["account_id"])
        batch_id = int(self._connection.execute(insert(batch).returning(batch.c.id), {**row, "members": len(members)}).scalar_one())
        rows = [{"batch_id": batch_id, "place": place, **member._asdict()} for place, member in enumerate(members)]
        self._connection.execute(insert(batch_member), rows)
        return batch_id

    def get(self, account_id: int, batch_id: int) -> BatchRow | None:
        """Return the batch; None if it does not exist or belongs to another account."""
        return self._first(BatchRow, _ROW.where(batch.c.account_id == account_id, batch.c.id == batch_id))

    def select(self, account_id: int, *, before: int, limit: int) -> list[BatchRow]:
        """Return batches with smaller ids than ``before``, newest first."""
        found = _ROW.where(batch.c.account_id == account_id, batch.c.id < before)
        return self._all(BatchRow, found.order_by(batch.c.id.desc()).limit(limit))

    def with_waiting_members(self, account_id: int) -> list[BatchRow]:
        """Return batches of the account with members that have no report yet, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(BatchRow, _ROW.where(batch.c.account_id == account_id, WAITING).order_by(batch.c.id))

    def waiting_accounts(self) -> list[int]:
        """Return the ids of accounts whose batches have members that wait for a report."""
        waiting = select(batch.c.account_id).where(WAITING).distinct()
        return list(self._connection.execute(waiting.order_by(batch.c.account_id)).scalars())

    def counts(self, batch_id: int) -> list[MemberCount]:
        """Count the members of a batch by state and result."""
        counted = select(_STATE.label("became"), case((_ALIVE, report.c.result)).label("rated"), func.count()).select_from(_JOINED)
        # labels that are not column names: PostgreSQL would prefer the column
        return self._all(MemberCount, counted.where(batch_member.c.batch_id == batch_id).group_by("became", "rated"))

    def members(self, batch_id: int, *, limit: int, offset: int = 0) -> list[MemberRow]:
        """Return members of a batch in order of position."""
        return self._all(MemberRow, _members(batch_id).limit(limit).offset(offset))

    def members_with_summaries(self, batch_id: int, *, limit: int, offset: int, worst_first: bool) -> list[MemberRow]:
        """Return members with the summaries of their reports, by position or the lowest score first."""
        found = _members(batch_id).add_columns(case((_ALIVE, report.c.summary)))
        if worst_first:
            found = found.order_by(None).order_by(case((_ALIVE, report.c.worst_down), else_=0).desc(), batch_member.c.place)
        return self._all(MemberRow, found.limit(limit).offset(offset))

    def failures(self, batch_id: int) -> list[MemberRow]:
        """Return the members that were rejected, or whose page could not be loaded."""
        has_failed = or_(batch_member.c.refused.is_not(None), report.c.status == "failed", report.c.last_error.is_not(None))
        return self._all(MemberRow, _members(batch_id).where(has_failed))

    def next_members(self, batch_id: int, place: int, limit: int) -> list[WaitingRow]:
        """Return waiting members of a batch from a position on."""
        found = select(*columns(WaitingRow, batch_member)).where(batch_member.c.batch_id == batch_id, batch_member.c.place >= place)
        return self._all(WaitingRow, found.order_by(batch_member.c.place).limit(limit))

    def set_report(self, batch_id: int, place: int, report_id: int) -> None:
        """Record the report of the member."""
        self._change_member(batch_id, place, report_id=report_id)

    def refuse(self, batch_id: int, place: int, reason: str) -> None:
        """Mark the member as rejected: it gets no report."""
        self._change_member(batch_id, place, refused=reason)

    def _change_member(self, batch_id: int, place: int, **values: Any) -> None:
        member = batch_member.c.batch_id == batch_id, batch_member.c.place == place
        self._connection.execute(update(batch_member).where(*member).values(**values))

    def stop(self, row: BatchRow, reason: str) -> None:
        """Mark the waiting members of a batch as rejected, which ends the batch."""
        is_waiting = batch_member.c.report_id.is_(None), batch_member.c.refused.is_(None), batch_member.c.place >= row.fed
        self._connection.execute(update(batch_member).where(batch_member.c.batch_id == row.id, *is_waiting).values(refused=reason))
        self.record_done_until(row.id, row.members)

    def active_reports(self, batch_id: int) -> list[int]:
        """Return the ids of the batch's reports that are queued or running."""
        active = select(job.c.report_id).join(batch_member, batch_member.c.report_id == job.c.report_id)
        return list(self._connection.execute(active.where(batch_member.c.batch_id == batch_id)).scalars())

    def record_done_until(self, batch_id: int, fed: int) -> None:
        """Record that all members before the position ``fed`` have a report or were rejected."""
        self._connection.execute(update(batch).where(batch.c.id == batch_id).values(fed=fed))

    def delete_before(self, moment: int) -> bool:
        """Delete one finished batch created before that time; its reports remain. Return whether there was one."""
        old = select(batch.c.id).where(batch.c.created_at < moment, not_(WAITING)).order_by(batch.c.id).limit(1)
        return self._connection.execute(delete(batch).where(batch.c.id.in_(old))).rowcount > 0

    def delete_beyond(self, account_id: int, keep: int) -> None:
        """Delete finished batches of the account except the newest ``keep``; their reports remain."""
        done = select(batch.c.id).where(batch.c.account_id == account_id, not_(WAITING)).order_by(batch.c.id.desc())
        self._connection.execute(delete(batch).where(batch.c.id.in_(done.offset(keep))))
