"""Waterfall chart: the requests of a page in the browser as bars over time."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from findable.capture.status_classes import is_error
from findable.reports.facts.request_facts import RequestFact
from findable.reports.messages import format_bytes, format_value
from findable.urls import parse
from findable.wording import Translator, later

SHOWN = 60
WIDTH = 1000
"""Width of the area of the bars, in SVG units."""
LEAST = 4
NAME_CHARS = 60
_NOT_REQUESTED = later("Not requested")
_KINDS = frozenset({"document", "stylesheet", "script", "image", "font", "xhr", "fetch"})


class WaterfallRow(Struct, frozen=True):
    """Row of the waterfall: a request with its bar."""

    url: str
    name: str
    """File name, preceded by the host if the file is from another host than the page."""
    kind: str
    """Class of its bar."""
    start: int
    wait: int
    receive: int
    """Position and widths, out of `WIDTH`."""
    time: str
    details: str
    """Type, status and size."""
    is_failed: bool


class Waterfall(Struct, frozen=True):
    """Waterfall of the first requests of a page."""

    kind: ClassVar[str] = "waterfall"
    rows: tuple[WaterfallRow, ...]
    omitted_count: int
    end: str
    """Time at which the last request ended, in words."""
    har: str
    """URL of the HAR file; empty for none."""


def waterfall(requests: Sequence[RequestFact], har: str, say: Translator) -> Waterfall:
    """Return the waterfall, whose time axis begins with the first request and ends with the last response."""
    longest_ms = max((request.end_ms or request.response_ms or request.start_ms for request in requests), default=0.0) or 1.0
    rows = tuple(_row(request, longest_ms, say) for request in requests[:SHOWN])
    return Waterfall(rows, max(0, len(requests) - SHOWN), format_value("_ms", longest_ms, say), har)


def _row(request: RequestFact, longest_ms: float, say: Translator) -> WaterfallRow:
    end_ms = request.end_ms if request.end_ms is not None else longest_ms
    response_ms = min(request.response_ms if request.response_ms is not None else end_ms, end_ms)
    start, response, end = (round(WIDTH * at_ms / longest_ms) for at_ms in (request.start_ms, response_ms, end_ms))
    start = min(start, WIDTH - LEAST)
    took = format_value("_ms", max(0.0, end_ms - request.start_ms), say)
    is_failed = (is_error(request.status or 0) or bool(request.reason)) and not request.withheld
    size = format_bytes(request.bytes, say) if request.bytes else ""
    outcome = say(_NOT_REQUESTED) if request.withheld else str(request.status or request.reason)
    about = (request.type, outcome, size)
    return WaterfallRow(
        url=request.url,
        name=_name(request),
        kind=request.type if request.type in _KINDS else "other",
        start=start,
        wait=max(0, response - start),
        receive=max(LEAST, end - max(start, response)),
        time=took,
        details=" · ".join(part for part in about if part),
        is_failed=is_failed,
    )


def _name(request: RequestFact) -> str:
    url = parse(request.url)
    if url is None:
        return request.url[:NAME_CHARS]
    path = url.path_and_query.rpartition("/")[2] if url.path_and_query != "/" else "/"
    name = f"{url.host} {path or url.path}" if request.third_party else path or url.path
    return name if len(name) <= NAME_CHARS else f"{name[: NAME_CHARS - 1]}…"
