"""Cells of tables that spreadsheets open without executing anything."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from findable.control_characters import INVISIBLE
from findable.lazy_pattern import lazy_pattern

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠", "'", '"', " ")
"""First characters of cells that a spreadsheet could execute or reinterpret (OWASP, CSV Injection)."""
_CELL_STARTS = lazy_pattern(r"([;\t])(?=[ \"'\u00a0]*[=+\-@＝＋－＠])")
"""Positions where a spreadsheet with decimal comma starts another cell, quoted or not, and would execute it."""
_CONTROL = lazy_pattern(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff{INVISIBLE}]")


def flat(value: Sequence[object] | datetime) -> str:
    """Return a list or a time as text, for formats that have none."""
    return f"{value:%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else " ".join(map(str, value))


def without_controls(text: str) -> str:
    """Return a text without control characters and halves of surrogate pairs, which no file of a spreadsheet can contain."""
    return _CONTROL.sub("", text.encode("utf-8", "replace").decode())


def safe(value: Any) -> Any:
    """Return a number unchanged, and a text without control characters, after an apostrophe if a spreadsheet might execute it."""
    if isinstance(value, int | float):
        return value
    text = _CELL_STARTS.sub(r"\1'", without_controls(str(value)))
    runs = any(start.startswith(_FORMULA_STARTS) for start in (str(value), text, text.lstrip()))
    return f"'{text}" if runs else text
