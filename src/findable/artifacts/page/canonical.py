"""Canonical declarations of the page: those that count, and the differences between target and page."""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.page.head import Head
from findable.artifacts.page.page_url import INDEX_FILES
from findable.artifacts.registry import artifact
from findable.capture.response import Response
from findable.formats.link_header import header_links
from findable.formats.session_ids import session_name, without_session
from findable.urls import Url, as_https, join, other_scheme, parse, untracked_query, without_fragment, without_tracking
from findable.vocabulary import Code

IGNORED_WITH = ("hreflang", "lang", "media", "type")
"""Attributes that make search engines ignore a canonical link (Google, "How to specify a canonical URL", 2025)."""
MAX_DECLARATIONS = 50
MOBILE_LABELS = ("m", "mobile", "amp")

_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!'()*")
"""Unreserved characters of RFC 3986, and the marks that software may or may not escape (RFC 2396)."""


class IgnoredReason(StrEnum):
    """Reason why search engines ignore a canonical declaration."""

    NO = ""
    BODY = "it is in the body"
    ATTRIBUTE = "it carries {attribute}"
    EMPTY = "its URL is empty"
    SCHEME = "its URL begins with {scheme}:, not with http: or https:"
    UNREADABLE = "its URL cannot be read"


class Declaration(Struct, frozen=True):
    """One canonical link in the head, the body or a Link header."""

    href: str
    """Target as written; empty if it is missing."""
    url: str | None
    """Resolved target with its fragment; None if it is not an http(s) URL."""
    element: Element | None
    header_line: str
    """Link header line; empty for an element."""
    ignored: IgnoredReason
    attribute: str = ""
    """Name of the attribute, with ``IgnoredReason.ATTRIBUTE``."""
    scheme: str = ""
    """Scheme of the URL, with ``IgnoredReason.SCHEME``."""

    @property
    def ignored_with(self) -> dict[str, str]:
        """Values for the message template of the reason."""
        return {name: value for name, value in (("attribute", self.attribute), ("scheme", self.scheme)) if value}

    @property
    def counts(self) -> bool:
        """Whether search engines use the declaration."""
        return self.ignored is IgnoredReason.NO


class Difference(Code, params=("parts",)):
    """Difference between the canonical URL and the page's URL."""

    NONE = "none"
    SLASH = "slash", "the final slash"
    INDEX_FILE = "index_file", "the index file"
    SESSION = "session", "the session id"
    SCHEME = "scheme", "http and https"
    WWW = "www"
    QUERY = "query", "the query"
    LETTER_CASE = "letter_case", "upper and lower case"
    MOBILE = "mobile", "the host for phones"
    HOME_PAGE = "home_page", "the home page"
    OTHER_PAGE = "other_page", "another page"
    OTHER_HOST = "other_host", "another host"


VARIANTS = frozenset(Difference) - {Difference.NONE, Difference.HOME_PAGE, Difference.OTHER_PAGE, Difference.OTHER_HOST}
"""Differences between variants of one page."""


class Canonical(Struct, frozen=True):
    """Canonical of the page: its declarations, and the URL that they agree on."""

    page_url: str
    declared: tuple[Declaration, ...]
    """Declarations in document order, then those of headers; at most MAX_DECLARATIONS of each."""

    @property
    def effective(self) -> list[Declaration]:
        """Declarations that search engines use."""
        return [item for item in self.declared if item.counts]

    @property
    def targets(self) -> list[str]:
        """Distinct target URLs of the declarations that search engines use, without fragments."""
        return list(dict.fromkeys(comparable(item.url) for item in self.effective if item.url))

    @property
    def target(self) -> str | None:
        """The only canonical URL, resolved and without fragment; None if there is none or more than one."""
        urls = [without_fragment(item.url) for item in self.effective if item.url]
        return urls[0] if len(self.targets) == 1 else None

    @property
    def differences(self) -> frozenset[Difference]:
        """Differences between the canonical URL and the page's; empty without a canonical or if it is the page itself."""
        return differences(self.page_url, self.target) if self.target else frozenset()

    @property
    def is_insecure(self) -> bool:
        """Whether the canonical URL is http although the page is https."""
        return self.page_url.startswith("https:") and (self.target or "").startswith("http:")

    @property
    def is_preferred(self) -> bool:
        """Whether the canonical URL is the better form of the page's URL: https, or without session id or index file."""
        return (
            bool(self.target)
            and bool(self.differences)
            and not differences(
                self.target or "", preferred_form(as_https(self.page_url) if (self.target or "").startswith("https:") else self.page_url)
            )
        )

    @property
    def is_self(self) -> bool:
        """Whether the page is its own canonical, declared or by default."""
        return self.target is None or not self.differences


@artifact
def make_canonical(response: Response, head: Head) -> Canonical:
    """Read every ``<link rel=canonical>`` of the page, and the Link headers of the final response."""
    links, headers = islice(_from_links(head), MAX_DECLARATIONS), islice(_from_headers(response), MAX_DECLARATIONS)
    return Canonical(response.final_url, (*links, *headers))


def known_canonical(page_url: str, target: str) -> Canonical:
    """Return the canonical of a page that was read earlier; an empty target means that it declares none."""
    return Canonical(page_url, (Declaration(target, target, None, "", IgnoredReason.NO),) if target else ())


