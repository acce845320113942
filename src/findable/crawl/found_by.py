"""Sources in which a crawl finds URLs."""

from enum import IntFlag
from functools import cache


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
