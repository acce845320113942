"""Page of a report for people with its link."""

from starlette.responses import Response

from findable.errors import PageErrorCode, RequestError
from findable.service.projects import watched_sites
from findable.service.reports import history, stored_images
from findable.service.reports.report_access import open_fix
from findable.service.values.report_values import ReportView
from findable.vocabulary import BrowserUse
from findable.web.pages.report.report_context import Owner, ReportPage, report_page
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit
from findable.web.pages.report.run_trend import history_summary
from findable.web.pages.result.fix_page import fix_pages
from findable.web.pages.result.sharing import NO_FORM, PRIVACY, owner_fields, sharing_forms
from findable.web.pages.shared.browser_choices import report_browser_choices
from findable.web.pages.shared.form_fields import FormView, rejected_form
from findable.web.pages.shared.page_templates import page_bytes, page_response
from findable.wording import later

DONE = {
    "again": later("The report was run again."),
    "access": later("Who may see the report was saved."),
}
"""Confirmations of the owner's forms."""


@REPORT_PAGES.viewer_page("", is_first=True)
def get_share(visit: ReportVisit) -> Response:
    """Show the report, the password form, or a "not found" page.

    ``?run=3`` shows the report as of that run, ``?language=de`` sets a language if the project sets none. ``kind``, ``category``,
    ``effort``, ``who`` and ``q`` filter the findings, ``fixes=quick`` sorts them.
    """
    return visit.response(lambda: page_bytes(shared_page(visit), visit.say))


def shared_page(visit: ReportVisit, form: FormView = NO_FORM, place: str = "") -> ReportPage:
    """Return the report's page for a visit (blocking); ``form`` contains the errors of the owner's form at that place."""
    service, report, owner, current = visit.service, visit.report, visit.owner, visit.access.current_run
    changes = history.latest_changes(service, owner, report.id) if owner and report.run else None
    runs = history.runs(service, owner, report.id) if owner and changes else ()
    images = stored_images.browser_kinds(service, report) if report.run == current else frozenset()
    return report_page(
        visit,
        history=history_summary(report, runs, changes, visit.say, visit.zone) if changes and report.run == current else None,
        owner=_owner(visit, form, place) if visit.is_member else None,
        has_screenshots=images.issuperset(stored_images.SCREENSHOTS),
        has_filmstrip="filmstrip" in images,
    )


def page_with_error(visit: ReportVisit, error: RequestError, place: str = PRIVACY) -> Response:
    """Return the report's page again, with the error of the form at that place: `PRIVACY`, or the id of a check (blocking)."""
    return page_response(shared_page(visit, rejected_form(visit.fields, error, visit.say), place), visit.say, status=error.status)


SHARING = sharing_forms(REPORT_PAGES, page_with_error)
FIX_PAGES = fix_pages(REPORT_PAGES.prefix, open_fix)


def _owner(visit: ReportVisit, form: FormView, place: str) -> Owner:
    access, done, shared = visit.access, visit.query.get("done", ""), owner_fields(visit, form, place)
    return Owner(
        done=visit.say(DONE[done]) if done in DONE else "",
        guests_run=access.link_run if access.link_run != access.current_run else None,
        browsers=report_browser_choices(visit.service, _browser(visit.report), visit.say),
        offer=watched_sites.open_offer(visit.service, visit.require_owner(), shared["site"]),
        **shared,
    )


def _browser(report: ReportView) -> str:
    """Return the browser mode that the form suggests: a browser if the page needs one."""
    needs_one = any(error is not None and error.code is PageErrorCode.NEEDS_BROWSER for error in (report.error, report.last_error))
    return BrowserUse.VIEW if needs_one else report.browser or ""
