"""Accent colours of a brand, visible on light and dark backgrounds.

WCAG 2.2 requires a contrast of 3:1 for lines, icons and large text (success criterion 1.4.11). Normal text never uses the accent.
Most dark colours are hard to see on dark backgrounds, and yellow on white; the nearest visible shade replaces them.
"""

import re

from msgspec import Struct

from findable.formats.color_contrast import Channels, channels_of, color_of, contrast

MIN_CONTRAST = 3.0
WHITE, DARK = (255, 255, 255), (21, 23, 22)
"""Background colours of documents and light pages, and of dark pages."""
STEPS = 100
_COLOR = re.compile(r"#?([0-9a-fA-F]{6})")
_SHORT = re.compile(r"#?([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])")


class AccentColors(Struct, frozen=True):
    """Colour for each background, ``#rrggbb``."""

    on_white: str
    on_dark: str


def parse_color(text: str) -> str:
    """Return ``#rrggbb`` in lower case. Raises ValueError if the text is not a colour."""
    if short := _SHORT.fullmatch(text):
        return "#" + "".join(digit * 2 for digit in short.groups()).lower()
    found = _COLOR.fullmatch(text)
    if found is None:
        raise ValueError("not a colour such as #1a5442")
    return f"#{found[1].lower()}"


def accents(color: str) -> AccentColors:
    """Return the colour itself if it is visible, else the nearest visible darker or lighter shade."""
    return AccentColors(_visible_shade(WHITE, color), _visible_shade(DARK, color))


def _visible_shade(paper: Channels, color: str) -> str:
    channels = channels_of(color)
    towards = 0 if paper is WHITE else 255
    shades = (_mix(channels, towards, step / STEPS) for step in range(STEPS + 1))
    return color_of(next(shade for shade in shades if contrast(shade, paper) >= MIN_CONTRAST))


def _mix(channels: Channels, towards: int, share: float) -> Channels:
    red, green, blue = (round(channel + (towards - channel) * share) for channel in channels)
    return red, green, blue
