"""Images whose proportions styles would change."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from findable.formats.css import MAX_STYLE_CHARS, strip_comments
from findable.lazy_pattern import lazy_pattern

_DIMENSION = lazy_pattern(r"(?:^|;)\s{0,20}(max-)?(width|height)\s{0,9}:\s{0,9}([\w.%-]{1,20})", re.IGNORECASE)
_NAME_PART = lazy_pattern(r"[#.]?[\w-]+")


def distorts(sheets: Iterable[str], style: str, names: frozenset[str]) -> bool:
    """Return whether width and height attributes would distort an image: styles limit one dimension and leave the other to its attribute.

    ``names`` are its tag, id and classes like ``#menu`` and ``.menu``. Only the last compound of a selector is compared; what a rule for
    descendants leaves open, only a rule with the same selector or with a single compound settles.
    """
    settled: dict[str, set[str]] = defaultdict(set)
    limited: list[tuple[str, str]] = []
    for selector, block in (("", style), *(rule for text in sheets for rule in _rules(text, names))):
        for limit, name, value in _DIMENSION.findall(block[:MAX_STYLE_CHARS].lower()):
            if not limit:
                settled[selector].add(name)
            if value not in ("auto", "none"):
                limited.append((selector, "height" if name == "width" else "width"))
    return any(other not in settled[""] | settled[selector] for selector, other in limited)


def _rules(text: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield selector and declarations of rules for these names; a selector with a single compound is empty."""
    for rule in strip_comments(text).split("}"):
        before, _, block = rule.rpartition("{")
        if "width" not in block and "height" not in block:
            continue
        for selector in before.rpartition("{")[2][:MAX_STYLE_CHARS].split(","):
            compounds = selector.split()
            if compounds and (parts := _NAME_PART.findall(compounds[-1])) and names.issuperset(parts):
                yield " ".join(compounds) if len(compounds) > 1 else "", block
