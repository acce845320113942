"""What the page says of itself in metadata: titles, metas, links, refreshes, viewports."""

from msgspec import Struct

from findable.artifacts.html.document import TOO_LARGE, TOO_LONG, Document, Element, Markup
from findable.artifacts.registry import Absent, artifact
from findable.formats.parse_budget import MAX_ELEMENTS
from findable.vocabulary import Verdict

MAX_TAGS = 3000
"""Of titles, metas and links; real pages have a few hundred."""
MAX_TEXT_CHARS = 100_000
"""What is read of a title or a description, white space included."""


class Title(Struct, frozen=True):
    """One HTML ``<title>`` (never an SVG's); ``text`` folded, may be empty."""

    text: str
    element: Element
    in_head: bool


class Meta(Struct, frozen=True):
    """One ``<meta>``. Names are lower case; ``content`` None where the attribute is missing."""

    name: str
    property: str
    http_equiv: str
    charset: str
    content: str | None
    element: Element
    in_head: bool


class LinkTag(Struct, frozen=True):
    """One ``<link>``. ``rel`` lower-case tokens; ``url`` the resolved href, None where there is none or it is not a URL."""

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
    """The page's metadata in document order; elements in the body are included and marked (Google reads some there)."""

    element: Element
    titles: tuple[Title, ...]
    metas: tuple[Meta, ...]
    links: tuple[LinkTag, ...]
    lang: str | None
    """The lang attribute of ``<html>``, None where it is missing."""

    @property
    def title(self) -> str:
        """The text of the first non-empty title, empty where there is none."""
        return next((title.text for title in self.titles if title.text), "")

    def named(self, name: str) -> list[Meta]:
        """Metas of that name (lower case), in order."""
        return [meta for meta in self.metas if meta.name == name]

    def properties(self, name: str) -> list[Meta]:
        """Metas whose ``property`` or ``name`` is that (Open Graph is written both ways)."""
        return [meta for meta in self.metas if name in (meta.property, meta.name)]

    def http_equiv(self, name: str) -> list[Meta]:
        """Metas of that http-equiv (lower case)."""
        return [meta for meta in self.metas if meta.http_equiv == name]

    def rel(self, token: str) -> list[LinkTag]:
        """Links that carry that rel token."""
        return [link for link in self.links if token in link.rel]

    @property
    def description(self) -> str:
        """The first non-empty meta description, folded; empty where there is none."""
        return next(
            (
                " ".join(meta.content[:MAX_TEXT_CHARS].split())
                for meta in self.named("description")
                if meta.content and meta.content.strip()
            ),
            "",
        )


@artifact
def make_head(markup: Markup) -> Head | Absent:
    """Reads titles, metas and links of the whole document, also of one that is too large for other questions.

    Of a page that was cut behind its head, what was read: search engines read no further than two megabytes either.
    """
    document = markup.document
    if not markup.received and not document.has_content:
        return Absent(TOO_LONG, Verdict.UNKNOWN, {"count": len(document.source)})
    if not document.knows_all("title", "meta", "link"):
        return Absent(TOO_LARGE, Verdict.UNKNOWN, {"count": MAX_ELEMENTS})
    return head_of(document)


def head_of(document: Document) -> Head:
    """The same of a document that was not captured, such as what scripts made of the page."""
    in_head = document.in_head
    titles = tuple(
        Title(" ".join(node.raw_text[:MAX_TEXT_CHARS].split()), node, in_head(node))
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
