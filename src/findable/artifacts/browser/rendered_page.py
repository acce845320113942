"""The metadata of the page after its scripts ran."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.page.canonical import Canonical, canonical_of_head
from findable.artifacts.page.head import Head, head_of
from findable.artifacts.page.robots_directives import RobotsDirectives, directives_of_head
from findable.artifacts.registry import artifact


class RenderedPage(Struct, frozen=True):
    """Page after its scripts ran, read with the same artifacts as the page that was sent."""

    document: Document
    head: Head
    canonical: Canonical
    directives: RobotsDirectives
    """Robots rules of meta elements and headers; scripts cannot change headers."""


@artifact
def make_rendered_page(rendered: RenderedDocument) -> RenderedPage:
    """Read the metadata of the rendered page."""
    head = head_of(rendered.document)
    return RenderedPage(rendered.document, head, canonical_of_head(head, rendered.document.url), directives_of_head(head))
