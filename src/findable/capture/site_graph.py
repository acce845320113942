"""Facts about the links, redirects, canonicals, texts and sitemaps of a whole site, as aggregated from its crawl.

The store makes these roots when a crawl is settled. Each is small however large the site is: lists are cut to LISTED, and a count beside
them says how many there are. A check that lists causes reads them and needs no page.
"""

from msgspec import Struct

from findable.capture.crawl import Group, TrapKind
from findable.capture.root import root
from findable.vocabulary import Source, Subject

LISTED = 200
"""Maximum items of a list of a root."""
URLS_LISTED = 10
"""Maximum example URLs of an item."""
_WITHOUT = "the site was not crawled"


class LinkSource(Struct, frozen=True):
    """Place of links to one URL: a block that pages share, or a block of one page."""

    block: str
    """Hash of the block, stable between crawls: what would be changed."""
    landmark: str
    """Landmark: ``nav``, ``header``, ``footer``, ``main``, ``aside``; empty for none."""
    selector: str
    """CSS selector of the block on the first page that has it."""
    block_links_count: int
    """Number of links of the block."""
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
    """End of its redirects, or its canonical URL; empty for neither."""
    end_status: int = 0
    """Status of ``end_url``; 0 if it was not requested."""
    hops_count: int = 0
    """Number of redirects up to ``end_url``."""
    inlinks_count: int = 0
    """Number of pages that link to it."""
    sources: tuple[LinkSource, ...] = ()
    """Sources on the most pages first."""
    sources_count: int = 0


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledLinks(Struct, frozen=True):
    """Internal links of the site by the response of their targets; those on the most pages first."""

    pages_count: int
    """Number of HTML pages that were read."""
    links_count: int
    """Number of links from a page to a URL of the site, each pair once."""
    broken: tuple[LinkTarget, ...] = ()
    """Targets with 404, 410 and other 4xx, without those that may refuse only this crawler."""
    broken_count: int = 0
    broken_links_count: int = 0
    refused: tuple[LinkTarget, ...] = ()
    """Targets with 401, 403, 407, 429 or 451: what others get is not known."""
    refused_count: int = 0
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
    """Targets with http on a site with https."""
    plain_http_count: int = 0
    tracking: tuple[LinkTarget, ...] = ()
    """Targets with parameters that ad and mail systems add."""
    tracking_count: int = 0
    double_slash: tuple[LinkTarget, ...] = ()
    """Targets with an empty segment in their path that return 200."""
    double_slash_count: int = 0
    nofollow_only: tuple[LinkTarget, ...] = ()
    """Indexable pages that only nofollow links lead to."""
    nofollow_only_count: int = 0


class Redirects(Struct, frozen=True):
    """Chain of redirects that begins at a URL of the site."""

    hops: tuple[tuple[str, int], ...]
    """Chain of (URL, status); the last one is the end, or the first URL that repeats. Status 0: not requested."""
    is_loop: bool
    inlinks_count: int
    """Number of pages that link to its first URL."""


class TemporaryRedirect(Struct, frozen=True):
    """Redirect with 302 or 307 that earlier crawls found with the same target."""

    url: str
    target: str
    status: int
    days_count: int
    """Days from the first of these crawls to this one."""
    inlinks_count: int = 0


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledRedirects(Struct, frozen=True):
    """Chains of two and more redirects, the longest first, and loops."""

    redirects_count: int
    """Number of URLs that redirect."""
    chains: tuple[Redirects, ...] = ()
    chains_count: int = 0
    loops: tuple[Redirects, ...] = ()
    loops_count: int = 0
    known_days_count: int | None = None
    """Days since the first of the crawls that are known; None if this is the first."""
    temporary: tuple[TemporaryRedirect, ...] = ()
    """Temporary redirects of earlier crawls, the oldest first."""


