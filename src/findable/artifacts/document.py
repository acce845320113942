"""The parsed page. The ONLY module that knows the HTML parser (turbohtml, WHATWG tree construction).

The tree is the one a browser with scripting builds: ``<noscript>`` holds raw text, ``<template>`` contents are inert and not
part of anything here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import turbohtml
from turbohtml import detect as _detect

from findable.artifacts.capture import Capture
from findable.artifacts.charset import Charset
from findable.artifacts.gather import Absent, artifact
from findable.urls import join, parse

HTML_TYPES = ("text/html", "application/xhtml+xml")
SNIPPET_CHARS = 240
SNIPPET_PIECES = 2000
"""Texts and block boundaries that a snippet reads at most: a million empty elements have no beginning of a text."""
SNIPPET_PIECE_CHARS = 10_000
"""What is read of one text."""
VOID_TAGS = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
_TEXT_IN_SNIPPET_CHARS = 100
NAME_CHARS = 300
"""An accessible name is cut there; nobody listens to a longer one."""
MAX_FAULTS = 1000
"""Parse errors that are kept."""
NAME_NODES = 400
"""So many nodes are looked at for a name."""


class Element:
    """One element, with where it stands. Two are equal when they are the same element of one document."""

    __slots__ = ("_node", "_page")

    def __init__(self, node: Any, page: "Document") -> None:
        self._node = node
        self._page = page

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and bool(self._node == other._node)

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<Element {self.snippet!r}>"

    @property
    def tag(self) -> str:
        """Local name, lower case for HTML."""
        return str(self._node.tag)

    @property
    def namespace(self) -> str:
        """``html``, ``svg`` or ``mathml``."""
        return str(self._node.namespace.value)

    def attr(self, name: str) -> str | None:
        """The attribute's value, empty where it stands alone, None where it is missing."""
        value = self._node.attrs.get(name)
        if value is None:
            return "" if name in self._node.attrs else None
        return " ".join(value) if isinstance(value, list) else value

    @property
    def attrs(self) -> Mapping[str, str]:
        """All attributes."""
        return {name: (" ".join(value) if isinstance(value, list) else value or "") for name, value in self._node.attrs.items()}

    @property
    def text(self) -> str:
        """Text content without script, style and template, white space folded."""
        return self._page.text_of(self._node)

    def text_up_to(self, chars: int) -> str:
        """The first characters of `text`, read no further than needed."""
        return self._page.beginning_of(self._node, chars)

    @property
    def name_text(self) -> str:
        """What the content says to a screen reader: text, alt texts, ``aria-label`` of descendants, titles of drawings; hidden parts out.

        White space folded, cut at NAME_CHARS (W3C Accessible Name 1.2, step 2F, as far as markup tells).
        """
        return self._page.name_text_of(self._node)

    @property
    def raw_text(self) -> str:
        """Text content as it stands (what a script or style holds)."""
        return str(self._node.text)

    @property
    def parent(self) -> "Element | None":
        """The parent element, None for the root."""
        parent = self._node.parent
        return Element(parent, self._page) if isinstance(parent, turbohtml.Element) else None

    @property
    def ancestors(self) -> Iterator["Element"]:
        """From the parent up to the root."""
        for node in self._node.ancestors:
            if isinstance(node, turbohtml.Element):
                yield Element(node, self._page)

    @property
    def children(self) -> list["Element"]:
        """Child elements in order."""
        return [Element(node, self._page) for node in self._node.children if isinstance(node, turbohtml.Element)]

    def descendants(self, *tags: str) -> list["Element"]:
        """Descendant elements of those tags (all where none is named) in document order."""
        wanted = frozenset(tags)
        return [Element(node, self._page) for node in self._node.iter_elements() if not wanted or node.tag in wanted]

    def first_descendants(self, count: int) -> list["Element"]:
        """The first descendants in document order, at most ``count``; the rest is not walked."""
        return [Element(node, self._page) for node in islice(self._node.iter_elements(), count)]

    def select(self, selector: str) -> list["Element"]:
        """Descendants that match a CSS selector. Costs more than walking `Document.all`."""
        return [Element(node, self._page) for node in self._node.select(selector)]

    @property
    def line(self) -> int | None:
        """1-based line in the source, None for an element the source does not hold (an implied body)."""
        line: int | None = self._node.source_line
        return line

    @property
    def column(self) -> int | None:
        """1-based column, in characters."""
        column = self._node.source_col
        return None if column is None else column + 1

    @property
    def selector(self) -> str:
        """A CSS selector that finds exactly this element."""
        return str(self._node.css_path())

    @property
    def start_tag(self) -> str:
        """The start tag as written, cut at SNIPPET_CHARS; rebuilt where the source does not hold it."""
        return self._page.start_tag_of(self._node)

    @property
    def snippet(self) -> str:
        """The start tag as written and the beginning of the text."""
        if self.tag in VOID_TAGS or self.tag == "html":  # the text of the root is the page's
            return self.start_tag
        text = self._page.beginning_of(self._node, _TEXT_IN_SNIPPET_CHARS + 1)
        shown = text if len(text) <= _TEXT_IN_SNIPPET_CHARS else text[:_TEXT_IN_SNIPPET_CHARS] + "…"
        return f"{self.start_tag}{shown}</{self.tag}>" if self.start_tag.endswith(">") else self.start_tag


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A parse error as the HTML Standard names it, e.g. ``eof-in-comment``; 1-based line and column."""

    code: str
    line: int
    column: int


class Document:
    """The tree of one page, walked once."""

    def __init__(self, text: str, url: str) -> None:
        self.source = text
        """The page as decoded text with LF newlines."""
        self.url = url
        """The final address."""
        self._tree = turbohtml.parse(text, positions=True, scripting=True, allow_declarative_shadow_roots=False)
        self._walk()

    def _walk(self) -> None:
        by_tag: dict[str, list[Any]] = {}
        nodes = list(self._tree.iter_elements())
        for node in nodes:
            by_tag.setdefault(node.tag, []).append(node)
        if "template" in by_tag:  # what is inside is inert, and so is everything below it
            nodes = _live(self._tree, nodes)
            by_tag = {}
            for node in nodes:
                by_tag.setdefault(node.tag, []).append(node)
        self._by_tag = by_tag
        self._nodes_in_order = nodes
        self.element_count = len(nodes)
        self._line_starts = [0]

    @cached_property
    def _order(self) -> dict[Any, int]:
        return {node: index for index, node in enumerate(self._nodes_in_order, 1)}

    @cached_property
    def _shape(self) -> tuple[int, dict[Any, int]]:
        """The greatest depth, and how many child elements each node has."""
        depth: dict[Any, int] = {self._tree: 0}
        widths: dict[Any, int] = {}
        for node in self._nodes_in_order:
            parent = node.parent
            depth[node] = depth[parent] + 1
            widths[parent] = widths.get(parent, 0) + 1
        return max(depth.values()), widths

    @property
    def max_depth(self) -> int:
        """How deep the deepest element stands; the root element stands at 1."""
        return self._shape[0]

    def all(self, *tags: str, limit: int | None = None) -> list[Element]:
        """Elements of those tags in document order; any namespace (see `Element.namespace`).

        With ``limit`` the first so many of each tag, the rest is not looked at.
        """
        if len(tags) == 1:
            return [Element(node, self) for node in self._by_tag.get(tags[0], ())[:limit]]
        nodes = [node for tag in tags for node in self._by_tag.get(tag, ())[:limit]]
        return [Element(node, self) for node in sorted(nodes, key=self._order.__getitem__)]

    def last(self, tag: str) -> Element | None:
        """The last element of that tag, None where there is none."""
        nodes = self._by_tag.get(tag)
        return Element(nodes[-1], self) if nodes else None

    def everything(self) -> Iterator[Element]:
        """Every element in document order. Walks the whole tree: prefer `all`."""
        for node in self._nodes_in_order:
            yield Element(node, self)

    def position(self, element: Element) -> int:
        """The element's place in document order."""
        return self._order.get(element._node, -1)  # noqa: SLF001 - one class in two halves

    @property
    def tag_counts(self) -> Mapping[str, int]:
        """How many elements of each tag."""
        return {tag: len(nodes) for tag, nodes in self._by_tag.items()}

    @cached_property
    def widest(self) -> tuple[Element | None, int]:
        """The element with the most child elements, and how many."""
        widths = self._shape[1]
        if not widths:
            return None, 0
        node, width = max(widths.items(), key=lambda pair: pair[1])
        return (Element(node, self) if isinstance(node, turbohtml.Element) else None), width

    def select(self, selector: str) -> list[Element]:
        """Elements that match a CSS selector, template contents left out. Costs more than `all`."""
        return [Element(node, self) for node in self._tree.select(selector) if node in self._order]

    def xpath(self, expression: str) -> list[Element]:
        """Elements that match an XPath, template contents left out."""
        return [Element(node, self) for node in self._nodes(expression) if isinstance(node, turbohtml.Element) and node in self._order]

    def _nodes(self, expression: str) -> list[Any]:
        """What an XPath yields as nodes; empty where it yields a number or a string."""
        found = self._tree.xpath(expression)
        return list(found) if isinstance(found, list) else []

    @cached_property
    def html(self) -> Element:
        """The root element."""
        return self.all("html")[0]

    @cached_property
    def head(self) -> Element:
        """The head; every document has one."""
        return self.all("head")[0]

    @cached_property
    def body(self) -> Element | None:
        """The body, None in a frameset document."""
        return next(iter(self.all("body")), None)

    def in_head(self, element: Element) -> bool:
        """Whether the element stands in the head of the tree that browsers build."""
        head = self.head
        return any(ancestor == head for ancestor in element.ancestors)

    @cached_property
    def base_url(self) -> str:
        """What relative URLs are resolved against: the first ``<base href>`` with an http(s) URL, else the final address."""
        for base in self.all("base"):
            href = base.attr("href")
            if href is not None:
                url = parse(href.strip(), self.url)
                return url.href if url and url.is_http else self.url
        return self.url

    def resolve(self, href: str) -> str | None:
        """The absolute URL that an attribute of this page means, None where it means none."""
        return join(self.base_url, href.strip())

    @cached_property
    def text(self) -> str:
        """Visible text of the body as far as markup tells, white space folded; script, style, template and noscript left out."""
        body = self.body
        return body.text if body else ""

    def text_outside(self, tags: frozenset[str]) -> str:
        """Like `text`, without the elements of those tags."""
        body = self.body
        return " ".join("".join(_shown_strings(body._node, tags)).split()) if body else ""  # noqa: SLF001 - one class in two halves

    @cached_property
    def main_text(self) -> str:
        """Text of the main content, boilerplate off; the parser's own heuristic. Empty where there is none."""
        return " ".join(self._tree.main_text().split())

    def text_of(self, node: Any) -> str:
        """Folded text of a parser node, without what is never shown."""
        return " ".join("".join(_shown_strings(node)).split())

    def beginning_of(self, node: Any, chars: int) -> str:
        """The first characters of `text_of`; reads no further than it must, since a snippet may be of the whole body."""
        parts: list[str] = []
        certain = 0  # characters that folding cannot take away
        for whole in _shown_strings(node):
            piece = whole[:SNIPPET_PIECE_CHARS]
            parts.append(piece)
            certain += sum(map(len, piece.split()))
            if certain >= chars or len(parts) >= SNIPPET_PIECES:
                break
        return " ".join("".join(parts).split())[:chars]

    def name_text_of(self, node: Any) -> str:
        """Folded accessible text of a parser node's content, cut at NAME_CHARS."""
        children = node.children
        if len(children) == 1 and isinstance(children[0], turbohtml.Text):  # nearly every link
            return " ".join(children[0].data[: NAME_CHARS * 4].split())[:NAME_CHARS]
        parts: list[str] = []
        size = 0
        for piece in _named_strings(node):
            parts.append(piece[:NAME_CHARS])
            size += len(piece)
            if size > NAME_CHARS * 4:
                break
        return " ".join("".join(parts).split())[:NAME_CHARS]

    def start_tag_of(self, node: Any) -> str:
        """The start tag of a parser node as written."""
        start = self._offset(node)
        return f"<{node.tag}>" if start is None else _cut_tag(self.source, start)

    def offset(self, element: Element) -> int | None:
        """Where the element's start tag stands in `source`; None where the source does not hold it."""
        return self._offset(element._node)  # noqa: SLF001 - one class in two halves

    def _offset(self, node: Any) -> int | None:
        line, column = node.source_line, node.source_col
        if line is None or column is None:
            return None
        start = self._line_start(line)
        return None if start is None else start + int(column)

    def _line_start(self, line: int) -> int | None:
        """Where a line begins, None where there are not so many; read only as far as was asked for."""
        starts = self._line_starts
        while len(starts) < line:
            end = self.source.find("\n", starts[-1])
            if end < 0:
                return None
            starts.append(end + 1)
        return starts[line - 1]

    @cached_property
    def faults(self) -> tuple[SyntaxFault, ...]:
        """Parse errors, in order; the parser collects a bounded number."""
        return tuple(SyntaxFault(fault.code, fault.line, fault.col + 1) for fault in self._tree.errors[:MAX_FAULTS])

    @cached_property
    def doctype(self) -> tuple[str, str, str] | None:
        """(name, public id, system id), None without a doctype."""
        for node in self._tree.children:
            if isinstance(node, turbohtml.Doctype):
                return node.name or "", node.public_id or "", node.system_id or ""
        return None

    def comments(self) -> list[str]:
        """The comments' texts."""
        return [str(node.data) for node in self._nodes("//comment()")]

    def microdata(self) -> list[Any]:
        """Top-level microdata items as the parser reads them."""
        return list(self._tree.microdata())

    def rdfa(self) -> list[Any]:
        """RDFa items as the parser reads them."""
        return list(self._tree.rdfa())


