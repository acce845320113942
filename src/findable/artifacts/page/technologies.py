"""Technologies detected on the page, each with evidence.

The texts in which signs occur are joined, so that each literal of the table is searched for once. A pattern is tried only if its literal
was found.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.registry import artifact
from findable.artifacts.tables.technology_signs import KINDS, PRODUCTS, Product, TechnologyKind
from findable.capture.page import PageCapture
from findable.capture.response import Headers

MAX_SCRIPTS = 300
"""Maximum number of scripts, links, images and frames that are read, each."""
MAX_SCRIPT_CHARS = 4000
"""Maximum number of characters of an inline script that are read: vendor snippets are shorter, and data is longer."""
MAX_URL_CHARS = 1000
MAX_SIGN_CHARS = 200
MAX_ELEMENTS_READ = 150
"""Maximum number of elements of the body whose attributes are read; root elements of applications are among the first."""


class Technology(Struct, frozen=True):
    """Technology that the page uses, with its evidence."""

    name: str
    kind: TechnologyKind
    version: str
    """Version as stated, empty if unknown."""
    sign: str
    """Evidence: a meta, a header line, a URL, a part of a script; cut at MAX_SIGN_CHARS."""
    element: Element | None


class Technologies(Struct, frozen=True):
    """Technologies without duplicates, in the order of the table."""

    items: tuple[Technology, ...]


FEEDS = {"application/rss+xml": "RSS feed", "application/atom+xml": "Atom feed", "application/feed+json": "JSON feed"}
_BY_NAME = {product.name: product for product in PRODUCTS}
_BY_ATTRIBUTE = {name: product for product in PRODUCTS for name in product.attributes}
_URL_SIGNS = [(product, sign, sign.has.split("/")[1:-1]) for product in PRODUCTS for sign in product.urls]
"""Signs in URLs, each with its complete path segments, which are looked up before the URLs are searched."""
_SIGNS_ANYWHERE = frozenset(number for number, (_, _, needed) in enumerate(_URL_SIGNS) if not needed)
"""Indices of the signs without such a segment."""
_SIGNS_BY_PART = {
    part: frozenset(number for number, (_, _, needed) in enumerate(_URL_SIGNS) if needed[-1:] == [part])
    for _, _, needed in _URL_SIGNS
    for part in needed[-1:]
}
"""Indices of the signs by their last segment."""
_BY_SCRIPT = [(product, product.scripts) for product in PRODUCTS if product.scripts]
_BY_ID = {name: product for product in PRODUCTS for name in product.ids}
_LOADING = frozenset({"stylesheet", "preload", "modulepreload"})
_DATA_TYPES = ("json", "html", "template")
_LOADED_FROM = (("script", "src"), ("img", "src"), ("iframe", "src"))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


class _Texts:
    """Texts of elements, joined so that they are searched once."""

    def __init__(self, texts: Iterable[tuple[str, int]]) -> None:
        pieces, self._orders, self._starts = [], [], []
        size = 0
        for text, order in texts:
            self._starts.append(size)
            self._orders.append(order)
            pieces.append(text)
            size += len(text) + 1
        self.joined = "\n".join(pieces)
        """All texts, joined."""

    def having(self, literal: str) -> Iterator[tuple[str, int]]:
        """Yield the texts with the literal, each with the position of its element."""
        at = self.joined.find(literal)
        while at >= 0:
            index = bisect_right(self._starts, at) - 1
            end = self._starts[index + 1] - 1 if index + 1 < len(self._starts) else len(self.joined)
            yield self.joined[self._starts[index] : end], self._orders[index]
            at = self.joined.find(literal, end)


class _Finder:
    """Collects technologies, with the first evidence of each."""

    def __init__(self) -> None:
        self.found: dict[str, Technology] = {}

    def add(self, name: str, kind: TechnologyKind, sign: str, *, version: str | None = "", element: Element | None = None) -> None:
        known = self.found.get(name)
        if known is None or (version and not known.version):
            self.found[name] = Technology(name, kind, version or "", sign[:MAX_SIGN_CHARS], element)

    def _add_product(self, product: Product, sign: str, *, version: str = "", element: Element | None = None) -> None:
        self.add(product.name, product.kind, sign, version=version, element=element)

    def add_generators(self, head: Head) -> None:
        for meta in head.metas_named("generator")[:20]:
            content = (meta.content or "").strip()[:MAX_SIGN_CHARS]
            for product in PRODUCTS:
                if product.generator and (match := _pattern(product.generator).match(content)):
                    self._add_product(product, f"generator: {content}", version=_version(match), element=meta.element)

    def add_from_urls(self, document: Document, head: Head) -> None:
        texts = _Texts((url[:MAX_URL_CHARS].lower(), order) for url, order in _resource_urls(document, head))
        if not texts.joined:
            return
        joined = texts.joined
        parts = frozenset(joined.split("/"))
        possible = _SIGNS_ANYWHERE.union(*(_SIGNS_BY_PART[part] for part in _SIGNS_BY_PART.keys() & parts))
        for number in sorted(possible):
            product, sign, needed = _URL_SIGNS[number]
            for url, order in texts.having(sign.has) if parts.issuperset(needed) and sign.has in joined else ():
                match = _pattern(sign.matches).search(url) if sign.matches else None
                if match or not sign.matches:
                    self._add_product(product, url, version=_version(match), element=document.element_at(order))
                    break

    def add_from_scripts(self, document: Document) -> None:
        inline = [script for script in document.all("script", "noscript", limit=MAX_SCRIPTS) if _is_code(script)]
        texts = [script.raw_text[:MAX_SCRIPT_CHARS] for script in inline]
        if not texts:
            return
        joined = _normalize_script("\n".join(texts))
        for product, literals in _BY_SCRIPT:
            for literal in literals:
                if literal in joined:
                    script = next(script for script, text in zip(inline, texts, strict=True) if literal in _normalize_script(text))
                    self._add_product(product, f"script: {literal}", element=script)
                    break

    def add_from_markup(self, document: Document) -> None:
        body = document.body
        root = body or document.html
        telling = _BY_ATTRIBUTE.keys()
        for node in (document.html, root, *root.first_descendants(MAX_ELEMENTS_READ - 1)):
            for name in () if telling.isdisjoint(node.attr_names) else node.attrs:
                if name in telling:
                    version = node.attrs[name][:20] if name.endswith("-version") else ""
                    self._add_product(_BY_ATTRIBUTE[name], f"attribute {name}", version=version, element=node)
        for child in body.children[:MAX_SCRIPTS] if body else ():
            if (product := _BY_ID.get(child.attr("id") or "")) is not None:
                self._add_product(product, f'id="{child.attr("id")}"', element=child)

    def add_from_headers(self, headers: Headers) -> None:
        cookies = [line.partition("=")[0].strip() for line in headers.all("set-cookie")[:50]]
        for product in PRODUCTS:
            for sign in product.headers:
                for value in headers.all(sign.field)[:20]:
                    if match := _pattern(sign.matches).search(value[:MAX_SIGN_CHARS]):
                        self._add_product(product, f"{sign.field}: {value}", version=_version(match))
            for name in product.cookies:
                found = next((cookie for cookie in cookies if _is_named(cookie, name)), None)
                if found is not None:
                    self._add_product(product, f"cookie {found}")

    def add_implied(self) -> None:
        """Add the products that detected products are built with, with the same evidence."""
        for item in tuple(self.found.values()):
            product = _BY_NAME.get(item.name)
            for name in product.implies if product else ():
                self.add(name, _BY_NAME[name].kind, item.sign, element=item.element)

    def add_features(self, document: Document, head: Head) -> None:
        for link in head.links[:MAX_SCRIPTS]:
            if "alternate" in link.rel and link.type in FEEDS:
                self.add(FEEDS[link.type], "feature", link.url or "", element=link.element)
            elif "manifest" in link.rel:
                self.add("web app manifest", "feature", link.url or "", element=link.element)
            elif "amphtml" in link.rel:
                self.add("AMP version", "feature", link.url or "", element=link.element)
        html = document.html
        if html.attr("amp") is not None or html.attr("⚡") is not None:
            self.add("AMP", "feature", "amp attribute", element=html)


def _resource_urls(document: Document, head: Head) -> Iterator[tuple[str, int]]:
    """Yield the URLs of the page's resources, with the position of their element."""
    for tag, attribute in _LOADED_FROM:
        for order, url in document.values(tag, attribute, MAX_SCRIPTS):
            if url:
                yield url, order
    for link in head.links[:MAX_SCRIPTS]:
        if link.url and link.rel & _LOADING:
            yield link.url, link.element.order


