"""SQL statements for batches: many URLs submitted at once. Their reports are queued gradually, in the order of their positions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, case, delete, func, insert, not_, or_, select, update

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

    place: int
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
_OF_BATCH = batch_member.c.batch_id == bindparam("of")
_ROW = select(*columns(BatchRow, batch))
_BY_ID = _ROW.where(batch.c.account_id == bindparam("account"), batch.c.id == bindparam("of"))
_PAGE = (
    _ROW.where(batch.c.account_id == bindparam("account"), batch.c.id < bindparam("before"))
    .order_by(batch.c.id.desc())
    .limit(bindparam("limit"))
)
_UNFED = _ROW.where(batch.c.account_id == bindparam("account"), WAITING).order_by(batch.c.id)
_ACCOUNTS = select(batch.c.account_id).where(WAITING).distinct().order_by(batch.c.account_id)
_HAS_RESPONDED = and_(_ALIVE, batch_member.c.scheme_guessed == 1, report.c.run.is_not(None))
_URL: ColumnElement[str] = case((_HAS_RESPONDED, report.c.url), else_=batch_member.c.url)
"""URL of a member, with the scheme that responded if none was typed."""
_MEMBERS = (
    select(
        batch_member.c.place,
        # the scheme that responded, if none was typed
        case((and_(_ALIVE, batch_member.c.scheme_guessed == 1, report.c.run.is_not(None)), report.c.url), else_=batch_member.c.url).label(
            "url"
        ),
        batch_member.c.refused,
        _STATE.label("state"),
        case((_ALIVE, report.c.id)).label("report_id"),
        case((_ALIVE, report.c.public_id)).label("public_id"),
        case((_ALIVE, report.c.result)).label("result"),
        case((_ALIVE, report.c.score)).label("score"),
        case((_ALIVE, func.coalesce(report.c.last_error, report.c.error))).label("error_json"),
    )
    .select_from(_JOINED)
    .where(_OF_BATCH)
    .order_by(batch_member.c.place)
)
_PART = _MEMBERS.limit(bindparam("limit")).offset(bindparam("offset"))
_WITH_SUMMARY = _MEMBERS.add_columns(case((_ALIVE, report.c.summary))).limit(bindparam("limit")).offset(bindparam("offset"))
_WORST = _WITH_SUMMARY.order_by(None).order_by(case((_ALIVE, report.c.worst_down), else_=0).desc(), batch_member.c.place)
_FAILURES = _MEMBERS.where(or_(batch_member.c.refused.is_not(None), report.c.status == "failed", report.c.last_error.is_not(None)))
_COUNTS = (
    select(_STATE.label("became"), case((_ALIVE, report.c.result)).label("rated"), func.count())
    .select_from(_JOINED)
    .where(_OF_BATCH)
    .group_by("became", "rated")  # labels that are not column names: PostgreSQL would prefer the column
)
_NEXT = (
    select(*columns(WaitingRow, batch_member))
    .where(_OF_BATCH, batch_member.c.place >= bindparam("from"))
    .order_by(batch_member.c.place)
    .limit(bindparam("limit"))
)
_MEMBER = and_(batch_member.c.batch_id == bindparam("of"), batch_member.c.place == bindparam("at"))
_MADE = update(batch_member).where(_MEMBER).values(report_id=bindparam("made"))
_REFUSE = update(batch_member).where(_MEMBER).values(refused=bindparam("why"))
_STOP = (
    update(batch_member)
    .where(_OF_BATCH, batch_member.c.report_id.is_(None), batch_member.c.refused.is_(None), batch_member.c.place >= bindparam("from"))
    .values(refused=bindparam("why"))
)
_QUEUED = select(batch_member.c.report_id).join(job, job.c.report_id == batch_member.c.report_id).where(_OF_BATCH)
_FED = update(batch).where(batch.c.id == bindparam("of")).values(fed=bindparam("to"))
_OLD = select(batch.c.id).where(batch.c.created_at < bindparam("moment"), not_(WAITING)).order_by(batch.c.id).limit(1)
_DONE = select(batch.c.id).where(batch.c.account_id == bindparam("account"), not_(WAITING)).order_by(batch.c.id.desc())


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
        return self._first(BatchRow, _BY_ID, {"account": account_id, "of": batch_id})

    def select(self, account_id: int, *, before: int, limit: int) -> list[BatchRow]:
        """Return batches with smaller ids than ``before``, newest first."""
        return self._all(BatchRow, _PAGE, {"account": account_id, "before": before, "limit": limit})

    def with_waiting_members(self, account_id: int) -> list[BatchRow]:
        """Return batches of the account with members that have no report yet, oldest first."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(BatchRow, _UNFED, {"account": account_id})

    def waiting_accounts(self) -> list[int]:
        """Return the ids of accounts whose batches have members that wait for a report."""
        return list(self._connection.execute(_ACCOUNTS).scalars())

    def counts(self, batch_id: int) -> list[MemberCount]:
        """Count the members of a batch by state and result."""
        return self._all(MemberCount, _COUNTS, {"of": batch_id})

    def members(self, batch_id: int, *, limit: int, offset: int = 0) -> list[MemberRow]:
        """Return members of a batch in order of position."""
        return self._all(MemberRow, _PART, {"of": batch_id, "limit": limit, "offset": offset})

    def members_with_summaries(self, batch_id: int, *, limit: int, offset: int, worst_first: bool) -> list[MemberRow]:
        """Return members with the summaries of their reports, by position or the lowest score first."""
        values = {"of": batch_id, "limit": limit, "offset": offset}
        return self._all(MemberRow, _WORST if worst_first else _WITH_SUMMARY, values)

    def failures(self, batch_id: int) -> list[MemberRow]:
        """Return the members that were rejected, or whose page could not be loaded."""
        return self._all(MemberRow, _FAILURES, {"of": batch_id})

    def next_members(self, batch_id: int, place: int, limit: int) -> list[WaitingRow]:
        """Return waiting members of a batch from a position on."""
        return self._all(WaitingRow, _NEXT, {"of": batch_id, "from": place, "limit": limit})

    def set_report(self, batch_id: int, place: int, report_id: int) -> None:
        """Record the report of the member."""
        self._connection.execute(_MADE, {"of": batch_id, "at": place, "made": report_id})

    def refuse(self, batch_id: int, place: int, reason: str) -> None:
        """Mark the member as rejected: it gets no report."""
        self._connection.execute(_REFUSE, {"of": batch_id, "at": place, "why": reason})

    def stop(self, row: BatchRow, reason: str) -> None:
        """Mark the waiting members of a batch as rejected, which ends the batch."""
        self._connection.execute(_STOP, {"of": row.id, "from": row.fed, "why": reason})
        self.record_done_until(row.id, row.members)

    def active_reports(self, batch_id: int) -> list[int]:
        """Return the ids of the batch's reports that are queued or running."""
        return list(self._connection.execute(_QUEUED, {"of": batch_id}).scalars())

    def record_done_until(self, batch_id: int, fed: int) -> None:
        """Record that all members before the position ``fed`` have a report or were rejected."""
        self._connection.execute(_FED, {"of": batch_id, "to": fed})

    def delete_before(self, moment: int) -> bool:
        """Delete one finished batch created before that time; its reports remain. Return whether there was one."""
        old = self._connection.execute(_OLD, {"moment": moment}).scalar_one_or_none()
        if old is not None:
            self._connection.execute(delete(batch).where(batch.c.id == old))
        return old is not None

    def delete_beyond(self, account_id: int, keep: int) -> None:
        """Delete finished batches of the account except the newest ``keep``; their reports remain."""
        older = list(self._connection.execute(_DONE.offset(keep), {"account": account_id}).scalars())
        if older:
            self._connection.execute(delete(batch).where(batch.c.id.in_(older)))
