"""Row types of webhooks, events and deliveries. Times are seconds since 1970."""

from typing import NamedTuple

from msgspec import Struct

READY, RUNNING, DONE, FAILED = "ready", "running", "done", "failed"
"""States of a delivery. A failed delivery is sent again only on demand."""


class NewEvent(Struct, frozen=True):
    """Event that is about to be stored."""

    uid: str
    """The ``webhook-id`` of every delivery of the event."""
    account_id: int
    project_id: int | None
    type: str
    cause: str
    at: int
    data_json: str


class WebhookRow(NamedTuple):
    """Webhook of an account, with its encrypted URL and secrets."""

    id: int
    account_id: int
    project_id: int | None
    name: str
    kind: str
    events: str
    target: bytes
    language: str | None
    created_at: int
    updated_at: int
    disabled_at: int | None
    disabled_why: str | None
    failing_since: int | None


class DeliveryJobRow(NamedTuple):
    """Claimed delivery. `attempt` is the fencing token: writes are accepted only while it is unchanged."""

    id: int
    account_id: int
    event_id: int | None
    webhook_id: int | None
    person_id: int | None
    mail: bytes | None
    attempt: int
    failures: int
    created_at: int


class DeliveryRow(NamedTuple):
    """Delivery of an event to a webhook."""

    id: int
    uid: str
    type: str
    data_json: str
    state: str
    failures: int
    created_at: int
    run_at: int
    tried_at: int | None
    took_ms: int | None
    status: int | None
    response: str | None
    error: str | None
