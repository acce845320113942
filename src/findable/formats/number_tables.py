"""Tables of numbers by URL, as tools export them: CSV with a comma, semicolon or tab, in UTF-8 or UTF-16.

The columns of Google Search Console, Google Analytics 4, Ahrefs and log counts are recognised by their names, English and German.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import chain

from msgspec import Struct

from findable.formats.table_text import MAX_LINE_CHARS, NO_TABLE, NOT_CSV, TOO_LONG, TOO_MANY_ROWS, TableError, cells_of
from findable.lazy_pattern import lazy_pattern
from findable.limits import MAX_NUMBER_ROWS
from findable.urls import MAX_URL_CHARS, parse, without_fragment
from findable.values import read_data
from findable.wording import Message, later

MAX_COLUMNS = 12
MAX_NAME_CHARS = 40
MAX_NUMBER = 40_000_000.0
"""Highest number, with two decimals."""
URL_NAMES = read_data(__package__, "url_columns", frozenset[str])
NAMES = read_data(__package__, "number_columns", dict[str, tuple[str, ...]])
"""Column names by the titles that exporting tools use."""
AVERAGES = frozenset({"ctr", "position", "url_rating"})
"""Columns whose numbers are not summed if a URL occurs twice."""
DAY_COLUMNS = frozenset({"bot_first", "bot_last"})
"""Columns whose numbers are days since 1970. No upload has one."""
FIRST_DAY = date(1970, 1, 1).toordinal()
SOURCES: tuple[tuple[str, frozenset[str]], ...] = (
    ("search-console", frozenset({"clicks", "impressions"})),
    ("ahrefs", frozenset({"traffic", "keywords", "traffic_value", "url_rating"})),
    ("ga4", frozenset({"views", "users", "sessions", "key_events"})),
    ("log", frozenset({"requests"})),
)
"""Sources with their typical columns: one of them identifies the source."""
OTHER_SOURCE = "upload"
_CANONICAL = {name: canonical for canonical, names in NAMES.items() for name in names}
_NUMBER = lazy_pattern(r"-?\d[\d.,]*")
_THOUSANDS = {",": re.compile(r"\d{1,3}(,\d{3})+"), ".": re.compile(r"\d{1,3}(\.\d{3})+")}
_PLAIN_DIGITS = 7
"""Maximum number of digits of numbers that are always in range."""
_EMPTY = frozenset({"", "-", "–", "n/a", "null", "(not set)"})
NO_URLS = later("Line %(line)s: no column has a name like url, page or path.")
NO_NUMBERS = later("Line %(line)s: no column beside the URLs begins with a number.")
NOT_A_NUMBER = later("Line %(line)s: “%(text)s” in %(column)s is not a number from 0 to 40,000,000.")


class NumberTable(Struct, frozen=True):
    """Parsed table of metrics by URL or path."""

    source: str
    """Guessed source, one of `SOURCES`."""
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    """Values of the columns by absolute URL, or by path that begins with ``/``; None for an empty cell."""
    ignored: tuple[str, ...]
    """Columns without numbers, and columns beyond MAX_COLUMNS."""
    skipped_count: int
    """Rows whose URL cannot be read, like ``(other)``."""


def read_number_table(text: str) -> NumberTable:
    """Return the columns and numbers of a table by URL. Raises TableError with the faulty line."""
    lines = text.lstrip("\ufeff").splitlines()
    start = next((at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if start is None:
        raise TableError(NO_TABLE)
    delimiter = max("\t;,", key=lines[start].count)
    records = _records(lines, start, delimiter)
    line, head = next(records)
    first = next(records, None)
    if first is None:
        raise TableError(NO_TABLE)
    place = _url_column(head, first[1])
    if place is None:
        raise TableError(Message(NO_URLS, line=line))
    columns, ignored = _number_columns(head, first[1], place, delimiter)
    if not columns:
        raise TableError(Message(NO_NUMBERS, line=first[0]))
    rows, skipped = _rows(chain((first,), records), place, columns, delimiter)
    names = tuple(columns)
    source = next((source for source, known in SOURCES if known & set(names)), OTHER_SOURCE)
    return NumberTable(source, names, rows, ignored, skipped)


def _records(lines: Sequence[str], start: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row with the number of its line, from 1. Comment lines and empty lines are skipped."""
    for number, line in enumerate(lines[start:], start + 1):
        if len(line) > MAX_LINE_CHARS:
            raise TableError(Message(TOO_LONG, line=number, most=f"{MAX_LINE_CHARS:,}"))
        if not line.strip() or line.startswith("#"):
            continue
        cells = cells_of(line, delimiter)
        if cells is None:
            raise TableError(Message(NOT_CSV, line=number))
        yield number, cells


