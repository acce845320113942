"""Find URLs in CSS by linear scans. Styles are not computed."""

import re
from itertools import islice

from findable.lazy_pattern import lazy_pattern

MAX_CSS_CHARS = 2_000_000
MAX_URLS = 500
MAX_IMPORTS = 50

_URL_BEGINS = lazy_pattern(r"url\(\s{0,100}", re.IGNORECASE)
_URL = lazy_pattern(r"(?:\"([^\"]{0,2000})\"|'([^']{0,2000})'|([^)(\"'\s]{1,2000}))\s{0,100}\)")
_NAMESPACE = lazy_pattern(r"@namespace\b[^;{}]{0,2000};", re.IGNORECASE)
"""Namespaces have URLs that are never loaded."""
_STATEMENT = lazy_pattern(
    r"(?:\s|<!--|-->)*@(?:(?:charset|layer)\s[^;{}]{0,2000}|import\s*(?:url\(\s*)?(?:\"([^\"\n]{1,2000})\"|'([^'\n]{1,2000})'|(?<=\()\s*([^)(\"'\s]{1,2000}))[^;{}]{0,2000})(?:;|\Z)",
    re.IGNORECASE,
)
"""Statement at the beginning of a stylesheet; imports stand before all rules, charset and layers aside (CSS Cascade 5, section 2)."""
_COMMENT = lazy_pattern(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BACKGROUND = lazy_pattern(r"background(?:-image)?\s*:[^;]{0,1000}?url\(\s*[\"']?([^\"')]{1,4000})", re.IGNORECASE)

MAX_STYLE_CHARS = 2000


def strip_comments(text: str) -> str:
    """Return the stylesheet without comments, truncated at MAX_CSS_CHARS."""
    return _COMMENT.sub("", text[:MAX_CSS_CHARS]) if "/*" in text else text[:MAX_CSS_CHARS]


def imports(text: str) -> list[str]:
    """Return the URLs of the first MAX_IMPORTS ``@import`` rules, as written and in order: ``url(…)`` or a string."""
    if "@import" not in text and "@IMPORT" not in text:
        return []
    text, at = strip_comments(text), 0
    found: list[str] = []
    while len(found) < MAX_IMPORTS and (match := _STATEMENT.match(text, at)):
        at = match.end()
        if url := (match[1] or match[2] or match[3] or "").strip():
            found.append(url)
    return found


def urls(text: str) -> list[str]:
    """Return the first MAX_URLS URLs in ``url(…)`` that are loaded, as written and in order."""
    if "@namespace" in text:
        text = _NAMESPACE.sub("", text)
    found = []
    for begin in islice(_URL_BEGINS.finditer(text), MAX_URLS):
        match = _URL.match(text, begin.end())
        if match:
            found.append((match.group(1) or match.group(2) or match.group(3) or "").strip())
    return [url for url in found if url]


def background_url(style: str) -> str | None:
    """Return the URL of the background image of a style attribute, as written; None if it has none."""
    found = _BACKGROUND.search(style[:10_000])
    return found.group(1).strip() if found else None
