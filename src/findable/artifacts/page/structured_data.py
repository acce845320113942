"""Structured data of the page: JSON-LD, Microdata and RDFa as one tree of items."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any

from msgspec import Struct, field

from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact
from findable.formats.json_ld import MAX_BLOCK_CHARS, BlockState, ParsedBlock, parse_block

JSON_LD_TYPE = "application/ld+json"
MAX_BLOCKS = 100
MAX_ITEMS = 3_000
MAX_DEPTH = 40
MAX_VALUES = MAX_ITEMS
"""Maximum number of values of one property."""
MAX_TEXT_CHARS = 5_000
MAX_SEARCHED = 500
"""Maximum number of elements or keys that are searched for a value."""
ADDRESS_STARTS = ("http:", "https:", "/", "#")
SCHEMA_PREFIXES = ("https://schema.org/", "http://schema.org/", "https://www.schema.org/", "http://www.schema.org/", "schema:")


class Syntax(StrEnum):
    """Syntax of structured data."""

    JSON_LD = "JSON-LD"
    MICRODATA = "Microdata"
    RDFA = "RDFa"


class Item(Struct, frozen=True, eq=False):
    """Item of structured data with its properties."""

    syntax: Syntax
    types: tuple[str, ...]
    """Type names without the schema.org prefix; those of other vocabularies are complete. Empty for a reference by id."""
    id: str
    """Identifier: ``@id``, ``itemid`` or ``resource``; empty if there is none."""
    properties: Mapping[str, tuple["Value", ...]]
    element: Element
    """Script element, or the element with itemscope or typeof."""
    is_schema_org: bool
    """Whether the vocabulary of the item is schema.org or missing."""

    def is_a(self, *types: str) -> bool:
        """Return whether the item has one of those types."""
        return any(name in types for name in self.types)

    @property
    def name(self) -> str:
        """Types of the item as a display text; ``item`` if it has none."""
        return ", ".join(self.types) or "item"


Value = str | Item


class SourcePosition(Struct, frozen=True):
    """Position of a value in the source."""

    element: Element
    text: str
    """Part of the source with the value; empty for the start of the element."""
    line: int | None
    column: int | None


class Block(Struct, frozen=True):
    """JSON-LD script of the page, with its items."""

    element: Element
    parsed: ParsedBlock
    line: int | None
    """Line of the fault, from 1; None if there is none."""
    column: int | None
    has_context: bool
    """Whether every top-level object declares a vocabulary."""
    items: tuple[Item, ...]
    """Top-level items, including those in @graph."""

    @property
    def readable(self) -> bool:
        """Whether the block could be parsed, strictly or leniently."""
        return self.parsed.state in (BlockState.VALID, BlockState.LENIENT)


class StructuredData(Struct, frozen=True):
    """All structured data: JSON-LD, then Microdata, then RDFa, each in document order."""

    blocks: tuple[Block, ...]
    blocks_left_count: int
    items: tuple[Item, ...]
    """Top-level items with a type."""
    by_id: Mapping[str, Item] = field(default_factory=dict)
    is_cut: bool = False
    """Whether parts were skipped because there were too many, or too large or deep blocks, items or values."""

    @property
    def schema_items(self) -> tuple[Item, ...]:
        """Top-level items of schema.org."""
        return tuple(item for item in self.items if item.is_schema_org)

    @property
    def has_broken_block(self) -> bool:
        """Whether a block is unreadable for every parser, so that its content is unknown."""
        return any(not block.readable and block.parsed.state is not BlockState.EMPTY for block in self.blocks)

    def resolve(self, item: Item) -> Item:
        """Return the item that a reference by id points to; the item itself if it is not a reference or has no target."""
        if item.id and not item.types:
            return self.by_id.get(item.id, item)
        return item

    def values(self, item: Item, name: str) -> tuple[Value, ...]:
        """Return an item's values of a property, with references resolved and without empty texts."""
        merged = self.by_id.get(item.id, item) if item.id else item
        found = item.properties.get(name) or merged.properties.get(name) or ()
        followed = (self.resolve(value) if isinstance(value, Item) else value.strip() for value in found)
        return tuple(value for value in followed if value != "")

    def text(self, item: Item, name: str) -> str:
        """Return the first text of an item's property; for an item its name or id; empty if there is none."""
        for value in self.values(item, name):
            if isinstance(value, str):
                return value
            inner = self.text(value, "name") if value is not item else ""
            if inner or value.id:
                return inner or value.id
        return ""

    def path(self, item: Item, path: str) -> tuple[Value, ...]:
        """Return an item's values at a dotted path such as ``offers.price``. A text instead of an item is its name, as for Google."""
        reached: Sequence[Value] = (item,)
        for name in path.split("."):
            reached = [value for one in reached for value in self._step(one, name)][:MAX_VALUES]
        return tuple(reached)

    def _step(self, value: Value, name: str) -> tuple[Value, ...]:
        if isinstance(value, Item):
            return self.values(value, name)
        return (value,) if name == "name" and not value.startswith(ADDRESS_STARTS) else ()

    def page_subjects(self) -> Iterator[Item]:
        """Yield the subjects of the page: top-level schema.org items, and the main entity of pages."""
        seen: set[int] = set()
        for top in self.schema_items:
            for item in (top, *(value for value in self.values(top, "mainEntity") if isinstance(value, Item))):
                if id(item) not in seen and item.types:
                    seen.add(id(item))
                    yield item

    def all_items(self) -> Iterator[Item]:
        """Yield every item with a type once, including nested ones."""
        stack: list[Item] = list(reversed(self.items))
        seen: set[int] = set()
        while stack:
            item = stack.pop()
            if id(item) in seen:
                continue
            seen.add(id(item))
            if item.types:
                yield item
            inner = [value for values in item.properties.values() for value in values if isinstance(value, Item)]
            stack.extend(reversed(inner))


