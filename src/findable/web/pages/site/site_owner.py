"""Actions of the owner on the report of a site: stop, resume, rescore, delete, accept. Everyone else gets NotFound."""

from msgspec import UNSET
from starlette.responses import Response

from findable.errors import RequestError
from findable.export.new_issue import with_only
from findable.export.site_subject import site_subject
from findable.reports.titles import readable_url
from findable.service.crawls import crawl_acceptances, crawls
from findable.service.crawls.site_fix_links import open_site_fix
from findable.service.values.crawl_values import CrawlResume
from findable.service.values.report_values import NewAcceptance, Scope
from findable.web.pages.result.fix_page import fix_pages
from findable.web.pages.result.issue_link import issue_form
from findable.web.pages.result.sharing import PRIVACY, day_of, sharing_forms
from findable.web.pages.shared.form_fields import rejected_form
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.site.site_files import report_of
from findable.web.pages.site.site_page import site_page
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.web.query_strings import whole_number


def _show_again(visit: SiteVisit, error: RequestError, place: str = PRIVACY) -> Response:
    return visit_response(visit, site_page(visit, rejected_form(visit.fields, error, visit.say), place), error.status)


def _with_problem(visit: SiteVisit, error: RequestError) -> Response:
    """Return the report with the errors of a form that is not about the access: beside its finding, if it is about one."""
    return _show_again(visit, error, visit.text("key"))


SHARING = sharing_forms(SITES, _show_again)
FIX_PAGES = fix_pages(SITES.prefix, open_site_fix)


@SITES.owner_form("/stop", again=_with_problem)
def post_site_stop(visit: SiteVisit) -> Response:
    """Stop a crawl; its report covers the pages crawled so far."""
    crawls.stop(visit.service, visit.require_owner(), visit.crawl.id)
    return see_other(visit.path)


@SITES.owner_form("/again", again=_with_problem)
def post_site_again(visit: SiteVisit) -> Response:
    """Start a crawl with the settings of this one, over the other scheme with ``scheme``, and redirect to its report."""
    started = crawls.again(visit.service, visit.require_owner(), visit.crawl.id, visit.text("scheme"))
    return see_other(f"/s/{started.public_id}")


@SITES.owner_form("/judge", again=_with_problem)
def post_site_rescore(visit: SiteVisit) -> Response:
    """Rescore a crawl from its stored responses."""
    crawls.rescore(visit.service, visit.require_owner(), visit.crawl.id)
    return see_other(visit.path)


@SITES.owner_form("/resume", again=_with_problem)
def post_site_resume(visit: SiteVisit) -> Response:
    """Continue a crawl, with a higher maximum number of pages if it reached the maximum."""
    pages = whole_number(visit.text("pages"))
    crawls.resume(visit.service, visit.require_owner(), visit.crawl.id, CrawlResume(UNSET if pages is None else pages))
    return see_other(visit.path)


@SITES.owner_form("/delete", again=_with_problem)
def post_site_delete(visit: SiteVisit) -> Response:
    """Delete a crawl with its pages."""
    crawls.delete(visit.service, visit.require_owner(), visit.crawl.id)
    return see_other(f"{project_url(visit.crawl.project)}/crawls")


@SITES.owner_page("/issue")
def get_site_issue(visit: SiteVisit) -> Response:
    """Redirect to the new-issue form of the project's tracker, filled in with the finding of ``?finding=KEY``."""
    subject = with_only(site_subject(report_of(visit)), lambda problem: problem.key == visit.query.get("finding"))
    return issue_form(visit.service, visit.require_owner(), visit.crawl.project_id, subject, readable_url(visit.crawl.url))


@SITES.owner_form("/accepted", again=_with_problem)
def post_site_accepted(visit: SiteVisit) -> Response:
    """Accept a finding with a reason, or withdraw its acceptance with ``withdraw``."""
    owner, key = visit.require_owner(), visit.text("key")
    if visit.text("withdraw"):
        crawl_acceptances.withdraw(visit.service, owner, visit.crawl.id, key)
    else:
        new = NewAcceptance(visit.text("reason"), day_of(visit.text("until")), Scope.PROJECT, None)
        crawl_acceptances.accept(visit.service, owner, visit.crawl.id, key, new)
    return see_other(f"{visit.path}#findings")
