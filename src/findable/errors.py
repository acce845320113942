"""All exceptions of Findable.

::

    FindableError
    ├── SettingError            a setting is wrong (operator)
    ├── PageUnavailable         the page could not be loaded: report failed, no rating
    ├── RequestError            a request to the API cannot be served
    │   ├── BadRequest              400 bad_request
    │   ├── Unauthenticated         401 unauthenticated
    │   ├── Forbidden               403 forbidden
    │   ├── NotFound                404 not_found
    │   ├── Conflict                409 conflict
    │   ├── PreconditionFailed      412 precondition_failed
    │   ├── PayloadTooLarge         413 payload_too_large
    │   ├── UnsupportedMediaType    415 unsupported_media_type
    │   ├── ValidationFailed        422 validation_failed (fields)
    │   ├── IdempotencyMismatch     422 idempotency_mismatch
    │   ├── RateLimited             429 rate_limited
    │   ├── QuotaExceeded           429 quota_exceeded
    │   └── Unavailable             503 unavailable
    ├── ReportMoved             a report was merged into another: its link redirects
    └── SavedPageError          a saved page cannot be read

``slug`` is the error code of the API and the anchor in the docs.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import ClassVar, Self, TypeVar

import msgspec

T = TypeVar("T")


class FindableError(Exception):
    """Base of all exceptions."""

    slug: ClassVar[str] = "internal_error"


class SettingError(FindableError):
    """Invalid setting; ``setting`` is its name as the operator wrote it."""

    slug = "setting_error"

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(f"{setting}: {reason}")
        self.setting = setting
        self.reason = reason


class SavedPageError(FindableError):
    """File that is not a saved page, or has a newer format."""

    slug = "saved_page_error"


class PageErrorCode(StrEnum):
    """Reason why a page has no report; the values are those of ``error.code`` in the API (docs/reference).

    ``message`` is the text for the owner of the site.
    """

    message: str

    LOGIN_REQUIRED = "login_required", "The page requires a login."
    ACCESS_DENIED = "access_denied", "The server rejected the request."
    BOT_CHALLENGE = "bot_challenge", "A bot challenge or consent page was returned instead of the page."
    TARGET_RATE_LIMITED = "target_rate_limited", "The server limited the rate of requests."
    NEEDS_BROWSER = "needs_browser", "The page is built by JavaScript and has no content without a browser."
    DNS_FAILED = "dns_failed", "The host name could not be resolved."
    CONNECT_FAILED = "connect_failed", "The connection to the server failed."
    TLS_FAILED = "tls_failed", "No secure connection could be established."
    TARGET_TIMEOUT = "target_timeout", "The page did not load in time."
    TOO_MANY_REDIRECTS = "too_many_redirects", "The URL redirects in a loop or more than ten times."
    NOT_HTML = "not_html", "The URL does not return an HTML page."
    TARGET_REFUSED = "target_refused", "This service is not allowed to fetch this URL."
    IDENTITY_UNREADABLE = (
        "identity_unreadable",
        "The project's credentials for its own site cannot be decrypted, because the secret key of this service has changed.",
    )
    IMPORTED = "imported", "Imported from another server without findings."
    STOPPED = "stopped", "The operator of this service stopped the report."
    WORKER_CRASHED = "worker_crashed", "The analysis of this page crashed three times."
    INTERNAL_ERROR = "internal_error", "An internal error occurred."

    def __new__(cls, code: str, message: str) -> Self:
        """Return the code with its message."""
        made = str.__new__(cls, code)
        made._value_, made.message = code, message
        return made

    @property
    def retryable(self) -> bool:
        """Whether a retry can help."""
        return self in _RETRYABLE


_RETRYABLE = frozenset(
    {
        PageErrorCode.TARGET_RATE_LIMITED,
        PageErrorCode.DNS_FAILED,
        PageErrorCode.CONNECT_FAILED,
        PageErrorCode.TLS_FAILED,
        PageErrorCode.TARGET_TIMEOUT,
        PageErrorCode.IMPORTED,
        PageErrorCode.STOPPED,
        PageErrorCode.WORKER_CRASHED,
        PageErrorCode.INTERNAL_ERROR,
    }
)
UNREACHED = frozenset({PageErrorCode.DNS_FAILED, PageErrorCode.CONNECT_FAILED, PageErrorCode.TLS_FAILED, PageErrorCode.TARGET_TIMEOUT})
"""Codes after which http is tried if no scheme was typed."""


class ReportMoved(FindableError):
    """Report that was merged into another, whose link is `public_id`."""

    slug = "report_moved"

    def __init__(self, public_id: str) -> None:
        super().__init__(public_id)
        self.public_id = public_id


class Cause(StrEnum):
    """Specific cause of a failed request.

    ``template`` is the sentence for people, formatted with the members of `PageError` or `SitemapError`.
    """

    template: str

    STATUS = "status", "The server returned status %(status)s."
    NO_CONTENT = "no_content", "The server returned status %(status)s, which has no content."
    CHALLENGE = "challenge", "It came from %(who)s, with status %(status)s."
    MEDIA_TYPE = "media_type", "The response is %(media_type)s."
    NO_MEDIA_TYPE = "no_media_type", "The response has no Content-Type and does not begin like HTML."
    OTHER_BYTES = "other_bytes", "The response is declared as %(media_type)s, but its bytes are %(file_type)s."
    NO_MARKUP = "no_markup", "The response is text without any markup."
    EMPTY = "empty", "The response is empty."
    UNDECODABLE = "undecodable", "The content coding of the response could not be decoded: %(text)s."
    NAME_NOT_FOUND = "name_not_found", "The host name %(host)s does not exist (NXDOMAIN)."
    NO_ADDRESS = "no_address", "The host name %(host)s has no IP address."
    NAME_SERVER_FAILED = "name_server_failed", "The name servers of %(host)s returned an error (SERVFAIL)."
    NAME_SERVER_TIMEOUT = "name_server_timeout", "The name servers of %(host)s did not respond in time."
    NO_NAME_SERVER = "no_name_server", "No name server could be reached to look up %(host)s."
    BAD_NAME = "bad_name", "%(host)s is not a valid host name."
    CONNECTION_REFUSED = "connection_refused", "The server did not accept the connection."
    CLOSED_IN_HANDSHAKE = "closed_in_handshake", "The server closed the connection during the TLS handshake."
    CLOSED_BEFORE_RESPONSE = "closed_before_response", "The server closed the connection without a response."
    CLOSED_IN_HEADER = "closed_in_header", "The server closed the connection within the header."
    CLOSED_IN_BODY = "closed_in_body", "The server closed the connection within the body."
    CONNECT_TIMEOUT = "connect_timeout", "No connection was established in time."
    HANDSHAKE_TIMEOUT = "handshake_timeout", "The TLS handshake did not finish in time."
    FIRST_BYTE_TIMEOUT = "first_byte_timeout", "The first byte did not arrive in time."
    HEADER_TIMEOUT = "header_timeout", "The header did not arrive completely in time."
    BODY_TIMEOUT = "body_timeout", "The body did not arrive completely in time."
    HEADER_TOO_LARGE = "header_too_large", "The header is larger than %(text)s KiB."
    HEADER_TOO_LONG = "header_too_long", "The header has more than %(text)s lines."
    HEADER_LINE_TOO_LONG = "header_line_too_long", "A line of the header is too long."
    OTHER_PROTOCOL = "other_protocol", "The server switched to a protocol that was not requested."
    UNREADABLE = "unreadable", "The response could not be read: %(text)s."
    TLS = "tls", "The TLS library reports: %(text)s."
    TARGET_REFUSED = "target_refused", "The URL leads to a host or port that this service does not analyse."
    PAUSED = "paused", "The server requested a longer pause than the remaining time."
    REDIRECT_LOOP = "redirect_loop", "Redirect %(redirects)s leads back to %(url)s."
    TOO_MANY_REDIRECTS = "too_many_redirects", "%(redirects)s redirects, the last one to %(url)s."
    REDIRECTS = "redirects", "The URL redirects in a loop or more than %(text)s times."
    RATED_GOOD = "rated_good", "%(host)s rated the page good on %(date)s."
    RATED_DECENT = "rated_decent", "%(host)s rated the page decent on %(date)s."
    RATED_BAD = "rated_bad", "%(host)s rated the page bad on %(date)s."
    UNRATED = "unrated", "%(host)s had no rating of the page."
    HTML = "html", "The file is an HTML page, not a sitemap."
    NOT_XML = "not_xml", "The file is not well-formed XML: line %(line)s: %(text)s."
    NO_URLS = "no_urls", "The sitemap lists no http or https URLs."
    FILES_TIMEOUT = "files_timeout", "The files of the sitemap did not arrive within %(text)s seconds."

    def __new__(cls, code: str, template: str) -> Self:
        """Return the code with its sentence."""
        made = str.__new__(cls, code)
        made._value_, made.template = code, template
        return made


class PageError(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reason why a page has no report, as codes and values; `reports.page_error_text` forms the sentences."""

    code: PageErrorCode
    cause: Cause | None = None
    phase: str = ""
    """Phase in which the request ended: dns, connect, tls, wait (for the first byte), header or body."""
    host: str = ""
    status: int = 0
    redirects: int = 0
    """Number of redirects followed before the error."""
    url: str = ""
    """Target of the last redirect, without user name and password."""
    media_type: str = ""
    file_type: str = ""
    """Media type detected from the first bytes."""
    who: str = ""
    """Product or host that served a challenge."""
    text: str = ""
    """Message of a library (OpenSSL, libcurl, zlib), or the exceeded header limit."""
    at: int | None = None
    """Seconds since 1970, set if an earlier result is still shown after a failed generation, and for an imported rating."""
    source: str = ""
    """URL of an imported report in the API of its original server."""

    @property
    def retryable(self) -> bool:
        """Whether a retry can help; not for a name that does not exist."""
        return self.code.retryable and self.cause is not Cause.NAME_NOT_FOUND


