"""Viewer of a report. The service decides who may see it; guests without access get the password form or NotFound."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from findable.errors import require_found
from findable.reports.fixes import Order
from findable.reports.reported_finding import ReportedFinding
from findable.reports.titles import readable_url
from findable.service.reports import history, report_access
from findable.service.reports.report_access import REPORTS, ReportAccess
from findable.service.results.guest_access import Decision
from findable.service.runtime.service import Service
from findable.service.values.report_values import ReportView, RunView
from findable.urls import parse
from findable.web.pages.result.findings_table import FindingsQuery, findings_query
from findable.web.pages.result.link_pages import LinkPages, LinkVisit, viewer_of, visit_fields
from findable.web.query_strings import text_of, whole_number
from findable.web.routing import Request

PREFIX = "/r/"


class ReportVisit(LinkVisit[ReportAccess], frozen=True, kw_only=True):
    """Request of a viewer who may see the report."""

    target = REPORTS
    report: ReportView

    @property
    def shared(self) -> ReportView:
        """The report."""
        return self.report

    @property
    def order(self) -> Order:
        """Sort order of the findings on the page."""
        return Order.QUICK if self.query.get("fixes") == Order.QUICK else Order.HARM

    @property
    def filters(self) -> FindingsQuery:
        """Filters of the findings on the page."""
        return findings_query(self.query)

    @property
    def variant(self) -> str:
        """Suffix of the ETag: language, sort order and branding, which determine the page besides the report."""
        return f"-{self.say.code}-{self.order}-{self.presentation.brand.digest}{self.view_variant}"

    @property
    def file_parts(self) -> tuple[str, datetime | None]:
        """Host of the page, and time of its run."""
        parsed = parse(self.report.url)
        return parsed.host if parsed else "", self.report.generated_at

    @property
    def noted_findings(self) -> Sequence[ReportedFinding]:
        """Findings to write notes for."""
        return self.report.report.findings if self.report.report else ()

    @property
    def runs(self) -> Sequence[RunView]:
        """Runs that the link can show (blocking)."""
        runs = history.runs(self.service, self.require_owner(), self.report.id)
        return [run for run in runs if run.report == self.report.id and run.engine is not None]

    @property
    def run(self) -> int | None:
        """Number of the newest run."""
        return self.report.run

    def manage_url(self, public_id: str, done: str = "") -> str:
        """Return the URL of the owner's forms after one was saved."""
        return f"{PREFIX}{public_id}{'?done=' if done else ''}{done}#share"


def find_visit(request: Request, service: Service, public_id: str) -> ReportVisit | Decision:
    """Return the visit of a report, as of the ``run`` of the query, or the reason why access is denied (blocking).

    Raises NotFound for a NUL or an unknown run.
    """
    viewer = viewer_of(service, public_id, request.headers)
    run = require_found(whole_number(text_of(request.query, "run"))) if "run" in request.query else None
    access = report_access.view(service, public_id, viewer, run)
    report = access.report
    if report is None:
        return access.decision
    name = (report.report.facts.page_title if report.report else "") or readable_url(report.url)
    return ReportVisit(report=report, **visit_fields(request, service, viewer, access, f"{PREFIX}{report.public_id}", name))


REPORT_PAGES: LinkPages[ReportVisit] = LinkPages(PREFIX, REPORTS, find_visit)


def progress_for(service: Service, public_id: str, headers: Mapping[str, str]) -> ReportView | None:
    """Return a report with its progress if the sender of these headers may see it, else None (blocking). Raises NotFound for a NUL."""
    return report_access.progress(service, public_id, viewer_of(service, public_id, headers))