def _from_links(head: Head) -> Iterator[Declaration]:
    for link in head.rel("canonical"):
        attrs = link.element.attrs
        attribute = next((name for name in IGNORED_WITH if attrs.get(name, "").strip()), "")
        ignored = IgnoredReason.BODY if not link.in_head else IgnoredReason.ATTRIBUTE if attribute else IgnoredReason.NO
        yield _declaration(link.href, link.url, link.element, "", ignored, attribute)


def _from_headers(response: Response) -> Iterator[Declaration]:
    for link in header_links(response.headers, response.final_url):
        if "canonical" in link.rel:
            attribute = next((name for name in IGNORED_WITH if link.params.get(name, "").strip()), "")
            ignored = IgnoredReason.ATTRIBUTE if attribute else IgnoredReason.NO
            yield _declaration(link.href, join(response.final_url, link.href), None, link.line, ignored, attribute)


def _declaration(
    href: str | None, url: str | None, element: Element | None, line: str, ignored: IgnoredReason, attribute: str
) -> Declaration:
    text = (href or "").strip()
    parsed = parse(url) if url and text else None
    usable = parsed is not None and parsed.is_http and bool(parsed.host)
    scheme = ""
    if ignored is IgnoredReason.NO and not usable:
        scheme = other_scheme(text)
        ignored = IgnoredReason.SCHEME if scheme else IgnoredReason.UNREADABLE if text else IgnoredReason.EMPTY
    return Declaration(text, parsed.href if parsed and usable else None, element, line, ignored, attribute, scheme)


@lru_cache(maxsize=4096)
def comparable(url: str) -> str:
    """Normalize a URL for comparison: no fragment, tracking parameters or final dot of the host, and escapes in one form."""
    parsed = parse(without_fragment(url))
    if parsed is None:
        return without_fragment(url)
    host = parsed.host.rstrip(".")
    origin = parsed.origin if host == parsed.host else parsed.origin.replace(parsed.host, host, 1)
    query = untracked_query(parsed)
    return origin + _ESCAPE.sub(_one_form, f"{parsed.path}?{query}" if query else parsed.path)


def _one_form(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def preferred_form(url: str, declared: str = "") -> str:
    """Return the form of a page's URL to declare as canonical: without fragment, tracking parameters, session id and index file.

    A declared URL that differs only in its form is preferred to that of the page, and https to http.
    """
    other = parse(declared) if declared else None
    if other is not None and other.is_http and differences(url, declared) <= VARIANTS - {Difference.QUERY}:
        url = as_https(declared) if url.startswith("https:") else declared
    plain = parse(without_session(without_tracking(url)))
    if plain is None:
        return without_fragment(url)
    folder, _, file = plain.path.rpartition("/")
    path = f"{folder}/" if file and file.lower() in INDEX_FILES and not plain.query else plain.path
    return f"{plain.origin}{path}?{plain.query}" if plain.query else f"{plain.origin}{path}"


@lru_cache(maxsize=4096)
def differences(page_url: str, target_url: str) -> frozenset[Difference]:
    """Return how the second URL differs from the first; empty if both are the same page."""
    page, target = parse(comparable(page_url)), parse(comparable(target_url))
    if page is None or target is None or page.href == target.href:
        return frozenset()
    found = set()
    if session_name(page.href) or session_name(target.href):
        found.add(Difference.SESSION)
        page, target = parse(without_session(page.href)) or page, parse(without_session(target.href)) or target
    found |= set(_host_differences(page, target))
    if page.scheme != target.scheme:
        found.add(Difference.SCHEME)
    if Difference.OTHER_HOST in found:
        return frozenset({Difference.OTHER_HOST})
    paths = _path_differences(page.path, target.path)
    if Difference.OTHER_PAGE in paths and _stem(target.path) == "":
        return frozenset({Difference.HOME_PAGE})
    if Difference.OTHER_PAGE in paths:
        return frozenset({Difference.OTHER_PAGE})
    found |= paths
    if page.query != target.query:
        found.add(Difference.QUERY)
    return frozenset(found)


def _host_differences(page: Url, target: Url) -> Iterator[Difference]:
    if page.host != target.host:
        bare = page.host.removeprefix("www."), target.host.removeprefix("www.")
        if bare[0] == bare[1]:
            yield Difference.WWW
        elif any(bare[0] == f"{label}.{bare[1]}" for label in MOBILE_LABELS):
            yield Difference.MOBILE
        else:
            yield Difference.OTHER_HOST
    # Ports 80 and 443 are the defaults of http and https; any other port is another site.
    if page.port != target.port and not {page.port, target.port} <= {80, 443}:
        yield Difference.OTHER_HOST


def _path_differences(page: str, target: str) -> set[Difference]:
    if page == target:
        return set()
    found = set()
    if _stem(page) != _stem(target):
        if _stem(page).lower() != _stem(target).lower():
            return {Difference.OTHER_PAGE}
        found.add(Difference.LETTER_CASE)
    if page.rstrip("/") == target.rstrip("/"):
        found.add(Difference.SLASH)
    elif not found:
        found.add(Difference.INDEX_FILE)
    return found


def _stem(path: str) -> str:
    """Return the path without index file and final slash."""
    folder, _, file = path.rpartition("/")
    return folder.rstrip("/") if file.lower() in INDEX_FILES else path.rstrip("/")
