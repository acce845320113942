"""Convert message templates with typed values to text.

``{name}`` is a value; ``{count|link|links}`` is the value and the word that matches its number. The suffix of a name is its unit:
``_bytes``, ``_ms``, ``_s``, ``_px``, ``_percent``.

A template is translated first; its values are formatted for that language.
"""

import re
from collections.abc import Mapping
from typing import Any

from findable.vocabulary import words_of
from findable.wording import ENGLISH, Translator, later

_FIELD = re.compile(r"\{([a-z0-9_]+)(?:\|([^|{}]*)\|([^|{}]*))?\}")
KILO = 1000
VALUE_CHARS = 300


YES, NO = later("yes"), later("no")


def render(template: str, params: Mapping[str, Any], say: Translator = ENGLISH) -> str:
    """Return the message as text. A name without a value stays visible as ``{name}``, which tests report as a bug."""

    def field(match: re.Match[str]) -> str:
        name, one, many = match.groups()
        if name not in params:
            return match.group()
        value = params[name]
        shown = _value_text(name, value, params, say)
        if one is None:
            return shown
        return f"{shown} {one if value == 1 else many}"

    return _FIELD.sub(field, say.text(template))


def _value_text(name: str, value: Any, params: Mapping[str, Any], say: Translator) -> str:
    """Return one value as text: the text of a code, which may contain other values, else formatted by the unit in its name."""
    if isinstance(value, list | tuple):
        return ", ".join(_value_text(name if isinstance(item, str) else "", item, params, say) for item in value)
    words = words_of(name, value) if isinstance(value, str) else None
    return format_value(name, value, say) if words is None else render(words, params, say)


def format_value(name: str, value: Any, say: Translator = ENGLISH) -> str:
    """Return one value as text, by the unit in its name."""
    if isinstance(value, bool):
        return say(YES if value else NO)
    if isinstance(value, int | float):
        return _number(name, value, say)
    text = str(value)
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 1] + "…"


def _number(name: str, value: float, say: Translator) -> str:
    if name.endswith("_bytes"):
        return format_bytes(value, say)
    if name.endswith("_ms"):
        return f"{say.number(round(value))} ms"
    if name.endswith("_px"):
        return f"{say.number(round(value))} px"
    if name.endswith("_percent"):
        return f"{say.number(value)} %"
    if name.endswith("_s"):
        return f"{say.number(value)} s"
    return say.number(value)


def format_bytes(value: float, say: Translator = ENGLISH) -> str:
    """Return a size in decimal units, as network tools count: 999 B, 14.3 kB, 1.2 MB."""
    if value < KILO:
        return f"{round(value)} B"
    for unit in ("kB", "MB"):
        value /= KILO
        if value < KILO:
            return f"{say.number(float(value), 1)} {unit}"
    return f"{say.number(float(value / KILO), 1)} GB"
