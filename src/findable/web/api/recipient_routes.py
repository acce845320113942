"""Routes of recipients of a project's monthly report."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from findable.service.projects import recipients
from findable.service.projects.recipients import Recipient
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.shape_parts import Deleted

PATH = "/projects/{project}/recipients"


class RecipientCreate(Struct, frozen=True):
    """New recipient of a project's monthly report."""

    email: Annotated[str, Meta(max_length=320)]
    language: str = ""
    """en or de. Default: the language of the project, or English."""


class RecipientDeleted(Deleted[Literal["recipient"]], frozen=True, kw_only=True):
    """Removed recipient."""


@operation("GET", PATH, {200: Items[Recipient]})
def list_recipients(call: Call, project: str) -> Reply:
    """List the recipients of the monthly report of a project."""
    return Reply(recipients.find(call.service, call.caller, project))


@operation("POST", PATH, {201: Data[Recipient]}, example={"email": "client@example.com", "language": "de"})
def add_recipient(call: Call, project: str, *, body: RecipientCreate) -> Reply:
    """Send the monthly report of a project to an email address.

    For an existing recipient, only the language changes.
    """
    view = recipients.add(call.service, call.caller, project, body.email, body.language)
    return call.write_reply(Reply(view, 201), view.id)


@operation("DELETE", PATH + "/{recipient}", {200: Data[RecipientDeleted]})
def delete_recipient(call: Call, project: str, recipient: int) -> Reply:
    """Stop sending the monthly report to an email address."""
    recipients.remove(call.service, call.caller, project, recipient)
    return call.write_reply(Reply(RecipientDeleted(id=recipient, object="recipient")), recipient)
