"""Read the items of Microdata and RDFa, each with its element.

Microdata: HTML Standard, section 5.2, with one addition: a content attribute counts on any element (W3C Microdata, 2018, "values"; search
engines read it so). RDFa is read by the parser; its items are joined with their elements here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.ids import Ids
from findable.artifacts.page.structured_items import MAX_TEXT_CHARS, MAX_VALUES, SCHEMA_PREFIXES, Item, ItemStore, Syntax, Value, plain

MAX_TYPES = 10
MAX_NAMES = 10
MAX_PROPERTIES = 20_000
"""Maximum number of elements with itemprop that are read."""
_URLS = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}
"""Attributes that hold the value of an element."""


def microdata_items(document: Document, ids: Ids, store: ItemStore) -> Iterator[Item]:
    """Yield the top-level items with a type, in document order."""
    scopes = document.holders("itemscope")
    reader = _MicrodataReader(_properties(document, ids, scopes, store) if scopes else {}, store)
    for scope in scopes:
        if scope.attr("itemprop") is None:
            item = reader.item(scope, 0)
            if item is not None and item.types:
                yield item


def _properties(document: Document, ids: Ids, scopes: Sequence[Element], store: ItemStore) -> Mapping[int, list[Element]]:
    """Return the elements with itemprop that belong to each item, by the position of its element, in document order."""
    items = {scope.order for scope in scopes}
    referring: dict[int, list[int]] = {}
    for scope in scopes:
        for name in (scope.attr("itemref") or "").split()[:MAX_NAMES]:
            if (target := ids.elements.get(name)) is not None:
                referring.setdefault(target.order, []).append(scope.order)
    owners: dict[int, Sequence[int]] = {-1: ()}
    """Items that the properties inside an element belong to, by its position."""

    def owners_inside(order: int) -> Sequence[int]:
        path = []
        while order not in owners:
            path.append(order)
            order = -1 if order in items else document.parents[order]
        known = owners[order]
        for at in reversed(path):
            known = (at,) if at in items else known
            if at in referring and at not in items:
                known = tuple(dict.fromkeys((*known, *referring[at])))
            owners[at] = known
        return known

    found: dict[int, list[Element]] = {}
    count = 0
    for element in document.holders("itemprop", limit=MAX_PROPERTIES):
        outer = owners_inside(document.parents[element.order])
        for owner in dict.fromkeys((*outer, *referring.get(element.order, ()))):
            count += 1
            if count > MAX_PROPERTIES:
                store.is_cut = True
                return found
            if owner != element.order:
                found.setdefault(owner, []).append(element)
    return found


class _MicrodataReader:
    """Makes items of elements with itemscope, each once: itemref may give one item to several others, or to itself."""

    def __init__(self, properties: Mapping[int, Sequence[Element]], store: ItemStore) -> None:
        self._properties = properties
        self._store = store
        self._made: dict[int, Item | None] = {}

    def item(self, scope: Element, depth: int) -> Item | None:
        """Return the item of an element; None beyond the limits, or inside itself."""
        if scope.order in self._made:
            return self._made[scope.order]
        self._made[scope.order] = None
        if not self._store.has_room(depth):
            return None
        values: dict[str, list[Value]] = {}
        holders: dict[str, list[Element]] = {}
        for element in self._properties.get(scope.order, ()):
            value = self.item(element, depth + 1) if element.attr("itemscope") is not None else _microdata_value(element)
            if value is None:
                continue
            for name in (element.attr("itemprop") or "").split()[:MAX_NAMES]:
                values.setdefault(plain(name), []).append(value)
                holders.setdefault(plain(name), []).append(element)
        named = (scope.attr("itemtype") or "").split()[:MAX_TYPES]
        item = Item(
            Syntax.MICRODATA,
            tuple(plain(name) for name in named),
            (scope.attr("itemid") or "").strip(),
            {name: tuple(listed[:MAX_VALUES]) for name, listed in values.items()},
            scope,
            any(name.startswith(SCHEMA_PREFIXES) for name in named),
            holders,
        )
        self._made[scope.order] = item
        self._store.add(item)
        return item


def _microdata_value(element: Element) -> str:
    content = element.attr("content")
    if content is None and element.tag != "meta":
        attribute = _URLS.get(element.tag)
        content = element.attr(attribute) if attribute else None
        if content is None and (attribute is None or element.tag == "time"):
            content = element.text_up_to(MAX_TEXT_CHARS) or element.raw_text
    return " ".join((content or "")[: 2 * MAX_TEXT_CHARS].split())[:MAX_TEXT_CHARS]


def rdfa_items(document: Document, store: ItemStore) -> Iterator[Item]:
    """Yield the top-level items with a type that the parser finds, each with the element that begins it."""
    typed = document.holders("typeof")
    if not typed:
        return
    try:
        found = document.rdfa()
    except RecursionError:  # nested too deep
        store.is_cut = True
        return
    elements = _TypedElements(typed)
    for raw in found:
        item = _rdfa_item(raw, elements, typed[0], store, 0)
        if item is not None and item.types:
            yield item


class _TypedElements:
    """Elements with typeof, taken in document order as their items are found."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self._elements = elements
        self._next = 0

    def take(self, types: Sequence[str]) -> Element | None:
        """Return the next element with as many types of these local names; None if no further one matches."""
        wanted = [_local(name) for name in types]
        for place in range(self._next, len(self._elements)):
            if [_local(name) for name in (self._elements[place].attr("typeof") or "").split()] == wanted:
                self._next = place + 1
                return self._elements[place]
        return None


def _local(name: str) -> str:
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def _rdfa_item(raw: Any, elements: _TypedElements, outer: Element, store: ItemStore, depth: int) -> Item | None:
    if not store.has_room(depth):
        return None
    named = list(raw.type)[:MAX_TYPES]
    element = (elements.take(raw.type) if named else None) or outer
    properties: dict[str, tuple[Value, ...]] = {}
    for name, values in raw.properties.items():
        made: list[Value] = []
        for value in values[:MAX_VALUES]:
            if isinstance(value, str):
                made.append(" ".join(value[:MAX_TEXT_CHARS].split()))
            elif (inner := _rdfa_item(value, elements, element, store, depth + 1)) is not None:
                made.append(inner)
        properties[plain(name)] = tuple(made)
    is_schema_org = any(name.startswith(SCHEMA_PREFIXES) for name in named)
    item = Item(Syntax.RDFA, tuple(plain(name) for name in named), raw.resource or "", properties, element, is_schema_org)
    store.add(item)
    return item