_NEVER_SHOWN = frozenset(
    {"script", "style", "template", "noscript", "iframe", "noembed", "noframes", "object", "textarea", "select", "title"}
)
# fmt: off
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "button", "caption", "center", "dd", "details", "dialog", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "legend", "li", "main",
    "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})
# fmt: on


def _live(tree: Any, nodes: list[Any]) -> list[Any]:
    """Those of the nodes, in document order, that no template holds."""
    known = {tree}
    found = []
    for node in nodes:
        if node.parent in known:
            known.add(node)
            found.append(node)
    return found


def _shown_strings(root: Any, left_out: frozenset[str] = frozenset()) -> Iterator[str]:
    """Texts below a node in order, a space around blocks; iterative, for documents of any depth."""
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        kind = type(node)  # the parser's node types have no subclasses; isinstance costs a third of the walk
        if kind is turbohtml.Text:
            yield node.data
        elif kind is str:
            yield node
        elif kind is turbohtml.Element:
            tag = node.tag
            if (tag in _NEVER_SHOWN or tag in left_out) and node is not root:
                continue
            block = tag in _BLOCKS
            if block:
                yield " "
                stack.append(" ")
            else:
                yield ""  # a step that a reader of the beginning can count
            stack.extend(reversed(node.children))


def _named_strings(root: Any) -> Iterator[str]:
    """Like `_shown_strings`, with what stands in for pictures and labelled parts."""
    stack: list[Any] = [root]
    for _ in range(NAME_NODES):
        if not stack:
            return
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, turbohtml.Text):
            yield node.data
        elif isinstance(node, turbohtml.Element):
            if node is not root:
                instead = _stand_in(node)
                if instead is not None:
                    yield f" {instead} "
                    continue
            if node.tag in _BLOCKS:
                yield " "
                stack.append(" ")
            stack.extend(reversed(node.children))