def find_in_source(item: Item, name: str, value: str) -> SourcePosition:
    """Find a property of an item in the source: key and value in a script, or the element with the property. An empty value matches any."""
    if item.syntax is not Syntax.JSON_LD:
        attribute = "itemprop" if item.syntax is Syntax.MICRODATA else "property"
        for node in item.element.first_descendants(MAX_SEARCHED):
            if name in (plain(one) for one in (node.attr(attribute) or "").split()) and (not value or _has_value(node, value)):
                return SourcePosition(node, "", node.line, node.column)
        return SourcePosition(item.element, "", item.element.line, item.element.column)
    text = item.element.raw_text
    found = [(match.start(), match.end()) for match in islice(re.finditer(rf'"{re.escape(name)}"\s*:\s*', text), MAX_SEARCHED)]
    exact = [(start, end + len(form)) for start, end in found for form in (f'"{value}"', value) if form and text.startswith(form, end)]
    places = exact or found
    if len(places) != 1 and not exact:
        return SourcePosition(item.element, "", item.element.line, item.element.column)
    start, end = places[0]
    line, column = _position(item.element, text, start)
    return SourcePosition(item.element, text[start:end].rstrip(), line, column)


def microdata_value(item: Item, name: str, value: str) -> str:
    """Return a value as search engines read Microdata: on any element, a content attribute takes precedence over the text."""
    if item.syntax is not Syntax.MICRODATA:
        return value
    return (find_in_source(item, name, value).element.attr("content") or "").strip() or value


def _has_value(node: Element, value: str) -> bool:
    stated = (node.attr(name) for name in ("content", "datetime", "href", "src"))
    return any(one is not None and " ".join(one.split()) == value for one in stated) or node.text_up_to(len(value) + 1) == value


def plain(name: str) -> str:
    """Return a type or property without the schema.org prefix."""
    for prefix in SCHEMA_PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


