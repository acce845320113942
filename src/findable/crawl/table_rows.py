"""Rows of the tables of a crawl beside its pages: links, redirects, canonical links … One type per table; its members are the columns."""

from msgspec import Struct


class LinkRow(Struct, frozen=True):
    """Link of one page to one URL. Links to the same URL in one list of links are one row."""

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
    """Reason why the canonical URL is not indexable; null where it is, or was not requested."""


class HreflangRow(Struct, frozen=True):
    """Language version that a page declares."""

    n: int
    url: str
    lang: str
    """Language of the page."""
    hreflang: str
    alternate: str
    alternate_status: int | None
    returns: bool | None
    """Whether the other page declares this one too; null where it was not requested."""


class ExternalRow(Struct, frozen=True):
    """URL outside of the crawl that pages link to."""

    url: str
    pages: int
    """Number of pages that link to it."""


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
    """Page of a group that shares something."""

    group: int
    """Number of the group within its kind."""
    kind: str
    """title, description, h1, text or similar."""
    n: int
    url: str
    title: str
