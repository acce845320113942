"""Limit the text passed to the HTML parser, so that no page exceeds its memory limit.

Text and inline images cost the parser little. Elements, attributes and parse errors are expensive, and each of them begins with a character
that can be counted in advance. Unclosed formatting elements cost most: the standard reopens them in each following block (HTML Standard,
13.2.4.3), so a page of 100 kB can produce millions of elements.
"""

from collections.abc import Sequence
from sys import getsizeof

from findable.lazy_pattern import lazy_pattern

MAX_ELEMENTS = 50_000
"""Maximum number of elements per page; only the head of a larger page is checked, because its beginning does not represent the page.

Walking the tree takes half a microsecond per element. A news page has some 600 elements; the largest of 130 of them has 9,900.
"""
BEGINNING_CHARS = 2_000_000
"""Number of parsed characters if a page's content is not checked. Googlebot reads 2 MB."""
MAX_BEGINNING_BYTES = 6_000_000
"""Memory limit of that beginning: 1.5 million characters if the text contains an emoji."""
MAX_PARSED_BYTES = 54_000_000
"""Upper estimate of the memory for a text, its tree and the values read from it. The largest of 130 saved pages takes 31 MB."""
TAG_BYTES = 180
"""Memory per ``<``: an element and the text after it, or a parse error."""
WALKED_BYTES = 200
"""Memory per element when the tree is walked."""
REOPENED_BYTES = 100
"""Memory per reopened element."""
REFERENCE_BYTES = 70
"""Memory per ``&``: a parse error, and text joined from pieces."""
WIDE_CHAR_BYTES = 4
"""Memory per character of text or of a long value that is read. The parser stores one copy of the text and creates another."""
LEADING_CHAR_BYTES = 20
"""Memory per character before the first tag: the parser copies it between insertion modes until the body."""
USUAL_TAG_CHARS = 200
TAG_CHAR_BYTES = 14
"""Memory per character of a tag of up to USUAL_TAG_CHARS."""
ATTRIBUTE_BYTES = 270
"""Memory per attribute of a longer tag: names are compared, and there may be thousands."""
ERROR_BYTES = 84
SURE_CHARS = 500_000
"""Text length below which attributes always stay within the limits."""
SURE_TAGS = 700
"""Number of tags below which the limits hold even if all of them are formatting elements."""
EQUAL_REOPENED = 3
"""Maximum number of identical formatting elements that are reopened (the "Noah's Ark clause")."""
MAX_STRAYS = 100_000
STRAY_BEGINNING_CHARS = 100_000
"""Number of parsed characters of a text with more control characters than MAX_STRAYS."""
SAMPLE_STEP = 101
"""Sampling step: every SAMPLE_STEP-th character of a long text is inspected."""

_STRAY = lazy_pattern("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters and noncharacters; the standard counts each one as a parse error, wherever it is."""
_START_TAG = lazy_pattern("<[A-Za-z]")
_LONG_PIECE = lazy_pattern(rf"</?[A-Za-z][^<]{{{USUAL_TAG_CHARS - 1},}}+")
"""A tag and the text after it, where the tag may exceed USUAL_TAG_CHARS. A class that excludes one character is fast, one that excludes two
is slow.
"""
_IN_TAG = lazy_pattern(r"""=\s*+(?:"[^"]*+"|'[^']*+')|(?P<space>\s++)|(?P<errors>[/"'=]++)""")
_FORMATTING = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_SPACE = r"[ \t\n\f\r]"
_VALUE = r"""(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++)"""
_REST = rf"(?:{_SPACE}++[\w:.-]++(?:={_VALUE})?)*{_SPACE}*+/?>"
"""Remaining attributes and end of a tag whose end is unambiguous."""
_FORMATTING_START = lazy_pattern(rf"<(?=[bceinfstuBCEINFSTU])(?i:{_FORMATTING})(?=[\s/>])(?:{_REST})?")
"""Start of a formatting tag. Testing the first letter separately halves the time."""
_FORMATTING_NAMES = frozenset(_FORMATTING.split("|"))
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"})
_SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "stop"})
"""Elements of SVG that end with ``/>``."""
_TAG = lazy_pattern(rf"<(?:(/?)([A-Za-z][\w:.-]*+)({_REST})?)?")
"""Anything that begins with ``<``; for tags also the name, and the attributes if the end is unambiguous."""


