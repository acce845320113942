"""Exceptions of Findable, with the error codes that the API returns.

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
    │   ├── CrawlUnreadable         500 crawl_unreadable
    │   └── Unavailable             503 unavailable
    └── SavedPageError          a saved page cannot be read

``slug`` is the error code of the API and the anchor in the docs.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, TypeVar

import msgspec

from findable.vocabulary import Code

T = TypeVar("T")


class FindableError(Exception):
    """Base of all exceptions of Findable."""

    slug: ClassVar[str] = "internal_error"


class SettingError(FindableError):
    """Invalid setting; ``setting`` is its name as the operator wrote it."""

    slug = "setting_error"

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(f"{setting}: {reason}")
        self.setting = setting
        self.reason = reason


class DatabaseUnusable(SettingError):
    """Database that is not damaged, but cannot be used now.

    ``is_temporary``: whether it can become usable without a change on this machine, because it is locked or unreachable.
    """

    def __init__(self, setting: str, reason: str, *, is_temporary: bool) -> None:
        super().__init__(setting, reason)
        self.is_temporary = is_temporary


class SavedPageError(FindableError):
    """Error for a file that is not a saved page, or has a newer format than this version reads."""

    slug = "saved_page_error"


class PageErrorCode(Code):
    """Reason why a page has no report; the values are those of ``error.code`` in the API (docs/reference).

    ``words`` is the text for the owner of the site.
    """

    LOGIN_REQUIRED = "login_required", "The page requires a login."
    ACCESS_DENIED = "access_denied", "The server rejected the request."
    BOT_CHALLENGE = "bot_challenge", "A bot challenge or consent page was returned instead of the page."
    TARGET_RATE_LIMITED = "target_rate_limited", "The server limited the rate of requests."
    NEEDS_BROWSER = "needs_browser", "The page is built by JavaScript and has no content without a browser."
    DNS_FAILED = "dns_failed", "The host name could not be resolved."
    CONNECT_FAILED = "connect_failed", "The connection to the server failed."
    TLS_FAILED = "tls_failed", "No secure connection could be established."
    TARGET_TIMEOUT = "target_timeout", "The page did not load in time."
    SERVER_ERROR = "server_error", "The server returned an error."
    ROBOTS_UNREADABLE = "robots_unreadable", "robots.txt could not be read, so that Google stops crawling the site."
    TOO_MANY_REDIRECTS = "too_many_redirects", "The URL redirects in a loop or more than ten times."
    NOT_HTML = "not_html", "The URL does not return an HTML page."
    TARGET_REFUSED = "target_refused", "This service is not allowed to fetch this URL."
    IDENTITY_UNREADABLE = (
        "identity_unreadable",
        "The project's credentials for its own site cannot be decrypted, because the secret key of this service has changed.",
    )
    IMPORTED = "imported", "Imported from another server without findings."
    STOPPED = "stopped", "The operator of this service stopped the report."
    NOT_PERMITTED = "not_permitted", "The person who requested the report may no longer write in this project."
    WORKER_CRASHED = "worker_crashed", "The analysis of this page crashed several times."
    INTERNAL_ERROR = "internal_error", "An internal error occurred."

    @property
    def retryable(self) -> bool:
        """Whether a later attempt can succeed."""
        return self in _RETRYABLE


_RETRYABLE = frozenset(
    {
        PageErrorCode.TARGET_RATE_LIMITED,
        PageErrorCode.DNS_FAILED,
        PageErrorCode.CONNECT_FAILED,
        PageErrorCode.TLS_FAILED,
        PageErrorCode.TARGET_TIMEOUT,
        PageErrorCode.SERVER_ERROR,
        PageErrorCode.ROBOTS_UNREADABLE,
        PageErrorCode.IMPORTED,
        PageErrorCode.STOPPED,
        PageErrorCode.WORKER_CRASHED,
        PageErrorCode.INTERNAL_ERROR,
    }
)
UNREACHED = frozenset({PageErrorCode.DNS_FAILED, PageErrorCode.CONNECT_FAILED, PageErrorCode.TLS_FAILED, PageErrorCode.TARGET_TIMEOUT})
"""Codes of an unreachable server, after which http is tried if no scheme was typed."""
AWAY = UNREACHED | {PageErrorCode.SERVER_ERROR}
"""Codes of a page that cannot be reached."""
OUTAGES = AWAY | {PageErrorCode.ROBOTS_UNREADABLE}
"""Codes after which the last rating stays, until the outage is confirmed."""


class Cause(Code):
    """Specific cause of a page or sitemap that could not be read, or a rating imported without findings.

    ``words`` is the sentence for people, formatted with the members of `PageError` or `SitemapError`.
    """

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


class PageError(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reason why a page has no report, as codes and values; `findable.reports.page_error_text` forms the sentences."""

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
        """Whether a later attempt can succeed; it cannot if the host name does not exist."""
        return self.code.retryable and self.cause is not Cause.NAME_NOT_FOUND


