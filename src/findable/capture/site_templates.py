"""Facts about the shared and the unique content of the pages of each template, aggregated from the crawl of a site."""

from msgspec import Struct

from findable.capture.crawl import Group
from findable.capture.root import crawl_root


class PartialType(Struct, frozen=True):
    """Type of structured data that most pages of one template and folder have."""

    type: str
    pattern: str
    """Folder of these pages (``/products/*``)."""
    pages_count: int
    typed_count: int
    missing: Group
    """Pages without it."""


class ThinPage(Struct, frozen=True):
    """Page with few unique words."""

    url: str
    words_count: int


class ThinFolder(Struct, frozen=True):
    """Pages of one folder with few unique words."""

    folder: str
    """First folder of their paths (``/tags/``)."""
    pages_count: int
    pages: tuple[ThinPage, ...]
    """First pages of the folder."""
    all_count: int
    """Number of indexable pages of the folder."""


@crawl_root
class CrawledThin(Struct, frozen=True):
    """Indexable pages with fewer than 50 unique words: outside header, navigation and footer, and not part of a template.

    Lists, forms, videos, pages with several images, and pages whose words are not counted are left out.
    """

    pages_count: int
    """Number of indexable pages."""
    known_count: int = 0
    """Number of indexable pages whose words are counted."""
    thin_count: int = 0
    folders: tuple[ThinFolder, ...] = ()


@crawl_root
class CrawledMarkup(Struct, frozen=True):
    """Structured data and content of pages of the same template."""

    pages_count: int
    """Number of indexable pages."""
    typed_count: int = 0
    """Number of indexable pages with a type that has a rich result."""
    partial: tuple[PartialType, ...] = ()
    empty: tuple[Group, ...] = ()
    """Groups of three or more pages with the same short text apart from headings, named by their folder."""
