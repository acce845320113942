"""Settings of a crawl: start URL, scope and limits."""

from enum import StrEnum
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from findable import urls
from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.crawl import Refusal
from findable.crawl.extractors import Extractor
from findable.limits import LEAST_KNOWN, MAX_EXTERNAL, MAX_ORIGINS, MAX_RESOURCES
from findable.reports.url_patterns import any_matches
from findable.values import once
from findable.vocabulary import Code
from findable.wording import later

DEFAULT_PAGES = 10_000
DEFAULT_RATE = 5.0
"""Requests per second to one host."""
REQUESTS_PER_LISTED_URL = 10
"""Number of requests for one URL of a list and its redirects, as many as Google follows."""
CONNECTIONS = 2
CONFIRM_AFTER_S = 10.0
FIRST_RESOURCES, RESOURCES_PER_PAGE = 100, 2
EXTERNAL_INTERVAL_S = 1.0


class Extent(Code):
    """Hosts that belong to a crawl, by their relation to that of the start URL."""

    ORIGIN = "origin", later("This host only, with its scheme and port")
    """URLs with the same scheme, host and port."""
    HOST = "host", later("http and https, with and without www")
    """URLs with http and https, with and without ``www.``."""
    DOMAIN = "domain", later("All hosts of the domain")
    """All hosts under the registrable domain."""


class RobotsRules(Code):
    """User agent whose robots.txt rules a crawl obeys."""

    FINDABLE = "findable", later("obeyed, with the rules for Findable")
    GOOGLEBOT = "googlebot", later("obeyed, with the rules for Googlebot")
    IGNORE = "ignore", later("ignored")


class Render(Code):
    """Choice of the pages of a crawl that a browser renders."""

    NEVER = "never", later("None")
    NEEDED = "needed", later("Pages that scripts build")
    """Pages built by scripts."""
    SAMPLE = "sample", later("Three pages of each template, and all of a template that scripts change")
    """Three pages of each template, and all pages of a template that scripts change."""
    ALL = "all", later("All pages")


class RenderReason(StrEnum):
    """Reason for the choice of rendered pages."""

    CHOSEN = ""
    """Chosen for this crawl."""
    BROWSER = "browser"
    """Default where a browser works."""
    NO_BROWSER = "no_browser"
    """Default where no browser works."""
    PROJECT = "project"
    """The project is set to use no browser."""


class Segment(Struct, frozen=True):
    """Named part of a site."""

    name: str
    patterns: tuple[str, ...]
    """Patterns of URLs (`reports.url_patterns`), one of which must match."""


class ImportedTable(Struct, frozen=True):
    """Table of URLs of another program that stands for a crawl: what it does not contain is unknown."""

    program: str
    """Name of the program: Screaming Frog or Sitebulb."""
    has_titles: bool
    has_depths: bool


