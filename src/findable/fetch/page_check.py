"""Decide whether a response is the page, as pure functions.

The markers occur on challenges served *instead* of the page. A normal page that loads a captcha for its form, or the script
of a bot manager, has none of them; markers that normal pages can have count only on a short page or with a status that refuses.
"""

import re

from msgspec import Struct

from findable import urls
from findable.capture.response import HTML_TYPES, Response
from findable.capture.status_classes import is_success
from findable.errors import Cause, PageError, PageErrorCode, PageUnavailable
from findable.formats.mime_sniffing import MAX_SNIFF_BYTES, sniff
from findable.patterns import lazy_pattern

SEARCHED_BYTES = 65536
CHALLENGE_MAX_WORDS = 120
_REFUSING = frozenset({401, 403, 405, 406, 429, 503, 520, 999})
_CODES = {
    401: PageErrorCode.LOGIN_REQUIRED,
    407: PageErrorCode.LOGIN_REQUIRED,
    403: PageErrorCode.ACCESS_DENIED,
    451: PageErrorCode.ACCESS_DENIED,
    429: PageErrorCode.TARGET_RATE_LIMITED,
}

_NO_CONTENT = frozenset({204, 205})
_MARKUP = re.compile(rb"<\0?[a-z!/?]", re.IGNORECASE)
"""Start of a tag, comment, doctype or processing instruction, also in UTF-16. HTML has at least one."""
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
"""Bytes that do not occur in text (WHATWG MIME Sniffing, "binary data byte")."""
_ARCHIVES = (
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
)
_SPACE = b" \t\r\n\f\0"
_HTML_START = lazy_pattern(rb"<(?:!doctype\s+html|html|head|body|title|meta|script|h1|div|p)\b", re.IGNORECASE)


class _Challenge(Struct, frozen=True):
    """A bot challenge, recognized by bytes in lower case.

    ``alone``: the bytes occur on no normal short page of any status. A ``pattern`` must match too; the bytes are searched first, at
    a hundredth of its cost.
    """

    name: str
    marks: tuple[bytes, ...]
    alone: bool = False
    pattern: re.Pattern[bytes] | None = None

    def matches(self, text: bytes) -> bool:
        if not any(mark in text for mark in self.marks):
            return False
        return self.pattern is None or self.pattern.search(text) is not None


_CHALLENGES = (
    _Challenge(
        "Cloudflare",
        (b"just a moment...", b"attention required! | cloudflare"),
        alone=True,
        pattern=re.compile(rb"<title>\s*(?:just a moment\.\.\.|attention required! \| cloudflare)\s*</title>"),
    ),
    _Challenge(
        "Cloudflare", (b"window._cf_chl_opt", b'id="challenge-form"', b'id="challenge-running"', b'id="challenge-error-text"'), alone=True
    ),
    _Challenge("Cloudflare", (b"/cdn-cgi/challenge-platform/", b"cf-browser-verification", b"cf-error-details")),
    _Challenge(
        "Akamai",
        (b"access denied",),
        alone=True,
        pattern=re.compile(rb"<title>\s*access denied\s*</title>[\s\S]{0,600}reference(?:&#32;|\s)*(?:&#35;|#)"),
    ),
    _Challenge("Akamai", (b"errors.edgesuite.net", b"/_sec/cp_challenge/", b"sec-if-cpt-container", b"akamai-block")),
    _Challenge("Imperva", (b"incapsula incident id", b"request unsuccessful. incapsula"), alone=True),
    _Challenge("Imperva", (b"_incapsula_resource",)),
    _Challenge("DataDome", (b"captcha-delivery.com/captcha", b"captcha-delivery.com/interstitial"), alone=True),
    _Challenge("DataDome", (b"var dd={", b"var dd = {"), alone=True, pattern=re.compile(rb"var dd ?= ?\{[^}]{0,200}'rt' ?:")),
    _Challenge("PerimeterX", (b'id="px-captcha', b"id='px-captcha", b"window._pxappid", b"access to this page has been denied")),
    _Challenge("AWS WAF", (b"window.gokuprops", b"awswafcookiedomainlist", b"awswafintegration.")),
    _Challenge("Sucuri", (b"sucuri website firewall - access denied",), alone=True),
    _Challenge("Sucuri", (b"sucuri_cloudproxy_js",)),
    _Challenge("Distil", (b"distil_r_captcha", b"/distil_identify_cookie")),
    _Challenge("Kasada", (b"window.kpsdk=", b"/149e9513-01fa-4fb0-aad4-566afd725d1b/")),
    _Challenge("DDoS-Guard", (b"<title>ddos-guard</title>", b"check.ddos-guard.net/check.js")),
    _Challenge("Vercel", (b"<title>vercel security checkpoint</title>",), alone=True),
    _Challenge(
        "Anubis",
        (b"<title>making sure you're not a bot!</title>", b"<title>making sure you&#39;re not a bot!</title>", b"anubis_challenge"),
        alone=True,
    ),
    _Challenge("Google", (b"our systems have detected unusual traffic from your computer network",), alone=True),
    _Challenge("captcha", (b"hcaptcha.com/1/api.js", b"challenges.cloudflare.com/turnstile", b"google.com/recaptcha/api")),
)
_CHALLENGE_HEADERS = (
    ("cf-mitigated", "challenge", "Cloudflare"),
    ("x-amzn-waf-action", "challenge", "AWS WAF"),
    ("x-amzn-waf-action", "captcha", "AWS WAF"),
    ("x-vercel-mitigated", "challenge", "Vercel"),
    ("x-datadome", "protected", "DataDome"),
)
_CONSENT_HOSTS = lazy_pattern(r"^(?:consent\.(?:google|youtube|yahoo)\.[a-z.]+|guce\.[a-z0-9.-]+|consent\.yahoo\.[a-z.]+)$")
_UNSEEN_ELEMENTS = (b"script", b"style", b"noscript", b"template", b"svg")
_TAG = re.compile(rb"<[^>]*>?")


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


def challenge_of(response: Response) -> str:
    """Return the product that served a challenge or a consent page instead of the page; empty if none did."""
    for name, value, who in _CHALLENGE_HEADERS:
        if (response.headers.first(name) or "").strip().lower() == value and (who != "DataDome" or response.status in _REFUSING):
            return who
    consent = _consent_host(response)
    if consent:
        return consent
    if len(response.body) > SEARCHED_BYTES:
        return ""  # challenge pages are shorter
    text = response.body.lower()
    is_refusal = response.status in _REFUSING
    found = next((challenge for challenge in _CHALLENGES if (challenge.alone or is_refusal) and challenge.matches(text)), None)
    return found.name if found is not None and ((is_refusal and found.alone) or _is_short(text)) else ""


def _is_short(text: bytes) -> bool:
    """Return whether the text has few words: a challenge page has a sentence or two."""
    for name in _UNSEEN_ELEMENTS:
        first, *rest = text.split(b"<" + name)
        text = first + b" ".join(part.partition(b"</" + name)[2] for part in rest)
    return len(_TAG.sub(b" ", text).split()) <= CHALLENGE_MAX_WORDS


def _consent_host(response: Response) -> str:
    """Return the consent service that the request was redirected to; empty if none."""
    host = urls.host_of(response.final_url)
    return host if host != urls.host_of(response.requested_url) and _CONSENT_HOSTS.match(host) else ""


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
