"""Tables of a PDF."""

from collections.abc import Sequence
from typing import Any


def table_of(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], more: str = "", shares: Sequence[float] = ()
) -> dict[str, Any]:
    """Return a table for the template. ``more``: sentence below it; ``shares``: widths of the columns, by default those of the template."""
    table = {"title": title, "columns": columns, "rows": rows, "more": more}
    return {**table, "shares": shares} if shares else table


def widest_first(columns: Sequence[str], share: float = 3) -> Sequence[float]:
    """Return the widths of columns of which the first is ``share`` times as wide as each other one."""
    return [share, *[1] * (len(columns) - 1)]