def _url_column(head: Sequence[str], first: Sequence[str]) -> int | None:
    named = next((place for place, name in enumerate(head) if name.lower() in URL_NAMES), None)
    if named is not None:
        return named
    return next((place for place, cell in enumerate(first[: len(head)]) if cell.startswith(("http://", "https://", "/"))), None)


def _number_columns(head: Sequence[str], first: Sequence[str], url: int, delimiter: str) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the positions of the columns with numbers by name, and the names of the other columns."""
    found: dict[str, int] = {}
    ignored = []
    for place, title in enumerate(head):
        if place == url or not title:
            continue
        cell = first[place] if place < len(first) else ""
        name = column_name(title)
        if name in found or len(found) >= MAX_COLUMNS or (cell.lower() not in _EMPTY and _number(cell, delimiter) is None):
            ignored.append(title[:MAX_NAME_CHARS])
        else:
            found[name] = place
    return found, tuple(ignored)


def column_name(title: str) -> str:
    """Return the name of a column: the standard name of a known column, else its title in lower case."""
    plain = " ".join(title.lower().split())
    name = _CANONICAL.get(plain) or (re.sub(r"[^a-z0-9]+", "_", plain).strip("_") or "value")[:MAX_NAME_CHARS]
    return f"{name}_" if name in DAY_COLUMNS else name


def shown_number(column: str, value: float) -> float | str:
    """Return a number of a column as people read it: a day like ``2026-11-21``, or the number."""
    return date.fromordinal(min(FIRST_DAY + int(value), date.max.toordinal())).isoformat() if column in DAY_COLUMNS else value


def _rows(
    records: Iterator[tuple[int, list[str]]], url: int, columns: Mapping[str, int], delimiter: str
) -> tuple[dict[str, tuple[float | None, ...]], int]:
    rows: dict[str, tuple[float | None, ...]] = {}
    skipped = 0
    for line, cells in records:
        at = _url_or_path(cells[url]) if url < len(cells) else ""
        if not at:
            skipped += 1
            continue
        values = tuple(_value(cells, place, name, line, delimiter) for name, place in columns.items())
        known = rows.get(at)
        rows[at] = values if known is None else tuple(map(_combine, columns, known, values))
        if len(rows) > MAX_NUMBER_ROWS:
            raise TableError(Message(TOO_MANY_ROWS, line=line, most=f"{MAX_NUMBER_ROWS:,}"))
    return rows, skipped


def _combine(name: str, one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return other if one is None else one
    return one if name in AVERAGES else min(one + other, MAX_NUMBER)


def _url_or_path(text: str) -> str:
    """Return an absolute URL without fragment, or a path; empty for anything else."""
    if len(text) > MAX_URL_CHARS or not text:
        return ""
    if text.startswith("/") and not text.startswith("//"):
        found = parse(f"https://path.invalid{text}")
        return "" if found is None else without_fragment(found.href).removeprefix("https://path.invalid")
    has_scheme = text[:8].lower().startswith(("http://", "https://"))
    if not has_scheme and ("." not in text or " " in text):
        return ""
    found = parse(text if has_scheme else f"https://{text}")
    if found is None:
        return ""
    return without_fragment(found.href) if "#" in text else found.href


def _value(cells: Sequence[str], place: int, name: str, line: int, delimiter: str) -> float | None:
    text = cells[place] if place < len(cells) else ""
    if text.lower() in _EMPTY:
        return None
    number = _number(text, delimiter)
    if number is None:
        raise TableError(Message(NOT_A_NUMBER, line=line, text=text[:MAX_NAME_CHARS], column=name))
    return number


def _number(text: str, delimiter: str) -> float | None:
    """Return a number in English or German notation; None for other text and for numbers out of range."""
    if text.isascii() and text.isdigit() and len(text) <= _PLAIN_DIGITS:
        return float(text)
    plain = text.replace("\u00a0", "").replace("\u202f", "").replace(" ", "").removesuffix("%").strip("$€£")
    if not plain.isascii() or not _NUMBER.fullmatch(plain):
        return None
    decimal = _decimal_sign(plain, delimiter)
    digits = plain.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    try:
        number = float(digits)
    except ValueError:
        return None
    return number if 0 <= number <= MAX_NUMBER else None


def _decimal_sign(text: str, delimiter: str) -> str:
    if "," in text and "." in text:
        return max(",.", key=text.rfind)
    if "," in text:
        return "." if _THOUSANDS[","].fullmatch(text) and delimiter != ";" else ","
    return "," if delimiter == ";" and _THOUSANDS["."].fullmatch(text) else "."
