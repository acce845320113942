"""Tables of all URLs of a site that other crawlers export.

These are `internal_all.csv` and `internal_html.csv` of Screaming Frog SEO Spider, with English or German names of columns, and lists of
URLs of Sitebulb. Only the URL, status, indexability, title and depth are read.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.capture.response import HTML_TYPES
from findable.capture.status_classes import OK
from findable.formats.table_text import NOT_CSV, TOO_MANY_ROWS, TableError
from findable.urls import MAX_URL_CHARS, host_of, origin_part, parse, without_fragment
from findable.values import read_data
from findable.wording import Message, later

MAX_ROWS = 1_000_000
MAX_TEXT_CHARS = 500
MAX_DEPTH = 10_000
MAX_STATUS = 999
PROGRAMS = read_data(__package__, "crawling_programs", dict[str, dict[str, tuple[str, ...]]])
"""Names of columns by program, in lower case. The German ones are from public programs that read such exports; where these differ, both
are read.
"""
_REQUIRED = ("url", "status", "indexability")
_MISSING = "--"
"""Cell of Sitebulb without a value."""
_INDEXABLE = frozenset({"indexable", "indexierbar", "yes", "ja"})
_NOT_INDEXABLE = frozenset({"non-indexable", "not indexable", "nicht indexierbar", "nicht-indexierbar", "no", "nein"})
_REASONS = {
    "noindex": Reason.NOINDEX,
    "canonicalised": Reason.CANONICAL,
    "canonicalized": Reason.CANONICAL,
    "blocked by robots.txt": Reason.ROBOTS,
    "disallowed": Reason.ROBOTS,
}
NO_COLUMNS = later("The table has neither the columns Address, Status Code, Indexability nor URL, HTTP Status Code, Indexable Status.")
NO_PAGES = later("The table has no URL.")
UNKNOWN_INDEXABILITY = later("Line %(line)s: “%(text)s” does not say whether the page is indexable.")
_HEAD_LINES = 5
"""Maximum number of lines up to the names of columns: old versions begin with the name of the table."""


class UrlOfTable(Struct, frozen=True):
    """URL in an imported table."""

    status: int
    """HTTP status; 0 without a response."""
    reason: Reason
    is_html: bool
    title: str
    depth: int | None


class UrlTable(Struct, frozen=True):
    """Table of the URLs of a site from another program."""

    program: str
    start_url: str
    """URL with the lowest depth, else the home page."""
    urls: Mapping[str, UrlOfTable]
    has_titles: bool
    has_depths: bool


def read_url_table(text: str) -> UrlTable:
    """Return the URLs of the site in a table, without images, scripts and other hosts. Raises TableError with the faulty line."""
    rows = _rows(text)
    program, places = _columns(rows)
    urls: dict[str, UrlOfTable] = {}
    for line, cells in rows:
        row = {name: _cell(cells, place) for name, place in places.items()}
        url, found = _url(row["url"]), _read(row, line)
        if not url or found is None or url in urls:
            continue
        urls[url] = found
        if len(urls) > MAX_ROWS:
            raise TableError(Message(TOO_MANY_ROWS, line=line, most=f"{MAX_ROWS:,}"))
    if not urls:
        raise TableError(NO_PAGES)
    host = Counter(_site_of(url) for url in urls).most_common(1)[0][0]
    own = {url: found for url, found in urls.items() if _site_of(url) == host}
    return UrlTable(program, _start(own), _from_start(own), "title" in places, "depth" in places)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row with the number of its last line."""
    head = "".join(islice(io.StringIO(text), 2))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error:
        raise TableError(Message(NOT_CSV, line=reader.line_num)) from None


def _columns(rows: Iterator[tuple[int, list[str]]]) -> tuple[str, Mapping[str, int]]:
    """Return the program whose columns one of the first rows names, and their positions. Raises TableError."""
    for _, (_, cells) in zip(range(_HEAD_LINES), rows, strict=False):
        names = [cell.strip().casefold() for cell in cells]
        for program, columns in PROGRAMS.items():
            found = {column: next((name for name in known if name in names), "") for column, known in columns.items()}
            places = {column: names.index(name) for column, name in found.items() if name}
            if all(column in places for column in _REQUIRED):
                return program, places
    raise TableError(NO_COLUMNS)


def _cell(cells: Sequence[str], place: int) -> str:
    text = cells[place].strip() if place < len(cells) else ""
    return "" if text == _MISSING else text


def _url(text: str) -> str:
    url = parse(text) if 0 < len(text) <= MAX_URL_CHARS else None
    return "" if url is None or not url.is_http or not url.host or url.has_login else without_fragment(url.href)


def _read(row: Mapping[str, str], line: int) -> UrlOfTable | None:
    """Return the values of a row; None for a file that is no page, such as an image. Raises TableError."""
    status = _number(row["status"], MAX_STATUS) or 0
    media_type = row.get("type", "").partition(";")[0].strip().casefold()
    if status == OK and media_type and media_type not in HTML_TYPES:
        return None
    return UrlOfTable(
        status, _reason(row, status, line), status == OK, row.get("title", "")[:MAX_TEXT_CHARS], _number(row.get("depth", ""), MAX_DEPTH)
    )


def _number(text: str, most: int) -> int | None:
    """Return a whole number up to a limit; None for anything else."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return int(text) if is_number and int(text) <= most else None


def _reason(row: Mapping[str, str], status: int, line: int) -> Reason:
    """Return why a URL is not indexable. Raises TableError if the cell of a page says neither yes nor no."""
    value, reason = row["indexability"].casefold(), row.get("reason", "").casefold()
    known = next((_REASONS[part.strip()] for part in f"{reason},{value}".split(",") if part.strip() in _REASONS), None)
    if status == 0:
        return Reason.ROBOTS if known is Reason.ROBOTS else Reason.FAILURE
    if status != OK:
        return Reason.REDIRECT if 300 <= status < 400 else Reason.STATUS  # noqa: PLR2004 - redirects
    if value in _INDEXABLE:
        return Reason.NONE
    if known is None and value not in _NOT_INDEXABLE:
        raise TableError(Message(UNKNOWN_INDEXABILITY, line=line, text=row["indexability"][:MAX_TEXT_CHARS]))
    return known or Reason.IMPORTED


def _site_of(url: str) -> str:
    return host_of(url).removeprefix("www.")


def _start(urls: Mapping[str, UrlOfTable]) -> str:
    deepest = MAX_DEPTH + 1
    url, found = min(urls.items(), key=lambda item: deepest if item[1].depth is None else item[1].depth)
    return url if found.depth is not None else f"{origin_part(url)}/"


def _from_start(urls: Mapping[str, UrlOfTable]) -> Mapping[str, UrlOfTable]:
    """Return the URLs with depths that count from 0, whatever the program begins with."""
    first = min((found.depth for found in urls.values() if found.depth is not None), default=0)
    if not first:
        return urls
    return {
        url: UrlOfTable(found.status, found.reason, found.is_html, found.title, None if found.depth is None else found.depth - first)
        for url, found in urls.items()
    }
