"""Routes to share a report: its link (`/reports/{id}/link`), and the texts and sections for its client (`/reports/{id}/client`)."""

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.checks.engine import all_checks
from findable.service.reports.report_access import REPORTS
from findable.service.results import client_texts, share_links
from findable.service.results.client_texts import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS
from findable.service.results.share_links import LinkView, TermChanges
from findable.service.values.caller import READ
from findable.service.values.presentation import ClientView
from findable.web.api import report_shapes
from findable.web.api.operation import CONDITIONAL_WRITE, Call, Data, Reply, operation
from findable.web.api.report_shapes import Client, Link
from findable.web.api.request_models import RunNumber
from findable.web.api.validation import input_of
from findable.web.bodies import Bounds

PATH = "/reports/{id}/link"
CREATED = 201
BODY = Bounds(512 * 1024, 400)
"""Limits of the body: a note for each check, each of maximum length."""
_NOTES = Meta(
    description=f"Notes by check id, each of at most {NOTE_CHARS:,} characters; in a form: notes[title-present]=…",
    extra_json_schema={"propertyNames": {"enum": sorted(all_checks())}},
)


class ClientUpdate(Struct, frozen=True):
    """Texts and choices of a report's owner for the client; fields that are not sent are removed."""

    summary: Annotated[str, Meta(max_length=SUMMARY_CHARS)] = ""
    """Plain text; line breaks are preserved."""
    notes: Annotated[dict[str, str], _NOTES] = {}
    sections: list[Literal["search", "fixes", "outside", "findings", "counted", "facts", "evidence"]] | UnsetType = UNSET
    """Sections of page and files that guests see. Default: all except `evidence`, the saved page, which requires all other sections."""
    prepared_by: Annotated[str, Meta(max_length=PERSON_CHARS)] = ""
    """Author of the report."""
    prepared_for: Annotated[str, Meta(max_length=PERSON_CHARS)] = ""
    """Recipient of the report."""
    run: RunNumber | UnsetType = UNSET
    """Run that the link always shows. Default: the newest result."""


class LinkUpdate(Struct, frozen=True):
    """Changes of a report's link; only fields that are sent change."""

    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access, today or later; empty or null: no end."""
    listed: Literal[0, 1] | UnsetType = UNSET
    """1: search engines may index this public report."""


@operation("GET", "/reports/{id}/client", {200: Data[Client]})
def get_client(call: Call, report: int) -> Reply:
    """Read the owner's texts and choices for the client of a report."""
    return Reply(report_shapes.client(report, client_texts.presentation(call.service, call.caller, REPORTS, report).client))


@operation(
    "PUT",
    "/reports/{id}/client",
    {200: Data[Client]},
    bounds=BODY,
    header_parameters=("If-Match",),
    example={"summary": "In good order but for two things.", "notes": {"noindex": "We ask the agency."}, "prepared_for": "Miller"},
)
def put_client(call: Call, report: int, *, body: ClientUpdate) -> Reply:
    """Replace the owner's texts and choices for the client of a report.

    Fields that are not sent are removed. The texts stay when the report is generated again.
    """
    written = client_texts.write(call.service, call.caller, REPORTS, report, input_of(ClientView, body), call.if_match)
    return call.write_reply(Reply(report_shapes.client(report, written)), report)


@operation("GET", PATH, {200: Data[Link]}, reply_headers=("ETag",))
def get_link(call: Call, report: int) -> Reply:
    """Read the link of a report with its expiry and search engine listing."""
    return _reply(call, share_links.link(call.service, call.caller, REPORTS, report))


@operation("PUT", PATH, {200: Data[Link]}, **CONDITIONAL_WRITE, example={"until": "2027-01-31"}, is_partial=True)
def put_link(call: Call, report: int, *, body: LinkUpdate) -> Reply:
    """Change the expiry and search engine listing of a report's link."""
    terms = TermChanges(body.until, UNSET if body.listed is UNSET else bool(body.listed))
    view = share_links.set_terms(call.service, call.caller, REPORTS, report, terms, call.if_match)
    return call.write_reply(_reply(call, view), report)


@operation("POST", PATH, {CREATED: Data[Link]}, name="renew_link", header_parameters=("If-Match",), reply_headers=("ETag", "Location"))
def post_link(call: Call, report: int) -> Reply:
    """Replace the link of a report.

    The old link and its unlock cookies become invalid immediately. Expiry and search engine listing stay.
    """
    view = share_links.renew(call.service, call.caller, REPORTS, report, call.if_match)
    return call.write_reply(_reply(call, view, CREATED), report)


def _reply(call: Call, view: LinkView, status: int = 200) -> Reply:
    headers = {"ETag": f'"{view.etag}"'}
    if status == CREATED and READ in call.caller.scopes:  # a key without read access must not get the URL of the link
        headers["Location"] = call.at.share_page(view.public_id)
    return Reply(report_shapes.link(view, call.at), status, headers)
