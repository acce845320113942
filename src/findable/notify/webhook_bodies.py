"""JSON bodies of signed webhooks, at most 20 kB: type and time of an event, and the report, crawl or alert that it is about."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from findable.clock import rfc3339
from findable.control_characters import escape_json
from findable.notify.event_words import alert_sentence
from findable.notify.outgoing_event import DATA_TYPES, AlertData, CrawlData, Event, EventData, EventType, ReportData, TestData
from findable.service_urls import ServiceUrls
from findable.values import shape_of
from findable.wording import ENGLISH

MAX_URL_CHARS = 2048
EXAMPLES = 5
DataT = TypeVar("DataT", bound=Struct)


class EventLinks(Struct, frozen=True):
    """URLs of the subject of an event: `self` in the API, and `html` for people."""

    self: str
    html: str


class ReportMessage(ReportData, frozen=True, kw_only=True):
    """Report as the subject of an event."""

    project: str
    links: EventLinks


class CrawlMessage(CrawlData, frozen=True, kw_only=True):
    """Crawl as the subject of an event."""

    project: str
    links: EventLinks


class AlertSubject(Struct, frozen=True):
    """Page, site or host of an alert."""

    kind: str
    url: str


class AlertMessage(Struct, frozen=True, kw_only=True):
    """Alert as the subject of an event. `urgent` is 1 for what people get by email at once."""

    object: Literal["alert"] = "alert"
    id: int
    rule: str
    state: str
    project: str
    subject: AlertSubject
    summary: str
    opened_at: str
    closed_at: str | None
    pages_count: int
    examples: tuple[str, ...]
    urgent: Literal[0, 1]
    report: int | None
    """Report of the page; None for several pages and for a site."""
    links: EventLinks


class WebhookMessage(Struct, frozen=True, kw_only=True):
    """Webhook that receives a test message."""

    object: Literal["webhook"] = "webhook"
    id: int
    links: EventLinks


class EventMessage(Struct, Generic[DataT], frozen=True):
    """JSON body of a signed webhook."""

    type: str
    timestamp: str
    data: DataT


EventObject = ReportMessage | CrawlMessage | AlertMessage | WebhookMessage
_OBJECTS: Mapping[type[EventData], type[Struct]] = {
    ReportData: ReportMessage,
    CrawlData: CrawlMessage,
    AlertData: AlertMessage,
    TestData: WebhookMessage,
}
MESSAGES: Mapping[EventType, type[Struct]] = {kind: _OBJECTS[data] for kind, data in DATA_TYPES.items()}
"""Type of the data in the message, by event type."""


def message_bytes(event: Event, base_url: str) -> bytes:
    """Return the JSON body for an event. It depends only on the event and the base URL, so that every attempt sends the same bytes."""
    return escape_json(msgspec.json.encode(EventMessage(event.type.value, _moment(event.at), _object_of(event, ServiceUrls(base_url)))))


def page_of(event: Event, base_url: str) -> str:
    """Return the URL of the page about the subject of an event."""
    return _object_of(event, ServiceUrls(base_url)).links.html


def _object_of(event: Event, urls: ServiceUrls) -> EventObject:
    data = event.data
    if isinstance(data, ReportData):
        return shape_of(
            ReportMessage,
            data,
            url=data.url[:MAX_URL_CHARS],
            project=event.project,
            links=EventLinks(urls.report(data.id), urls.share_page(data.public_id)),
        )
    if isinstance(data, CrawlData):
        return shape_of(
            CrawlMessage,
            data,
            url=data.url[:MAX_URL_CHARS],
            project=event.project,
            links=EventLinks(urls.crawl(data.id), urls.site_page(data.public_id)),
        )
    if isinstance(data, AlertData):
        return _alert(event, data, urls)
    return WebhookMessage(id=data.id, links=EventLinks(urls.webhook(data.id), urls.webhook_page(data.id)))


def _alert(event: Event, data: AlertData, urls: ServiceUrls) -> AlertMessage:
    page = urls.project_page(event.project) if event.project else f"{urls.base_url}/"
    return shape_of(
        AlertMessage,
        data,
        project=event.project,
        subject=AlertSubject(data.subject_kind, data.subject[:MAX_URL_CHARS]),
        summary=alert_sentence(data.message, data.values, ENGLISH),
        opened_at=_moment(data.opened_at),
        closed_at=None if data.closed_at is None else _moment(data.closed_at),
        examples=tuple(url[:MAX_URL_CHARS] for url in data.examples[:EXAMPLES]),
        report=data.report_id,
        links=EventLinks(urls.alert(data.id), page),
    )


def _moment(seconds: int) -> str:
    return rfc3339(datetime.fromtimestamp(seconds, UTC))
