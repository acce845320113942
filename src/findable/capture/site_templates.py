"""Facts about what pages of one build have in common, as aggregated from the crawl of a site."""

from msgspec import Struct

from findable.capture.crawl import Group
from findable.capture.root import root
from findable.vocabulary import Source, Subject


class PartialType(Struct, frozen=True):
    """Type of structured data that most pages of one build and folder have."""

    type: str
    pattern: str
    """Folder of these pages (``/products/*``)."""
    pages_count: int
    typed_count: int
    missing: Group
    """Pages without it."""


@root(Source.CRAWL, Subject.SITE, without="the site was not crawled")
class CrawledMarkup(Struct, frozen=True):
    """Structured data and content of pages of the same build."""

    pages_count: int
    """Number of indexable pages."""
    typed_count: int = 0
    """Number of these with a type that has a rich result."""
    partial: tuple[PartialType, ...] = ()
    empty: tuple[Group, ...] = ()
    """Groups of three and more pages with the same short text, headings left out; named by their folder."""
