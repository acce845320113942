"""Tables as a workbook with a sheet for each, by XlsxWriter from the extra `xlsx`. Imported only to write one.

Texts are written as texts, so that no formula, link or number is guessed.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from findable.crawl.exported_table import ExportedTable
from findable.export.csv_cells import flat, without_controls

SHEET_ROWS = 1_048_575
"""Rows of a sheet below its header; further rows are on another sheet."""
NARROWEST, WIDEST = 8, 60
MEASURED_ROWS = 200
"""Rows whose texts decide about the widths of columns."""
PIECE_BYTES = 1 << 18
ROWS_AT_ONCE = 1000


def workbook_file(tables: Iterable[ExportedTable]) -> Iterator[bytes]:
    """Yield the pieces of a workbook. It is written to a temporary file, as its format requires; meanwhile the pieces are empty."""
    with TemporaryDirectory(prefix="findable-") as folder:
        path = Path(folder) / "tables.xlsx"
        with Workbook(path, {"constant_memory": True, "tmpdir": folder}) as book:
            book.use_zip64()
            formats = book.add_format({"bold": True, "bottom": 1}), book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
            for table in tables:
                rows = iter(table.rows)
                for part in count(1):
                    sheet = book.add_worksheet(f"{table.name} {part}" if part > 1 else table.name)
                    yield from _fill(sheet, table, islice(rows, SHEET_ROWS), formats)
                    following = next(rows, None)
                    if following is None:
                        break
                    rows = chain([following], rows)
        with path.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                yield piece


def _fill(sheet: Worksheet, table: ExportedTable, rows: Iterable[tuple[Any, ...]], formats: tuple[Any, Any]) -> Iterator[bytes]:
    """Write a sheet, with an empty piece after ROWS_AT_ONCE rows."""
    head, time = formats
    widths = [len(column.name) + 3 for column in table.columns]  # with the button of the filter
    sheet.freeze_panes(1, 0)
    for at, column in enumerate(table.columns):
        sheet.write_string(0, at, cell_text(column.name), head)
    number = 0
    for number, row in enumerate(rows, 1):
        for at, value in enumerate(row):
            if value is None or value == ():
                continue
            if isinstance(value, bool):
                sheet.write_boolean(number, at, value)
            elif isinstance(value, (int, float)):
                sheet.write_number(number, at, value)
            elif isinstance(value, datetime):
                sheet.write_datetime(number, at, value.replace(tzinfo=None), time)
            else:
                sheet.write_string(number, at, cell_text(value if isinstance(value, str) else flat(value)))
            if number <= MEASURED_ROWS:
                widths[at] = max(widths[at], len(flat(value) if isinstance(value, (tuple, list, datetime)) else str(value)) + 1)
        if number % ROWS_AT_ONCE == 0:
            yield b""
    for at, width in enumerate(widths):
        sheet.set_column(at, at, min(max(width, NARROWEST), WIDEST))
    sheet.autofilter(0, 0, number, len(table.columns) - 1)


def cell_text(text: str) -> str:
    """Return a text as a cell: what the library would take for the markup of a formatted text gets a space."""
    text = without_controls(text)
    return f"{text} " if text.startswith("<r>") else text
