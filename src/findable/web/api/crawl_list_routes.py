"""Routes of the results of a crawl: `/crawls/{id}/pages`, `/findings`, `/links`, `/export` and `/changes`."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import UNSET, Struct, UnsetType, structs

from findable.clock import monotonic_s
from findable.crawl.exported_table import ExportedCrawl, table_of
from findable.crawl.page_columns import PageRow
from findable.crawl.tables import CrawlTable, LinkRow
from findable.errors import Conflict, ValidationFailed
from findable.export.crawl_documents import ChangesJson, PageOfCrawlJson, SiteFindingJson, changes_json, site_fault_json
from findable.export.report_json import finding_json
from findable.export.table_files import TableFormat, table_file
from findable.service.accounts.callers import refreshed
from findable.service.crawls import crawl_access, crawl_changes, crawl_lists, imported_crawls
from findable.service.crawls.crawl_exports import TableChoice, exported_file
from findable.service.crawls.uploaded_metrics import data_of
from findable.service.runtime.service import Service
from findable.service.values.caller import READ
from findable.service.values.crawl_values import CrawlView
from findable.service.values.report_values import NewReport
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.vocabulary import Privacy
from findable.web.api.crawl_list_models import (
    ChangesQuery,
    ExportQuery,
    FindingListQuery,
    FindingPagesQuery,
    LinkListQuery,
    PageListQuery,
    TablesQuery,
)
from findable.web.api.operation import Call, Data, Detailed, FileReply, Listing, RawReply, Reply, Trail, operation
from findable.web.api.report_creation import CREATION, create_with
from findable.web.api.report_shapes import Report, Summary
from findable.web.api.request_models import WaitQuery
from findable.web.api.shape_parts import page_reply
from findable.web.api.validation import value_or
from findable.web.bodies import Bounds
from findable.web.pagination_links import links_forward

TABLE_BODY = Bounds(imported_crawls.MAX_BYTES * 14 // 10, 10)
"""Limits of the body: a table of maximum size, encoded in base64."""
XML, ZIP = "application/xml", "application/zip"
MEDIA_TYPES = (*(one.media_type for one in TableFormat), XML)


class CrawlTableUpload(Struct, frozen=True):
    """Table of the URLs of a site, exported from Screaming Frog or Sitebulb, as text or file."""

    csv: str | UnsetType = UNSET
    """Text of the table."""
    file: bytes | UnsetType = UNSET
    """File in place of csv: UTF-8 or UTF-16 in a multipart form, base64 elsewhere."""


@operation("GET", "/crawls/{id}/pages", {200: Listing[PageRow]}, reply_headers=("Link",))
def list_crawl_pages(call: Call, crawl: int, *, query: PageListQuery) -> Reply:
    """List the pages of a crawl.

    Filters are combined with AND; ranges are written 5..20, ..50 or 20.. . While the crawl is running, its pages are listed in order of
    discovery, without filters.
    """
    page = crawl_lists.pages(call.service, call.caller, crawl, query.to_query())
    return page_reply(call, page, page.items)


@operation("GET", "/crawls/{id}/pages/{page}", {200: Data[PageOfCrawlJson]})
def get_crawl_page(call: Call, crawl: int, page: int) -> Reply:
    """Read a page of a crawl with its findings."""
    found = crawl_lists.page(call.service, call.caller, crawl, page)
    again = f"POST /crawls/{crawl}/pages/{page}/report"
    findings = tuple(finding_json(item, call.at.check_docs, verify=again) for item in found.findings)
    return Reply(
        PageOfCrawlJson(
            **structs.asdict(found.row),
            findings=findings,
            requested_as=found.requested_as,
            inlink_places=found.inlink_places,
            outlink_places=found.outlink_places,
        )
    )


@operation("POST", "/crawls/{id}/pages/{page}/report", {201: Data[Report], 202: Data[Summary]}, Conflict, **CREATION)
async def create_page_report(call: Call, crawl: int, page: int, *, query: WaitQuery) -> RawReply:
    """Create a full report of a page of a crawl.

    Like POST /reports with its URL. The report has the privacy of the crawl; if the crawl has a password, the report is private.
    """
    reader = structs.replace(call.caller, scopes=call.caller.scopes | {READ})
    view = await call.service.run(crawl_access.get, reader, crawl)
    found = await call.service.run(crawl_lists.page, reader, crawl, page)
    privacy = Privacy.PRIVATE if view.privacy is Privacy.PASSWORD else view.privacy
    return await create_with(call, query, NewReport(found.row.url, privacy, None), purpose=f"report of page {page} of crawl {crawl}")


@operation("GET", "/crawls/{id}/findings", {200: Listing[SiteFindingJson]}, reply_headers=("Link",))
def list_crawl_findings(call: Call, crawl: int, *, query: FindingListQuery) -> Reply:
    """List the findings of a crawl, one for each fault, with its causes as groups.

    The most harmful ones come first. With verdict=info, lists the notes instead, those on most pages first. The list is empty until the
    crawl has ended.
    """
    page = crawl_lists.findings(call.service, call.caller, crawl, query.to_query())
    docs = call.at.check_docs
    items = [site_fault_json(item.fault, docs, verify="POST /crawls", for_owner=True, cms=item.cms) for item in page.items]
    return page_reply(call, page, items)


@operation("GET", "/crawls/{id}/findings/{key}", {200: Listing[PageRow]}, reply_headers=("Link",))
def list_finding_pages(call: Call, crawl: int, key: str, *, query: FindingPagesQuery) -> Reply:
    """List the pages of a finding.

    For a few findings about the whole site, only the examples are known; meta.warnings then contains a note.
    """
    finding, page = crawl_lists.finding_pages(call.service, call.caller, crawl, key, query.to_query())
    if finding.listed_count < finding.finding.pages_count:
        call.warnings.append(f"Only {finding.listed_count} of {finding.finding.pages_count} pages are stored with this finding.")
    return page_reply(call, page, page.items)


@operation("GET", "/crawls/{id}/links", {200: Trail[LinkRow]}, reply_headers=("Link",))
def list_crawl_links(call: Call, crawl: int, *, query: LinkListQuery) -> Reply:
    """List the links of a crawl on a page, or to a URL.

    Links to the same URL in one list (such as a menu) of a page form one row.
    """
    found = crawl_lists.links(call.service, call.caller, crawl, query.to_query())
    return Reply(found.links, links=links_forward(call.path, call.query, "cursor", found.next_cursor))


@operation("GET", "/crawls/{id}/export", {200: None}, media_types=MEDIA_TYPES)
def export_crawl(call: Call, crawl: int, *, query: ExportQuery) -> FileReply:
    """Export a table of a crawl.

    Streamed row by row. Cells of CSV that a spreadsheet might execute begin with an apostrophe; xlsx has no formulas. sitemap-xml contains
    the first 50,000 indexable pages. While the crawl is running, some tables and filters are not available.
    """
    view, still = crawl_access.get(call.service, call.caller, crawl), partial(_require_still, call, crawl)
    if query.table is CrawlTable.CHANGES:
        crawl_changes.require_comparable(call.service, call.caller, crawl, query.compared_with())
        rows = crawl_changes.change_rows(call.service, call.caller, crawl, query.compared_with())
        table = table_of(query.table.value, query.table.row, rows, ExportedCrawl(str(view.id), view.started_at))
        return _reply(view, query.choice(), table_file(table, query.format), still)
    return table_reply(call.service, view, query.choice(), still, has_data=True)


@operation("GET", "/crawls/{id}/tables", {200: None}, media_types=(TableFormat.XLSX.media_type, ZIP))
def export_crawl_tables(call: Call, crawl: int, *, query: TablesQuery) -> FileReply:
    """Export all tables of a crawl in one file, with the list of fixes.

    Streamed. While the crawl is running, tables that need its end are left out; the table `about` lists them.
    """
    view = crawl_access.get(call.service, call.caller, crawl)
    return table_reply(call.service, view, TableChoice(query.format), partial(_require_still, call, crawl), has_data=True)


def _require_still(call: Call, crawl: int) -> None:
    """Raise if the caller may no longer read the crawl."""
    crawl_access.get(call.service, refreshed(call.service, call.caller), crawl)


def table_reply(service: Service, view: CrawlView, choice: TableChoice, still: Callable[[], None], *, has_data: bool) -> FileReply:
    """Return the file with one or all tables of a crawl.

    Args:
        service: service of the crawl.
        view: crawl, which the caller must be allowed to see.
        choice: tables, format and filters.
        still: called while the file is sent; raises if the reader may no longer see the crawl, which breaks the file off.
        has_data: whether to include uploaded metrics.

    Raises ValidationFailed if the crawl has no such table, or the format is not available.
    """
    if not choice.format_.is_available:
        raise ValidationFailed({"format": [choice.format_.how_to_install]})
    with crawl_access.open_store_of(service, view) as opened:
        data = data_of(service, opened) if has_data else NO_DATA
        if choice.table is not None:
            crawl_lists.require_table(opened, choice.table, choice.selection, data)
    return _reply(view, choice, _export(service, view, choice, data), still)


def _reply(view: CrawlView, choice: TableChoice, pieces: Iterator[bytes], still: Callable[[], None]) -> FileReply:
    media_type, ending = choice.format_.media_type, choice.format_.value
    if choice.table is CrawlTable.SITEMAP_XML:
        media_type, ending = XML, "xml"
    elif choice.table is None and choice.format_ is not TableFormat.XLSX:
        media_type, ending = ZIP, f"{ending}.zip"
    name = "tables" if choice.table is None else choice.table.value
    headers = {"Content-Disposition": f'attachment; filename="crawl-{view.id}-{name}.{ending}"'}
    return FileReply(_chunks(pieces, still), media_type, headers)


def _export(service: Service, view: CrawlView, choice: TableChoice, data: DataColumns) -> Iterator[bytes]:
    with crawl_access.open_store_of(service, view) as opened:
        # No variable holds the generator of pieces: if the client disconnects, it must end before the crawl is closed.
        yield from exported_file(opened.store, opened.state, str(view.id), choice, data)


CHUNK_BYTES = 65_536
STILL_EVERY_S = 2.0
"""Time after which the rights of a reader are checked again while a file is sent."""


def _chunks(pieces: Iterator[bytes], still: Callable[[], None]) -> Iterator[bytes]:
    """Join pieces into chunks of at least CHUNK_BYTES, because many small chunks are slow to send, while the reader still may see them."""
    kept = bytearray()
    checked_s = monotonic_s()
    for piece in pieces:
        kept += piece
        if monotonic_s() - checked_s >= STILL_EVERY_S:
            still()
            checked_s = monotonic_s()
        if len(kept) >= CHUNK_BYTES:
            yield bytes(kept)
            kept.clear()
    yield bytes(kept)


@operation("GET", "/crawls/{id}/changes", {200: Detailed[ChangesJson]}, reply_headers=("Link",))
def list_crawl_changes(call: Call, crawl: int, *, query: ChangesQuery) -> Reply:
    """List the changes since an earlier crawl.

    A crawl is compared with the last comparable crawl of the same part of the site when it ends; a comparison with another crawl is
    computed at the first request, which takes a few seconds for a large site. If there is no comparable crawl, `comparable` is false, and
    `reason` says why. A page is gone if it was requested and returns 404 or 410; pages that one of the crawls did not request are not
    compared. A finding has returned if it had been fixed and is present again.
    """
    found = crawl_changes.changes(call.service, call.caller, crawl, query.to_query())
    comparison = structs.replace(found.comparison, pages=found.page.items)
    return page_reply(call, found.page, changes_json(comparison, call.at.check_docs))


@operation(
    "POST",
    "/crawls/{id}/changes",
    {200: Data[ChangesJson]},
    reads_only=True,
    bounds=TABLE_BODY,
    example={"csv": "Address,Status Code,Indexability\nhttps://example.com/,200,Indexable\n"},
)
def compare_crawl_with_table(call: Call, crawl: int, *, body: CrawlTableUpload) -> Reply:
    """Compare a crawl with a table of another program.

    The table is one that Screaming Frog or Sitebulb exports. Nothing is stored. What the table does not contain is unknown, so that only
    new and gone URLs, status, indexability, title and depth are compared, and no findings; at most 200 changes of each kind are listed.
    """
    sent = value_or(body.file) or value_or(body.csv)
    return Reply(changes_json(imported_crawls.compare_with_table(call.service, call.caller, crawl, sent).comparison))
