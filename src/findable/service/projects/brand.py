"""Accent colours of a brand, visible on light and dark backgrounds.

Contrast follows WCAG 2.2, which requires 3 for lines, signs and large text (success criterion 1.4.11). Normal text never uses the accent.
Most dark brand colours are invisible on dark backgrounds, and yellow on white: the nearest visible shade replaces them.
"""

import re

from msgspec import Struct

NEEDED = 3.0
WHITE, DARK = (255, 255, 255), (21, 23, 22)
"""Background colours of documents and light pages, and of dark pages."""
STEPS = 100
_COLOR = re.compile(r"#?([0-9a-fA-F]{6})")
_SHORT = re.compile(r"#?([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])")
Channels = tuple[int, int, int]


class Accents(Struct, frozen=True):
    """Colour for each background, ``#rrggbb``."""

    on_white: str
    on_dark: str


def parsed(text: str) -> str:
    """Return ``#rrggbb`` in lower case. Raises ValueError if the text is not a colour."""
    if short := _SHORT.fullmatch(text):
        return "#" + "".join(digit * 2 for digit in short.groups()).lower()
    found = _COLOR.fullmatch(text)
    if found is None:
        raise ValueError("no colour like #1a5442")
    return f"#{found[1].lower()}"


def accents(color: str) -> Accents:
    """Return the colour itself if it is visible, else the nearest visible darker or lighter shade."""
    return Accents(_seen_on(WHITE, color), _seen_on(DARK, color))


def _seen_on(paper: Channels, color: str) -> str:
    channels = _channels(color)
    towards = 0 if paper is WHITE else 255
    shades = (_mixed(channels, towards, step / STEPS) for step in range(STEPS + 1))
    return _written(next(shade for shade in shades if contrast(shade, paper) >= NEEDED))


def _mixed(channels: Channels, towards: int, share: float) -> Channels:
    red, green, blue = (round(channel + (towards - channel) * share) for channel in channels)
    return red, green, blue


def _written(channels: Channels) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _channels(color: str) -> Channels:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def contrast(first: Channels, second: Channels) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(channels: Channels) -> float:
    red, green, blue = ((c / 12.92) if (c := channel / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for channel in channels)  # noqa: PLR2004 - sRGB
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
