"""Stored times that lie in the future because a clock was wrong when they were written: count them, and set them back.

Whatever happened, happened before now. Whatever is due, expires or is held, does so within the longest time of its kind. A later time comes
from a wrong clock, and would otherwise delay or hide something until that time. Times that people choose are not changed.
"""

from collections.abc import Mapping

from sqlalchemy import Column, ColumnElement, Table, delete, func, or_, select, update

from findable.store.schema.account_tables import account, api_key, invitation, one_time_link, person, session
from findable.store.schema.all_tables import metadata
from findable.store.schema.job_tables import idempotency, job, pause, rate_bucket, site_answer
from findable.store.schema.log_tables import log_folder
from findable.store.schema.message_tables import delivery, mail_choice, recipient, webhook
from findable.store.schema.project_tables import marker, project
from findable.store.schema.report_tables import report
from findable.store.schema.site_tables import alert, crawl, page_watch, schedule, unchanged_run
from findable.store.schema.table_parts import Seconds
from findable.store.statements import Statements

TOLERANCE_S = 3600
"""Difference between the clocks of machines that is ignored."""
_HOUR_S, _DAY_S = 3600, 86_400
LONGEST_S: Mapping[Column[int], int] = {
    delivery.c.run_at: 29 * _HOUR_S,
    idempotency.c.held_until: _HOUR_S,
    job.c.run_at: _HOUR_S,
    log_folder.c.due_at: _HOUR_S,
    log_folder.c.read_at: 0,
    page_watch.c.again_at: _DAY_S,
    pause.c.until_at: _HOUR_S,
    rate_bucket.c.blocked_until: 0,
}
"""Times at which something continues, with the longest plausible wait. Later ones become 0, which is due on every clock.

A block of sign-in takes up to an hour, which is the tolerance.
"""
EXPIRY_S: Mapping[Column[int], int] = {
    invitation.c.expires_at: 7 * _DAY_S,
    one_time_link.c.expires_at: _HOUR_S,
    rate_bucket.c.expires_at: 30 * _DAY_S,
    session.c.expires_at: 30 * _DAY_S,
}
"""Times at which something expires, with the longest life. Later ones become the end of a life that begins now."""
CHOSEN: frozenset[Column[int]] = frozenset(
    {api_key.c.expires_at, crawl.c.link_expires_at, marker.c.at, project.c.link_expires_at, report.c.accepted_end, report.c.link_expires_at}
)
"""Times that people choose."""
DERIVED: frozenset[Column[int]] = frozenset({alert.c.next_at, schedule.c.planned_at, schedule.c.due_at})
"""Times that a rule determines; `findable.service.future_times` plans them again."""
COMPARED: frozenset[Column[int]] = frozenset(
    {
        idempotency.c.created_at,
        mail_choice.c.digest_at,
        page_watch.c.full_at,
        page_watch.c.seen_at,
        person.c.seen_at,
        person.c.visited_at,
        project.c.measured_at,
        session.c.last_seen_at,
        site_answer.c.made_at,
        webhook.c.failing_since,
    }
)
"""Last times of something that is repeated or expires after a while. Later ones than now become now."""


def _is_time(column: Column[int]) -> bool:
    ends = ("_at", "_until", "_since", "_end")
    return type(column.type) is Seconds and not column.foreign_keys and (column.name == "at" or column.name.endswith(ends))


TIMES: tuple[Column[int], ...] = tuple(column for table in metadata.sorted_tables for column in table.columns if _is_time(column))
"""Columns with a time in seconds since 1970."""
RECORDED: frozenset[Column[int]] = frozenset(TIMES) - {*LONGEST_S, *EXPIRY_S, *CHOSEN, *DERIVED, *COMPARED}
"""Times at which something happened. Later ones than now become now, but only if the clock was certainly wrong."""


def _limits() -> dict[Table, dict[Column[int], int]]:
    """Return, by table and column, the longest plausible distance from now in seconds."""
    limits: dict[Table, dict[Column[int], int]] = {}
    for column in TIMES:
        if column not in CHOSEN | DERIVED:
            longest_s = LONGEST_S.get(column, EXPIRY_S.get(column, 0))
            limits.setdefault(column.table, {})[column] = longest_s
    return limits


_LIMITS = _limits()


class FutureTimes(Statements):
    """SQL statements for times in the future, in one transaction."""

    def is_clock_behind(self, now: int) -> bool:
        """Return whether the first account was created after now, so that the present time is certainly wrong."""
        first = self._connection.execute(select(func.min(account.c.created_at))).scalar_one()
        return first is not None and int(first) > now + TOLERANCE_S

    def counts(self, now: int) -> dict[str, int]:
        """Return the number of rows with an implausible time by table, without tables that have none."""
        counted = ((table, self._connection.execute(select(func.count()).where(_is_wrong(table, now))).scalar_one()) for table in _LIMITS)
        return {table.name: int(count) for table, count in counted if count}

    def tables(self, now: int) -> list[Table]:
        """Return the tables with an implausible time."""
        return [table for table in _LIMITS if self._connection.execute(select(1).where(_is_wrong(table, now)).limit(1)).first()]

    def correct(self, table: Table, now: int, *, is_certain: bool) -> None:
        """Set the implausible times of a table back; those of RECORDED only if it is certain that a clock was wrong."""
        if is_certain and table is unchanged_run:  # the time is part of its key
            self._connection.execute(delete(table).where(_is_wrong(table, now)))
            return
        if is_certain and table is report:
            late = report.c.generated_at > now + TOLERANCE_S
            self._connection.execute(update(report).where(late).values(generated_up=now, generated_down=now))
        for column, longest_s in _LIMITS[table].items():
            if is_certain or column not in RECORDED:
                late = column > now + longest_s + TOLERANCE_S
                corrected = 0 if column in LONGEST_S else now + EXPIRY_S.get(column, 0)
                self._connection.execute(update(table).where(late).values({column.name: corrected}))

    def correct_months(self, due: str) -> None:
        """Set recipients whose monthly report was sent for a later month than the one that is due to that month, like ``2026-10``."""
        self._connection.execute(update(recipient).where(recipient.c.sent_month > due).values(sent_month=due))


def _is_wrong(table: Table, now: int) -> ColumnElement[bool]:
    return or_(*(column > now + longest_s + TOLERANCE_S for column, longest_s in _LIMITS[table].items()))
