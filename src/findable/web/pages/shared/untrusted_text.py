"""Make text of audited pages safe to show: it cannot reverse, hide or imitate parts of the page."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from markupsafe import Markup, escape

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Invisible characters and controls that reorder text. Marks that Arabic, Hebrew and Indic scripts need are excluded."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def visible(text: str) -> str:
    """Return the text with invisible and direction-changing characters replaced by their code: ``⟨U+202E⟩``."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def visible_output(value: Any) -> Any:
    """Apply `visible` to an output of a template; trusted markup and numbers stay unchanged."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def isolated(text: str, values: Iterable[str]) -> Markup:
    """Return a sentence whose right-to-left values are isolated, so that they do not affect the order of the rest."""
    found = [value for value in values if value and _RIGHT_TO_LEFT.search(value) and value in text]
    parts = [text]
    if found:
        parts = re.split("(" + "|".join(re.escape(value) for value in sorted(found, key=len, reverse=True)) + ")", text)
    made = (Markup("<bdi>{}</bdi>").format(visible(part)) if index % 2 else escape(visible(part)) for index, part in enumerate(parts))
    return Markup("").join(made)


def mark_spot(text: str, spots: Iterable[str]) -> Markup:
    """Return source code of a page with the first of the ``spots`` that it contains marked."""
    spot = next((one for one in spots if one and one != text and one in text), "")
    if not spot:
        return escape(visible(text))
    before, _, after = text.partition(spot)
    return Markup("{}<mark>{}</mark>{}").format(visible(before), visible(spot), visible(after))


def sentence(text: str) -> str:
    """Capitalize a sentence and add a full stop; a first word like jQuery or robots.txt keeps its spelling."""
    if not text:
        return ""
    word = text.partition(" ")[0]
    first = text if text[1:2].isupper() or "://" in word or ".txt" in word else text[0].upper() + text[1:]
    return first if unicodedata.category(first[-1]) == "Po" and first[-1] not in "\"'*/\\&@%#," else f"{first}."
