"""What is wrong with addresses that a sitemap lists, by what some of them answered."""

from enum import StrEnum

from findable.artifacts.responses.probed_page import read_probed
from findable.artifacts.site.sitemap import REFUSING
from findable.capture.response import Answer, Failure
from findable.urls import without_fragment


class SampleFault(StrEnum):
    """What is wrong with a listed address."""

    BROKEN = "it answers {code}"
    REDIRECT = "it redirects to {target}"
    NOINDEX = "it is noindex"


def sample_fault(answer: Answer) -> SampleFault | None:
    """Why an address should not be listed; None where nothing speaks against it or where it is not known."""
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
