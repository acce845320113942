"""Everything the network told about one page at one moment: the input of the analysis, savable as one file.

A capture is what `findable gather` prints and `findable check` reads (see saved.py). All facts are derived from it.
"""

from msgspec import Struct, field

from findable.capture.response import Answer, Response
from findable.capture.sitemap_summary import SitemapEntry


class SiteCapture(Struct, frozen=True):
    """What belongs to the site and not to the page; shared between reports of one host for a while."""

    origin: str
    """``https://www.example.com`` of the final URL."""
    captured_at: str
    """RFC 3339 UTC."""
    robots_txt: Answer
    """Of the origin, redirects followed (≤ 5)."""
    sitemaps: tuple[Answer, ...] = ()
    """Announced ones first, then usual places; an index file is followed by its children, in order. Bodies capped."""
    sitemap_sample: tuple[Answer, ...] = ()
    """Answers of a sample of listed URLs (status and headers; first bytes of HTML)."""
    made_up: Answer | None = None
    """GET of an address that cannot exist."""
    home: Answer | None = None
    """The home page, where the page is not the home page itself (favicon, site name)."""
    variants: tuple[Answer, ...] = ()
    """http and https × www and apex of the same path ``/``; up to four."""
    favicon: Answer | None = None
    """/favicon.ico."""
    llms_txt: Answer | None = None
    languages: tuple[tuple[str, Answer], ...] = ()
    """(Accept-Language sent, answer) of the home page: none, en, de; bodies cut."""
    links: tuple[Answer, ...] = ()
    """Link answers known for this site, each URL once."""


class PageProbes(Struct, frozen=True):
    """What extra requests told about this page."""

    assets: tuple[Answer, ...] = ()
    """Images, stylesheets, scripts, fonts, icons, social images: first bytes (stylesheets and scripts whole up to a cap)."""
    links: tuple[Answer, ...] = ()
    """Answers of the page's links, internal and external."""
    canonical: Answer | None = None
    """The canonical URL where it is another page (body capped)."""
    alternates: tuple[Answer, ...] = ()
    """hreflang alternates (body capped), ≤ 20."""
    http_variant: Answer | None = None
    """The page's own address over http, where the page is https."""
    phone: Answer | None = None
    """The page's own address asked with the user agent of a phone (body capped); None where that was not asked."""
    tls_versions: tuple[tuple[str, bool], ...] = ()
    """(protocol, accepted) for each version tried."""
    agents: tuple[tuple[str, Answer], ...] = ()
    """(User-Agent asked with, answer of the page): a browser's first, then crawlers'; only where somebody wants these requests.

    The browser's stands alone where robots.txt keeps all crawlers out, or us."""
    links_left_count: int = 0
    """Links that were not asked because the budget ended."""
    assets_left_count: int = 0
    sitemap_entries: tuple[SitemapEntry, ...] = ()
    """Where the site's sitemaps list this page: its final or its canonical address, ``url`` as normalised by us."""
    alternate_entries: tuple[SitemapEntry, ...] = ()
    """Where they list those of its language versions that were asked."""
    sitemaps_searched: bool = False
    """Whether `sitemap_entries` was looked for in all that the site's sitemaps list; False where the listing was not at hand."""


class Capture(Struct, frozen=True):
    """One page, as seen once."""

    captured_at: str
    """RFC 3339 UTC; the "now" of every check."""
    response: Response
    site: SiteCapture
    probes: PageProbes = field(default_factory=PageProbes)
    judged_as: str | None = None
    """The origin this preview stands in for (`--as`); addresses of the preview are rewritten to it before the checks."""
    budget_note: str = ""
    """Which bound ended the extra requests early; empty where none did."""
