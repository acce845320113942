"""Choice of the pages that a rolling crawl requests again; it carries all others over from the earlier crawl.

A rolling crawl has a number of URLs that it may request. It takes them in this order:

1. the start page and the important pages, which have the most clicks or the highest link score: one page in twenty, and at most half
   of the number
2. pages that the sitemap declares as changed since they were requested, or no longer lists, unless that is more than half of all pages
3. URLs that were never requested
4. all other pages, the longest unread first; pages that change often count as unread up to twice as long
"""

import heapq
import math
from collections.abc import Sequence

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.crawl.settings import DEFAULT_PAGES
from findable.formats.dates import iso_moment
from findable.limits import MAX_PAGES

IMPORTANT_SHARE = 0.05
"""Share of the pages that are important, as in the score of a site (set by Findable)."""
MAX_IMPORTANT = 0.5
"""Share of the requests that may be for important pages (set by Findable)."""
MAX_DECLARED = 0.5
"""Share of the pages up to which dates of the sitemap that are newer than the last request are believed (set by Findable)."""
ROUND_DAYS = 10
"""Days within which the proposed number of requests reads every page, if no date of a sitemap helps (set by Findable)."""
PROPOSED_FROM = 10_000
"""URLs of a crawl from which its schedule proposes a rolling crawl (set by Findable)."""
_STEP = 100
_DAY_S = 86_400
_TEMPORARY = frozenset({408, 425, 429, 503})


class CarriedPage(Struct, frozen=True, gc=False):
    """Page of the earlier crawl. Times are seconds since 1970."""

    number: int
    requested_at: int
    changed_at: int
    """Time of the first request with the present content."""
    link_score: int = 0
    clicks: int = 0
    """Uploaded metric of its importance; 0 without one."""
    is_declared: bool = False
    """Whether the site declares that the page has changed since: by its sitemap, or by another rule of robots.txt."""

    def urgency(self, now_s: int) -> float:
        """Return the seconds since its last request, up to doubled by how often it changed before."""
        age = max(0, now_s - self.requested_at)
        unchanged = max(0, self.requested_at - self.changed_at)
        return age * (1 + age / (age + unchanged)) if age else 0.0


class DuePages(Struct, frozen=True):
    """Numbers of the pages to request again, by their order with URLs that were never requested."""

    before_new: tuple[int, ...]
    after_new: tuple[int, ...]


def due_pages(pages: Sequence[CarriedPage], start: int, limit: int, now_s: int) -> DuePages:
    """Return the pages that a rolling crawl with ``limit`` requests should request again; ``start`` is the number of the start page."""
    important = [start, *important_pages(pages, min(round(len(pages) * IMPORTANT_SHARE), int(limit * MAX_IMPORTANT)))]
    first = dict.fromkeys(important)
    declared = [page for page in pages if page.is_declared]
    if len(declared) <= len(pages) * MAX_DECLARED:
        first |= dict.fromkeys(page.number for page in _most_urgent(declared, limit, now_s))
    before_new = tuple(first)[:limit]
    left = limit - len(before_new)
    rest = _most_urgent([page for page in pages if page.number not in first], left, now_s)
    return DuePages(before_new, tuple(page.number for page in rest))


def important_pages(pages: Sequence[CarriedPage], count: int) -> list[int]:
    """Return the numbers of the most important pages: up to half of them by clicks, the others by link score."""
    clicked = heapq.nlargest(count // 2, (page for page in pages if page.clicks), key=lambda page: (page.clicks, -page.number))
    found = dict.fromkeys(page.number for page in clicked)
    for page in heapq.nlargest(count, pages, key=lambda page: (page.link_score, -page.number)):
        if len(found) >= count:
            break
        found.setdefault(page.number)
    return list(found)


def _most_urgent(pages: Sequence[CarriedPage], count: int, now_s: int) -> list[CarriedPage]:
    return heapq.nlargest(count, pages, key=lambda page: (page.urgency(now_s), -page.number))


def round_days(pages_count: int, limit: int) -> int:
    """Return in how many runs a rolling crawl has read each page, if nothing else tells it which ones have changed."""
    important = min(round(pages_count * IMPORTANT_SHARE), int(limit * MAX_IMPORTANT))
    return math.ceil((pages_count - important) / max(1, limit - important))


def proposed_limit(pages_count: int) -> int:
    """Return the number of requests with which a rolling crawl reads each page within ROUND_DAYS runs, and important ones in each."""
    important = round(pages_count * IMPORTANT_SHARE)
    return math.ceil((important + math.ceil((pages_count - important) / ROUND_DAYS)) / _STEP) * _STEP


def default_pages(limit: int | None) -> int:
    """Return the maximum number of pages of a crawl without a choice; ``limit``: number of requests of a rolling crawl."""
    return DEFAULT_PAGES if limit is None else min(MAX_PAGES, max(DEFAULT_PAGES, ROUND_DAYS * limit))


def is_temporary(status: int, reason: str) -> bool:
    """Return whether a response says nothing about the page: there is none, or only this crawler was refused at this time."""
    return reason in (Reason.FAILURE, Reason.CHALLENGE) or status in _TEMPORARY


def lastmod_s(text: str, now_s: int) -> int:
    """Return the latest time that a date of a sitemap can mean, in seconds since 1970; 0 for no date and for one in the future."""
    moment = iso_moment(text)
    if moment is None or (begins := int(moment.timestamp())) > now_s:
        return 0
    return begins if "T" in text else begins + _DAY_S - 1
