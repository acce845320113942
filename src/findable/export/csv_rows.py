"""Rows of CSV files: separator, quotes, ends of lines and the row of column names."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from findable.export.csv_cells import safe


def csv_head(columns: Iterable[str]) -> bytes:
    """Return a byte order mark and the row of column names, with which a CSV file begins."""
    return "\ufeff".encode() + csv_line(columns)


def csv_line(cells: Iterable[Any]) -> bytes:
    """Return one CSV row, with all texts quoted; cells that a spreadsheet might execute get an apostrophe."""
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerow([safe(cell) for cell in cells])
    return file.getvalue().encode()
