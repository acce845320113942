"""Ids of the page: their elements, duplicates and references."""

from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact

MAX_IDS = 20_000
MAX_ID_CHARS = 1000
NAMING_ATTRIBUTES = ("for", "aria-labelledby")
"""References that give an element its accessible name: without the target, the element has none."""
REFERRING_ATTRIBUTES = (*NAMING_ATTRIBUTES, "aria-describedby", "aria-controls", "aria-owns", "headers", "list", "form")

_REFERRING_TAGS = {"for": ("label", "output"), "headers": ("td", "th")}
"""Tags whose attribute refers to an id, for attributes that have another meaning elsewhere."""


class Reference(Struct, frozen=True):
    """Reference to an id in an attribute."""

    element: Element
    attribute: str
    id: str


class Ids(Struct, frozen=True):
    """Ids of the page in document order, without template contents."""

    elements: Mapping[str, Element]
    """First element with each id: the target of references."""
    duplicates: Mapping[str, tuple[Element, ...]]
    """Elements by id, for ids that several elements have."""
    anchor_names: frozenset[str]
    """Names in ``<a name>``, which fragments can also point to (HTML Standard, 7.4.6.3)."""
    references: tuple[Reference, ...]
    count: int
    is_cut: bool
    """Whether there are more ids, names or references than were read, so that a missing one may exist."""

    def has_target(self, fragment: str) -> bool:
        """Return whether a fragment, with or without ``%`` escapes, matches an element of the page."""
        fragment = fragment.partition(":~:")[0]
        decoded = unquote(fragment)
        if not decoded or decoded.lower() == "top":
            return True
        return any(name in self.elements or name in self.anchor_names for name in (fragment, decoded))


@artifact
def make_ids(document: Document) -> Ids:
    """Collect elements with an id, and references to ids."""
    holders = document.select("[id]", MAX_IDS)
    count = len(holders) if len(holders) < MAX_IDS else document.count("[id]")
    by_id: dict[str, list[Element]] = {}
    for element in holders:
        value = element.attr("id") or ""
        if value and len(value) <= MAX_ID_CHARS:
            by_id.setdefault(value, []).append(element)
    names = document.values("a", "name", MAX_IDS + 1)
    referring = document.holders(*REFERRING_ATTRIBUTES, limit=MAX_IDS + 1)
    return Ids(
        elements={name: found[0] for name, found in by_id.items()},
        duplicates={name: tuple(found) for name, found in by_id.items() if len(found) > 1},
        anchor_names=frozenset(name for _, name in names if name),
        references=tuple(_references(referring[:MAX_IDS])),
        count=count,
        is_cut=max(count, len(names), len(referring)) > MAX_IDS,
    )


def _references(elements: Sequence[Element]) -> list[Reference]:
    found: list[Reference] = []
    for element in elements:
        for attribute in REFERRING_ATTRIBUTES:
            value = element.attr(attribute)
            if value and (attribute not in _REFERRING_TAGS or element.tag in _REFERRING_TAGS[attribute]):
                parts = value[:MAX_ID_CHARS].split() if attribute.startswith("aria-") or attribute == "headers" else [value[:MAX_ID_CHARS]]
                found.extend(Reference(element, attribute, part) for part in parts)
    return found
