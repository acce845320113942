"""The document that a browser has after the scripts of the page ran."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.rendering import Rendering, RenderingFailure
from findable.formats.parse_budget import readable_chars
from findable.vocabulary import Verdict

WHY_NOT = {
    RenderingFailure.NO_BROWSER: "not measured: no browser is installed",
    RenderingFailure.CRASHED: "not measured: the browser stopped on this page",
    RenderingFailure.TIMEOUT: "not measured: the browser did not finish in time",
    RenderingFailure.REFUSED: "not measured: the browser may not request this page",
    RenderingFailure.UNREACHABLE: "not measured: the browser could not load the page",
    RenderingFailure.TOO_LARGE: "not measured: the page has too many elements after its scripts ran",
}


class Visit(Struct, frozen=True):
    """Finished visit with the browser."""

    rendering: Rendering


class RenderedDocument(Struct, frozen=True):
    """The document after scripts."""

    document: Document


@artifact
def make_visit(rendering: Rendering) -> Visit | Absent:
    """Return the visit; unknown if the browser failed, and with it everything made from a rendering."""
    if rendering.failure is not RenderingFailure.NONE:
        return Absent(WHY_NOT[rendering.failure], Verdict.UNKNOWN)
    return Visit(rendering)


@artifact
def make_rendered_document(visit: Visit, page: PageCapture) -> RenderedDocument:
    """Parse the markup of the document after its scripts ran."""
    html = visit.rendering.html
    return RenderedDocument(Document(html[: readable_chars(html)], page.response.final_url))
