"""Links, redirects, canonicals, duplicates, sitemaps, templates and traps of a whole site, aggregated from its crawl.

The store computes these roots at the end of a crawl. Each is small however large the site is: lists are cut to LIST_LIMIT, and a count
gives the complete number. A check that lists causes reads them and needs no page.
"""

from msgspec import Struct

from findable.capture.crawl import Group, TrapKind
from findable.capture.root import crawl_root
from findable.wording import later

LIST_LIMIT = 200
"""Maximum number of items in a list of a root."""
URL_LIMIT = 10
"""Maximum number of example URLs of an item."""


class LinkSource(Struct, frozen=True):
    """Block with links to one URL, on one page or shared by several."""

    block: str
    """Hash of the block, which identifies it in all crawls."""
    landmark: str
    """Landmark: ``nav``, ``header``, ``footer``, ``main``, ``aside``; empty for none."""
    selector: str
    """CSS selector of the block on its first page."""
    block_links_count: int
    """Number of links in the block."""
    anchor_text: str
    nofollow: bool
    pages_count: int
    """Number of pages with this block."""
    pages: tuple[str, ...] = ()
    """URLs of the first pages with this block."""


class LinkTarget(Struct, frozen=True):
    """URL of the site that pages link to, with its response."""

    url: str
    status: int
    """HTTP status, 0 without a response."""
    failure: str = ""
    """Value of `capture.response.Failure` without a response."""
    end_url: str = ""
    """Final URL of its redirects, or its canonical URL; empty if it has neither."""
    end_status: int = 0
    """Status of ``end_url``; 0 if it was not requested."""
    hops_count: int = 0
    """Number of redirects up to ``end_url``."""
    inlinks_count: int = 0
    """Number of pages that link to the target."""
    sources: tuple[LinkSource, ...] = ()
    """Sources, those on the most pages first."""
    sources_count: int = 0


@crawl_root
class CrawledLinks(Struct, frozen=True):
    """Internal links of the site by the response of their targets; those on the most pages first."""

    pages_count: int
    """Number of HTML pages that were read."""
    links_count: int
    """Number of different pairs of a page and a URL of the site that it links to."""
    broken: tuple[LinkTarget, ...] = ()
    """Targets with 404, 410 and other 4xx, without those that may refuse only this crawler."""
    broken_count: int = 0
    broken_links_count: int = 0
    server_errors: tuple[LinkTarget, ...] = ()
    """Targets with 5xx, requested twice."""
    server_errors_count: int = 0
    unreachable: tuple[LinkTarget, ...] = ()
    """Targets without a response, requested twice."""
    unreachable_count: int = 0
    redirected: tuple[LinkTarget, ...] = ()
    redirected_count: int = 0
    redirected_links_count: int = 0
    canonicalised: tuple[LinkTarget, ...] = ()
    """Targets whose canonical URL is another page."""
    canonicalised_count: int = 0
    canonicalised_links_count: int = 0
    disallowed: tuple[LinkTarget, ...] = ()
    """Targets that robots.txt disallows."""
    disallowed_count: int = 0
    plain_http: tuple[LinkTarget, ...] = ()
    """Targets with http on a site that uses https."""
    plain_http_count: int = 0
    tracking: tuple[LinkTarget, ...] = ()
    """Targets with tracking parameters of advertising and mailing systems."""
    tracking_count: int = 0

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the links do not apply; empty if they do."""
        return "" if self.links_count else later("the site has no internal links")


class Redirects(Struct, frozen=True):
    """Redirect chain that begins at a URL of the site."""

    hops: tuple[tuple[str, int], ...]
    """Chain of (URL, status); the last one is the end, or the first URL that repeats. Status 0: not requested."""
    is_loop: bool
    inlinks_count: int
    """Number of pages that link to its first URL."""


class TemporaryRedirect(Struct, frozen=True):
    """Redirect with 302 or 307 that had the same target in earlier crawls."""

    url: str
    target: str
    status: int
    days_count: int
    """Days from the first of these crawls to this one."""
    inlinks_count: int = 0


@crawl_root
class CrawledRedirects(Struct, frozen=True):
    """Redirect loops, and chains of two or more redirects, the longest first."""

    redirects_count: int
    """Number of URLs that redirect."""
    chains: tuple[Redirects, ...] = ()
    chains_count: int = 0
    loops: tuple[Redirects, ...] = ()
    loops_count: int = 0
    known_days_count: int | None = None
    """Days since the first stored crawl; None if this is the first."""
    temporary: tuple[TemporaryRedirect, ...] = ()
    """Temporary redirects known from earlier crawls, the oldest first."""

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the redirects do not apply; empty if they do."""
        return "" if self.redirects_count else later("no URL of the site redirects")


