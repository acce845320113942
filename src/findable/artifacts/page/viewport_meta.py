"""Viewport that the page sets for phones (CSS Viewport Module Level 1, section 4)."""

import re

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.page.head import Head, Meta
from findable.artifacts.registry import Absent, artifact

MAX_CONTENT_CHARS = 500
_PAIR = re.compile(r"([A-Za-z-]+)\s*(?:=\s*([^\s,;=]*))?")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_DEVICE_SIZES = ("device-width", "device-height")
MIN_SCALE, MAX_SCALE = 0.1, 10.0
"""Range to which browsers limit scales (CSS Device Adaptation, 10.2)."""
_PROPERTIES = frozenset(
    {
        "width",
        "height",
        "initial-scale",
        "minimum-scale",
        "maximum-scale",
        "user-scalable",
        "viewport-fit",
        "interactive-widget",
        "shrink-to-fit",
    }
)


class Viewport(Struct, frozen=True):
    """Last meta viewport with a known property."""

    content: str
    """Content attribute as written, with folded white space."""
    element: Element
    width: str
    """Width: ``device-width``, a number, or empty."""
    initial_scale: float | None
    maximum_scale: float | None
    """Maximum scale, None without a limit."""
    user_scalable: bool

    @property
    def width_px(self) -> int | None:
        """Fixed width of the viewport, None if it has none."""
        number = _number(self.width)
        return round(number) if number is not None and number > 0 else None

    @property
    def follows_device(self) -> bool:
        """Whether the layout is as wide as the screen (an initial scale of 1 means the same without a width)."""
        return self.width == "device-width" or (not self.width and self.initial_scale is not None and 0.99 <= self.initial_scale <= 1.01)  # noqa: PLR2004 - 1, as written


@artifact
def make_viewport(head: Head) -> Viewport | Absent:
    """Read the viewport of the page as sent."""
    return viewport_of(head) or Absent("the page sets no viewport")


def viewport_of(head: Head) -> Viewport | None:
    """Read all viewport metas; the last effective one wins, as in browsers."""
    found = [viewport for meta in head.metas_named("viewport") if (viewport := _read(meta)) is not None]
    return found[-1] if found else None


def _read(meta: Meta) -> Viewport | None:
    content = (meta.content or "")[:MAX_CONTENT_CHARS]
    values: dict[str, str] = {}
    for match in _PAIR.finditer(content):
        name = match.group(1).lower()
        if name in _PROPERTIES:
            values[name] = (match.group(2) or "").lower()
    if not values:
        return None
    return Viewport(
        content=" ".join(content.split()),
        element=meta.element,
        width=values.get("width", ""),
        initial_scale=_number(values.get("initial-scale", "")),
        maximum_scale=_maximum(values.get("maximum-scale", "")),
        user_scalable=_scalable(values.get("user-scalable", "")),
    )


def _scalable(value: str) -> bool:
    """Return whether zooming is allowed; ``no``, numbers between -1 and 1 and unknown words disable it."""
    return value in ("", "yes", *_DEVICE_SIZES) or abs(_number(value) or 0) >= 1


def _maximum(value: str) -> float | None:
    """Return the maximum scale, None without a limit (a negative number); ``yes`` is 1, an unknown word the minimum."""
    if not value:
        return None
    number = 1.0 if value == "yes" else MAX_SCALE if value in _DEVICE_SIZES else _number(value) or 0.0
    return None if number < 0 else min(max(number, MIN_SCALE), MAX_SCALE)


def _number(value: str) -> float | None:
    match = _NUMBER.match(value)
    return float(match.group()) if match else None
