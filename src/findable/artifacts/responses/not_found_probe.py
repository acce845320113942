"""Response to a non-existent URL, and the similarity of two pages."""

from msgspec import Struct

from findable.artifacts.page.canonical import comparable
from findable.artifacts.page.word_count import words_of
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING, Probe, ProbedPage, read_probed, unchecked_reason
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture

COMPARED_CHARS = 20_000
SAME_PAGE_SIMILARITY = 0.8
"""Share of common words from which two pages count as identical."""
MIN_COMPARED_WORDS = 20


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


def page_similarity(first: ProbedPage, second: ProbedPage) -> float | None:
    """Return the share of common words of two pages, 0–1, from their stored beginnings; None if there is too little text."""
    return similarity_of_texts(_text(first), _text(second))


def similarity_of_texts(first: str, second: str) -> float | None:
    """Return the share of common words (Jaccard index), 0–1; None if one has fewer than MIN_COMPARED_WORDS different ones."""
    one, other = (set(words_of(text[:COMPARED_CHARS].casefold())) for text in (first, second))
    if min(len(one), len(other)) < MIN_COMPARED_WORDS:
        return None
    return len(one & other) / len(one | other)


def _text(page: ProbedPage) -> str:
    return page.document.text if page.document else ""
