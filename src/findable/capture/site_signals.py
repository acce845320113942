"""Facts about the signals that a crawled site sends to search engines: what page checks found that has one cause, noindex, canonicals.

Lists are cut to LISTED of `capture.site_graph`, and a count beside them says how many there are.
"""

from msgspec import Struct

from findable.capture.crawl import Group
from findable.capture.root import root
from findable.capture.site_graph import CanonicalPair, LinkTarget
from findable.vocabulary import Source, Subject

_WITHOUT = "the site was not crawled"


class RefreshingPage(Struct, frozen=True):
    """Page with a refresh that leads to another page."""

    url: str
    target: str


class BlockedFiles(Struct, frozen=True):
    """Files of the site that one line of robots.txt disallows for Googlebot."""

    rule: str
    """Line of robots.txt."""
    is_critical: bool
    """Whether stylesheets or scripts are among them."""
    files: tuple[str, ...]
    """URLs of the first of them."""
    pages: Group
    """Pages that need them."""


class LeftoverHost(Struct, frozen=True):
    """Host that visitors do not reach, or are not meant to, and that URLs of the site name."""

    host: str
    is_private: bool
    """Whether the host is in a private network; if not, it is a staging host of the site."""
    is_mentioned: bool
    """Whether only link texts mention the host, as in manuals."""
    is_declared: bool
    """Whether a canonical or hreflang link names it."""
    pages: Group


class MixedLanguage(Struct, frozen=True):
    """Pages that declare one language while their text is in another."""

    declared: str
    detected: str
    pages: Group
    """Pages as a group, named by the folder of most of them."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledSignals(Struct, frozen=True):
    """Findings of page checks that have one cause for many pages, and refreshes."""

    indexable_count: int
    soft_errors: tuple[Group, ...] = ()
    """Indexable pages that look like error pages, by template."""
    soft_doubts: tuple[Group, ...] = ()
    """Indexable pages that may be error pages, by template."""
    refreshing: tuple[RefreshingPage, ...] = ()
    refreshing_count: int = 0
    blocked_files: tuple[BlockedFiles, ...] = ()
    leftover_hosts: tuple[LeftoverHost, ...] = ()
    mixed_languages: tuple[MixedLanguage, ...] = ()
    routes: tuple[str, ...] = ()
    """URLs of links that differ only behind ``#``, which scripts read."""
    routes_count: int = 0
    """Number of different routes in the stored records."""
    routes_pages: Group | None = None
    """Pages with such links."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledNoindex(Struct, frozen=True):
    """Pages that are noindex."""

    pages_count: int
    """Number of HTML pages with status 200."""
    noindex_count: int
    by_folder: tuple[Group, ...] = ()
    """Noindex pages by the first folder of their path."""
    linked: tuple[LinkTarget, ...] = ()
    """Noindex pages that the most pages link to."""
    prominent: tuple[str, ...] = ()
    """URLs of those of them whose link score is among the highest 5 % of all pages."""
    unread: Group | None = None
    """Noindex pages that robots.txt disallows for Googlebot, so that it cannot read the rule."""


class CanonicalCluster(Struct, frozen=True):
    """Pages with the same main text that declare different canonical URLs."""

    title: str
    pages_count: int
    pairs: tuple[CanonicalPair, ...]
    targets_count: int


class VariantOrigin(Struct, frozen=True):
    """Origin that differs from that of the site by scheme or ``www.`` alone, and that canonical or hreflang links name."""

    origin: str
    is_hreflang: bool
    """Whether hreflang links have the origin; if not, canonical links have it."""
    pairs: tuple[tuple[str, str], ...]
    """First of them: (URL of a page, URL it declares)."""
    pages_count: int


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CanonicalSignals(Struct, frozen=True):
    """Canonical links of the site against each other and against the texts of pages."""

    origin: str
    """Origin of the start page."""
    declared_count: int
    """Number of pages that declare another page as canonical."""
    with_parameters_count: int = 0
    """Number of indexable pages with parameters, later pages of lists left out."""
    without_canonical: Group | None = None
    """Such pages that declare no canonical URL."""
    clusters: tuple[CanonicalCluster, ...] = ()
    clusters_count: int = 0
    unlike: tuple[CanonicalPair, ...] = ()
    """Canonical links to a page whose main text is another one."""
    unlike_count: int = 0
    variants: tuple[VariantOrigin, ...] = ()
