"""Requests of a page in the browser, in the order in which they began."""

from collections.abc import Iterator

from msgspec import Struct

from findable.capture.rendering import Rendering, WithheldReason
from findable.urls import same_host
from findable.values import cut_texts, shape_of

REQUESTS_LISTED = 200
_URL_CHARS = 500


class RequestFact(Struct, frozen=True, kw_only=True):
    """Request of the page; times are milliseconds since the first one began."""

    url: str
    method: str
    type: str
    status: int | None
    """HTTP status; null without a response."""
    protocol: str
    """Protocol as the browser names it, like ``h2``; empty if unknown."""
    mime_type: str
    start_ms: float
    response_ms: float | None
    """Start of the response; null without one."""
    end_ms: float | None
    bytes: int
    """Transferred bytes, including headers."""
    body_bytes: int
    """Bytes of the body after decompression."""
    reason: str
    """Code of the browser's network error; empty for none."""
    third_party: bool
    late: bool
    """Whether the request began only after the viewport was extended to the height of the page."""
    withheld: WithheldReason
    """Reason why it was not sent; empty if it was."""


def requests_of(rendering: Rendering) -> Iterator[RequestFact]:
    """Yield the first REQUESTS_LISTED requests of the browser."""
    for request in rendering.requests[:REQUESTS_LISTED]:
        is_foreign = not same_host(request.url, rendering.final_url)
        own = {"type": request.kind, "bytes": request.transferred_bytes, "reason": request.failure, "third_party": is_foreign}
        yield cut_texts(shape_of(RequestFact, request, status=request.status or None, **own), _URL_CHARS)
