"""Columns of accounts and projects from the fields that were sent."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from findable.errors import collected_in

SentField = tuple[str, Any, Callable[[Any], Any]]
"""Column, value or UNSET, and the function that returns the stored form or raises ValidationFailed."""
OptionsT = TypeVar("OptionsT", bound=Struct)


def sent_columns(fields: Iterable[SentField], errors: dict[str, list[str]]) -> dict[str, Any]:
    """Return the columns of the fields that were sent, and collect the errors of the others.

    Args:
        fields: fields of a request.
        errors: errors by field, to which those of all fields are added.
    """
    columns: dict[str, Any] = {}
    for column, value, stored in fields:
        if value is not UNSET:
            with collected_in(errors):
                columns[column] = stored(value)
    return columns


def changed_options(before: OptionsT, changes: Struct) -> OptionsT:
    """Return options with the changes that were sent; null sets the default."""
    defaults = type(before)()
    sent = {name: value for name, value in asdict(changes).items() if value is not UNSET}
    return replace(before, **{name: getattr(defaults, name) if value is None else value for name, value in sent.items()})


def options_json(options: Struct) -> str | None:
    """Return options in stored form; None for the defaults."""
    return None if options == type(options)() else msgspec.json.encode(options).decode()