class SitemapError(msgspec.Struct, frozen=True):
    """Reason why no URLs could be read from a sitemap, as codes and values."""

    cause: Cause
    file: str = ""
    """URL of the sitemap file with the error, if a sitemap index lists it."""
    host: str = ""
    status: int = 0
    line: int = 0
    text: str = ""


class PageUnavailable(FindableError):
    """Error for a page that could not be loaded; ``error`` is the reason."""

    slug = "page_not_seen"

    def __init__(self, error: PageError | PageErrorCode) -> None:
        self.error = PageError(error) if isinstance(error, PageErrorCode) else error
        super().__init__(self.error)

    @property
    def code(self) -> PageErrorCode:
        """Code of the reason."""
        return self.error.code

    def __str__(self) -> str:
        return f"{self.error.code}: {self.error.cause}" if self.error.cause else self.error.code


class RequestError(FindableError):
    """Base of errors that a request gets as its response: ``status`` is the HTTP status, ``title`` the default message."""

    slug = "bad_request"
    status: ClassVar[int] = 400
    title: ClassVar[str] = "Bad request"

    def __init__(self, message: str = "", *, errors: Mapping[str, list[str]] | None = None, retry_after_s: int | None = None) -> None:
        self.message = message or self.title
        self.errors = dict(errors or {})
        self.retry_after_s = retry_after_s
        super().__init__(self.message)


class BadRequest(RequestError):
    """Error for a malformed request, for example a body that is no JSON or contains NUL."""


class Unauthenticated(RequestError):
    """Error for a missing, unknown, expired or revoked API key."""

    slug, status, title = "unauthenticated", 401, "Unauthenticated."


class Forbidden(RequestError):
    """Error for a caller without the required scope or role, and for a write from another site."""

    slug, status, title = "forbidden", 403, "Forbidden"


class NotFound(RequestError):
    """Error for an object that does not exist or belongs to another account; callers cannot distinguish the two."""

    slug, status, title = "not_found", 404, "Not found"


def require_found(found: T | None, message: str = "") -> T:
    """Return the value if it is not None. Raises NotFound for None."""
    if found is None:
        raise NotFound(message)
    return found


class McpNotInstalled(NotFound):
    """Error for a request to the agent tools if the extra ``mcp`` is not installed."""

    slug, title = "mcp_not_installed", "The agent tools are not installed: pip install '.[mcp]' in a clone of Findable"


class NotRecheckable(RequestError):
    """Error for a recheck of a finding that requires a whole report: it needs a browser, a crawl, or requests as other crawlers."""

    slug, status, title = "not_recheckable", 422, "Only a new report can check this finding again."


class Conflict(RequestError):
    """Error for a request that conflicts with the state of an object, or whose Idempotency-Key belongs to a request in progress."""

    slug, status, title = "conflict", 409, "Conflict"


class PreconditionFailed(RequestError):
    """Error for an If-Match header with a version that is no longer current."""

    slug, status, title = "precondition_failed", 412, "Precondition failed"


class PayloadTooLarge(RequestError):
    """Error for a body with more bytes or fields than the route accepts (by default 64 KiB and 64 fields)."""

    slug, status, title = "payload_too_large", 413, "Payload too large"


class UnsupportedMediaType(RequestError):
    """Error for a body that is neither urlencoded, multipart nor JSON."""

    slug, status, title = "unsupported_media_type", 415, "Unsupported media type"


class ValidationFailed(RequestError):
    """Error for invalid fields of a request; ``errors`` maps the name of each field to its error sentences."""

    slug, status, title = "validation_failed", 422, "Validation failed"

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        sentences = [sentence for field in errors.values() for sentence in field]
        rest = len(sentences) - 1
        more = f" (and {rest} more error{'s' if rest > 1 else ''})" if rest else ""
        super().__init__(f"{sentences[0]}{more}", errors=errors)


def require_valid(errors: Mapping[str, list[str]]) -> None:
    """Raise ValidationFailed if ``errors`` is not empty."""
    if errors:
        raise ValidationFailed(errors)


@contextmanager
def collected_in(errors: dict[str, list[str]]) -> Iterator[None]:
    """Catch a ValidationFailed of the block and add its errors to ``errors``, so that all invalid fields are reported at once."""
    try:
        yield
    except ValidationFailed as error:
        errors |= error.errors


class IdempotencyMismatch(RequestError):
    """Error for an Idempotency-Key that was used with another payload."""

    slug, status, title = "idempotency_mismatch", 422, "Idempotency key reused"


class RateLimited(RequestError):
    """Error for a caller that sent too many requests per minute."""

    slug, status, title = "rate_limited", 429, "Too many requests"


class QuotaExceeded(RequestError):
    """Error for a caller with too many objects or concurrent requests of one kind."""

    slug, status, title = "quota_exceeded", 429, "Quota exceeded"


class CrawlUnreadable(RequestError):
    """Error for a crawl whose stored pages are damaged. Its report is in the database and can be read."""

    slug, status, title = "crawl_unreadable", 500, "The stored pages of this crawl are damaged. Crawl the site again."


class Unavailable(RequestError):
    """Error if the service is shutting down, its database is unreachable, or the queue is full; a later request can succeed."""

    slug, status, title = "unavailable", 503, "Service unavailable"
