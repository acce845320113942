"""The parsed page: its elements, their texts and places."""

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from sys import getsizeof
from typing import Any

from msgspec import Struct

from findable.artifacts.html.parse_tree import (
    NAME_CHARS,
    NAME_READ_CHARS,
    NO_ORDERS,
    NOT_SHOWN,
    SUBSTITUTED_TAGS,
    TreeWalk,
    cut_name,
    doctype_of,
    is_element,
    named_strings,
    shown_strings,
    substitute_text,
    tree_of,
)
from findable.formats.parse_budget import readable_chars
from findable.urls import join, parse
from findable.values import once

SNIPPET_CHARS = 240
SNIPPET_PIECES = 2000
"""Maximum number of texts and block boundaries that a snippet reads: a million empty elements may come before the first text."""
MAX_SNIPPET_CHARS = 20_000
"""Maximum characters that are read to find the beginning of the text, white space included."""
LINE_BLOCK_CHARS = 512
"""Block size for counting lines."""
VOID_TAGS = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
MAX_TWINS = 5_000
"""Elements of one tag that are compared with those of the page as it was sent."""
MAX_TAG_CHARS = 4000
"""Length above which a start tag is not rewritten."""
_TEXT_IN_SNIPPET_CHARS = 100
OMITTED = " … "
"""Content without text in a snippet. The spaces tell it apart from an ellipsis of the page, whose text is trimmed."""
MAX_SHOWN_BYTES = 7_000_000
"""Memory limit of the shown text: seven million ASCII characters, half as many with typographic quotes. A novel has three million."""
MAX_FAULTS = 1000
"""Parse errors that are stored."""
ENDING_FAULTS = 20
"""Number of last parse errors that the end of the page may cause."""
NAME_NODES = 400
"""Nodes that are read for a name."""
FOLDED_AT_ONCE_CHARS = 100_000
"""Size of the pieces in which a long text is folded: the list of all its words would take ten times its memory."""
LABELLING_ATTRIBUTES = ("aria-labelledby", "aria-label")
"""Attributes that name an element whatever its content."""
RARE_ATTRIBUTES = frozenset(
    {
        *("role", "style", "for", "headers", "list", "form", "aria-describedby", "aria-controls", "aria-owns"),
        *LABELLING_ATTRIBUTES,
        *("itemscope", "typeof", "data-nosnippet", "routerlink", "ui-sref"),
        *("lang", "hidden", "inert", "aria-hidden", "itemprop"),
    }
)
"""Attributes by which elements of any tag are searched, and that few elements have."""
_WITH_RARE_ATTRIBUTE = ",".join(f"[{name}]" for name in sorted(RARE_ATTRIBUTES))
CONTEXT_ATTRIBUTES = ("role", "lang", "hidden", "inert", "aria-hidden", "style")
"""Attributes that change the context of descendants: their landmark, their language, whether they are hidden."""
MAX_RAW_CHARS = 1_000_000
"""Characters of scripts and styles that are kept as read: the parser makes another copy each time it is asked."""
MAX_VALUES_CHARS = 100_000
"""Characters of an attribute's values up to which they are kept: images inside attributes are not."""
_SPACE = re.compile(r"\s")
_DOCTYPE = re.compile(r"\s*+(?:(?:<!--(?:(?!-->).)*+-->|<\?[^>]*+>)\s*+)*+(?P<doctype><!doctype[^>]*+>?)", re.IGNORECASE | re.DOTALL)


