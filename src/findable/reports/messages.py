"""Message templates with typed values to text.

``{name}`` is a value; ``{count|link|links}`` is the value and the word that fits its number. The ending of a name says the unit:
``_bytes``, ``_ms``, ``_s``, ``_px``, ``_percent``.
"""

import re
from collections.abc import Mapping
from typing import Any

_FIELD = re.compile(r"\{([a-z0-9_]+)(?:\|([^|{}]*)\|([^|{}]*))?\}")
KILO = 1000
VALUE_CHARS = 300


def render(template: str, params: Mapping[str, Any]) -> str:
    """The message as text. A name without a value stays visible as ``{name}``: a bug that tests find."""

    def field(match: re.Match[str]) -> str:
        name, one, many = match.groups()
        if name not in params:
            return match.group()
        value = params[name]
        shown = format_value(name, value)
        if one is None:
            return shown
        return f"{shown} {one if value == 1 else many}"

    return _FIELD.sub(field, template)


def format_value(name: str, value: Any) -> str:
    """One value by the unit in its name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(name, value)
    if isinstance(value, list | tuple):
        return ", ".join(format_value("", item) for item in value)
    text = str(value)
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 1] + "…"


def _number(name: str, value: float) -> str:
    if name.endswith("_bytes"):
        return format_bytes(value)
    if name.endswith("_ms"):
        return f"{round(value):,} ms"
    if name.endswith("_px"):
        return f"{round(value):,} px"
    if name.endswith("_percent"):
        return f"{_plain(value)} %"
    if name.endswith("_s"):
        return f"{_plain(value)} s"
    return _plain(value)


def _plain(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}".rstrip("0").rstrip(".")


def format_bytes(value: float) -> str:
    """Decimal units, as network tools count: 999 B, 14.3 kB, 1.2 MB."""
    if value < KILO:
        return f"{round(value)} B"
    for unit in ("kB", "MB"):
        value /= KILO
        if value < KILO:
            return f"{value:.1f} {unit}".replace(".0 ", " ")
    return f"{value / KILO:.1f} GB".replace(".0 ", " ")
