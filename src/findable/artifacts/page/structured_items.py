"""Items of structured data in any syntax, and the limits of reading them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from findable.artifacts.html.document import Element

MAX_ITEMS = 3_000
MAX_DEPTH = 40
MAX_VALUES = MAX_ITEMS
"""Maximum number of values of one property."""
MAX_TEXT_CHARS = 5_000
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
    """Script element, or the element of this item with itemscope or typeof."""
    is_schema_org: bool
    """Whether the vocabulary of the item is schema.org or missing."""
    holders: Mapping[str, Sequence[Element]] = field(default_factory=dict)
    """Elements of Microdata that hold the values of each property, in the order of the values."""

    def is_a(self, *types: str) -> bool:
        """Return whether the item has one of those types."""
        return any(name in types for name in self.types)

    @property
    def name(self) -> str:
        """Types of the item as a display text; ``item`` if it has none."""
        return ", ".join(self.types) or "item"


Value = str | Item


def plain(name: str) -> str:
    """Return a type or property without the schema.org prefix."""
    for prefix in SCHEMA_PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


class ItemStore:
    """Counter of the items of a page, at most MAX_ITEMS, and those with an id."""

    def __init__(self) -> None:
        self._left_count = MAX_ITEMS
        self.is_cut = False
        """Whether items or values were left out."""
        self.by_id: dict[str, Item] = {}

    def has_room(self, depth: int) -> bool:
        """Return whether one more item may be read, and count it."""
        if self._left_count <= 0 or depth > MAX_DEPTH:
            self.is_cut = True
            return False
        self._left_count -= 1
        return True

    def add(self, item: Item) -> None:
        """Store an item by id, merged with earlier ones of that id (JSON-LD 1.1, node map generation)."""
        if not item.id or not (item.types or item.properties):
            return
        known = self.by_id.get(item.id)
        if known is None:
            self.by_id[item.id] = item
        elif known.properties.keys() != item.properties.keys() or known.types != item.types:
            types = tuple(dict.fromkeys((*known.types, *item.types)))
            properties, holders = {**item.properties, **known.properties}, {**item.holders, **known.holders}
            self.by_id[item.id] = Item(item.syntax, types, item.id, properties, known.element, known.is_schema_org, holders)
