"""Run pages again to confirm suspected alerts, and recoveries."""

import logging

from findable.errors import Unavailable
from findable.service.reports.reports import queue_run
from findable.service.runtime.service import Service
from findable.service.sites.url_input import host_key

_log = logging.getLogger(__name__)
DUE_AT_ONCE = 50
AFTER_FAILURE_S = 3600
"""Pause after a page could not be queued, so that failing pages do not delay others."""


def queue_due(service: Service) -> bool:
    """Queue some pages that are due for another run; return whether there may be more."""
    if service.draining:
        return False
    with service.store.read() as session:
        due = session.alerts.due_pages(session.moment, DUE_AT_ONCE)
    for report_id in due:
        try:
            _queue(service, report_id)
        except Unavailable:
            raise
        except Exception:  # noqa: BLE001 - a page that fails must not delay the others
            _log.exception("the next run of report %d could not be queued; retrying in an hour", report_id)
            with service.store.write() as session:
                session.alerts.schedule_page_run(report_id, session.moment + AFTER_FAILURE_S)
    if due:
        service.events.publish_queued()
    return len(due) == DUE_AT_ONCE


def _queue(service: Service, report_id: int) -> None:
    with service.store.write() as session:
        row = session.reports.by_id(report_id)
        session.alerts.record_repeat(report_id)
        if row is not None:
            queue_run(session, row, host_key(row.url, service.guard), of_batch=True)
