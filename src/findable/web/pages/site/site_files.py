"""Files of the report of a site, for people who may see it: findings, tables of the crawl, PDF."""

from collections.abc import Mapping
from functools import partial
from typing import TypeVar

import msgspec
from starlette.responses import Response, StreamingResponse

from findable.control_characters import indented_json
from findable.crawl.exported_table import table_of
from findable.crawl.finding_rows import finding_row
from findable.crawl.tables import CrawlTable, FindingRow
from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.export.crawl_documents import site_document
from findable.export.pdf import typeset
from findable.export.site_markdown import site_markdown
from findable.export.site_pdf_content import site_template_data
from findable.export.table_files import table_csv
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_exports import TableChoice
from findable.web.api.crawl_list_models import ExportQuery, TablesQuery
from findable.web.api.crawl_list_routes import table_reply
from findable.web.api.validation import read
from findable.web.pages.result.files import FileFormat, file_headers, hits_for_client, pdf_page, pdf_response, sheet_of, words_of
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.lines import NO_SUCH_LIST
from findable.web.pages.site.site_changes import comparison_of
from findable.web.pages.site.site_visit import SITES, SiteVisit

Query = TypeVar("Query", ExportQuery, TablesQuery)
SHARED_TABLES = frozenset(CrawlTable) - {CrawlTable.CHANGES}
"""Tables that viewers may download here; the table of changes would reveal another crawl."""


def _json(visit: SiteVisit, report: SiteReport) -> bytes:
    return indented_json(msgspec.json.encode(site_document(report, visit.at.check_docs, visit.data_say)))


def _csv(visit: SiteVisit, report: SiteReport) -> bytes:
    return b"".join(table_csv(table_of("findings", FindingRow, (finding_row(item, visit.data_say) for item in report.open))))


def _markdown(visit: SiteVisit, report: SiteReport) -> bytes:
    shown = msgspec.structs.replace(report, findings=report.open)
    text = site_markdown(shown, visit.data_say, client=words_of(visit), is_branded=visit.presentation.brand.has_sender)
    return text.encode("utf-8", "replace")


FORMATS: Mapping[str, FileFormat[SiteVisit, SiteReport]] = {
    "json": FileFormat("application/json", _json),
    "csv": FileFormat("text/csv", _csv),
    "md": FileFormat("text/markdown", _markdown),
}


def _file(ending: str, visit: SiteVisit) -> Response:
    """Return the findings of a site report as JSON, CSV or Markdown."""
    report, found = report_of(visit), FORMATS[ending]
    return visit.response(lambda: found.make(visit, report), found.media_type, file_headers(visit, ending))


DOWNLOADS = tuple(SITES.viewer_page(f"/report.{ending}")(partial(_file, ending)) for ending in FORMATS)


def report_of(visit: SiteVisit, *, for_client: bool = False) -> SiteReport:
    """Return the site report for a file, without sections hidden from the viewer. Raises NotFound if there is none."""
    report = visit.report(for_client=for_client)
    if report is None:
        raise NotFound
    found = report.structure
    if not visit.shows("structure"):
        found = msgspec.structs.replace(
            found, areas=(), areas_by_colour={}, areas_by_hits=(), depths=(), scores=(), segments=(), templates=()
        )
    if not visit.shows("duplicates"):
        found = msgspec.structs.replace(found, duplicates=(), languages=(), pairs=())
    if not visit.shows("sitemaps"):
        found = msgspec.structs.replace(found, sitemap=None, robots_txt=None, sitemaps=())
    return msgspec.structs.replace(report, structure=found)


@pdf_page(SITES)
def get_site_pdf(visit: SiteVisit) -> Response:
    """Return the report as a PDF for the client, in the project's language or the reader's, without sections hidden from guests."""
    report, since = report_of(visit, for_client=True), comparison_of(visit)
    before = since.comparison.findings.ruleset_before if since else ""
    sheet = sheet_of(visit, ruleset_before=before, hits=hits_for_client(visit, visit.crawl.project_id, visit.crawl))
    return pdf_response(visit, lambda: typeset(site_template_data(report, sheet), sheet))


@SITES.viewer_page("/export")
def get_site_export(visit: SiteVisit) -> Response:
    """Return a table of the crawl, with the parameters of the API: ``table``, ``format``, filters."""
    choice = _query(visit, ExportQuery).choice()
    if choice.table not in SHARED_TABLES:
        raise NotFound
    return _tables(visit, choice)


@SITES.viewer_page("/tables")
def get_site_tables(visit: SiteVisit) -> Response:
    """Return all tables of the crawl in one file, with the ``format`` of the API."""
    return _tables(visit, TableChoice(_query(visit, TablesQuery).format, without=frozenset(CrawlTable) - SHARED_TABLES))


def _query(visit: SiteVisit, kind: type[Query]) -> Query:
    visit.require("pages")
    try:
        return read(kind, {name: value for name, value in visit.query.items() if name != "language"})
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error


def _tables(visit: SiteVisit, choice: TableChoice) -> Response:
    reply = table_reply(visit.service, visit.crawl, choice, visit.require_still_allowed, has_data=visit.owner is not None)
    headers = {**reply.headers, "Content-Security-Policy": SANDBOX, "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store"}
    return StreamingResponse(reply.pieces, media_type=reply.media_type, headers=headers)
