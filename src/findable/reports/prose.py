"""Parse the prose of a check's documentation for pages and the PDF."""

import re
import textwrap
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from findable.control_characters import INVISIBLE
from findable.lazy_pattern import lazy_pattern

_CONTROL = lazy_pattern(f"[\x00-\x08\x0b-\x1f{INVISIBLE}\u200b\u2060-\u2064\ufeff]")
_EXAMPLE_NAMES = lazy_pattern(r"\bexample\.(?:com|net|org)\b|widget|\.example\b", re.IGNORECASE)
"""Names used in examples of the documentation that no real page has."""
_MARKED = lazy_pattern(r"``(?P<code>.+?)``|\[(?P<words>[^\[\]]+)\]\((?P<url>https?://[^\s()]+)\)")


class Kind(Enum):
    """Kind of a piece."""

    WORDS = "words"
    LIST = "list"
    CODE = "code"


class Piece(Struct, frozen=True):
    """A paragraph, a list or an indented piece of code."""

    kind: Kind
    texts: Sequence[str]
    """Text of the piece, or the items of a list. ``literals`` are not parsed yet: see `spans`."""


class Span(Struct, frozen=True):
    """Part of a line: words, ``code`` or a link ``[words](URL)``."""

    text: str
    is_code: bool = False
    url: str = ""
    """Target of a link; empty for other spans."""


def pieces(text: str) -> list[Piece]:
    """Split a text into paragraphs, lists (``- item``) and code (four spaces), separated by empty lines; capitalise it."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    if blocks:
        blocks[0] = blocks[0][0].upper() + blocks[0][1:]  # In the docstring this text follows "How to fix:" and may begin in lower case.
    return [_piece(block) for block in blocks]


def unwrap_lines(text: str) -> str:
    """Return the text capitalized and without line breaks inside paragraphs and list items; code is indented."""
    return "\n\n".join(_unwrapped_piece(piece) for piece in pieces(text))


def _unwrapped_piece(piece: Piece) -> str:
    if piece.kind is Kind.CODE:
        return textwrap.indent(piece.texts[0], "    ")
    return "\n".join(f"- {item}" for item in piece.texts) if piece.kind is Kind.LIST else piece.texts[0]


def _piece(block: str) -> Piece:
    lines = block.strip("\n").splitlines()
    if all(line.startswith("    ") for line in lines):
        return Piece(Kind.CODE, [textwrap.dedent("\n".join(lines))])
    if not lines[0].lstrip().startswith("- "):
        return Piece(Kind.WORDS, [re.sub(r"::$", ":", " ".join(line.strip() for line in lines))])
    items: list[str] = []
    for line in lines:
        if line.lstrip().startswith("- "):
            items.append(line.lstrip()[2:])
        else:
            items[-1] += f" {line.strip()}"
    return Piece(Kind.LIST, items)


def spans(text: str) -> list[Span]:
    """Return the parts of a line in order."""
    found: list[Span] = []
    at = 0
    for match in _MARKED.finditer(text):
        found.append(Span(text[at : match.start()]))
        found.append(Span(match["code"], is_code=True) if match["code"] else Span(match["words"], url=match["url"]))
        at = match.end()
    return [span for span in (*found, Span(text[at:])) if span.text]


def instructions(text: str, codes: Sequence[str]) -> str:
    """Return the instructions of a fix with the code for a page.

    Examples of the documentation are omitted if there is such code, or if they use non-existent pages.
    """
    parts = pieces(text)
    shown = dict.fromkeys(_CONTROL.sub("", code) for code in codes if code)  # code contains text from the page
    made = [Piece(Kind.CODE, ["\n".join(shown)])] if shown else []
    kept = [part for part in parts if part.kind is not Kind.CODE or not (made or _EXAMPLE_NAMES.search(part.texts[0]))]
    at = next((index for index, part in enumerate(parts) if part.kind is Kind.CODE), len(kept))
    return "\n\n".join(_unwrapped_piece(part) for part in (*kept[:at], *made, *kept[at:]))
