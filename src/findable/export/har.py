"""Requests of a visit with the browser as HTTP Archive 1.2, for developer tools and viewers of waterfalls.

Without bodies, and without headers other than the content type: what is not there reveals no cookie and no credentials.
Format: http://www.softwareishard.com/blog/har-12-spec/ .
"""

from datetime import datetime, timedelta

import msgspec
from msgspec import Struct, field

from findable import __version__
from findable.reports.facts.browser_facts import BrowserFacts
from findable.reports.facts.request_facts import RequestFact
from findable.reports.report import Report
from findable.urls import query_parameters

UNKNOWN_BYTES = -1
UNKNOWN_TYPE = "x-unknown"
PAGE_ID = "page_1"
NOT_APPLICABLE_MS = -1
_PROTOCOLS = {"http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3"}


class _NameValue(Struct, frozen=True):
    name: str
    value: str


class _Request(Struct, frozen=True, rename="camel"):
    method: str
    url: str
    http_version: str
    query_string: tuple[_NameValue, ...]
    cookies: tuple[_NameValue, ...] = ()
    headers: tuple[_NameValue, ...] = ()
    headers_size: int = UNKNOWN_BYTES
    body_size: int = UNKNOWN_BYTES


class _Content(Struct, frozen=True, rename="camel"):
    size: int
    mime_type: str


class _Response(Struct, frozen=True, rename="camel"):
    status: int
    http_version: str
    content: _Content
    headers: tuple[_NameValue, ...]
    transfer_size: int = field(name="_transferSize")
    error: str = field(name="_error")
    status_text: str = ""
    cookies: tuple[_NameValue, ...] = ()
    redirect_url: str = field(name="redirectURL", default="")
    headers_size: int = UNKNOWN_BYTES
    body_size: int = UNKNOWN_BYTES


class _Timings(Struct, frozen=True, rename="camel"):
    wait: float
    receive: float
    send: float = 0
    blocked: float = NOT_APPLICABLE_MS
    dns: float = NOT_APPLICABLE_MS
    connect: float = NOT_APPLICABLE_MS
    ssl: float = NOT_APPLICABLE_MS


class _Entry(Struct, frozen=True, rename="camel"):
    started_date_time: str
    time: float
    request: _Request
    response: _Response
    timings: _Timings
    resource_type: str = field(name="_resourceType")
    pageref: str = PAGE_ID
    cache: dict[str, str] = {}


class _Program(Struct, frozen=True):
    name: str
    version: str


class _Page(Struct, frozen=True, rename="camel"):
    started_date_time: str
    title: str
    id: str = PAGE_ID
    page_timings: dict[str, float] = {}


class _Log(Struct, frozen=True):
    creator: _Program
    browser: _Program
    pages: tuple[_Page, ...]
    entries: tuple[_Entry, ...]
    version: str = "1.2"


class _Archive(Struct, frozen=True):
    log: _Log


def to_har(report: Report, creator: str = "Findable") -> bytes | None:
    """Return the archive; None for a report whose page no browser visited. ``creator`` is the name that readers see."""
    found = report.facts.browser
    if not found or not found.requests:
        return None
    begun = datetime.fromisoformat(found.visited_at)
    name, _, version = found.browser.partition("/")
    log = _Log(
        creator=_Program(creator, __version__),
        browser=_Program(name, version),
        pages=(_Page(found.visited_at, report.url or report.requested_url),),
        entries=tuple(_entry(request, begun) for request in found.requests),
    )
    return msgspec.json.format(msgspec.json.encode(_Archive(log)), indent=2) + b"\n"


def has_requests(found: BrowserFacts | None) -> bool:
    """Return whether there is an archive."""
    return bool(found and found.requests)


def _entry(request: RequestFact, begun: datetime) -> _Entry:
    end_ms = request.end_ms if request.end_ms is not None else request.response_ms or request.start_ms
    response_ms = min(request.response_ms if request.response_ms is not None else end_ms, end_ms)
    wait_ms, receive_ms = max(0.0, response_ms - request.start_ms), max(0.0, end_ms - response_ms)
    protocol = _PROTOCOLS.get(request.protocol, request.protocol or "HTTP/1.1")
    headers = (_NameValue("Content-Type", request.mime_type),) if request.mime_type else ()
    return _Entry(
        started_date_time=(begun + timedelta(milliseconds=request.start_ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        time=round(wait_ms + receive_ms, 1),
        request=_Request(request.method, request.url, protocol, tuple(_NameValue(*pair) for pair in query_parameters(request.url))),
        response=_Response(
            request.status or 0,
            protocol,
            _Content(request.body_bytes, request.mime_type or UNKNOWN_TYPE),
            headers,
            request.bytes,
            request.reason or request.withheld.value,
        ),
        timings=_Timings(round(wait_ms, 1), round(receive_ms, 1)),
        resource_type=request.type,
    )
