"""Decide whether a response is the page, as pure functions."""

import re

from findable.capture.response import HTML_TYPES, Response
from findable.capture.status_classes import is_success
from findable.errors import Cause, PageError, PageErrorCode, PageUnavailable
from findable.formats.bot_challenges import challenge_of
from findable.formats.mime_sniffing import MAX_SNIFF_BYTES, sniff
from findable.lazy_pattern import lazy_pattern

SEARCHED_BYTES = 65536
_CODES = {
    401: PageErrorCode.LOGIN_REQUIRED,
    407: PageErrorCode.LOGIN_REQUIRED,
    403: PageErrorCode.ACCESS_DENIED,
    451: PageErrorCode.ACCESS_DENIED,
    429: PageErrorCode.TARGET_RATE_LIMITED,
}

_NO_CONTENT = frozenset({204, 205})
_MARKUP = lazy_pattern(rb"<\0?[a-z!/?]", re.IGNORECASE)
"""Start of a tag, comment, doctype or processing instruction, also in UTF-16. HTML has at least one."""
_BINARY = lazy_pattern(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
"""Bytes that do not occur in text (WHATWG MIME Sniffing, "binary data byte")."""
_ARCHIVES = (
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
)
_SPACE = b" \t\r\n\f\0"
_HTML_START = lazy_pattern(rb"<(?:!doctype\s+html|html|head|body|title|meta|script|h1|div|p)\b", re.IGNORECASE)


def is_html(response: Response) -> bool:
    """Return whether the response is an HTML page: by its media type or, without one, by its first bytes."""
    kind = response.headers.media_type
    return kind in HTML_TYPES if kind else _starts_as_html(response.body[:SEARCHED_BYTES])


def page_error_of(response: Response) -> PageError | None:
    """Return why a 2xx response is not a page; None if it is one.

    One tag is enough. An empty response, a file, or text without markup is not a page, even if declared as HTML.
    """
    kind, body, status = response.headers.media_type, response.body, response.status
    if status in _NO_CONTENT:
        return PageError(PageErrorCode.NOT_HTML, Cause.NO_CONTENT, status=status)
    if kind and kind not in HTML_TYPES:
        return PageError(PageErrorCode.NOT_HTML, Cause.MEDIA_TYPE, media_type=kind)
    if response.decode_error and not body:
        return PageError(PageErrorCode.NOT_HTML, Cause.UNDECODABLE, text=response.decode_error)
    if not body.removeprefix(b"\xef\xbb\xbf").strip(_SPACE):
        return PageError(PageErrorCode.NOT_HTML, Cause.EMPTY)
    if not is_html(response):
        return PageError(PageErrorCode.NOT_HTML, Cause.NO_MEDIA_TYPE)
    file_type = _file_type(body)
    if file_type:
        return PageError(PageErrorCode.NOT_HTML, Cause.OTHER_BYTES, media_type=kind, file_type=file_type)
    return None if _MARKUP.search(body) else PageError(PageErrorCode.NOT_HTML, Cause.NO_MARKUP)


def _file_type(body: bytes) -> str:
    """Return the media type of an image, a document or an archive; empty if the bytes may be text."""
    start = body[: 2 * MAX_SNIFF_BYTES].lstrip()[:MAX_SNIFF_BYTES]
    known = next((name for mark, name in _ARCHIVES if start.startswith(mark)), "") or sniff(start)
    is_file = known == "application/pdf" or (known not in {"", "text/html", "image/svg+xml"} and _BINARY.search(start) is not None)
    return known if is_file else ""


def _starts_as_html(start: bytes) -> bool:
    """Return whether HTML follows an optional byte order mark, XML declaration and comments."""
    rest = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    for opening, closing in ((b"<?xml", b"?>"), *[(b"<!--", b"-->")] * 8):
        if rest.startswith(opening):
            rest = rest.partition(closing)[2].lstrip()
    return bool(_HTML_START.match(rest))


def raise_unless_page(response: Response) -> None:
    """Raise PageUnavailable if the response is not the page. 404, 410, other 4xx and 5xx are responses of the page and pass."""
    status, who = response.status, challenge_of(response)
    if who:
        raise PageUnavailable(PageError(PageErrorCode.BOT_CHALLENGE, Cause.CHALLENGE, who=who, status=status))
    code = _CODES.get(status)
    if code is not None:
        raise PageUnavailable(PageError(code, Cause.STATUS, status=status))
    why = page_error_of(response) if is_success(status) else None
    if why is not None:
        raise PageUnavailable(why)
