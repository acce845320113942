"""Compare URLs of a redirect map with their expected targets."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from findable.capture.status_classes import OK
from findable.vocabulary import Code
from findable.wording import later


class RedirectResult(Code):
    """Result of comparing a URL of a redirect map with its expected target."""

    REACHED = "reached", later("target reached")
    OTHER_TARGET = "other_target", later("another target")
    BROKEN = "broken", later("error at the end")
    NOT_REQUESTED = "not_requested", later("not requested")


class RedirectMapRow(Struct, frozen=True):
    """URL of a redirect map, with its final URL. A crawl without a redirect map has none."""

    url: str
    """URL of the map."""
    target: str
    """Expected target."""
    end_url: str
    """Final URL after all redirects."""
    status: int
    """Status of the final URL; 0 without a response."""
    hops_count: int
    """Number of redirects to the final URL."""
    result: RedirectResult
    """Result: reached, other_target, broken or not_requested."""
    reason: str = ""
    """Reason why the final URL was not requested."""


def map_rows(lines: Iterable[str], base: str = "") -> Iterator[list[str]]:
    """Yield the URL of each line of a list, and its target if the line has one, without empty lines and a line of headings.

    A target follows a space, a tab, a semicolon, or a comma before a URL or path. ``base``: origin of cells that are paths.
    """
    for number, line in enumerate(lines):
        cells = [cell for part in _BETWEEN.split(line.strip()) if (cell := part.strip("\"'"))]
        is_heading = number == 0 and not any(mark in line for mark in "/.") and any(mark in line for mark in ",;\t")
        if cells and not is_heading:
            yield [f"{base}{cell}" if cell.startswith("/") else cell for cell in cells]


_BETWEEN = re.compile(r"""["']?\s*,\s*["']?(?=https?://|/)|[\s;]+""")


def redirect_row(url: str, target: str, end_url: str, status: int | None, *, hops_count: int = 0, reason: str = "") -> RedirectMapRow:
    """Return a URL of a redirect map with its result. If ``status`` is None, the final URL was not requested, because of ``reason``."""
    if status is None:
        result = RedirectResult.NOT_REQUESTED if end_url in (url, target) else RedirectResult.OTHER_TARGET
    elif status != OK:
        result = RedirectResult.BROKEN
    else:
        result = RedirectResult.REACHED if end_url == target else RedirectResult.OTHER_TARGET
    return RedirectMapRow(url, target, end_url, status or 0, hops_count, result, reason)


def results_of(rows: Iterable[RedirectMapRow]) -> Mapping[RedirectResult, int]:
    """Return the number of rows by result."""
    return Counter(row.result for row in rows)
