"""Every exception we raise on purpose.

::

    FindableError
    ├── SettingError            a setting is wrong (operator)
    ├── PageNotSeen             the page could not be seen: report failed, no rating
    ├── RequestError            a request to our interface cannot be served
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
    └── SavedPageError          a saved page cannot be read

``slug`` is the error code of the interface and the anchor in the docs.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar


class FindableError(Exception):
    """Base of them all."""

    slug: ClassVar[str] = "internal_error"


class SettingError(FindableError):
    """A setting is wrong; ``setting`` names it as the operator wrote it."""

    slug = "setting_error"

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(f"{setting}: {reason}")
        self.setting = setting
        self.reason = reason


class SavedPageError(FindableError):
    """A saved page is not one of ours, or of a newer format."""

    slug = "saved_page_error"


NOT_SEEN_CODES: Mapping[str, tuple[str, bool]] = {
    # code: (what the owner of the site reads, whether a retry can help). Table of CHECKS.md section 3.
    "login_required": ("The page asked our request to sign in.", False),
    "access_denied": ("The server refused our request.", False),
    "bot_challenge": ("A challenge or consent wall was served to our request instead of the page.", False),
    "target_rate_limited": ("The server said that our requests come too fast.", True),
    "needs_browser": ("The page is built by script: without a browser there is nothing to judge.", False),
    "dns_failed": ("The name of the host could not be resolved by us.", True),
    "connect_failed": ("Our connection to the server failed.", True),
    "tls_failed": ("No secure connection could be made by us.", True),
    "target_timeout": ("The page did not arrive in the time we wait.", True),
    "too_many_redirects": ("The address redirects in a loop or more than ten times.", False),
    "not_html": ("The address answers with something that is not an HTML page.", False),
    "target_refused": ("This address may not be fetched by this service.", False),
    "identity_unreadable": (
        "What this project sends along to its own site cannot be read any more: the secret of this service has changed.",
        False,
    ),
    "worker_crashed": ("Our analysis stopped three times on this page.", True),
    "internal_error": ("Something went wrong on our side.", True),
}

UNREACHED = frozenset({"dns_failed", "connect_failed", "tls_failed", "target_timeout"})
"""Codes after which a guessed https is followed by a try of http."""


def as_sentence(text: str) -> str:
    """With a capital at its start and a full stop at its end; an address at the start stays as it is."""
    if not text:
        return ""
    first = text if "://" in text.partition(" ")[0] else text[0].upper() + text[1:]
    return first if first.endswith((".", "!", "?", "…")) else f"{first}."


class PageNotSeen(FindableError):
    """The page could not be seen. ``code`` is a key of NOT_SEEN_CODES; ``detail`` says what we met, one line."""

    slug = "page_not_seen"

    def __init__(self, code: str, detail: str = "", *, phase: str = "") -> None:
        self.code = code
        self.message, self.retryable = NOT_SEEN_CODES[code]
        self.detail = detail
        self.phase = phase
        super().__init__(f"{code}: {detail or self.message}")

    @property
    def sentences(self) -> str:
        """The message, then what we met as a sentence of its own."""
        return f"{self.message} {as_sentence(self.detail)}".rstrip()

    def __reduce__(self) -> "tuple[Callable[..., PageNotSeen], tuple[str, str, str]]":
        """Survives the way from one process to another."""
        return _page_not_seen, (self.code, self.detail, self.phase)


def _page_not_seen(code: str, detail: str, phase: str) -> PageNotSeen:
    return PageNotSeen(code, detail, phase=phase)


class RequestError(FindableError):
    """Base of what the interface answers with an error body. ``title`` is shown, ``status`` is HTTP's."""

    slug = "bad_request"
    status: ClassVar[int] = 400
    title: ClassVar[str] = "Bad request"

    def __init__(self, message: str = "", *, errors: Mapping[str, list[str]] | None = None, retry_after_s: int | None = None) -> None:
        self.message = message or self.title
        self.errors = dict(errors or {})
        self.retry_after_s = retry_after_s
        super().__init__(self.message)


class BadRequest(RequestError):
    """The body is malformed, or a NUL stands in it."""


class Unauthenticated(RequestError):
    """No key, an unknown, expired or revoked one."""

    slug, status, title = "unauthenticated", 401, "Unauthenticated."


class Forbidden(RequestError):
    """The key lacks the scope."""

    slug, status, title = "forbidden", 403, "Forbidden"


class NotFound(RequestError):
    """Missing, or another account's: the same answer."""

    slug, status, title = "not_found", 404, "Not found"


class Conflict(RequestError):
    """The same Idempotency-Key is being worked on."""

    slug, status, title = "conflict", 409, "Conflict"


class PreconditionFailed(RequestError):
    """If-Match names a version that is no longer current."""

    slug, status, title = "precondition_failed", 412, "Precondition failed"


class PayloadTooLarge(RequestError):
    """More than 64 KiB or 64 fields."""

    slug, status, title = "payload_too_large", 413, "Payload too large"


class UnsupportedMediaType(RequestError):
    """Neither urlencoded, multipart nor JSON."""

    slug, status, title = "unsupported_media_type", 415, "Unsupported media type"


class ValidationFailed(RequestError):
    """Fields are wrong; ``errors`` maps each field to its sentences."""

    slug, status, title = "validation_failed", 422, "Validation failed"

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        sentences = [sentence for field in errors.values() for sentence in field]
        rest = len(sentences) - 1
        more = f" (and {rest} more error{'s' if rest > 1 else ''})" if rest else ""
        super().__init__(f"{sentences[0]}{more}", errors=errors)


class IdempotencyMismatch(RequestError):
    """The Idempotency-Key was used with another payload."""

    slug, status, title = "idempotency_mismatch", 422, "Idempotency key reused"


class RateLimited(RequestError):
    """Too many requests a minute."""

    slug, status, title = "rate_limited", 429, "Too many requests"


class QuotaExceeded(RequestError):
    """Too many of something at once."""

    slug, status, title = "quota_exceeded", 429, "Quota exceeded"


class Unavailable(RequestError):
    """Draining, database away, or queue full; come back later."""

    slug, status, title = "unavailable", 503, "Service unavailable"
