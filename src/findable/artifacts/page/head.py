"""Metadata of the page: titles, metas, links, refreshes, viewports."""

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.markup import TOO_LARGE, TOO_LONG, Markup
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.registry import Absent, artifact
from findable.formats.parse_budget import MAX_ELEMENTS
from findable.vocabulary import Verdict

MAX_TAGS = 3000
"""Maximum number of titles, metas and links each; real pages have a few hundred."""
MAX_TEXT_CHARS = 100_000
"""Maximum number of characters of a title or description that are read, including white space."""


META_ATTRIBUTES = frozenset(
    {"charset", "class", "content", "hid", "id", "itemprop", "key", "lang", "media", "name", "property", "scheme", "vmid"}
)
"""Attributes of metas of letters only, also those of frameworks."""
CUT_WORDS = 2
"""Minimum number of words that became attributes (set by Findable)."""
_QUOTES = frozenset("\"'")


class Title(Struct, frozen=True):
    """HTML ``<title>`` element (never an SVG's); ``text`` is folded, without soft hyphens, and may be empty."""

    text: str
    element: Element
    in_head: bool


class Meta(Struct, frozen=True):
    """``<meta>`` element. Names are lower case; ``content`` is None if the attribute is missing."""

    name: str
    property: str
    http_equiv: str
    charset: str
    content: str | None
    element: Element
    in_head: bool

    def is_cut(self) -> bool:
        """Return whether the content ends at a quotation mark within it, so that the words behind it became attributes."""
        names = [name for name in self.element.attr_names if name.isalpha() or _QUOTES.intersection(name)]
        words = [name for name in names if name not in META_ATTRIBUTES and any(char.isalpha() for char in name)]
        return len(words) >= CUT_WORDS and any(_QUOTES.intersection(name) for name in names)


class LinkTag(Struct, frozen=True):
    """``<link>`` element. ``rel`` has lower-case tokens; ``url`` is the resolved href, None if it is missing or invalid."""

    rel: frozenset[str]
    href: str | None
    url: str | None
    hreflang: str | None
    type: str
    media: str
    sizes: str
    as_: str
    element: Element
    in_head: bool


class Head(Struct, frozen=True):
    """Metadata in document order; elements in the body are included and marked (Google reads some there)."""

    element: Element
    titles: tuple[Title, ...]
    metas: tuple[Meta, ...]
    links: tuple[LinkTag, ...]
    lang: str | None
    """Value of the lang attribute of ``<html>``, None if it is missing."""

    @property
    def title(self) -> str:
        """Text of the first non-empty title, empty if there is none."""
        return next((title.text for title in self.titles if title.text), "")

    def metas_named(self, name: str) -> list[Meta]:
        """Return meta elements with the name (lower case), in order."""
        return [meta for meta in self.metas if meta.name == name]

    def properties(self, name: str) -> list[Meta]:
        """Return meta elements with that ``property`` or ``name`` (Open Graph uses both)."""
        return [meta for meta in self.metas if name in (meta.property, meta.name)]

    def http_equiv(self, name: str) -> list[Meta]:
        """Return meta elements with the ``http-equiv`` (lower case)."""
        return [meta for meta in self.metas if meta.http_equiv == name]

    def rel(self, token: str) -> list[LinkTag]:
        """Return link elements with the rel token."""
        return [link for link in self.links if token in link.rel]

    @property
    def description(self) -> str:
        """First non-empty meta description, folded; empty if there is none."""
        contents = (" ".join(meta.content[:MAX_TEXT_CHARS].split()) for meta in self.metas_named("description") if meta.content)
        return next(filter(None, contents), "")


class SentHead(Struct, frozen=True):
    """Metadata of the page as the server sent it, for programs that do not run scripts."""

    head: Head


@artifact
def make_sent_head(markup: Markup) -> SentHead | Absent:
    """Read titles, metas and links of the whole document, even if it is too large for other checks.

    If the page was cut after its head, return what was read: search engines do not read more than two megabytes either.
    """
    document = markup.document
    if not markup.is_whole and not document.has_content:
        return Absent(TOO_LONG, Verdict.UNKNOWN, {"count": len(document.source)})
    if not document.covers_all("title", "meta", "link"):
        return Absent(TOO_LARGE, Verdict.UNKNOWN, {"count": MAX_ELEMENTS})
    return SentHead(head_of(document))


@artifact
def make_head(sent_head: SentHead, rendered_document: RenderedDocument | None) -> Head:
    """Return the metadata of the checked document."""
    return sent_head.head if rendered_document is None else head_of(rendered_document.document)


def head_of(document: Document) -> Head:
    """Read the head of a document."""
    in_head = document.in_head
    titles = tuple(
        Title(" ".join(node.raw_text[:MAX_TEXT_CHARS].replace("\xad", "").split()), node, in_head(node))
        for node in document.all("title", limit=MAX_TAGS)
        if node.namespace == "html"
    )
    metas = tuple(_meta(node, in_head=in_head(node)) for node in document.all("meta", limit=MAX_TAGS) if node.namespace == "html")
    links = tuple(_link(node, document, in_head=in_head(node)) for node in document.all("link", limit=MAX_TAGS) if node.namespace == "html")
    return Head(document.head, titles, metas, links, document.html.attr("lang"))


def _meta(node: Element, *, in_head: bool) -> Meta:
    attrs = node.attrs

    def lower(name: str) -> str:
        return attrs.get(name, "").strip().lower()

    return Meta(lower("name"), lower("property"), lower("http-equiv"), lower("charset"), attrs.get("content"), node, in_head)


def _link(node: Element, document: Document, *, in_head: bool) -> LinkTag:
    attrs = node.attrs
    href = attrs.get("href")
    return LinkTag(
        rel=frozenset(attrs.get("rel", "").lower().split()),
        href=href,
        url=document.resolve(href) if href and href.strip() else None,
        hreflang=attrs.get("hreflang"),
        type=attrs.get("type", "").strip().lower(),
        media=attrs.get("media", "").strip().lower(),
        sizes=attrs.get("sizes", "").strip().lower(),
        as_=attrs.get("as", "").strip().lower(),
        element=node,
        in_head=in_head,
    )
