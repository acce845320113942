"""Change every text in a captured value, whatever its type."""

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

Value = TypeVar("Value")


def change_texts(value: Value, change_text: Callable[[str], str], change_bytes: Callable[[bytes], bytes]) -> Value:
    """Return a copy of a nested immutable value with every text and every body changed; unchanged values are reused."""
    made: Any = value
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        made = change_text(value)
    elif isinstance(value, bytes):
        made = change_bytes(value)
    elif isinstance(value, tuple):
        items = tuple(change_texts(item, change_text, change_bytes) for item in value)
        made = value if all(new is old for new, old in zip(items, value, strict=True)) else items
    elif isinstance(value, Struct):
        members = {member.name: getattr(value, member.name) for member in fields(value)}
        changed = {name: new for name, old in members.items() if (new := change_texts(old, change_text, change_bytes)) is not old}
        made = replace(value, **changed) if changed else value
    return made  # type: ignore[no-any-return] # of the same type
