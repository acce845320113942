"""The first page: for guests what this is, for the owner projects, reports and a form to analyse an address."""

from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post

from findable.errors import BadRequest, Forbidden, RequestError, ValidationFailed
from findable.service import projects, reports
from findable.service.app import Service
from findable.service.values import Caller, NewReport, Page, ProjectQuery, ProjectView, ReportQuery, ReportView
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import parse_fields, read_body
from findable.web.context import header_map
from findable.web.pages.rendering import PageRequest, page, see_other
from findable.web.pages.viewer import signed_in
from findable.web.queries import parse_query

REPORTS_SHOWN = 25
PROJECTS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Listed:
    """What the owner sees."""

    reports: Page[ReportView]
    projects: Page[ProjectView]


@get("/")
async def get_home(request: PageRequest) -> Response[bytes]:
    """The first page."""
    service: Service = request.app.state.service
    headers = header_map(request.scope["headers"])
    query = parse_query(request.scope["query_string"])

    def work(service: Service) -> Listed | None:
        caller = signed_in(service, headers)
        return _listed(service, caller, query) if caller else None

    listed = await service.run(work)
    return page("home.html", listed=listed, query=query, error="", sent={})


def _listed(service: Service, caller: Caller, query: Any) -> Listed:
    def text(name: str) -> str:
        value = query.get(name, "")
        return value[:2048] if isinstance(value, str) else ""

    asked = ReportQuery(search=text("search"), project=text("project"), cursor=text("cursor"), per_page=REPORTS_SHOWN)
    try:
        found = reports.find(service, caller, asked)
    except ValidationFailed:  # a cursor that is none
        raise BadRequest from None
    return Listed(found, projects.find(service, caller, ProjectQuery(per_page=PROJECTS_SHOWN)))


@post("/reports", status_code=303)
async def post_report(request: PageRequest) -> Response[bytes]:
    """Makes a report of the address in the form and goes to its page."""
    service: Service = request.app.state.service
    headers = header_map(request.scope["headers"])
    refuse_cross_site(headers, service.settings.base_url)
    caller = await service.run(signed_in, headers)
    if caller is None:
        raise Forbidden("Sign in first.")
    fields = parse_fields(await read_body(headers, request.receive), headers.get("content-type", ""))
    sent = {name: str(fields.get(name, "")) for name in ("url", "privacy", "password")}
    try:
        created = await service.run(reports.create, caller, _new_report(sent))
    except RequestError as error:
        listed = await service.run(_listed, caller, {})
        return page("home.html", status=error.status, listed=listed, query={}, error=error.message, sent=sent)
    return see_other(f"/r/{created.report.public_id}")


def _new_report(sent: dict[str, str]) -> NewReport:
    privacy = sent["privacy"] or "0"
    if privacy not in {str(choice.value) for choice in Privacy}:
        raise BadRequest("The privacy is not one of the choices.")
    return NewReport(sent["url"] or None, Privacy(int(privacy)), sent["password"] or None)
