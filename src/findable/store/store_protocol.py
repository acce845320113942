"""Interface of the stores `sqlite.SqliteStore` and `postgres.PostgresStore`, which share their SQL statements.

A use case reads and writes in one transaction and can ignore concurrent ones: data that a session reads in `Store.write` is still current
when the transaction writes. `findable.store.write_locks` ensures this with concurrent writers.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Generic, Protocol, TypeVar

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

T = TypeVar("T")


class _Topic(Generic[T]):
    """Statements of one topic, created when a session first uses them: a request needs few of the topics."""

    def __init__(self, kind: Callable[[Connection], T]) -> None:
        self._kind = kind

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, session: "Session", owner: type) -> T:
        """Create the statements and store them in the session, where later accesses find them."""
        found = session.__dict__[self._name] = self._kind(session.connection)
        return found


class Session:
    """Transaction, with the SQL statements of each topic."""

    roles = _Topic(ProjectRoles)
    accounts = _Topic(Accounts)
    people = _Topic(People)
    keys = _Topic(Keys)
    sessions = _Topic(SignedInSessions)
    sign_in_links = _Topic(SignInLinks)
    invitations = _Topic(Invitations)
    projects = _Topic(Projects)
    links = _Topic(LinkRows)
    shared_projects = _Topic(SharedProjects)
    logs = _Topic(LogRows)
    project_report = _Topic(ProjectReportRows)
    runs = _Topic(Runs)
    jobs = _Topic(Jobs)
    crawls = _Topic(Crawls)
    crawl_jobs = _Topic(CrawlJobs)
    sites = _Topic(SiteRows)
    expiring = _Topic(ExpiringRows)
    acceptances = _Topic(Acceptances)
    alerts = _Topic(Alerts)
    markers = _Topic(Markers)
    schedules = _Topic(Schedules)
    images = _Topic(ImageRows)
    batches = _Topic(Batches)
    findings = _Topic(FindingCounts)
    overview = _Topic(Overview)
    outbox = _Topic(Outbox)
    mails = _Topic(EmailPreferences)
    messages = _Topic(Messages)
    feeds = _Topic(Feeds)
    recipients = _Topic(Recipients)
    retention = _Topic(RetentionRows)
    scores = _Topic(ProjectScores)
    setbacks = _Topic(Setbacks)
    changes = _Topic(ChangeQueries)
    url_data = _Topic(UrlDataRows)
    views = _Topic(SavedViews)
    webhooks = _Topic(Webhooks)
    audit = _Topic(AuditLog)
    instance = _Topic(Instance)
    times = _Topic(FutureTimes)

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
