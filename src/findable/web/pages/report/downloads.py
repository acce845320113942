"""Files of a shared report and its badge, for people who may see the share page."""

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace
from starlette.responses import Response

from findable.checks.engine import all_checks
from findable.control_characters import indented_json
from findable.errors import NotFound
from findable.export.badge import to_badge
from findable.export.ci_subject import document, page_subject
from findable.export.fix_bundle import FixesMarkdown
from findable.export.har import to_har
from findable.export.markdown import to_markdown
from findable.export.pdf import to_pdf
from findable.export.pdf_sheet import Screenshots
from findable.export.report_csv import to_csv
from findable.reports.report import Report, canonical
from findable.service.reports import history, stored_images
from findable.service.results.guest_access import Decision
from findable.service.runtime.service import Service
from findable.service.values.report_values import ReportView
from findable.vocabulary import Privacy
from findable.web.api.report_shapes import shared_report
from findable.web.pages.report.guest_files import report_for_guests, without_names
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit, find_visit
from findable.web.pages.result.files import FileFormat, file_headers, pdf_page, pdf_response, sheet_of, words_of
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.routing import Request, get
from findable.wording import ENGLISH


def _json(visit: ReportVisit, report: Report) -> bytes:
    view = replace(visit.report, report=report)
    return indented_json(canonical(shared_report(view, visit.at, visit.data_say, words_of(visit))))


def _csv(visit: ReportVisit, report: Report) -> bytes:
    return to_csv(report, visit.at.check_docs, visit.data_say)


def _markdown(visit: ReportVisit, report: Report) -> bytes:
    client, is_branded = words_of(visit), visit.presentation.brand.has_sender
    return to_markdown(report, visit.data_say, client, is_branded=is_branded, verdict=visit.report.verdict).encode("utf-8", "replace")


def _badge(visit: ReportVisit, report: Report) -> bytes:
    return to_badge(report, _sender(visit)).encode()


def _har(visit: ReportVisit, report: Report) -> bytes:
    found = to_har(report, _sender(visit))
    if found is None:
        raise NotFound
    return found


def _sender(visit: ReportVisit) -> str:
    brand = visit.presentation.brand
    return brand.name or ("SEO" if brand.logo else "Findable")


def _fixes(visit: ReportVisit, report: Report) -> bytes:
    return document(FixesMarkdown(verifies=visit.access.is_owner), [page_subject(report)])


FILES = {
    "report.json": FileFormat("application/json", _json),
    "report.csv": FileFormat("text/csv", _csv),
    "report.md": FileFormat("text/markdown", _markdown),
    "report.har": FileFormat("application/json", _har),
    "fixes.md": FileFormat("text/markdown", _fixes),
}
BADGE = FileFormat("image/svg+xml", _badge)


def _download(name: str, visit: ReportVisit) -> Response:
    """Return the report as JSON, CSV or Markdown, the requests of its page as HAR, or the fixes for agents and tickets.

    ``?check=noindex`` limits the file to one finding.
    """
    check = visit.query.get("check")
    if check is not None and check not in all_checks():
        raise NotFound
    return _file(visit, FILES[name], file_headers(visit, name.removeprefix("report.")), check or "")


DOWNLOADS = tuple(REPORT_PAGES.viewer_page(f"/{name}")(partial(_download, name)) for name in FILES)


@get("/r/{public_id}/badge.svg")
def get_badge(request: Request, public_id: str) -> Response:
    """Return the SVG badge of a public report. Private and password-protected reports have no badge, even for their owner."""
    visit = find_visit(request, request.service, public_id)
    if isinstance(visit, Decision) or visit.report.privacy is not Privacy.PUBLIC:
        raise NotFound
    return _file(visit, BADGE, {"Content-Security-Policy": SANDBOX})


@pdf_page(REPORT_PAGES)
def get_pdf(visit: ReportVisit) -> Response:
    """Return the report as a PDF, in the project's language or the reader's; with its long tables if ``tables=1``."""
    report, with_tables = _required_report(visit.report), visit.query.get("tables") == "1"
    return pdf_response(visit, lambda: _pdf(visit, report, with_tables=with_tables), "-tables" if with_tables else "")


def _pdf(visit: ReportVisit, report: Report, *, with_tables: bool) -> bytes:
    service, view = visit.service, visit.report
    sheet = sheet_of(
        visit,
        tables=with_tables and visit.presentation.client.shows("facts"),
        screenshots=_screenshots(service, view),
        filmstrip=stored_images.image_of_report(service, view, "filmstrip") or b"",
        verdict=view.verdict,
        ruleset_before=history.ruleset_before(service, view),
        score_before=view.score_before,
    )
    return to_pdf(without_names(report), sheet)


def _screenshots(service: Service, report: ReportView) -> Screenshots | None:
    if not stored_images.has_screenshots(service, report):
        return None
    desktop, phone = (stored_images.image_of_report(service, report, kind) for kind in ("desktop", "phone"))
    return Screenshots(desktop, phone) if desktop and phone else None


def _file(visit: ReportVisit, format_: FileFormat[ReportVisit, Report], headers: Mapping[str, str], check: str = "") -> Response:
    report, brand = _required_report(visit.report), visit.presentation.brand

    def body() -> bytes:
        found = without_names(report)
        shown = found if visit.access.is_owner else report_for_guests(found, visit.presentation.client)
        if check:
            shown = replace(shown, findings=tuple(finding for finding in shown.findings if finding.id == check))
        return format_.make(visit, shown)

    variant = "".join(
        f"-{part}"
        for part, is_special in ((visit.data_say.code, visit.data_say is not ENGLISH), (brand.digest, brand.has_sender))
        if is_special
    )
    return visit.response(body, format_.media_type, headers, variant)


def _required_report(view: ReportView) -> Report:
    """Return the report of the shown run, rated by the verdict of the page. Raises NotFound without a run."""
    if view.report is None:
        raise NotFound
    return view.report if view.score_before is None else replace(view.report, score=view.score, result=view.result)
