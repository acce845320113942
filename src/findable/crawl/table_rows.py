"""Rows of a crawl's tables other than its pages: links, redirects, canonical links … The members of a type are the columns."""

from enum import StrEnum

from msgspec import Struct


class CrawlTable(StrEnum):
    """Table of a crawl that can be exported."""

    PAGES = "pages"
    LINKS = "links"
    BROKEN_LINKS = "broken-links"
    REDIRECTS = "redirects"
    CANONICALS = "canonicals"
    HREFLANG = "hreflang"
    IMAGES = "images"
    RESOURCES = "resources"
    EXTERNAL = "external"
    REFUSED = "refused"
    SITEMAPS = "sitemaps"
    DUPLICATES = "duplicates"
    ORPHANS = "orphans"
    CHANGES = "changes"
    FINDINGS = "findings"
    SITEMAP_XML = "sitemap-xml"

    @property
    def takes_filters(self) -> bool:
        """Whether filters of pages apply to the table's rows."""
        return self in _OF_PAGES


_OF_PAGES = frozenset(
    {CrawlTable.PAGES, CrawlTable.LINKS, CrawlTable.REDIRECTS, CrawlTable.CANONICALS, CrawlTable.HREFLANG, CrawlTable.SITEMAP_XML}
)


class LinkRow(Struct, frozen=True):
    """Link from a page to a URL. Links to the same URL in one list of links form one row."""

    source: int
    """Number of the page."""
    source_url: str
    target: int
    target_url: str
    target_status: int | None
    """HTTP status of the target; null if it was not requested."""
    target_failure: str
    anchor_text: str
    nofollow: bool
    landmark: str
    selector: str
    """Selector of the list of links, on the first page that has it."""


class RedirectRow(Struct, frozen=True):
    """URL that redirects, with the end of the chain."""

    n: int
    url: str
    status: int
    location: str
    hops: int
    end_url: str
    end_status: int | None
    is_loop: bool
    inlinks: int


class CanonicalRow(Struct, frozen=True):
    """Page that declares another URL as canonical."""

    n: int
    url: str
    canonical: str
    canonical_status: int | None
    canonical_reason: str | None
    """Reason why the canonical URL is not indexable; null if it is indexable, or was not requested."""


class HreflangRow(Struct, frozen=True):
    """Declared language version of a page."""

    n: int
    url: str
    lang: str
    """Language of the page."""
    hreflang: str
    alternate: str
    alternate_status: int | None
    returns: bool | None
    """Whether the other page declares this one too; null if it was not requested."""


class ExternalRow(Struct, frozen=True):
    """URL outside the crawl that pages link to."""

    url: str
    pages: int
    """Number of pages with a link to the URL."""
    status: int | None
    """HTTP status at the end of redirects; null if it was not requested, or without a response."""
    failure: str | None
    """Reason why there is no response: dns, timeout, robots_txt …"""
    detail: str | None
    """Line of robots.txt that disallows the URL, or the product that served a bot challenge."""


class ResourceRow(Struct, frozen=True):
    """Stylesheet, script or image that pages load."""

    url: str
    used_as: str
    """Uses of the resource: stylesheet, script, image."""
    is_own: bool
    """Whether the resource belongs to the site; other resources are not requested."""
    pages: int
    """Number of pages that load it."""
    page: str
    """First of these pages."""
    status: int | None
    """HTTP status at the end of redirects; null if it was not requested, or without a response."""
    failure: str | None
    """Reason why there is no response: timeout, robots_txt …"""
    media_type: str | None
    size_bytes: int | None
    """Size as transferred; null if the server does not declare it."""


class RefusedRow(Struct, frozen=True):
    """URL that was found but not requested."""

    n: int
    url: str
    reason: str
    """Reason code: robots, scope, guard, action, trap, budget, depth or too_long."""
    detail: str | None
    """Line of robots.txt that disallows it, or the shape of the endless series."""
    depth: int
    found_by: tuple[str, ...]
    pages: int
    """Number of pages with a link to the URL."""
    page: str | None
    """First page with a link to the URL."""


class SitemapRow(Struct, frozen=True):
    """Entry of a sitemap."""

    n: int
    url: str
    status: int | None
    indexable: bool | None
    reason: str | None
    refusal: str | None
    """Reason why it was not requested."""
    inlinks: int


class DuplicateRow(Struct, frozen=True):
    """Page of a group of duplicates."""

    group: int
    """Number of the group within its kind."""
    kind: str
    """Kind of duplicate: title, description, h1, text or similar."""
    n: int
    url: str
    title: str
