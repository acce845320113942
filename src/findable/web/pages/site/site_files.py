"""Files of the report of a site, for people who may see it: findings, tables of the crawl, PDF, logo."""

from collections.abc import Callable, Mapping
from functools import partial

import msgspec
from msgspec import Struct
from starlette.responses import Response, StreamingResponse

from findable.control_characters import indented_json
from findable.crawl.table_rows import CrawlTable
from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.export.client_words import ClientWords
from findable.export.crawl_documents import site_document, site_finding_json
from findable.export.crawl_files import findings_csv
from findable.export.pdf import site_to_pdf
from findable.export.pdf_content import Branding, Sheet
from findable.export.site_markdown import site_markdown
from findable.reports.site_report import SiteReport
from findable.service.crawls import crawl_access
from findable.service.reports import stored_images
from findable.service.values.presentation import ClientView
from findable.web.api.crawl_list_models import ExportQuery
from findable.web.api.crawl_list_routes import table_reply
from findable.web.api.validation import read
from findable.web.pages.report.downloads import PDF_TYPE, pdf_for_viewer, pdf_or_unavailable, words_of
from findable.web.pages.report.owner_presentation import file_prefix
from findable.web.pages.shared.attachments import SANDBOX, attachment, in_file_name
from findable.web.pages.shared.lines import NO_SUCH_LIST
from findable.web.pages.site.site_changes import comparison_of
from findable.web.pages.site.site_visit import SITES, SiteVisit, cached_file
from findable.web.routing import Request, get

SHARED_TABLES = frozenset(CrawlTable) - {CrawlTable.CHANGES}
"""Tables that viewers may download here; the table of changes would reveal another crawl."""


class SiteFormat(Struct, frozen=True):
    """File format of a site report, with the function that produces it."""

    media_type: str
    make: Callable[[SiteVisit, SiteReport], bytes]


def _json(visit: SiteVisit, report: SiteReport) -> bytes:
    document = site_document(report, visit.at.check_docs, visit.data_say)
    return indented_json(msgspec.json.encode(document))


def _csv(visit: SiteVisit, report: SiteReport) -> bytes:
    return b"".join(findings_csv(site_finding_json(item, visit.at.check_docs, visit.data_say) for item in report.open))


def _markdown(visit: SiteVisit, report: SiteReport) -> bytes:
    shown = msgspec.structs.replace(report, findings=report.open)
    presented = visit.access.presentation
    text = site_markdown(shown, visit.data_say, client=_words_of(presented.client), is_branded=presented.brand.has_sender)
    return text.encode("utf-8", "replace")


def _words_of(client: ClientView) -> ClientWords:
    """Return the owner's texts for the client, including all notes, because findings of a site cannot be hidden."""
    return msgspec.structs.replace(words_of(client), notes=client.notes)


FORMATS: Mapping[str, SiteFormat] = {
    "json": SiteFormat("application/json", _json),
    "csv": SiteFormat("text/csv", _csv),
    "md": SiteFormat("text/markdown", _markdown),
}


@get(*[f"/s/{{public_id}}/report.{ending}" for ending in FORMATS])
def get_site_file(request: Request, public_id: str) -> Response:
    """Return the findings of a site report as JSON, CSV or Markdown."""
    ending = request.scope["path"].rstrip("/").rpartition(".")[2]
    return SITES.reply_to(request, request.service, public_id, partial(_site_file, ending=ending))


def _site_file(visit: SiteVisit, ending: str) -> Response:
    report, made = report_of(visit), FORMATS[ending]
    return cached_file(visit, lambda: made.make(visit, report), made.media_type, file_headers(visit, ending))


def report_of(visit: SiteVisit) -> SiteReport:
    """Return the site report for a file, without sections hidden from the viewer. Raises NotFound if there is none."""
    report = crawl_access.report(visit.service, visit.crawl) if visit.crawl.has_results else None
    if report is None:
        raise NotFound
    found = report.structure
    if not visit.shows("structure"):
        found = msgspec.structs.replace(found, areas=(), segments=(), templates=())
    if not visit.shows("duplicates"):
        found = msgspec.structs.replace(found, duplicates=(), languages=(), pairs=())
    if not visit.shows("sitemaps"):
        found = msgspec.structs.replace(found, sitemap=None, robots_txt=None, sitemaps=())
    return msgspec.structs.replace(report, structure=found)


def file_headers(visit: SiteVisit, ending: str) -> Mapping[str, str]:
    """Return the headers of a file with a name like ``findable-site-example.com-2026-11-21.csv``."""
    view = visit.crawl
    day = (view.finished_at or view.created_at).strftime("%Y-%m-%d")
    return attachment(f"{file_prefix(visit.access.presentation.brand)}-site-{in_file_name(view.project)}-{day}.{ending}")


@get("/s/{public_id}/report.pdf")
async def get_site_pdf(request: Request, public_id: str) -> Response:
    """Return the report as a PDF for the client, in the project's language or the reader's, without sections hidden from guests."""
    return await pdf_for_viewer(request, SITES, public_id, _site_pdf)


def _site_pdf(visit: SiteVisit) -> Response:
    report, presented = report_of(visit), visit.access.presentation
    logo = stored_images.logo_of(visit.service, presented.brand)
    branding = Branding(presented.brand.name, presented.brand.color, logo or b"")
    since = comparison_of(visit)
    before = since.comparison.findings.ruleset_before if since else ""
    sheet = Sheet(visit.file_say, branding, _words_of(presented.client), visit.zone, ruleset_before=before)
    make = partial(pdf_or_unavailable, lambda: site_to_pdf(report, sheet), f"crawl {visit.crawl.id}")
    return cached_file(visit, make, PDF_TYPE, file_headers(visit, "pdf"))


@SITES.viewer_page("/export")
def get_site_export(visit: SiteVisit) -> Response:
    """Return a table of the crawl as CSV or NDJSON, with the parameters of the API: ``table``, ``format``, filters."""
    visit.require("pages")
    try:
        query = read(ExportQuery, {name: value for name, value in visit.query.items() if name != "language"})
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    if query.table not in SHARED_TABLES:
        raise NotFound
    reply = table_reply(
        visit.service, visit.crawl, query, visit.at.check_docs, visit.require_still_allowed, has_data=visit.owner is not None
    )
    headers = {**reply.headers, "Content-Security-Policy": SANDBOX, "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store"}
    return StreamingResponse(reply.pieces, media_type=reply.media_type, headers=headers)


@SITES.viewer_page("/logo.png")
def get_site_logo(visit: SiteVisit) -> Response:
    """Return the image file of the project's logo."""
    logo = stored_images.logo_of(visit.service, visit.access.presentation.brand)
    if logo is None:
        raise NotFound
    return cached_file(visit, lambda: logo, "image/png", {"Content-Security-Policy": SANDBOX})
