"""URLs of requests in access logs, in the form in which a crawl stores URLs."""

import re
from enum import IntEnum
from functools import lru_cache
from urllib.parse import quote_from_bytes

from findable import urls
from findable.lazy_pattern import lazy_pattern

_AS_SENT = "!#$%&'()*+,-./:;=?@[]_|~^{}"
"""Characters that are not encoded here; URL parsing encodes some of them. A backslash is, because browsers would read it as a slash."""
NO_ORIGIN = "http://host.invalid"
"""Origin of lines without a host while their URL is parsed."""
_ENCODED = lazy_pattern(rb"[^!#$%&'()*+,\-./:;=?@\[\]_|~^{}0-9A-Za-z]")
_SECRETS = lazy_pattern(
    r"(?:^|&)(?:[\w.\[\]-]*(?:token|secret|passw|signature|session|sessid|api[_-]?key|auth|e-?mail)[\w.\[\]-]*"
    r"|key|sig|sid|pwd|code|otp|hash)=",
    re.IGNORECASE,
)
_E_MAIL = lazy_pattern(r"[^/?&=@]{1,200}(?:@|%40)[^/?&=@]{1,200}\.[A-Za-z]{2,24}(?=[/?&=;,]|\Z)", re.IGNORECASE)
MASK = "***"


class HitKind(IntEnum):
    """Kind of a requested URL. The numbers are stored."""

    PAGE = 0
    ASSET = 1
    ROBOTS = 2
    SITEMAP = 3


_ASSET = lazy_pattern(
    r"\.(?:avif|bmp|css|eot|gif|ico|jpe?g|js|json|map|mjs|mp[34]|m4[av]|ogg|otf|png|svgz?|tiff?|ttf|wasm|web[mp]|woff2?)\Z", re.IGNORECASE
)
_SITEMAP = lazy_pattern(r"/[^/]*sitemap[^/]*\.(?:xml|txt)(?:\.gz)?\Z", re.IGNORECASE)


def kind_of(url: str) -> HitKind:
    """Return the kind of a URL by its path, because logs do not contain the type of the response."""
    path = url.partition("?")[0]
    if path.endswith("/robots.txt"):
        return HitKind.ROBOTS
    if _SITEMAP.search(path):
        return HitKind.SITEMAP
    return HitKind.ASSET if _ASSET.search(path) else HitKind.PAGE


@lru_cache(maxsize=16384)
def hit_url(origin: str, target: bytes) -> str:
    """Return the URL of a request target at an origin, without secrets; a path if ``origin`` is empty, and an empty text if it is no URL.

    Bytes that are not ASCII are percent-encoded, everything else stays as sent, because order, case and slashes are findings.
    """
    text = quote_from_bytes(target, safe=_AS_SENT) if _ENCODED.search(target) else target.decode()
    base = origin or NO_ORIGIN
    if not text.startswith("/"):  # an absolute target of a proxy, or `*` of OPTIONS
        absolute = urls.parse(text)
        if absolute is None or not absolute.is_http:
            return ""
        base, text = absolute.origin if origin else NO_ORIGIN, absolute.path_and_query
    href = urls.join(base, text) if not text.startswith("//") else urls.join(base, base + text)
    if href is None or len(href) > urls.MAX_URL_CHARS:
        return ""
    return _masked(urls.without_fragment(href if origin else href.removeprefix(NO_ORIGIN)))


def _masked(url: str) -> str:
    """Return a URL without email addresses and values of parameters that look like secrets."""
    start, mark, query = url.partition("?")
    if query and _SECRETS.search(query):
        parts = (part.partition("=") for part in query.split("&"))
        query = "&".join(
            f"{name}={MASK}" if value and _SECRETS.match(f"{name}=") else name + equals + value for name, equals, value in parts
        )
        url = start + mark + query
    return _E_MAIL.sub(MASK, url) if "@" in url or "%40" in url else url


def folded(url: str) -> str:
    """Return the row in which URLs with any values of the same parameters are counted: ``/search?page=…&q=…``."""
    path, mark, query = url.partition("?")
    names = sorted({part.partition("=")[0] for part in query.split("&")})
    return path + mark + "&".join(f"{name}=…" for name in names)
