"""Share page of a report. The service decides who may see it; guests without access get the password form or NotFound."""

from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import ClassVar, Protocol

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable import __version__
from findable.errors import NotFound, PageErrorCode, RateLimited, ReportMoved
from findable.export.pdf import is_available
from findable.reports.fixes import Order
from findable.service.accounts.callers import may
from findable.service.projects import issue_trackers, projects
from findable.service.reports import guest_access, history, stored_images
from findable.service.reports.guest_access import Decision, ReportAccess, Viewer
from findable.service.reports.owned_reports import Shared
from findable.service.reports.shareable import REPORTS, Shareable
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.report_values import ReportView
from findable.service_urls import ServiceUrls
from findable.vocabulary import BrowserUse, Privacy
from findable.web.api.report_routes import matches
from findable.web.auth import cookies, refuse_cross_site, set_cookie
from findable.web.pages.report.findings_table import FindingsQuery, findings_query
from findable.web.pages.report.owner_presentation import OwnerPresentation, link_notes
from findable.web.pages.report.report_context import AcceptForm, Owner, ReportPage, report_page
from findable.web.pages.report.run_trend import history_summary
from findable.web.pages.shared.browser_choices import report_browser_choices
from findable.web.pages.shared.form_fields import problem_of
from findable.web.pages.shared.lines import project_url, titled
from findable.web.pages.shared.page_templates import PageContext, page_bytes, page_response, see_other
from findable.web.pages.shared.viewer import bar_of, client_ip_address, signed_in, wording_of, zone_of
from findable.web.problems import error_headers
from findable.web.routing import Request, get, post
from findable.wording import ENGLISH, LANGUAGES, Translator, later, wording

NOT_LISTED = {"X-Robots-Tag": "noindex"}
_LONGEST_RUN = 9
"""Maximum number of digits."""
NOT_PUBLIC = {**NOT_LISTED, "Referrer-Policy": "no-referrer"}


class UnlockPage(PageContext, frozen=True):
    """Variables of unlock.html."""

    template: ClassVar[str] = "unlock.html"
    problem: str
    """Reason why the last attempt failed; empty before the first."""


DONE = {
    "again": later("The report was run again."),
    "access": later("Who may see the report was saved."),
}
"""Confirmations of the owner's forms."""


@get("/r/{public_id}")
def get_share(request: Request, public_id: str) -> Response:
    """Show the report, the password form, or a "not found" page.

    ``?run=3`` shows the report as of that run, ``?language=de`` sets a language if the project sets none. ``kind``, ``category``,
    ``effort``, ``who`` and ``q`` filter the findings, ``fixes=quick`` sorts them.
    """
    run, language = requested_run(request), requested_language(request)
    order = requested_order(request)
    chosen = findings_query(request.query)
    visit = visit_of(request.service, public_id, request.headers, run, language)
    visit = replace(visit, order=order, query=chosen, done=str(request.query.get("done", "")))
    return _page(visit, request.service, request.headers, request.urls)


def requested_language(request: Request) -> str:
    """Return the ``language`` of the query; empty if it is missing or not supported."""
    text = request.query.get("language")
    return text if isinstance(text, str) and text in LANGUAGES else ""


def requested_order(request: Request) -> Order:
    """Return the sort order of the findings in the query."""
    return Order.QUICK if request.query.get("fixes") == Order.QUICK else Order.HARM


def requested_run(request: Request) -> int | None:
    """Return the ``run`` of the query. Raises NotFound if it is not a number."""
    text = request.query.get("run")
    if text is None:
        return None
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= _LONGEST_RUN):
        raise NotFound
    return int(text)


def _page(visit: "Visit", service: Service, headers: Mapping[str, str], urls: ServiceUrls) -> Response:
    if visit.access.decision is Decision.PASSWORD_NEEDED:
        return page_response(UnlockPage(""), visit.say, headers=NOT_PUBLIC)
    report = visit.access.report
    if report is None:
        raise NotFound
    made = cached_response(
        visit.access, report, headers, lambda: page_bytes(shared_page(service, visit, report, urls), visit.say), variant=visit.variant
    )
    if visit.is_listed:
        del made.headers["X-Robots-Tag"]
    return made


