"""Actions of the owner on a report's page: regenerate, accept findings, delete, open an issue. Everyone else gets NotFound."""

from collections.abc import Mapping

from msgspec import UNSET
from starlette.responses import Response

from findable.errors import BadRequest, ValidationFailed, require_found
from findable.export.ci_subject import page_subject
from findable.export.new_issue import with_only
from findable.reports.titles import readable_url
from findable.service.reports import acceptances, reports
from findable.service.values.report_values import NewAcceptance, ReportChanges, Scope
from findable.web.pages.report.report_page import page_with_error
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit
from findable.web.pages.result.issue_link import issue_form
from findable.web.pages.result.sharing import day_of
from findable.web.pages.shared.browser_choices import report_browser_of
from findable.web.pages.shared.page_templates import see_other


@REPORT_PAGES.owner_form("/again")
def post_regenerate(visit: ReportVisit) -> Response:
    """Regenerate the report, with a measurement of its loading if wanted, or join the running generation. Raises RateLimited."""
    owner = visit.require_owner()
    visit.service.rates.count(owner)
    browser = report_browser_of(visit.text("browser")) if "browser" in visit.fields else UNSET
    changes = ReportChanges(results=True, browser=browser, is_from_form=True, measure=bool(visit.text("measure")))
    reports.update(visit.service, owner, visit.report.id, changes)
    return see_other(f"{visit.path}?done=again")


@REPORT_PAGES.owner_form("/accepted/{check}")
def post_accepted(visit: ReportVisit, check: str) -> Response:
    """Accept a finding with a reason; errors are shown in the form."""
    fields = {name: visit.text(name) for name in ("reason", "until", "scope", "pattern")}
    try:
        acceptances.accept(visit.service, visit.require_owner(), visit.report.id, check, _acceptance(fields))
    except ValidationFailed as error:
        return page_with_error(visit, error, check)
    return see_other(f"{visit.path}#{check}")


def _acceptance(fields: Mapping[str, str]) -> NewAcceptance:
    """Parse the acceptance of a finding. Raises ValidationFailed, and BadRequest for a scope that the form does not offer."""
    if fields["scope"] not in set(Scope):
        raise BadRequest("The scope is not one of the choices.")
    scope = Scope(fields["scope"])
    # A pattern that was typed before another choice is ignored.
    return NewAcceptance(fields["reason"], day_of(fields["until"]), scope, fields["pattern"] if scope is Scope.PROJECT else None)


@REPORT_PAGES.owner_form("/accepted/{check}/withdraw")
def post_withdraw(visit: ReportVisit, check: str) -> Response:
    """Withdraw the acceptance of a finding."""
    acceptances.withdraw(visit.service, visit.require_owner(), visit.report.id, check)
    return see_other(f"{visit.path}#{check}")


@REPORT_PAGES.owner_form("/delete")
def post_delete(visit: ReportVisit) -> Response:
    """Delete the report with its runs and files."""
    reports.delete(visit.service, visit.require_owner(), visit.report.id)
    return see_other("/")


@REPORT_PAGES.owner_page("/issue")
def get_report_issue(visit: ReportVisit) -> Response:
    """Redirect to the tracker's new-issue form, filled in with the finding of the check in ``?check=``."""
    report, check = require_found(visit.report.report), visit.query.get("check")
    subject = with_only(page_subject(report), lambda problem: problem.finding.id == check)
    return issue_form(visit.service, visit.require_owner(), visit.report.project_id, subject, readable_url(report.url))
