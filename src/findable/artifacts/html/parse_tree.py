"""The parser's tree, read once. No other module depends on the HTML parser (turbohtml, WHATWG tree construction).

The tree equals that of a browser with scripting: ``<noscript>`` contains raw text, and contents of ``<template>`` are inert and excluded
here.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import turbohtml
from turbohtml import detect as _detect

from findable.artifacts.html.folded_text import FOLDED_AT_ONCE_CHARS, fold_space
from findable.formats.parse_budget import MAX_ELEMENTS, readable_chars


def tree_of(text: str) -> Any:
    """Return the tree of a page, with source positions."""
    return turbohtml.parse(text, positions=True, scripting=True, allow_declarative_shadow_roots=False)


def is_selector(text: str) -> bool:
    """Return whether the parser supports the text as a CSS selector."""
    try:
        turbohtml.parse("").select(text)
    except turbohtml.SelectorSyntaxError:
        return False
    return True


NEVER_SHOWN = frozenset(
    {"script", "style", "template", "noscript", "iframe", "noembed", "noframes", "object", "textarea", "select", "title"}
)
UNREAD_TAGS = NEVER_SHOWN | {"rt", "rp"}
"""Tags of elements whose text is not part of the text around them: never shown, or the reading of a word in ruby annotations."""
# fmt: off
BLOCK_TAGS = frozenset({
    "address", "article", "aside", "blockquote", "br", "button", "caption", "center", "dd", "details", "dialog", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "legend", "li", "main",
    "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})
# fmt: on


NOT_SHOWN = -1
NO_ORDERS = array("i")


class TreeWalk:
    """Index of a parser's tree, read once in document order, without template contents.

    It records where each element's subtree ends and which part of the shown text belongs to it, so that later queries for its content or
    text are slices. It is iterative, for documents of any depth. Elements are identified by position in document order, from 0; -1 is the
    document.
    """

    def __init__(self, tree: Any) -> None:
        self.nodes: list[Any] = []
        """The parser's elements."""
        self.tags: list[str] = []
        self.shown = ""
        """Shown text of the page with folded white space, and a space around blocks: the text of an element is a part of it, trimmed."""
        self.max_depth = 0
        """Depth of the deepest element; the root element has depth 1."""
        self.cut = False
        """Whether there are more than MAX_ELEMENTS elements; the rest is not in this index."""
        self.parents, self.ends, self.text_starts, self.text_ends, self.text_sizes = (array("i", numbers) for numbers in self._walk(tree))
        """Position of each element's parent (-1 for the root), position after its last descendant, offsets in `shown` at which its text
        begins (NOT_SHOWN if it is never shown) and ends, and the number of its characters before white space was folded."""
        by_tag: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
        for order, tag in enumerate(self.tags):
            by_tag[tag].append(order)
        self.by_tag = dict(by_tag)
        """Positions of the elements with each tag."""

    def _walk(  # noqa: C901, PLR0912, PLR0915 - one loop: a function call per element would take a third longer
        self, tree: Any
    ) -> tuple[list[int], ...]:
        """Read the tree, and return the parent, the end, and the start, end and unfolded size of the text of each element."""
        unread, element_type, text_type = iter(tree.descendants), turbohtml.Element, turbohtml.Text
        nodes, unread_tags, block_tags = self.nodes, UNREAD_TAGS, BLOCK_TAGS
        parents: list[int] = []
        ends: list[int] = []
        starts: list[int] = []
        stops: list[int] = []
        sizes: list[int] = []  # for open elements: characters before it
        is_block: list[bool] = []
        pieces: list[str] = []
        add_node, add_tag, add_is_block, add_piece = nodes.append, self.tags.append, is_block.append, pieces.append
        add_parent, add_end, add_start, add_stop, add_size = parents.append, ends.append, starts.append, stops.append, sizes.append
        innermost, at, shown, block = tree, -1, True, False  # innermost open element, position, text is shown, is a block
        spaced = False  # the text so far ends with a space
        size = unfolded = order = depth = 0  # characters of the pieces, before they were folded, elements so far, open elements
        for node in unread:
            kind = type(node)  # the parser's node types have no subclasses; isinstance costs more
            if kind is not text_type and kind is not element_type:
                if kind is turbohtml.DocumentFragment:  # template contents
                    for _ in node.descendants:
                        next(unread)
                continue
            around = node.parent
            while innermost is not around:  # the parser returns the same handle of a node while one exists
                if block:
                    unfolded += 1
                    if not spaced:
                        add_piece(" ")
                        size += 1
                        spaced = True
                ends[at] = order
                stops[at] = size
                sizes[at] = unfolded - sizes[at]
                at = parents[at]
                depth -= 1
                if at < 0:
                    innermost, shown, block = tree, True, False
                else:
                    innermost, shown, block = nodes[at], starts[at] >= 0, is_block[at]
            if kind is text_type:
                if shown:
                    text = node.data
                    if "\xad" in text:  # soft hyphens, which browsers show only at the end of a line
                        text = text.replace("\xad", "")
                        if not text:
                            continue
                    piece = " ".join(text.split()) if len(text) <= FOLDED_AT_ONCE_CHARS else fold_space(text)
                    if not piece:  # half the texts of a page are white space between tags, which counts as one character
                        unfolded += 1
                        if not spaced:
                            add_piece(" ")
                            size += 1
                            spaced = True
                        continue
                    unfolded += len(text)
                    if len(piece) == len(text):
                        spaced = False
                    else:  # there is white space at an edge, or more than one character in a row
                        before = " " if not spaced and text[0].isspace() else ""
                        spaced = text[-1].isspace()
                        piece = f"{before}{piece} " if spaced else before + piece
                    add_piece(piece)
                    size += len(piece)
                continue
            if order == MAX_ELEMENTS:
                self.cut = True
                break
            depth += 1
            if depth > self.max_depth:  # noqa: PLR1730 - max would be one more function call for each element
                self.max_depth = depth
            tag = node.tag
            add_node(node)
            add_tag(tag)
            add_parent(at)
            add_end(0)  # placeholder until the element closes
            add_stop(0)
            shown = shown and tag not in unread_tags
            block = shown and tag in block_tags
            add_start(size if shown else NOT_SHOWN)
            add_is_block(block)
            add_size(unfolded)
            if block:
                unfolded += 1
                if not spaced:
                    add_piece(" ")
                    size += 1
                    spaced = True
            innermost, at = node, order
            order += 1
        while at >= 0:  # elements that are still open at the end of the page
            if is_block[at]:
                unfolded += 1
                if not spaced:
                    add_piece(" ")
                    size += 1
                    spaced = True
            ends[at] = order
            stops[at] = size
            sizes[at] = unfolded - sizes[at]
            at = parents[at]
        self.shown = "".join(pieces)
        return parents, ends, starts, stops, sizes


