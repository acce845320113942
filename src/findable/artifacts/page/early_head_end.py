"""Whether something that is no metadata ends the head early, and what is lost behind it."""

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.registry import artifact

HEAD_ENDS = ("</head", "</HEAD")
MAX_SEARCHED_CHARS = 2_000_000


class StrayHead(Struct, frozen=True):
    """What ends the head, where no start tag of the body does."""

    element: Element | None
    """The first element of a body that no tag opened; None where the page opens its body itself."""
    lost: tuple[Element, ...]
    """Titles, canonical links and language versions behind it, in the body."""
    inside: bool
    """It stands before the end tag of the head, as written."""


@artifact
def make_stray_head(document: Document, head: Head) -> StrayHead:
    """A body without source position was opened by what stands in it first."""
    body = document.body
    if body is None or body.line is not None:
        return StrayHead(None, (), inside=False)
    stray = next((child for child in body.children if child.line is not None), None)
    if stray is None:
        return StrayHead(None, (), inside=False)
    return StrayHead(stray, tuple(_lost(head)), _inside(document, stray))


def _lost(head: Head) -> list[Element]:
    links = [link.element for link in head.links if not link.in_head and (link.hreflang is not None or "canonical" in link.rel)]
    return [title.element for title in head.titles if not title.in_head] + links


def _inside(document: Document, stray: Element) -> bool:
    start = document.offset(stray)
    if document.head.line is None or start is None:
        return False
    return any(document.source.find(end, start, start + MAX_SEARCHED_CHARS) >= 0 for end in HEAD_ENDS)
