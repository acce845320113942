"""Response of the page that the audited page declares as canonical."""

from msgspec import Struct

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING, Probe, ProbedPage, read_probed, unchecked_reason
from findable.capture.page import PageCapture


class CanonicalTarget(Struct, frozen=True):
    """Page that the audited page declares as canonical, if it is another."""

    url: str
    page: ProbedPage


@artifact
def make_canonical_target(page: PageCapture, canonical: Canonical) -> CanonicalTarget | Absent:
    """Return the canonical page; absent if the page is its own canonical, unknown if the canonical page could not be loaded."""
    if canonical.is_self or canonical.target is None:
        return Absent("the page declares no other page as canonical")
    response = page.probes.canonical
    probed = read_probed(response)
    if response is None or probed is None or response.status in REFUSING:
        return unchecked_reason(Probe.CANONICAL_URL, response)
    return CanonicalTarget(canonical.target, probed)
