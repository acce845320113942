"""Read data files as typed values."""

from importlib.resources import files
from typing import TypeVar

import msgspec

Table = TypeVar("Table")


def read_table(name: str, kind: type[Table]) -> Table:
    """Return data/NAME.json as a value of the type. Raises msgspec.ValidationError if the file is invalid."""
    return msgspec.json.decode(files(__package__).joinpath(f"data/{name}.json").read_bytes(), type=kind)
