"""Routes of webhooks and their deliveries: `/webhooks`."""

from msgspec import UNSET

from findable.errors import Conflict
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.webhook_settings import NewWebhook, WebhookChanges
from findable.web.api.operation import Call, Data, Items, Reply, Trail, operation
from findable.web.api.shape_parts import trail
from findable.web.api.validation import input_of, value_or
from findable.web.api.webhook_models import (
    DeliveryListQuery,
    DeliveryShape,
    WebhookCreate,
    WebhookDeleted,
    WebhookShape,
    WebhookUpdate,
    delivery,
    webhook,
)

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
    """Send a test message.

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
    return trail(call, found, query.per_page, "before", delivery)


@operation("POST", "/webhooks/{id}/deliveries/{delivery}/again", {ACCEPTED: Data[DeliveryShape]}, Conflict)
def send_delivery_again(call: Call, webhook_id: int, delivery_id: int) -> Reply:
    """Send a message again.

    Immediately, with the same webhook-id and body.
    """
    view = deliveries.send_again(call.service, call.caller, webhook_id, delivery_id)
    return call.write_reply(Reply(delivery(view), ACCEPTED), view.id)
