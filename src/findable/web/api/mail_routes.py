"""Routes of email preferences of the person who created the key."""

from typing import Literal

from msgspec import Struct

from findable.errors import NotFound, ValidationFailed
from findable.service.delivery import email_preferences
from findable.service.delivery.email_preferences import DIGESTS, MailsShape
from findable.web.api.operation import Call, Data, Reply, operation

OWN_PATH = "/account/mails"


class MailsUpdate(Struct, frozen=True):
    """Changes of your email preferences. Only fields that are sent change."""

    digest: Literal[DIGESTS]  # type: ignore[valid-type]  # the type is created from a table
    """Interval of the summary of news."""


class SubscriptionUpdate(Struct, frozen=True):
    """Whether you get the alerts of a project by email."""

    wanted: Literal[0, 1]
    """1: alerts are sent to you immediately; 0: alerts are not sent."""


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
