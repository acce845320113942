"""Rows of an answer to a question as a file: CSV that spreadsheets open without executing anything, or NDJSON."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from findable.control_characters import escape_json
from findable.export.csv import csv_head, csv_line

RowFormat = Literal["csv", "ndjson"]
MEDIA_TYPES = {"csv": "text/csv", "ndjson": "application/x-ndjson"}


def row_file(columns: Sequence[str], rows: Iterable[Sequence[str | int | float | None]], format_: RowFormat) -> Iterator[bytes]:
    """Yield the chunks of a file with rows; missing values are empty cells of CSV, and null in NDJSON."""
    if format_ == "csv":
        yield csv_head(columns)
        yield from (csv_line("" if cell is None else cell for cell in row) for row in rows)
    else:
        yield from (escape_json(msgspec.json.encode(dict(zip(columns, row, strict=True)))) + b"\n" for row in rows)
