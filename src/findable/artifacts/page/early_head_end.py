"""Detect non-metadata elements that end the head early, and the metadata lost after them."""

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.page.head import Head, Meta, SentHead
from findable.artifacts.page.robots_directives import is_robots
from findable.artifacts.registry import artifact

HEAD_ENDS = ("</head", "</HEAD")
MAX_SEARCHED_CHARS = 2_000_000
_NAMES = frozenset({"description", "viewport"})
METADATA = frozenset({"meta", "link", "title", "base", "style", "script", "noscript", "template"})
"""Elements that a head may contain, so that only text before them can have ended it (HTML Standard, 13.2.6.4.4)."""
_PREFIXES = ("og:", "twitter:")


class EarlyHeadEnd(Struct, frozen=True):
    """Element that ends the head before the start tag of the body."""

    element: Element | None
    """First element of a body without a start tag; None if the page has the start tag."""
    lost_metadata: tuple[Element, ...]
    """Metadata after it in document order, which is therefore in the body."""
    is_in_head: bool
    """Whether the element is written before the end tag of the head."""
    is_after_text: bool = False
    """Whether text opened the body, and the element is only the first one after it."""

    def loses(self, element: Element) -> bool:
        """Return whether the element is lost metadata, also for an element of the document after scripts."""
        return element in self.lost_metadata or any(item.tag == element.tag and item.attrs == element.attrs for item in self.lost_metadata)


@artifact
def make_early_head_end(sent_document: SentDocument, metadata: SentHead) -> EarlyHeadEnd:
    """Detect an early end of the head: a body without a source position was opened by its first content."""
    document, head = sent_document.document, metadata.head
    body = document.body
    if body is None or body.line is not None:
        return EarlyHeadEnd(None, (), is_in_head=False)
    stray = next((child for child in body.children if child.line is not None), None)
    if stray is None:
        return EarlyHeadEnd(None, (), is_in_head=False)
    return EarlyHeadEnd(stray, tuple(_lost_metadata(head)), _is_inside_head(document, stray), is_after_text=stray.tag in METADATA)


def _lost_metadata(head: Head) -> list[Element]:
    titles = [title.element for title in head.titles if not title.in_head]
    metas = [meta.element for meta in head.metas if not meta.in_head and _is_read_in_head(meta)]
    links = [link.element for link in head.links if not link.in_head and (link.hreflang is not None or "canonical" in link.rel)]
    return sorted([*titles, *metas, *links], key=lambda node: node.order)


def _is_read_in_head(meta: Meta) -> bool:
    return meta.name in _NAMES or is_robots(meta.name) or any(name.startswith(_PREFIXES) for name in (*meta.property.split(), meta.name))


def _is_inside_head(document: Document, stray: Element) -> bool:
    start = document.offset_of(stray.order)
    if document.head.line is None or start is None:
        return False
    return any(document.source.find(end, start, start + MAX_SEARCHED_CHARS) >= 0 for end in HEAD_ENDS)
