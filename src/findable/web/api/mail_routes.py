"""Routes of e-mails: what the person of a key gets, and who gets the monthly report of a project."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from findable.errors import NotFound, ValidationFailed
from findable.service.delivery import monthly_reports, people_mails
from findable.service.delivery.monthly_reports import RecipientView
from findable.service.delivery.people_mails import MailChoices
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.shape_parts import shape_of

MINE = "/account/mails"
PATH = "/projects/{project}/recipients"
Digest = Literal["none", "daily", "weekly"]


class MailsUpdate(Struct, frozen=True):
    """Changes of the e-mails that you get."""

    digest: Digest
    """Interval of the summary of what is new."""


class SubscriptionUpdate(Struct, frozen=True):
    """Whether you get the alerts of a project."""

    wanted: Literal[0, 1]
    """1: alerts are sent to you at once; 0: they are not."""


class RecipientCreate(Struct, frozen=True):
    """The new recipient."""

    email: Annotated[str, Meta(max_length=320)]
    language: str = ""
    """en or de; that of the project, or else English, where absent."""


class MailsShape(Struct, frozen=True, kw_only=True):
    """E-mails that a person gets."""

    object: Literal["mails"] = "mails"
    email: str
    digest: str
    """none, daily or weekly."""
    projects: tuple[str, ...]
    """Projects whose alerts are sent at once."""
    sending: bool
    """Whether this service sends e-mails."""


class Recipient(Struct, frozen=True, kw_only=True):
    """Recipient of the monthly report. One that unsubscribed is `stopped` and cannot be added again."""

    id: int
    object: Literal["recipient"]
    email: str
    language: str
    stopped: bool


class RecipientDeleted(Struct, frozen=True, kw_only=True):
    """Removed recipient."""

    id: int
    object: Literal["recipient"]
    deleted: Annotated[bool, Meta(description="Always true.")]


@operation("GET", MINE, {200: Data[MailsShape]})
def get_mails(call: Call) -> Reply:
    """Read which e-mails you get.

    You are the person who made the key.
    """
    return Reply(_mails(people_mails.choices(call.service, call.caller)))


@operation("PUT", MINE, {200: Data[MailsShape]}, example={"digest": "daily"})
def update_mails(call: Call, *, sent: MailsUpdate) -> Reply:
    """Choose how often you get a summary."""
    return _written(call, people_mails.choose_digest(call.service, call.caller, sent.digest))


@operation("PUT", "/projects/{project}/subscription", {200: Data[MailsShape]}, NotFound, example={"wanted": 1})
def update_subscription(call: Call, project: str, *, sent: SubscriptionUpdate) -> Reply:
    """Get the alerts of a project by e-mail, or no longer."""
    try:
        return _written(call, people_mails.subscribe(call.service, call.caller, project, wanted=sent.wanted == 1))
    except ValidationFailed as error:
        raise NotFound from error


@operation("GET", PATH, {200: Items[Recipient]}, NotFound)
def list_recipients(call: Call, project: str) -> Reply:
    """List who gets the monthly report of a project."""
    return Reply([_recipient(view) for view in monthly_reports.find(call.service, call.caller, project)])


@operation("POST", PATH, {201: Data[Recipient]}, NotFound, example={"email": "client@example.com", "language": "de"})
def add_recipient(call: Call, project: str, *, sent: RecipientCreate) -> Reply:
    """Send the monthly report of a project to an address.

    An address that is there already gets the language that was sent.
    """
    view = monthly_reports.add(call.service, call.caller, project, sent.email, sent.language)
    return call.written(Reply(_recipient(view), 201), view.id)


@operation("DELETE", PATH + "/{recipient}", {200: Data[RecipientDeleted]}, NotFound)
def delete_recipient(call: Call, project: str, recipient: int) -> Reply:
    """Send the monthly report to an address no longer."""
    monthly_reports.remove(call.service, call.caller, project, recipient)
    return call.written(Reply(RecipientDeleted(id=recipient, object="recipient", deleted=True)), recipient)


def _written(call: Call, view: MailChoices) -> Reply:
    return call.written(Reply(_mails(view)), call.caller.user_id)


def _mails(view: MailChoices) -> MailsShape:
    return MailsShape(email=view.email, digest=view.digest, projects=view.projects, sending=view.is_sending)


def _recipient(view: RecipientView) -> Recipient:
    return shape_of(Recipient, view, object="recipient", stopped=view.is_stopped)
