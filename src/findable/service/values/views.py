"""Views of rows of the database, made in one way."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct, UnsetType

from findable.values import values_getter

View = TypeVar("View", bound=Struct)

moment = partial(datetime.fromtimestamp, tz=UTC)
"""Returns the time of a column."""


def view_of(kind: type[View], row: Any, **own: Any) -> View:
    """Return a view of a row with the ``own`` members, and with those of the columns that have the same names.

    Columns are read as the type of the member: times from seconds since 1970, members of enumerations by their values, truth values from
    numbers, and a column ``…_json`` from JSON. A member that cannot be None keeps its default if the column is null.
    """
    row_type: Any = type(row)
    columns, values_of = _columns_of(kind, row_type, tuple(own))
    for (name, read, is_optional), value in zip(columns, values_of(row), strict=True):
        if value is not None:
            own[name] = value if read is None else read(value)
        elif is_optional:
            own[name] = None
    return kind(**own)


_Column = tuple[str, Callable[[Any], Any] | None, bool]
"""Member, function that reads its column (None to take the value), and whether the member can be None."""


@cache
def _columns_of(kind: type[Struct], row_type: type, own: tuple[str, ...]) -> tuple[Sequence[_Column], Callable[[Any], Sequence[Any]]]:
    """Return the members that a row has, except the ``own`` ones, and a function that returns the values of their columns."""
    names: tuple[str, ...] = row_type.__struct_fields__ if issubclass(row_type, Struct) else row_type._fields  # type: ignore[attr-defined]  # other rows are named tuples
    members: list[_Column] = []
    columns: list[str] = []
    for field in msgspec.structs.fields(kind):
        types = tuple(_types_of(field.type))
        if field.name in own:
            continue
        if field.name in names:
            members.append((field.name, _reader(types), NoneType in types))
            columns.append(field.name)
        elif (column := f"{field.name}_json") in names:
            members.append((field.name, msgspec.json.Decoder(field.type).decode, NoneType in types))
            columns.append(column)
    return members, values_getter(columns)


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
