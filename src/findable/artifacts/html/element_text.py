"""Texts of elements by position, as displayed: whole, or only their beginnings."""

from itertools import islice

from findable.artifacts.html.folded_text import fold_space
from findable.artifacts.html.page_tree import PageTree
from findable.artifacts.html.parse_tree import NOT_SHOWN, UNREAD_TAGS, shown_strings, strings

SNIPPET_PIECES = 2000
"""Maximum number of texts and block boundaries read for a snippet, because a million empty elements may precede the first text."""
MAX_SNIPPET_CHARS = 20_000
"""Maximum number of characters, including white space, read to find the beginning of a text that is not shown."""


def text_of(tree: PageTree, order: int) -> str:
    """Return the folded text of an element, without parts that are never shown."""
    start = tree.text_starts[order]
    return fold_space(_text_inside(tree, order)) if start == NOT_SHOWN else tree.shown[start : tree.text_ends[order]].strip()


def text_without(tree: PageTree, order: int, tags: frozenset[str]) -> str:
    """Return the folded text of a shown element without the elements of those tags, from the tree, which takes longer."""
    left_out = UNREAD_TAGS | tags
    pieces = strings(tree.nodes[order], lambda node: "" if node.tag in left_out else None)
    return fold_space("".join(pieces).replace("\xad", ""))


def _text_inside(tree: PageTree, order: int, pieces: int | None = None) -> str:
    """Return the text of an element that is not shown on the page (a title, an option), at most ``pieces`` pieces."""
    return "".join(islice(shown_strings(tree.nodes[order]), pieces))


def beginning_of(tree: PageTree, order: int, chars: int) -> str:
    """Return the first characters of an element's text without reading further, because a snippet may cover the whole body."""
    start = tree.text_starts[order]
    if start == NOT_SHOWN:
        return " ".join(_text_inside(tree, order, SNIPPET_PIECES)[:MAX_SNIPPET_CHARS].split())[:chars]
    return tree.shown[start : min(tree.text_ends[order], start + chars + 2)].strip()[:chars]  # a space at each end
