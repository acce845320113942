"""Routes of webhooks and their deliveries: `/webhooks`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import Conflict
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.deliveries import DeliveryShape
from findable.service.delivery.webhook_settings import WebhookCreate, WebhookShape, WebhookUpdate
from findable.service.values.paging import PerPage
from findable.web.api.operation import Call, Data, Items, Reply, Trail, operation
from findable.web.api.shape_parts import Deleted, cursor_page_reply
from findable.web.api.validation import value_or


class DeliveryListQuery(Struct, frozen=True):
    """The query of `GET /webhooks/{id}/deliveries`."""

    before: Annotated[int, Meta(ge=1, le=2**62)] | UnsetType = UNSET
    """Lists only deliveries with smaller numbers."""
    per_page: PerPage = 25
    """Rows per page."""


class WebhookDeleted(Deleted[Literal["webhook"]], frozen=True, kw_only=True):
    """Deleted webhook."""


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
    view = webhook_settings.create(call.service, call.caller, body)
    return call.write_reply(Reply(view, 201, {"Location": call.at.webhook(view.id)}), view.id)


@operation("GET", "/webhooks", {200: Items[WebhookShape]})
def list_webhooks(call: Call) -> Reply:
    """List webhooks."""
    return Reply(webhook_settings.find(call.service, call.caller))


@operation("GET", "/webhooks/{id}", {200: Data[WebhookShape]})
def get_webhook(call: Call, webhook_id: int) -> Reply:
    """Read a webhook."""
    return Reply(webhook_settings.get(call.service, call.caller, webhook_id))


@operation("PUT", "/webhooks/{id}", {200: Data[WebhookShape]}, is_partial=True, example={"events": ["alert.opened", "alert.closed"]})
def update_webhook(call: Call, webhook_id: int, *, body: WebhookUpdate) -> Reply:
    """Change a webhook.

    Only fields that are sent change. With new_secret the response contains the new secret.
    """
    view = webhook_settings.update(call.service, call.caller, webhook_id, body)
    return call.write_reply(Reply(view), view.id)


@operation("DELETE", "/webhooks/{id}", {200: Data[WebhookDeleted]})
def delete_webhook(call: Call, webhook_id: int) -> Reply:
    """Delete a webhook.

    Its queued messages are not sent.
    """
    webhook_settings.delete(call.service, call.caller, webhook_id)
    return call.write_reply(Reply(WebhookDeleted(id=webhook_id, object="webhook")), webhook_id)


@operation("POST", "/webhooks/{id}/test", {ACCEPTED: Data[DeliveryShape]}, Conflict)
def test_webhook(call: Call, webhook_id: int) -> Reply:
    """Send a test message to a webhook.

    The event is webhook.test; its delivery shows the response of the receiver.
    """
    view = deliveries.send_test(call.service, call.caller, webhook_id)
    return call.write_reply(Reply(view, ACCEPTED), view.id)


@operation("GET", "/webhooks/{id}/deliveries", {200: Trail[DeliveryShape]}, reply_headers=("Link",))
def list_deliveries(call: Call, webhook_id: int, *, query: DeliveryListQuery) -> Reply:
    """List messages for a webhook.

    Newest first, with request, response and the next attempt. They are stored for 30 days.
    """
    found = deliveries.find(call.service, call.caller, webhook_id, before=value_or(query.before), limit=query.per_page + 1)
    return cursor_page_reply(call, found, query.per_page, "before")


@operation("POST", "/webhooks/{id}/deliveries/{delivery}/again", {ACCEPTED: Data[DeliveryShape]}, Conflict)
def send_delivery_again(call: Call, webhook_id: int, delivery_id: int) -> Reply:
    """Send a delivered or failed message to a webhook again.

    Immediately, with the same webhook-id and body.
    """
    view = deliveries.send_again(call.service, call.caller, webhook_id, delivery_id)
    return call.write_reply(Reply(view, ACCEPTED), view.id)
