"""URLs of requests in access logs, in the form in which a crawl stores URLs."""

import re
from functools import lru_cache
from urllib.parse import quote_from_bytes

from findable import urls
from findable.patterns import lazy_pattern

_AS_SENT = "!#$%&'()*+,-./:;=?@[]_|~^{}"
"""Characters that are not encoded here; URL parsing encodes some of them. A backslash is, because browsers would read it as a slash."""
NO_ORIGIN = "http://host.invalid"
"""Origin of lines without a host while their URL is parsed."""
_SECRET_NAME = lazy_pattern(
    r"(?:[\w.\[\]-]*(?:token|secret|passw|passwort|signature|session|sessid|api[_-]?key|auth|e-?mail)[\w.\[\]-]*|key|sig|sid|pwd|code|otp|hash)\Z",
    re.IGNORECASE,
)
_E_MAIL = lazy_pattern(r"[^/?&=@]{1,200}(?:@|%40)[^/?&=@]{1,200}\.[A-Za-z]{2,24}(?=[/?&=;,]|\Z)", re.IGNORECASE)
MASK = "***"


@lru_cache(maxsize=16384)
def hit_url(origin: str, target: bytes) -> str:
    """Return the URL of a request target at an origin, without secrets; a path if ``origin`` is empty, and an empty text if it is no URL.

    Bytes that are not ASCII are percent-encoded, everything else stays as sent, because order, case and slashes are findings.
    """
    text = quote_from_bytes(target, safe=_AS_SENT)
    if not text.startswith("/"):  # an absolute target of a proxy, or `*` of OPTIONS
        absolute = urls.parse(text)
        if absolute is None or not absolute.is_http:
            return ""
        origin, text = origin and absolute.origin, absolute.path_and_query
    parsed = urls.parse((origin or NO_ORIGIN) + text)
    if parsed is None or not parsed.is_http or len(parsed.href) > urls.MAX_URL_CHARS:
        return ""
    return (origin and parsed.origin) + _masked(parsed)


def _masked(url: urls.Url) -> str:
    """Return path and query without e-mail addresses and values of parameters that look like secrets."""
    query = url.query
    if query:
        parts = (part.partition("=") for part in query.split("&"))
        query = "&".join(f"{name}={MASK}" if value and _SECRET_NAME.match(name) else name + mark + value for name, mark, value in parts)
    text = f"{url.path}?{query}" if query else url.path
    return _E_MAIL.sub(MASK, text) if "@" in text or "%40" in text else text