@artifact
def make_structured_data(document: Document) -> StructuredData:
    """Read JSON-LD, Microdata and RDFa. An unreadable script becomes a block with a reason, never an error."""
    scripts = [element for element in document.all("script") if _is_json_ld(element)]
    reader = _Reader()
    blocks = tuple(reader.block(element) for element in scripts[:MAX_BLOCKS])
    items = [item for block in blocks for item in block.items if item.types]
    scopes = [element for element in document.holders("itemscope") if element.attr("itemprop") is None]
    items.extend(_markup_items(Syntax.MICRODATA, document.microdata, scopes, document.html, reader))
    typed = document.holders("typeof")
    items.extend(_markup_items(Syntax.RDFA, document.rdfa, typed, next(iter(typed), document.html), reader))
    left_count = max(0, len(scripts) - MAX_BLOCKS)
    return StructuredData(
        blocks,
        left_count,
        tuple(items),
        reader.by_id,
        is_cut=reader.is_cut or left_count > 0 or any(block.parsed.state is BlockState.TOO_LARGE for block in blocks),
    )


def _is_json_ld(element: Element) -> bool:
    return (element.attr("type") or "").partition(";")[0].strip().lower() == JSON_LD_TYPE


class _Reader:
    """Turns parsed values into items, at most MAX_ITEMS per page."""

    def __init__(self) -> None:
        self.left = MAX_ITEMS
        self.chars_left = MAX_BLOCK_CHARS
        self.is_cut = False
        self.by_id: dict[str, Item] = {}

    def block(self, element: Element) -> Block:
        text = element.raw_text
        parsed = parse_block(text, self.chars_left)
        self.chars_left -= 0 if parsed.state is BlockState.TOO_LARGE else len(text)
        line, column = _position(element, text, parsed.at)
        roots = list(_roots(parsed.value))
        schema_org = all(_is_schema_org(root.get("@context")) for root in roots)
        items = tuple(item for node in _nodes(roots) if (item := self.item(node, element, schema_org=schema_org)) is not None)
        has_context = all("@context" in root for root in roots)
        return Block(element, parsed, line, column, has_context, items)

    def item(self, node: Mapping[str, Any], element: Element, *, schema_org: bool, depth: int = 0) -> Item | None:
        if not self.has_room(depth):
            return None
        if "@context" in node and depth:
            schema_org = _is_schema_org(node["@context"])
        types = tuple(plain(name.strip()) for name in _values_of(node.get("@type"))[:10] if isinstance(name, str) and name.strip())
        properties = {
            plain(key)[:200]: values
            for key, raw in node.items()
            if not key.startswith("@") and (values := self._values(raw, element, schema_org=schema_org, depth=depth))
        }
        identifier = node.get("@id")
        item = Item(Syntax.JSON_LD, types, identifier if isinstance(identifier, str) else "", properties, element, schema_org)
        self.store(item)
        return item

    def _values(self, raw: Any, element: Element, *, schema_org: bool, depth: int) -> tuple[Value, ...]:
        found: list[Value] = []
        listed = _values_of(raw)
        self.is_cut = self.is_cut or len(listed) > MAX_VALUES
        for value in listed[:MAX_VALUES]:
            if isinstance(value, dict) and "@value" in value:
                value = value["@value"]  # noqa: PLW2901 - the value of a value object
            if isinstance(value, dict):
                inner = self.item(value, element, schema_org=schema_org, depth=depth + 1)
                if inner is not None:
                    found.append(inner)
            elif isinstance(value, bool):
                found.append("true" if value else "false")
            elif isinstance(value, str):
                found.append(value[:MAX_TEXT_CHARS].encode("utf-8", "replace").decode("utf-8"))
        return tuple(found)

    def has_room(self, depth: int) -> bool:
        """Return whether one more item may be read, and count it."""
        if self.left <= 0 or depth > MAX_DEPTH:
            self.is_cut = True
            return False
        self.left -= 1
        return True

    def store(self, item: Item) -> None:
        """Store an item by id, merged with earlier ones of that id (JSON-LD 1.1, node map generation)."""
        if not item.id or not (item.types or item.properties):
            return
        known = self.by_id.get(item.id)
        if known is None:
            self.by_id[item.id] = item
        elif known.properties.keys() != item.properties.keys() or known.types != item.types:
            types = tuple(dict.fromkeys((*known.types, *item.types)))
            self.by_id[item.id] = Item(
                item.syntax, types, item.id, {**item.properties, **known.properties}, known.element, known.is_schema_org
            )


