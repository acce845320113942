"""Landmark and language of an element, and whether markup hides it.

Contexts of ancestors are cached, so that a thousand links in one list cost a single walk.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.inherited import Inherited
from findable.artifacts.registry import artifact
from findable.formats.css_hiding import hides as style_hides


class Region(StrEnum):
    """Nearest landmark around an element (WAI-ARIA 1.2, landmark roles)."""

    NAV = "nav"
    HEADER = "header"
    FOOTER = "footer"
    MAIN = "main"
    ASIDE = "aside"
    NONE = ""


_BY_TAG = {region.value: region for region in Region if region}
_BY_ROLE = {
    "navigation": Region.NAV,
    "banner": Region.HEADER,
    "contentinfo": Region.FOOTER,
    "main": Region.MAIN,
    "complementary": Region.ASIDE,
}


class ElementContext(Struct, frozen=True):
    """Landmark, visibility and language of an element, from its attributes and those of its ancestors."""

    region: Region = Region.NONE
    hidden: bool = False
    """Whether ``hidden``, ``aria-hidden``, ``inert``, a closed dialog or an inline style hides the element or an ancestor."""
    lang: str = ""
    """Nearest ``lang``, as written; empty if none is declared."""


class Surroundings:
    """Landmark, visibility and language of the elements of a page, computed on demand."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._contexts = Inherited(document, ElementContext(), lambda order, outer: _inner_context(document, order, outer))

    def context_of(self, element: Element) -> ElementContext:
        """Return landmark, visibility and language of the element."""
        return self._contexts.value_of(element.order)


def _inner_context(document: Document, order: int, outer: ElementContext) -> ElementContext:
    tag = document.tags[order]
    if tag not in _BY_TAG and tag != "dialog" and order not in document.with_context:
        return outer
    attrs = document.attrs_of(order)
    region = _BY_ROLE.get(attrs.get("role", "").strip().lower()) or _BY_TAG.get(tag) or outer.region
    hidden = outer.hidden or hides(tag, attrs)
    lang = attrs.get("lang", "").strip() or outer.lang
    if (region, hidden, lang) == (outer.region, outer.hidden, outer.lang):
        return outer
    return ElementContext(region, hidden, lang)


def hides(tag: str, attrs: Mapping[str, str]) -> bool:
    """Return whether these attributes hide an element from everyone or from assistive technology."""
    if "hidden" in attrs or "inert" in attrs or attrs.get("aria-hidden", "").strip().lower() == "true":
        return True
    if tag == "dialog" and "open" not in attrs:
        return True
    style = attrs.get("style")
    return style is not None and style_hides(style)


@artifact
def make_surroundings(document: Document) -> Surroundings:
    """Return the contexts of the page's elements, which are computed on demand."""
    return Surroundings(document)
