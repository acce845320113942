"""Host of the site: its variants that respond, and its encryption."""

from msgspec import Struct

from findable.artifacts.page.delivery import Transport
from findable.artifacts.page.private_hosts import is_loopback
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING
from findable.capture.page import PageCapture
from findable.capture.response import NOT_REQUESTED, ProbeResponse, Tls, outcome
from findable.capture.site import SiteCapture
from findable.urls import Url, parse
from findable.vocabulary import Verdict


class Host(Struct, frozen=True):
    """Public host of the site, with its TLS connection."""

    url: Url
    """URL of the host: the page's, if there is a page."""
    captured_at: str
    """RFC 3339 UTC."""
    tls: Tls | None
    tls_versions: tuple[tuple[str, bool], ...]
    """Results by version tried: (protocol, accepted)."""


class HostVariants(Struct, frozen=True):
    """Responses of the home page over http and https, with and without www."""

    responses: tuple[ProbeResponse, ...]
    """Responses of all requested variants."""

    @property
    def responding(self) -> list[ProbeResponse]:
        """Variants whose final status is 2xx."""
        return [response for response in self.responses if response.ok]


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


@artifact
def make_host_variants(site: SiteCapture, host: Host) -> HostVariants | Absent:
    """Return the variants; absent if the host has none (an IP address, a non-default port) or they were not requested."""
    del host  # previews and loopback hosts have no public variants
    asked = tuple(response for response in site.variants if response.failure not in NOT_REQUESTED and response.status not in REFUSING)
    if not site.variants:
        return Absent("no other spelling of the host was requested", Verdict.UNKNOWN)
    if len(asked) < 2:  # noqa: PLR2004 - a single response cannot be compared
        return Absent("the host's variants: {reason}", Verdict.UNKNOWN, outcome(site.variants[0]))
    return HostVariants(asked)