class Element(Struct, frozen=True, eq=False, gc=False):
    """One element and its position. Two are equal if they are the same element of one document.

    This is a thin handle, made on demand: a document that stored its elements would form a reference cycle, whose memory only the garbage
    collector frees.
    """

    document: "Document"
    _node: Any
    order: int
    """Position in document order, from 0."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self.order == other.order and self.document is other.document

    def __hash__(self) -> int:
        return self.order

    def __repr__(self) -> str:
        return f"<Element {self.snippet!r}>"

    @property
    def tag(self) -> str:
        """Local name, lower case for HTML."""
        return self.document._tags[self.order]  # noqa: SLF001 - Element and Document belong together, and this is read most

    @property
    def namespace(self) -> str:
        """Namespace: ``html``, ``svg`` or ``mathml``."""
        value: str = self._node.namespace._value_
        return value

    def attr(self, name: str) -> str | None:
        """Return the attribute's value, empty if it has none, None if it is missing."""
        value: str | None = self._node.attr(name)
        return value

    @property
    def attrs(self) -> Mapping[str, str]:
        """All attributes. `attr` is cheaper for one or two of them."""
        return self.document.attrs_of(self.order)

    @property
    def attr_names(self) -> Iterable[str]:
        """Names of all attributes, for elements whose values are rarely read."""
        return self._node.attrs  # type: ignore[no-any-return] # the parser has no types

    @property
    def has_attrs(self) -> bool:
        """Whether it has any attribute."""
        return bool(self._node.attrs)

    @property
    def text(self) -> str:
        """Text content without script, style and template, white space folded."""
        return self.document.text_of(self)

    def text_up_to(self, chars: int) -> str:
        """Return the first characters of `text`, without reading further."""
        return self.document.beginning_of(self, chars)

    @property
    def name_text(self) -> str:
        """Content as a screen reader speaks it: text, alt texts, ``aria-label`` of descendants, titles of drawings; without hidden parts.

        White space is folded, and the text cut at NAME_CHARS (W3C Accessible Name 1.2, step 2F, as far as markup determines it).
        """
        return self.document.name_text_of(self)

    @property
    def raw_text(self) -> str:
        """Unprocessed text content, such as the content of a script or style."""
        return self.document.raw_text_of(self)

    @property
    def parent(self) -> "Element | None":
        """Parent element, None for the root."""
        return self.document.parent_of(self.order)

    @property
    def ancestors(self) -> Iterator["Element"]:
        """Ancestors from the parent up to the root."""
        document, parents = self.document, self.document.parents
        nodes = document._nodes  # noqa: SLF001 - a call for each ancestor would cost as much as the rest
        at = parents[self.order]
        while at >= 0:
            yield Element(document, nodes[at], at)
            at = parents[at]

    @property
    def children(self) -> list["Element"]:
        """Child elements in order."""
        return self.document.children_of(self)

    def descendants(self, *tags: str) -> list["Element"]:
        """Return descendant elements with these tags (all if none is given) in document order."""
        inside = self.document.inside(self)
        return [element for element in inside if element.tag in tags] if tags else inside

    def first_descendants(self, count: int) -> list["Element"]:
        """Return the first ``count`` descendants in document order, without walking the rest."""
        return self.document.inside(self, count)

    def select(self, selector: str) -> list["Element"]:
        """Return descendants that match a CSS selector. Slower than `Document.all`."""
        return self.document.known(self._node.select(selector))

    @property
    def line(self) -> int | None:
        """Line in the source, from 1; None for an element that is not in the source (an implied body)."""
        element = self.as_sent
        return None if element is None else element.document.place_of(element)[0]

    @property
    def column(self) -> int | None:
        """Column in characters, from 1."""
        element = self.as_sent
        column = None if element is None else element.document.place_of(element)[1]
        return None if column is None else column + 1

    @property
    def as_sent(self) -> "Element | None":
        """Equal element of the page as it was sent: itself unless this is the document after scripts; None without one."""
        return self if self.document.sent is None else self.document.twin_of(self)

    @property
    def selector(self) -> str:
        """CSS selector that matches only this element."""
        known = self.document.selectors
        if self.order not in known:
            known[self.order] = str(self._node.css_path())
        return known[self.order]

    @property
    def start_tag(self) -> str:
        """Start tag as written, cut at SNIPPET_CHARS; rebuilt if it is not in the source."""
        return self.document.start_tag_of(self)

    @property
    def whole_start_tag(self) -> str | None:
        """Start tag as written, None if it is not in the source or has no end within MAX_TAG_CHARS."""
        return self.document.whole_start_tag_of(self)

    @property
    def snippet(self) -> str:
        """Start tag as written and the beginning of the text, `OMITTED` for content that has none."""
        known = self.document.snippets
        if self.order not in known:
            known[self.order] = self._snippet()
        return known[self.order]

    def _snippet(self) -> str:
        start_tag = self.start_tag
        if self.tag in VOID_TAGS or self.tag == "html" or not start_tag.endswith(">"):  # the text of the root is the page's
            return start_tag
        text = self.document.beginning_of(self, _TEXT_IN_SNIPPET_CHARS + 1)
        shown = text if len(text) <= _TEXT_IN_SNIPPET_CHARS else text[:_TEXT_IN_SNIPPET_CHARS] + "…"
        if not text and self.document.holds_anything(self):
            shown = OMITTED
        return f"{start_tag}{shown}</{self.tag}>"


