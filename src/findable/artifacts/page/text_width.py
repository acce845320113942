"""Width of a line of text, from the advance widths of real fonts, without kerning.

data/glyph_widths.csv has the widths, and lists the fonts and their versions. Result pages use Arial; Liberation Sans has its metrics.
Widths of Chinese, Japanese and Korean come from Noto Sans CJK.
"""

from bisect import bisect_right
from functools import cache, lru_cache

from findable.formats.characters import has_no_width, is_wide
from findable.values import path_in

MEASURED_CHARS = 2_000
UNMEASURED_SHARE = 0.1
"""Share of characters without a known width from which the width is unknown."""
EM = 1000


@cache
def _runs() -> list[str]:
    """Return the rows of data/glyph_widths.csv. Only those of characters that occur are read, because all take 2 ms."""
    text = path_in("findable.artifacts.tables", "data/glyph_widths.csv").read_text(encoding="ascii")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _first_point(run: str) -> int:
    return int(run.partition(",")[0], 16)


@lru_cache(maxsize=8192)
def advance_of(char: str) -> int | None:
    """Return the advance width of a character in thousandths of an em; None if none of the fonts has it."""
    runs, point = _runs(), ord(char)
    at = bisect_right(runs, point, key=_first_point) - 1
    if at >= 0:
        _, last, width = runs[at].split(",")
        if point <= int(last, 16):
            return int(width)
    if has_no_width(char):
        return 0
    return EM if is_wide(char) else None


def width_px(text: str, size_px: int) -> float | None:
    """Return the width of a line of text at that font size, for its first MEASURED_CHARS.

    None if too much of it is in a script that the fonts lack (Arabic, Thai, Devanagari …).
    """
    advances = [advance_of(char) for char in text[:MEASURED_CHARS]]
    known = [advance for advance in advances if advance is not None]
    if len(advances) - len(known) > UNMEASURED_SHARE * len(advances):
        return None
    return sum(known) * size_px / EM
