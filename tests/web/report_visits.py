"""Visits of reports, and their pages, without a service."""

from typing import Any

from findable.service.reports.report_access import ReportAccess
from findable.service.results.guest_access import Decision, Viewer
from findable.service.values.report_values import ReportView
from findable.service_urls import ServiceUrls
from findable.web.pages.report.report_context import ReportPage, report_page
from findable.web.pages.report.report_visit import ReportVisit
from findable.web.pages.result.link_pages import FULL
from findable.wording import ENGLISH, Translator

AT = ServiceUrls("https://reports.example")


def visit_of(view: ReportView, *, say: Translator = ENGLISH, current_run: int | None = None) -> ReportVisit:
    """A guest who reads all details; ``current_run`` is the run that the link shows."""
    without_service: Any = None  # a page reads nothing but the values of the visit
    return ReportVisit(
        report=view,
        service=without_service,
        access=ReportAccess(Decision.ALLOWED, report=view, current_run=current_run, link_run=current_run),
        path=f"/r/{view.public_id}",
        name="",
        viewer=Viewer(),
        say=say,
        at=AT,
        headers={},
        query={"view": FULL},
        url_language="",
    )


def page_of(view: ReportView, *, say: Translator = ENGLISH, current_run: int | None = None, **more: Any) -> ReportPage:
    """The page of a report for a guest, or with ``more`` for its owner."""
    return report_page(visit_of(view, say=say, current_run=current_run), **more)
