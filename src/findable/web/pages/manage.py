"""What the owner does with a report on its page: generate it again, say who may see it, delete it. Nobody else finds these addresses."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.service import reports
from findable.service.app import Service
from findable.service.values import UNSET, Caller, ReportChanges, ReportView
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import Fields, parse_fields, read_body
from findable.web.context import header_map
from findable.web.pages.contexts import report_page
from findable.web.pages.rendering import PageRequest, page, see_other
from findable.web.pages.share import looked_at
from findable.web.pages.viewer import signed_in


def _owned(service: Service, public_id: str, headers: Mapping[str, str]) -> tuple[Caller, ReportView]:
    """The report and its signed-in owner (blocking). Raises NotFound for everybody else, whether they may see the report or not."""
    shared = looked_at(service, public_id, headers)
    caller = signed_in(service, headers)
    if caller is None or shared.report is None or not shared.is_owner:
        raise NotFound
    return caller, shared.report


async def _asked(request: PageRequest, public_id: str) -> tuple[Service, Caller, ReportView, Fields]:
    """Who sent which form about which report. Raises Forbidden for a form of another site."""
    service: Service = request.app.state.service
    headers = header_map(request.scope["headers"])
    refuse_cross_site(headers, service.settings.base_url)
    caller, report = await service.run(_owned, public_id, headers)
    fields = parse_fields(await read_body(headers, request.receive), headers.get("content-type", ""))
    return service, caller, report, fields


@post("/r/{public_id:str}/again", status_code=303)
async def post_again(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """Generates the report again, or joins the generation that runs."""
    service, caller, report, _ = await _asked(request, public_id)
    await service.run(reports.update, caller, report.id, ReportChanges(results=True))
    return see_other(f"/r/{report.public_id}")


@post("/r/{public_id:str}/privacy", status_code=303)
async def post_privacy(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """Changes who may see the report; an empty password leaves the one there is."""
    service, caller, report, fields = await _asked(request, public_id)
    try:
        await service.run(reports.update, caller, report.id, _changes(fields))
    except ValidationFailed as error:
        shown: dict[str, Any] = report_page(report, request.app.state.addresses, is_owner=True)
        return page("report.html", status=error.status, **shown, problem=error.message)
    return see_other(f"/r/{report.public_id}")


def _changes(fields: Fields) -> ReportChanges:
    privacy = str(fields.get("privacy", ""))
    if privacy not in {str(choice.value) for choice in Privacy}:
        raise BadRequest("The privacy is not one of the choices.")
    return ReportChanges(Privacy(int(privacy)), str(fields.get("password") or "") or UNSET)


@get("/r/{public_id:str}/delete")
async def get_delete(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """Asks whether it is meant; looking at the question deletes nothing."""
    service: Service = request.app.state.service
    _, report = await service.run(_owned, public_id, header_map(request.scope["headers"]))
    return page("delete.html", view=report)


@post("/r/{public_id:str}/delete", status_code=303)
async def post_delete(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """Deletes the report."""
    service, caller, report, _ = await _asked(request, public_id)
    await service.run(reports.delete, caller, report.id)
    return see_other("/")
