"""Font faces of a stylesheet, and the fonts that its rules name."""

import re
from itertools import islice

from msgspec import Struct

from findable.formats.css import strip_comments, urls
from findable.lazy_pattern import lazy_pattern

MAX_FACES = 200
_FACE = lazy_pattern(r"@font-face\s*\{([^{}]{0,20000})\}", re.IGNORECASE)
_DISPLAY = lazy_pattern(r"(?:^|;)\s*font-display\s*:\s*([a-z-]+)", re.IGNORECASE)
_FAMILY = lazy_pattern(r"(?:^|;)\s*font-family\s*:\s*([^;]{1,200})", re.IGNORECASE)
_FONT_VALUE = lazy_pattern(r"(?:font(?:-family)?|--[\w-]{1,100})\s{0,20}:([^;{}]{1,500})", re.IGNORECASE)
"""Value that can name a font: of font, font-family or a custom property."""
MAX_FONT_VALUES = 20_000


class FontFace(Struct, frozen=True):
    """One ``@font-face`` rule."""

    family: str
    display: str
    """``font-display`` in lower case, ``auto`` if it is not declared (CSS Fonts 4, section 4.9)."""
    urls: tuple[str, ...]
    """URLs in ``src`` as written; empty if the face uses installed fonts only."""


def font_faces(text: str) -> list[FontFace]:
    """Return the first MAX_FACES font faces that a stylesheet declares."""
    if "@font-face" not in text and "@FONT-FACE" not in text:
        return []
    faces = []
    for match in islice(_FACE.finditer(strip_comments(text)), MAX_FACES):
        block = match.group(1)
        family = _FAMILY.search(block)
        display = _DISPLAY.search(block)
        name = family.group(1).strip().strip("\"'") if family else ""
        faces.append(FontFace(name, display.group(1).lower() if display else "auto", tuple(urls(block))))
    return faces


def font_values(text: str) -> set[str]:
    """Return the first MAX_FONT_VALUES values outside font faces that can name a font, in lower case."""
    rules = _FACE.sub("", strip_comments(text))
    return {match.group(1).lower() for match in islice(_FONT_VALUE.finditer(rules), MAX_FONT_VALUES)}


def names_font(values: str, family: str) -> bool:
    """Return whether text with values of font properties, in lower case, names the family."""
    return bool(family) and re.search(rf"(?<![\w-]){re.escape(family.lower())}(?![\w-])", values) is not None
