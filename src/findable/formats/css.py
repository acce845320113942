"""Find URLs and font faces in CSS by linear scans. Styles are not computed."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from findable.lazy_pattern import lazy_pattern
from findable.values import remembered

MAX_CSS_CHARS = 2_000_000
MAX_FACES = 200
MAX_URLS = 500
MAX_IMPORTS = 50

_URL_BEGINS = lazy_pattern(r"url\(\s{0,100}", re.IGNORECASE)
_URL = lazy_pattern(r"(?:\"([^\"]{0,2000})\"|'([^']{0,2000})'|([^)(\"'\s]{1,2000}))\s{0,100}\)")
_NAMESPACE = lazy_pattern(r"@namespace\b[^;{}]{0,2000};", re.IGNORECASE)
"""Namespaces have URLs that are never loaded."""
_STATEMENT = lazy_pattern(
    r"(?:\s|<!--|-->)*@(?:(?:charset|layer)\s[^;{}]{0,2000}|import\s*(?:url\(\s*)?(?:\"([^\"\n]{1,2000})\"|'([^'\n]{1,2000})'|(?<=\()\s*([^)(\"'\s]{1,2000}))[^;{}]{0,2000})(?:;|\Z)",
    re.IGNORECASE,
)
"""Statement at the beginning of a stylesheet; imports stand before all rules, charset and layers aside (CSS Cascade 5, section 2)."""
_COMMENT = lazy_pattern(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_FACE = lazy_pattern(r"@font-face\s*\{([^{}]{0,20000})\}", re.IGNORECASE)
_DISPLAY = lazy_pattern(r"(?:^|;)\s*font-display\s*:\s*([a-z-]+)", re.IGNORECASE)
_FAMILY = lazy_pattern(r"(?:^|;)\s*font-family\s*:\s*([^;]{1,200})", re.IGNORECASE)
_FONT_VALUE = lazy_pattern(r"(?:font(?:-family)?|--[\w-]{1,100})\s{0,20}:([^;{}]{1,500})", re.IGNORECASE)
"""Value that can name a font: of font, font-family or a custom property."""
MAX_FONT_VALUES = 20_000
_BACKGROUND = lazy_pattern(r"background(?:-image)?\s*:[^;]{0,1000}?url\(\s*[\"']?([^\"')]{1,4000})", re.IGNORECASE)

_HIDING_VALUE = lazy_pattern(r":\s{0,20}(?:none|hidden)", re.IGNORECASE)
"""Declaration that hides an element. The literal first character makes the search five times as fast."""
_HIDES = lazy_pattern(r"(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}hidden)", re.IGNORECASE)
MAX_STYLE_CHARS = 2000
_PLAIN_NAME = lazy_pattern(r"(?:[a-z]{1,20}(?=#))?([#.][\w-]{1,200})", re.IGNORECASE)
"""Selector of a single id or class. A selector with a tag would match fewer elements."""

_DIMENSION = lazy_pattern(r"(?:^|;)\s{0,20}(max-)?(width|height)\s{0,9}:\s{0,9}([\w.%-]{1,20})", re.IGNORECASE)
_NAME_PART = lazy_pattern(r"[#.]?[\w-]+")


class FontFace(Struct, frozen=True):
    """One ``@font-face`` rule."""

    family: str
    display: str
    """``font-display`` in lower case, ``auto`` if it is not declared (CSS Fonts 4, section 4.9)."""
    urls: tuple[str, ...]
    """URLs in ``src`` as written; empty if the face uses installed fonts only."""


def strip_comments(text: str) -> str:
    """Return the stylesheet without comments, truncated at MAX_CSS_CHARS."""
    return _COMMENT.sub("", text[:MAX_CSS_CHARS]) if "/*" in text else text[:MAX_CSS_CHARS]


def imports(text: str) -> list[str]:
    """Return the URLs of the first MAX_IMPORTS ``@import`` rules, as written and in order: ``url(…)`` or a string."""
    if "@import" not in text and "@IMPORT" not in text:
        return []
    text, at = strip_comments(text), 0
    found: list[str] = []
    while len(found) < MAX_IMPORTS and (match := _STATEMENT.match(text, at)):
        at = match.end()
        if url := (match[1] or match[2] or match[3] or "").strip():
            found.append(url)
    return found


def urls(text: str) -> list[str]:
    """Return the first MAX_URLS URLs in ``url(…)`` that are loaded, as written and in order."""
    if "@namespace" in text:
        text = _NAMESPACE.sub("", text)
    found = []
    for begin in islice(_URL_BEGINS.finditer(text), MAX_URLS):
        match = _URL.match(text, begin.end())
        if match:
            found.append((match.group(1) or match.group(2) or match.group(3) or "").strip())
    return [url for url in found if url]


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


def background_url(style: str) -> str | None:
    """Return the URL of the background image of a style attribute, as written; None if it has none."""
    found = _BACKGROUND.search(style[:10_000])
    return found.group(1).strip() if found else None
