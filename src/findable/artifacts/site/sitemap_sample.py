"""Faults of URLs in a sitemap, from the responses of a sample."""

from enum import StrEnum

from findable.artifacts.responses.probed_page import read_probed
from findable.artifacts.site.sitemap import REFUSING
from findable.capture.response import Answer, Failure
from findable.urls import without_fragment


class SampleFault(StrEnum):
    """Fault of a listed URL."""

    BROKEN = "it returns {code}"
    REDIRECT = "it redirects to {target}"
    NOINDEX = "it is noindex"


def sample_fault(answer: Answer) -> SampleFault | None:
    """Return why a URL should not be listed; None if no reason is known."""
    if answer.failure is not Failure.NONE or answer.status in REFUSING:
        return None
    if not answer.ok:
        return SampleFault.BROKEN
    if len(answer.hops) > 1 and _differs(answer):
        return SampleFault.REDIRECT
    probed = read_probed(answer)
    return SampleFault.NOINDEX if probed and probed.noindex else None


def _differs(answer: Answer) -> bool:
    return without_fragment(answer.url) != without_fragment(answer.final_url)
