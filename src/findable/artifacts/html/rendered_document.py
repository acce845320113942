"""The document in the browser after the page's scripts ran."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import SentDocument, too_large
from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.rendering import Readiness, Rendering, RenderingFailure
from findable.capture.status_classes import is_redirect
from findable.urls import parse, same_host
from findable.vocabulary import Verdict

DOCUMENT = "document"
"""Resource type of requests for pages and frames."""


class Visit(Struct, frozen=True):
    """Browser visit that did not fail."""

    rendering: Rendering


class BrowserDestination(Struct, frozen=True):
    """Another page that the browser loaded instead of this one."""

    url: str
    is_redirect: bool
    """Whether the server redirected the browser; otherwise a script of the page did."""


class RenderedDocument(Struct, frozen=True):
    """The document in the browser after the page's scripts ran."""

    document: Document


@artifact
def make_visit(rendering: Rendering) -> Visit | Absent:
    """Return the browser visit; unknown if it failed."""
    if rendering.failure is not RenderingFailure.NONE:
        return Absent(rendering.failure.words, Verdict.UNKNOWN)
    return Visit(rendering)


@artifact
def make_browser_destination(visit: Visit, page: PageCapture) -> BrowserDestination | Absent:
    """Return the other page; absent if the browser stayed on this one, even if a script changed the URL in the address bar."""
    here, there = page.response.final_url, visit.rendering.final_url
    documents = [request for request in visit.rendering.requests if request.kind == DOCUMENT]
    if _is_same_page(here, there) or not any(_is_same_page(request.url, there) for request in documents):
        return Absent("the browser stayed on the page")
    return BrowserDestination(
        there, is_redirect=any(is_redirect(request.status) and _is_same_page(request.url, here) for request in documents)
    )


def _is_same_page(one: str, other: str) -> bool:
    """Return whether two URLs differ at most in ``www.``, a trailing slash, parameters and fragment."""
    first, second = parse(one), parse(other)
    return first is not None and second is not None and same_host(one, other) and first.path.rstrip("/") == second.path.rstrip("/")


@artifact
def make_rendered_document(visit: Visit, sent_document: SentDocument, destination: BrowserDestination | None) -> RenderedDocument | Absent:
    """Parse the markup of the document after its scripts ran.

    Unknown if the page had not loaded, because missing parts may appear later, or if the browser loaded another page.
    """
    rendering = visit.rendering
    if destination is not None:
        return Absent("not measured: in a browser this page leads to {url}", Verdict.UNKNOWN, {"url": destination.url})
    if rendering.readiness is Readiness.LOADING:
        return Absent("not measured: the page was still loading when the time for it ended", Verdict.UNKNOWN)
    sent = sent_document.document
    document = Document(rendering.html, _url_of(rendering, sent), sent_document=sent, policies=sent.policies)
    return too_large(document) or RenderedDocument(document)


def _url_of(rendering: Rendering, sent_document: Document) -> str:
    """Return the URL that the browser resolves links with: a script may have changed its path."""
    return sent_document.url if _is_same_page(rendering.final_url, sent_document.url) else rendering.final_url
