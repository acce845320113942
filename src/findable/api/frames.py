"""Rows as data frames and Arrow tables, by the libraries that the caller has installed."""

from collections.abc import Iterable
from html import escape
from importlib import import_module
from typing import Any

from findable.control_characters import encodable
from findable.crawl.exported_table import ExportedTable
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


def pandas_frame(table: ExportedTable) -> Any:
    """Return a pandas data frame with nullable types. Raises PackageMissing."""
    pandas = library("pandas")
    cells = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    named = zip(table.columns, map(encodable, cells), strict=True)
    return pandas.DataFrame({column.name: pandas.array(values, dtype=_PANDAS.get(column.type, "object")) for column, values in named})


def arrow_table(table: ExportedTable) -> Any:
    """Return a pyarrow table with the types of the columns. Raises PackageMissing."""
    library("pyarrow")
    from findable.export.parquet import arrow_batches

    return arrow_batches(table).read_all()


def html_table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table for a notebook. All texts are escaped."""
    lines = "".join(f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(f'<th>{_shown(name)}</th>' for name in head)}</tr></thead><tbody>{lines}</tbody></table>"


def html_line(text: str) -> str:
    """Return a paragraph for a notebook. The text is escaped."""
    return f"<p>{_shown(text)}</p>"


def _shown(value: object) -> str:
    return "" if value is None else escape(str(value))
