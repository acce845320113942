"""Tables of a crawl, declared once.

The fields of a row type are the columns of files, the API and ``docs/reference/tables.md``, and a method of `store.crawl_tables` with the
name of the table yields the rows.

A column is never renamed or removed: its name, type, unit and meaning are a promise. A column added later states its version:
``Annotated[int, Meta(extra={"since": "0.3"})]``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from msgspec import Struct, inspect

from findable.attribute_docs import attribute_docs
from findable.crawl.changes import PageChange
from findable.crawl.page_columns import PageRow
from findable.crawl.redirect_map import RedirectMapRow

FIRST_VERSION = "0.2"
"""Version of Findable since which a column exists that states no other."""


class LinkRow(Struct, frozen=True, gc=False):
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
    inlinks: int | None
    """Number of pages with a followed link to the URL; null while the crawl is running."""


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
    """Line of robots.txt that disallows the URL after its number (`2: Disallow: /`), or the product that served a bot challenge."""


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
    """Line of robots.txt that disallows it after its number (`2: Disallow: /`), or the shape of the endless series."""
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
    selector: str
    """Selector of the block that causes it, if a block does."""
    examples: tuple[str, ...]
    """URLs of examples."""
    how_to_fix: str
    """Instructions for the fix, in English."""


class FixRow(Struct, frozen=True):
    """Fault to fix: of the site, with its cause, or of a single page. A list to work through."""

    url: str
    """URL of the page; for a fault of the site, of the first example."""
    fault: str
    """Fault in a sentence, in English."""
    old_value: str | None
    """Text or code that is there now; null if something is missing."""
    proposed_value: str | None
    """Code to put there instead; null if a person has to choose it."""
    done: bool
    """Whether it is done: false, for the person who works through the list."""
    check_id: str
    """Id of the check."""
    verdict: str
    """Verdict: failed or warned."""
    importance: str
    """Importance of the check: high, medium, low or info."""
    pages_count: int
    """Number of pages with the fault."""


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


class BotHitsRow(Struct, frozen=True, gc=False):
    """Requests of a bot for a URL in the last 30 days of the project's access logs; for people of the account only."""

    n: int | None
    """Number of the URL in this crawl; null if the crawl does not know it."""
    url: str
    """Requested URL."""
    bot: str
    """Bot, as its operator names it."""
    verification: str
    """Whether it was the bot: verified, unverified or fake."""
    hits: int
    """Number of requests."""
    first_day: str
    """Day of the first request in UTC, like 2026-11-21."""
    last_day: str
    """Day of the last request."""
    ok: int
    """Requests with a response of 2xx."""
    not_modified: int
    """Requests with 304."""
    redirect: int
    """Requests with another 3xx."""
    missing: int
    """Requests with 404 or 410."""
    refused: int
    """Requests with 401, 403, 406, 429 or 451."""
    client_error: int
    """Requests with another 4xx."""
    server_error: int
    """Requests with 5xx."""
    aborted: int
    """Requests without a complete response."""


class TableColumn(Struct, frozen=True):
    """Column of a table."""

    name: str
    type: str
    """Type: text, integer, number, boolean, time, list of texts, or map for values by name, which only JSON of the API has."""
    is_nullable: bool
    meaning: str
    since: str = FIRST_VERSION
    """Version of Findable since which the column exists."""


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
        kind, extra = (field.type.type, field.type.extra) if isinstance(field.type, inspect.Metadata) else (field.type, None)
        kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
        names = [_TYPES.get(type(one), "text") for one in kinds if not isinstance(one, inspect.NoneType)]
        since = (extra or {}).get("since", FIRST_VERSION)
        found.append(TableColumn(field.name, names[0], len(names) < len(kinds), meanings.get(field.name, ""), since))
    return tuple(found)


class CrawlTable(StrEnum):
    """Table of a crawl that can be exported."""

    row: type[Struct]
    """Type of its rows."""
    takes_filters: bool
    """Whether filters of pages apply to its rows."""
    needs_end: bool
    """Whether its rows are known after the crawl only."""

    def __new__(cls, value: str, row: type[Struct], *kinds: str) -> Self:
        """Return a member with its declaration."""
        member = str.__new__(cls, value)
        member._value_, member.row = value, row
        member.takes_filters, member.needs_end = "filtered" in kinds, "running" not in kinds
        return member

    PAGES = "pages", PageRow, "filtered", "running"
    FINDINGS = "findings", FindingRow
    FIX_LIST = "fix-list", FixRow
    LINKS = "links", LinkRow, "filtered", "running"
    BROKEN_LINKS = "broken-links", LinkRow
    REDIRECTS = "redirects", RedirectRow, "filtered", "running"
    CANONICALS = "canonicals", CanonicalRow, "filtered", "running"
    HREFLANG = "hreflang", HreflangRow, "filtered", "running"
    IMAGES = "images", ResourceRow, "running"
    RESOURCES = "resources", ResourceRow, "running"
    EXTERNAL = "external", ExternalRow
    REFUSED = "refused", RefusedRow
    SITEMAPS = "sitemaps", SitemapRow
    DUPLICATES = "duplicates", DuplicateRow
    ORPHANS = "orphans", PageRow
    CHANGES = "changes", PageChange
    FINDING_PAGES = "finding-pages", FindingPageRow
    VERDICTS = "verdicts", VerdictRow, "running"
    EXTRACTED = "extracted", ExtractedRow, "running"
    NUMBERS = "numbers", NumberRow
    BOT_HITS = "bot-hits", BotHitsRow
    REDIRECT_MAP = "redirect-map", RedirectMapRow
    SITEMAP_XML = "sitemap-xml", PageRow, "filtered"


class AboutRow(Struct, frozen=True):
    """Table of an export of all tables, with the number of its rows."""

    name: str
    """Name of the table."""
    rows: int | None
    """Number of rows; null if they are not known yet."""
    note: str | None
    """Reason why there are no rows: after the crawl, or without an earlier crawl."""
    meaning: str
    """Meaning of a row."""
    url: str
    """URL where the crawl began."""
    ended_by: str | None
    """Reason why the crawl ended: complete, pages, time …; null while it is running."""
