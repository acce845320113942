"""Interface of the stores `sqlite.SqliteStore` and `postgres.PostgresStore`, which share their SQL statements.

A use case reads and writes in one transaction and can ignore concurrent ones: data that a session reads in `Store.write` is still current
when the transaction writes. `findable.store.write_locks` ensures this with concurrent writers.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from msgspec import Struct
from sqlalchemy import Connection

from findable.clock import now
from findable.store.acceptance_statements import Acceptances
from findable.store.account_statements import Accounts
from findable.store.alert_statements import Alerts
from findable.store.audit_log_statements import AuditLog
from findable.store.batch_statements import Batches
from findable.store.change_queries import ChangeQueries
from findable.store.crawl_job_statements import CrawlJobs
from findable.store.crawl_statements import Crawls
from findable.store.engine_messages import Messages
from findable.store.expiring_statements import ExpiringRows
from findable.store.feed_statements import Feeds
from findable.store.finding_queries import FindingCounts
from findable.store.future_times import FutureTimes
from findable.store.image_statements import ImageRows
from findable.store.instance_statements import Instance
from findable.store.invitation_statements import Invitations
from findable.store.job_statements import Jobs
from findable.store.key_statements import Keys
from findable.store.log_statements import LogRows
from findable.store.mail_statements import EmailPreferences
from findable.store.marker_statements import Markers
from findable.store.outbox_statements import Outbox
from findable.store.overview_queries import Overview
from findable.store.person_statements import People
from findable.store.project_report_queries import ProjectReportRows
from findable.store.project_roles import ProjectRoles
from findable.store.project_scores import ProjectScores
from findable.store.project_statements import Projects
from findable.store.recipient_statements import Recipients
from findable.store.report_statements import Reports
from findable.store.retention_statements import RetentionRows
from findable.store.run_statements import Runs
from findable.store.saved_view_statements import SavedViews
from findable.store.schedule_statements import Schedules
from findable.store.session_statements import SignedInSessions
from findable.store.setback_statements import Setbacks
from findable.store.share_link_statements import LinkRows, SharedProjects
from findable.store.sign_in_link_statements import SignInLinks
from findable.store.site_statements import SiteRows
from findable.store.url_data_statements import UrlDataRows
from findable.store.webhook_statements import Webhooks
from findable.values import once

T = TypeVar("T")


def _topic(kind: Callable[[Connection], T]) -> once[T]:
    """Return the statements of one topic, created when a session first uses them: a request needs few of the topics."""
    return once(lambda session: kind(session.connection))


class Session:
    """Transaction, with the SQL statements of each topic."""

    roles = _topic(ProjectRoles)
    accounts = _topic(Accounts)
    people = _topic(People)
    keys = _topic(Keys)
    sessions = _topic(SignedInSessions)
    sign_in_links = _topic(SignInLinks)
    invitations = _topic(Invitations)
    projects = _topic(Projects)
    links = _topic(LinkRows)
    shared_projects = _topic(SharedProjects)
    logs = _topic(LogRows)
    project_report = _topic(ProjectReportRows)
    runs = _topic(Runs)
    jobs = _topic(Jobs)
    crawls = _topic(Crawls)
    crawl_jobs = _topic(CrawlJobs)
    sites = _topic(SiteRows)
    expiring = _topic(ExpiringRows)
    acceptances = _topic(Acceptances)
    alerts = _topic(Alerts)
    markers = _topic(Markers)
    schedules = _topic(Schedules)
    images = _topic(ImageRows)
    batches = _topic(Batches)
    findings = _topic(FindingCounts)
    overview = _topic(Overview)
    outbox = _topic(Outbox)
    mails = _topic(EmailPreferences)
    messages = _topic(Messages)
    feeds = _topic(Feeds)
    recipients = _topic(Recipients)
    retention = _topic(RetentionRows)
    scores = _topic(ProjectScores)
    setbacks = _topic(Setbacks)
    changes = _topic(ChangeQueries)
    url_data = _topic(UrlDataRows)
    views = _topic(SavedViews)
    webhooks = _topic(Webhooks)
    audit = _topic(AuditLog)
    instance = _topic(Instance)
    times = _topic(FutureTimes)

    def __init__(self, connection: Connection, not_asked: dict[int, tuple[str, ...]], *, is_writing: bool) -> None:
        self.connection = connection
        self.is_writing = is_writing
        """Whether the transaction may change something; the data it reads is then for people who may change it."""
        self.reports = Reports(connection, not_asked)
        self.moment = int(now().timestamp())
        """Time of the transaction, in seconds since 1970."""

    @property
    def day(self) -> str:
        """UTC date of the transaction in ISO 8601."""
        return datetime.fromtimestamp(self.moment, UTC).date().isoformat()


class TableSize(Struct, frozen=True):
    """Size of a table with its indexes."""

    table: str
    rows: int
    size_bytes: int | None
    """Size in bytes, None if the database does not report it."""


class About(Struct, frozen=True):
    """Description of the database for the operator, with suggestions."""

    text: str
    notes: tuple[str, ...] = ()
    """Suggestions for improving the database."""


class Store(Protocol):
    """Open database. Every method blocks and is thread-safe.

    Raises Unavailable if the database is busy for five seconds, full or unreachable.
    """

    def read(self) -> AbstractContextManager[Session]:
        """Open a read-only transaction on one snapshot of the database."""

    def one_snapshot(self) -> AbstractContextManager[None]:
        """Combine every `read` of this thread in the block into one short transaction on one snapshot.

        Writes in the block are not visible in it.
        """

    def write(self) -> AbstractContextManager[Session]:
        """Open a writing transaction: committed at the end of the block, rolled back if it raises."""

    @property
    def is_shared(self) -> bool:
        """Whether several services on several machines may share the database."""
        return False

    def ping(self) -> bool:
        """Return whether the database responds and is writable."""

    def about(self) -> About:
        """Return the version, location and suggestions for the operator."""

    def sizes(self) -> list[TableSize]:
        """Return rows and bytes of each table; every row is counted."""

    def size_bytes(self) -> int:
        """Return the size of the database in bytes."""

    def vacuum(self) -> None:
        """Free as much disk space as possible and refresh statistics. It may take minutes."""

    def free_disk_space(self) -> None:
        """Return some unused space to the disk, and maintain the search index and the reserve of disk space."""

    def use_reserve(self) -> bool:
        """Release the reserve of disk space, so that a full disk can be emptied. Returns False if there was none, as on a server."""
        return False

    def hang_up(self) -> None:
        """Make current and future waits for an unresponsive database raise Unavailable."""

    def close(self) -> None:
        """Close all connections and release the lock."""
