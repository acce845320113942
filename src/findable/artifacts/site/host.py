"""Host of the site, and its encryption."""

from msgspec import Struct

from findable.artifacts.page.delivery import Transport
from findable.artifacts.page.private_hosts import is_loopback
from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.response import Tls
from findable.capture.site import SiteCapture
from findable.urls import Url, parse


class Host(Struct, frozen=True):
    """Public host of the site, with its TLS connection."""

    url: Url
    """URL of the host: the page's, if there is a page."""
    captured_at: str
    """RFC 3339 UTC."""
    tls: Tls | None
    tls_versions: tuple[tuple[str, bool], ...]
    """Results by version tried: (protocol, accepted)."""


@artifact
def make_host(site: SiteCapture, transport: Transport | Absent, page: PageCapture | None) -> Host | Absent:
    """Return the host; absent if the page's transport is absent, or for a site on this machine."""
    if isinstance(transport, Transport):
        captured_at = page.captured_at if page else site.captured_at
        return Host(transport.url, captured_at, transport.response.tls, site.tls_versions)
    if transport.missing is None:
        return transport
    url = parse(site.origin)
    if url is None:
        return Absent("the URL could not be read")
    if is_loopback(url.host):
        return Absent("the page is on this machine ({host})", params={"host": url.host})
    return Host(url, site.captured_at, site.tls, site.tls_versions)