class Visit(Struct, frozen=True):
    """Request of a viewer for a report, with the visible content and the language."""

    access: ReportAccess
    caller: Caller | None
    say: Translator
    """Language of the page: guests get the report's language, owners their own."""
    url_language: str = ""
    """Language in the URL; empty if it has none."""
    order: Order = Order.HARM
    """Sort order of the findings on the page."""
    query: FindingsQuery = FindingsQuery()
    """Filters of the findings on the page."""
    done: str = ""
    """Name of the owner's last form, as in the URL."""

    @property
    def language(self) -> str:
        """Language code set by the project or the URL; empty if neither sets one."""
        return self.access.presentation.language or self.url_language

    @property
    def file_say(self) -> Translator:
        """Translator for PDFs: in the language of project or URL, else in the viewer's."""
        return wording(self.language) if self.language else self.say

    @property
    def data_say(self) -> Translator:
        """Translator for files that programs read: in the language of project or URL, else English."""
        return wording(self.language) if self.language else ENGLISH

    @property
    def variant(self) -> str:
        """Suffix of the ETag: language, sort order and branding, which determine the response besides the report."""
        return f"-{self.say.code}-{self.order}-{self.access.presentation.brand.digest}"

    @property
    def is_listed(self) -> bool:
        """Whether search engines may index this page."""
        report = self.access.report
        is_public = report is not None and report.privacy is Privacy.PUBLIC
        return is_public and self.access.presentation.is_listed and not self.access.is_owner

    @property
    def zone(self) -> tzinfo:
        """Time zone in which times are shown to the viewer."""
        return zone_of(self.caller)


def visit_of(service: Service, public_id: str, headers: Mapping[str, str], run: int | None = None, url_language: str = "") -> Visit:
    """Return the visit of a report by the sender of these headers (blocking).

    Raises NotFound for a NUL or an unknown run, ReportMoved for a report that was merged into another.
    """
    if "\0" in public_id:
        raise NotFound
    caller = signed_in(service, headers)
    shared = guest_access.view(service, public_id, _viewer(service, public_id, headers, caller), run)
    if shared.decision is Decision.MOVED:
        raise ReportMoved(shared.moved_to)
    language = url_language if shared.is_owner else shared.presentation.language or url_language
    return Visit(shared, caller, wording(language) if language else wording_of(headers, caller), url_language)


def _viewer(service: Service, public_id: str, headers: Mapping[str, str], caller: Caller | None) -> Viewer:
    return Viewer(caller, cookies(headers).get(guest_access.cookie_name(service, public_id)))


def progress_for(service: Service, public_id: str, headers: Mapping[str, str]) -> ReportView | None:
    """Return a report with its progress if the sender of these headers may see it, else None (blocking)."""
    if "\0" in public_id:
        return None
    return guest_access.progress(service, public_id, _viewer(service, public_id, headers, signed_in(service, headers)))


def saved_page_for(service: Service, public_id: str, headers: Mapping[str, str], run: int | None) -> bytes:
    """Return the saved page of a run (blocking). Raises NotFound if the sender of these headers may not see it."""
    if "\0" in public_id:
        raise NotFound
    return guest_access.saved_page(service, public_id, _viewer(service, public_id, headers, signed_in(service, headers)), run)


def shared_page(
    service: Service, visit: Visit, report: ReportView, urls: ServiceUrls, *, problem: str = "", accept: AcceptForm | None = None
) -> ReportPage:
    """Return the report's page for a visit (blocking); ``problem`` and ``accept`` contain errors of the owner's forms."""
    is_owner = visit.access.is_owner and visit.caller is not None
    may_change = is_owner and visit.caller is not None and may(visit.caller, MEMBER, report.project_id)
    changes = history.latest_changes(service, visit.caller, report.id) if visit.caller and is_owner and report.run else None
    runs = history.runs(service, visit.caller, report.id) if visit.caller and changes else ()
    shared = visit.access
    current = shared.current_run
    images = stored_images.browser_kinds(service, report) if report.run == current else frozenset()
    return report_page(
        report,
        urls,
        say=visit.say,
        zone=visit.zone,
        current_run=current,
        history=history_summary(report, runs, changes, visit.say, visit.zone) if changes and report.run == current else None,
        owner=_owner(service, report, visit, visit.caller, problem, accept) if visit.caller and may_change else None,
        has_pdf=is_available(),
        has_screenshots=images.issuperset(stored_images.SCREENSHOTS),
        has_filmstrip="filmstrip" in images,
        presentation=OwnerPresentation(
            shared.presentation, shared.link_run, visit.url_language, is_listed=visit.is_listed, order=visit.order, query=visit.query
        ),
    )