class SyntaxFault(Struct, frozen=True):
    """Parse error by its name in the HTML Standard, e.g. ``eof-in-comment``; 1-based line and column."""

    code: str
    line: int
    column: int


class Outline(Struct, frozen=True):
    """Elements of a page as parallel sequences by position in document order, for code that reads all of them."""

    tags: Sequence[str]
    parents: Sequence[int]
    """Position of each element's parent, -1 for the root."""
    ends: Sequence[int]
    """Position after the element's last descendant."""
    text_starts: Sequence[int]
    """Offset in `shown` at which the element's text begins, NOT_SHOWN if it is never shown."""
    text_ends: Sequence[int]
    shown: str
    """Shown text of the page, not folded."""


class Document:
    """Tree of one page, walked once; later queries are look-ups."""

    def __init__(self, text: str, url: str, sent: "Document | None" = None) -> None:
        self.sent = sent
        """The page as it was sent, if this is the document after its scripts ran."""
        self._twins: dict[str, Mapping[int, int]] = {}
        self.source = text[: readable_chars(text)]
        """Decoded text with LF newlines, as far as it was parsed."""
        self.is_whole = len(self.source) == len(text)
        """Whether all of the text was parsed."""
        self.url = url
        """Final URL."""
        self._tree = tree_of(self.source)
        walk = TreeWalk(self._tree)
        self._nodes, self._tags, self._by_tag = walk.nodes, walk.tags, dict(walk.by_tag)
        self.parents = walk.parents
        """Position of each element's parent, -1 for the root."""
        self._ends, self._text_starts, self._text_ends = walk.ends, walk.text_starts, walk.text_ends
        self._shown = "".join(walk.pieces)
        self._attrs: dict[int, dict[str, str]] = {}
        self._values: dict[tuple[str, str], list[tuple[int, str | None]]] = {}
        self._raw_texts: dict[int, str] = {}
        self._raw_chars = 0
        self.snippets: dict[int, str] = {}
        """Snippets of quoted elements by position: several checks quote the same title or image."""
        self.selectors: dict[int, str] = {}
        """Selectors of quoted elements by position."""
        self.element_count = len(walk.nodes)
        self.max_depth = walk.max_depth
        """Depth of the deepest element; the root element has depth 1."""
        self.cut = walk.cut
        """Whether there are more than MAX_ELEMENTS; the rest is unknown here."""
        self.shows_too_much = getsizeof(self._shown) > MAX_SHOWN_BYTES
        """Whether the page shows more text than is analysed."""
        self._lines_before = array("l", [0])  # each block of LINE_BLOCK_CHARS

    @once
    def _orders(self) -> dict[Any, int]:
        return {node: order for order, node in enumerate(self._nodes)}

    def _elements(self, orders: Iterable[int]) -> list[Element]:
        nodes = self._nodes
        return [Element(self, nodes[order], order) for order in orders]

    def known(self, nodes: Iterable[Any], limit: int | None = None) -> list[Element]:
        """Return the elements of parser nodes, at most ``limit``, without template contents."""
        orders = self._orders
        return self._elements(islice((orders[node] for node in nodes if node in orders), limit))

    def all(self, *tags: str, limit: int | None = None) -> list[Element]:
        """Return elements with these tags in document order, of any namespace (see `Element.namespace`).

        ``limit`` applies to each tag; the rest is not read.
        """
        if len(tags) == 1:
            return self._elements(self._by_tag.get(tags[0], NO_ORDERS)[:limit])
        return self._elements(sorted(chain.from_iterable(self._by_tag.get(tag, NO_ORDERS)[:limit] for tag in tags)))

    def values(self, tag: str, attribute: str, limit: int | None = None) -> list[tuple[int, str | None]]:
        """Return position and attribute value of a tag's elements, at most ``limit``. Cheaper than `all` if few elements matter."""
        found = self._values.get((tag, attribute))
        if found is None:
            nodes = self._nodes
            found = [(order, nodes[order].attr(attribute)) for order in self._by_tag.get(tag, NO_ORDERS)]
            if sum(len(value) for _, value in found if value) <= MAX_VALUES_CHARS:
                self._values[tag, attribute] = found
        return found[:limit]

    @once
    def _holders(self) -> Mapping[str, list[int]]:
        """Positions of the elements that have each of the RARE_ATTRIBUTES, collected in one pass."""
        orders = self._orders
        holders: dict[str, list[int]] = {}
        for node in self._tree.select(_WITH_RARE_ATTRIBUTE):
            order = orders.get(node)
            if order is not None:
                for name in RARE_ATTRIBUTES.intersection(node.attrs):
                    holders.setdefault(name, []).append(order)
        return holders

    def holders(self, *attributes: str, limit: int | None = None) -> list[Element]:
        """Return elements that have one of these RARE_ATTRIBUTES, in document order, at most ``limit``."""
        return self._elements(sorted(set().union(*(self._holders.get(name, ()) for name in attributes)))[:limit])

    @once
    def with_context(self) -> frozenset[int]:
        """Positions of elements with one of the CONTEXT_ATTRIBUTES."""
        return frozenset(chain.from_iterable(self._holders.get(name, ()) for name in CONTEXT_ATTRIBUTES))

    @once
    def labelled(self) -> frozenset[int]:
        """Positions of elements with one of the LABELLING_ATTRIBUTES."""
        return frozenset(chain.from_iterable(self._holders.get(name, ()) for name in LABELLING_ATTRIBUTES))

    @once
    def styled(self) -> frozenset[int]:
        """Positions of elements with a style attribute."""
        return frozenset(self._holders.get("style", ()))

    @once
    def styles(self) -> list[tuple[int, str]]:
        """Return position and value of each style attribute, in order."""
        nodes = self._nodes
        return [(order, nodes[order].attr("style") or "") for order in self._holders.get("style", ())]

    def at(self, order: int) -> Element:
        """Return the element at that position."""
        return Element(self, self._nodes[order], order)

    def last(self, tag: str) -> Element | None:
        """Return the last element with that tag, None if there is none."""
        orders = self._by_tag.get(tag)
        return self._elements(orders[-1:])[0] if orders else None

    def everything(self) -> Iterator[Element]:
        """Yield every element in document order. Walks the whole tree: prefer `all`."""
        for order, node in enumerate(self._nodes):
            yield Element(self, node, order)

    def position(self, element: Element) -> int:
        """Return the element's position in document order, from 1."""
        return element.order + 1

    def tag_at(self, order: int) -> str:
        """Return the tag of the element at that position."""
        return self._tags[order]

    def class_and_id_at(self, order: int) -> tuple[str | None, str | None]:
        """Return the class and the id of the element at that position; each is None if it is missing."""
        attr = self._nodes[order].attr
        return attr("class"), attr("id")

    def attrs_of(self, order: int) -> Mapping[str, str]:
        """Return the attributes of the element at that position; cached, since many checks read those of links and images."""
        attrs = self._attrs.get(order)
        if attrs is None:
            items = self._nodes[order].attrs.items()
            attrs = {name: (" ".join(value) if isinstance(value, list) else value or "") for name, value in items}
            self._attrs[order] = attrs
        return attrs

    def parent_of(self, order: int) -> Element | None:
        """Return the parent of the element at that position."""
        parent = self.parents[order]
        return None if parent < 0 else Element(self, self._nodes[parent], parent)

    def inside(self, element: Element, limit: int | None = None) -> list[Element]:
        """Return the element's descendants in document order, at most ``limit``."""
        start, end = element.order + 1, self._ends[element.order]
        return self._elements(range(start, end if limit is None else min(end, start + limit)))

    def holds_anything(self, element: Element) -> bool:
        """Return whether an element is not empty: it has an element inside, or text of any kind, such as a script."""
        return self._ends[element.order] > element.order + 1 or bool(element.raw_text.strip())

    def children_of(self, element: Element) -> list[Element]:
        """Return the element's child elements in order."""
        found = []
        at, end = element.order + 1, self._ends[element.order]
        while at < end:
            found.append(at)
            at = self._ends[at]
        return self._elements(found)

    @once
    def tag_counts(self) -> Mapping[str, int]:
        """Number of elements by tag."""
        return {tag: len(orders) for tag, orders in self._by_tag.items()}

    @once
    def _widest(self) -> tuple[int, int]:
        widths = Counter(self.parents)
        order = max(widths, key=widths.__getitem__)  # the first of several: children are counted in document order
        return widths[order], order

    @property
    def widest(self) -> tuple[Element | None, int]:
        """Element with the most child elements (None for the document itself), and their number."""
        count, order = self._widest
        return (Element(self, self._nodes[order], order) if order >= 0 else None), count

    @once
    def _widest_shown(self) -> tuple[int, int]:
        if (body := self.body) is None:
            return 0, -1
        widths = Counter(self.parents[body.order + 1 : self._ends[body.order]])
        end = 0
        for code in self.all("pre"):
            for order in range(max(end, code.order), self._ends[code.order]):
                widths.pop(order, None)
            end = max(end, self._ends[code.order])
        order = max(widths, key=widths.__getitem__, default=body.order)  # the first of several: children are counted in document order
        return widths[order], order

    @property
    def widest_shown(self) -> tuple[Element | None, int]:
        """Element of the body with the most child elements, code in ``<pre>`` aside (None without a body), and their number."""
        count, order = self._widest_shown
        return (Element(self, self._nodes[order], order) if order >= 0 else None), count

    def select(self, selector: str, limit: int | None = None) -> list[Element]:
        """Return elements that match a CSS selector, at most ``limit``, without template contents. Slower than `all`."""
        return self.known(self._tree.select(selector), limit)

    @property
    def has_content(self) -> bool:
        """Return whether the body has content, so that the head is complete."""
        body = self.body
        return body is not None and (self._ends[body.order] > body.order + 1 or bool(body.text))

    def knows_all(self, *tags: str) -> bool:
        """Return whether all elements with these tags, template contents included, are known here."""
        if not self.cut:
            return True
        return len(self._tree.select(",".join(tags))) == sum(len(self._by_tag.get(tag, NO_ORDERS)) for tag in tags)

    def count(self, selector: str) -> int:
        """Count elements that match a CSS selector, without template contents."""
        orders = self._orders
        return sum(node in orders for node in self._tree.select(selector))

    def xpath(self, expression: str) -> list[Element]:
        """Return elements that match an XPath, without template contents."""
        return self.known(filter(is_element, self._found(expression)))

    def _found(self, expression: str) -> list[Any]:
        """Return the nodes of an XPath; empty if it yields a number or a string."""
        found = self._tree.xpath(expression)
        return list(found) if isinstance(found, list) else []

    @property
    def html(self) -> Element:
        """Root element."""
        return self.all("html", limit=1)[0]

    @property
    def head(self) -> Element:
        """Head element; every document has one."""
        return self.all("head", limit=1)[0]

    @property
    def body(self) -> Element | None:
        """Body element, None in a frameset document."""
        return next(iter(self.all("body", limit=1)), None)

    def in_head(self, element: Element) -> bool:
        """Return whether the element is in the head of the tree that browsers build."""
        start = self._by_tag["head"][0]
        return start < element.order < self._ends[start]

    @once
    def base_url(self) -> str:
        """Base of relative URLs: the first ``<base href>`` with an http(s) URL, else the final URL."""
        for base in self.all("base"):
            href = base.attr("href")
            if href is not None:
                url = parse(href.strip(), self.url)
                return url.href if url and url.is_http else self.url
        return self.url

    def resolve(self, href: str) -> str | None:
        """Return the absolute URL of an attribute of this page, None if it has none."""
        return join(self.base_url, href.strip())

    @once
    def text(self) -> str:
        """Visible text of the body as far as markup determines it, white space folded; without script, style, template and noscript."""
        body = self.body
        return body.text if body else ""

    def holder_of(self, text: str) -> Element | None:
        """Return the innermost element around the first occurrence of a shown text; None if it is not shown in one piece."""
        start = self._shown.find(text)
        body = self.body
        if start < 0 or body is None:
            return None
        end, holder = start + len(text), body
        while (child := next((one for one in self.children_of(holder) if self._shows(one, start, end)), None)) is not None:
            holder = child
        return holder

    def _shows(self, element: Element, start: int, end: int) -> bool:
        """Return whether that part of the shown text belongs to the element."""
        return 0 <= self._text_starts[element.order] <= start and end <= self._text_ends[element.order]

    def text_outside(self, tags: frozenset[str]) -> str:
        """Return `text` without the elements of those tags."""
        body = self.body
        if body is None:
            return ""
        at, end = self._text_starts[body.order], self._text_ends[body.order]
        pieces = []
        for element in self.all(*tags):
            start = self._text_starts[element.order]
            if at <= start < end:  # shown, and not inside the previous one
                pieces.append(self._shown[at:start])
                at = self._text_ends[element.order]
        return folded("".join((*pieces, self._shown[at:end]))) if pieces else self.text

    @property
    def outline(self) -> Outline:
        """All elements and their texts."""
        return Outline(self._tags, self.parents, self._ends, self._text_starts, self._text_ends, self._shown)

    def text_of(self, element: Element) -> str:
        """Return the folded text of an element, without parts that are never shown."""
        start = self._text_starts[element.order]
        return folded(self._text_inside(element)) if start == NOT_SHOWN else folded(self._shown, start, self._text_ends[element.order])

    def raw_text_of(self, element: Element) -> str:
        """Return the unprocessed text content, kept up to MAX_RAW_CHARS of a page: several checks read each script and style."""
        text = self._raw_texts.get(element.order)
        if text is None:
            text = str(element._node.text)  # noqa: SLF001 - Element and Document belong together
            if self._raw_chars + len(text) <= MAX_RAW_CHARS:
                self._raw_chars += len(text)
                self._raw_texts[element.order] = text
        return text

    def _text_inside(self, element: Element, pieces: int | None = None) -> str:
        """Return the text of an element that is not shown on the page (a title, an option), at most ``pieces`` pieces."""
        return "".join(islice(shown_strings(element._node), pieces))  # noqa: SLF001 - one class in two halves

    def beginning_of(self, element: Element, chars: int) -> str:
        """Return the first characters of `text_of` without reading further, since a snippet may cover the whole body."""
        start = self._text_starts[element.order]
        if start == NOT_SHOWN:
            return " ".join(self._text_inside(element, SNIPPET_PIECES)[:MAX_SNIPPET_CHARS].split())[:chars]
        end = min(self._text_ends[element.order], start + MAX_SNIPPET_CHARS)
        read = 4 * chars
        while True:
            text = " ".join(self._shown[start : min(end, start + read)].split())
            if len(text) >= chars or start + read >= end:
                return text[:chars]
            read *= 4

    def name_text_of(self, element: Element) -> str:
        """Return the folded accessible text of an element's content, cut at NAME_CHARS."""
        at, end = self._text_starts[element.order], self._text_ends[element.order]
        if at == NOT_SHOWN:
            return cut_name(islice(named_strings(element._node), NAME_NODES))  # noqa: SLF001 - Element and Document belong together
        inside, last = element.order + 1, self._ends[element.order]
        if inside == last:  # text only, as in most links
            return " ".join(self._shown[at : min(end, at + NAME_READ_CHARS)].split())[:NAME_CHARS]
        pieces: list[str] = []
        for _ in range(NAME_NODES):
            if inside >= last:
                break
            if self._tags[inside] not in SUBSTITUTED_TAGS and inside not in self.with_context and inside not in self.labelled:
                inside += 1
                continue
            node = self._nodes[inside]
            instead = substitute_text(node)
            hidden = self._text_starts[inside] == NOT_SHOWN
            if instead is None and not hidden:
                inside += 1
                continue
            before = self._text_ends[inside] if hidden else self._text_starts[inside]
            pieces.append(self._shown[at : min(before, at + NAME_READ_CHARS)])
            pieces.append(node.text if instead is None else f" {instead} ")  # not shown, but read: the title of a drawing
            at, inside = self._text_ends[inside], self._ends[inside]
        return cut_name((*pieces, self._shown[at : min(end, at + NAME_READ_CHARS)]))

    def start_tag_of(self, element: Element) -> str:
        """Return the element's start tag as written."""
        start = self.offset(element)
        return f"<{element.tag}>" if start is None else _cut_tag(self.source, start)

    def whole_start_tag_of(self, element: Element) -> str | None:
        """Return the start tag as written, None if it is not in the source or has no end within MAX_TAG_CHARS."""
        start = self.offset(element)
        whole = _TAG.match(self.source, start, start + MAX_TAG_CHARS) if start is not None else None
        return whole.group() if whole else None

    def place_of(self, element: Element) -> tuple[int | None, int | None]:
        """Return line (from 1) and column (from 0) of the element's start tag in `source`; None if it is not in the source."""
        node = element._node  # noqa: SLF001 - Element and Document belong together
        return node.source_line, node.source_col

    def offset(self, element: Element) -> int | None:
        """Return the offset of the element's start tag in `source`; None if it is not in the source."""
        line, column = self.place_of(element)
        if line is None or column is None:
            return None
        start = self._line_start(line)
        return None if start is None else start + int(column)

    def _line_start(self, line: int) -> int | None:
        """Return the offset of a line, None if there are fewer lines; read only as far as needed."""
        before, breaks = self._lines_before, line - 1
        at = (len(before) - 1) * LINE_BLOCK_CHARS
        while before[-1] < breaks and at < len(self.source):
            before.append(before[-1] + self.source.count("\n", at, at + LINE_BLOCK_CHARS))
            at += LINE_BLOCK_CHARS
        if before[-1] < breaks:
            return None
        if breaks == 0:
            return 0
        index = bisect_left(before, breaks) - 1  # the block with the last of these line breaks
        end = min((index + 1) * LINE_BLOCK_CHARS, len(self.source))
        after = self.source[index * LINE_BLOCK_CHARS : end].split("\n", breaks - before[index])[-1]
        return end - len(after)

    def twin_of(self, element: Element) -> Element | None:
        """Return the element of the sent page with the same tag, attributes and beginning of its text; None if that is not certain."""
        if self.sent is None:
            return None
        if element.tag not in self._twins:
            self._twins[element.tag] = _twins(self.all(element.tag, limit=MAX_TWINS), self.sent.all(element.tag, limit=MAX_TWINS))
        order = self._twins[element.tag].get(element.order)
        return None if order is None else self.sent.at(order)

    @once
    def _faults(self) -> list[Any]:
        """First MAX_FAULTS parse errors as parser objects, in order."""
        faults: list[Any] = self._tree.errors[:MAX_FAULTS]
        return faults

    @property
    def fault_count(self) -> int:
        """Number of parse errors, at most MAX_FAULTS."""
        return len(self._faults)

    @property
    def faults(self) -> tuple[SyntaxFault, ...]:
        """First MAX_FAULTS parse errors, in order."""
        return tuple(SyntaxFault(fault.code, fault.line, fault.col + 1) for fault in self._faults)

    def faults_at_end(self, code: str) -> list[SyntaxFault]:
        """Return parse errors of that code among the last ones, caused by the end of the page inside a construct."""
        last = self._faults[-ENDING_FAULTS:]
        return [SyntaxFault(fault.code, fault.line, fault.col + 1) for fault in last if fault.code == code]

    @once
    def doctype(self) -> tuple[str, str, str] | None:
        """Doctype as (name, public id, system id), None without a doctype."""
        return doctype_of(self._tree)

    @once
    def doctype_as_sent(self) -> tuple[str, int]:
        """The doctype as written and its line, empty if none was sent; browsers skip comments and white space before it."""
        found = _DOCTYPE.match(self.source)
        return (found["doctype"][:SNIPPET_CHARS], self.source.count("\n", 0, found.start("doctype")) + 1) if found else ("", 1)

    def microdata(self) -> list[Any]:
        """Top-level microdata items as parser objects."""
        return list(self._tree.microdata())

    def rdfa(self) -> list[Any]:
        """RDFa items as parser objects."""
        return list(self._tree.rdfa())


