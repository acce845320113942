"""Requests of a browser visit as HTTP Archive 1.2, for developer tools and waterfall viewers.

Bodies and all headers except the content type are omitted, so that the archive contains no cookies or credentials.
Format: http://www.softwareishard.com/blog/har-12-spec/ .
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from findable import __version__
from findable.control_characters import indented_json
from findable.reports.facts.request_facts import RequestFact
from findable.reports.report import Report
from findable.urls import query_parameters

UNKNOWN_BYTES = -1
UNKNOWN_TYPE = "x-unknown"
PAGE_ID = "page_1"
NOT_APPLICABLE_MS = -1
_PROTOCOLS = {"http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3"}
HarObject = dict[str, Any]
"""Object of the format; its members are those of the specification, names that begin with ``_`` those of Chrome."""


def to_har(report: Report, creator: str = "Findable") -> bytes | None:
    """Return the HTTP archive of a report; None if no browser visited the page. ``creator``: name of the program in the archive."""
    found = report.facts.browser
    if not found or not found.requests:
        return None
    begin = datetime.fromisoformat(found.visited_at)
    name, _, version = found.browser.partition("/")
    page = {"startedDateTime": found.visited_at, "id": PAGE_ID, "title": report.url or report.requested_url, "pageTimings": {}}
    log = {
        "version": "1.2",
        "creator": {"name": creator, "version": __version__},
        "browser": {"name": name, "version": version},
        "pages": [page],
        "entries": [_entry(request, begin) for request in found.requests],
    }
    return indented_json(msgspec.json.encode({"log": log}))


def _entry(request: RequestFact, begin: datetime) -> HarObject:
    end_ms = request.end_ms if request.end_ms is not None else request.response_ms or request.start_ms
    response_ms = min(request.response_ms if request.response_ms is not None else end_ms, end_ms)
    wait_ms, receive_ms = max(0.0, response_ms - request.start_ms), max(0.0, end_ms - response_ms)
    started_at = begin + timedelta(milliseconds=request.start_ms)
    unknown = dict.fromkeys(("blocked", "dns", "connect", "ssl"), NOT_APPLICABLE_MS)
    return {
        "pageref": PAGE_ID,
        "startedDateTime": started_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "time": round(wait_ms + receive_ms, 1),
        "request": _request(request),
        "response": _response(request),
        "cache": {},
        "timings": {**unknown, "send": 0, "wait": round(wait_ms, 1), "receive": round(receive_ms, 1)},
        "_resourceType": request.type,
    }


def _message(request: RequestFact) -> HarObject:
    """Return the members that a request and its response have in common."""
    protocol = _PROTOCOLS.get(request.protocol, request.protocol or "HTTP/1.1")
    return {"httpVersion": protocol, "cookies": [], "headers": [], "headersSize": UNKNOWN_BYTES, "bodySize": UNKNOWN_BYTES}


def _request(request: RequestFact) -> HarObject:
    query = [{"name": name, "value": value} for name, value in query_parameters(request.url)]
    return {**_message(request), "method": request.method, "url": request.url, "queryString": query}


def _response(request: RequestFact) -> HarObject:
    headers = [{"name": "Content-Type", "value": request.mime_type}] if request.mime_type else []
    return {
        **_message(request),
        "status": request.status or 0,
        "statusText": "",
        "redirectURL": "",
        "headers": headers,
        "content": {"size": request.body_bytes, "mimeType": request.mime_type or UNKNOWN_TYPE},
        "_transferSize": request.bytes,
        "_error": request.reason or request.withheld.value,
    }
