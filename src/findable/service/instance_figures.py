"""State of the whole service for operators: accounts, jobs and disk space. Other callers get NotFound."""

import shutil
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from findable.errors import require_found
from findable.service.accounts.permissions import require_operator
from findable.service.crawls import crawls
from findable.service.reports import report_jobs
from findable.service.runtime import audit_log
from findable.service.runtime.queue_status import QueueStatus, queue_status_of
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, Caller
from findable.store.instance_statements import AccountUseRow, WaitingBatchRow, WorkRow
from findable.vocabulary import Code
from findable.wording import later

ACCOUNTS = 25
"""Accounts per page: their saved pages are summed one by one."""
WORK = 100
MONTH_S = 30 * 24 * 3600
MEGABYTE = 1_000_000
STOPPED = later("The operator of this service stopped the batch.")


class AccountUse(Struct, frozen=True):
    """Account with the usage of its limits."""

    row: AccountUseRow
    created_at: datetime
    page_bytes: int
    """Bytes of its saved pages, uncompressed."""


class WorkKind(Code):
    """Kind of job; the value is part of the path of the route that stops it."""

    REPORT = "reports", later("report")
    CRAWL = "crawls", later("crawl")
    BATCH = "batches", later("batch")


class Work(Struct, frozen=True):
    """Report, crawl or batch that is queued or running."""

    account_id: int
    account: str
    kind: WorkKind
    id: int
    url: str
    """URL; for a batch, its sitemap or first URL."""
    waiting: int
    """Number of URLs of a batch that wait for their reports; 0 for other jobs."""
    is_running: bool
    is_stopping: bool
    since: datetime
    worker: str


class Instance(Struct, frozen=True):
    """State of the whole service."""

    accounts: tuple[AccountUse, ...]
    next_account: int | None
    """Account after which the next page begins; None on the last one."""
    work: tuple[Work, ...]
    queue: QueueStatus
    database_bytes: int
    free_bytes: int
    """Free space of the file system that contains the data directory."""
    crawl_bytes_limit: int
    page_bytes_limit: int
    requests_limit: int


def view(service: Service, caller: Caller, after: int = 0) -> Instance:
    """Return the state of the service, with the accounts after the given one."""
    require_operator(caller)
    settings = service.settings
    with service.store.read() as session:
        rows = session.instance.accounts(session.moment - MONTH_S, after, ACCOUNTS + 1)
        accounts = tuple(
            AccountUse(row, datetime.fromtimestamp(row.created_at, UTC), session.runs.saved_bytes(row.id)) for row in rows[:ACCOUNTS]
        )
        work = (*(_batch(row) for row in session.instance.batches(WORK)), *(_work(row) for row in session.instance.work(WORK)))
    return Instance(
        accounts=accounts,
        next_account=accounts[-1].row.id if len(rows) > ACCOUNTS else None,
        work=work,
        queue=queue_status_of(service),
        database_bytes=service.store.size_bytes(),
        free_bytes=shutil.disk_usage(settings.data_dir).free,
        crawl_bytes_limit=settings.crawls_mb * MEGABYTE,
        page_bytes_limit=settings.saved_page_mb * MEGABYTE,
        requests_limit=settings.crawl_pages,
    )


def _work(row: WorkRow) -> Work:
    is_running = row.state == "running"
    began = row.started_at if is_running and row.started_at is not None else row.created_at
    since = datetime.fromtimestamp(began, UTC)
    kind, number = (WorkKind.CRAWL, row.crawl_id) if row.crawl_id is not None else (WorkKind.REPORT, row.report_id or 0)
    return Work(row.account_id, row.account, kind, number, row.url, 0, is_running, bool(row.is_stopping), since, row.worker or "")


def _batch(row: WaitingBatchRow) -> Work:
    url, since = row.source or row.first_url, datetime.fromtimestamp(row.created_at, UTC)
    return Work(row.account_id, row.account, WorkKind.BATCH, row.id, url, row.waiting, False, False, since, "")


def stop_report(service: Service, caller: Caller, report_id: int) -> None:
    """Stop the generation of a report of any account. Raises NotFound."""
    require_operator(caller)
    with service.store.write() as session:
        row = require_found(session.reports.by_id(report_id))
        if report_jobs.stop(session, row):
            audit_log.record(session, _as_owner_of(caller, row.account_id), AuditAction.REPORT_STOPPED, row.url)
    service.events.publish_end(report_id)


def stop_batch(service: Service, caller: Caller, batch_id: int) -> None:
    """Stop a batch of any account: no further reports are created, and its queued reports are stopped. Raises NotFound."""
    require_operator(caller)
    stopped: list[int] = []
    with service.store.read() as session:
        account_id = require_found(session.instance.batch_account(batch_id))
    with service.store.write() as session:
        row = require_found(session.batches.get(account_id, batch_id))
        session.batches.stop(row, STOPPED)
        for report_id in session.batches.active_reports(batch_id):
            report = session.reports.by_id(report_id)
            if report is not None and report_jobs.stop(session, report):
                stopped.append(report_id)
        audit_log.record(
            session, _as_owner_of(caller, account_id), AuditAction.BATCH_STOPPED, row.source or str(row.id), reports=len(stopped)
        )
    for report_id in stopped:
        service.events.publish_end(report_id)


def _as_owner_of(caller: Caller, account_id: int) -> Caller:
    """Return the operator in the role of an owner of another account."""
    return replace(caller, account_id=account_id, role=OWNER, grants={})


def stop_crawl(service: Service, caller: Caller, crawl_id: int) -> None:
    """Stop a crawl of any account; its pages stay, and the audit log of the account records the operator. Raises NotFound."""
    require_operator(caller)
    with service.store.read() as session:
        row = require_found(session.crawls.by_id(crawl_id))
    crawls.stop(service, _as_owner_of(caller, row.account_id), crawl_id)
