"""Accessible text of an element's content: the anchor text of a link, the name of a button, with alternatives for images.

Attributes that name the element itself are in `findable.artifacts.html.accessible_name`.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from findable.artifacts.html.page_tree import PageTree
from findable.artifacts.html.parse_tree import NEVER_SHOWN, NOT_SHOWN, strings
from findable.formats.css_hiding import hides

NAME_CHARS = 300
"""Length at which an accessible name is truncated."""
NAME_READ_CHARS = 4 * NAME_CHARS
"""Maximum number of characters that are read for a name, including white space."""
NAME_NODES = 400
"""Maximum number of nodes that are read for a name."""
SUBSTITUTED_TAGS = NEVER_SHOWN | {"img", "area", "input"}
"""Tags of elements whose text is always replaced in accessible names."""


def name_text_of(tree: PageTree, order: int) -> str:
    """Return the folded accessible text of an element's content, cut at NAME_CHARS."""
    at, end = tree.text_starts[order], tree.text_ends[order]
    if at == NOT_SHOWN:
        return cut_name(islice(named_strings(tree.nodes[order]), NAME_NODES))
    inside, last = order + 1, tree.ends[order]
    if inside == last:  # the element contains only text, as most links do
        return tree.shown[at : min(end, at + NAME_CHARS + 2)].strip()[:NAME_CHARS]  # a space at each end
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
        if instead is None and hidden:  # but read by screen readers: the title of an SVG, whose place between spaces is in the tree only
            return cut_name(islice(named_strings(tree.nodes[order]), NAME_NODES))
        if instead is None:
            inside += 1
            continue
        before = tree.text_ends[inside] if hidden else tree.text_starts[inside]
        pieces.append(tree.shown[at : min(before, at + NAME_READ_CHARS)])
        pieces.append(f" {instead} ")
        at, inside = tree.text_ends[inside], tree.ends[inside]
    return cut_name((*pieces, tree.shown[at : min(end, at + NAME_READ_CHARS)]))


def named_strings(root: Any) -> Iterator[str]:
    """Yield texts like `shown_strings`, with alternatives for images and labelled parts."""

    def padded(node: Any) -> str | None:
        instead = substitute_text(node)
        return None if instead is None else f" {instead} "

    return strings(root, padded)


def cut_name(pieces: Iterable[str]) -> str:
    """Return an accessible name from its texts, cut at NAME_CHARS."""
    parts: list[str] = []
    size = 0
    for piece in pieces:
        parts.append(piece[:NAME_READ_CHARS])
        size += len(piece)
        if size > NAME_READ_CHARS:
            break
    return " ".join("".join(parts).split())[:NAME_CHARS]


def substitute_text(node: Any) -> str | None:
    """Return the text that replaces the element's content; empty for nothing, None if the content is read."""
    attrs, tag = node.attrs, node.tag
    if attrs:
        if attrs.get("aria-hidden") == "true" or "hidden" in attrs or hides(attrs.get("style") or ""):
            return ""
        label = attrs.get("aria-label")
        if label and label.strip():
            return str(label)
        if tag == "img" and attrs.get("role") in ("none", "presentation"):
            return ""
        if tag in ("img", "area") or (tag == "input" and attrs.get("type") == "image"):
            return attrs.get("alt") or attrs.get("title") or ""
    if tag == "title" and node.namespace.value == "svg":
        return None
    return "" if tag in NEVER_SHOWN else None