class CanonicalPair(Struct, frozen=True):
    """Page and another URL that it declares as canonical."""

    url: str
    target: str
    target_status: int
    """HTTP status of the target; 0 if it was not requested."""
    target_reason: str = ""
    """Reason why the target is not indexable (`crawl.record.Reason`); empty if it is, or if it was not requested."""
    target_canonical: str = ""
    """Canonical URL of the target, if that is a third page."""
    target_known: bool = True
    """Whether the target was requested."""
    template: int = 0
    """Number of the page's template."""
    similarity: float = 1.0
    """Estimated similarity of the main texts of page and target, 0–1; None if unknown."""


@crawl_root
class CrawledCanonicals(Struct, frozen=True):
    """Canonical links from one page to another."""

    pages_count: int
    """Number of pages that declare another page as canonical."""
    not_indexable: tuple[CanonicalPair, ...] = ()
    """Canonical links whose target does not return 200, or is not indexable for a reason other than its canonical."""
    not_indexable_count: int = 0
    chains: tuple[CanonicalPair, ...] = ()
    """Canonical links whose target declares a third URL, or the first page."""
    chains_count: int = 0
    to_home: tuple[CanonicalPair, ...] = ()
    """Canonical links to the home page."""
    to_home_count: int = 0

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the canonical links do not apply; empty if they do."""
        return "" if self.pages_count else later("no page declares another page as canonical")


class DuplicateGroup(Struct, frozen=True):
    """Indexable pages that share a title, a description, a heading or a text."""

    text: str
    """Shared text; for main texts the title of the first page."""
    pages_count: int
    urls: tuple[str, ...] = ()
    same_text: bool = False
    """Whether the pages also have the same or nearly the same main text, and are reported with those groups instead."""
    lang: str = ""


@crawl_root
class CrawledDuplicates(Struct, frozen=True):
    """Groups of indexable pages in one language that share a title, description, heading or text; the largest first."""

    pages_count: int
    """Number of indexable pages."""
    titles: tuple[DuplicateGroup, ...] = ()
    titles_count: int = 0
    descriptions: tuple[DuplicateGroup, ...] = ()
    descriptions_count: int = 0
    headings: tuple[DuplicateGroup, ...] = ()
    """Pages with the same h1 and title; an h1 that pages with other titles share belongs to the template and is left out."""
    headings_count: int = 0
    texts: tuple[DuplicateGroup, ...] = ()
    """Identical main text of at least 50 words."""
    texts_count: int = 0
    similar: tuple[DuplicateGroup, ...] = ()
    """Similar main text of at least 100 words: Jaccard index of three-word shingles of 0.9 or more."""
    similar_count: int = 0

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the duplicates do not apply; empty if they do."""
        return "" if self.pages_count > 1 else later("the site has fewer than two indexable pages")


@crawl_root
class CrawledSitemap(Struct, frozen=True):
    """Sitemap entries of the site compared with the crawl."""

    entries_count: int
    """Number of URLs in sitemaps; 0 without a sitemap."""
    not_ok: tuple[Group, ...] = ()
    """Entries that redirect or fail, by status; without 401, 403, 407, 429 and 451, which may refuse only this crawler."""
    not_ok_count: int = 0
    noindex: Group | None = None
    noindex_template: Group | None = None
    """Noindex pages with a template of the noindex entries, listed or not, named by the common beginning of their paths, like ``/p/*``."""
    canonicalised: Group | None = None
    disallowed: Group | None = None
    missing: Group | None = None
    """Linked indexable pages that no sitemap lists."""

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the sitemap entries do not apply; empty if they do."""
        return "" if self.entries_count else later("the site has no sitemap")


class Template(Struct, frozen=True):
    """Group of pages with the same structure: the same kinds of link lists."""

    number: int
    """Number within the crawl, from 1 for the largest; 0 for the pages of all rare templates."""
    name: str
    """Common beginning of its paths, like ``/products/*``."""
    pages_count: int
    indexable_count: int
    urls: tuple[str, ...] = ()
    words_median: int = 0
    first_byte_p75_ms: float = 0.0
    types: tuple[tuple[str, int], ...] = ()
    """Types of structured data: (schema.org type, number of pages)."""


@crawl_root
class CrawledTemplates(Struct, frozen=True):
    """Templates of the site's pages."""

    items: tuple[Template, ...]


class Trap(Struct, frozen=True):
    """Crawler trap: an endless series of URLs that the crawl stopped following."""

    trap: TrapKind
    pattern: str
    """Pattern of the URLs: ``https://example.com/calendar?month={}``."""
    found_count: int
    fetched_count: int
    urls: tuple[str, ...] = ()
    """First URLs of the series."""
    source: str = ""
    """URL of the page that links to the first URL of the series."""


@crawl_root
class CrawlTraps(Struct, frozen=True):
    """Crawler traps of the site: endless series of URLs."""

    requests_count: int
    """Number of URLs that the crawl requested."""
    items: tuple[Trap, ...] = ()
