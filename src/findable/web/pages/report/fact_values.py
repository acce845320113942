"""Facts of any shape as values, pairs and lists, with translated names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import UNSET, Struct

from findable.reports.messages import format_value
from findable.web.pages.report.fact_names import fact_name, fact_word
from findable.wording import Translator

ROWS_SHOWN = 50
_VERBATIM = frozenset({"properties"})
"""Members whose content has names from the page."""


class Value(Struct, frozen=True):
    """Single value, shown isolated from the surrounding text."""

    kind: ClassVar[str] = "value"
    """Kind of shape, for templates."""
    text: str
    is_address: bool = False


class Pairs(Struct, frozen=True):
    """Pairs of name and value."""

    kind: ClassVar[str] = "pairs"
    items: tuple[tuple[str, "Shape"], ...]


class Rows(Struct, frozen=True):
    """Table of facts; a list of single values has one column without a name."""

    kind: ClassVar[str] = "rows"
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    omitted_count: int
    """Number of rows that are only in the JSON of the report."""


Shape = Value | Pairs | Rows


def shape_of(name: str, value: Any, say: Translator) -> Shape:
    """Return a non-empty fact as a single value, pairs or a table."""
    if isinstance(value, Struct | Mapping):
        named = ((key, item) for key, item in _members(value) if not is_empty(item))
        return Pairs(tuple((_name(name, key, say), shape_of(key, item, say)) for key, item in named))
    if isinstance(value, tuple):
        return _rows(name, value, say)
    return value_of(name, value, say)


def _members(value: Struct | Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, Mapping) else ((name, getattr(value, name)) for name in value.__struct_fields__)


def _name(parent: str, name: str, say: Translator) -> str:
    return name if parent in _VERBATIM else fact_name(name, say)


def _rows(name: str, items: Sequence[Any], say: Translator) -> Rows:
    omitted_count = max(0, len(items) - ROWS_SHOWN)
    if not isinstance(items[0], Struct):
        return Rows((), tuple((value_of(name, item, say),) for item in items[:ROWS_SHOWN]), omitted_count)
    columns = _columns(items)
    rows = (tuple(value_of(column, getattr(item, column), say) for column in columns) for item in items[:ROWS_SHOWN])
    return Rows(tuple(fact_name(column, say) for column in columns), tuple(rows), omitted_count)


def _columns(rows: Iterable[Struct]) -> list[str]:
    """Return the members that occur in at least one row, in the order of the first row."""
    found: dict[str, None] = {}
    for row in rows:
        found.update({name: None for name, value in _members(row) if not is_empty(value)})
    return list(found)


def value_of(name: str, value: Any, say: Translator) -> Value:
    """Return a fact as a single value for display."""
    text = cell(name, value, say)
    return Value(text, isinstance(value, str) and text.startswith(("http://", "https://")))


def cell(name: str, value: Any, say: Translator) -> str:
    """Return a fact as the text of a table cell."""
    if is_empty(value):
        return ""
    if isinstance(value, Struct | Mapping):
        return ", ".join(f"{_name(name, key, say)}: {cell(key, item, say)}" for key, item in _members(value) if not is_empty(item))
    if isinstance(value, tuple):
        return ", ".join(cell(name, item, say) for item in value if not is_empty(item))
    if isinstance(value, str):
        value = fact_word(name, value, say)
    return format_value("_bytes" if name == "bytes" else name, value, say)


def is_empty(value: Any) -> bool:
    """Return whether a fact is empty: null, an empty text, list or group, or a group of empty values."""
    if isinstance(value, Struct | Mapping):
        return all(is_empty(item) for _, item in _members(value))
    if isinstance(value, tuple):
        return all(is_empty(item) for item in value)
    return value is None or value is UNSET or value == ""
