"""Tables of a crawl, declared once.

The fields of a row type are the columns of CSV, NDJSON, the API and ``docs/reference/tables.md``,
and a method of `store.crawl_tables` with the name of the table yields the rows.

A column is never renamed or removed: its name, type, unit and meaning are a promise.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from msgspec import Struct, inspect

from findable.attribute_docs import attribute_docs
from findable.crawl.changes import PageChange
from findable.crawl.page_row import PageRow


class LinkRow(Struct, frozen=True):
    """Link from a page to a URL. Links to the same URL in one list of links form one row."""

    source: int
    """Number of the page."""
    source_url: str
    """URL of the page."""
    target: int
    """Number of the linked URL."""
    target_url: str
    """Linked URL."""
    target_status: int | None
    """HTTP status of the target; null if it was not requested."""
    target_failure: str
    """Reason why the target has no response."""
    anchor_text: str
    """Text of the link."""
    nofollow: bool
    """Whether the link or its page is nofollow."""
    landmark: str
    """Part of the page that contains the link: main, nav, footer …"""
    selector: str
    """Selector of the list of links, on the first page that has it."""


class RedirectRow(Struct, frozen=True):
    """URL that redirects, with the end of the chain."""

    n: int
    """Number of the page in this crawl."""
    url: str
    """URL that redirects."""
    status: int
    """HTTP status."""
    location: str
    """Target of the redirect."""
    hops: int
    """Number of redirects to the end of the chain."""
    end_url: str
    """URL at the end of the chain."""
    end_status: int | None
    """HTTP status at the end; null if it was not requested."""
    is_loop: bool
    """Whether the chain returns to a URL in it."""
    inlinks: int
    """Number of pages with a followed link to the URL."""


class CanonicalRow(Struct, frozen=True):
    """Page that declares another URL as canonical."""

    n: int
    """Number of the page in this crawl."""
    url: str
    """URL of the page."""
    canonical: str
    """Declared canonical URL."""
    canonical_status: int | None
    """HTTP status of the canonical URL; null if it was not requested."""
    canonical_reason: str | None
    """Reason why the canonical URL is not indexable; null if it is indexable, or was not requested."""


class HreflangRow(Struct, frozen=True):
    """Declared language version of a page."""

    n: int
    """Number of the page in this crawl."""
    url: str
    """URL of the page."""
    lang: str
    """Language of the page."""
    hreflang: str
    """Declared language code."""
    alternate: str
    """Declared URL of the version."""
    alternate_status: int | None
    """HTTP status of the version; null if it was not requested."""
    returns: bool | None
    """Whether the other page declares this one too; null if it was not requested."""


class ExternalRow(Struct, frozen=True):
    """URL outside the crawl that pages link to."""

    url: str
    """Linked URL."""
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
    """URL of the resource."""
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
    """Media type of the response; null if it was not requested."""
    size_bytes: int | None
    """Size as transferred; null if the server does not declare it."""


class RefusedRow(Struct, frozen=True):
    """URL that was found but not requested."""

    n: int
    """Number of the URL in this crawl."""
    url: str
    """URL that was not requested."""
    reason: str
    """Reason code: robots, scope, guard, action, trap, budget, depth or too_long."""
    detail: str | None
    """Line of robots.txt that disallows it, or the shape of the endless series."""
    depth: int
    """Clicks from the start page to the page on which it was found, plus one."""
    found_by: tuple[str, ...]
    """Ways in which the URL was found."""
    pages: int
    """Number of pages with a link to the URL."""
    page: str | None
    """First page with a link to the URL."""


class SitemapRow(Struct, frozen=True):
    """Entry of a sitemap."""

    n: int
    """Number of the URL in this crawl."""
    url: str
    """Listed URL."""
    status: int | None
    """HTTP status; null if it was not requested."""
    indexable: bool | None
    """Whether search engines may list the page; null if it was not requested."""
    reason: str | None
    """Reason why the page is not indexable."""
    refusal: str | None
    """Reason why it was not requested."""
    inlinks: int
    """Number of pages with a followed link to the page."""


class DuplicateRow(Struct, frozen=True):
    """Page of a group of duplicates."""

    group: int
    """Number of the group within its kind."""
    kind: str
    """Kind of duplicate: title, description, h1, text or similar."""
    n: int
    """Number of the page in this crawl."""
    url: str
    """URL of the page."""
    title: str
    """Title of the page."""


class FindingRow(Struct, frozen=True):
    """Finding of the site, with its cause."""

    key: str
    """Key of the finding in this crawl."""
    check_id: str
    """Id of the check."""
    verdict: str
    """Verdict: failed or warned."""
    importance: str
    """Importance of the check: high, medium, low or info."""
    summary: str
    """Finding in a sentence, in English."""
    kind: str
    """Kind of the cause: block, template, page, host …"""
    cause: str
    """Name of the cause."""
    pages_count: int
    """Number of pages with the finding."""
    share: float
    """Share of the pages of the site with the finding, from 0 to 1."""


class FindingPageRow(Struct, frozen=True):
    """Page with a finding of the site."""

    key: str
    """Key of the finding in this crawl."""
    check_id: str
    """Id of the check."""
    n: int
    """Number of the page."""


class VerdictRow(Struct, frozen=True):
    """Failed or warned check of a page."""

    n: int
    """Number of the page."""
    check_id: str
    """Id of the check."""
    verdict: str
    """Verdict: failed or warned."""


class ExtractedRow(Struct, frozen=True):
    """Result of an extractor on a page. Pages whose result is unknown have no row."""

    n: int
    """Number of the page."""
    name: str
    """Name of the extractor."""
    count: int
    """Number of matches."""
    value: str
    """First value; empty for an extractor that counts."""


class NumberRow(Struct, frozen=True):
    """Uploaded number of a page, or number of requests of bots; for people of the account only."""

    n: int
    """Number of the page."""
    name: str
    """Name of the column, like clicks."""
    value: float
    """Value."""


class TableColumn(Struct, frozen=True):
    """Column of a table."""

    name: str
    type: str
    """Type: text, integer, number, boolean, list of texts, or map for values by name, which only JSON has."""
    is_nullable: bool
    meaning: str


_TYPES: Mapping[type[inspect.Type], str] = {
    inspect.IntType: "integer",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.VarTupleType: "list of texts",
    inspect.DictType: "map",
}


def columns_of(row: type[Struct]) -> tuple[TableColumn, ...]:
    """Return the columns of a type of rows, with their docstrings as meanings."""
    info, meanings = inspect.type_info(row), attribute_docs(row)
    found = []
    for field in info.fields if isinstance(info, inspect.StructType) else ():
        kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
        kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
        names = [_TYPES.get(type(one), "text") for one in kinds if not isinstance(one, inspect.NoneType)]
        found.append(TableColumn(field.name, names[0], len(names) < len(kinds), meanings.get(field.name, "")))
    return tuple(found)


class CrawlTable(StrEnum):
    """Table of a crawl that can be exported."""

    row: type[Struct]
    """Type of its rows. The files of findings contain more: documents with fixes and groups."""
    takes_filters: bool
    """Whether filters of pages apply to its rows."""

    def __new__(cls, value: str, row: type[Struct], takes_filters: bool = False) -> Self:  # noqa: FBT001, FBT002 - values of a member
        """Return a member with its declaration."""
        member = str.__new__(cls, value)
        member._value_, member.row, member.takes_filters = value, row, takes_filters
        return member

    PAGES = "pages", PageRow, True
    LINKS = "links", LinkRow, True
    BROKEN_LINKS = "broken-links", LinkRow
    REDIRECTS = "redirects", RedirectRow, True
    CANONICALS = "canonicals", CanonicalRow, True
    HREFLANG = "hreflang", HreflangRow, True
    IMAGES = "images", ResourceRow
    RESOURCES = "resources", ResourceRow
    EXTERNAL = "external", ExternalRow
    REFUSED = "refused", RefusedRow
    SITEMAPS = "sitemaps", SitemapRow
    DUPLICATES = "duplicates", DuplicateRow
    ORPHANS = "orphans", PageRow
    CHANGES = "changes", PageChange
    FINDINGS = "findings", FindingRow
    FINDING_PAGES = "finding-pages", FindingPageRow
    VERDICTS = "verdicts", VerdictRow
    EXTRACTED = "extracted", ExtractedRow
    NUMBERS = "numbers", NumberRow
    SITEMAP_XML = "sitemap-xml", PageRow, True