class CrawlSettings(Struct, frozen=True, dict=True):
    """Settings of a crawl: its scope, limits and rate."""

    start_url: str
    extent: Extent = Extent.ORIGIN
    hosts: tuple[str, ...] = ()
    """Further hosts of the same site."""
    include: tuple[str, ...] = ()
    """Patterns of URLs (`reports.url_patterns`), one of which must match; the start URL always belongs to the crawl."""
    exclude: tuple[str, ...] = ()
    pages: int = DEFAULT_PAGES
    """Maximum number of requested URLs."""
    rolling: int | None = None
    """Number of URLs that this crawl requests, if it carries the other pages over from the earlier crawl (`crawl.rolling`)."""
    depth: int | None = None
    """Maximum number of clicks from the start page."""
    seconds: int | None = None
    """Maximum duration in seconds, without pauses between two runs."""
    robots: RobotsRules = RobotsRules.FINDABLE
    render: Render = Render.NEVER
    """Pages that are rendered in a browser."""
    render_reason: RenderReason = RenderReason.CHOSEN
    """Reason for `render`, whose value is fixed for the whole crawl."""
    browser: BrowserOptions = DEFAULTS
    """Options of these visits."""
    rate: float = DEFAULT_RATE
    """Maximum number of requests per second."""
    connections: int = CONNECTIONS
    """Maximum number of requests at the same time."""
    confirm_after_s: float = CONFIRM_AFTER_S
    """Minimum time in seconds between a doubtful response and the request that confirms it."""
    urls: tuple[str, ...] = ()
    """URLs of a list. If there are any, only these are requested, and no links are followed."""
    expected: tuple[tuple[str, str], ...] = ()
    """Expected redirects: (URL of the list, expected target)."""
    preview_origin: str = ""
    """Origin of a preview that is requested instead of the start URL's origin; empty without a preview."""
    external: bool = False
    """Whether links to URLs outside the crawl are requested, without following them."""
    uploaded: bool = False
    """Whether to also request URLs with uploaded metrics that are not linked."""
    external_interval_s: float = EXTERNAL_INTERVAL_S
    """Minimum time between two requests to one host outside the site."""

    extractors: tuple[Extractor, ...] = ()
    """Additional columns of the pages."""
    segments: tuple[Segment, ...] = ()
    """Named parts of the site for filtering lists; a page may belong to several."""
    imported: ImportedTable | None = None
    """Table from which the crawl was imported; None for a crawl of Findable."""

    def segments_of(self, url: str) -> tuple[str, ...]:
        """Return the names of the segments that a URL belongs to."""
        return tuple(segment.name for segment in self.segments if any_matches(segment.patterns, url))

    def segments_at(self, bits: int) -> tuple[str, ...]:
        """Return the names of the segments whose bits are set, as in the store."""
        return tuple(segment.name for at, segment in enumerate(self.segments) if bits >> at & 1)

    def with_default_render(self, *, works: bool) -> "CrawlSettings":
        """Return the settings with the default choice of rendered pages; ``works``: whether a browser starts in its sandbox."""
        if works:
            return replace(self, render=Render.SAMPLE, render_reason=RenderReason.BROWSER)
        return replace(self, render=Render.NEVER, render_reason=RenderReason.NO_BROWSER)

    def at_origin_of(self, start_url: str) -> "CrawlSettings":
        """Return the settings with another start URL, and the URLs of the list at the old origin moved to its origin."""
        move = partial(urls.move_to_origin, origin=urls.origin_part(self.start_url), to=urls.origin_part(start_url))
        expected = tuple((move(url), move(target)) for url, target in self.expected)
        return replace(self, start_url=start_url, urls=tuple(map(move, self.urls)), expected=expected)

    @property
    def follows_links(self) -> bool:
        """Whether the crawl follows links."""
        return not self.urls

    @property
    def known_limit(self) -> int:
        """Maximum number of URLs that are read from sitemaps, and from the earlier crawl."""
        return max(LEAST_KNOWN, self.pages)

    @property
    def page_limit(self) -> int:
        """Maximum number of requested URLs, with the URLs to which those of a list redirect."""
        return self.pages if self.follows_links else max(self.pages, REQUESTS_PER_LISTED_URL * min(self.pages, len(self.urls)))

    @property
    def has_fixed_sample(self) -> bool:
        """Whether the crawl requests a part of the site that is the same each time, which takes somewhat longer."""
        return self.follows_links and self.pages < DEFAULT_PAGES and self.rolling is None

    @property
    def max_resources(self) -> int:
        """Maximum number of stylesheets, scripts and images that the crawl requests; 0 for a list of URLs."""
        return min(MAX_RESOURCES, FIRST_RESOURCES + RESOURCES_PER_PAGE * self.pages) if self.follows_links else 0

    @property
    def url_limit(self) -> int:
        """Maximum number of URLs that the crawl requests without resources and external links."""
        return self.pages if self.rolling is None else min(self.pages, self.rolling)

    @property
    def max_requests(self) -> int:
        """Maximum number of URLs of all kinds that the crawl requests."""
        return self.url_limit + self.max_resources + (MAX_EXTERNAL if self.external else 0)

    @property
    def is_limited(self) -> bool:
        """Whether the settings exclude a part of the site."""
        return bool(self.urls or self.include or self.exclude) or self.depth is not None

    def refusal_of(self, url: str) -> Refusal | None:
        """Return the reason why a URL (without fragment) does not belong to the crawl; None if it does."""
        if len(url) > urls.MAX_URL_CHARS:
            return Refusal.TOO_LONG
        if not self._has_origin(urls.origin_part(url)):
            return Refusal.SCOPE
        if url == self.start_url:
            return None
        if (self.include and not any_matches(self.include, url)) or (self.exclude and any_matches(self.exclude, url)):
            return Refusal.SCOPE
        return None

    def is_own(self, url: str) -> bool:
        """Return whether a resource belongs to the site: to the crawl or its registrable domain."""
        return self._has_origin(urls.origin_part(url)) or urls.same_site(url, self.start_url)

    def _has_origin(self, origin: str) -> bool:
        known = self._origins.get(origin)
        if known is None:
            if len(self._origins) > MAX_ORIGINS:
                self._origins.clear()
            known = self._origins[origin] = self._covers(origin)
        return known

    @once
    def _origins(self) -> dict[str, bool]:
        """Cache of whether the crawl covers an origin, because a site repeatedly links to the same few hosts."""
        return {}

    def _covers(self, origin: str) -> bool:
        url, start = urls.parse(origin), urls.parse(self.start_url)
        if url is None or start is None or not url.is_http:
            return False
        if url.host in self.hosts or url.origin == start.origin:
            return True
        if self.extent is Extent.HOST:
            return urls.same_host(url.href, start.href)
        return self.extent is Extent.DOMAIN and urls.same_site(url.href, start.href)
