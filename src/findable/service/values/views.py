"""Views of rows of the database, made in one way."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct, UnsetType

View = TypeVar("View", bound=Struct)

moment = partial(datetime.fromtimestamp, tz=UTC)
"""Returns the time of a column."""


def view_of(kind: type[View], row: Any, **own: Any) -> View:
    """Return a view of a row with the ``own`` members, and with those of the columns that have the same names.

    Columns are read as the type of the member: times from seconds since 1970, members of enumerations by their values, truth values from
    numbers, and a column ``…_json`` from JSON. A member that cannot be None keeps its default if the column is null.
    """
    members: dict[str, Any] = {}
    row_type: Any = type(row)
    for name, column, read, is_optional in _columns_of(kind, row_type, frozenset(own)):
        value = getattr(row, column)
        if value is not None:
            members[name] = value if read is None else read(value)
        elif is_optional:
            members[name] = None
    return kind(**members, **own)


@cache
def _columns_of(kind: type[Struct], row_type: type, own: frozenset[str]) -> tuple[tuple[str, str, Callable[[Any], Any] | None, bool], ...]:
    """Return member, column, function that reads the column (None to take its value), and whether the member can be None."""
    columns: tuple[str, ...] = row_type.__struct_fields__ if issubclass(row_type, Struct) else row_type._fields  # type: ignore[attr-defined]  # other rows are named tuples
    found: list[tuple[str, str, Callable[[Any], Any] | None, bool]] = []
    for field in msgspec.structs.fields(kind):
        types = tuple(_types_of(field.type))
        if field.name in own:
            continue
        if field.name in columns:
            found.append((field.name, field.name, _reader(types), NoneType in types))
        elif f"{field.name}_json" in columns:
            found.append((field.name, f"{field.name}_json", msgspec.json.Decoder(field.type).decode, NoneType in types))
    return tuple(found)


def _types_of(declared: Any) -> list[Any]:
    """Return the types of a union, without metadata."""
    if get_origin(declared) is Annotated:
        return _types_of(get_args(declared)[0])
    if get_origin(declared) in (Union, UnionType):
        return [one for part in get_args(declared) for one in _types_of(part)]
    return [declared]


def _reader(types: tuple[Any, ...]) -> Callable[[Any], Any] | None:
    kind = next((one for one in types if one not in (NoneType, UnsetType)), None)
    if kind is datetime:
        return moment
    if isinstance(kind, type) and issubclass(kind, Enum):
        members: Mapping[Any, Enum] = {member.value: member for member in kind}
        return members.__getitem__
    return bool if kind is bool else None
