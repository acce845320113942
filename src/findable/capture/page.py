"""Capture of one page: its response, and the responses to the extra requests for it."""

from enum import StrEnum

from msgspec import Struct, field

from findable.capture.response import ProbeResponse, Response
from findable.capture.root import root
from findable.capture.sitemap_summary import SitemapEntry
from findable.vocabulary import Code, Source, Subject


class BudgetBound(Code, params=("reason",)):
    """Limit of a report's extra requests that ended them."""

    TIME = "time", "not measured: the time for extra requests was used up"
    REQUESTS = "requests", "not measured: the number of extra requests was used up"
    BYTES = "bytes", "not measured: the bytes of extra requests were used up"


class AssetKind(StrEnum):
    """Purpose for which a page loads a URL; it determines how many bytes are requested."""

    IMAGE = "image"
    STYLESHEET = "stylesheet"
    SCRIPT = "script"
    FONT = "font"
    ICON = "icon"
    SOCIAL = "social"
    """Preview image: ``og:image`` and similar."""


class PageProbes(Struct, frozen=True):
    """Responses to the extra requests for one page."""

    assets: tuple[ProbeResponse, ...] = ()
    """Images, stylesheets, scripts, fonts, icons, social images: first bytes (stylesheets and scripts whole up to a cap)."""
    links: tuple[ProbeResponse, ...] = ()
    """Responses of the page's links, internal and external."""
    canonical: ProbeResponse | None = None
    """Response of the canonical URL if it is another page (body capped)."""
    alternates: tuple[ProbeResponse, ...] = ()
    """Responses of up to 20 hreflang alternates (bodies capped)."""
    http_variant: ProbeResponse | None = None
    """Response of the page's URL over http, if the page uses https."""
    phone: ProbeResponse | None = None
    """Response to the user agent of a phone (body capped); None if it was not requested."""
    agents: tuple[tuple[str, ProbeResponse], ...] = ()
    """Responses as (User-Agent sent, response): a browser's first, then crawlers'.

    Empty unless the user enabled these requests. Contains only the browser's if robots.txt disallows all crawlers, or this one.
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


@root(Source.PAGE, Subject.PAGE, without="the page was not requested")
class PageCapture(Struct, frozen=True):
    """Response of a page, with the responses to the extra requests made for it."""

    captured_at: str
    """RFC 3339 UTC; every check uses it as the current time."""
    response: Response
    probes: PageProbes = field(default_factory=PageProbes)
    judged_as: str | None = None
    """Future origin of this preview (`--as`); URLs of the preview are rewritten to it before the checks."""
    budget_ended: BudgetBound | None = None
    """Limit that ended the extra requests early; None if none did."""