class CanonicalPair(Struct, frozen=True):
    """Page and the other URL that it declares as canonical."""

    url: str
    target: str
    target_status: int
    """HTTP status of the target; 0 if it was not requested."""
    target_reason: str = ""
    """Reason why the target is not indexable (`crawl.record.Reason`); empty if it is, or if it was not requested."""
    target_canonical: str = ""
    """Canonical URL of the target, if it is yet another page."""
    target_inlinks_count: int = 0
    target_known: bool = True
    """Whether the target was requested."""
    template: int = 0
    """Number of the page's template."""
    similarity: float = 1.0
    """Estimated similarity of the main texts of page and target, 0–1, where it is known."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledCanonicals(Struct, frozen=True):
    """Canonical links from one page to another."""

    pages_count: int
    """Number of pages that declare another page as canonical."""
    not_indexable: tuple[CanonicalPair, ...] = ()
    """Canonical links whose target does not return 200, redirects, or is not indexable for another reason than a canonical."""
    not_indexable_count: int = 0
    chains: tuple[CanonicalPair, ...] = ()
    """Canonical links whose target declares a third URL, or the page again."""
    chains_count: int = 0
    to_home: tuple[CanonicalPair, ...] = ()
    """Canonical links to the start page."""
    to_home_count: int = 0
    unlinked: tuple[CanonicalPair, ...] = ()
    """Canonical links to pages without internal links."""
    unlinked_count: int = 0


class DuplicateGroup(Struct, frozen=True):
    """Indexable pages that share a title, a description, a heading or a text."""

    text: str
    """Shared text; for main texts the title of the first page."""
    pages_count: int
    urls: tuple[str, ...] = ()
    same_text: bool = False
    """Whether the pages have the same or nearly the same main text, so that the group is shown there."""
    lang: str = ""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledDuplicates(Struct, frozen=True):
    """Groups of indexable pages with the same language that share something; the largest first."""

    pages_count: int
    """Number of indexable pages."""
    titles: tuple[DuplicateGroup, ...] = ()
    titles_count: int = 0
    descriptions: tuple[DuplicateGroup, ...] = ()
    descriptions_count: int = 0
    headings: tuple[DuplicateGroup, ...] = ()
    """Pages with the same h1 and the same title, where no page with another title has that h1: it would be the template's."""
    headings_count: int = 0
    texts: tuple[DuplicateGroup, ...] = ()
    """Equal main text of at least 50 words."""
    texts_count: int = 0
    similar: tuple[DuplicateGroup, ...] = ()
    """Similar main text of at least 100 words: Jaccard index of its three-word shingles from 0.9."""
    similar_count: int = 0


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledSitemap(Struct, frozen=True):
    """Sitemap entries of the site against what the crawl found."""

    entries_count: int
    """Number of URLs in sitemaps; 0 without a sitemap."""
    not_ok: tuple[Group, ...] = ()
    """Entries that redirect or fail, by status; without 401, 403, 407, 429 and 451, which may refuse only this crawler."""
    not_ok_count: int = 0
    noindex: Group | None = None
    canonicalised: Group | None = None
    disallowed: Group | None = None
    missing: Group | None = None
    """Indexable pages with a link to them that no sitemap lists."""


class Template(Struct, frozen=True):
    """Pages of the same build: those with the same kinds of link lists."""

    number: int
    """Number within the crawl, from 1; the largest first. 0: pages of rare builds."""
    name: str
    """Common beginning of its paths, as ``/products/*``."""
    pages_count: int
    indexable_count: int
    urls: tuple[str, ...] = ()
    words_median: int = 0
    first_byte_p75_ms: float = 0.0
    types: tuple[tuple[str, int], ...] = ()
    """Types of structured data: (schema.org type, pages that have it)."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawledTemplates(Struct, frozen=True):
    """Templates of the site."""

    items: tuple[Template, ...]


class Trap(Struct, frozen=True):
    """Endless series of URLs that the crawl stopped following."""

    trap: TrapKind
    pattern: str
    """Pattern of the URLs: ``https://example.com/calendar?month={}``."""
    found_count: int
    fetched_count: int
    refused_count: int
    urls: tuple[str, ...] = ()
    """First URLs of the series."""
    source: str = ""
    """URL of the page that links to the first of them."""


@root(Source.CRAWL, Subject.SITE, without=_WITHOUT)
class CrawlTraps(Struct, frozen=True):
    """Endless series of the site."""

    requests_count: int
    """Number of URLs that the crawl requested."""
    items: tuple[Trap, ...] = ()