class SitemapError(msgspec.Struct, frozen=True):
    """Reason why no URLs could be read from a sitemap, as codes and values."""

    cause: Cause
    file: str = ""
    """URL of the file, if an index lists it."""
    host: str = ""
    status: int = 0
    line: int = 0
    text: str = ""


class PageUnavailable(FindableError):
    """Page that could not be loaded; ``error`` is the reason."""

    slug = "page_not_seen"

    def __init__(self, error: PageError | PageErrorCode) -> None:
        self.error = PageError(error) if isinstance(error, PageErrorCode) else error
        super().__init__(self.error)

    @property
    def code(self) -> PageErrorCode:
        """Released error code."""
        return self.error.code

    def __str__(self) -> str:
        return f"{self.error.code}: {self.error.cause}" if self.error.cause else self.error.code


class RequestError(FindableError):
    """Base of errors that the API returns with a body. ``title`` is shown, ``status`` is the HTTP status."""

    slug = "bad_request"
    status: ClassVar[int] = 400
    title: ClassVar[str] = "Bad request"

    def __init__(self, message: str = "", *, errors: Mapping[str, list[str]] | None = None, retry_after_s: int | None = None) -> None:
        self.message = message or self.title
        self.errors = dict(errors or {})
        self.retry_after_s = retry_after_s
        super().__init__(self.message)


