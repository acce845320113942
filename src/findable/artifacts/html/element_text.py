"""Texts of elements by position: as displayed, as read by screen readers, or only their beginnings."""

from itertools import islice

from findable.artifacts.html.folded_text import fold_space
from findable.artifacts.html.page_tree import PageTree
from findable.artifacts.html.parse_tree import (
    NAME_CHARS,
    NAME_READ_CHARS,
    NOT_SHOWN,
    SUBSTITUTED_TAGS,
    cut_name,
    named_strings,
    shown_strings,
    substitute_text,
)

SNIPPET_PIECES = 2000
"""Maximum number of texts and block boundaries read for a snippet, because a million empty elements may precede the first text."""
MAX_SNIPPET_CHARS = 20_000
"""Maximum number of characters, including white space, read to find the beginning of the text."""
NAME_NODES = 400
"""Maximum number of nodes that are read for a name."""


def text_of(tree: PageTree, order: int) -> str:
    """Return the folded text of an element, without parts that are never shown."""
    start = tree.text_starts[order]
    return fold_space(_text_inside(tree, order)) if start == NOT_SHOWN else fold_space(tree.shown, start, tree.text_ends[order])


def _text_inside(tree: PageTree, order: int, pieces: int | None = None) -> str:
    """Return the text of an element that is not shown on the page (a title, an option), at most ``pieces`` pieces."""
    return "".join(islice(shown_strings(tree.nodes[order]), pieces))


def beginning_of(tree: PageTree, order: int, chars: int) -> str:
    """Return the first characters of an element's text without reading further, because a snippet may cover the whole body."""
    start = tree.text_starts[order]
    if start == NOT_SHOWN:
        return " ".join(_text_inside(tree, order, SNIPPET_PIECES)[:MAX_SNIPPET_CHARS].split())[:chars]
    end = min(tree.text_ends[order], start + MAX_SNIPPET_CHARS)
    read = 4 * chars
    while True:
        text = " ".join(tree.shown[start : min(end, start + read)].split())
        if len(text) >= chars or start + read >= end:
            return text[:chars]
        read *= 4


def name_text_of(tree: PageTree, order: int) -> str:
    """Return the folded accessible text of an element's content, cut at NAME_CHARS."""
    at, end = tree.text_starts[order], tree.text_ends[order]
    if at == NOT_SHOWN:
        return cut_name(islice(named_strings(tree.nodes[order]), NAME_NODES))
    inside, last = order + 1, tree.ends[order]
    if inside == last:  # the element contains only text, as most links do
        return " ".join(tree.shown[at : min(end, at + NAME_READ_CHARS)].split())[:NAME_CHARS]
    pieces: list[str] = []
    for _ in range(NAME_NODES):
        if inside >= last:
            break
        if tree.tags[inside] not in SUBSTITUTED_TAGS and inside not in tree.with_context and inside not in tree.with_label:
            inside += 1
            continue
        node = tree.nodes[inside]
        instead = substitute_text(node)
        hidden = tree.text_starts[inside] == NOT_SHOWN
        if instead is None and not hidden:
            inside += 1
            continue
        before = tree.text_ends[inside] if hidden else tree.text_starts[inside]
        pieces.append(tree.shown[at : min(before, at + NAME_READ_CHARS)])
        pieces.append(node.text if instead is None else f" {instead} ")  # hidden, but read by screen readers: the title of an SVG
        at, inside = tree.text_ends[inside], tree.ends[inside]
    return cut_name((*pieces, tree.shown[at : min(end, at + NAME_READ_CHARS)]))
