"""Links of the page: their targets, names, and which of them crawlers cannot follow."""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.accessible_name import name_of
from findable.artifacts.html.client_templates import sets_attribute
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.ids import Ids
from findable.artifacts.html.landmarks import ElementContext, Surroundings
from findable.artifacts.page.button_links import HANDLERS, ROUTERS, SHARES, acts_on_page, is_button, is_control, is_symbol, opens_page
from findable.artifacts.registry import artifact
from findable.lazy_pattern import lazy_pattern
from findable.urls import join, origin_part, parse, same_host, without_fragment
from findable.values import once

MAX_LINKS = 5000
"""Maximum number of links that are read one by one; more are only counted."""
MAX_HREF_CHARS = 8192

_IMITATIONS = "span[href],div[href],button[href],li[href],p[href],td[href],tr[href]"
MAX_LINK_DEPTH = 20
_LIGHTBOXES = frozenset({"data-fancybox", "data-lightbox"})
_IMITATION_ROUTERS = {"routerlink": frozenset({"span", "div", "button", "li"}), "ui-sref": frozenset({"span", "div", "li"})}
_EMPTY_HREF: frozenset[str] = frozenset()
_NOFOLLOW = frozenset({"nofollow", "ugc", "sponsored"})
_HASH_ROUTE = lazy_pattern(r"!?/")
_HIDDEN_MAIL = "/cdn-cgi/l/email-protection"
"""Cloudflare's replacement for ``mailto:``. A script restores the email address; without it the URL may return 404."""


class LinkKind(StrEnum):
    """Kind of link target."""

    INTERNAL = "internal"
    """Page on the same host, ``www.`` aside."""
    EXTERNAL = "external"
    CONTACT = "contact"
    """Link that opens another program (mailto:, tel:, sms:), or Cloudflare's replacement for mailto:."""
    BROKEN = "broken"
    """Link that a crawler cannot follow: see `Link.fault`."""


class LinkFault(StrEnum):
    """Reason why a crawler cannot follow a link."""

    NONE = ""
    SCRIPT = "its href is a script"
    HASH_ROUTE = "its URL differs only after #, which crawlers cut off"
    FILE = "it points to a file on one computer"
    UNREADABLE = "its href is not a URL"
    HANDLER = "it has no href, only a click handler"
    ROUTER = "it has no href, only an attribute that a script reads"
    NOT_AN_ANCHOR = "only <a href> is a link"


_NO_FAULT = LinkFault.NONE
"""Constant for fast access: reading a member of an enumeration takes as long as a call."""


class Link(Struct, frozen=True, dict=True):
    """One element that acts as a link."""

    element: Element
    href: str | None
    """Target as written, None if there is none."""
    url: str
    """Absolute URL with its fragment; empty if there is none."""
    kind: LinkKind
    fault: LinkFault
    same_page: bool
    """Whether the link points to this page, with or without a fragment."""
    address: str
    """Requested URL: absolute, without fragment."""
    _ids: Ids
    _surroundings: Surroundings

    @once
    def rel(self) -> frozenset[str]:
        """Rel tokens in lower case."""
        rel = self.element.attr("rel")
        return frozenset(rel.lower().split()) if rel else _EMPTY_HREF

    @once
    def target(self) -> str:
        """Frame or tab that the link opens in, lower case; empty for the current one."""
        target = self.element.attr("target")
        return target.strip().lower() if target else ""

    @once
    def context(self) -> ElementContext:
        """Landmark and language of the link, and whether markup hides it."""
        return self._surroundings.context_of(self.element)

    @once
    def is_scripted(self) -> bool:
        """Whether a handler, a role or a state shows that a script handles the click."""
        attrs = self.element.attrs
        return is_button(attrs) or not HANDLERS.isdisjoint(attrs)

    @once
    def name(self) -> str:
        """Accessible name: aria-labelledby, aria-label, content with alt texts, title; empty if there is none."""
        return name_of(self.element, self._ids)

    @property
    def fragment(self) -> str:
        """Fragment of the URL, without ``#``."""
        return self.url.partition("#")[2]

    @property
    def nofollow(self) -> bool:
        """Whether rel has ``nofollow``, ``ugc`` or ``sponsored``, which all ask not to pass ranking signals."""
        return not _NOFOLLOW.isdisjoint(self.rel)


class Links(Struct, frozen=True, dict=True):
    """Elements of the page that act as links, in document order."""

    items: tuple[Link, ...]
    count: int
    """Number of links, including those beyond MAX_LINKS."""
    is_cut: bool = False
    """Whether there are more links than were read."""

    def __iter__(self) -> Iterator[Link]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @once
    def internal(self) -> tuple[Link, ...]:
        """Links to pages of this host, without links within the page."""
        kind = LinkKind.INTERNAL
        return tuple(link for link in self.items if link.kind is kind and not link.same_page)

    @once
    def external(self) -> tuple[Link, ...]:
        """Links to other hosts."""
        kind = LinkKind.EXTERNAL
        return tuple(link for link in self.items if link.kind is kind)

    @once
    def faulty(self) -> tuple[Link, ...]:
        """Links that no crawler can follow."""
        return tuple(link for link in self.items if link.fault)

    @once
    def hosts(self) -> Counter[str]:
        """Number of links to each other host."""
        starts = Counter(origin_part(link.url) for link in self.external)
        hosts: Counter[str] = Counter()
        for start, count in starts.items():
            url = parse(start)
            if url is not None:
                hosts[url.host] += count
        return hosts


