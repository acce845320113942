"""Facts about the signals that a crawled site sends to search engines: page findings with one cause, noindex, canonicals.

Lists are cut to LIST_LIMIT of `capture.site_graph`, and a count gives the complete number.
"""

from msgspec import Struct

from findable.capture.crawl import Group
from findable.capture.root import crawl_root
from findable.capture.site_graph import CanonicalPair, LinkTarget
from findable.wording import later


class BlockedFiles(Struct, frozen=True):
    """Files of the site that one line of robots.txt disallows for Googlebot."""

    rule: str
    """Line of robots.txt."""
    is_critical: bool
    """Whether the files include stylesheets or scripts."""
    files: tuple[str, ...]
    """URLs of the first files."""
    pages: Group
    """Pages that need them."""


class LeftoverHost(Struct, frozen=True):
    """Private or staging host in URLs of the site, which visitors cannot or should not reach."""

    host: str
    is_private: bool
    """Whether the host is in a private network; otherwise it is a staging host of the site."""
    is_mentioned: bool
    """Whether only link texts mention the host, as in manuals."""
    is_declared: bool
    """Whether a canonical or hreflang link has the host."""
    pages: Group


class MixedLanguage(Struct, frozen=True):
    """Pages whose declared language differs from the language of their text."""

    declared: str
    detected: str
    pages: Group
    """Group of the pages, named by the folder of most of them."""


@crawl_root
class CrawledSignals(Struct, frozen=True):
    """Findings of page checks that share a cause on many pages, and links whose fragments scripts read."""

    indexable_count: int
    soft_errors: tuple[Group, ...] = ()
    """Indexable pages that look like error pages, by template."""
    blank: Group | None = None
    """URLs that return 200 with an empty response, or with an error message without markup."""
    soft_doubts: tuple[Group, ...] = ()
    """Indexable pages that may be error pages, by template."""
    blocked_files: tuple[BlockedFiles, ...] = ()
    leftover_hosts: tuple[LeftoverHost, ...] = ()
    mixed_languages: tuple[MixedLanguage, ...] = ()
    routes: tuple[str, ...] = ()
    """URLs of links that differ only in a fragment that scripts read."""
    routes_count: int = 0
    """Number of different routes."""
    routes_pages: Group | None = None
    """URLs of pages with such links."""

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the signals do not apply; empty if they do."""
        return "" if self.indexable_count or self.blank else later("The site has no indexable page")


@crawl_root
class CrawledNoindex(Struct, frozen=True):
    """Pages of the site with noindex, and where they are linked."""

    noindex_count: int
    linked: tuple[LinkTarget, ...] = ()
    """Noindex pages that the most pages link to."""
    prominent: tuple[str, ...] = ()
    """URLs of noindex pages whose link score is among the highest 5 % of all pages."""
    unread: Group | None = None
    """Noindex pages that robots.txt disallows for Googlebot, so that it cannot read the rule."""


class CanonicalCluster(Struct, frozen=True):
    """Pages with the same main text that declare different canonical URLs."""

    title: str
    pages_count: int
    pairs: tuple[CanonicalPair, ...]
    targets_count: int


class VariantOrigin(Struct, frozen=True):
    """Origin in canonical or hreflang links that differs from the site's only by scheme or ``www.``."""

    origin: str
    is_hreflang: bool
    """Whether hreflang links have the origin; otherwise canonical links have it."""
    pairs: tuple[tuple[str, str], ...]
    """First links: (URL of a page, URL it declares)."""
    pages_count: int


@crawl_root
class CanonicalSignals(Struct, frozen=True):
    """Canonical links of the site compared with each other and with the texts of pages."""

    origin: str
    """Origin of the start page."""
    declared_count: int
    """Number of pages that declare another page as canonical."""
    with_parameters_count: int = 0
    """Number of indexable pages with query parameters, without later pages of lists."""
    without_canonical: Group | None = None
    """Pages of `with_parameters_count` that declare no canonical URL."""
    clusters: tuple[CanonicalCluster, ...] = ()
    clusters_count: int = 0
    unlike: tuple[CanonicalPair, ...] = ()
    """Canonical links to a page with a different main text."""
    unlike_count: int = 0
    variants: tuple[VariantOrigin, ...] = ()
