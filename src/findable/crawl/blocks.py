"""Find blocks: lists of links or loaded resources that pages share. A block is stored once and can be the cause of a finding.

Each link belongs to its nearest grouping element with at least two links: the menu, the breadcrumb, the list of products. Blocks with the
same targets, anchor texts and rel form one block, on any page.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntFlag
from functools import lru_cache

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.inherited import Inherited
from findable.artifacts.html.landmarks import Region
from findable.artifacts.page.links import Link, LinkKind, Links
from findable.crawl.url_keys import text_key
from findable.urls import MAX_LINK_CHARS

GROUPING = frozenset(
    {
        *("ul", "ol", "nav", "table", "dl", "p", "header", "footer", "aside", "section", "article", "div", "form", "td", "li"),
        *("main", "body"),
    }
)
ANCHOR_CHARS = 120
_FOLLOWABLE = frozenset({LinkKind.INTERNAL, LinkKind.EXTERNAL})


class BlockLink(Struct, frozen=True):
    """Link in a block."""

    url: str
    """Absolute URL without fragment."""
    anchor_text: str
    nofollow: bool


class UsedAs(IntFlag):
    """Ways in which pages use a URL that is not crawled as a page, as flags."""

    STYLESHEET = 1
    SCRIPT = 2
    IMAGE = 4
    LINK = 8
    """Target of an external link."""

    @property
    def names(self) -> str:
        """Names of the uses, as in exports."""
        return " ".join((item.name or "").lower() for item in UsedAs if item in self)


class BlockResource(Struct, frozen=True):
    """Stylesheet, script or image that a page loads."""

    url: str
    """Absolute URL without fragment."""
    used_as: UsedAs


class Block(Struct, frozen=True):
    """List of the links in one grouping element, or of the resources that one part of a page loads."""

    key: int
    """Hash (64 bits) of targets, anchor texts and rel, or of resources."""
    shape: int
    """Hash (32 bits) of landmark, tag and classes, which blocks of the same template share. 0 for a paragraph or list of the main text."""
    links: tuple[BlockLink, ...]
    landmark: str
    selector: str
    resources: tuple[BlockResource, ...] = ()


def blocks_of(links: Links, document: Document, *, nofollow: bool = False) -> tuple[Block, ...]:
    """Return the blocks of a page in document order. ``nofollow``: whether the page sets nofollow for all its links."""
    found = [
        link for link in links.items if link.kind in _FOLLOWABLE and 0 < len(link.address) <= MAX_LINK_CHARS and not _is_page_fragment(link)
    ]
    groups = _groups(found, document)
    return tuple(_block(document, order, group, nofollow=nofollow) for order, group in groups.items())


def _is_page_fragment(link: Link) -> bool:
    """Return whether a link points to a fragment of its page.

    A link to the page itself without a fragment counts as a normal link: it belongs to the menu that all pages share.
    """
    return link.same_page and "#" in link.url


def _groups(links: Sequence[Link], document: Document) -> dict[int, list[Link]]:
    """Return links by the position of their nearest grouping element that has at least two links, else of the outermost one, else 0."""
    parents, tags = document.parents, document.tags
    nearest = Inherited(document, -1, lambda order, outer: order if tags[order] in GROUPING else outer)
    around = [nearest.value_of(parents[link.element.order]) for link in links]
    counts = Counter(around)
    outer: dict[int, int] = {}
    for innermost in counts:
        order = innermost
        while order >= 0 and order not in outer:
            order = outer.setdefault(order, nearest.value_of(parents[order]))
    for order in sorted(outer, reverse=True):  # inner elements first
        counts[outer[order]] += counts[order]
    chosen = {-1: 0}
    for order in sorted(outer):
        chosen[order] = order if counts[order] > 1 or outer[order] < 0 else chosen[outer[order]]
    groups: dict[int, list[Link]] = {}
    for link, order in zip(links, around, strict=True):
        groups.setdefault(chosen[order], []).append(link)
    return groups


def _block(document: Document, order: int, group: Sequence[Link], *, nofollow: bool) -> Block:
    links = tuple([BlockLink(link.address, link.name[:ANCHOR_CHARS], nofollow or link.nofollow) for link in group])
    element = document.element_at(order)
    landmark = group[0].context.region.value
    classes = " ".join((element.attr("class") or "").split())
    shape = _shape(f"{landmark} {element.tag} {classes}") if classes or landmark not in _TEXT_LANDMARKS else 0
    lines = [f"{link.url} {int(link.nofollow)} {link.anchor_text}" for link in links]
    return Block(text_key("\n".join(lines)), shape, links, landmark, element.selector)


@lru_cache(maxsize=2000)
def _shape(build: str) -> int:
    return int.from_bytes(hashlib.blake2b(build.encode("utf-8", "surrogatepass"), digest_size=4).digest())


def resource_block(resources: Iterable[BlockResource], landmark: str, selector: str) -> Block:
    """Return the block of resources that a part of a page loads."""
    listed = tuple(resources)
    key = text_key("\n".join((f"{landmark} {selector}", *(f"{item.used_as:d} {item.url}" for item in listed))))
    return Block(key, 0, (), landmark, selector, listed)


_TEXT_LANDMARKS = frozenset({"", Region.MAIN.value})
"""Landmarks in which elements without a class are text, which is different on each page."""
