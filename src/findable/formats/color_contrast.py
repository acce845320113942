"""Colours as channels of sRGB, and their contrast as WCAG 2.2 defines it."""

from collections.abc import Iterable

Channels = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
_LINEAR_BELOW = 0.04045


def channels_of(color: str) -> Channels:
    """Return the sRGB channels of a colour like ``#rrggbb``."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def color_of(channels: Iterable[int]) -> str:
    """Return a colour as ``#rrggbb``."""
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def contrast(first: Channels, second: Channels) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(channels: Channels) -> float:
    red, green, blue = (
        c / 12.92 if (c := channel / 255) <= _LINEAR_BELOW else ((c + 0.055) / 1.055) ** 2.4  # transfer function of sRGB
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
