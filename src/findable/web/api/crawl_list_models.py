"""Query parameters of the lists of a crawl: pages, findings, links, changes and export."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.capture.crawl import Reason
from findable.crawl.changes import ChangeKind
from findable.crawl.extractors import MAX_VALUE_CHARS
from findable.crawl.page_selection import CanonicalKind, PageSelection, PageSort
from findable.crawl.tables import CrawlTable
from findable.crawl.url_keys import FoundBy
from findable.export.table_files import TableFormat
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.service.crawls.crawl_exports import TableChoice
from findable.service.crawls.crawl_lists import FindingQuery, LinkQuery, PageQuery
from findable.urls import MAX_URL_CHARS
from findable.vocabulary import Verdict
from findable.web.api.number_ranges import DATA, SpanText, data_of, span_of
from findable.web.api.request_models import CHECK_ID, CHECK_IDS, Cursor, FieldsQuery, ListQuery, PageNumber, PerPage, Search
from findable.web.api.validation import MESSAGE, input_of, value_or

Name = Annotated[str, Meta(max_length=200)]
_REASONS = tuple(reason.value for reason in Reason if reason.value)
_FOUND_BY = tuple((way.name or "").lower() for way in FoundBy)


class PageFilters(Struct, frozen=True):
    """Filters for the pages of a crawl, combined with AND."""

    status: SpanText | UnsetType = UNSET
    """Status code or range, like 404 or 500..599."""
    type: Name | UnsetType = UNSET
    """Media type, like text/html."""
    check: Annotated[Literal[CHECK_IDS], CHECK_ID] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Id of a check: pages with a failure or warning; with verdict, pages with the verdict."""
    verdict: Verdict | UnsetType = UNSET
    """Verdict on the check; without check, on any check."""
    indexable: Literal[0, 1] | UnsetType = UNSET
    """1: only indexable pages. 0: only others."""
    reason: Literal[_REASONS] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Reason why pages are not indexable."""
    segment: Name | UnsetType = UNSET
    """Name of a segment."""
    folder: Annotated[str, Meta(max_length=MAX_URL_CHARS)] | UnsetType = UNSET
    """Folder of the URL with everything below it, like /blog/."""
    template: Annotated[int, Meta(ge=0, le=2**31 - 1)] | UnsetType = UNSET
    """Number of a template; 0: pages without template."""
    in_sitemap: Literal[0, 1] | UnsetType = UNSET
    """1: only pages that a sitemap lists. 0: only others."""
    found_by: Literal[_FOUND_BY] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Way in which the URL was found, possibly among others."""
    canonical: CanonicalKind | UnsetType = UNSET
    """Whether the canonical URL of pages is the page itself, another URL or missing."""
    lang: Name | UnsetType = UNSET
    """Declared language of the page, in lower case."""
    depth: SpanText | UnsetType = UNSET
    """Clicks from the start page."""
    inlinks: SpanText | UnsetType = UNSET
    """Number of pages with a followed link to the page."""
    words: SpanText | UnsetType = UNSET
    """Words of the main text."""
    ttfb_ms: SpanText | UnsetType = UNSET
    """Milliseconds to the first byte."""
    has: Name | UnsetType = UNSET
    """Name of an extractor: pages with a match."""
    lacks: Name | UnsetType = UNSET
    """Name of an extractor: pages without a match. Pages whose response is not stored match neither has nor lacks."""
    value: Annotated[str, Meta(max_length=MAX_VALUE_CHARS)] = ""
    """Part of a value of the extractor in has, case-insensitive."""
    data: Annotated[str, DATA] | UnsetType = UNSET
    """Column of uploaded metrics, like clicks: with a range, like clicks:100.., pages whose value is in it."""
    search: Search = ""
    """Part of the URL, case-insensitive."""
    finding: Annotated[str, Meta(max_length=MAX_URL_CHARS)] | UnsetType = UNSET
    """Key of a finding of the site: the pages stored with it."""

    def selection(self, sort: PageSort = PageSort.NUMBER, *, descending: bool = False) -> PageSelection:
        """Return the filters as a selection of the store, in a sort order."""
        return input_of(
            PageSelection,
            self,
            status=span_of(self.status),
            media_type=value_or(self.type),
            indexable=None if self.indexable is UNSET else bool(self.indexable),
            in_sitemap=None if self.in_sitemap is UNSET else bool(self.in_sitemap),
            depth=span_of(self.depth),
            inlinks=span_of(self.inlinks),
            words=span_of(self.words),
            ttfb_ms=span_of(self.ttfb_ms),
            data=data_of(self.data)[0],
            data_span=data_of(self.data)[1],
            sort=sort,
            descending=descending,
        )


class PageListQuery(PageFilters, frozen=True):
    """The query of `GET /crawls/{id}/pages`."""

    fields: str = ""
    """Members to return, separated by commas, like n,url,status. Others are omitted even if the schema requires them. Default: all."""
    sort_by: PageSort = PageSort.NUMBER
    """number is the order of discovery. Pages without a score or depth come last."""
    sort: Literal["desc", "asc"] = "asc"
    """Order of the rows."""
    per_page: PerPage = 10
    """Rows per page."""
    page: PageNumber = 1
    """Page number from 1. For deep lists follow the cursors."""
    cursor: Cursor = ""
    """Opaque: follow links.next_cursor. Overrides page."""

    def to_query(self) -> PageQuery:
        """Convert to the query of the service."""
        selection = self.selection(self.sort_by, descending=self.sort == "desc")
        return PageQuery(selection, per_page=self.per_page, page=self.page, cursor=self.cursor)