class BadRequest(RequestError):
    """Malformed body, or one with NUL characters."""


class Unauthenticated(RequestError):
    """Missing, unknown, expired or revoked key."""

    slug, status, title = "unauthenticated", 401, "Unauthenticated."


class Forbidden(RequestError):
    """Key without the required scope."""

    slug, status, title = "forbidden", 403, "Forbidden"


class NotFound(RequestError):
    """Missing object, or one of another account; callers cannot distinguish the two."""

    slug, status, title = "not_found", 404, "Not found"


def require_found(found: T | None, message: str = "") -> T:
    """Return the object. Raises NotFound for None."""
    if found is None:
        raise NotFound(message)
    return found


class McpNotInstalled(NotFound):
    """Request for agent tools without the extra ``mcp`` installed."""

    slug, title = "mcp_not_installed", "The tools of agents are not installed: pip install 'findable-seo[mcp]'"


class NotRecheckable(RequestError):
    """Finding that only a whole report can check again, because it needs a browser, a crawl, or requests as other crawlers."""

    slug, status, title = "not_recheckable", 422, "Only a new report can check this finding again."


class Conflict(RequestError):
    """Request whose Idempotency-Key belongs to a request in progress."""

    slug, status, title = "conflict", 409, "Conflict"


class PreconditionFailed(RequestError):
    """If-Match with a version that is no longer current."""

    slug, status, title = "precondition_failed", 412, "Precondition failed"


class PayloadTooLarge(RequestError):
    """Body with more than 64 KiB or 64 fields."""

    slug, status, title = "payload_too_large", 413, "Payload too large"


class UnsupportedMediaType(RequestError):
    """Body that is neither urlencoded, multipart nor JSON."""

    slug, status, title = "unsupported_media_type", 415, "Unsupported media type"


class ValidationFailed(RequestError):
    """Invalid fields; ``errors`` maps each field to its sentences."""

    slug, status, title = "validation_failed", 422, "Validation failed"

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        sentences = [sentence for field in errors.values() for sentence in field]
        rest = len(sentences) - 1
        more = f" (and {rest} more error{'s' if rest > 1 else ''})" if rest else ""
        super().__init__(f"{sentences[0]}{more}", errors=errors)


def require_valid(errors: Mapping[str, list[str]]) -> None:
    """Raise ValidationFailed if there are errors."""
    if errors:
        raise ValidationFailed(errors)


@contextmanager
def collected_in(errors: dict[str, list[str]]) -> Iterator[None]:
    """Add the errors of a ValidationFailed that the block raises, so that all wrong fields are reported at once."""
    try:
        yield
    except ValidationFailed as error:
        errors |= error.errors


class IdempotencyMismatch(RequestError):
    """Idempotency-Key that was used with another payload."""

    slug, status, title = "idempotency_mismatch", 422, "Idempotency key reused"


class RateLimited(RequestError):
    """Rate limit exceeded: a caller sent too many requests per minute."""

    slug, status, title = "rate_limited", 429, "Too many requests"


class QuotaExceeded(RequestError):
    """Quota exceeded: a caller has too many objects of one kind."""

    slug, status, title = "quota_exceeded", 429, "Quota exceeded"


class Unavailable(RequestError):
    """Service shutting down, database unreachable, or queue full; retry later."""

    slug, status, title = "unavailable", 503, "Service unavailable"
