"""Files of a shared report and its badge, for people who may see the share page."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.checks.engine import all_checks
from findable.control_characters import indented_json
from findable.errors import NotFound, Unavailable
from findable.export.badge import to_badge
from findable.export.ci_subject import document, page_subject
from findable.export.client_words import ClientWords
from findable.export.csv import to_csv
from findable.export.fix_bundle import FixesMarkdown
from findable.export.har import to_har
from findable.export.markdown import to_markdown
from findable.export.pdf import PdfFailed, PdfMissing, to_pdf
from findable.export.pdf_content import Branding, Screenshots, Sheet
from findable.reports.report import Report, canonical
from findable.service.reports import history, stored_images
from findable.service.reports.guest_access import Decision
from findable.service.runtime.service import Service
from findable.service.values.presentation import BrandView, ClientView
from findable.service.values.report_values import ReportView
from findable.service_urls import ServiceUrls
from findable.urls import parse
from findable.vocabulary import Privacy
from findable.web.api.report_shapes import shared_report
from findable.web.pages.report.guest_files import report_for_guests, without_names
from findable.web.pages.report.link_visit import LinkPages, VisitT
from findable.web.pages.report.owner_presentation import file_prefix
from findable.web.pages.report.share import (
    NOT_PUBLIC,
    Visit,
    cached_response,
    progress_for,
    requested_language,
    requested_run,
    visit_of,
)
from findable.web.pages.shared.attachments import SANDBOX, attachment, in_file_name
from findable.web.routing import Request, get
from findable.wording import ENGLISH, Translator, later

PDF_WAIT_S = 10.0
"""Time to wait for other PDFs to finish."""
PDF_RETRY_S = 5
_log = logging.getLogger(__name__)
ResultT = TypeVar("ResultT")


class DownloadedReport(Struct, frozen=True):
    """Report with the presentation for one reader."""

    view: ReportView
    report: Report
    at: ServiceUrls
    say: Translator
    client: ClientWords
    brand: BrandView
    is_owner: bool = False


class Format(Struct, frozen=True):
    """File format of a report, with the function that produces it."""

    media_type: str
    make: Callable[[DownloadedReport], bytes]


def _json(download: DownloadedReport) -> bytes:
    view = replace(download.view, report=download.report)
    return indented_json(canonical(shared_report(view, download.at, download.say, download.client)))


def _csv(download: DownloadedReport) -> bytes:
    return to_csv([download.report], download.at.check_docs, download.say)


def _markdown(download: DownloadedReport) -> bytes:
    words = to_markdown(
        [download.report], download.say, download.client, is_branded=download.brand.has_sender, verdict=download.view.verdict
    )
    return words.encode("utf-8", "replace")


def _badge(download: DownloadedReport) -> bytes:
    return to_badge(download.report, download.brand.name or ("SEO" if download.brand.logo else "Findable")).encode()


def _har(download: DownloadedReport) -> bytes:
    found = to_har(download.report, download.brand.name or ("SEO" if download.brand.logo else "Findable"))
    if found is None:
        raise NotFound
    return found


FILES = {
    "report.json": Format("application/json", _json),
    "report.csv": Format("text/csv", _csv),
    "report.md": Format("text/markdown", _markdown),
    "report.har": Format("application/json", _har),
    "fixes.md": Format("text/markdown", lambda shown: document(FixesMarkdown(verifies=shown.is_owner), [page_subject(shown.report)])),
}
PDF_TYPE = "application/pdf"
BADGE = Format("image/svg+xml", _badge)


@get(*[f"/r/{{public_id}}/{name}" for name in FILES])
def get_download(request: Request, public_id: str) -> Response:
    """Return the report as JSON, CSV or Markdown, the requests of its page as HAR, or the fixes for agents and tickets.

    ``?check=noindex`` limits the file to one finding.
    """
    name = request.scope["path"].rstrip("/").rpartition("/")[2]
    check = request.query.get("check")
    if check is not None and (not isinstance(check, str) or check not in all_checks()):
        raise NotFound
    visit = _visit(request, public_id)
    if visit.access.decision is Decision.PASSWORD_NEEDED:
        return password_redirect(public_id, FILES[name].media_type)
    named = attachment(file_name(_report_with_result(visit), name.removeprefix("report."), visit.access.presentation.brand))
    return _file(request, visit, FILES[name], named, check or "")


@get("/r/{public_id}/badge.svg")
def get_badge(request: Request, public_id: str) -> Response:
    """Return the SVG badge of a public report. Private and password-protected reports have no badge, even for their owner."""
    visit = _visit(request, public_id)
    if _report_with_result(visit).privacy is not Privacy.PUBLIC:
        raise NotFound
    return _file(request, visit, BADGE, {})


def _visit(request: Request, public_id: str) -> Visit:
    return visit_of(request.service, public_id, request.headers, requested_run(request), requested_language(request))


@get("/r/{public_id}/report.pdf")
async def get_pdf(request: Request, public_id: str) -> Response:
    """Return the report as a PDF, in the project's language or the reader's; with its long tables if ``tables=1``.

    It always has the content for the client: sections hidden from guests are omitted even for the owner.
    """
    service = request.service
    may_see = await service.run(progress_for, public_id, request.headers) is not None
    pdf = partial(_pdf, request, public_id)
    # Visitors without access neither occupy nor wait for a slot.
    reply = await run_in_pdf_slot(request, pdf) if may_see else None
    if reply is None or await service.run(progress_for, public_id, request.headers) is None:  # access may have ended meanwhile
        return await service.run(pdf)
    return reply


def _pdf(request: Request, public_id: str, service: Service) -> Response:
    visit = _visit(request, public_id)
    if visit.access.decision is Decision.PASSWORD_NEEDED:
        return password_redirect(public_id, PDF_TYPE)
    report, brand = _report_with_result(visit), visit.access.presentation.brand
    with_tables = request.query.get("tables") == "1"
    variant = f"-{visit.file_say.code}-{brand.digest}{'-tables' if with_tables else ''}"
    draw, named = partial(_drawn_pdf, service, visit, report, tables=with_tables), attachment(file_name(report, "pdf", brand))
    return cached_response(visit.access, report, request.headers, draw, named, variant, PDF_TYPE)


def password_redirect(public_id: str, media_type: str) -> Response:
    """Return the redirect from a file of a password-protected report to the password form."""
    return Response(b"", 303, {**NOT_PUBLIC, "Location": f"/r/{public_id}"}, media_type)


async def run_in_pdf_slot(request: Request, work: Callable[[Service], ResultT]) -> ResultT:
    """Run ``work`` as soon as the client's network and the service have a free slot for a PDF.

    Raises Unavailable if there is none within PDF_WAIT_S seconds.
    """
    service = request.service
    async with AsyncExitStack() as place:
        try:
            async with asyncio.timeout(PDF_WAIT_S):
                if network := request.context.network:
                    await place.enter_async_context(service.drawing_for.setdefault(network, asyncio.Lock()))
                await place.enter_async_context(service.drawing)
        except TimeoutError:
            raise Unavailable(later("Too many PDFs are being generated. Try again in some seconds."), retry_after_s=PDF_RETRY_S) from None
        return await service.run(work)


async def pdf_for_viewer(request: Request, pages: LinkPages[VisitT], public_id: str, work: Callable[[VisitT], Response]) -> Response:
    """Return the PDF of an object shared by a link; people without access neither occupy nor wait for a slot."""
    if not await request.service.run(lambda service: pages.is_allowed(request, service, public_id)):
        return await pages.for_viewer(request, public_id, work)
    reply = await run_in_pdf_slot(request, lambda service: pages.reply_to(request, service, public_id, work))
    if not await request.service.run(lambda service: pages.is_allowed(request, service, public_id)):  # ended while the PDF was rendered
        return await pages.for_viewer(request, public_id, work)
    return reply


def _sheet(service: Service, visit: Visit, logo: bytes, *, tables: bool) -> Sheet:
    brand, client = visit.access.presentation.brand, visit.access.presentation.client
    view = visit.access.report
    return Sheet(
        visit.file_say,
        Branding(brand.name, brand.color, logo),
        words_of(client),
        visit.zone,
        tables and client.shows("facts"),
        verdict=view.verdict if view else None,
        ruleset_before=history.ruleset_before(service, view) if view else "",
        score_before=view.score_before if view else None,
    )


def _screenshots(service: Service, report: ReportView) -> Screenshots | None:
    if not stored_images.has_screenshots(service, report):
        return None
    desktop, phone = (stored_images.image_of_report(service, report, kind) for kind in ("desktop", "phone"))
    return Screenshots(desktop, phone) if desktop and phone else None


def _drawn_pdf(service: Service, visit: Visit, report: ReportView, *, tables: bool) -> bytes:
    logo = stored_images.image_of_report(service, report, "logo") if visit.access.presentation.brand.logo else None
    film = stored_images.image_of_report(service, report, "filmstrip")
    sheet = replace(_sheet(service, visit, logo or b"", tables=tables), screenshots=_screenshots(service, report), filmstrip=film or b"")
    return pdf_or_unavailable(lambda: to_pdf(without_names(_required_report(report)), sheet), f"report {report.id}")


def pdf_or_unavailable(make: Callable[[], bytes], name: str) -> bytes:
    """Return the PDF. Raises Unavailable if it cannot be rendered; ``name`` is for the log."""
    try:
        return make()
    except PdfMissing as error:
        raise Unavailable(str(error)) from error
    except PdfFailed as error:
        _log.warning("could not render the PDF of %s: %s", name, error)
        raise Unavailable(later("The PDF of this report could not be created.")) from error


def _file(request: Request, visit: Visit, format_: Format, more: Mapping[str, str], check: str = "") -> Response:
    """Return the report of a visit as a file; ``check``: the only check in it, empty for all."""
    report, brand = _report_with_result(visit), visit.access.presentation.brand
    variant = (f"-{visit.data_say.code}" if visit.data_say is not ENGLISH else "") + (f"-{brand.digest}" if brand.has_sender else "")
    made = partial(_made_file, request.urls, visit, report, format_, check)
    own = {"Content-Security-Policy": SANDBOX, **more}
    return cached_response(visit.access, report, request.headers, made, own, variant, format_.media_type)


def _made_file(at: ServiceUrls, visit: Visit, report: ReportView, format_: Format, check: str) -> bytes:
    presented = visit.access.presentation
    found = without_names(_required_report(report))
    shown = found if visit.access.is_owner else report_for_guests(found, presented.client)
    if check:
        shown = replace(shown, findings=tuple(finding for finding in shown.findings if finding.id == check))
    words = words_of(presented.client)
    return format_.make(DownloadedReport(report, shown, at, visit.data_say, words, presented.brand, visit.access.is_owner))


def _report_with_result(visit: Visit) -> ReportView:
    """Return the report of a visit. Raises NotFound if the reader may not see it, or if it has no result."""
    report = visit.access.report
    if report is None or report.run is None:
        raise NotFound
    return report


def file_name(report: ReportView, ending: str, brand: BrandView) -> str:
    """Return a file name like ``findable-www.example.com-2026-11-21.csv``, in ASCII; it begins with the brand name if there is one."""
    parsed = parse(report.url)
    host = in_file_name(parsed.host if parsed else "")
    day = report.generated_at.strftime("%Y-%m-%d") if report.generated_at else ""
    return "-".join(part for part in (file_prefix(brand), host, day) if part) + f".{ending}"


def _required_report(view: ReportView) -> Report:
    """Return the report of the shown run, rated by the verdict of the page. Raises NotFound without a run."""
    if view.report is None:
        raise NotFound
    return view.report if view.score_before is None else replace(view.report, score=view.score, result=view.result)


def words_of(client: ClientView) -> ClientWords:
    """Return the owner's texts for the client in the form for exported files."""
    return ClientWords(client.summary, client.shown_notes, client.sections, client.prepared_by, client.prepared_for)
