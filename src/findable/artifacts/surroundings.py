"""Where an element stands: in which landmark, in which language, and whether markup hides it.

Read upwards and remembered, so that a thousand links in one list cost one walk.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from findable.artifacts.document import Document, Element
from findable.artifacts.gather import artifact

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
MAX_STYLE_CHARS = 2000


class Region(StrEnum):
    """The nearest landmark around an element (WAI-ARIA 1.2, landmark roles)."""

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


_TELLING = frozenset({"role", "lang", "hidden", "inert", "aria-hidden", "style"})
"""Attributes that change the place of what is inside."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an element stands, itself included."""

    region: Region = Region.NONE
    hidden: bool = False
    """``hidden``, ``aria-hidden``, ``inert``, a closed dialog or an inline style hides it or something around it."""
    lang: str = ""
    """The nearest ``lang``, as written; empty where none is declared."""


class Surroundings:
    """The places of one page's elements, found when asked."""

    def __init__(self) -> None:
        self._known: dict[int, Place] = {}  # by place in the document

    def of(self, element: Element) -> Place:
        """The element's place."""
        known = self._known
        path: list[Element] = []
        node: Element | None = element
        while node is not None and node.order not in known:
            path.append(node)
            node = node.parent
        place = known[node.order] if node is not None else Place()
        for item in reversed(path):
            place = known[item.order] = _inside(item, place)
        return place


def _inside(element: Element, outer: Place) -> Place:
    if not element.has_any(_TELLING) and element.tag not in _BY_TAG and element.tag != "dialog":
        return outer
    attrs = element.attrs
    region = _BY_ROLE.get(attrs.get("role", "").strip().lower()) or _BY_TAG.get(element.tag) or outer.region
    hidden = outer.hidden or hides(element.tag, attrs)
    lang = attrs.get("lang", "").strip() or outer.lang
    if (region, hidden, lang) == (outer.region, outer.hidden, outer.lang):
        return outer
    return Place(region, hidden, lang)


def hides(tag: str, attrs: Mapping[str, str]) -> bool:
    """Whether these attributes hide an element from everybody or from assistive technology."""
    if "hidden" in attrs or "inert" in attrs or attrs.get("aria-hidden", "").strip().lower() == "true":
        return True
    if tag == "dialog" and "open" not in attrs:
        return True
    style = attrs.get("style")
    return style is not None and _HIDING.search(style[:MAX_STYLE_CHARS]) is not None


@artifact
def make_surroundings(document: Document) -> Surroundings:
    """Knows nothing until it is asked."""
    del document
    return Surroundings()
