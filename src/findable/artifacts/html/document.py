"""Parsed page: its elements, their texts and positions."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from findable.artifacts.html.element_text import beginning_of, text_of, text_without
from findable.artifacts.html.folded_text import fold_space
from findable.artifacts.html.name_text import name_text_of
from findable.artifacts.html.page_tree import PageTree
from findable.artifacts.html.parse_tree import NO_ORDERS
from findable.artifacts.html.start_tags import SNIPPET_CHARS, cut_tag, whole_tag
from findable.formats.csp import matches, parse_policy_list
from findable.urls import Url, join, parse
from findable.values import once

VOID_TAGS = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
MAX_COUNTERPARTS = 5_000
"""Maximum number of elements with one tag that are compared with the page as sent."""
_TEXT_IN_SNIPPET_CHARS = 100
OMITTED = " … "
"""Placeholder for content without text in a snippet. The spaces distinguish it from an ellipsis of the page, whose text is trimmed."""
_DOCTYPE = re.compile(
    r"\s*+(?:(?:<!--[^-]*+(?:-(?!->)[^-]*+)*-->|<\?[^>]*+>)\s*+)*(?P<doctype><!doctype[^>]*+>?)", re.IGNORECASE | re.DOTALL
)


class Element(Struct, frozen=True, eq=False, gc=False):
    """One element and its position. Two objects are equal if they are the same element of one document.

    It is a thin handle, created on demand: a document that stored its elements would form a reference cycle that only the garbage
    collector can free.
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
        return self.document.tags[self.order]

    @property
    def namespace(self) -> str:
        """Namespace: ``html``, ``svg`` or ``mathml``."""
        value: str = self._node.namespace._value_
        return value

    def attr(self, name: str) -> str | None:
        """Return the attribute's value, empty if it has no value, None if it is missing."""
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
        """Whether the element has any attribute."""
        return bool(self._node.attrs)

    @property
    def text(self) -> str:
        """Text content without script, style and template, white space folded."""
        return text_of(self.document, self.order)

    def text_up_to(self, chars: int) -> str:
        """Return the first characters of `text`, without reading the rest."""
        return beginning_of(self.document, self.order, chars)

    @property
    def name_text(self) -> str:
        """Content as announced by a screen reader: text, alt texts, ``aria-label`` of descendants, titles of drawings.

        Without hidden parts.

        White space is folded, and the text truncated at NAME_CHARS (W3C Accessible Name 1.2, step 2F, as far as markup determines it).
        """
        return name_text_of(self.document, self.order)

    @property
    def raw_text(self) -> str:
        """Unprocessed text content, such as the content of a script or style."""
        return self.document.raw_text_of(self.order)

    @property
    def parent(self) -> "Element | None":
        """Parent element, None for the root element."""
        order = self.document.parents[self.order]
        return None if order < 0 else self.document.element_at(order)

    @property
    def ancestors(self) -> Iterator["Element"]:
        """Ancestors from the parent up to the root."""
        document, parents, nodes = self.document, self.document.parents, self.document.nodes
        at = parents[self.order]
        while at >= 0:
            yield Element(document, nodes[at], at)
            at = parents[at]

    @property
    def children(self) -> list["Element"]:
        """Child elements in order."""
        found, ends = [], self.document.ends
        at, end = self.order + 1, ends[self.order]
        while at < end:
            found.append(at)
            at = ends[at]
        return self.document.elements_at(found)

    def descendants(self, *tags: str) -> list["Element"]:
        """Return descendant elements with these tags (all if none is given) in document order."""
        inside = self.document.elements_at(range(self.order + 1, self.document.ends[self.order]))
        return [element for element in inside if element.tag in tags] if tags else inside

    def first_descendants(self, count: int) -> list["Element"]:
        """Return the first ``count`` descendants in document order, without walking the rest."""
        return self.document.elements_at(range(self.order + 1, min(self.order + 1 + count, self.document.ends[self.order])))

    @property
    def line(self) -> int | None:
        """Line of the start tag in the source, from 1; None for an element that is not in the source (an implied body)."""
        element = self.as_sent
        return None if element is None else element.document.position_of(element.order)[0]

    @property
    def column(self) -> int | None:
        """Column of the start tag in characters, from 1; None without a source position."""
        element = self.as_sent
        column = None if element is None else element.document.position_of(element.order)[1]
        return None if column is None else column + 1

    @property
    def as_sent(self) -> "Element | None":
        """Corresponding element of the page as sent: the same object unless this is the document after scripts; None without one."""
        return self if self.document.sent is None else self.document.counterpart_of(self)

    @property
    def selector(self) -> str:
        """CSS selector that matches only this element."""
        known = self.document.selectors
        if self.order not in known:
            known[self.order] = str(self._node.css_path())
        return known[self.order]

    @property
    def start_tag(self) -> str:
        """Start tag as written, truncated at SNIPPET_CHARS; rebuilt if it is not in the source."""
        start = self.document.offset_of(self.order)
        return f"<{self.tag}>" if start is None else cut_tag(self.document.source, start)

    @property
    def whole_start_tag(self) -> str | None:
        """Start tag as written, None if it is not in the source or does not end within MAX_TAG_CHARS."""
        start = self.document.offset_of(self.order)
        return None if start is None else whole_tag(self.document.source, start)

    @property
    def snippet(self) -> str:
        """Start tag as written and the beginning of the text, with `OMITTED` for content without text."""
        known = self.document.snippets
        if self.order not in known:
            known[self.order] = self._snippet()
        return known[self.order]

    def _snippet(self) -> str:
        start_tag = self.start_tag
        # for the root element this would be the text of the page
        if self.tag in VOID_TAGS or self.tag == "html" or not start_tag.endswith(">"):
            return start_tag
        text = beginning_of(self.document, self.order, _TEXT_IN_SNIPPET_CHARS + 1)
        shown = text if len(text) <= _TEXT_IN_SNIPPET_CHARS else text[:_TEXT_IN_SNIPPET_CHARS] + "…"
        if not text and (self.first_descendants(1) or self.raw_text.strip()):
            shown = OMITTED
        return f"{start_tag}{shown}</{self.tag}>"


