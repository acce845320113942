"""Actions of the owner on the report of a site: stop, resume, rescore, delete, accept. Everyone else gets NotFound."""

from collections.abc import Callable

from msgspec import UNSET
from starlette.responses import Response

from findable.errors import NotFound, RequestError
from findable.export.new_issue import new_issue, with_only
from findable.export.site_subject import site_subject
from findable.reports.titles import readable_url
from findable.service.crawls import crawl_acceptances, crawls
from findable.service.crawls.site_fix_links import open_site_fix
from findable.service.projects import issue_trackers
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlResume
from findable.service.values.report_values import NewAcceptance, Scope
from findable.web.pages.report.issue_link import tracker_redirect
from findable.web.pages.result.fix_page import fix_pages
from findable.web.pages.result.sharing import PRIVACY, day_of, sharing_forms
from findable.web.pages.shared.form_fields import rejected_form
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.site.site_files import report_of
from findable.web.pages.site.site_page import site_page
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.web.query_strings import whole_number


def _apply_change(visit: SiteVisit, change: Callable[[Caller], object], back: str, key: str = "") -> Response:
    """Apply a change to the crawl and redirect to ``back``, or show the report with the errors of the form.

    ``key`` is the key of the finding that the form is about.
    """
    try:
        change(visit.require_owner())
    except NotFound:
        raise
    except RequestError as error:
        return _show_again(visit, error, key)
    return see_other(back)


def _show_again(visit: SiteVisit, error: RequestError, place: str = PRIVACY) -> Response:
    return visit_response(visit, site_page(visit, rejected_form(visit.fields, error, visit.say), place), error.status)


SHARING = sharing_forms(SITES, _show_again)
FIX_PAGES = fix_pages(SITES.prefix, open_site_fix)


@SITES.owner_form("/stop")
def post_site_stop(visit: SiteVisit) -> Response:
    """Stop a crawl; its report covers the pages crawled so far."""
    return _apply_change(visit, lambda caller: crawls.stop(visit.service, caller, visit.crawl.id), visit.path)


@SITES.owner_form("/again")
def post_site_again(visit: SiteVisit) -> Response:
    """Start a crawl with the settings of this one, over the other scheme with ``scheme``, and redirect to its report."""
    try:
        started = crawls.again(visit.service, visit.require_owner(), visit.crawl.id, visit.text("scheme"))
    except NotFound:
        raise
    except RequestError as error:
        return _show_again(visit, error, "")
    return see_other(f"/s/{started.public_id}")


@SITES.owner_form("/judge")
def post_site_rescore(visit: SiteVisit) -> Response:
    """Rescore a crawl from its stored responses."""
    return _apply_change(visit, lambda caller: crawls.rescore(visit.service, caller, visit.crawl.id), visit.path)


@SITES.owner_form("/resume")
def post_site_resume(visit: SiteVisit) -> Response:
    """Continue a crawl, with a higher maximum number of pages if it reached the maximum."""
    pages = whole_number(visit.text("pages"))
    return _apply_change(
        visit,
        lambda caller: crawls.resume(visit.service, caller, visit.crawl.id, CrawlResume(UNSET if pages is None else pages)),
        visit.path,
    )


@SITES.owner_form("/delete")
def post_site_delete(visit: SiteVisit) -> Response:
    """Delete a crawl with its pages."""
    back = f"{project_url(visit.crawl.project)}/crawls"
    return _apply_change(visit, lambda caller: crawls.delete(visit.service, caller, visit.crawl.id), back)


@SITES.owner_page("/issue")
def get_site_issue(visit: SiteVisit) -> Response:
    """Redirect to the new-issue form of the project's tracker, filled in with the finding of ``?finding=KEY``."""
    tracker = issue_trackers.require_tracker(visit.service, visit.require_owner(), visit.crawl.project_id)
    subject = with_only(site_subject(report_of(visit)), lambda problem: problem.key == visit.query.get("finding"))
    if subject is None:
        raise NotFound
    return tracker_redirect(new_issue(tracker, subject, f"{subject.problems[0].summary} – {readable_url(visit.crawl.url)}"))


@SITES.owner_form("/accepted")
def post_site_accepted(visit: SiteVisit) -> Response:
    """Accept a finding with a reason, or withdraw its acceptance with ``withdraw``."""
    key = visit.text("key")

    def change(caller: Caller) -> None:
        if visit.text("withdraw"):
            crawl_acceptances.withdraw(visit.service, caller, visit.crawl.id, key)
            return
        new = NewAcceptance(visit.text("reason"), day_of(visit.text("until")), Scope.PROJECT, None)
        crawl_acceptances.accept(visit.service, caller, visit.crawl.id, key, new)

    return _apply_change(visit, change, f"{visit.path}#findings", key)