def shown_strings(root: Any) -> Iterator[str]:
    """Yield texts below a node in order, with a space around blocks."""
    return strings(root, lambda node: "" if node.tag in UNREAD_TAGS else None)


def strings(root: Any, substitute: Callable[[Any], str | None]) -> Iterator[str]:
    """Yield the texts below a node, and for elements with a substitute the substitute."""
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, turbohtml.Text):
            yield node.data
        elif isinstance(node, turbohtml.Element):
            instead = None if node is root else substitute(node)
            if instead is not None:
                yield instead
                continue
            block = node.tag in BLOCK_TAGS
            if block:
                stack.append(" ")
            yield " " if block else ""  # an empty piece, so that a limit on the number of pieces takes effect
            stack.extend(reversed(node.children))


def doctype_of(tree: Any) -> tuple[str, str, str] | None:
    """Return the doctype as (name, public id, system id), None without one."""
    for node in tree.children:
        if isinstance(node, turbohtml.Doctype):
            return node.name or "", node.public_id or "", node.system_id or ""
    return None


def detect_language(text: str) -> tuple[str, float]:
    """Return (ISO 639-3 code, confidence 0–1) of a text; an empty code if the language is unclear."""
    match = _detect.detect_language(text)
    return match.language or "", match.confidence


def fragment_elements(markup: str) -> list[Mapping[str, Any]]:
    """Return the elements of a piece of markup, such as a noscript's content: ``{"tag": …, "attrs": {…}}`` in order."""
    found: list[Mapping[str, Any]] = []
    for node in turbohtml.parse_fragment(markup[: readable_chars(markup)]).iter_elements():
        attrs = {name: (" ".join(value) if isinstance(value, list) else value or "") for name, value in node.attrs.items()}
        found.append({"tag": node.tag, "attrs": attrs})
    return found
