"""Compare URLs of a redirect map with their expected targets."""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.capture.status_classes import OK
from findable.vocabulary import Code
from findable.wording import later


class RedirectResult(Code):
    """Result of comparing a URL of a redirect map with its expected target."""

    REACHED = "reached"
    OTHER_TARGET = "other_target", later("another target")
    BROKEN = "broken", later("no response")
    NOT_REQUESTED = "not_requested", later("not requested")


class RedirectRow(Struct, frozen=True):
    """URL of a redirect map, with its final URL."""

    url: str
    target: str
    end_url: str
    """Final URL after all redirects."""
    status: int
    """Status of the final URL; 0 without a response."""
    hops_count: int
    result: RedirectResult
    reason: str = ""
    """Reason why the final URL was not requested."""


def redirect_row(url: str, target: str, end_url: str, status: int | None, *, hops_count: int = 0, reason: str = "") -> RedirectRow:
    """Return a URL of a redirect map with its result. If ``status`` is None, the final URL was not requested, because of ``reason``."""
    if status is None:
        result = RedirectResult.NOT_REQUESTED if end_url in (url, target) else RedirectResult.OTHER_TARGET
    elif status != OK:
        result = RedirectResult.BROKEN
    else:
        result = RedirectResult.REACHED if end_url == target else RedirectResult.OTHER_TARGET
    return RedirectRow(url, target, end_url, status or 0, hops_count, result, reason)


def results_of(rows: Iterable[RedirectRow]) -> Mapping[RedirectResult, int]:
    """Return the number of rows by result."""
    return Counter(row.result for row in rows)
