"""Index of a page's elements by position, built in one walk; later queries are lookups."""

from collections.abc import Mapping
from itertools import chain
from sys import getsizeof
from typing import Any

from msgspec import Struct

from findable.artifacts.html.parse_tree import NO_ORDERS, TreeWalk, doctype_of, tree_of
from findable.artifacts.html.start_tags import SourceLines
from findable.formats.parse_budget import readable_chars
from findable.values import once

MAX_SHOWN_BYTES = 7_000_000
"""Memory limit of the shown text: seven million ASCII characters, half as many with typographic quotes. A novel has three million."""
MAX_FAULTS = 1000
"""Maximum number of parse errors that are stored."""
ENDING_FAULTS = 20
"""Number of last parse errors that may be due to the end of the page."""
MAX_RAW_CHARS = 1_000_000
"""Maximum number of characters of scripts and styles to cache, because the parser creates a copy on each access."""
MAX_VALUES_CHARS = 100_000
"""Maximum number of characters to cache of an attribute's values, which excludes inline images."""
LABELLING_ATTRIBUTES = ("aria-labelledby", "aria-label")
"""Attributes that name an element regardless of its content."""
CONTEXT_ATTRIBUTES = ("role", "lang", "hidden", "inert", "aria-hidden", "style")
"""Attributes that change the context of descendants: their landmark, their language, whether they are hidden."""
RARE_ATTRIBUTES = frozenset(
    {
        *("role", "style", "for", "headers", "list", "form", "aria-describedby", "aria-controls", "aria-owns"),
        *LABELLING_ATTRIBUTES,
        *("itemscope", "typeof", "data-nosnippet", "routerlink", "ui-sref"),
        *("lang", "hidden", "inert", "aria-hidden", "itemprop"),
    }
)
"""Rare attributes by which elements of any tag are looked up."""
_WITH_RARE_ATTRIBUTE = ",".join(f"[{name}]" for name in sorted(RARE_ATTRIBUTES))


class SyntaxFault(Struct, frozen=True):
    """Parse error by its name in the HTML Standard, e.g. ``eof-in-comment``; 1-based line and column."""

    code: str
    line: int
    column: int


