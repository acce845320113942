"""Faults of URLs in a sitemap, from the responses of a sample."""

from enum import StrEnum

from findable.artifacts.responses.probed_page import REFUSING, read_probed
from findable.capture.response import Failure, ProbeResponse
from findable.urls import without_fragment


class SampleFault(StrEnum):
    """Reason why a URL should not be in a sitemap."""

    BROKEN = "it returns {code}"
    REDIRECT = "it redirects to {target}"
    NOINDEX = "it is noindex"


def sample_fault(response: ProbeResponse) -> SampleFault | None:
    """Return why a URL should not be in a sitemap, from its response; None if no reason is known."""
    if response.failure is not Failure.NONE or response.status in REFUSING:
        return None
    if not response.ok:
        return SampleFault.BROKEN
    if len(response.hops) > 1 and without_fragment(response.url) != without_fragment(response.final_url):
        return SampleFault.REDIRECT
    probed = read_probed(response)
    return SampleFault.NOINDEX if probed and probed.noindex else None
