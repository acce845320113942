"""Events of the outbox: type, subject and cause."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from findable.vocabulary import Code
from findable.wording import later


class EventType(Code):
    """Type of an event. The values are part of the API."""

    REPORT_DONE = "report.done", later("A report is done")
    REPORT_FAILED = "report.failed", later("A page could not be loaded")
    REPORT_WORSE = "report.worse", later("A page got worse")
    """The score is lower than that of the previous run, or a check fails that passed before; sent in addition to ``report.done``."""
    CRAWL_DONE = "crawl.done", later("A crawl is done")
    CRAWL_STOPPED = "crawl.stopped", later("A crawl ended early")
    """The crawl ended without a complete result: it was stopped, blocked or failed."""
    ALERT_OPENED = "alert.opened", later("An alert opened")
    ALERT_CLOSED = "alert.closed", later("An alert closed")
    WEBHOOK_TEST = "webhook.test", later("Test")


class EventScore(Struct, frozen=True):
    """Score and rating of a run."""

    score: int
    result: str
    """Rating: ``good``, ``decent`` or ``bad``."""


class ReportData(Struct, frozen=True, tag_field="object", tag="report"):
    """Report as the subject of an event."""

    id: int
    public_id: str
    url: str
    run: int
    """Number of the run within the report."""
    score: int | None = None
    """Current score; null if the page could not be rated."""
    result: str | None = None
    previous: EventScore | None = None
    """Score of the previous rated run of the same URL; null if there is none."""
    new_problems: tuple[str, ...] = ()
    """Ids of checks that fail now and did not in the previous run; empty if the runs are not comparable."""
    error: str | None = None
    """Code of the reason why the page could not be loaded."""


class CrawlData(Struct, frozen=True, tag_field="object", tag="crawl"):
    """Crawl as the subject of an event."""

    id: int
    public_id: str
    url: str
    status: str
    ended_by: str | None = None
    score: int | None = None
    result: str | None = None
    pages: int = 0
    findings: Mapping[str, int] = field(default_factory=dict)
    """Number of findings by verdict."""
    error: str | None = None


class AlertData(Struct, frozen=True, tag_field="object", tag="alert"):
    """Alert as the subject of an event."""

    id: int
    rule: str
    """Id of the rule."""
    subject_kind: str
    """Kind of the subject: ``page``, ``site`` or ``host``."""
    subject: str
    """URL or host."""
    state: str
    message: str
    """Sentence as a template for translation like ``%(count)s pages``, filled with ``values``."""
    values: Mapping[str, str | int | float] = field(default_factory=dict)
    opened_at: int = 0
    """Seconds since 1970."""
    closed_at: int | None = None
    pages_count: int = 1
    examples: tuple[str, ...] = ()
    """A few URLs; five are sent."""
    urgent: Literal[0, 1] = 0
    """1: sent by email at once."""
    report_id: int | None = None
    """Report of the page; None for several pages and for a site."""


class TestData(Struct, frozen=True, tag_field="object", tag="webhook"):
    """Webhook that receives a test message."""

    id: int


EventData = ReportData | CrawlData | AlertData | TestData
DATA_TYPES: Mapping[EventType, type[EventData]] = {
    EventType.REPORT_DONE: ReportData,
    EventType.REPORT_FAILED: ReportData,
    EventType.REPORT_WORSE: ReportData,
    EventType.CRAWL_DONE: CrawlData,
    EventType.CRAWL_STOPPED: CrawlData,
    EventType.ALERT_OPENED: AlertData,
    EventType.ALERT_CLOSED: AlertData,
    EventType.WEBHOOK_TEST: TestData,
}
"""Data type by event type."""


class Event(Struct, frozen=True):
    """Event in an account, sent at most once per type and cause."""

    type: EventType
    at: int
    """Seconds since 1970."""
    account_id: int
    cause: str
    """Key of what caused the event, such as ``report:7:run:3`` or ``alert:12:2``."""
    data: EventData
    project_id: int | None = None
    """Project; None if the event concerns no project."""
    project: str = ""
    """Host of the project."""
    project_title: str = ""
    """Display name of the project; empty if none was set."""
