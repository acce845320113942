"""Rows as data frames and Arrow tables, by the libraries that the caller has installed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any

from msgspec import Struct

from findable.crawl.tables import TableColumn, columns_of
from findable.errors import FindableError

SHOWN_ROWS = 20
_PANDAS = {"integer": "Int64", "number": "Float64", "boolean": "boolean", "text": "string"}


class PackageMissing(FindableError):
    """Error for a conversion whose library is not installed; ``package`` is its name."""

    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed: pip install {package}")
        self.package = package


def library(name: str) -> Any:
    """Return a library that the caller may have installed. Raises PackageMissing."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise PackageMissing(name) from error


def frame_columns(row: type[Struct]) -> tuple[TableColumn, ...]:
    """Return the columns of a type of rows in frames: all but maps."""
    return tuple(column for column in columns_of(row) if column.type != "map")


def pandas_frame(columns: Sequence[TableColumn], rows: Iterable[Struct]) -> Any:
    """Return a pandas data frame with nullable types. Raises PackageMissing."""
    pandas = library("pandas")
    cells = _columns(columns, rows)
    return pandas.DataFrame({column.name: pandas.array(cells[column.name], dtype=_PANDAS.get(column.type, "object")) for column in columns})


def arrow_table(columns: Sequence[TableColumn], rows: Iterable[Struct]) -> Any:
    """Return a pyarrow table with the types of the columns. Raises PackageMissing."""
    pa = library("pyarrow")
    types: Mapping[str, Callable[[], Any]] = {"integer": pa.int64, "number": pa.float64, "boolean": pa.bool_, "text": pa.string}
    cells = _columns(columns, rows)
    made = {column.name: types[column.type]() if column.type in types else pa.list_(pa.string()) for column in columns}
    return pa.table({name: pa.array(cells[name], kind) for name, kind in made.items()})


def _columns(columns: Sequence[TableColumn], rows: Iterable[Struct]) -> dict[str, list[Any]]:
    """Return the values of each column; a missing text is None."""
    found: dict[str, list[Any]] = {column.name: [] for column in columns}
    for row in rows:
        for column in columns:
            found[column.name].append(_cell(getattr(row, column.name)))
    return found


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() or None  # half a surrogate pair cannot be encoded
    return list(value) if isinstance(value, tuple) else value


def html_table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table for a notebook. All texts are escaped."""
    lines = "".join(f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(f'<th>{_shown(name)}</th>' for name in head)}</tr></thead><tbody>{lines}</tbody></table>"


def html_line(text: str) -> str:
    """Return a paragraph for a notebook. The text is escaped."""
    return f"<p>{_shown(text)}</p>"


def _shown(value: object) -> str:
    return "" if value is None else escape(str(value))
