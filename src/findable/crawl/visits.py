"""Work of a crawl between its store and its fetcher: URLs to request, and what came of them."""

from msgspec import Struct

from findable.capture.crawl import Reason, Refusal
from findable.crawl.blocks import UsedAs
from findable.crawl.record import ReadPage


class WaitingUrl(Struct, frozen=True):
    """URL to request."""

    number: int
    """Number in the store."""
    url: str
    depth: int
    confirms: bool = False
    """Whether its first response was doubtful, so that it is requested a second and last time."""


class Visit(Struct, frozen=True):
    """Result for one URL: its record, or why it was not requested."""

    waiting: WaitingUrl
    page: ReadPage | None = None
    refusal: Refusal | None = None
    detail: str = ""
    """Line of robots.txt that disallows the URL."""
    is_unchanged: bool = False
    """Whether the site returned 304, so that the response is that of an earlier crawl."""

    @property
    def is_doubtful(self) -> bool:
        """Whether the response is confirmed by a second request: an error may be a moment's."""
        if self.page is None or self.waiting.confirms:
            return False
        record = self.page.record
        return bool(record.failure) or record.reason is Reason.CHALLENGE or record.status in _DOUBTFUL or record.status >= _SERVER_ERROR


_DOUBTFUL = frozenset({404, 408, 410, 425, 429})
_SERVER_ERROR = 500


class WaitingResource(Struct, frozen=True):
    """Stylesheet, script, image or external link to request: a HEAD each, and a GET if that was doubtful."""

    number: int
    url: str
    used_as: UsedAs
    is_own: bool
    """Whether it belongs to the site."""
    confirms: bool = False


class ResourceVisit(Struct, frozen=True):
    """Result for a resource or an external link."""

    waiting: WaitingResource
    status: int = 0
    """Status at the end of redirects; 0 without a response."""
    failure: str = ""
    """Value of `capture.response.Failure`."""
    detail: str = ""
    """Line of robots.txt that disallows it, or the product that served a bot challenge instead."""
    media_type: str = ""
    size_bytes: int | None = None
    """Complete size as transferred; None if the server does not state it."""
    is_missing_host: bool = False
    """Whether its host name does not exist (NXDOMAIN)."""

    @property
    def is_doubtful(self) -> bool:
        """Whether a GET confirms it: some servers refuse HEAD, or handle it wrongly, and an error may be a moment's."""
        return not self.waiting.confirms and (self.status in _CONFIRMED or self.is_missing_host)


_CONFIRMED = frozenset({404, 405, 410, 501})


class CrawlCounts(Struct, frozen=True):
    """State of a crawl in numbers."""

    waiting: int = 0
    done: int = 0
    """URLs that were requested."""
    refused: int = 0
    doubtful: int = 0
    pages: int = 0
    """HTML pages with status 200."""
    indexable: int = 0
    seconds: float = 0.0
    """Duration so far, pauses between runs left out."""

    @property
    def found(self) -> int:
        """URLs that were found."""
        return self.waiting + self.done + self.refused + self.doubtful


class CrawlProgress(Struct, frozen=True):
    """Progress of a crawl for display."""

    counts: CrawlCounts
    of: int
    """URLs to request, as far as is known, or stored responses to judge again."""
    pages_per_second: float
    limited_by: str
    """Limit of the rate: ``politeness`` or ``site``; ``analysis`` while stored responses are judged again."""
    eta_s: float
    judged: int | None = None
    """Stored responses that were judged again; None while URLs are requested."""

    @property
    def done(self) -> int:
        """Number of what is done, of `of`."""
        return self.counts.done + self.counts.doubtful if self.judged is None else self.judged
