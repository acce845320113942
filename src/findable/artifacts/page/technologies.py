"""Technologies detected on the page, each with evidence.

A pattern is tried only if its literal was found. What a URL or an inline script says is cached, because it is on most pages of a site.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.registry import artifact
from findable.artifacts.tables.technology_signs import KINDS, PRODUCTS, Product, TechnologyKind
from findable.capture.page import PageCapture
from findable.capture.response import Headers
from findable.values import remembered

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


MAX_KNOWN = 8192
_KNOWN_URLS: dict[str, tuple[tuple[int, str], ...]] = {}
"""Signs of URLs that this process has read, as numbers in `_URL_SIGNS` with the version: most are those of other pages of the site."""


def _read_urls(urls: Iterable[str]) -> None:
    """Store the signs of URLs in `_KNOWN_URLS`. They are joined, so that each literal is searched for once."""
    if len(_KNOWN_URLS) > MAX_KNOWN:
        _KNOWN_URLS.clear()
    unread = dict.fromkeys(url for url in urls if url not in _KNOWN_URLS)
    if not unread:
        return
    starts = list(accumulate((len(url) + 1 for url in unread), initial=0))
    joined, listed = "\n".join(unread), list(unread)
    parts = frozenset(joined.split("/"))
    signs: dict[str, list[tuple[int, str]]] = {url: [] for url in unread}
    possible = _SIGNS_ANYWHERE.union(*(_SIGNS_BY_PART[part] for part in _SIGNS_BY_PART.keys() & parts))
    for number in sorted(possible):
        _, sign, needed = _URL_SIGNS[number]
        at = joined.find(sign.has) if parts.issuperset(needed) else -1
        while at >= 0:
            index = bisect_right(starts, at) - 1
            match = _pattern(sign.matches).search(listed[index]) if sign.matches else None
            if match or not sign.matches:
                signs[listed[index]].append((number, _version(match)))
            at = joined.find(sign.has, starts[index + 1] - 1)
    _KNOWN_URLS.update((url, tuple(found)) for url, found in signs.items())


@remembered
def _literals_in(script: str) -> frozenset[str]:
    """Return the literals of `_BY_SCRIPT` in a script."""
    normalized = _normalize_script(script)
    return frozenset(literal for _, literals in _BY_SCRIPT for literal in literals if literal in normalized)


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
        urls = [(url[:MAX_URL_CHARS].lower(), order) for url, order in _resource_urls(document, head)]
        _read_urls(url for url, _ in urls)
        first: dict[int, tuple[str, str, int]] = {}
        for url, order in urls:
            for number, version in _KNOWN_URLS[url]:
                first.setdefault(number, (url, version, order))
        for number in sorted(first):
            url, version, order = first[number]
            self._add_product(_URL_SIGNS[number][0], url, version=version, element=document.element_at(order))

    def add_from_scripts(self, document: Document) -> None:
        inline = [script for script in document.all("script", "noscript", limit=MAX_SCRIPTS) if _is_code(script)]
        first: dict[str, Element] = {}
        for script in inline:
            for literal in _literals_in(script.raw_text[:MAX_SCRIPT_CHARS]):
                first.setdefault(literal, script)
        for product, literals in _BY_SCRIPT:
            for literal in literals:
                if literal in first:
                    self._add_product(product, f"script: {literal}", element=first[literal])
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
