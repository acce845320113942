"""Saved page of a report's run as a file, for people who may see that run."""

from starlette.responses import Response

from findable.service.reports import report_access
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit
from findable.web.pages.result.link_pages import NOT_PUBLIC
from findable.web.pages.result.presentation import file_prefix
from findable.web.pages.shared.attachments import attachment


@REPORT_PAGES.viewer_page("/evidence")
def get_evidence(visit: ReportVisit) -> Response:
    """Return the page and all responses as JSON; the report contains its SHA-256."""
    saved = report_access.saved_page(visit.service, visit.report.public_id, visit.viewer, visit.report.run)
    headers = {**NOT_PUBLIC, **attachment(f"{file_prefix(visit.presentation.brand)}-evidence.json")}
    return Response(saved, media_type="application/json", headers=headers)
