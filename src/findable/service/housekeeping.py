"""Periodic background work in small steps. What is deleted by age alone is in `delete_old` of the module that owns it."""

from findable.clock import monotonic_s
from findable.reports.recent_changes import RETENTION_S
from findable.service.crawls import site_setbacks
from findable.service.reports import save_run
from findable.service.reports.save_run import rescore_shown_run
from findable.service.runtime.idempotency import STORED_S
from findable.service.runtime.service import Service

PURGE_REPORTS = 1
"""Reports deleted by one statement, which takes milliseconds: each has runs, saved pages and about seventy findings."""
PURGE_TURN_REPORTS = 20
"""Reports deleted in one transaction, whose commit writes to disk while other writers wait."""
PURGE_TURN_S = 0.01
"""Duration after which a transaction stops deleting, so that others can write, also on a slow disk."""
ENDED_REPORTS = 5
"""Reports rated again in one transaction."""


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


def free_disk_space(service: Service) -> None:
    """Return unused space of an SQLite file to the file system, and maintain the reserve. PostgreSQL does this itself."""
    service.store.free_disk_space()
