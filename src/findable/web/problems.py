"""Bodies and headers of error responses: the members of RFC 9457, plus ``message`` and ``errors`` for Laravel clients."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from findable.control_characters import escape_json
from findable.errors import (
    BadRequest,
    Conflict,
    CrawlUnreadable,
    Forbidden,
    IdempotencyMismatch,
    McpNotInstalled,
    NotFound,
    NotRecheckable,
    PayloadTooLarge,
    PreconditionFailed,
    QuotaExceeded,
    RateLimited,
    RequestError,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
    ValidationFailed,
)
from findable.wording import Message, later

PROBLEM_JSON = "application/problem+json"
PLAIN_JSON = "application/json"
RETRY_SOON_S = {"conflict": 1, "unavailable": 5, "rate_limited": 60, "quota_exceeded": 60}
"""Default of ``Retry-After`` for errors without a time."""


class MethodNotAllowed(RequestError):
    """Error for a method that the URL does not support; ``allow`` lists the supported methods."""

    slug, status, title = "method_not_allowed", 405, "Method not allowed"

    def __init__(self, allow: str) -> None:
        super().__init__(Message(later("This URL supports %(methods)s."), methods=allow))
        self.allow = allow


class InternalError(RequestError):
    """Error caused by a bug. The response has a generic text; the log has the details under the request id."""

    slug, status, title = "internal_error", 500, "Internal error"

    def __init__(self) -> None:
        super().__init__(later("An internal error occurred. The request id finds it in the log."))


EXPLAINED: Mapping[type[RequestError], str] = {
    BadRequest: "The request is malformed: the body does not match its declared type, or contains a NUL.",
    Unauthenticated: "No API key was sent, or an unknown, expired or revoked one. Keys go into the header Authorization: Bearer KEY; "
    "a key in the URL is always rejected.",
    Forbidden: "The key is known but lacks the scope: reading needs read, everything else write.",
    NotFound: "There is no such URL, or you have no such report or project. Objects of other accounts give the same response.",
    McpNotInstalled: "The tools of agents need the extra mcp, which is not installed on this server.",
    NotRecheckable: "Only a new run of the report can check this finding again: it needs a browser, or requests as other crawlers.",
    MethodNotAllowed: "The URL does not support the method. The header Allow lists the supported ones.",
    Conflict: "A request with the same Idempotency-Key is still in progress. Try again after Retry-After seconds.",
    PreconditionFailed: "If-Match has a version of the report that is no longer current. Read the report again, then decide.",
    PayloadTooLarge: "The body has more than 64 KiB or more than 64 fields.",
    UnsupportedMediaType: "Bodies are read as application/x-www-form-urlencoded, multipart/form-data or application/json, in UTF-8.",
    ValidationFailed: "Fields are missing or invalid; errors lists all of them at once.",
    IdempotencyMismatch: "The Idempotency-Key was used with other fields before. Use a new key for a new report.",
    RateLimited: "Too many requests in a minute. RateLimit and Retry-After contain the time to wait.",
    QuotaExceeded: "Too many concurrent objects, such as queued reports. Retry-After contains the time until the next attempt.",
    CrawlUnreadable: "The stored pages of this crawl are damaged, so they can never be read. Its report is there. Crawl the site again.",
    InternalError: "Internal error. The request id identifies it in the log of the service.",
    Unavailable: "The service is shutting down, its database is unreachable, or the queue is full. Try again after Retry-After seconds.",
}
"""Explanations of errors for the page ``/errors/CODE``."""


class Error(Struct, frozen=True):
    """Error with the members of RFC 9457, `message` and `errors`."""

    type: Annotated[str, Meta(description="URL of a page about the error.", extra_json_schema={"format": "uri"})]
    title: str
    status: int
    detail: str
    instance: Annotated[str, Meta(description="Path of the request.")]
    code: Annotated[str, Meta(extra_json_schema={"enum": sorted(error.slug for error in EXPLAINED)})]
    message: str
    errors: Annotated[dict[str, list[str]], Meta(description="Messages by field.")]
    request_id: Annotated[str, Meta(description="Id of the request in the log of the service.")]


def error_body(error: RequestError, base_url: str, path: str, request_id: str) -> Error:
    """Return the body of an error response. ``path``: path of the request; ``request_id``: its id in the log."""
    return Error(
        type=f"{base_url}/errors/{error.slug}",
        title=error.title,
        status=error.status,
        detail=error.message,
        instance=path,
        code=error.slug,
        message=error.message,
        errors={field: list(sentences) for field, sentences in error.errors.items()},
        request_id=request_id,
    )


def problem_bytes(error: RequestError, base_url: str, path: str, request_id: str) -> bytes:
    """Return the body of an error response as JSON."""
    return encode_json(error_body(error, base_url, path, request_id))


def _as_text(value: Any) -> str:
    """Return a `wording.Message` as English text. Raises TypeError for other values that JSON cannot represent."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


_ENCODER = msgspec.json.Encoder(enc_hook=_as_text)


def encode_json(value: Any) -> bytes:
    """Return a body as JSON, with the control characters of terminals escaped."""
    return escape_json(_ENCODER.encode(value))


def media_type(accept: str) -> str:
    """Return the media type of an error body: problem JSON if the client accepts it explicitly, else JSON."""
    return PROBLEM_JSON if PROBLEM_JSON in accept.lower() else PLAIN_JSON


def error_headers(error: RequestError) -> dict[str, str]:
    """Return the headers of an error response: Allow, WWW-Authenticate and Retry-After, if the error has them."""
    headers: dict[str, str] = {}
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = error.allow
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="api"'
    retry = error.retry_after_s if error.retry_after_s is not None else RETRY_SOON_S.get(error.slug)
    if retry is not None:
        headers["Retry-After"] = str(max(1, retry))
    return headers