def _is_code(script: Element) -> bool:
    """Return whether the element is an inline script or noscript, neither a loaded script nor data."""
    return not script.attr("src") and not (script.attr("type") or "").strip().lower().endswith(_DATA_TYPES)


def _normalize_script(script: str) -> str:
    """Return a script in the form of the table: without spaces, with single quotes."""
    return script.replace(" ", "").replace('"', "'")


def _is_named(cookie: str, name: str) -> bool:
    return cookie.startswith(name[:-1]) if name.endswith("*") else cookie == name


def _version(match: re.Match[str] | None) -> str:
    return (match.group(1) or "") if match and match.re.groups else ""


@artifact
def make_technologies(page: PageCapture, document: Document, head: Head) -> Technologies:
    """Detect technologies by meta elements, URLs, scripts, attributes, headers and cookie names."""
    finder = _Finder()
    finder.add_generators(head)
    finder.add_from_urls(document, head)
    finder.add_from_scripts(document)
    finder.add_from_markup(document)
    finder.add_from_headers(page.response.headers)
    finder.add_implied()
    finder.add_features(document, head)
    if ":" in page.response.final.address:
        finder.add("IPv6", "feature", f"the page was fetched over IPv6 ({page.response.final.address})")
    order = {kind: index for index, kind in enumerate(KINDS)}
    return Technologies(tuple(sorted(finder.found.values(), key=lambda item: (order[item.kind], item.name.lower()))))
