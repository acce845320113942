"""Filter and order of a list of a crawl's pages."""

from enum import StrEnum

from msgspec import Struct

from findable.vocabulary import Verdict


class Span(Struct, frozen=True):
    """Inclusive range of numbers; None for an open end."""

    low: int | None = None
    high: int | None = None


class CanonicalKind(StrEnum):
    """Kind of the canonical URL that a page declares."""

    NONE = "none"
    SELF = "self"
    OTHER = "other"


class PageSort(StrEnum):
    """Sort key of a list of pages."""

    NUMBER = "number"
    """Order of discovery."""
    URL = "url"
    STATUS = "status"
    SCORE = "score"
    DEPTH = "depth"
    INLINKS = "inlinks"
    LINK_SCORE = "link_score"
    WORDS = "words"
    TTFB = "ttfb_ms"
    DATA = "data"
    """Uploaded metric in the column `PageSelection.data`."""


SETTLED_SORTS = frozenset({PageSort.DEPTH, PageSort.INLINKS, PageSort.LINK_SCORE, PageSort.DATA})
"""Sort keys that are known after the crawl."""
SETTLED_FILTERS = ("depth", "inlinks", "template", "finding", "data")
"""Filters of `PageSelection` by values that are known after the crawl."""


class PagePlace(Struct, frozen=True):
    """Position in a sorted list of pages: sort value and number of a page. Value 0 means that the page has no value."""

    value: int | str
    number: int
    backwards: bool = False


class PageSelection(Struct, frozen=True):
    """Filters, sort order and position of a list of pages. Filters are combined with AND."""

    status: Span | None = None
    media_type: str | None = None
    check: str | None = None
    verdict: Verdict | None = None
    """Verdict on the check; without a check, pages with any failed or warned finding."""
    indexable: bool | None = None
    reason: str | None = None
    segment: str | None = None
    folder: str | None = None
    """Path at the beginning of the URLs, like ``/blog/``."""
    template: int | None = None
    in_sitemap: bool | None = None
    found_by: str | None = None
    canonical: CanonicalKind | None = None
    lang: str | None = None
    depth: Span | None = None
    inlinks: Span | None = None
    words: Span | None = None
    ttfb_ms: Span | None = None
    has: str | None = None
    """Name of an extractor that must match."""
    lacks: str | None = None
    """Name of an extractor that must not match."""
    value: str = ""
    """Text that a value of the extractor ``has`` contains."""
    data: str | None = None
    """Column of the uploaded metrics."""
    data_span: Span | None = None
    """Range of the metric."""
    search: str = ""
    finding: str | None = None
    """Key of a finding of the site whose pages are selected."""
    sort: PageSort = PageSort.NUMBER
    descending: bool = False
    limit: int = 10
    offset: int = 0
    place: PagePlace | None = None
