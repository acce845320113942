"""Structured data of the page: JSON-LD, Microdata and RDFa as one tree of items."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct, field

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.ids import Ids
from findable.artifacts.page.json_ld_items import json_ld_items
from findable.artifacts.page.markup_items import microdata_items, rdfa_items
from findable.artifacts.page.structured_items import MAX_VALUES, Item, ItemStore, Syntax, Value, plain
from findable.artifacts.registry import artifact
from findable.formats.json_ld import MAX_BLOCK_CHARS, BlockState, ParsedBlock, parse_block

JSON_LD_TYPE = "application/ld+json"
MAX_BLOCKS = 100
MAX_SEARCHED = 500
"""Maximum number of elements or keys that are searched for a value."""
ADDRESS_STARTS = ("http:", "https:", "/", "#")


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
    """Whether every top-level item has a context: its own, or one around it."""
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


def find_in_source(item: Item, name: str, value: str, skipped_count: int = 0) -> SourcePosition:
    """Find a property of an item in the source: key and value in a script, or the element with the property. An empty value matches any.

    ``skipped_count``: equal keys with equal values before it in the script, such as those of other offers.
    """
    if item.syntax is not Syntax.JSON_LD:
        node = next(_holders(item, name, value), item.element)
        return SourcePosition(node, "", node.line, node.column)
    text = item.element.raw_text
    pattern = rf'"(?:[^"\s]{{0,100}}[:/])?{re.escape(name)}"\s*:\s*'
    found = [(match.start(), match.end()) for match in islice(re.finditer(pattern, text), MAX_SEARCHED)]
    exact = [(start, end + len(form)) for start, end in found for form in (f'"{value}"', value) if form and text.startswith(form, end)]
    places = exact or found
    if len(places) != 1 and not exact:
        return SourcePosition(item.element, "", item.element.line, item.element.column)
    start, end = places[min(skipped_count, len(places) - 1)]
    line, column = _position(item.element, text, start)
    return SourcePosition(item.element, text[start:end].rstrip(), line, column)


def _holders(item: Item, name: str, value: str) -> Iterator[Element]:
    """Yield the elements that hold a property with this value."""
    if item.syntax is Syntax.MICRODATA:
        pairs = zip(item.holders.get(name, ()), item.properties.get(name, ()), strict=False)
        yield from (element for element, held in pairs if not value or held == value)
        return
    for node in item.element.first_descendants(MAX_SEARCHED):
        if name in (plain(one) for one in (node.attr("property") or "").split()) and (not value or _has_value(node, value)):
            yield node


def _has_value(node: Element, value: str) -> bool:
    stated = (node.attr(name) for name in ("content", "datetime", "href", "src"))
    return any(one is not None and " ".join(one.split()) == value for one in stated) or node.text_up_to(len(value) + 1) == value


@artifact
def make_structured_data(document: Document, ids: Ids) -> StructuredData:
    """Read JSON-LD, Microdata and RDFa. An unreadable script becomes a block with a reason, never an error."""
    scripts = [element for element in document.all("script") if _is_json_ld(element)]
    store = ItemStore()
    blocks: list[Block] = []
    chars_left = MAX_BLOCK_CHARS
    for element in scripts[:MAX_BLOCKS]:
        block = _block(element, store, chars_left)
        blocks.append(block)
        chars_left -= 0 if block.parsed.state is BlockState.TOO_LARGE else len(element.raw_text)
    items = [item for block in blocks for item in block.items if item.types]
    items += [*microdata_items(document, ids, store), *rdfa_items(document, store)]
    left_count = max(0, len(scripts) - MAX_BLOCKS)
    return StructuredData(
        tuple(blocks),
        left_count,
        tuple(items),
        store.by_id,
        is_cut=store.is_cut or left_count > 0 or any(block.parsed.state is BlockState.TOO_LARGE for block in blocks),
    )


def _block(element: Element, store: ItemStore, max_chars: int) -> Block:
    text = element.raw_text
    parsed = parse_block(text, max_chars)
    line, column = _position(element, text, parsed.at)
    items, has_context = json_ld_items(parsed.value, element, store)
    return Block(element, parsed, line, column, has_context, items)


def _is_json_ld(element: Element) -> bool:
    return (element.attr("type") or "").partition(";")[0].strip().lower() == JSON_LD_TYPE


def _position(element: Element, text: str, at: int | None) -> tuple[int | None, int | None]:
    """Return line and column of an offset in the text of a script element."""
    line, column = element.line, element.column
    if at is None or line is None or column is None:
        return None, None
    before = element.start_tag + text[:at]
    newlines = before.count("\n")
    return line + newlines, (column + len(before) if not newlines else len(before) - before.rfind("\n"))
