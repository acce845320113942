"""Periodic background work in small steps."""

import logging

import msgspec

from findable.clock import monotonic_s, now
from findable.monitor.schedule_rules import jitter_s, planned_again
from findable.reports.recent_changes import RETENTION_S
from findable.service.alerts.alert_watch import state_of
from findable.service.crawls import site_setbacks
from findable.service.delivery.monthly_reports import month_before
from findable.service.projects.due_schedules import AFTER_FAILURE_S
from findable.service.projects.schedules import stored_rule
from findable.service.reports import save_run
from findable.service.reports.save_run import rescore_shown_run
from findable.service.runtime.background_work import each_row
from findable.service.runtime.idempotency import STORED_S
from findable.service.runtime.service import Service
from findable.store.alert_statements import AlertRow
from findable.store.future_times import TOLERANCE_S

PURGE_REPORTS = 1
"""Reports deleted by one statement, which takes milliseconds: each has runs, saved pages and about seventy findings."""
PURGE_TURN_REPORTS = 20
"""Reports deleted in one transaction, whose commit writes to disk while other writers wait."""
PURGE_TURN_S = 0.01
"""Duration after which a transaction stops deleting, so that others can write, also on a slow disk."""
ENDED_REPORTS = 5
"""Reports rated again in one transaction."""
ROWS_AT_ONCE = 200
_DAY_S = 86_400
_log = logging.getLogger(__name__)


def purge_deleted(service: Service) -> bool:
    """Delete a few rows of a deleted project; return whether there may be more."""
    with service.store.write() as session:
        until_s = monotonic_s() + PURGE_TURN_S
        for project_id in session.projects.deleted_projects():
            left = PURGE_TURN_REPORTS
            while reports := session.reports.of_project(project_id, min(PURGE_REPORTS, left)):
                session.reports.remove(reports)
                left -= len(reports)
                if not left or monotonic_s() >= until_s:
                    return True
            if session.crawls.has_rows_of_project(project_id):  # `crawl_jobs.purge_deleted` deletes their stores first
                continue
            session.projects.remove(project_id)
            return True
    return False


def end_acceptances(service: Service) -> bool:
    """Rescore a few reports whose acceptance has expired; return whether there may be more."""
    with service.store.write() as session:
        ended = session.reports.with_ended_acceptance(session.moment, ENDED_REPORTS)
        for report_id in ended:
            row = session.reports.by_id(report_id)
            if row is not None:
                rescore_shown_run(session, row)
    return len(ended) == ENDED_REPORTS


def note_outages(service: Service) -> bool:
    """Rate a few pages and sites bad that could not be reached for a day; return whether there may be more."""
    with service.store.write() as session:
        counts = (note(session, ENDED_REPORTS) for note in (save_run.rate_away_pages, site_setbacks.note_away_sites))
        return ENDED_REPORTS in tuple(counts)


def delete_expired(service: Service) -> None:
    """Delete expired sessions, links, invitations, stored responses and counters, and empty deleted accounts."""
    with service.store.write() as session:
        session.accounts.remove_empty_accounts()
        session.jobs.delete_ended_pauses(session.moment)
        session.setbacks.delete_before(session.moment - RETENTION_S)
        session.expiring.delete_expired(session.moment, replies_before=session.moment - STORED_S)


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


def free_disk_space(service: Service) -> None:
    """Return unused space of an SQLite file to the file system, and maintain the reserve. PostgreSQL does this itself."""
    service.store.free_disk_space()
