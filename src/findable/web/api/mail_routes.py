"""Routes of emails: preferences of the person who created the key, and recipients of a project's monthly report."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from findable.errors import NotFound, ValidationFailed
from findable.service.delivery import email_preferences
from findable.service.delivery.email_preferences import DIGESTS, MailsShape
from findable.service.projects import recipients
from findable.service.projects.recipients import Recipient
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.shape_parts import Deleted

OWN_PATH = "/account/mails"
PATH = "/projects/{project}/recipients"


class MailsUpdate(Struct, frozen=True):
    """Changes of your email preferences. Only fields that are sent change."""

    digest: Literal[DIGESTS]  # type: ignore[valid-type]  # the type is created from a table
    """Interval of the summary of news."""


class SubscriptionUpdate(Struct, frozen=True):
    """Whether you get the alerts of a project by email."""

    wanted: Literal[0, 1]
    """1: alerts are sent to you immediately; 0: alerts are not sent."""


class RecipientCreate(Struct, frozen=True):
    """New recipient of a project's monthly report."""

    email: Annotated[str, Meta(max_length=320)]
    language: str = ""
    """en or de. Default: the language of the project, or English."""


class RecipientDeleted(Deleted[Literal["recipient"]], frozen=True, kw_only=True):
    """Removed recipient."""


@operation("GET", OWN_PATH, {200: Data[MailsShape]})
def get_mails(call: Call) -> Reply:
    """Read your email preferences.

    They belong to the person who created the key.
    """
    return Reply(email_preferences.preferences_of(call.service, call.caller))


@operation("PUT", OWN_PATH, {200: Data[MailsShape]}, example={"digest": "daily"})
def update_mails(call: Call, *, body: MailsUpdate) -> Reply:
    """Set the interval of your summary."""
    return call.write_reply(Reply(email_preferences.choose_digest(call.service, call.caller, body.digest)), call.caller.user_id)


@operation("PUT", "/projects/{project}/subscription", {200: Data[MailsShape]}, example={"wanted": 1})
def update_subscription(call: Call, project: str, *, body: SubscriptionUpdate) -> Reply:
    """Subscribe to the alerts of a project by email, or unsubscribe."""
    try:
        view = email_preferences.subscribe(call.service, call.caller, project, is_subscribed=body.wanted == 1)
    except ValidationFailed as error:  # the project, which is a field of the form, is part of the path here
        raise NotFound from error
    return call.write_reply(Reply(view), call.caller.user_id)


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
