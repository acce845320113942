"""Variants of the host that respond: http and https, with and without www."""

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING
from findable.artifacts.site.host import Host
from findable.capture.response import NOT_REQUESTED, ProbeResponse, outcome
from findable.capture.site import SiteCapture
from findable.vocabulary import Verdict


class HostVariants(Struct, frozen=True):
    """Responses of the home page over http and https, with and without www."""

    responses: tuple[ProbeResponse, ...]
    """Responses of all requested variants."""

    @property
    def responding(self) -> list[ProbeResponse]:
        """Variants whose final status is 2xx."""
        return [response for response in self.responses if response.ok]


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
