"""Lines and cells of tables in text form, and what is wrong with them."""

import csv

from findable.wording import later

MAX_LINE_CHARS = 20_000
NO_TABLE = later("The table has no row.")
TOO_LONG = later("Line %(line)s is longer than %(most)s characters.")
TOO_MANY_ROWS = later("Line %(line)s: a table has at most %(most)s rows.")
NOT_CSV = later("Line %(line)s cannot be read as CSV.")
NOT_TEXT = later("The file is neither UTF-8 nor UTF-16 text.")


class TableError(ValueError):
    """Error for a table that cannot be read; the text names the line."""


def decode_table(data: bytes) -> str:
    """Return the text of a table file in UTF-8 or UTF-16. Raises TableError."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise TableError(NOT_TEXT) from None


def cells_of(line: str, delimiter: str) -> list[str] | None:
    """Return the cells of a line; None if it is not CSV."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True))]
    except csv.Error:
        return None
