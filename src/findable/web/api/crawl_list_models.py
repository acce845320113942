"""Query parameters of the lists of a crawl: pages, findings, links, changes and export."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.crawl.changes import ChangeKind
from findable.crawl.page_selection import NUMBER, SORTS, Name, PageFilters, PageSelection
from findable.crawl.tables import CrawlTable
from findable.export.table_files import TableFormat
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.service.crawls.crawl_exports import TableChoice
from findable.service.crawls.crawl_lists import FindingQuery, LinkQuery, PageQuery
from findable.service.values.paging import PerPage
from findable.urls import MAX_URL_CHARS
from findable.values import MESSAGE
from findable.vocabulary import Verdict
from findable.web.api.request_models import CHECK_ID, CHECK_IDS, Cursor, FieldsQuery, ListQuery, PagedFieldsQuery, PageNumber
from findable.web.api.validation import value_or

SortBy = Literal[SORTS]  # type: ignore[valid-type]  # created from a table


class PageQueryBase(PageFilters, frozen=True):
    """Base of queries with filters for pages."""

    check: Annotated[Literal[CHECK_IDS], CHECK_ID] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Id of a check: pages with a failure or warning; with verdict, pages with the verdict."""


class PageListQuery(PageQueryBase, frozen=True):
    """The query of `GET /crawls/{id}/pages`."""

    fields: str = ""
    """Members to return, separated by commas, like n,url,status. Others are omitted even if the schema requires them. Default: all."""
    sort_by: SortBy = NUMBER
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
        selection = PageSelection.of(self, self.sort_by, descending=self.sort == "desc")
        return PageQuery(selection, per_page=self.per_page, page=self.page, cursor=self.cursor)


class FindingListQuery(PagedFieldsQuery, frozen=True):
    """The query of `GET /crawls/{id}/findings`."""

    segment: Name = ""
    """Name of a segment: findings of its pages, with the number of its affected pages."""
    verdict: Literal["failed", "warned", "info"] | UnsetType = UNSET
    """Verdict of the findings. info: notes, which are not faults and are listed only with this value."""

    def to_query(self) -> FindingQuery:
        """Convert to the query of the service."""
        verdict = None if self.verdict is UNSET else Verdict(self.verdict)
        return FindingQuery(self.segment, verdict, per_page=self.per_page, page=self.page, cursor=self.cursor)


class FindingPagesQuery(ListQuery, frozen=True):
    """The query of `GET /crawls/{id}/findings/{key}`."""

    sort: Literal["desc", "asc"] = "asc"
    """Order of the rows."""
    sort_by: SortBy = NUMBER
    """number is the order of discovery. Pages without a score or depth come last."""

    def to_query(self) -> PageQuery:
        """Convert to the query of the service."""
        selection = PageSelection(sort=self.sort_by, descending=self.sort == "desc")
        return PageQuery(selection, per_page=self.per_page, page=self.page, cursor=self.cursor)


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


class ChangesQuery(PagedFieldsQuery, frozen=True):
    """The query of `GET /crawls/{id}/changes`."""

    since: Since | UnsetType = UNSET
    """Id of the earlier crawl. Default: the last comparable crawl of the site."""
    kind: ChangeKind | UnsetType = UNSET
    """Kind of changes to list. Default: all."""
    map: Origins = ""
    """Origin of this crawl and the equivalent origin in the earlier one."""

    def to_query(self) -> ChangeQuery:
        """Convert to the query of the service."""
        since, kind = value_or(self.since), value_or(self.kind)
        return ChangeQuery(since, _origins(self.map), kind, per_page=self.per_page, page=self.page, cursor=self.cursor)


def _origins(text: str) -> dict[str, str]:
    origin, _, stands_for = text.partition("=")
    return {origin: stands_for} if origin else {}


class ExportQuery(PageQueryBase, frozen=True):
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
        return TableChoice(self.format, self.table, PageSelection.of(self))

    def compared_with(self) -> ChangeQuery:
        """Return the query for the table of changes."""
        return ChangeQuery(value_or(self.since), _origins(self.map))


class TablesQuery(Struct, frozen=True):
    """The query of `GET /crawls/{id}/tables`."""

    format: TableFormat = TableFormat.XLSX
    """Format: xlsx is a workbook with a sheet for each table; csv, ndjson and parquet are a ZIP archive with a file for each."""
