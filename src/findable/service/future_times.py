"""Correct times that a clock which was ahead has stored."""

import logging

import msgspec

from findable.clock import now
from findable.monitor.schedule_rules import jitter_s, planned_again
from findable.service.alerts.alert_watch import state_of
from findable.service.delivery.monthly_reports import month_before
from findable.service.projects.due_schedules import AFTER_FAILURE_S
from findable.service.projects.schedules import stored_rule
from findable.service.runtime.background_work import each_row
from findable.service.runtime.service import Service
from findable.store.alert_statements import AlertRow
from findable.store.future_times import TOLERANCE_S

ROWS_AT_ONCE = 200
_DAY_S = 86_400
_log = logging.getLogger(__name__)


def correct_future_times(service: Service, *, is_certain: bool = False) -> bool:
    """Set back times that a wrong clock stored; nothing without any. Returns True, so that a failed call is known.

    Args:
        service: owner of the times.
        is_certain: whether this process has seen the clock go ahead and come back. Then also recorded times are set back; otherwise the
            present clock might be the wrong one.
    """
    with service.store.read() as session:
        moment = max(session.moment, session.jobs.clock(session.moment))
        if not is_certain and session.times.is_clock_behind(moment):
            _log.warning("the clock of this machine is behind: data was stored before it was made")
            return True
        wrong = session.times.tables(moment)
    for table in wrong:
        with service.store.write() as session:
            session.times.correct(table, moment, is_certain=is_certain)
    with service.store.write() as session:
        session.times.correct_months(month_before(now()).code)
    schedules_count, alerts_count = _plan_schedules_again(service, moment), _correct_alerts(service, moment)
    if wrong or schedules_count or alerts_count:
        names = ", ".join([table.name for table in wrong])
        _log.warning("a clock was ahead: corrected %d schedules, %d alerts, and times in: %s", schedules_count, alerts_count, names or "-")
        service.events.publish_queued()
    return True


def _plan_schedules_again(service: Service, moment: int) -> int:
    """Plan schedules again that would run too late; return their number."""
    count = 0
    for row in each_row(service, lambda session, after: session.schedules.all_of(after, ROWS_AT_ONCE), lambda row: row.id):
        rule = stored_rule(row)
        planned_at = planned_again(rule, row.planned_at, moment, TOLERANCE_S) or row.planned_at
        due_at = planned_at + jitter_s(rule, row.id)
        if planned_at != row.planned_at or row.due_at > max(due_at, moment + AFTER_FAILURE_S) + TOLERANCE_S:
            with service.store.write() as session:
                session.schedules.advance(row, planned_at=planned_at, due_at=due_at)
            count += 1
    return count


def _correct_alerts(service: Service, moment: int) -> int:
    """Remove times in the future from the states of open alerts; return the number of changed alerts."""
    count = 0
    for row in each_row(service, lambda session, after: session.alerts.live(after, ROWS_AT_ONCE), lambda row: row.id):
        if _is_dated_later(row, moment):
            with service.store.write() as session:
                current = session.alerts.by_id(row.id)
                if current is not None:
                    state = state_of(current).not_after(moment)
                    session.alerts.change(row.id, state=msgspec.json.encode(state).decode(), next_at=moment)
            count += 1
    return count


def _is_dated_later(row: AlertRow, moment: int) -> bool:
    state = state_of(row)
    latest_at = max(moment + _DAY_S, state.paused_until) + TOLERANCE_S
    return state != state.not_after(moment + TOLERANCE_S) or (row.next_at or 0) > latest_at
