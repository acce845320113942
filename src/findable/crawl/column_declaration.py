"""Titles, units, words and orders of lists of pages, declared at the fields that are columns or filters."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Meta, Struct, inspect, structs

_LISTED = "listed"


class Listed(Struct, frozen=True):
    """Column of lists of pages, or filter of them."""

    title: str = ""
    """Title in English; that of a filter is empty if it is the title of its column."""
    name: str = ""
    """Name in URLs of lists; empty if it is that of the field."""
    field: str = ""
    unit: str = ""
    """Kind of value of a column: ms, bytes, count (0 is not shown) or url."""
    words: Mapping[str, str] = {}
    """Words for the values."""
    example: str = ""
    """Example of a filter with a text field; empty for others."""
    can_sort: bool = False
    descends: bool = False
    """Whether the first click on the title sorts in descending order."""
    is_usual: bool = False
    """Whether lists show it unless columns are chosen."""
    is_of_end: bool = False
    """Whether it is known after the crawl only."""


def listed(title: str = "", **how: Any) -> Meta:
    """Return the declaration of a field as a `Listed`, for its annotation."""
    return Meta(extra={_LISTED: Listed(title, **how)})


@cache
def listed_in(model: type[Struct]) -> Mapping[str, Listed]:
    """Return the declarations of the fields of a type by their names in lists."""
    info = inspect.type_info(model)
    found: dict[str, Listed] = {}
    for field in info.fields if isinstance(info, inspect.StructType) else ():
        extra = field.type.extra if isinstance(field.type, inspect.Metadata) else None
        if extra and _LISTED in extra:
            one: Listed = extra[_LISTED]
            found[one.name or field.name] = structs.replace(one, name=one.name or field.name, field=field.name)
    return found
