"""Elements that the declarations of a style or a stylesheet hide."""

import re

from findable.formats.css import MAX_STYLE_CHARS, strip_comments
from findable.lazy_pattern import lazy_pattern
from findable.values import remembered

_HIDING_VALUE = lazy_pattern(r":\s{0,20}(?:none|hidden)", re.IGNORECASE)
"""Declaration that hides an element. The literal first character makes the search five times as fast."""
_HIDES = lazy_pattern(r"(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}hidden)", re.IGNORECASE)
_PLAIN_NAME = lazy_pattern(r"(?:[a-z]{1,20}(?=#))?([#.][\w-]{1,200})", re.IGNORECASE)
"""Selector of a single id or class. A selector with a tag would match fewer elements."""


def hides(style: str) -> bool:
    """Return whether the declarations of a style attribute hide its element."""
    return _HIDES.search(style[:MAX_STYLE_CHARS]) is not None


@remembered
def hidden_names(text: str) -> frozenset[str]:
    """Return the ids and classes that CSS rules hide, like ``#menu`` and ``.menu``: only complete selectors outside at-rules."""
    found: set[str] = set()
    text = strip_comments(text)
    hiding = [value.start() for value in _HIDING_VALUE.finditer(text) if _HIDES.search(text, max(0, value.start() - 30), value.end())]
    left = iter([*hiding, len(text)])
    last, coming = -1, next(left)  # the last hiding declaration before `end`, and the one after it
    depth = at = start = 0
    for rule in text.split("}")[:-1] if hiding else ():
        end = at + len(rule)
        if depth == 0:
            start = at
        depth += rule.count("{")
        while coming < end:
            last, coming = coming, next(left)
        if depth == 1 and last > start and last > (opened := text.index("{", start)):
            selectors = text[start:opened].split(",")
            found.update(name.group(1) for part in selectors if (name := _PLAIN_NAME.fullmatch(part.strip())))
        if depth:
            depth -= 1
        at = end + 1
    return frozenset(found)
