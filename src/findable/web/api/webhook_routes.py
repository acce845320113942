"""Routes of webhooks and their deliveries: `/webhooks`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import Conflict
from findable.export.report_json import DateTime
from findable.notify.chat_messages import WebhookKind
from findable.notify.outgoing_event import EventType
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.deliveries import DeliveryView
from findable.service.delivery.webhook_settings import MAX_NAME_CHARS, NewWebhook, WebhookChanges, WebhookView
from findable.service_urls import ServiceUrls
from findable.urls import MAX_URL_CHARS
from findable.values import shape_of
from findable.web.api.operation import Call, Data, Items, Reply, Trail, operation
from findable.web.api.request_models import NEEDED, PerPage
from findable.web.api.shape_parts import Deleted, cursor_page_reply
from findable.web.api.validation import input_of, value_or

_EVENTS = Meta(max_length=len(EventType), description="Event types to send. Default: all. In a form: repeat the field.")
_NAME = Meta(max_length=MAX_NAME_CHARS)
_URL = Meta(max_length=MAX_URL_CHARS)


class WebhookCreate(Struct, frozen=True):
    """URL, events and format of a new webhook."""

    url: Annotated[str, _URL, NEEDED] = ""
    """URL that receives the messages, with https; for ntfy, the URL of the topic."""
    kind: WebhookKind = WebhookKind.STANDARD
    """standard: signed JSON by Standard Webhooks. Other values: messages for that chat service, sent to its incoming webhook."""
    name: Annotated[str, _NAME] = ""
    """Display name."""
    events: Annotated[list[EventType], _EVENTS] = []
    project: str = ""
    """Name or number of the project whose events are sent. Default: all projects."""
    language: str = ""
    """Language of chat messages: en or de."""
    secret: str = ""
    """Secret that the receiver already uses: whsec_ and 24 to 64 bytes in base64. Default: a new one."""


class WebhookUpdate(Struct, frozen=True):
    """Changes of a webhook. Only fields that are sent change."""

    url: Annotated[str, _URL] | UnsetType = UNSET
    """URL that receives the messages."""
    name: Annotated[str, _NAME] | UnsetType = UNSET
    """Display name."""
    events: Annotated[list[EventType], _EVENTS] | UnsetType = UNSET
    project: str | UnsetType = UNSET
    """Name or number of a project; empty for all."""
    language: str | UnsetType = UNSET
    """Language of chat messages."""
    disabled: Literal[0, 1] | UnsetType = UNSET
    """1: send nothing. 0: send again, also after the service disabled it."""
    new_secret: Literal[0, 1] = 0
    """1: create a new secret and return it; for a day, messages are also signed with the old one."""


class DeliveryListQuery(Struct, frozen=True):
    """The query of `GET /webhooks/{id}/deliveries`."""

    before: Annotated[int, Meta(ge=1, le=2**62)] | UnsetType = UNSET
    """Lists only deliveries with smaller numbers."""
    per_page: PerPage = 25
    """Rows per page."""


class WebhookLinks(Struct, frozen=True):
    """URLs of a webhook."""

    self: str
    html: str
    deliveries: str


class WebhookShape(Struct, frozen=True, kw_only=True):
    """Webhook. `secret` is present only in the response to its creation."""

    id: int
    object: Literal["webhook"]
    name: str
    kind: WebhookKind
    url: str
    """URL; for a chat only the host, because the path is secret."""
    events: tuple[EventType, ...]
    project: str | None
    language: str | None
    created_at: DateTime
    updated_at: DateTime
    disabled_at: DateTime | None
    disabled_why: str | None
    """owner, gone (the receiver returned 410) or failing (for three days)."""
    failing_since: DateTime | None
    secret: str | UnsetType = UNSET
    links: WebhookLinks


class WebhookDeleted(Deleted[Literal["webhook"]], frozen=True, kw_only=True):
    """Deleted webhook."""


class DeliveryShape(Struct, frozen=True, kw_only=True):
    """Delivery of a message to a webhook, with its last attempt."""

    id: int
    object: Literal["delivery"]
    webhook: int
    webhook_id: str
    """Header of all attempts, which receivers use to recognise repeats."""
    type: EventType
    state: Literal["queued", "sending", "done", "failed"]
    failures: int
    created_at: DateTime
    tried_at: DateTime | None
    next_try_at: DateTime | None
    took_ms: int | None
    status: int | None
    """Status of the response."""
    error: str | None
    """Reason why there was no response."""
    request: str
    """Body of the request."""
    response: str | None
    """Beginning of the response."""


def webhook(view: WebhookView, urls: ServiceUrls) -> WebhookShape:
    """Return a webhook in the shape of the API."""
    links = WebhookLinks(urls.webhook(view.id), urls.webhook_page(view.id), f"{urls.webhook(view.id)}/deliveries")
    return shape_of(WebhookShape, view, object="webhook", links=links, secret=view.secret or UNSET)


def delivery(view: DeliveryView) -> DeliveryShape:
    """Return a delivery to a webhook in the shape of the API."""
    return shape_of(DeliveryShape, view, object="delivery", webhook_id=view.uid)


ACCEPTED = 202


@operation(
    "POST",
    "/webhooks",
    {201: Data[WebhookShape]},
    reply_headers=("Location",),
    example={"url": "https://example.com/hooks/findable", "events": ["report.worse", "crawl.done"]},
)
def create_webhook(call: Call, *, body: WebhookCreate) -> Reply:
    """Create a webhook.

    Only this response contains the secret. Messages are signed by Standard Webhooks.
    """
    view = webhook_settings.create(call.service, call.caller, input_of(NewWebhook, body))
    return call.write_reply(Reply(webhook(view, call.at), 201, {"Location": call.at.webhook(view.id)}), view.id)


@operation("GET", "/webhooks", {200: Items[WebhookShape]})
def list_webhooks(call: Call) -> Reply:
    """List webhooks."""
    return Reply([webhook(view, call.at) for view in webhook_settings.find(call.service, call.caller)])


@operation("GET", "/webhooks/{id}", {200: Data[WebhookShape]})
def get_webhook(call: Call, webhook_id: int) -> Reply:
    """Read a webhook."""
    return Reply(webhook(webhook_settings.get(call.service, call.caller, webhook_id), call.at))


@operation("PUT", "/webhooks/{id}", {200: Data[WebhookShape]}, is_partial=True, example={"events": ["alert.opened", "alert.closed"]})
def update_webhook(call: Call, webhook_id: int, *, body: WebhookUpdate) -> Reply:
    """Change a webhook.

    Only fields that are sent change. With new_secret the response contains the new secret.
    """
    disabled = UNSET if body.disabled is UNSET else bool(body.disabled)
    changes = input_of(WebhookChanges, body, disabled=disabled, new_secret=bool(body.new_secret))
    view = webhook_settings.update(call.service, call.caller, webhook_id, changes)
    return call.write_reply(Reply(webhook(view, call.at)), view.id)


@operation("DELETE", "/webhooks/{id}", {200: Data[WebhookDeleted]})
def delete_webhook(call: Call, webhook_id: int) -> Reply:
    """Delete a webhook.

    Its queued messages are not sent.
    """
    webhook_settings.delete(call.service, call.caller, webhook_id)
    return call.write_reply(Reply(WebhookDeleted(id=webhook_id, object="webhook", deleted=True)), webhook_id)


@operation("POST", "/webhooks/{id}/test", {ACCEPTED: Data[DeliveryShape]}, Conflict)
def test_webhook(call: Call, webhook_id: int) -> Reply:
    """Send a test message to a webhook.

    The event is webhook.test; its delivery shows the response of the receiver.
    """
    view = deliveries.send_test(call.service, call.caller, webhook_id)
    return call.write_reply(Reply(delivery(view), ACCEPTED), view.id)


@operation("GET", "/webhooks/{id}/deliveries", {200: Trail[DeliveryShape]}, reply_headers=("Link",))
def list_deliveries(call: Call, webhook_id: int, *, query: DeliveryListQuery) -> Reply:
    """List messages for a webhook.

    Newest first, with request, response and the next attempt. They are stored for 30 days.
    """
    found = deliveries.find(call.service, call.caller, webhook_id, before=value_or(query.before), limit=query.per_page + 1)
    return cursor_page_reply(call, found, query.per_page, "before", delivery)


@operation("POST", "/webhooks/{id}/deliveries/{delivery}/again", {ACCEPTED: Data[DeliveryShape]}, Conflict)
def send_delivery_again(call: Call, webhook_id: int, delivery_id: int) -> Reply:
    """Send a delivered or failed message to a webhook again.

    Immediately, with the same webhook-id and body.
    """
    view = deliveries.send_again(call.service, call.caller, webhook_id, delivery_id)
    return call.write_reply(Reply(delivery(view), ACCEPTED), view.id)
