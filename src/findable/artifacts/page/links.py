"""Links of the page: their targets, names, and which of them crawlers cannot follow."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
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
from findable.artifacts.registry import artifact
from findable.formats.characters import EXTRA_LETTERS
from findable.lazy_pattern import lazy_pattern
from findable.urls import join, origin_part, parse, same_host, without_fragment
from findable.values import once

MAX_LINKS = 5000
"""Maximum number of links that are read one by one; more are only counted."""
MAX_HREF_CHARS = 8192

_HANDLERS = frozenset({"onclick", "ng-click", "@click", "v-on:click", "data-ng-click", "(click)"})
_ROUTERS = frozenset({"routerlink", "[routerlink]", "ng-href", "ui-sref", "data-href", "v-bind:href", ":href", "[href]", "to"})
_BUTTON_SIGNS = frozenset(
    {"aria-expanded", "aria-haspopup", "aria-controls", "aria-pressed", "data-toggle", "data-bs-toggle", "data-dismiss", "data-bs-dismiss"}
)
_IMITATIONS = "span[href],div[href],button[href],li[href],p[href],td[href],tr[href]"
MAX_LINK_DEPTH = 20
_LIGHTBOXES = frozenset({"data-fancybox", "data-lightbox"})
_IMITATION_ROUTERS = {"routerlink": frozenset({"span", "div", "button", "li"}), "ui-sref": frozenset({"span", "div", "li"})}
_EMPTY_HREF: frozenset[str] = frozenset()
_NOFOLLOW = frozenset({"nofollow", "ugc", "sponsored"})
_LETTER = lazy_pattern(rf"[\w{EXTRA_LETTERS}]")
_ACTION = lazy_pattern(
    r"javascript:\s*(?:void\s+|return\s+)?(?:(?:window|self|top|parent|document)\.)*"
    r"(?:history\.(?:back|forward|go)|print|close|scroll(?:To|By)?)\s*\([^()]{0,50}\)[\s;]*",
    re.IGNORECASE,
)
"""Scripts that act on this page and open no other page, so that no URL could replace them."""
_ACTS = lazy_pattern(
    r"\bfb-(?:like|share|page|comments)\b|(?:^|[\W_])(?:twitter-(?:share|follow)|(?i:share|sharing|social|tweet|pin-?it|whatsapp|e-?mail|cookies?|cookiebot|consent|cmp|gdpr|didomi"
    r"|onetrust|usercentrics|privacy-?settings|toggle|dropdown|modal|pop-?up|lightbox|fancybox|dialog|close|dismiss|print|play|pause|mute|audio|copy|clipboard|bookmark"
    r"|wish-?list|add-?to-?cart))(?=[\W_A-Z\d]|$)|open(?:Cmp|Consent)|(?i:(?:increase|decrease|change)-?font)"
)
"""Classes, ids and scripts of elements that act on this page: widgets, share and consent buttons, switches."""
_SHARES = lazy_pattern(
    r"//(?:[\w-]+\.)*(?:facebook\.com/(?:sharer|dialog/|share\.php)|(?:twitter|x)\.com/(?:intent/|share\b|home\?status=)|pinterest\.\w+/pin/create"
    r"|linkedin\.com/(?:shareArticle|sharing/|cws/share)|(?:t\.me|telegram\.me)/share|(?:wa\.me|api\.whatsapp\.com)/|line\.me/R/|reddit\.com/submit"
    r"|tumblr\.com/(?:share|widgets)|vk\.com/share|getpocket\.com/(?:save|edit)|b\.hatena\.ne\.jp/|weibo\.com/share|xing\.com/spi/|mail\.google\.com/mail/)",
    re.IGNORECASE,
)
"""URLs of services to which a button sends the URL of the page."""
_ACTING_NAME = lazy_pattern(
    r"(?:share|tweet|like|print|close|search|teilen|drucken|schließen|partager|imprimer|fermer|compartir|imprimir|condividi|stampa"
    r"|udostępnij|поделиться"
    r"|cookie[- ](?:settings|preferences|einstellungen)|manage cookies|gérer les cookies)"
    r"(?: (?:on|with|via|this|auf|bei|sur|en|su|na) .{1,40})?"
    r"|.{0,20}(?:分享|複製連結|复制链接|シェア|共有|コピー|공유(?:하기)?)(?:.{0,10})"
    r"|copy (?:the )?link|link kopieren|copier le lien|copiar enlace",
    re.IGNORECASE,
)
"""Words on elements that act on this page."""
_VOID = lazy_pattern(r"javascript:\s*(?:void\s*\(?\s*0?\s*\)?)?[\s;]*", re.IGNORECASE)
"""Script that does nothing: the click is handled elsewhere."""
_OPENS_PAGE = lazy_pattern(
    r"location|window\.open|https?:|['\"]/|\.(?:html?|php|aspx?)\b|__doPostBack"
    r"|\b(?:go|goto|nav|navigate|open|load|show|visit|jump|redirect|route)(?=[A-Z_\W]|To)|(?:[Pp]age|[Uu]rl|URL|[Ll]ink|[Hh]ref)\w*\s*\("
)
"""Parts of handlers that lead to a page."""
_LEADING_NAME = lazy_pattern(
    r"\d{1,4}|(?:next|previous|prev|more|older|newer|read more|show more|load more|view all|show all|weiter|zurück|mehr|mehr lesen"
    r"|alle anzeigen|suivant|précédent|siguiente|anterior)\b.{0,30}",
    re.IGNORECASE,
)
"""Words on links to another page of a list or a text."""
_ACTING_ATTRIBUTES = ("class", "id", "onclick", "href", "data-action")
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
        return _is_button(attrs) or not _HANDLERS.isdisjoint(attrs)

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
        if target.fault and target.fault is LinkFault.SCRIPT and self._is_control(element, target):
            return None
        return self._link(element, href, target)

    def _is_control(self, element: Element, target: _Target) -> bool:
        """Return whether an element whose href is a script is a button: it acts on this page, or nothing shows that it opens another."""
        if _is_button(element.attrs) or _ACTION.fullmatch(target.url) or self._is_symbol(element) or self._acts_on_page(element):
            return True
        return _VOID.fullmatch(target.url[:100]) is not None and not self._opens_page(element)

    def imitated_link(self, element: Element) -> Link | None:
        """Return the link of an element that is not an anchor but has an attribute of one; None if it shares the page."""
        if _SHARES.search(element.attr("href") or ""):
            return None
        href = element.attr("href")
        fault = LinkFault.ROUTER if href is None else LinkFault.NOT_AN_ANCHOR
        return self._link(element, href, _Target("", LinkKind.BROKEN, fault))

    def _link_without_href(self, element: Element) -> Link | None:
        attrs = element.attrs
        if element.tag != "a" or _is_button(attrs):
            return None
        if self._acts_on_page(element):
            return None
        if sets_attribute(element, "href"):
            return None
        if not _ROUTERS.isdisjoint(attrs):
            return self._link(element, None, _Target("", LinkKind.BROKEN, LinkFault.ROUTER))
        if not _HANDLERS.isdisjoint(attrs) and not self._is_symbol(element) and self._opens_page(element):
            return self._link(element, None, _Target("", LinkKind.BROKEN, LinkFault.HANDLER))
        return None

    def _acts_on_page(self, element: Element) -> bool:
        """Return whether the element's attributes or text show that it acts on this page or shares it."""
        attrs = element.attrs
        acting = " ".join(attrs[key][:300] for key in _ACTING_ATTRIBUTES if key in attrs)
        if _ACTS.search(acting) or _SHARES.search(acting) or self._passes_on_own_url(attrs):
            return True
        return _ACTING_NAME.fullmatch(name_of(element, self.ids)[:80]) is not None

    def _passes_on_own_url(self, attrs: Mapping[str, str]) -> bool:
        """Return whether a script gets the URL of this page from the element, to share or to copy it."""
        return any(
            key.startswith("data-") and value.startswith("http") and without_fragment(value[:MAX_HREF_CHARS].strip()) == self.here
            for key, value in attrs.items()
        )

    def _opens_page(self, element: Element) -> bool:
        """Return whether a handler, an attribute or the element's text shows that it opens a page; votes, uploads and notices do not."""
        attrs = element.attrs
        handlers = " ".join(attrs[key][:500] for key in _HANDLERS if key in attrs)
        if _OPENS_PAGE.search(handlers) or not _ROUTERS.isdisjoint(attrs):
            return True
        if any(key.startswith("data-") and value.startswith(("/", "http")) for key, value in attrs.items()):
            return True
        return _LEADING_NAME.fullmatch(name_of(element, self.ids)[:80].strip()) is not None

    def _is_symbol(self, element: Element) -> bool:
        """Return whether the element has no name, or only a symbol such as an arrow or a cross, which opens, closes or turns something."""
        return _LETTER.search(name_of(element, self.ids)) is None

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


def _is_button(attrs: Mapping[str, str]) -> bool:
    """Return whether a role or a state shows that an element opens, closes or switches something."""
    role = attrs.get("role", "").strip().lower()
    return role not in ("", "link") or not _BUTTON_SIGNS.isdisjoint(attrs)
