"""Identity of URLs in a crawl, and the sources in which they are found."""

import hashlib
import re
from enum import IntFlag
from functools import cache

from findable.lazy_pattern import lazy_pattern
from findable.urls import with_uniform_escapes, without_fragment


class FoundBy(IntFlag):
    """Sources in which a crawl finds a URL, as flags."""

    START = 1
    LINK = 2
    NOFOLLOW_LINK = 4
    SITEMAP = 8
    CANONICAL = 16
    HREFLANG = 32
    REDIRECT = 64
    LIST = 128
    EARLIER = 256
    """Page of an earlier crawl that is no longer linked."""
    UPLOAD = 512
    """URL with uploaded metrics that is not linked."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sources in this value, as in the API."""
        return _names_of(self)


@cache
def _names_of(found_by: FoundBy) -> tuple[str, ...]:
    return tuple((item.name or "").lower() for item in FoundBy if item in found_by)


_VERSION = lazy_pattern(r"/(?:v\d+(?:[.-]\d+)*|\d+(?:\.(?:\d+|x))+|latest|stable|current|dev|devel|main|master|next)(?=/|$)", re.IGNORECASE)
_PAGE_NUMBER = lazy_pattern(r"[?&](?:page|paged|p|pg|seite|offset|start)=\d+(?=&|$)|/(?:page|seite)[/-]\d+(?=/?$)", re.IGNORECASE)

PAGE_MARKS = ("/page/", *(f"{mark}{name}=" for mark in "?&" for name in ("page", "paged", "pg", "seite", "p", "start", "offset")))
"""Parts of most URLs of later pages of lists, for a condition of a database; `without_page_number` recognizes them exactly."""
_NUMBERED = lazy_pattern(r"[?&](?:page|paged|pg|seite)=(\d{1,5})(?=&|$)|/(?:page|seite)[/-](\d{1,5})(?=/?$)", re.IGNORECASE)


def without_version(url: str) -> str:
    """Return a URL without a version folder, so that a page has the same URL in all versions of a documentation."""
    return _VERSION.sub("", url, count=1)


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


def url_key(url: str) -> int:
    """Return a 64-bit number that identifies a serialized URL without its fragment.

    Of its writing only equivalent escapes are normalized, because parameter order, letter case and slashes are findings, and URLs are
    requested as linked.
    """
    return text_key(with_uniform_escapes(without_fragment(url)))


def text_key(text: str) -> int:
    """Return a 64-bit number that identifies a text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)
