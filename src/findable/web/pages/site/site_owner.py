"""Actions of the owner on the report of a site: stop, resume, rescore, delete, share, accept. Everyone else gets NotFound."""

from collections.abc import Callable

from starlette.responses import Response

from findable.errors import NotFound, RequestError
from findable.export.new_issue import new_issue, with_only
from findable.export.site_subject import site_subject
from findable.reports.titles import readable_url
from findable.service.accounts.callers import require_role
from findable.service.crawls import crawl_acceptances, crawl_access, crawls
from findable.service.crawls.crawl_links import CRAWLS
from findable.service.projects import issue_trackers
from findable.service.reports import report_links
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.crawl_values import CrawlLimits
from findable.service.values.report_values import NewAcceptance, Scope
from findable.web.pages.report import client
from findable.web.pages.report.client import BODY, LISTS, ClientEdit, day_of
from findable.web.pages.report.issue_link import to_tracker
from findable.web.pages.report.manage import privacy_of
from findable.web.pages.shared.form_fields import refused
from findable.web.pages.shared.lines import project_address
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.site.site_files import report_of
from findable.web.pages.site.site_page import site_page
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.web.routing import Request, get, post


def _apply_change(visit: SiteVisit, change: Callable[[Caller], object], back: str, key: str = "") -> Response:
    """Apply a change and show the page, or show it with the errors of the form; ``key`` is the key of the affected finding."""
    if visit.owner is None:
        raise NotFound
    try:
        change(visit.owner)
    except NotFound:
        raise
    except RequestError as error:
        return visit_response(visit, site_page(visit, refused(visit.fields, error, visit.say), key), error.status)
    return see_other(back)


@post("/s/{public_id}/stop")
async def post_site_stop(request: Request, public_id: str) -> Response:
    """End the crawl with its present pages."""

    def work(visit: SiteVisit) -> Response:
        return _apply_change(visit, lambda caller: crawls.stop(visit.service, caller, visit.crawl.id), visit.path)

    return await SITES.from_owner(request, public_id, work)


@post("/s/{public_id}/judge")
async def post_site_judge(request: Request, public_id: str) -> Response:
    """Rescore the crawl from its stored responses."""

    def work(visit: SiteVisit) -> Response:
        return _apply_change(visit, lambda caller: crawls.judge(visit.service, caller, visit.crawl.id), visit.path)

    return await SITES.from_owner(request, public_id, work)


@post("/s/{public_id}/resume")
async def post_site_resume(request: Request, public_id: str) -> Response:
    """Continue the crawl, with a higher maximum number of pages if it reached the maximum."""

    def work(visit: SiteVisit) -> Response:
        sent = visit.text("pages")
        pages = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < _LONGEST else None
        return _apply_change(visit, lambda caller: crawls.resume(visit.service, caller, visit.crawl.id, CrawlLimits(pages)), visit.path)

    return await SITES.from_owner(request, public_id, work)


_LONGEST = 10


@post("/s/{public_id}/delete")
async def post_site_delete(request: Request, public_id: str) -> Response:
    """Delete the crawl with its pages."""

    def work(visit: SiteVisit) -> Response:
        back = f"{project_address(visit.crawl.project)}/crawls"
        return _apply_change(visit, lambda caller: crawls.delete(visit.service, caller, visit.crawl.id), back)

    return await SITES.from_owner(request, public_id, work)


@post("/s/{public_id}/privacy")
async def post_site_privacy(request: Request, public_id: str) -> Response:
    """Change who may see the report; an empty password keeps the existing one."""

    def work(visit: SiteVisit) -> Response:
        privacy, password = privacy_of(visit.text("privacy")), visit.text("password") or None

        def change(caller: Caller) -> None:
            report_links.set_access(visit.service, caller, visit.crawl.id, privacy, password, target=CRAWLS)

        return _apply_change(visit, change, f"{visit.path}#share")

    return await SITES.from_owner(request, public_id, work)


@get("/s/{public_id}/issue")
async def get_site_issue(request: Request, public_id: str) -> Response:
    """Redirect to the new-issue form of the project's tracker, filled in with the finding of ``?finding=KEY``."""

    def work(visit: SiteVisit) -> Response:
        if visit.owner is None:
            raise NotFound
        tracker = issue_trackers.required(visit.service, visit.owner, visit.crawl.project_id)
        subject = with_only(site_subject(report_of(visit)), lambda problem: problem.key == visit.query.get("finding"))
        if subject is None:
            raise NotFound
        return to_tracker(new_issue(tracker, subject, f"{subject.problems[0].summary} – {readable_url(visit.crawl.url)}"))

    return await SITES.for_owner(request, public_id, work)


@post("/s/{public_id}/accepted")
async def post_site_accepted(request: Request, public_id: str) -> Response:
    """Accept a finding with a reason, or withdraw its acceptance with ``withdraw``."""

    def work(visit: SiteVisit) -> Response:
        key = visit.text("key")

        def change(caller: Caller) -> None:
            if visit.text("withdraw"):
                crawl_acceptances.withdraw(visit.service, caller, visit.crawl.id, key)
                return
            new = NewAcceptance(visit.text("reason"), day_of(visit.text("until")), Scope.PROJECT, None)
            crawl_acceptances.accept(visit.service, caller, visit.crawl.id, key, new)

        return _apply_change(visit, change, f"{visit.path}#findings", key)

    return await SITES.from_owner(request, public_id, work)


# --- for the client, and the link


def _edit_of(visit: SiteVisit) -> ClientEdit:
    if visit.owner is None:
        raise NotFound
    view = visit.crawl
    require_role(visit.owner, MEMBER, view.project_id)
    report = crawl_access.report(visit.service, view) if view.has_results else None
    return ClientEdit(
        service=visit.service,
        caller=visit.owner,
        say=visit.say,
        zone=visit.zone,
        target=CRAWLS,
        number=view.id,
        page=visit.path,
        address=visit.at.site_page(view.public_id),
        name=readable_url(view.url),
        project=view.project,
        privacy=view.privacy,
        presentation=visit.access.presentation,
        findings=tuple(item.as_reported for item in report.open) if report else (),
        fields=visit.fields,
    )


@get("/s/{public_id}/client")
async def get_site_client(request: Request, public_id: str) -> Response:
    """Show the form with texts and choices for the client."""
    return await SITES.for_owner(request, public_id, lambda visit: client.client_form(_edit_of(visit)))


@post("/s/{public_id}/client")
async def post_site_client(request: Request, public_id: str) -> Response:
    """Save the texts and choices for the client."""
    return await SITES.from_owner(request, public_id, lambda visit: client.save_client(_edit_of(visit)), BODY, LISTS)


@get("/s/{public_id}/link")
async def get_site_link(request: Request, public_id: str) -> Response:
    """Show the end of guest access, the listing by search engines, and the renewal of the link."""
    return await SITES.for_owner(request, public_id, lambda visit: client.link_form(_edit_of(visit)))


@post("/s/{public_id}/link")
async def post_site_link(request: Request, public_id: str) -> Response:
    """Save the terms of the link."""
    return await SITES.from_owner(request, public_id, lambda visit: client.save_link(_edit_of(visit)))


@post("/s/{public_id}/link/new")
async def post_site_new_link(request: Request, public_id: str) -> Response:
    """Replace the link; the old one ends at once."""

    def work(visit: SiteVisit) -> Response:
        if visit.owner is None:
            raise NotFound
        link = report_links.renew(visit.service, visit.owner, visit.crawl.id, target=CRAWLS)
        return see_other(f"/s/{link.public_id}#share")

    return await SITES.from_owner(request, public_id, work)