def beginning_of(text: str) -> str:
    """Return the parsed beginning of a text of unknown length."""
    return text[: min(BEGINNING_CHARS, MAX_BEGINNING_BYTES // _char_bytes(text))]


def readable_chars(text: str, max_bytes: int = MAX_PARSED_BYTES) -> int:
    """Return the number of characters of a text that can be parsed within ``max_bytes``."""
    # more than MAX_STRAYS characters each cause a parse error, as in a file of zeros
    if len(text) > MAX_STRAYS and len(_STRAY.findall(text[::SAMPLE_STEP])) > MAX_STRAYS // SAMPLE_STEP:
        return STRAY_BEGINNING_CHARS
    chars = len(text)
    while _is_costly(text, chars, max_bytes):
        chars = min(chars // 2, BEGINNING_CHARS)
    return chars


def _is_costly(text: str, chars: int, max_bytes: int) -> bool:
    """Return whether the first ``chars`` characters of the text may take more than ``max_bytes``."""
    tags = text.count("<", 0, chars)
    char_bytes = _char_bytes(text)
    left_bytes = max_bytes - chars * char_bytes - tags * TAG_BYTES - min(tags, MAX_ELEMENTS) * WALKED_BYTES
    if chars <= SURE_CHARS and _fits(text, chars, tags, left_bytes - chars * REFERENCE_BYTES):
        return False  # True even if each character were a reference. This holds for most pages, so their references need not be counted.
    left_bytes -= text.count("&", 0, chars) * REFERENCE_BYTES
    if left_bytes > 0 and chars > SURE_CHARS:
        left_bytes -= _content_bytes(text, chars, char_bytes, left_bytes)
    return not _fits(text, chars, tags, left_bytes)


def _fits(text: str, chars: int, tags: int, left_bytes: int) -> bool:
    """Return whether the elements that the text reopens fit in the remaining memory."""
    if left_bytes <= 0 or tags <= SURE_TAGS:
        return left_bytes > 0
    return _count_reopened(text, chars, tags, left_bytes // REOPENED_BYTES) <= left_bytes // REOPENED_BYTES


def _char_bytes(text: str) -> int:
    """Return the memory per character: one, two or four bytes depending on its widest character; more for short texts."""
    return getsizeof(text) // len(text) if text else 1


def _content_bytes(text: str, chars: int, char_bytes: int, enough_bytes: int) -> int:
    """Return the memory for attributes, their parse errors and the text between tags. Counting stops at ``enough_bytes``."""
    text_char_bytes = 2 * (WIDE_CHAR_BYTES + char_bytes)
    first = _START_TAG.search(text, 0, chars)
    taken_bytes = (first.start() if first else chars) * LEADING_CHAR_BYTES
    usual_chars = chars
    for piece in _LONG_PIECE.finditer(text, 0, chars):
        start, after = piece.span()
        closed = text.find(">", start, after)
        end = closed if closed >= 0 else after
        usual_chars -= after - start
        taken_bytes += (after - end) * text_char_bytes
        if end - start <= USUAL_TAG_CHARS:
            taken_bytes += (end - start) * TAG_CHAR_BYTES
            continue
        taken_bytes += (end - start) * WIDE_CHAR_BYTES
        for sign in _IN_TAG.finditer(text, start, end):
            if sign.lastgroup == "space":
                taken_bytes += ATTRIBUTE_BYTES
            elif sign.lastgroup:
                taken_bytes += (sign.end() - sign.start()) * ERROR_BYTES
            if taken_bytes > enough_bytes:
                return taken_bytes
    return taken_bytes + usual_chars * max(TAG_CHAR_BYTES, text_char_bytes)


def _count_reopened(text: str, chars: int, tags: int, few: int) -> int:
    """Return the maximum number of reopened elements; only a rough estimate if it is at most ``few``."""
    formatting = _FORMATTING_START.findall(text, 0, chars)
    # Opening a formatting element closes nothing (except nobr), and text may follow the last tag.
    closing = tags - sum(tag[1] not in "nN" for tag in formatting) + 1
    roughly = closing * _max_reopened_per_tag(formatting)
    return roughly if roughly <= few else closing * _count_left_open(text, chars)


def _max_reopened_per_tag(formatting: Sequence[str]) -> int:
    """Return the maximum number of elements that one tag reopens, if no formatting element is ever closed."""
    whole = [tag for tag in formatting if tag.endswith(">")]
    doubtful = len(formatting) - len(whole)
    return min(len(whole), EQUAL_REOPENED * len(set(whole))) + doubtful + 1


def _count_left_open(text: str, chars: int) -> int:
    """Return the maximum number of elements that one tag reopens.

    They are distinct formatting elements that may stay open, as many as are open at the same time, and one link: the start tag of a link
    closes the open link (HTML Standard, 13.2.6.4.7), and links close no other formatting element. An end tag closes only the last open
    element; after any other tag, or what is none, all formatting elements that are open may stay open.
    """
    different: set[tuple[str, str]] = set()
    opened: list[tuple[str, str]] = []
    doubtful = formatting_count = most = 0
    for closing, written, rest in _TAG.findall(text, 0, chars):
        name = written.lower()
        is_formatting = name in _FORMATTING_NAMES
        if rest and (name == "a" or (not closing and (name in _VOID or (name in _SHAPES and rest.endswith("/>"))))):
            continue
        if rest and not closing:
            opened.append((name, rest if is_formatting else ""))
            formatting_count += is_formatting
            most = max(most, formatting_count)
        elif rest and opened and opened[-1][0] == name:
            opened.pop()
            formatting_count -= is_formatting
        else:
            different.update(item for item in opened if item[1])
            opened.clear()
            formatting_count = 0
            doubtful += is_formatting and not rest and not closing
    different.update(item for item in opened if item[1])
    return EQUAL_REOPENED * len(different) + most + doubtful + 1
