"""Actions of the owner on the report of a site: stop, resume, rescore, delete, share, accept. Everyone else gets NotFound."""

from collections.abc import Callable

from starlette.responses import Response

from findable.errors import NotFound, RequestError
from findable.export.new_issue import new_issue, with_only
from findable.export.site_subject import site_subject
from findable.reports.titles import readable_url
from findable.service.accounts.callers import require_role
from findable.service.crawls import crawl_acceptances, crawl_access, crawls
from findable.service.crawls.crawl_access import CRAWLS
from findable.service.projects import issue_trackers
from findable.service.reports import report_links
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.crawl_values import CrawlLimits
from findable.service.values.report_values import NewAcceptance, Scope
from findable.web.pages.report import client
from findable.web.pages.report.client import BODY, LISTS, ClientEdit, day_of
from findable.web.pages.report.issue_link import tracker_redirect
from findable.web.pages.report.manage import privacy_of
from findable.web.pages.shared.form_fields import rejected_form
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.site.site_files import report_of
from findable.web.pages.site.site_page import site_page
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response


def _apply_change(visit: SiteVisit, change: Callable[[Caller], object], back: str, key: str = "") -> Response:
    """Apply a change to the crawl and redirect to ``back``, or show the report with the errors of the form.

    ``key`` is the key of the finding that the form is about.
    """
    try:
        change(visit.require_owner())
    except NotFound:
        raise
    except RequestError as error:
        return visit_response(visit, site_page(visit, rejected_form(visit.fields, error, visit.say), key), error.status)
    return see_other(back)


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
        return visit_response(visit, site_page(visit, rejected_form(visit.fields, error, visit.say)), error.status)
    return see_other(f"/s/{started.public_id}")


@SITES.owner_form("/judge")
def post_site_rescore(visit: SiteVisit) -> Response:
    """Rescore a crawl from its stored responses."""
    return _apply_change(visit, lambda caller: crawls.rescore(visit.service, caller, visit.crawl.id), visit.path)


@SITES.owner_form("/resume")
def post_site_resume(visit: SiteVisit) -> Response:
    """Continue a crawl, with a higher maximum number of pages if it reached the maximum."""
    sent = visit.text("pages")
    pages = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < _LONGEST else None
    return _apply_change(visit, lambda caller: crawls.resume(visit.service, caller, visit.crawl.id, CrawlLimits(pages)), visit.path)


_LONGEST = 10


@SITES.owner_form("/delete")
def post_site_delete(visit: SiteVisit) -> Response:
    """Delete a crawl with its pages."""
    back = f"{project_url(visit.crawl.project)}/crawls"
    return _apply_change(visit, lambda caller: crawls.delete(visit.service, caller, visit.crawl.id), back)


@SITES.owner_form("/privacy")
def post_site_privacy(visit: SiteVisit) -> Response:
    """Change who may see the site report; an empty password field does not change the password."""
    privacy, password = privacy_of(visit.text("privacy")), visit.text("password") or None

    def change(caller: Caller) -> None:
        report_links.set_access(visit.service, caller, visit.crawl.id, privacy, password, target=CRAWLS)

    return _apply_change(visit, change, f"{visit.path}#share")


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


# --- for the client, and the link


def _edit_of(visit: SiteVisit) -> ClientEdit:
    view, owner = visit.crawl, visit.require_owner()
    require_role(owner, MEMBER, view.project_id)
    report = crawl_access.report(visit.service, view) if view.has_results else None
    return ClientEdit(
        service=visit.service,
        caller=owner,
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


@SITES.owner_page("/client")
def get_site_client(visit: SiteVisit) -> Response:
    """Show the form with texts and options for the client of a site report."""
    return client.client_form(_edit_of(visit))


@SITES.owner_form("/client", BODY, LISTS)
def post_site_client(visit: SiteVisit) -> Response:
    """Save the texts and options for the client of a site report."""
    return client.save_client(_edit_of(visit))


@SITES.owner_page("/link")
def get_site_link(visit: SiteVisit) -> Response:
    """Show the forms for the expiry, indexing and replacement of a site report's link."""
    return client.link_form(_edit_of(visit))


@SITES.owner_form("/link")
def post_site_link(visit: SiteVisit) -> Response:
    """Save expiry and indexing of a site report's link."""
    return client.save_link(_edit_of(visit))


@SITES.owner_form("/link/new")
def post_site_new_link(visit: SiteVisit) -> Response:
    """Replace the link of a site report; the old one becomes invalid immediately."""
    link = report_links.renew(visit.service, visit.require_owner(), visit.crawl.id, target=CRAWLS)
    return see_other(f"/s/{link.public_id}#share")