def _owner(service: Service, report: ReportView, visit: Visit, caller: Caller, problem: str, accept: AcceptForm | None) -> Owner:
    presentation = visit.access.presentation
    return Owner(
        report.privacy.value,
        report.has_password,
        problem,
        accept or AcceptForm(),
        visit.say(DONE[visit.done]) if visit.done in DONE else "",
        bar_of(caller, ""),
        titled(report.project, projects.titles(service, caller, [report.project])),
        project_url(report.project),
        link_notes(presentation, visit.say),
        visit.access.link_run if visit.access.link_run != visit.access.current_run else None,
        issue_trackers.tracker_name(service, caller, report.project_id),
        report_browser_choices(service, _browser(report), visit.say),
    )


def _browser(report: ReportView) -> str:
    """Return the browser mode that the form suggests: a browser if the page needs one."""
    needs_one = any(error is not None and error.code is PageErrorCode.NEEDS_BROWSER for error in (report.error, report.last_error))
    return BrowserUse.VIEW if needs_one else report.browser or ""


class ViewerAccess(Protocol):
    """Access of a viewer to a report or a crawl."""

    @property
    def is_owner(self) -> bool:
        """Whether the viewer is the owner."""


class Versioned(Protocol):
    """Report or crawl whose responses can be cached."""

    @property
    def privacy(self) -> Privacy:
        """Privacy of the report or crawl."""

    @property
    def etag(self) -> str:
        """Entity tag, which changes with every visible change."""


def cached_response(
    shared: ViewerAccess,
    report: Versioned,
    headers: Mapping[str, str],
    make: Callable[[], bytes],
    more: Mapping[str, str] | None = None,
    variant: str = "",
    media_type: str = "text/html",
) -> Response:
    """Return a page or file of a report or a crawl. Public responses may be cached with an ETag, others are for this reader only.

    ``more`` are further headers, ``variant`` contains further inputs of the response: language, branding.
    """
    is_public = report.privacy is Privacy.PUBLIC
    # The owner's page contains forms, whose origin check needs a referrer between pages of this service.
    reply_headers = {**(NOT_LISTED if is_public or shared.is_owner else NOT_PUBLIC), **(more or {})}
    if is_public and not shared.is_owner:
        tag = f"{report.etag}-{__version__}{variant}"  # a new version may show the same report differently
        reply_headers |= {"Cache-Control": "no-cache", "ETag": f'W/"{tag}"', "Vary": "Cookie, Accept-Language" if variant else "Cookie"}
        if matches(headers.get("if-none-match", ""), tag):
            return Response(b"", 304, reply_headers, media_type)
    return Response(make(), 200, reply_headers, media_type)


@post("/r/{public_id}")
async def post_share(request: Request, public_id: str) -> Response:
    """Check the password of a report and redirect to its page."""
    return await unlock_page(request, public_id, REPORTS, f"/r/{public_id}")


async def unlock_page(request: Request, public_id: str, target: Shareable[Shared], page: str) -> Response:
    """Check the password of a report or a crawl and redirect to its page, or show the form again."""
    service = request.service
    headers = request.headers
    refuse_cross_site(headers, service.settings.base_url)
    if "\0" in public_id:
        raise NotFound
    fields = await request.fields()
    password = str(fields.get("password", ""))
    say = wording_of(headers)
    try:
        found = await service.run(guest_access.unlock, public_id, password, client_ip_address(request, service), target=target)
    except RateLimited as error:
        told = {**NOT_PUBLIC, **error_headers(error)}
        return page_response(UnlockPage(problem_of(error, say)), say, status=error.status, headers=told)
    if found is None:
        return page_response(UnlockPage(say("The password is wrong.")), say, status=403, headers=NOT_PUBLIC)
    cookie = set_cookie(found.cookie_name, found.token, found.max_age_s, secure=found.secure)
    return see_other(page, [cookie])
