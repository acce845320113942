"""Estimate the width of a text on a result page and where it is truncated, from advance widths of real fonts, without kerning.

data/glyph_widths.csv has the widths, and lists the fonts and their versions. Result pages use Arial; Liberation Sans has its metrics.
Widths of Chinese, Japanese and Korean come from Noto Sans CJK.
"""

from bisect import bisect_right
from functools import cache, lru_cache

from msgspec import Struct

from findable.artifacts.page.head import Head
from findable.artifacts.registry import artifact
from findable.formats.characters import has_cjk, has_no_width, is_wide
from findable.values import path_in

TITLE_SIZE_PX = 20
TITLE_LIMIT_PX = 600
"""Width of a title on a desktop result page, observed. Google gives no number ("truncated … to fit the device width")."""
DESCRIPTION_SIZE_PX = 14
DESCRIPTION_LIMIT_PX = 920
"""Width of about two lines of a desktop snippet, observed."""
MIN_DESCRIPTION_CHARS = 50
MIN_DESCRIPTION_CHARS_CJK = 25
"""Number of characters from which a description says something (set by Findable)."""
ELLIPSIS = " ..."
"""Text that Google appends where it truncates."""
MEASURED_CHARS = 2_000
UNMEASURED_SHARE = 0.1
"""Share of characters without a known width from which the width is unknown."""

_EM = 1000


@cache
def _runs() -> list[str]:
    """Return the rows of data/glyph_widths.csv. Only those of characters that occur are read, because all take 2 ms."""
    text = path_in("findable.artifacts.tables", "data/glyph_widths.csv").read_text(encoding="ascii")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _first_point(run: str) -> int:
    return int(run.partition(",")[0], 16)


@lru_cache(maxsize=8192)
def _advance(char: str) -> int | None:
    """Return the advance width of a character in thousandths of an em; None if none of the fonts has it."""
    runs, point = _runs(), ord(char)
    at = bisect_right(runs, point, key=_first_point) - 1
    if at >= 0:
        _, last, width = runs[at].split(",")
        if point <= int(last, 16):
            return int(width)
    if has_no_width(char):
        return 0
    return _EM if is_wide(char) else None


def least_description_chars(text: str) -> int:
    """Return the number of characters that a description in the script of the text should have."""
    return MIN_DESCRIPTION_CHARS_CJK if has_cjk(text[:1000]) else MIN_DESCRIPTION_CHARS


def width_px(text: str, size_px: int) -> float | None:
    """Return the width of a line of text at that font size, for its first MEASURED_CHARS.

    None if too much of it is in a script that the fonts lack (Arabic, Thai, Devanagari …).
    """
    advances = [_advance(char) for char in text[:MEASURED_CHARS]]
    known = [advance for advance in advances if advance is not None]
    if len(advances) - len(known) > UNMEASURED_SHARE * len(advances):
        return None
    return sum(known) * size_px / _EM


def truncated_at(text: str, limit_px: int, size_px: int) -> int | None:
    """Return how many characters of a text are shown before the ellipsis; None if it fits the line or cannot be measured.

    The text is cut after the last whole word that fits with the ellipsis, but inside a word longer than half the line, and between any
    two characters of a script without spaces.
    """
    whole = width_px(text, size_px)
    if whole is None or whole <= limit_px:
        return None
    room = (limit_px * _EM / size_px) - sum(_advance(char) or 0 for char in ELLIPSIS)
    used, fits = 0, 0
    for index, char in enumerate(text[:MEASURED_CHARS]):
        used += _advance(char) or 0
        if used > room:
            break
        fits = index + 1
    return _last_break(text, fits)


def _last_break(text: str, fits: int) -> int:
    for at in range(fits, fits // 2, -1):
        if at == len(text) or text[at] == " " or is_wide(text[at]) or is_wide(text[at - 1]):
            return at
    return fits


class Line(Struct, frozen=True):
    """Text as a result page shows it, with its estimated width."""

    text: str
    characters_count: int
    """Number of code points."""
    width_px: int | None
    """Estimated width; None if it cannot be estimated."""
    limit_px: int
    truncated_at: int | None
    """Number of characters shown if it does not fit."""

    @property
    def preview(self) -> str:
        """Text as it would be shown."""
        return self.text if self.truncated_at is None else self.text[: self.truncated_at].rstrip() + ELLIPSIS


def line(text: str, limit_px: int, size_px: int) -> Line:
    """Return the text, whose white space is collapsed, with its estimated width and the index at which it is truncated."""
    width = width_px(text, size_px)
    return Line(text, len(text), None if width is None else round(width), limit_px, truncated_at(text, limit_px, size_px))


class ResultLines(Struct, frozen=True):
    """Title and description as on a desktop result page; empty texts if the page has none."""

    title: Line
    description: Line


@artifact
def make_result_lines(head: Head) -> ResultLines:
    """Measure the first non-empty title and description."""
    return ResultLines(line(head.title, TITLE_LIMIT_PX, TITLE_SIZE_PX), line(head.description, DESCRIPTION_LIMIT_PX, DESCRIPTION_SIZE_PX))
