"""Facts about the URLs of a whole site, as aggregated from its crawl: variants of one URL, parameters, series of pages."""

from enum import StrEnum

from msgspec import Struct

from findable.capture.root import root
from findable.capture.site_graph import LinkSource, LinkTarget
from findable.vocabulary import Source, Subject

_WITHOUT = "the site was not crawled"


class VariantKind(StrEnum):
    """Respect in which two URLs of one page differ."""

    ENCODING = "encoding"
    DOUBLE_SLASH = "double_slash"
    INDEX = "index"
    SLASH = "slash"
    CASE = "case"
    PARAMETER_ORDER = "parameter_order"


class VariantPair(Struct, frozen=True):
    """Two URLs that return the same page; pages link to both."""

    url: str
    """URL that more pages link to."""
    variant: str
    variant_inlinks_count: int
    source: LinkSource | None = None
    """Place with a link to the variant."""


class Variants(Struct, frozen=True):
    """Pairs that differ in the same respect; those with the most links first."""

    kind: VariantKind
    pairs_count: int
    pairs: tuple[VariantPair, ...]


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledVariants(Struct, frozen=True):
    """Indexable pages that are linked by several URLs."""

    pages_count: int
    """Number of indexable pages."""
    items: tuple[Variants, ...] = ()

    def of(self, kind: VariantKind) -> Variants | None:
        """Return the pairs of one kind."""
        return next((item for item in self.items if item.kind is kind), None)


class Parameter(Struct, frozen=True):
    """Query parameter with many values, whose pages mostly are those without it."""

    name: str
    pages_count: int
    """Number of indexable pages whose URL has it."""
    same_count: int
    """Number of these with the same or nearly the same text as the page without it."""
    urls: tuple[str, ...] = ()
    source: LinkSource | None = None


class RequestShare(Struct, frozen=True):
    """Requests of the crawl that led to no indexable page, by what their URLs have in common."""

    pattern: str
    """Folder (``/tag/*``) or parameter (``?sort=``)."""
    requests_count: int
    reason: str
    """Commonest reason (`crawl.record.Reason`)."""
    urls: tuple[str, ...] = ()


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledParameters(Struct, frozen=True):
    """Cost of parameters and folders in requests."""

    with_parameters_count: int
    """Number of indexable pages with query parameters."""
    multiplying: tuple[Parameter, ...] = ()
    requests_count: int = 0
    wasted_count: int = 0
    """Number of requests for HTML pages and redirects that were not indexable."""
    wasted: tuple[RequestShare, ...] = ()


class Pagination(Struct, frozen=True):
    """Numbered pages of one list."""

    url: str
    """First page."""
    pages_count: int
    """Number of its pages that were crawled."""
    last_number: int
    template: int = 0
    canonical_to_first: tuple[str, ...] = ()
    """Further pages that declare the first one as canonical, although they link to pages that it does not link to."""
    canonical_to_first_count: int = 0
    missing: tuple[int, ...] = ()
    """Numbers up to the last one that no page links to."""
    deep: tuple[str, ...] = ()
    """Indexable pages more than 10 clicks from the start page that only pages of the series link to."""
    deep_count: int = 0


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledPaginations(Struct, frozen=True):
    """Lists on several pages."""

    series_count: int
    items: tuple[Pagination, ...] = ()
    """Lists in which something is odd."""


class MissingFolder(Struct, frozen=True):
    """Folder that links lead into and in which no page was found."""

    url: str
    targets_count: int
    """Number of linked URLs in it."""
    blocks_count: int
    """Number of different places with such links."""
    pages_count: int
    """Number of pages with such links."""
    targets: tuple[LinkTarget, ...] = ()
    """Targets on the most pages first."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledFolders(Struct, frozen=True):
    """Folders of the site."""

    missing: tuple[MissingFolder, ...] = ()
    """Folders with the most linked URLs first."""
