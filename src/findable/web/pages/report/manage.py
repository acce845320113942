"""What the owner does with a report on its page: generate it again, say who may see it, delete it, accept findings.

Nobody else finds these addresses.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.errors import BadRequest, ValidationFailed
from findable.service.reports import acceptances, reports
from findable.service.runtime import rate_limits
from findable.service.runtime.app import Service
from findable.service.values.use_cases import UNSET, Caller, NewAcceptance, ReportChanges, ReportView, Scope
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import Fields
from findable.web.pages.report.report_context import AcceptForm
from findable.web.pages.report.run_history import owned, require_still
from findable.web.pages.report.share import Visit, shared_page
from findable.web.pages.shared.problem_words import told
from findable.web.pages.shared.rendering import Shown, html, see_other, shown_bytes, shown_page
from findable.web.pages.shared.viewer import Bar, bar_of
from findable.web.routing import Request, get, post
from findable.wording import later


class DeletePage(Shown, frozen=True):
    """The variables of delete.html."""

    template: ClassVar[str] = "delete.html"
    page: str
    """Path of the share page."""
    address: str
    """What the report is about."""
    bar: Bar


class Asked(Struct, frozen=True):
    """A form of the owner."""

    service: Service
    visit: Visit
    caller: Caller
    report: ReportView
    fields: Fields

    def text(self, name: str) -> str:
        """What stands in a field; empty where it was not sent."""
        return str(self.fields.get(name) or "")


async def _asked(request: Request, public_id: str) -> Asked:
    """Who sent which form about which report. Raises Forbidden for a form of another site, NotFound for anybody but the owner."""
    service = request.service
    headers = request.headers
    refuse_cross_site(headers, service.settings.base_url)
    visit, caller, report = await service.run(owned, public_id, headers)
    fields = await request.fields()
    await service.run(require_still, caller, headers)
    return Asked(service, visit, caller, report, fields)


@post("/r/{public_id}/again")
async def post_again(request: Request, public_id: str) -> Response:
    """Generates the report again, or joins the generation that runs. Raises RateLimited."""
    asked = await _asked(request, public_id)
    rate_limits.count_request(asked.service, asked.caller)
    await asked.service.run(reports.update, asked.caller, asked.report.id, ReportChanges(results=True))
    return see_other(f"/r/{asked.report.public_id}")


@post("/r/{public_id}/privacy")
async def post_privacy(request: Request, public_id: str) -> Response:
    """Changes who may see the report; an empty password leaves the one there is."""
    asked = await _asked(request, public_id)
    try:
        await asked.service.run(reports.update, asked.caller, asked.report.id, _changes(asked))
    except ValidationFailed as error:
        return await _said(request, asked, error, lambda problem: (problem, AcceptForm()))
    return see_other(f"/r/{asked.report.public_id}#share")


def _changes(asked: Asked) -> ReportChanges:
    privacy = asked.text("privacy")
    if privacy not in {str(choice.value) for choice in Privacy}:
        raise BadRequest("The privacy is not one of the choices.")
    return ReportChanges(Privacy(int(privacy)), asked.text("password") or UNSET)


@post("/r/{public_id}/accepted/{check}")
async def post_accepted(request: Request, public_id: str, check: str) -> Response:
    """Accepts a finding with a reason; what is wrong with the form is said in it."""
    asked = await _asked(request, public_id)
    sent = {name: asked.text(name) for name in ("reason", "until", "scope", "pattern")}
    try:
        await asked.service.run(acceptances.accept, asked.caller, asked.report.id, check, _acceptance(sent))
    except ValidationFailed as error:
        return await _said(request, asked, error, lambda problem: ("", AcceptForm(check=check, problem=problem, **sent)))
    return see_other(f"/r/{asked.report.public_id}#{check}")


def _acceptance(sent: Mapping[str, str]) -> NewAcceptance:
    """Raises ValidationFailed, BadRequest for a scope that the form does not offer."""
    if sent["scope"] not in set(Scope):
        raise BadRequest("The scope is not one of the choices.")
    scope = Scope(sent["scope"])
    try:
        until = date.fromisoformat(sent["until"]) if sent["until"] else None
    except ValueError as error:
        raise ValidationFailed({"until": [later("The until field must be a date like 2027-01-31.")]}) from error
    # A pattern that was written before another choice was made says nothing.
    return NewAcceptance(sent["reason"], until, scope, sent["pattern"] if scope is Scope.PROJECT else None)


@post("/r/{public_id}/accepted/{check}/withdraw")
async def post_withdraw(request: Request, public_id: str, check: str) -> Response:
    """Counts an accepted finding again."""
    asked = await _asked(request, public_id)
    await asked.service.run(acceptances.withdraw, asked.caller, asked.report.id, check)
    return see_other(f"/r/{asked.report.public_id}#{check}")


async def _said(request: Request, asked: Asked, error: ValidationFailed, place: Callable[[str], tuple[str, AcceptForm]]) -> Response:
    """The page again, with what was wrong where it belongs."""
    problem, accept = place(told(error, asked.visit.say))

    def work(service: Service) -> bytes:
        shown = shared_page(service, asked.visit, asked.report, request.urls, problem=problem, accept=accept)
        return shown_bytes(shown, asked.visit.say)

    return html(await asked.service.run(work), error.status)


@get("/r/{public_id}/delete")
async def get_delete(request: Request, public_id: str) -> Response:
    """Asks whether it is meant; looking at the question deletes nothing."""
    service = request.service
    visit, caller, report = await service.run(owned, public_id, request.headers)
    return shown_page(DeletePage(f"/r/{report.public_id}", report.url, bar_of(caller, "")), visit.say)


@post("/r/{public_id}/delete")
async def post_delete(request: Request, public_id: str) -> Response:
    """Deletes the report."""
    asked = await _asked(request, public_id)
    await asked.service.run(reports.delete, asked.caller, asked.report.id)
    return see_other("/")
