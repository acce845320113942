"""Events about crawls that have ended, written in the transaction that ends them."""

import json

from findable.capture.crawl import CrawlEnd
from findable.notify.outgoing_event import CrawlData, Event, EventType
from findable.service.crawls.crawl_reports import counts_of
from findable.service.crawls.crawl_views import verdict_of
from findable.service.runtime.outbox import write_event
from findable.service.values.crawl_values import CrawlStatus
from findable.store.store_protocol import Session
from findable.values import shape_of

_WITHOUT_RESULT = frozenset({CrawlEnd.BLOCKED.value, CrawlEnd.NEEDS_BROWSER.value})


def write_end_event(session: Session, crawl_id: int, job_id: int, at: int) -> None:
    """Write the event that a crawl has ended. ``job_id`` is the job that ended it: a resumed crawl ends once more."""
    row = session.crawls.by_id(crawl_id)
    if row is None:
        return
    is_done = row.status == CrawlStatus.DONE and row.ended_by not in _WITHOUT_RESULT
    data = shape_of(
        CrawlData,
        row,
        pages=json.loads(row.counts_json or "{}").get("pages", 0),
        findings=counts_of(row.findings_json, verdict_of(row)),
        error=row.error_code,
    )
    kind = EventType.CRAWL_DONE if is_done else EventType.CRAWL_STOPPED
    write_event(session, Event(kind, at, row.account_id, f"crawl:{row.id}:job:{job_id}", data, row.project_id, row.project))
