"""Another fetched page (canonical target, language version, 404 probe), read with the same artifacts."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.head import Head
from findable.artifacts.page.hreflang import Hreflang
from findable.artifacts.page.robots_directives import GENERIC, Directive, RobotsDirectives, header_directives
from findable.artifacts.registry import Absent, Artifacts, gather
from findable.capture.page import PageCapture
from findable.capture.response import Failure, ProbeResponse, Response, outcome
from findable.capture.status_classes import REFUSALS
from findable.formats.parse_budget import readable_chars
from findable.vocabulary import Code, Verdict

GOOGLE = "googlebot"
REFUSING = REFUSALS | {503}
"""Statuses that concern only this client or this moment."""
MAX_PROBED_BYTES = 14_000_000
"""Memory limit per probed page, estimated as for the page itself; there may be a dozen.

The first 512 KiB of saved pages take up to 12 MB.
"""


class Probe(Code, params=("what",)):
    """URL that is requested for comparison with the page."""

    NON_EXISTENT_URL = "non_existent_url", "a non-existent URL"
    CANONICAL_URL = "canonical_url", "the canonical URL"
    LANGUAGE_VERSIONS = "language_versions", "the language versions"


class ProbedPage(Struct, frozen=True):
    """Another page that was requested for comparison, with its response and artifacts."""

    response: ProbeResponse
    artifacts: Artifacts

    @property
    def head(self) -> Head | None:
        """Metadata of the page; None if it is not a 2xx HTML page."""
        return self.artifacts.get_or_none(Head)

    @property
    def document(self) -> Document | None:
        """Tree of the page, from the stored bytes."""
        return self.artifacts.get_or_none(Document)

    @property
    def tree(self) -> Document | None:
        """Tree of the page for any status, error pages included; None if it has no body."""
        charset = self.artifacts.get_or_none(Charset)
        if self.document is not None or charset is None or not self.response.body:
            return self.document
        return Document(charset.text, self.response.final_url)

    @property
    def canonical(self) -> Canonical | None:
        """Canonical declarations of the page."""
        return self.artifacts.get_or_none(Canonical)

    @property
    def hreflang(self) -> Hreflang | None:
        """Language versions of the page."""
        return self.artifacts.get_or_none(Hreflang)

    @property
    def noindex(self) -> Directive | None:
        """Rule that keeps the page out of Google's index."""
        directives = self.artifacts.get_or_none(RobotsDirectives) or RobotsDirectives(tuple(header_directives(self.response.headers)))
        return directives.noindex(GOOGLE)


def read_probed(response: ProbeResponse | None, max_bytes: int = MAX_PROBED_BYTES) -> ProbedPage | None:
    """Parse a response as a page; None if nothing was received. Above ``max_bytes`` only the beginning is parsed."""
    if response is None or not response.hops:
        return None
    kept = readable_chars(response.body.decode("ascii", "replace"), max_bytes)
    # Never marked as truncated: only the first bytes of other pages are requested, and the code that reads them expects that.
    decoded_bytes = len(response.body) if kept < len(response.body) else 0
    page_response = Response(response.url, response.hops, response.body[:kept], response.wire_bytes, decoded_bytes)
    return ProbedPage(response, gather(PageCapture("", page_response)))


def known_page(response: ProbeResponse, canonical: Canonical, *, noindex: bool, hreflang: Hreflang | None = None) -> ProbedPage:
    """Return a page that was read earlier, from its response without a body and its declarations."""
    artifacts = gather()
    rules = (Directive("noindex", "", GENERIC, None, ""),) if noindex else ()
    artifacts.put(canonical, RobotsDirectives(rules), *((hreflang,) if hreflang is not None else ()))
    return ProbedPage(response, artifacts)


def unchecked_reason(probe: Probe, response: ProbeResponse | None) -> Absent:
    """Return the reason why an additional page cannot be checked."""
    why = outcome(response) if response is not None else {"reason": Failure.NOT_ASKED}
    return Absent("{what} could not be judged: {reason}", Verdict.UNKNOWN, {"what": probe, **why})
