"""Preparation of texts for a PDF: clean, on one line, with break opportunities and direction; and legible colours."""

import re
import unicodedata
from typing import Any

from findable.formats.color_contrast import channels_of, color_of, contrast
from findable.reports.prose import Kind, Piece, pieces, spans
from findable.reports.titles import readable_url
from findable.urls import link_of, parse

TEXT_CHARS = 600
"""Maximum length of one text of a page: a snippet, a URL, a cell."""
WORDS_CHARS = 20_000
"""Maximum length of each text of the owner."""
TITLE_CHARS = 200
_UNBROKEN = re.compile(r"\S{12,27}[/?&;=,](?=\S)|\S{28}(?=\S)")
_WHITE = (255, 255, 255)
_VISIBLE_FORMATS = "\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Visible characters of category Cf: controls of the joining of letters in Persian and Indic scripts, and signs around numbers."""
_PLANE_ENDS = 0xFFFE
"""First of the two noncharacters at the end of each plane of Unicode."""
_READABLE = 4.5
"""Minimum contrast with the paper (WCAG 2.2, 1.4.3)."""


def clean(text: Any, max_chars: int = TEXT_CHARS) -> str:
    """Return text on one line of at most ``max_chars`` characters, without control characters and direction marks."""
    return " ".join(_remove_marks(str(text or "")[: max_chars * 2]).split())[:max_chars]


def paragraphs(text: str) -> list[dict[str, str]]:
    """Return the paragraphs of a text that the owner typed, with its line breaks and directions."""
    blocks = re.split(r"\n\s*\n", text[:WORDS_CHARS].replace("\r\n", "\n").strip())
    return [text_of("\n".join(clean(line, WORDS_CHARS) for line in block.splitlines())) for block in blocks if block.strip()]


def _remove_marks(text: str) -> str:
    """Replace tabs and line ends with spaces, and remove control characters, lone surrogates, noncharacters and direction marks."""
    return "".join(" " if character in "\t\n\r" else character for character in text if not _is_hidden(character))


def _is_hidden(character: str) -> bool:
    if character in "\t\n\r":
        return False
    if "\ufdd0" <= character <= "\ufdef" or ord(character) % 0x10000 >= _PLANE_ENDS:
        return True  # noncharacters
    return unicodedata.category(character) in {"Cc", "Cs", "Cf"} and character not in _VISIBLE_FORMATS


def text_of(text: str) -> dict[str, str]:
    """Return a text with break opportunities and its direction."""
    return {"text": breakable(text), "dir": direction(text)}


def direction(text: str) -> str:
    """Return ``rtl`` if the first letter with a direction is right-to-left (UAX 9, P2), else ``ltr``."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in {"R", "AL"}:
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"


def breakable(text: str) -> str:
    """Return text with zero-width spaces in long words, where lines may break: after URL separators, else every 28 characters."""
    return _UNBROKEN.sub("\\g<0>\u200b", text)


def shorten(text: str, max_chars: int) -> str:
    """Return the text truncated to ``max_chars`` characters, with an ellipsis if it is longer."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"


def snippet_of(text: Any) -> str:
    """Return text on one line with break opportunities in long words."""
    return breakable(clean(text))


def link_to(url: str) -> dict[str, str]:
    """Return the text and link of a URL; the link is empty unless the URL is http or https without a user name."""
    return {"text": snippet_of(url), "href": link_of(url)}


def sentence_of(text: Any) -> str:
    """Return the summary of a finding with a capital and a full stop; a first word like jQuery, robots.txt or a URL stays unchanged."""
    words = breakable(clean(text))
    word = words.partition(" ")[0]
    if not words or words[1:2].isupper():
        return words
    first = words if "://" in word or ".txt" in word else words[0].upper() + words[1:]
    return first if first.endswith((".", "!", "?", "…")) else f"{first}."


def address_of(url: str) -> str:
    """Return a URL in readable form: without its scheme, with the host in Unicode."""
    return clean(readable_url(url).rstrip("/"))


def ascii_url(url: str) -> str:
    """Return a URL without its scheme in ASCII, which every font contains."""
    parsed = parse(url)
    return clean(parsed.href.partition("://")[2].rstrip("/") if parsed else url)


def prose(text: str) -> list[dict[str, Any]]:
    """Convert the documentation of a check to paragraphs, lists and code blocks for the template."""
    return [_piece(piece) for piece in pieces(text)]


def _piece(piece: Piece) -> dict[str, Any]:
    if piece.kind is Kind.CODE:
        return {"kind": "code", "text": "\n".join(_remove_marks(line) for line in piece.texts[0].splitlines())}
    if piece.kind is Kind.WORDS:
        return {"kind": "words", "parts": parts_of(piece.texts[0])}
    return {"kind": "list", "items": [parts_of(item) for item in piece.texts]}


def parts_of(line: str) -> list[dict[str, Any]]:
    """Split a line of documentation into text, ``code`` and links."""
    return [{"code": span.is_code, "text": breakable(_remove_marks(span.text)), "href": span.url} for span in spans(line)]


def readable(color: str) -> str:
    """Return the colour, or a darker shade with enough contrast on white."""
    channels = channels_of(color)
    while contrast(channels, _WHITE) < _READABLE:
        red, green, blue = (int(channel * 0.94) for channel in channels)
        channels = red, green, blue
    return color_of(channels)
