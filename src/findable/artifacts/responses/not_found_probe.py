"""Response to a non-existent URL."""

from msgspec import Struct

from findable.artifacts.page.canonical import comparable
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING, Probe, ProbedPage, read_probed, unchecked_reason
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture


class NotFoundProbe(Struct, frozen=True):
    """Response of a non-existent URL (404 probe)."""

    response: ProbeResponse
    page: ProbedPage

    @property
    def is_redirect(self) -> bool:
        """Whether the non-existent URL redirected."""
        return comparable(self.response.url) != comparable(self.response.final_url)


@artifact
def make_not_found_probe(site: SiteCapture) -> NotFoundProbe | Absent:
    """Return the 404 probe; unknown if it was not made, had no response, or was rejected."""
    response = site.made_up
    page = read_probed(response)
    if response is None or page is None or response.failure is not Failure.NONE or response.status in REFUSING:
        return unchecked_reason(Probe.NON_EXISTENT_URL, response)
    return NotFoundProbe(response, page)