@artifact
def make_links(content: Content, ids: Ids) -> Links:
    """Read ``<a>`` and ``<area>``, and elements that imitate links."""
    document, surroundings = content.document, content.surroundings
    reader = _Reader(document, ids, surroundings)
    elements = document.all("a", "area", limit=MAX_LINKS)[:MAX_LINKS]
    total_count = sum(document.tag_counts.get(tag, 0) for tag in ("a", "area"))
    found = [link for element in elements if (link := reader.anchor(element)) is not None]
    imitated_link = document.select(_IMITATIONS) + [element for element in document.holders(*_IMITATION_ROUTERS) if _is_routed(element)]
    imitations = map(reader.imitated_link, filter(_has_link_target, imitated_link[:MAX_LINKS]))
    found.extend(link for link in imitations if link is not None)
    if imitated_link:
        found.sort(key=lambda link: link.element.order)
    left_count = max(0, total_count - MAX_LINKS) + max(0, len(imitated_link) - MAX_LINKS)
    return Links(tuple(found), len(found) + left_count, is_cut=left_count > 0)


def _is_routed(element: Element) -> bool:
    """Return whether the element has the attribute of a framework's router."""
    return any(element.tag in tags and element.attr(name) is not None for name, tags in _IMITATION_ROUTERS.items())


def _has_link_target(element: Element) -> bool:
    """Return whether the href of an element that is not an anchor looks like a URL: ``<button href="#">`` is a button."""
    href = element.attr("href")
    if href is not None and (not href.strip() or href.strip().lower().startswith(("#", "javascript:"))):
        return False
    if not _LIGHTBOXES.isdisjoint(element.attr_names):
        return False
    near = chain(islice(element.ancestors, MAX_LINK_DEPTH), element.first_descendants(MAX_LINK_DEPTH))
    return not any(node.tag == "a" and node.attr("href") for node in near)  # else that link leads there


class _Target(NamedTuple):
    """Parsed href of a link."""

    url: str
    kind: LinkKind
    fault: LinkFault
    same_page: bool = False
    address: str = ""


class _Reader:
    """Converts elements to links; every href and every host is parsed once."""

    def __init__(self, document: Document, ids: Ids, surroundings: Surroundings) -> None:
        self.base = document.base_url
        self.here = without_fragment(document.url)
        self.ids = ids
        self.surroundings = surroundings
        self.targets: dict[str, _Target] = {}
        self.kinds: dict[str, LinkKind] = {}

    def anchor(self, element: Element) -> Link | None:
        """Return the link of an ``<a>`` or ``<area>``; None for a placeholder, a named anchor or a button."""
        href = element.attr("href")
        if href is None and element.namespace == "svg":
            href = element.attr("xlink:href")
        if href is None:
            return self._link_without_href(element)
        target = self.targets.get(href)
        if target is None:
            target = self.targets[href] = self._target(href)
        if target.fault and target.fault is LinkFault.SCRIPT and is_control(element, target.url, self.ids, self.here):
            return None
        return self._link(element, href, target)

    def imitated_link(self, element: Element) -> Link | None:
        """Return the link of an element that is not an anchor but has an attribute of one; None if it shares the page."""
        if SHARES.search(element.attr("href") or ""):
            return None
        href = element.attr("href")
        fault = LinkFault.ROUTER if href is None else LinkFault.NOT_AN_ANCHOR
        return self._link(element, href, _Target("", LinkKind.BROKEN, fault))

    def _link_without_href(self, element: Element) -> Link | None:
        attrs = element.attrs
        if element.tag != "a" or is_button(attrs):
            return None
        if acts_on_page(element, self.ids, self.here):
            return None
        if sets_attribute(element, "href"):
            return None
        if not ROUTERS.isdisjoint(attrs):
            return self._link(element, None, _Target("", LinkKind.BROKEN, LinkFault.ROUTER))
        if not HANDLERS.isdisjoint(attrs) and not is_symbol(element, self.ids) and opens_page(element, self.ids):
            return self._link(element, None, _Target("", LinkKind.BROKEN, LinkFault.HANDLER))
        return None

    def _target(self, href: str) -> _Target:
        url = join(self.base, href.strip()) if len(href) <= MAX_HREF_CHARS else None
        if url is None:
            return _Target("", LinkKind.BROKEN, LinkFault.UNREADABLE)
        if url.startswith(("http://", "https://")):
            address, _, fragment = url.partition("#")
            if address.endswith(_HIDDEN_MAIL) and address[len(origin_part(address)) :] == _HIDDEN_MAIL:
                return _Target(url, LinkKind.CONTACT, LinkFault.NONE, address=address)
            same_page = address == self.here
            is_route = same_page and fragment and _HASH_ROUTE.match(fragment)
            if is_route and not self.ids.has_target(fragment) and not self.ids.has_target(fragment.lstrip("!/")):
                return _Target(url, LinkKind.BROKEN, LinkFault.HASH_ROUTE, address=address)
            return _Target(url, self._kind(address), _NO_FAULT, same_page, address)
        if url.startswith("javascript:"):
            return _Target(url, LinkKind.BROKEN, LinkFault.SCRIPT, address=without_fragment(url))
        if url.startswith("file:"):
            return _Target(url, LinkKind.BROKEN, LinkFault.FILE, address=without_fragment(url))
        return _Target(url, LinkKind.CONTACT, LinkFault.NONE, address=without_fragment(url))

    def _kind(self, address: str) -> LinkKind:
        host = origin_part(address)
        kind = self.kinds.get(host)
        if kind is None:
            kind = self.kinds[host] = LinkKind.INTERNAL if same_host(host, self.here) else LinkKind.EXTERNAL
        return kind

    def _link(self, element: Element, href: str | None, target: _Target) -> Link:
        url, kind, fault, same_page, address = target
        return Link(element, href, url, kind, fault, same_page, address, self.ids, self.surroundings)
