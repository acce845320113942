"""Actions of the owner on a report's page: regenerate, change access, delete, accept findings.

Everyone else gets NotFound.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar

from msgspec import UNSET, Struct
from starlette.responses import Response

from findable.errors import BadRequest, ValidationFailed
from findable.service.accounts.callers import require_role
from findable.service.reports import acceptances, reports
from findable.service.runtime import rate_limits
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.report_values import NewAcceptance, ReportChanges, ReportView, Scope
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import Fields
from findable.web.pages.report.client import day_of
from findable.web.pages.report.report_context import AcceptForm
from findable.web.pages.report.run_history import owned_visit, require_still
from findable.web.pages.report.share import Visit, shared_page
from findable.web.pages.shared.browser_choices import report_browser_of
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.problem_words import all_errors
from findable.web.pages.shared.viewer import bar_of
from findable.web.routing import Request, get, post


class DeletePage(PageContext, frozen=True):
    """Variables of delete.html."""

    template: ClassVar[str] = "delete.html"
    page: str
    """Path of the share page."""
    address: str
    """URL of the reported page."""
    bar: Bar


class OwnerForm(Struct, frozen=True):
    """Form submitted by the owner."""

    service: Service
    visit: Visit
    caller: Caller
    report: ReportView
    fields: Fields

    def text(self, name: str) -> str:
        """Return the value of a field; empty if it was not sent."""
        return str(self.fields.get(name) or "")


async def owner_form(request: Request, public_id: str) -> OwnerForm:
    """Return the sender, form and report. Raises Forbidden for a form of another site, NotFound for anyone but the owner."""
    service = request.service
    headers = request.headers
    refuse_cross_site(headers, service.settings.base_url)
    visit, caller, report = await service.run(owned_visit, public_id, headers)
    fields = await request.fields()
    await service.run(require_still, caller, headers)
    return OwnerForm(service, visit, caller, report, fields)


@post("/r/{public_id}/again")
async def post_regenerate(request: Request, public_id: str) -> Response:
    """Regenerate the report, or join the running generation. Raises RateLimited."""
    form = await owner_form(request, public_id)
    rate_limits.count_request(form.service, form.caller)
    browser = report_browser_of(form.text("browser")) if "browser" in form.fields else UNSET
    await form.service.run(reports.update, form.caller, form.report.id, ReportChanges(results=True, browser=browser))
    return see_other(f"/r/{form.report.public_id}?done=again")


@post("/r/{public_id}/privacy")
async def post_privacy(request: Request, public_id: str) -> Response:
    """Change who may see the report; an empty password field does not change the password."""
    form = await owner_form(request, public_id)
    try:
        await form.service.run(reports.update, form.caller, form.report.id, _changes(form))
    except ValidationFailed as error:
        return await _page_with_errors(request, form, error, lambda problem: (problem, AcceptForm()))
    return see_other(f"/r/{form.report.public_id}?done=access#share")


def _changes(form: OwnerForm) -> ReportChanges:
    return ReportChanges(privacy_of(form.text("privacy")), form.text("password") or UNSET)


def privacy_of(text: str) -> Privacy:
    """Parse the privacy in a form field. Raises BadRequest if the form does not offer it."""
    if text not in {str(choice.value) for choice in Privacy}:
        raise BadRequest("The privacy is not one of the choices.")
    return Privacy(int(text))


@post("/r/{public_id}/accepted/{check}")
async def post_accepted(request: Request, public_id: str, check: str) -> Response:
    """Accept a finding with a reason; errors are shown in the form."""
    form = await owner_form(request, public_id)
    fields = {name: form.text(name) for name in ("reason", "until", "scope", "pattern")}
    try:
        await form.service.run(acceptances.accept, form.caller, form.report.id, check, _acceptance(fields))
    except ValidationFailed as error:
        return await _page_with_errors(request, form, error, lambda problem: ("", AcceptForm(check=check, problem=problem, **fields)))
    return see_other(f"/r/{form.report.public_id}#{check}")


def _acceptance(fields: Mapping[str, str]) -> NewAcceptance:
    """Parse the acceptance of a finding. Raises ValidationFailed, and BadRequest for a scope that the form does not offer."""
    if fields["scope"] not in set(Scope):
        raise BadRequest("The scope is not one of the choices.")
    scope = Scope(fields["scope"])
    # A pattern that was typed before another choice is ignored.
    return NewAcceptance(fields["reason"], day_of(fields["until"]), scope, fields["pattern"] if scope is Scope.PROJECT else None)


@post("/r/{public_id}/accepted/{check}/withdraw")
async def post_withdraw(request: Request, public_id: str, check: str) -> Response:
    """Withdraw the acceptance of a finding."""
    form = await owner_form(request, public_id)
    await form.service.run(acceptances.withdraw, form.caller, form.report.id, check)
    return see_other(f"/r/{form.report.public_id}#{check}")


async def _page_with_errors(
    request: Request, form: OwnerForm, error: ValidationFailed, errors_of: Callable[[str], tuple[str, AcceptForm]]
) -> Response:
    """Return the report's page again, with the errors next to their form fields."""
    problem, accept = errors_of(all_errors(error, form.visit.say))
    page = partial(shared_page, problem=problem, accept=accept)
    return page_response(await form.service.run(page, form.visit, form.report, request.urls), form.visit.say, status=error.status)


@get("/r/{public_id}/delete")
async def get_delete(request: Request, public_id: str) -> Response:
    """Show the form that confirms the deletion of the report; opening the page deletes nothing."""
    service = request.service
    visit, caller, report = await service.run(owned_visit, public_id, request.headers)
    require_role(caller, MEMBER, report.project_id)
    return page_response(DeletePage(f"/r/{report.public_id}", report.url, bar_of(caller, "")), visit.say)


@post("/r/{public_id}/delete")
async def post_delete(request: Request, public_id: str) -> Response:
    """Delete the report with its runs and files."""
    form = await owner_form(request, public_id)
    await form.service.run(reports.delete, form.caller, form.report.id)
    return see_other("/")
