"""Metadata of the page after its scripts ran."""

from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.head import Head
from findable.artifacts.page.robots_directives import directives_of_head
from findable.artifacts.page.sent_page import SentPage
from findable.artifacts.registry import artifact


class RenderedPage(SentPage, frozen=True):
    """Page after its scripts ran, with the same artifacts as for the page as sent.

    ``directives`` are those of meta elements; scripts cannot change headers.
    """


@artifact
def make_rendered_page(rendered_document: RenderedDocument, head: Head, canonical: Canonical) -> RenderedPage:
    """Return the rendered page; its head and canonical are those of the checked document, which is the rendered one."""
    return RenderedPage(rendered_document.document, head, canonical, directives_of_head(head))