class FindingListQuery(FieldsQuery, frozen=True):
    """The query of `GET /crawls/{id}/findings`."""

    segment: Name = ""
    """Name of a segment: findings of its pages, with the number of its affected pages."""
    verdict: Literal["failed", "warned", "info"] | UnsetType = UNSET
    """Verdict of the findings. info: notes, which are not faults and are listed only with this value."""
    per_page: PerPage = 10
    """Rows per page."""
    page: PageNumber = 1
    """Page number from 1."""
    cursor: Cursor = ""
    """Opaque: follow links.next_cursor. Overrides page."""

    def to_query(self) -> FindingQuery:
        """Convert to the query of the service."""
        verdict = None if self.verdict is UNSET else Verdict(self.verdict)
        return FindingQuery(self.segment, verdict, per_page=self.per_page, page=self.page, cursor=self.cursor)


class FindingPagesQuery(ListQuery, frozen=True):
    """The query of `GET /crawls/{id}/findings/{key}`."""

    sort: Literal["desc", "asc"] = "asc"
    """Order of the rows."""
    sort_by: PageSort = PageSort.NUMBER
    """number is the order of discovery. Pages without a score or depth come last."""

    def to_query(self) -> PageQuery:
        """Convert to the query of the service."""
        selection = PageSelection(sort=self.sort_by, descending=self.sort == "desc")
        return PageQuery(selection, per_page=self.per_page, page=self.page, cursor=self.cursor)


class QuestionAnswer(Struct, frozen=True):
    """Answer to a question about a crawl."""

    object: str
    columns: tuple[str, ...]
    """Names of the columns."""
    rows: tuple[tuple[str | int | float | None, ...], ...]
    """Rows, each with a value for each column."""
    is_cut: bool
    """Whether there are more rows than the limits allow."""


class LinkListQuery(FieldsQuery, frozen=True, rename={"from_": "from"}):
    """The query of `GET /crawls/{id}/links`."""

    to: Annotated[str, Meta(max_length=MAX_URL_CHARS)] = ""
    """Number or URL of the target: links to it. Either to or from is required."""
    from_: Annotated[str, Meta(max_length=MAX_URL_CHARS)] = ""
    """Number or URL of a page: links on it."""
    per_page: PerPage = 10
    """Rows per page."""
    cursor: Cursor = ""
    """Opaque: follow links.next."""

    def to_query(self) -> LinkQuery:
        """Convert to the query of the service."""
        return LinkQuery(self.to, self.from_, self.per_page, self.cursor)


ORIGINS_PATTERN = r"^(https?://[^\s/=?#]+=https?://[^\s/=?#]+)?$"
_ORIGINS = Meta(
    pattern=ORIGINS_PATTERN,
    max_length=600,
    extra={MESSAGE: "The {field} field must be two origins, like https://staging.example=https://www.example"},
    examples=["https://staging.example=https://www.example"],
)


Since = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Origins = Annotated[str, _ORIGINS]


class ChangesQuery(FieldsQuery, frozen=True):
    """The query of `GET /crawls/{id}/changes`."""

    since: Since | UnsetType = UNSET
    """Id of the earlier crawl. Default: the last comparable crawl of the site."""
    kind: ChangeKind | UnsetType = UNSET
    """Kind of changes to list. Default: all."""
    map: Origins = ""
    """Origin of this crawl and the equivalent origin in the earlier one."""
    per_page: PerPage = 10
    """Rows per page."""
    page: PageNumber = 1
    """Page number from 1. For deep lists follow the cursors."""
    cursor: Cursor = ""
    """Opaque: follow links.next_cursor. Overrides page."""

    def to_query(self) -> ChangeQuery:
        """Convert to the query of the service."""
        since, kind = value_or(self.since), value_or(self.kind)
        return ChangeQuery(since, _origins(self.map), kind, per_page=self.per_page, page=self.page, cursor=self.cursor)


def _origins(text: str) -> dict[str, str]:
    origin, _, stands_for = text.partition("=")
    return {origin: stands_for} if origin else {}


class ExportQuery(PageFilters, frozen=True):
    """The query of `GET /crawls/{id}/export`."""

    table: CrawlTable = CrawlTable.PAGES
    """Table to export. Filters apply to pages, links (of these pages), redirects, canonicals, hreflang and sitemap-xml."""
    since: Since | UnsetType = UNSET
    """Crawl that the `changes` table compares with. Default: the last comparable crawl of the site."""
    map: Origins = ""
    """Origin in this crawl, and the equivalent origin in the other crawl."""
    format: TableFormat = TableFormat.CSV
    """File format; sitemap-xml is XML in all. Parquet and xlsx are available if the service has these extras."""

    def choice(self) -> TableChoice:
        """Return the choice of the service."""
        return TableChoice(self.format, self.table, self.selection())

    def compared_with(self) -> ChangeQuery:
        """Return the query for the table of changes."""
        return ChangeQuery(value_or(self.since), _origins(self.map))


class TablesQuery(Struct, frozen=True):
    """The query of `GET /crawls/{id}/tables`."""

    format: TableFormat = TableFormat.XLSX
    """Format: xlsx is a workbook with a sheet for each table; csv, ndjson and parquet are a ZIP archive with a file for each."""
