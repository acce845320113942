"""SQL statements about all accounts, for the operator."""

from typing import NamedTuple

from sqlalchemy import BigInteger, cast, func, select

from findable.store.schema.account_tables import account, person
from findable.store.schema.job_tables import job
from findable.store.schema.report_tables import WAITING, batch, batch_member, report
from findable.store.schema.site_tables import crawl
from findable.store.schema_versions import version_of
from findable.store.statements import Statements, columns


class AccountUseRow(NamedTuple):
    """Account with its usage."""

    id: int
    email: str
    name: str
    created_at: int
    people: int
    projects: int
    reports: int
    crawls: int
    crawl_bytes: int
    requests: int
    """Number of URLs recently requested by its crawls."""
    jobs: int
    """Number of queued or running reports and crawls."""


class WorkRow(NamedTuple):
    """Queued or running report or crawl."""

    account_id: int
    account: str
    report_id: int | None
    crawl_id: int | None
    url: str
    state: str
    is_stopping: int
    created_at: int
    started_at: int | None
    worker: str | None


class WaitingBatchRow(NamedTuple):
    """Batch with URLs that are waiting for their reports."""

    account_id: int
    account: str
    id: int
    source: str
    first_url: str
    waiting: int
    created_at: int


_WORK = (
    select(
        *columns(
            WorkRow,
            job,
            account=account.c.name,
            url=func.coalesce(report.c.url, crawl.c.url),
            is_stopping=func.coalesce(crawl.c.is_stopping, 0),
        )
    )
    .join(account, account.c.id == job.c.account_id)
    .outerjoin(report, report.c.id == job.c.report_id)
    .outerjoin(crawl, crawl.c.id == job.c.crawl_id)
    .order_by(job.c.state.desc(), job.c.id)
)


class Instance(Statements):
    """SQL statements for all accounts, in one transaction."""

    def schema(self) -> str:
        """Return the schema version of the tables, which a newer process may have changed."""
        return version_of(self._connection)

    def accounts(self, since: int, after: int, limit: int) -> list[AccountUseRow]:
        """Return accounts with larger ids than ``after``, in order; ``requests`` counts requests by their crawls since that time."""
        own = crawl.c.account_id == account.c.id
        counts = {
            "people": select(func.count()).where(person.c.account_id == account.c.id),
            "crawls": select(func.count()).select_from(crawl).where(own, crawl.c.deleted_at.is_(None)),
            "crawl_bytes": select(cast(func.coalesce(func.sum(crawl.c.size_bytes), 0), BigInteger)).where(own),
            "requests": select(func.coalesce(func.sum(crawl.c.requests), 0)).where(own, crawl.c.updated_at >= since),
            "jobs": select(func.count()).where(job.c.account_id == account.c.id),
        }
        shown = select(*columns(AccountUseRow, account, **{name: count.scalar_subquery() for name, count in counts.items()}))
        return self._all(AccountUseRow, shown.where(account.c.id > after).order_by(account.c.id).limit(limit))

    def work(self, limit: int) -> list[WorkRow]:
        """Return running, then queued jobs, oldest first."""
        return self._all(WorkRow, _WORK.limit(limit))

    def batches(self, limit: int) -> list[WaitingBatchRow]:
        """Return batches with waiting URLs, oldest first."""
        first = select(func.min(batch_member.c.url)).where(batch_member.c.batch_id == batch.c.id, batch_member.c.place == 0)
        shown = (batch.c.account_id, account.c.name, batch.c.id, batch.c.source, func.coalesce(first.scalar_subquery(), ""))
        statement = select(*shown, batch.c.members - batch.c.fed, batch.c.created_at).join(account, account.c.id == batch.c.account_id)
        return self._all(WaitingBatchRow, statement.where(WAITING).order_by(batch.c.id).limit(limit))

    def batch_account(self, batch_id: int) -> int | None:
        """Return the id of the account of a batch; None if there is no such batch."""
        return self._connection.execute(select(batch.c.account_id).where(batch.c.id == batch_id)).scalar_one_or_none()
