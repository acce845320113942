"""The whole service, for people who operate it: accounts, work and room. Everybody else gets NotFound."""

import shutil
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from findable.clock import now
from findable.errors import NotFound
from findable.service.accounts.callers import require_operator
from findable.service.crawls import crawls
from findable.service.runtime.queue_status import QueueNumbers, queue_numbers
from findable.service.runtime.service import Service
from findable.service.values.caller import OWNER, Caller
from findable.store.instance_statements import WorkRow

ACCOUNTS = 25
"""Accounts of one page: their saved pages are summed one by one."""
WORK = 100
MONTH_S = 30 * 24 * 3600
MEGABYTE = 1_000_000


class AccountUse(Struct, frozen=True):
    """Account, and what it uses of its limits."""

    id: int
    name: str
    email: str
    created_at: datetime
    people: int
    projects: int
    reports: int
    crawls: int
    crawl_bytes: int
    page_bytes: int
    """Bytes of its saved pages, uncompressed."""
    requests: int
    """URLs that its crawls requested within 30 days."""
    jobs: int


class Work(Struct, frozen=True):
    """Report or crawl that is queued or running."""

    account_id: int
    account: str
    crawl_id: int | None
    """Number of a crawl, which can be stopped; None for a report, which takes seconds."""
    url: str
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
    queue: QueueNumbers
    database_bytes: int
    free_bytes: int
    """Free room of the file system with the data directory."""
    crawl_bytes_limit: int
    page_bytes_limit: int
    requests_limit: int


def view(service: Service, caller: Caller, after: int = 0) -> Instance:
    """Return the state of the service, with the accounts after that one."""
    require_operator(caller)
    settings = service.settings
    since = int(now().timestamp()) - MONTH_S
    with service.store.read() as session:
        rows = session.instance.accounts(since, after, ACCOUNTS + 1)
        accounts = tuple(
            AccountUse(
                row.id,
                row.name,
                row.email,
                datetime.fromtimestamp(row.created_at, UTC),
                row.people,
                row.projects,
                row.reports,
                row.crawls,
                int(row.crawl_bytes),
                session.runs.saved_bytes(row.id),
                int(row.requests),
                row.jobs,
            )
            for row in rows[:ACCOUNTS]
        )
        work = tuple(_work(row) for row in session.instance.work(WORK))
    return Instance(
        accounts=accounts,
        next_account=accounts[-1].id if len(rows) > ACCOUNTS else None,
        work=work,
        queue=queue_numbers(service),
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
    return Work(row.account_id, row.account, row.crawl_id, row.url, is_running, bool(row.is_stopping), since, row.worker or "")


def stop_crawl(service: Service, caller: Caller, crawl_id: int) -> None:
    """Stop a crawl of any account; it keeps its pages, and the audit log of that account says who did. Raises NotFound."""
    require_operator(caller)
    with service.store.read() as session:
        row = session.crawls.by_id(crawl_id)
    if row is None:
        raise NotFound
    crawls.stop(service, replace(caller, account_id=row.account_id, role=OWNER, grants={}), crawl_id)
