"""Work items that a crawl's store and fetcher exchange: URLs to request, and their results."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from findable.capture.crawl import Reason, Refusal
from findable.capture.status_classes import is_server_error
from findable.crawl.blocks import UsedAs
from findable.crawl.record import ReadPage


class WaitingUrl(Struct, frozen=True):
    """URL that a crawl should request."""

    number: int
    """Number in the store."""
    url: str
    depth: int
    confirms: bool = False
    """Whether this is the second and last request, after a doubtful first response."""


class Visit(Struct, frozen=True):
    """Result of a crawl for one URL: the page's record, or the reason why it was not requested."""

    waiting: WaitingUrl
    page: ReadPage | None = None
    refusal: Refusal | None = None
    detail: str = ""
    """Line of robots.txt that disallows the URL."""
    is_unchanged: bool = False
    """Whether the site returned 304, so that the response of an earlier crawl is used; without a page, its results too."""

    @property
    def is_doubtful(self) -> bool:
        """Whether a second request must confirm the response, as with errors that may be temporary."""
        if self.page is None or self.waiting.confirms:
            return False
        record = self.page.record
        return bool(record.failure) or record.reason is Reason.CHALLENGE or record.status in _DOUBTFUL or is_server_error(record.status)


_DOUBTFUL = frozenset({404, 408, 410, 425, 429})


class WaitingResource(Struct, frozen=True):
    """Stylesheet, script, image or external link to request with HEAD, then with GET if the response was doubtful."""

    number: int
    url: str
    used_as: UsedAs
    is_own: bool
    """Whether the resource belongs to the site."""
    confirms: bool = False


class ResourceVisit(Struct, frozen=True):
    """Result for a resource or an external link."""

    waiting: WaitingResource
    status: int = 0
    """Status of the final URL; 0 without a response."""
    failure: str = ""
    """Value of `capture.response.Failure`."""
    detail: str = ""
    """Line of robots.txt that disallows the URL, or the product that served a bot challenge instead."""
    media_type: str = ""
    size_bytes: int | None = None
    """Complete size as transferred; None if the server does not declare it."""
    is_missing_host: bool = False
    """Whether the host name of the URL does not exist (NXDOMAIN)."""

    @property
    def is_doubtful(self) -> bool:
        """Whether a GET must confirm the result: some servers reject HEAD or handle it wrongly, and an error may be temporary."""
        return not self.waiting.confirms and (self.status in _CONFIRMED or self.is_missing_host)


_CONFIRMED = frozenset({404, 405, 410, 501})


class CrawlCounts(Struct, frozen=True):
    """Numbers of URLs in a crawl, by state."""

    waiting: int = 0
    done: int = 0
    """Number of requested URLs."""
    refused: int = 0
    doubtful: int = 0
    pages: int = 0
    """Number of HTML pages with status 200."""
    indexable: int = 0
    seconds: float = 0.0
    """Duration so far, without pauses between runs."""
    statuses: Mapping[str, int] = {}
    """Requested URLs by class of status, such as ``2xx``; ``none`` without a response."""
    carried: int = 0
    """Number of pages that a rolling crawl carried over from the earlier crawl."""
    due: int = 0
    """Number of these that are queued to be requested again, or were when the crawl ended."""
    oldest_at: int = 0
    """Earliest time at which one of them was last requested, in seconds since 1970; 0 without any."""

    @property
    def read(self) -> int:
        """Number of URLs with a response, now or in an earlier crawl."""
        return self.done + self.doubtful + self.carried

    @property
    def oldest(self) -> str:
        """`oldest_at` as RFC 3339 UTC."""
        return datetime.fromtimestamp(self.oldest_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def found(self) -> int:
        """Number of URLs that the crawl has found."""
        return self.waiting + self.read + self.refused

    @property
    def numbers(self) -> dict[str, Any]:
        """Numbers of URLs for display."""
        shown = {"urls": self.found, "requested": self.done + self.doubtful, "statuses": self.statuses}
        shown |= {"pages": self.pages, "indexable": self.indexable, "waiting": self.waiting}
        return shown | ({"carried": self.carried, "oldest": self.oldest} if self.carried else {})
