"""Everything fetched for one page at one moment: the input of the analysis, savable as one file.

A capture is what `findable gather` prints and `findable check` reads (see saved.py). All facts are derived from it.
"""

from msgspec import Struct, field

from findable.capture.response import Answer, Response
from findable.capture.sitemap_summary import SitemapEntry
from findable.vocabulary import Code


class BudgetBound(Code, params=("reason",)):
    """Limit of the extra requests of a report."""

    TIME = "time", "not measured: the time for extra requests was used up"
    REQUESTS = "requests", "not measured: the number of extra requests was used up"
    BYTES = "bytes", "not measured: the bytes of extra requests were used up"


class SiteCapture(Struct, frozen=True):
    """Responses that belong to the site; shared between reports of one host for a limited time."""

    origin: str
    """``https://www.example.com`` of the final URL."""
    captured_at: str
    """RFC 3339 UTC."""
    robots_txt: Answer
    """robots.txt of the origin, up to 5 redirects followed."""
    sitemaps: tuple[Answer, ...] = ()
    """Declared sitemaps first, then the usual locations. The children of an index file follow it in order. Bodies are capped."""
    sitemap_sample: tuple[Answer, ...] = ()
    """Responses of a sample of listed URLs (status and headers; first bytes of HTML)."""
    made_up: Answer | None = None
    """Response of a URL that cannot exist (404 probe)."""
    home: Answer | None = None
    """Home page, unless the page itself is the home page (favicon, site name)."""
    variants: tuple[Answer, ...] = ()
    """Responses of http and https × www and apex for the path ``/``; up to four."""
    favicon: Answer | None = None
    """Response of /favicon.ico."""
    llms_txt: Answer | None = None
    languages: tuple[tuple[str, Answer], ...] = ()
    """(Accept-Language sent, response) of the home page: none, en, de; bodies are capped."""
    links: tuple[Answer, ...] = ()
    """Link responses known for this site, each URL once."""


class PageProbes(Struct, frozen=True):
    """Responses of extra requests for this page."""

    assets: tuple[Answer, ...] = ()
    """Images, stylesheets, scripts, fonts, icons, social images: first bytes (stylesheets and scripts whole up to a cap)."""
    links: tuple[Answer, ...] = ()
    """Responses of the page's links, internal and external."""
    canonical: Answer | None = None
    """Response of the canonical URL if it is another page (body capped)."""
    alternates: tuple[Answer, ...] = ()
    """Responses of up to 20 hreflang alternates (bodies capped)."""
    http_variant: Answer | None = None
    """Response of the page's URL over http, if the page uses https."""
    phone: Answer | None = None
    """Response to the user agent of a phone (body capped); None if it was not requested."""
    tls_versions: tuple[tuple[str, bool], ...] = ()
    """(protocol, accepted) for each version tried."""
    agents: tuple[tuple[str, Answer], ...] = ()
    """(User-Agent sent, response): a browser's first, then crawlers'; empty unless the user enabled these requests.

    Only the browser's is there if robots.txt disallows all crawlers, or this one.
    """
    links_left_count: int = 0
    """Links that were not checked because the budget was used up."""
    assets_left_count: int = 0
    sitemap_entries: tuple[SitemapEntry, ...] = ()
    """Sitemap entries of this page's final or canonical URL; ``url`` is normalized."""
    alternate_entries: tuple[SitemapEntry, ...] = ()
    """Sitemap entries of the checked language versions."""
    sitemaps_searched: bool = False
    """Whether the complete sitemap listing was searched for `sitemap_entries`; False if it was not available."""


class Capture(Struct, frozen=True):
    """One fetched page with its site and extra requests."""

    captured_at: str
    """RFC 3339 UTC; the "now" of every check."""
    response: Response
    site: SiteCapture
    probes: PageProbes = field(default_factory=PageProbes)
    judged_as: str | None = None
    """Origin that this preview is judged as (`--as`); URLs of the preview are rewritten to it before the checks."""
    budget_ended: BudgetBound | None = None
    """Limit that ended the extra requests early; None if none did."""
