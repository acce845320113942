"""How much of a text the HTML parser is given, so that no page takes more memory than its bounds.

Text and pictures written into a page cost the parser little. What costs are elements, attributes and parse errors, and each of them
begins with a sign that can be counted beforehand. Formatting elements that are left open cost most: the standard opens them anew in
each block that follows (HTML Standard, 13.2.4.3), so that a page of 100 kB may be made of millions of elements.
"""

import re
from collections.abc import Sequence
from sys import getsizeof

MAX_ELEMENTS = 50_000
"""Of a page with more only the head is judged: its beginning would tell wrong things of the whole. The walk takes half a
microsecond for each; a news page has some 600, the largest of 130 of them 9,900."""
BEGINNING_CHARS = 2_000_000
"""What is read of a page whose content will not be judged. Googlebot reads 2 MB."""
MAX_BEGINNING_BYTES = 6_000_000
"""Of that in memory: 1.5 million characters where one of them is an emoji."""
MAX_PARSED_BYTES = 54_000_000
"""What a text, the parser's tree and what is read from it may take, estimated from above. The largest of 130 saved pages takes 31 MB."""
TAG_BYTES = 180
"""For a ``<``: an element and the text behind it, or a parse error."""
WALKED_BYTES = 200
"""For an element that is walked."""
REOPENED_BYTES = 100
"""For an element that is opened anew."""
REFERENCE_BYTES = 70
"""For an ``&``: a parse error, and text that is put together of pieces."""
WIDE_CHAR_BYTES = 4
"""For a character of text or of a long value, once it was asked for. Of text the parser keeps one copy and makes another."""
LEADING_CHAR_BYTES = 20
"""For a character before all tags: on its way to the body the parser copies it from mode to mode."""
USUAL_TAG_CHARS = 200
TAG_CHAR_BYTES = 14
"""For a character of a tag that is no longer."""
ATTRIBUTE_BYTES = 270
"""For an attribute of a longer one: names are compared, and there may be thousands."""
ERROR_BYTES = 84
SURE_CHARS = 500_000
"""The attributes of a text that is no longer are within the bounds, whatever they are."""
SURE_TAGS = 700
"""So many tags are within the bounds, however many of them are formatting."""
EQUAL_REOPENED = 3
"""Of equal formatting elements no more are opened anew, the "Noah's Ark clause"."""
MAX_STRAYS = 100_000
STRAY_BEGINNING_CHARS = 100_000
"""What is read of a text with more control characters than that."""
SAMPLED = 101
"""Of so many characters of a long text one is looked at, to see what it mostly is."""

_STRAY = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters and the like: the standard calls each one a parse error, wherever it stands."""
_START_TAG = re.compile("<[A-Za-z]")
_LONG_PIECE = re.compile(rf"</?[A-Za-z][^<]{{{USUAL_TAG_CHARS - 1},}}+")
"""A tag and the text behind it, where the tag may be longer than USUAL_TAG_CHARS; a run without one sign is found fast, without two not."""
_IN_TAG = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')|(?P<space>\s++)|(?P<errors>[/"'=]++)""")
_FORMATTING = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_SPACE = r"[ \t\n\f\r]"
_VALUE = r"""(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++)"""
_REST = rf"(?:{_SPACE}+[\w:.-]++(?:={_VALUE})?)*+{_SPACE}*+/?>"
"""Attributes and end of a tag, where it is beyond doubt where it ends."""
_FORMATTING_START = re.compile(rf"<(?=[bceinfstuBCEINFSTU])(?i:{_FORMATTING})(?=[\s/>])(?:{_REST})?")
"""The first letter is looked at apart: that takes half the time."""
_TAG = re.compile(rf"<(?:(/?)({_FORMATTING}|a)(?![\w:.-])({_REST})?)?", re.IGNORECASE)
"""Whatever begins with ``<``; of formatting tags and links the name, and the rest where it is beyond doubt where they end."""


def beginning_of(text: str) -> str:
    """What is read of a text whose end is not known."""
    return text[: min(BEGINNING_CHARS, MAX_BEGINNING_BYTES // _char_bytes(text))]


def readable_chars(text: str, max_bytes: int = MAX_PARSED_BYTES) -> int:
    """How much of the beginning of a text is parsed: all of it, unless that may take more than ``max_bytes``."""
    if _has_many_strays(text):
        return STRAY_BEGINNING_CHARS
    chars = len(text)
    while _is_costly(text, chars, max_bytes):
        chars = min(chars // 2, BEGINNING_CHARS)
    return chars


def _has_many_strays(text: str) -> bool:
    """Whether characters that are a parse error each, as in a file of zeros, are more than MAX_STRAYS."""
    return len(text) > MAX_STRAYS and len(_STRAY.findall(text[::SAMPLED])) > MAX_STRAYS // SAMPLED


def _is_costly(text: str, chars: int, max_bytes: int) -> bool:
    """Whether so much of a text may take more than ``max_bytes``."""
    tags = text.count("<", 0, chars)
    char_bytes = _char_bytes(text)
    left_bytes = max_bytes - chars * char_bytes - tags * TAG_BYTES - min(tags, MAX_ELEMENTS) * WALKED_BYTES
    left_bytes -= text.count("&", 0, chars) * REFERENCE_BYTES
    if left_bytes > 0 and chars > SURE_CHARS:
        left_bytes -= _content_bytes(text, chars, char_bytes, left_bytes)
    if left_bytes <= 0 or tags <= SURE_TAGS:
        return left_bytes <= 0
    return _reopened(text, chars, tags, left_bytes // REOPENED_BYTES) > left_bytes // REOPENED_BYTES


def _char_bytes(text: str) -> int:
    """Room of a character in memory: one byte, two or four, by the widest of the text; more where it is short."""
    return getsizeof(text) // len(text) if text else 1


def _content_bytes(text: str, chars: int, char_bytes: int, enough_bytes: int) -> int:
    """What attributes, the parse errors among them, and the text around the tags take; not counted beyond what is enough."""
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


def _reopened(text: str, chars: int, tags: int, few: int) -> int:
    """How many elements are opened anew at most; counted roughly where these are few."""
    formatting = _FORMATTING_START.findall(text, 0, chars)
    # What opens formatting ends nothing that is open, but nobr does; and there is text behind the last tag.
    closing = tags - sum(tag[1] not in "nN" for tag in formatting) + 1
    roughly = closing * _opened_at_once(formatting)
    return roughly if roughly <= few else closing * _left_open(text, chars)


def _opened_at_once(formatting: Sequence[str]) -> int:
    """How many elements one tag may open anew at most if none of these is ever closed, and a link."""
    whole = [tag for tag in formatting if tag.endswith(">")]
    doubtful = len(formatting) - len(whole)
    return min(len(whole), EQUAL_REOPENED * len(set(whole))) + doubtful + 1


def _left_open(text: str, chars: int) -> int:
    """How many elements one tag may open anew at most: different formatting elements that are not closed at once, and a link."""
    different: set[tuple[str, str]] = set()
    opened: list[tuple[str, str]] = []
    doubtful = 0
    for closing, name, rest in _TAG.findall(text, 0, chars):
        if rest and not closing:
            opened.append((name, rest))
        elif rest and opened and opened[-1][0] == name:
            opened.pop()
        else:
            different.update(opened)
            opened.clear()
            doubtful += bool(name and not rest and not closing)
    different.update(opened)
    formatting = sum(name not in "aA" for name, _ in different)
    return EQUAL_REOPENED * formatting + doubtful + 1