def _stand_in(node: Any) -> str | None:
    """What is read instead of the element's content; empty where nothing is, None where the content is read."""
    attrs, tag = node.attrs, node.tag
    if attrs:
        if attrs.get("aria-hidden") == "true" or "hidden" in attrs:
            return ""
        label = attrs.get("aria-label")
        if label and label.strip():
            return str(label)
        if tag in ("img", "area") or (tag == "input" and attrs.get("type") == "image"):
            return attrs.get("alt") or attrs.get("title") or ""
    if tag == "title" and node.namespace.value == "svg":
        return None
    return "" if tag in _NEVER_SHOWN else None


def _cut_tag(source: str, start: int) -> str:
    """The tag that begins at ``start``, quotes honoured, cut at SNIPPET_CHARS."""
    quote = ""
    limit = min(len(source), start + SNIPPET_CHARS)
    for at in range(start, limit):
        char = source[at]
        if quote:
            if char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == ">":
            return source[start : at + 1]
    return source[start:limit] + "…"


def detect_language(text: str) -> tuple[str, float]:
    """(ISO 639-3 code, confidence 0–1) of a text; an empty code where nothing can be said."""
    match = _detect.detect_language(text)
    return match.language or "", match.confidence


def fragment_elements(markup: str) -> list[Mapping[str, Any]]:
    """Elements of a piece of markup, such as a noscript's content: ``{"tag": …, "attrs": {…}}`` in order."""
    found: list[Mapping[str, Any]] = []
    for node in turbohtml.parse_fragment(markup).iter_elements():
        attrs = {name: (" ".join(value) if isinstance(value, list) else value or "") for name, value in node.attrs.items()}
        found.append({"tag": node.tag, "attrs": attrs})
    return found


@artifact
def make_document(capture: Capture, charset: Charset) -> Document | Absent:
    """Parses the page, where it is a 2xx HTML answer with a body; on-page questions do not arise elsewhere."""
    response = capture.response
    if not 200 <= response.status < 300:  # noqa: PLR2004 - HTTP's success class
        return Absent("the page answered {status}: its content was not judged", params={"status": response.status})
    media_type = charset.header_line.partition(";")[0].strip().lower()
    if media_type and media_type not in HTML_TYPES and not looks_like_html(response.body):
        return Absent("the answer is {media_type}, not HTML", params={"media_type": media_type})
    return Document(charset.text, response.final_url)


def looks_like_html(body: bytes) -> bool:
    """Whether the bytes would be sniffed as HTML (WHATWG MIME Sniffing 7.1, shortened)."""
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n\x0c").lower()
    return start.startswith(
        (
            b"<!doctype html",
            b"<html",
            b"<head",
            b"<script",
            b"<title",
            b"<body",
            b"<!--",
            b"<div",
            b"<h1",
            b"<p",
            b"<meta",
            b"<table",
            b"<a ",
        )
    )
