"""Read data files as typed values."""

from typing import TypeVar

from findable.values import read_data

Table = TypeVar("Table")


def read_table(name: str, kind: type[Table]) -> Table:
    """Return data/NAME.json as a value of the type. Raises msgspec.ValidationError if the file is invalid."""
    return read_data(__package__, name, kind)
