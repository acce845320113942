"""Responses that belong to a site rather than to one of its pages."""

from msgspec import Struct

from findable.capture.response import ProbeResponse, Tls
from findable.capture.root import root
from findable.vocabulary import Source, Subject


@root(Source.SITE, Subject.SITE, without="the site was not requested")
class SiteCapture(Struct, frozen=True):
    """Responses that belong to a site, shared by the reports of its pages for a limited time."""

    origin: str
    """Origin of the final URL: ``https://www.example.com``."""
    captured_at: str
    """RFC 3339 UTC."""
    robots_txt: ProbeResponse
    """robots.txt of the origin, after up to 5 redirects."""
    sitemaps: tuple[ProbeResponse, ...] = ()
    """Responses of declared sitemaps first, then of the usual locations; the files of an index follow in order. Bodies are capped."""
    sitemap_sample: tuple[ProbeResponse, ...] = ()
    """Responses of a sample of the listed URLs: status, headers and first bytes of HTML."""
    made_up: ProbeResponse | None = None
    """Response of a non-existent URL (404 probe)."""
    home: ProbeResponse | None = None
    """Response of the home page, for favicon and site name; None if the page itself is the home page."""
    variants: tuple[ProbeResponse, ...] = ()
    """Responses of http and https × www and apex for the path ``/``; up to four."""
    favicon: ProbeResponse | None = None
    """Response of /favicon.ico."""
    llms_txt: ProbeResponse | None = None
    languages: tuple[tuple[str, ProbeResponse], ...] = ()
    """Responses of the home page as (Accept-Language sent, response): none, en, de; bodies are capped."""
    links: tuple[ProbeResponse, ...] = ()
    """Link responses known for this site, each URL once."""
    tls_versions: tuple[tuple[str, bool], ...] = ()
    """Results by version tried: (protocol, accepted)."""
    tls: Tls | None = None
    """TLS connection of the origin; None if a page of it is captured, which has its own."""