class PageTree(TreeWalk):
    """Elements of a page by position in document order, from 0, as parallel sequences, with their attributes and parse errors."""

    def __init__(self, text: str, url: str) -> None:
        self.source = text[: readable_chars(text)]
        """Decoded text with LF newlines, as far as it was parsed."""
        self.is_whole = len(self.source) == len(text)
        """Whether the whole text was parsed."""
        self.url = url
        """Final URL."""
        self.root = tree_of(self.source)
        """The parser's tree."""
        super().__init__(self.root)
        self.element_count = len(self.nodes)
        self.shows_too_much = getsizeof(self.shown) > MAX_SHOWN_BYTES
        """Whether the page shows more text than is analysed."""
        self._lines = SourceLines(self.source)
        self._attrs: dict[int, dict[str, str]] = {}
        self._values: dict[tuple[str, str], list[tuple[int, str | None]]] = {}
        self._raw_texts: dict[int, str] = {}
        self._raw_chars = 0

    @once
    def orders(self) -> dict[Any, int]:
        """Positions of the parser's elements."""
        return {node: order for order, node in enumerate(self.nodes)}

    def values(self, tag: str, attribute: str, limit: int | None = None) -> list[tuple[int, str | None]]:
        """Return position and attribute value of a tag's elements, at most ``limit``. Cheaper than elements if few of them matter."""
        found = self._values.get((tag, attribute))
        if found is None:
            nodes = self.nodes
            found = [(order, nodes[order].attr(attribute)) for order in self.by_tag.get(tag, NO_ORDERS)]
            if sum(len(value) for _, value in found if value) <= MAX_VALUES_CHARS:
                self._values[tag, attribute] = found
        return found[:limit]

    @once
    def _holders(self) -> Mapping[str, list[int]]:
        """Positions of the elements that have each of the RARE_ATTRIBUTES, collected in one pass."""
        orders = self.orders
        holders: dict[str, list[int]] = {}
        for node in self.root.select(_WITH_RARE_ATTRIBUTE):
            order = orders.get(node)
            if order is not None:
                for name in RARE_ATTRIBUTES.intersection(node.attrs):
                    holders.setdefault(name, []).append(order)
        return holders

    @once
    def with_context(self) -> frozenset[int]:
        """Positions of elements with one of the CONTEXT_ATTRIBUTES."""
        return frozenset(chain.from_iterable(self._holders.get(name, ()) for name in CONTEXT_ATTRIBUTES))

    @once
    def with_label(self) -> frozenset[int]:
        """Positions of elements with one of the LABELLING_ATTRIBUTES."""
        return frozenset(chain.from_iterable(self._holders.get(name, ()) for name in LABELLING_ATTRIBUTES))

    @once
    def with_style(self) -> frozenset[int]:
        """Positions of elements with a style attribute."""
        return frozenset(self._holders.get("style", ()))

    @once
    def styles(self) -> list[tuple[int, str]]:
        """Position and value of each style attribute, in order."""
        nodes = self.nodes
        return [(order, nodes[order].attr("style") or "") for order in self._holders.get("style", ())]

    def class_and_id_at(self, order: int) -> tuple[str | None, str | None]:
        """Return the class and the id of the element at that position; each is None if it is missing."""
        attr = self.nodes[order].attr
        return attr("class"), attr("id")

    def attrs_of(self, order: int) -> Mapping[str, str]:
        """Return the attributes of the element at that position. They are cached, because many checks read those of links and images."""
        attrs = self._attrs.get(order)
        if attrs is None:
            items = self.nodes[order].attrs.items()
            attrs = {name: (" ".join(value) if isinstance(value, list) else value or "") for name, value in items}
            self._attrs[order] = attrs
        return attrs

    def raw_text_of(self, order: int) -> str:
        """Return the unprocessed text content, cached up to MAX_RAW_CHARS per page: several checks read each script and style."""
        text = self._raw_texts.get(order)
        if text is None:
            text = str(self.nodes[order].text)
            if self._raw_chars + len(text) <= MAX_RAW_CHARS:
                self._raw_chars += len(text)
                self._raw_texts[order] = text
        return text

    def position_of(self, order: int) -> tuple[int | None, int | None]:
        """Return line (from 1) and column (from 0) of the element's start tag in `source`; None if it is not in the source."""
        node = self.nodes[order]
        return node.source_line, node.source_col

    def offset_of(self, order: int) -> int | None:
        """Return the offset of the element's start tag in `source`; None if it is not in the source."""
        line, column = self.position_of(order)
        if line is None or column is None:
            return None
        start = self._lines.start_of(line)
        return None if start is None else start + int(column)

    @once
    def tag_counts(self) -> Mapping[str, int]:
        """Number of elements by tag."""
        return {tag: len(orders) for tag, orders in self.by_tag.items()}

    def covers_all(self, *tags: str) -> bool:
        """Return whether this index knows all elements with these tags, including template contents."""
        if not self.cut:
            return True
        return len(self.root.select(",".join(tags))) == sum(len(self.by_tag.get(tag, NO_ORDERS)) for tag in tags)

    def count(self, selector: str) -> int:
        """Count elements that match a CSS selector, without template contents."""
        orders = self.orders
        return sum(node in orders for node in self.root.select(selector))

    @once
    def faults(self) -> tuple[SyntaxFault, ...]:
        """First MAX_FAULTS parse errors, in order."""
        return tuple(SyntaxFault(fault.code, fault.line, fault.col + 1) for fault in self.root.errors[:MAX_FAULTS])

    def faults_at_end(self, code: str) -> list[SyntaxFault]:
        """Return parse errors with the code among the last ones, which the end of the page inside a construct causes."""
        return [fault for fault in self.faults[-ENDING_FAULTS:] if fault.code == code]

    @once
    def doctype(self) -> tuple[str, str, str] | None:
        """Doctype as (name, public id, system id), None without a doctype."""
        return doctype_of(self.root)

    def rdfa(self) -> list[Any]:
        """Return RDFa items with a type as parser objects."""
        return [item for item in self.root.rdfa() if item.type]
