"""Routes of texts and choices for the client of a report: `GET` and `PUT /reports/{id}/client`."""

from findable.errors import NotFound, PreconditionFailed
from findable.service.reports import report_links
from findable.service.reports.report_links import NewClient
from findable.web.api import report_shapes
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.report_shapes import Client
from findable.web.api.request_models import ClientUpdate
from findable.web.api.validation import input_of
from findable.web.bodies import Bounds

BODY = Bounds(512 * 1024, 400)
"""Limits of the body: a note for each check, each of maximum length."""


@operation("GET", "/reports/{id}/client", {200: Data[Client]}, NotFound)
def get_client(call: Call, report: int) -> Reply:
    """Read the texts and choices for the client."""
    return Reply(report_shapes.client(report, report_links.presentation(call.service, call.caller, report).client))


@operation(
    "PUT",
    "/reports/{id}/client",
    {200: Data[Client]},
    NotFound,
    PreconditionFailed,
    bounds=BODY,
    header_parameters=("If-Match",),
    example={"summary": "In good order but for two things.", "notes": {"noindex": "We ask the agency."}, "prepared_for": "Miller"},
)
def put_client(call: Call, report: int, *, body: ClientUpdate) -> Reply:
    """Replace the texts and choices for the client.

    Fields that are not sent are removed. The texts stay when the report is generated again.
    """
    written = report_links.write(call.service, call.caller, report, input_of(NewClient, body), call.if_match)
    return call.write_reply(Reply(report_shapes.client(report, written)), report)