def _values_of(raw: Any) -> list[Any]:
    """Return the values of a property: one, a list, or JSON-LD's ``@list`` and ``@set``; nested lists are flattened once."""
    if isinstance(raw, dict):
        for key in ("@list", "@set"):
            if key in raw:
                raw = raw[key]
                break
    if not isinstance(raw, list):
        return [] if raw is None else [raw]
    flat: list[Any] = []
    for value in raw[: MAX_VALUES + 1]:  # one more, to detect too many
        flat.extend(value if isinstance(value, list) else [value])
    return flat


def _roots(value: Any) -> Iterator[Mapping[str, Any]]:
    for root in _values_of(value) if isinstance(value, dict | list) else []:
        if isinstance(root, dict):
            yield root


def _nodes(roots: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield top-level nodes, including those of graphs and nested graphs."""
    stack = [(root, 0) for root in reversed(roots)]
    while stack:
        node, depth = stack.pop()
        graph = node.get("@graph")
        if graph is None or depth > MAX_DEPTH:
            yield node
            continue
        if "@type" in node:
            yield {key: value for key, value in node.items() if key != "@graph"}
        stack.extend((inner, depth + 1) for inner in reversed(_values_of(graph)) if isinstance(inner, dict))


def _is_schema_org(context: Any) -> bool:
    """Return whether a context is schema.org. A missing one is read as schema.org, as lenient parsers do; `jsonld-valid` reports it."""
    if context is None:
        return True
    for one in _values_of(context):
        text = one if isinstance(one, str) else str(one.get("@vocab", "")) if isinstance(one, dict) else ""
        if "schema.org" in text.lower():
            return True
    return False


def _position(element: Element, text: str, at: int | None) -> tuple[int | None, int | None]:
    """Return line and column of an offset in the text of a script element."""
    line, column = element.line, element.column
    if at is None or line is None or column is None:
        return None, None
    before = element.start_tag + text[:at]
    newlines = before.count("\n")
    return line + newlines, (column + len(before) if not newlines else len(before) - before.rfind("\n"))


def _markup_items(
    syntax: Syntax, parse: Callable[[], list[Any]], elements: Sequence[Element], otherwise: Element, reader: _Reader
) -> Iterator[Item]:
    """Yield the top-level items with a type that the parser finds.

    ``elements`` begin these items; if their numbers differ, all items belong to the element ``otherwise``.
    """
    try:
        found = parse() if elements else []
    except RecursionError:  # nested too deep, or itemref in a circle
        reader.is_cut = True
        return
    for index, raw in enumerate(found):
        element = elements[index] if len(elements) == len(found) else otherwise
        item = _markup_item(raw, syntax, element, reader, 0)
        if item is not None and item.types:
            yield item


def _markup_item(raw: Any, syntax: Syntax, element: Element, reader: _Reader, depth: int) -> Item | None:
    """Convert an item of the parser; Microdata and RDFa have different names for type and id."""
    if not reader.has_room(depth):
        return None
    properties: dict[str, tuple[Value, ...]] = {}
    for name, values in raw.properties.items():
        made: list[Value] = []
        for value in values[:MAX_VALUES]:
            if isinstance(value, str):
                made.append(" ".join(value[:MAX_TEXT_CHARS].split()))
            elif (inner := _markup_item(value, syntax, element, reader, depth + 1)) is not None:
                made.append(inner)
        properties[plain(name)] = tuple(made)
    named = (raw.type or "").split() if syntax is Syntax.MICRODATA else list(raw.type)
    identifier = (raw.id if syntax is Syntax.MICRODATA else raw.resource) or ""
    schema_org = any(name.startswith(SCHEMA_PREFIXES) for name in named)
    item = Item(syntax, tuple(plain(name) for name in named[:10]), identifier, properties, element, schema_org)
    reader.store(item)
    return item