class Document(PageTree):
    """Elements of a page, and queries for them. Queries by position, inherited from `PageTree`, are cheaper."""

    def __init__(self, text: str, url: str, sent_document: "Document | None" = None, policies: Sequence[str] = ()) -> None:
        super().__init__(text, url)
        self.policies = policies
        """Content-Security-Policy headers of the response."""
        self.sent = sent_document
        """The page as sent, if this is the document after scripts ran; otherwise None."""
        self._counterparts: dict[str, Mapping[int, int]] = {}
        self.snippets: dict[int, str] = {}
        """Snippets of quoted elements by position: several checks quote the same title or image."""
        self.selectors: dict[int, str] = {}
        """Selectors of quoted elements by position."""

    def elements_at(self, orders: Iterable[int]) -> list[Element]:
        """Return the elements at these positions."""
        nodes = self.nodes
        return [Element(self, nodes[order], order) for order in orders]

    def elements_of(self, nodes: Iterable[Any], limit: int | None = None) -> list[Element]:
        """Return the elements of parser nodes, at most ``limit``, without template contents."""
        orders = self.orders
        return self.elements_at(islice((orders[node] for node in nodes if node in orders), limit))

    def all(self, *tags: str, limit: int | None = None) -> list[Element]:
        """Return elements with these tags in document order, of any namespace (see `Element.namespace`).

        ``limit`` applies to each tag; further elements are not read.
        """
        if len(tags) == 1:
            return self.elements_at(self.by_tag.get(tags[0], NO_ORDERS)[:limit])
        return self.elements_at(sorted(chain.from_iterable(self.by_tag.get(tag, NO_ORDERS)[:limit] for tag in tags)))

    def short(self, *tags: str, chars: int, limit: int) -> list[Element]:
        """Return elements with these tags in document order, at most ``limit`` of each, without texts of more than ``chars`` characters.

        A space at each end is not counted, even if there is none; texts that are never shown are not counted at all.
        """
        starts, ends, longest = self.text_starts, self.text_ends, chars + 2
        orders = chain.from_iterable(self.by_tag.get(tag, NO_ORDERS)[:limit] for tag in tags)
        return self.elements_at(sorted(order for order in orders if starts[order] < 0 or ends[order] - starts[order] <= longest))

    def holders(self, *attributes: str, limit: int | None = None) -> list[Element]:
        """Return elements that have one of these RARE_ATTRIBUTES, in document order, at most ``limit``."""
        return self.elements_at(sorted(set().union(*(self._holders.get(name, ()) for name in attributes)))[:limit])

    def element_at(self, order: int) -> Element:
        """Return the element at that position."""
        return Element(self, self.nodes[order], order)

    @once
    def _widest(self) -> tuple[int, int]:
        widths = Counter(self.parents)
        order = max(widths, key=widths.__getitem__)  # the first of several: children are counted in document order
        return widths[order], order

    @property
    def widest(self) -> tuple[Element | None, int]:
        """Element with the most child elements (None for the document itself), and their number."""
        count, order = self._widest
        return (Element(self, self.nodes[order], order) if order >= 0 else None), count

    @once
    def _widest_shown(self) -> tuple[int, int]:
        if (body := self.body) is None:
            return 0, -1
        widths = Counter(self.parents[body.order + 1 : self.ends[body.order]])
        end = 0
        for code in self.all("pre"):
            for order in range(max(end, code.order), self.ends[code.order]):
                widths.pop(order, None)
            end = max(end, self.ends[code.order])
        order = max(widths, key=widths.__getitem__, default=body.order)  # the first of several: children are counted in document order
        return widths[order], order

    @property
    def widest_element(self) -> tuple[Element | None, int]:
        """Element of the body with the most child elements, except code in ``<pre>`` (None without a body), and their number."""
        count, order = self._widest_shown
        return (Element(self, self.nodes[order], order) if order >= 0 else None), count

    def select(self, selector: str, limit: int | None = None) -> list[Element]:
        """Return elements that match a CSS selector, at most ``limit``, without template contents. Slower than `all`."""
        return self.elements_of(self.root.select(selector), limit)

    @property
    def has_content(self) -> bool:
        """Whether the body has content, so that the head is complete."""
        body = self.body
        return body is not None and (self.ends[body.order] > body.order + 1 or bool(body.text))

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
        start = self.by_tag["head"][0]
        return start < element.order < self.ends[start]

    @once
    def base_url(self) -> str:
        """Base of relative URLs: the first HTML ``<base href>`` with an http(s) URL, else the final URL.

        A base that a policy blocks has no effect (HTML Standard, 4.2.3, "set the frozen base URL").
        """
        base = next((one for one in self.all("base") if one.attr("href") is not None and one.namespace == "html"), None)
        if base is None:
            return self.url
        url = parse((base.attr("href") or "").strip(), self.url)
        return url.href if url and url.is_http and self._allows_base(url, base) else self.url

    def _allows_base(self, url: Url, base: Element) -> bool:
        """Return whether every enforced policy, of headers and of metas before the element, allows the URL as base (CSP 3, 6.3.1)."""
        own = parse(self.url)
        metas = (meta for meta in self.all("meta") if meta.order < base.order and self.in_head(meta))
        written = [meta.attr("content") or "" for meta in metas if (meta.attr("http-equiv") or "").lower() == "content-security-policy"]
        policies = (policy for text in (*self.policies, *written) for _, policy in parse_policy_list(text))
        found = (policy.get("base-uri") for policy in policies)
        return own is None or all(matches(sources, url, own) for sources in found if sources is not None)

    def resolve(self, href: str) -> str | None:
        """Return the absolute URL that an href of this page refers to; None if it is not a URL."""
        return join(self.base_url, href.strip())

    @once
    def text(self) -> str:
        """Visible text of the body as far as markup determines it, with folded white space.

        Without script, style, template and noscript.
        """
        body = self.body
        return body.text if body else ""

    def innermost_element_with(self, text: str) -> Element | None:
        """Return the innermost element around the first occurrence of a shown text; None if it is not contiguous on the page."""
        start = self.shown.find(text)
        body = self.body
        if start < 0 or body is None:
            return None
        end, holder = start + len(text), body
        while (child := next((one for one in holder.children if self._shows(one, start, end)), None)) is not None:
            holder = child
        return holder

    def _shows(self, element: Element, start: int, end: int) -> bool:
        """Return whether the part of the visible text from ``start`` to ``end`` belongs to the element."""
        return 0 <= self.text_starts[element.order] <= start and end <= self.text_ends[element.order]

    def text_outside(self, tags: frozenset[str]) -> str:
        """Return `text` without the elements of those tags."""
        body = self.body
        if body is None:
            return ""
        at, end = self.text_starts[body.order], self.text_ends[body.order]
        pieces = []
        for element in self.all(*tags):
            start = self.text_starts[element.order]
            if at <= start < end:  # part of the shown text, and not inside the previous one
                pieces.append(self.shown[at:start])
                at = self.text_ends[element.order]
                if self.shown[at - 1] == " " and not self.shown.endswith(" ", 0, start):
                    return text_without(self, body.order, tags)  # only the tree tells whether a space follows
        return fold_space("".join((*pieces, self.shown[at:end]))) if pieces else self.text

    def counterpart_of(self, element: Element) -> Element | None:
        """Return the element of the sent page with the same tag, attributes and beginning of its text; None if there is none or several."""
        if self.sent is None:
            return None
        if element.tag not in self._counterparts:
            self._counterparts[element.tag] = _counterparts(
                self.all(element.tag, limit=MAX_COUNTERPARTS), self.sent.all(element.tag, limit=MAX_COUNTERPARTS)
            )
        order = self._counterparts[element.tag].get(element.order)
        return None if order is None else self.sent.element_at(order)

    @once
    def doctype_as_sent(self) -> tuple[str, int]:
        """The doctype as written and its line, empty if none was sent; browsers skip comments and white space before it."""
        found = _DOCTYPE.match(self.source)
        return (found["doctype"][:SNIPPET_CHARS], self.source.count("\n", 0, found.start("doctype")) + 1) if found else ("", 1)


def _counterparts(elements: Iterable[Element], sent_document: Iterable[Element]) -> Mapping[int, int]:
    """Return the positions of corresponding elements: equal ones match in order if both documents have the same number of them."""
    groups: dict[tuple[object, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for place, found in enumerate((elements, sent_document)):
        for node in found:
            key = (frozenset(node.attrs.items()), beginning_of(node.document, node.order, _TEXT_IN_SNIPPET_CHARS))
            groups[key][place].append(node.order)
    return {one: other for here, there in groups.values() if len(here) == len(there) for one, other in zip(here, there, strict=True)}
