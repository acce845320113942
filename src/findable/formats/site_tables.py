"""Tables of sites with their settings, one site per line: CSV with a comma, semicolon or tab."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.formats.table_text import MAX_LINE_CHARS, NO_TABLE, NOT_CSV, TOO_LONG, TOO_MANY_ROWS, TableError, cells_of
from findable.wording import Message, later

MAX_SITES = 2000
"""Maximum number of rows."""
MAX_SHOWN_CHARS = 80
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "url": ("site", "domain", "host", "website"),
    "name": ("display_name", "display name"),
    "client": ("kunde", "customer"),
    "tags": ("tag", "schlagwörter"),
    "language": ("sprache",),
    "owner": ("verantwortlich", "zuständig"),
    "recipients": ("empfänger", "recipient"),
    "brand": ("marke",),
    "interval": ("intervall",),
}
"""Other titles by the name of the column, in lower case."""
_NAMES = {title: name for name, titles in COLUMNS.items() for title in (name, *titles)}
_UNKNOWN = later("Line %(line)s: there is no column “%(title)s”; allowed: %(names)s.")
_TWICE = later("Line %(line)s: the column %(title)s occurs twice.")
_NO_URL = later("Line %(line)s: the column url is missing.")
_TOO_LONG_ROW = later("The line has %(cells)s cells, but the table has %(columns)s columns.")


class SiteLine(Struct, frozen=True):
    """Line of the table."""

    number: int
    """Number of the line, from 1."""
    values: Mapping[str, str]
    """Cells by the name of their column, without empty ones."""
    problem: str = ""
    """Reason why the line cannot be read; empty if it can."""


def read_site_table(text: str) -> list[SiteLine]:
    """Return the lines of a table. Raises TableError for unknown columns and too many rows; an unreadable line is returned as such."""
    lines = [(number, line) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1) if line.strip()]
    if len(lines) < 2:  # noqa: PLR2004 - names of the columns, and a row
        raise TableError(NO_TABLE)
    if len(lines) > MAX_SITES + 1:
        raise TableError(Message(TOO_MANY_ROWS, line=lines[MAX_SITES + 1][0], most=f"{MAX_SITES:,}"))
    delimiter = max("\t;,", key=lines[0][1].count)
    return list(_site_lines(lines[1:], _column_names(*lines[0], delimiter), delimiter))


def _column_names(number: int, line: str, delimiter: str) -> list[str]:
    """Return the names of the columns. Raises TableError."""
    names: list[str] = []
    for title in cells_of(line, delimiter) or ():
        name = _NAMES.get(title.lower())
        if name is None:
            raise TableError(Message(_UNKNOWN, line=number, title=title[:MAX_SHOWN_CHARS], names=", ".join(COLUMNS)))
        if name in names:
            raise TableError(Message(_TWICE, line=number, title=name))
        names.append(name)
    if "url" not in names:
        raise TableError(Message(_NO_URL, line=number))
    return names


def _site_lines(lines: Sequence[tuple[int, str]], names: Sequence[str], delimiter: str) -> Iterator[SiteLine]:
    for number, line in lines:
        if len(line) > MAX_LINE_CHARS:
            yield SiteLine(number, {}, Message(TOO_LONG, line=number, most=f"{MAX_LINE_CHARS:,}"))
            continue
        cells = cells_of(line, delimiter)
        if cells is None:
            yield SiteLine(number, {}, Message(NOT_CSV, line=number))
        elif any(cells[len(names) :]):
            yield SiteLine(number, {}, Message(_TOO_LONG_ROW, cells=len(cells), columns=len(names)))
        else:
            yield SiteLine(number, {name: cell for name, cell in zip(names, cells, strict=False) if cell})
