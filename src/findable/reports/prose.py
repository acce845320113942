"""Parse the prose of a check's documentation for pages and the PDF."""

import re
import textwrap
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

EXAMPLE = "https://www.example.com/shop/blue-widgets"
"""The page of the examples in the checks' documentation."""
_LONGEST_URL = 300


class Kind(Enum):
    """Kind of a piece."""

    WORDS = "words"
    LIST = "list"
    CODE = "code"


class Piece(Struct, frozen=True):
    """A paragraph, a list or an indented piece of code."""

    kind: Kind
    texts: Sequence[str]
    """The one text, or the items of a list. ``literals`` are unparsed: see `spans`."""


def pieces(text: str) -> list[Piece]:
    """Paragraphs, lists (``- item``) and code (four spaces) of a text, an empty line between two; its first letter made a capital."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    if blocks:
        blocks[0] = blocks[0][0].upper() + blocks[0][1:]  # it stood behind its heading
    return [_piece(block) for block in blocks]


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


def spans(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a line in order, each with whether it is ``code``."""
    return [(part, bool(place % 2)) for place, part in enumerate(re.split(r"``(.+?)``", text)) if part]


def with_page_url(fix: str, url: str) -> str:
    """The fix with the page's own URL where its examples stand; words around them stay."""
    if not 0 < len(url) <= _LONGEST_URL:
        return fix
    return "\n".join(line.replace(EXAMPLE, url) if line.startswith("    ") else line for line in fix.split("\n"))
