"""Language versions that a page itself declares: every ``rel=alternate hreflang`` in the head, the body and Link headers."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import chain, islice

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.page.canonical import comparable
from findable.artifacts.page.head import Head, LinkTag
from findable.artifacts.page.language_codes import X_DEFAULT, CodeFault, code_fault
from findable.artifacts.registry import artifact
from findable.capture.response import Response
from findable.formats.link_header import header_links
from findable.urls import join, other_scheme, parse, without_fragment
from findable.values import once

MAX_ENTRIES = 1000
_FEED_SIGNS = ("rss", "atom", "json", "text/xml", "application/xml")
"""Link types of feeds and data, which are not versions of this page."""


class UrlFault(StrEnum):
    """Fault of the URL of a language version."""

    NONE = ""
    MISSING = "it has no URL"
    RELATIVE = "its URL is not complete"
    SCHEME = "its URL begins with {scheme}:, not with http: or https:"
    UNREADABLE = "its URL cannot be read"


class Alternate(Struct, frozen=True):
    """One language version as declared."""

    code: str
    """Code in lower case, trimmed."""
    code_as_written: str
    """Code as written."""
    href: str
    url: str | None
    """Resolved URL without a fragment; None if it is not an http(s) URL."""
    element: Element | None
    header_line: str
    sitemap_url: str
    """Sitemap that lists it; empty for other sources."""
    in_body: bool
    code_fault: CodeFault
    part: str
    """Faulty part of the code."""
    url_fault: UrlFault

    @property
    def url_fault_with(self) -> dict[str, str]:
        """Values for the message template of the URL fault."""
        return {"scheme": other_scheme(self.href)} if self.url_fault is UrlFault.SCHEME else {}

    @property
    def source(self) -> str:
        """Source of the declaration: ``link``, ``header`` or ``sitemap``."""
        return "link" if self.element else "sitemap" if self.sitemap_url else "header"

    @property
    def listed_as(self) -> str:
        """Element that declares the version in a sitemap, with the usual prefix of its namespace."""
        return f'<xhtml:link rel="alternate" hreflang="{self.code_as_written}" href="{self.href}"/>'

    @property
    def language(self) -> str:
        """Primary language, empty for x-default."""
        return "" if self.code == X_DEFAULT else self.code.partition("-")[0]

    @property
    def usable(self) -> bool:
        """Whether a search engine can use the declaration."""
        return self.code_fault is CodeFault.NONE and self.url is not None and not self.in_body


class Hreflang(Struct, frozen=True, dict=True):
    """Language versions that the page declares, at most MAX_ENTRIES; those in headers follow those in the markup."""

    page_url: str
    entries: tuple[Alternate, ...]
    entries_count: int

    @property
    def usable(self) -> list[Alternate]:
        """Entries that a search engine can use."""
        return [entry for entry in self.entries if entry.usable]

    def for_url(self, url: str) -> list[Alternate]:
        """Return usable entries for the URL."""
        return self._by_url.get(comparable(url), [])

    def faulty(self, url: str) -> list[Alternate]:
        """Return entries for the URL with a language code that search engines do not know."""
        wanted = comparable(url)
        return [entry for entry in self.entries if entry.code_fault is not CodeFault.NONE and comparable(entry.url or "") == wanted]

    @property
    def others(self) -> list[str]:
        """Different URLs of usable entries other than the page itself, without fragments."""
        own = comparable(self.page_url)
        return list(dict.fromkeys(entry.url for entry in self.usable if entry.url and comparable(entry.url) != own))

    @once
    def contradictions(self) -> tuple[tuple[str, tuple[Alternate, ...]], ...]:
        """Codes with more than one URL, and their entries."""
        by_code: dict[str, list[Alternate]] = {}
        for entry in self.usable:
            by_code.setdefault(entry.code, []).append(entry)
        return tuple(
            (code, tuple(entries)) for code, entries in by_code.items() if len({comparable(entry.url or "") for entry in entries}) > 1
        )

    @once
    def _by_url(self) -> dict[str, list[Alternate]]:
        found: dict[str, list[Alternate]] = {}
        for entry in self.usable:
            found.setdefault(comparable(entry.url or ""), []).append(entry)
        return found


@artifact
def make_hreflang(response: Response, head: Head) -> Hreflang:
    """Read links with both rel=alternate and hreflang; stylesheets have none, and feeds are not versions of the page."""
    links = [link for link in head.rel("alternate") if link.hreflang is not None and "stylesheet" not in link.rel and not _is_feed(link)]
    sent = [link for link in header_links(response.headers, response.final_url) if "alternate" in link.rel and "hreflang" in link.params]
    page_url = response.final_url
    own = chain(
        (alternate(link.hreflang or "", link.href, link.url, element=link.element, in_body=not link.in_head) for link in links),
        (alternate(link.params["hreflang"], link.href, join(page_url, link.href), line=link.line) for link in sent),
    )
    return Hreflang(page_url, tuple(islice(own, MAX_ENTRIES)), len(links) + len(sent))


def _is_feed(link: LinkTag) -> bool:
    kind = link.type.lower()
    return any(sign in kind for sign in _FEED_SIGNS)


def known_alternates(pairs: Iterable[tuple[str, str]]) -> tuple[Alternate, ...]:
    """Return the hreflang declarations of a page that was read earlier, from their codes and URLs."""
    return tuple(alternate(code, url, url) for code, url in pairs)


def alternate(
    written: str,
    href: str | None,
    url: str | None,
    *,
    element: Element | None = None,
    line: str = "",
    sitemap_url: str = "",
    in_body: bool = False,
) -> Alternate:
    """Parse one hreflang declaration from a link, a header or a sitemap."""
    fault, part = code_fault(written)
    text = (href or "").strip()
    parsed = parse(url) if url and text else None
    usable = parsed is not None and parsed.is_http
    return Alternate(
        code=written.strip().lower()[:100],
        code_as_written=written[:100],
        href=text,
        url=without_fragment(parsed.href) if parsed and usable else None,
        element=element,
        header_line=line,
        sitemap_url=sitemap_url,
        in_body=in_body,
        code_fault=fault,
        part=part,
        url_fault=_url_fault(text, usable=usable),
    )


def _url_fault(text: str, *, usable: bool) -> UrlFault:
    if not text:
        return UrlFault.MISSING
    if not usable:
        return UrlFault.SCHEME if other_scheme(text) else UrlFault.UNREADABLE
    return UrlFault.NONE if text.lower().startswith(("http://", "https://")) else UrlFault.RELATIVE
