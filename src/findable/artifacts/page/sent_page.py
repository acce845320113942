"""Metadata of the page as the server sent it."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import Markup, SentDocument
from findable.artifacts.page.canonical import Canonical, make_canonical
from findable.artifacts.page.head import Head, SentHead
from findable.artifacts.page.robots_directives import RobotsDirectives, directives_of
from findable.artifacts.registry import artifact
from findable.capture.response import Response


class SentPage(Struct, frozen=True):
    """The page before its scripts ran, for comparison with other responses and with the rendered page."""

    document: Document
    head: Head
    canonical: Canonical
    directives: RobotsDirectives


@artifact
def make_sent_page(response: Response, sent_document: SentDocument, head: SentHead, markup: Markup, checked: Canonical) -> SentPage:
    """Read the metadata of the page as sent; if it is the checked one, reuse its canonical."""
    metadata, document = head.head, sent_document.document
    is_sent = all(item.element is None or item.element.document is document for item in checked.declared)
    canonical = checked if is_sent else make_canonical(response, metadata)
    return SentPage(document, metadata, canonical, directives_of(response, metadata, markup))
