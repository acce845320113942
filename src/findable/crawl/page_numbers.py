"""Page numbers in the URLs of lists."""

import re

from findable.lazy_pattern import lazy_pattern

_PAGE_NUMBER = lazy_pattern(r"[?&](?:page|paged|p|pg|seite|offset|start)=\d+(?=&|$)|/(?:page|seite)[/-]\d+(?=/?$)", re.IGNORECASE)
PAGE_MARKS = ("/page/", *(f"{mark}{name}=" for mark in "?&" for name in ("page", "paged", "pg", "seite", "p", "start", "offset")))
"""Parts of most URLs of later pages of lists, for a condition of a database; `without_page_number` recognizes them exactly."""
_NUMBERED = lazy_pattern(r"[?&](?:page|paged|pg|seite)=(\d{1,5})(?=&|$)|/(?:page|seite)[/-](\d{1,5})(?=/?$)", re.IGNORECASE)


def without_page_number(url: str) -> str:
    """Return a URL without the page number of a list, like ``?page=2``."""
    return _PAGE_NUMBER.sub("", url)


def page_number(url: str) -> tuple[str, int] | None:
    """Return a list URL and the page number from ``?page=2`` or ``/page/2``; None for a URL without one."""
    found = _NUMBERED.search(url)
    if found is None:
        return None
    start, rest = url[: found.start()], url[found.end() :]
    if rest.startswith("&") and "?" not in start:
        rest = f"?{rest[1:]}"
    return f"{start}{rest}" or url, int(found.group(1) or found.group(2))
