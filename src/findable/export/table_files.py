"""Tables as files, row by row: CSV and workbooks that spreadsheets open without executing anything, NDJSON, Parquet."""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import msgspec

from findable.control_characters import encodable, escape_json
from findable.crawl.exported_table import ExportedTable
from findable.export.csv_cells import flat
from findable.export.csv_rows import csv_head, csv_line
from findable.export.streamed_file import Pieces


class TableFormat(StrEnum):
    """File format of tables."""

    label: str
    media_type: str
    package: str
    """Package that an optional extra of the same name installs; empty if none is needed."""

    def __new__(cls, value: str, label: str, media_type: str, package: str = "") -> Self:
        """Return a member with its name and media type."""
        member = str.__new__(cls, value)
        member._value_, member.label, member.media_type, member.package = value, label, media_type, package
        return member

    CSV = "csv", "CSV", "text/csv"
    NDJSON = "ndjson", "NDJSON", "application/x-ndjson"
    PARQUET = "parquet", "Parquet", "application/vnd.apache.parquet", "pyarrow"
    XLSX = "xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsxwriter"

    @property
    def is_available(self) -> bool:
        """Whether the package for this format is installed."""
        return not self.package or find_spec(self.package) is not None

    @property
    def how_to_install(self) -> str:
        """Sentence for a format whose package is missing."""
        return f"{self.value} is not installed: pip install '.[{self.value}]' in a clone of Findable"


def table_file(table: ExportedTable, format_: TableFormat) -> Iterator[bytes]:
    """Yield the pieces of a file with one table."""
    return all_in_one([table], format_) if format_ is TableFormat.XLSX else _WRITERS[format_](table)


def all_in_one(tables: Iterable[ExportedTable], format_: TableFormat) -> Iterator[bytes]:
    """Yield the pieces of one file with all tables: a workbook with a sheet for each, or a ZIP archive with a file for each."""
    return _lazy("findable.export.workbook:workbook_file")(tables) if format_ is TableFormat.XLSX else _archive(tables, format_)


def files_of(tables: Iterable[ExportedTable], format_: TableFormat) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name of the file of each table, and its pieces."""
    for table in tables:
        yield f"{table.name}.{format_.value}", table_file(table, format_)


def _archive(tables: Iterable[ExportedTable], format_: TableFormat) -> Iterator[bytes]:
    written = Pieces()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED if format_ is TableFormat.PARQUET else zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in files_of(tables, format_):
            with archive.open(name, "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield written.take()
    yield written.take()


def table_csv(table: ExportedTable) -> Iterator[bytes]:
    """Yield a table as CSV with a header; cells that a spreadsheet might execute get an apostrophe."""
    yield csv_head(column.name for column in table.columns)
    for row in table.rows:
        yield csv_line(map(_csv_cell, row))


def _csv_cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return flat(value) if isinstance(value, (tuple, list, datetime)) else value


def table_ndjson(table: ExportedTable) -> Iterator[bytes]:
    """Yield a table as JSON objects, one per line."""
    names = [column.name for column in table.columns]
    for row in table.rows:
        try:
            line = msgspec.json.encode(dict(zip(names, row, strict=True)))
        except UnicodeEncodeError:
            line = msgspec.json.encode(dict(zip(names, encodable(row), strict=True)))
        yield escape_json(line) + b"\n"


def _lazy(path: str) -> Callable[[Any], Iterator[bytes]]:
    """Return a function by its path; its module is imported when it is called, because its package is large."""

    def call(tables: Any) -> Iterator[bytes]:
        module, _, name = path.partition(":")
        pieces: Iterator[bytes] = getattr(import_module(module), name)(tables)
        return pieces

    return call


_WRITERS: Mapping[TableFormat, Callable[[ExportedTable], Iterator[bytes]]] = {
    TableFormat.CSV: table_csv,
    TableFormat.NDJSON: table_ndjson,
    TableFormat.PARQUET: _lazy("findable.export.parquet:parquet_file"),
}