def _twins(elements: Iterable[Element], sent: Iterable[Element]) -> Mapping[int, int]:
    """Return positions of equal elements: where there are as many in both documents, the first is the first, and so on."""
    groups: dict[tuple[object, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for place, found in enumerate((elements, sent)):
        for node in found:
            key = (frozenset(node.attrs.items()), node.document.beginning_of(node, _TEXT_IN_SNIPPET_CHARS))
            groups[key][place].append(node.order)
    return {one: other for here, there in groups.values() if len(here) == len(there) for one, other in zip(here, there, strict=True)}


def folded(text: str, start: int = 0, end: int | None = None) -> str:
    """Return that part of the text with one space for each run of white space, trimmed.

    A few words at a time: a list of all words of a large page takes more than ten times the memory of its text.
    """
    end = len(text) if end is None else end
    if end - start <= FOLDED_AT_ONCE_CHARS:
        return " ".join(text[start:end].split())
    pieces = []
    while start < end:
        space = _SPACE.search(text, start + FOLDED_AT_ONCE_CHARS, end)
        stop = space.start() if space else end
        pieces.append(" ".join(text[start:stop].split()))
        start = stop
    return " ".join(filter(None, pieces))


_TAG = re.compile(r"""<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>""")


def _cut_tag(source: str, start: int) -> str:
    """Return the tag that begins at ``start``, respecting quotes, cut at SNIPPET_CHARS."""
    limit = min(len(source), start + SNIPPET_CHARS)
    whole = _TAG.match(source, start, limit)
    return whole.group() if whole else source[start:limit] + "…"
