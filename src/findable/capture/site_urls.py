"""Facts about the URLs of a whole site, aggregated from its crawl: variants of one URL, parameters, paginated lists."""

from enum import StrEnum

from msgspec import Struct

from findable.capture.root import crawl_root
from findable.capture.site_graph import LinkSource, LinkTarget
from findable.wording import later


class VariantKind(StrEnum):
    """Difference between two URLs of one page."""

    ENCODING = "encoding"
    DOUBLE_SLASH = "double_slash"
    INDEX = "index"
    SLASH = "slash"
    CASE = "case"
    PARAMETER_ORDER = "parameter_order"


class VariantPair(Struct, frozen=True):
    """Two linked URLs that return the same page."""

    url: str
    """URL that more pages link to."""
    variant: str
    variant_inlinks_count: int
    source: LinkSource | None = None
    """Block with a link to the variant."""


class Variants(Struct, frozen=True):
    """URL pairs with the same kind of difference, those with the most links first."""

    kind: VariantKind
    pairs_count: int
    pairs: tuple[VariantPair, ...]


@crawl_root
class CrawledVariants(Struct, frozen=True):
    """Indexable pages that are linked by several URLs."""

    pages_count: int
    """Number of indexable pages."""
    items: tuple[Variants, ...] = ()

    def by_kind(self, kind: VariantKind) -> Variants | None:
        """Return the URL pairs with one kind of difference; None if there are none."""
        return next((item for item in self.items if item.kind is kind), None)

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the variants do not apply; empty if they do."""
        return "" if self.pages_count else later("the site has no indexable pages")


class Parameter(Struct, frozen=True):
    """Query parameter with many values that mostly do not change the page."""

    name: str
    pages_count: int
    """Number of indexable pages whose URL has the parameter."""
    same_count: int
    """Number of these URLs with the same or nearly the same text as the page without the parameter."""
    urls: tuple[str, ...] = ()
    source: LinkSource | None = None


class RequestShare(Struct, frozen=True):
    """Requests of the crawl without an indexable page, grouped by a folder or parameter."""

    pattern: str
    """Folder (``/tag/*``) or parameter (``?sort=``)."""
    requests_count: int
    reason: str
    """Most common reason (`crawl.record.Reason`)."""
    urls: tuple[str, ...] = ()


@crawl_root
class CrawledParameters(Struct, frozen=True):
    """Requests of the crawl that parameters and folders without indexable pages took."""

    with_parameters_count: int
    """Number of indexable pages with query parameters."""
    multiplying: tuple[Parameter, ...] = ()
    requests_count: int = 0
    wasted_count: int = 0
    """Number of requests for HTML pages and redirects that were not indexable."""
    wasted: tuple[RequestShare, ...] = ()


class Pagination(Struct, frozen=True):
    """Paginated list, with the faults of its pages."""

    url: str
    """URL of the first page of the list."""
    pages_count: int
    """Number of crawled pages of the list."""
    last_number: int
    template: int = 0
    canonical_to_first: tuple[str, ...] = ()
    """Later pages that declare the first one as canonical, although they link to pages that it does not link to."""
    canonical_to_first_count: int = 0
    missing: tuple[int, ...] = ()
    """Page numbers below the last one that no page links to."""


@crawl_root
class CrawledPaginations(Struct, frozen=True):
    """Paginated lists of the site."""

    series_count: int
    items: tuple[Pagination, ...] = ()
    """Lists with a fault."""

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the lists do not apply; empty if they do."""
        return "" if self.series_count else later("no list of the site has several pages")


class MissingFolder(Struct, frozen=True):
    """Folder with linked URLs but without existing pages."""

    url: str
    targets_count: int
    """Number of linked URLs in the folder."""
    blocks_count: int
    """Number of different blocks with such links."""
    pages_count: int
    """Number of pages with such links."""
    targets: tuple[LinkTarget, ...] = ()
    """Targets, those on the most pages first."""


@crawl_root
class CrawledFolders(Struct, frozen=True):
    """Folders of the site without existing pages."""

    missing: tuple[MissingFolder, ...] = ()
    """Folders with the most linked URLs first."""
