"""Deliveries: claim one and store its outcome for workers; list requests, responses and next attempts for people."""

import logging
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import ClassVar, Literal, TypeVar

import msgspec
from msgspec import Struct

from findable.capture.status_classes import is_success
from findable.errors import Conflict, require_found
from findable.jobs import heartbeats
from findable.jobs.protocol import Queues
from findable.notify.chat_messages import WebhookKind, chat_request
from findable.notify.email_blocks import Letter
from findable.notify.event_words import words_of
from findable.notify.outgoing_event import Event, EventType, TestData
from findable.notify.retry_delays import FAILING_S, next_delay_s
from findable.notify.standard_webhooks import signed_headers
from findable.notify.webhook_bodies import message_bytes, page_of
from findable.service.accounts.callers import caller_of, grants_of
from findable.service.accounts.permissions import may, reading, writing
from findable.service.delivery.alert_emails import alert_email, notify_owners_of_disabled_webhook
from findable.service.delivery.email_preferences import TOO_MANY_TESTS
from findable.service.delivery.webhook_settings import DISABLED_FAILING, DISABLED_GONE, disable, owned_webhook, target_of
from findable.service.runtime.attempt_limits import count_try
from findable.service.runtime.outbox import letter_of, new_event
from findable.service.runtime.sealed_values import Unreadable
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.caller import OWNER, VIEWER, Caller
from findable.service.values.views import moment as moment_of
from findable.service.values.views import view_of
from findable.store.engine_messages import DELIVERY
from findable.store.outbox_rows import DONE, FAILED, READY, RUNNING, DeliveryJobRow, DeliveryRow, WebhookRow
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session
from findable.values import DateTime, Discreet
from findable.wording import later, wording

MAX_RESPONSE_CHARS = 1000
STORED_S = 30 * 86_400
DELETED_AT_ONCE = 500
"""Number of deliveries deleted in one transaction."""
FREE_TESTS = 30
"""Number of test messages that an account may send before rate limiting starts."""
FREE_RESENDS = 100
"""Number of messages that an account may send again before rate limiting starts."""
TOO_MANY_RESENDS = later("Too many messages were sent again.")
_CHANCES = 1000
_log = logging.getLogger(__name__)
_MessageT = TypeVar("_MessageT")


class OutgoingRequest(Discreet, frozen=True):
    """Request that is sent for a delivery."""

    hidden: ClassVar[frozenset[str]] = frozenset({"url", "headers", "body"})
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class OutgoingEmail(Discreet, frozen=True):
    """Email that is sent for a delivery."""

    hidden: ClassVar[frozenset[str]] = frozenset({"letter"})
    letter: Letter
    message_id: str
    at: datetime


class DeliveryJob(Struct, frozen=True):
    """Claimed delivery, with the right to write its outcome."""

    id: int
    attempt: int
    """Fencing token: the outcome counts only while the delivery is still at this attempt."""
    failures: int
    account_id: int
    webhook_id: int | None
    """Webhook; None for an email."""
    request: OutgoingRequest | OutgoingEmail


class DeliveryOutcome(Struct, frozen=True):
    """Outcome of an attempt."""

    status: int | None = None
    """Status of the response; None if there was none."""
    response: str = ""
    """Beginning of the response."""
    error: str | None = None
    """Code of the reason why there is no response: a `Failure`."""
    took_ms: int = 0
    retry_after_s: int | None = None
    """Pause that the receiver requested."""
    is_permanent: bool = False
    """Whether a retry is useless: the receiver no longer exists, or rejects this email permanently."""

    @property
    def is_accepted(self) -> bool:
        """Whether the receiver accepted the message: a 2xx status of HTTP or SMTP."""
        return self.error is None and self.status is not None and is_success(self.status)


class DeliveryShape(Struct, frozen=True, kw_only=True):
    """Delivery of a message to a webhook, with its last attempt."""

    id: int
    object: Literal["delivery"] = "delivery"
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


# --- workers ------------------------------------------------------------------------------------------------------------


def claim_some(service: Service, worker: str, limit: int, spare: int = 0) -> list[DeliveryJob]:
    """Claim up to ``limit`` deliveries that are due. Writes nothing if none is due."""
    if not _is_due(service):
        return []
    with service.store.write() as session:
        rows = session.outbox.claim(worker, now=session.jobs.clock(session.moment), limit=limit + spare)
        return [job for row in rows if (job := _claimed_job(service, session, row)) is not None]


def _is_due(service: Service) -> bool:
    with service.store.read() as session:
        return session.outbox.is_due(session.jobs.clock(session.moment))


def dispatch(service: Service, queues: Queues, free: int, spare: int) -> int:
    """Claim due deliveries and send them to workers through the engine; return their number. See `report_jobs.dispatch`."""
    if not _is_due(service):
        return 0
    with service.store.write() as session:

        def claim(limit: int) -> list[DeliveryJobRow]:
            return session.outbox.claim("", now=session.jobs.clock(session.moment), limit=limit)

        return session.messages.dispatch(queues.normal, DELIVERY, free + spare, claim)


def load(service: Service, worker: str, delivery_id: int, attempt: int) -> DeliveryJob | None:
    """Return the delivery of a message; None if it belongs to another attempt, or ended because it cannot be rendered."""
    with service.store.write() as session:
        row = session.outbox.begin(delivery_id, attempt, worker)
        return None if row is None else _claimed_job(service, session, row)


def _claimed_job(service: Service, session: Session, row: DeliveryJobRow) -> DeliveryJob | None:
    """Return the job for a worker; None if the delivery ended, because its message has no recipient or cannot be rendered."""
    message = _webhook_message(service, session, row) if row.webhook_id is not None else _email_message(service, session, row)
    if isinstance(message, str):
        session.outbox.end(row.id, row.attempt, session.moment, is_done=False, error=message)
        return None
    return DeliveryJob(row.id, row.attempt, row.failures, row.account_id, row.webhook_id, message)


def _webhook_message(service: Service, session: Session, row: DeliveryJobRow) -> OutgoingRequest | str:
    """Return the request of a delivery to a webhook, or the reason code if there is none."""
    webhook = session.webhooks.by_id(row.webhook_id) if row.webhook_id is not None else None
    stored = session.outbox.event_data(row.event_id) if row.event_id is not None else None
    if webhook is None or stored is None or webhook.disabled_at is not None:
        return "disabled"
    uid, data_json = stored
    return _render(row, lambda: _request(service, webhook, uid, msgspec.json.decode(data_json, type=Event), session.moment))


def _render(row: DeliveryJobRow, make: Callable[[], _MessageT]) -> _MessageT | str:
    """Return the message, or the reason code if rendering fails, so that one message never stops the others."""
    try:
        return make()
    except Unreadable:
        return "unreadable"
    except Exception:  # noqa: BLE001 - a message that cannot be rendered must not stop the others
        _log.exception("the message of delivery %d could not be rendered", row.id)
        return "internal"


def _email_message(service: Service, session: Session, row: DeliveryJobRow) -> OutgoingEmail | str:
    """Return the email of a delivery, or the reason code if it has no recipient any more."""
    letter: Letter | str = "disabled"
    person = session.mails.receiver(row.person_id) if row.person_id is not None else None
    stored = session.outbox.event_data(row.event_id) if row.event_id is not None else None
    if not service.settings.smtp_url:
        letter = "no_smtp"
    elif row.mail is not None:
        sealed_value = row.mail
        letter = _render(row, lambda: letter_of(service, row.account_id, sealed_value))
    elif person is not None and stored is not None:
        reader, caller, data_json = person, caller_of(person, grants_of(session, person)), stored[1]
        letter = _render(row, lambda: _alert_email_or_reason(service, session, data_json, reader, caller))
    if isinstance(letter, str):
        return letter
    number = sign(service.secret, "message", row.id, row.created_at).hex()[:24]  # identical for every attempt
    host = service.settings.mail_from.rpartition("@")[2].rstrip("> ")
    return OutgoingEmail(letter, f"{number}@{host}", moment_of(row.created_at))


def _alert_email_or_reason(service: Service, session: Session, data_json: str, person: PersonRow, caller: Caller) -> Letter | str:
    event = msgspec.json.decode(data_json, type=Event)
    return (
        alert_email(service, session, event, person) if may(caller, VIEWER, event.project_id) else "disabled"
    )  # access may have ended meanwhile


def _request(service: Service, webhook: WebhookRow, uid: str, event: Event, moment: int) -> OutgoingRequest:
    """Return the request of an event in the format of the webhook."""
    target, base_url = target_of(service, webhook), service.settings.base_url
    kind, json_lines = WebhookKind(webhook.kind), (("Content-Type", "application/json"),)
    if kind is WebhookKind.STANDARD:
        body = message_bytes(event, base_url)
        return OutgoingRequest(target.url, (*json_lines, *signed_headers(uid, moment, body, target.secrets_at(moment))), body)
    say = wording(webhook.language or "en")
    made = chat_request(kind, target.url, words_of(event, say), page_of(event, base_url), say(later("Open in Findable")))
    return OutgoingRequest(made.url, json_lines, made.body)


def beat(service: Service, job: DeliveryJob) -> bool:
    """Return whether the delivery still belongs to this worker."""
    with service.store.read() as session:
        return session.outbox.belongs_to_attempt(job.id, job.attempt)


def hand_back(service: Service, job: DeliveryJob) -> None:
    """Return the delivery to the queue; another worker or the next start sends it."""
    with service.store.write() as session:
        session.outbox.hand_back(job.id, job.attempt)


def sweep(service: Service, at_work: Collection[int] = ()) -> int:
    """Return deliveries of lost workers to the queue; return their number. See `report_jobs.sweep`."""
    with service.store.write() as session:
        count = session.outbox.requeue_lost(heartbeats.LOST_AFTER_S, at_work)
        session.messages.delete_lost(DELIVERY, heartbeats.LOST_AFTER_S)
    return count


def store_outcome(service: Service, job: DeliveryJob, outcome: DeliveryOutcome) -> None:
    """Store the outcome of an attempt, which ends the delivery or schedules a retry. An outcome of another attempt changes nothing."""
    with service.store.write() as session:
        moment = session.moment
        seen = {
            "tried_at": moment,
            "took_ms": outcome.took_ms,
            "status": outcome.status,
            "response": outcome.response[:MAX_RESPONSE_CHARS],
            "error": outcome.error,
        }
        session.outbox.lock_account(job.account_id)
        clock = session.jobs.clock(moment)
        if outcome.is_accepted:
            if session.outbox.end(job.id, job.attempt, moment, is_done=True, **seen) and job.webhook_id is not None:
                session.webhooks.change(job.webhook_id, failing_since=None)
            return
        chance = secrets.randbelow(_CHANCES + 1) / _CHANCES
        delay_s = next_delay_s(job.failures + 1, chance, outcome.retry_after_s)
        if delay_s is None or outcome.is_permanent:
            is_ours = session.outbox.end(job.id, job.attempt, moment, is_done=False, **seen)
        else:
            is_ours = session.outbox.try_later(job.id, job.attempt, clock + delay_s, **seen)
        if is_ours and job.webhook_id is not None:
            _record_failure(service, session, job.webhook_id, is_gone=outcome.is_permanent)


def _record_failure(service: Service, session: Session, webhook_id: int, *, is_gone: bool) -> None:
    """Disable a webhook whose receiver no longer exists or has failed for days, and notify the owners."""
    webhook = session.webhooks.by_id(webhook_id)
    since = session.webhooks.begin_failing(webhook_id, session.moment)
    if webhook is None or webhook.disabled_at is not None or not (is_gone or session.moment - since >= FAILING_S):
        return
    disable(session, webhook_id, DISABLED_GONE if is_gone else DISABLED_FAILING)
    notify_owners_of_disabled_webhook(service, session, webhook, is_gone=is_gone)


def delete_old(service: Service) -> bool:
    """Delete a few deliveries that ended more than a month ago; return whether there may be more."""
    with service.store.write() as session:
        return session.outbox.delete_ended(session.moment - STORED_S, DELETED_AT_ONCE) == DELETED_AT_ONCE


# --- people -------------------------------------------------------------------------------------------------------------


def find(service: Service, caller: Caller, webhook_id: int, *, before: int | None = None, limit: int = 25) -> Sequence[DeliveryShape]:
    """Return deliveries of a webhook, newest first. Raises NotFound."""
    with reading(service, caller) as session:
        webhook = owned_webhook(session, caller, webhook_id)
        return [_view(service, webhook, row) for row in session.outbox.of_webhook(webhook.id, before=before, limit=limit)]


def send_test(service: Service, caller: Caller, webhook_id: int) -> DeliveryShape:
    """Queue a test event for a webhook. Raises NotFound, Conflict if it is disabled, RateLimited."""
    with writing(service, caller, OWNER) as session:
        webhook = _enabled_webhook(session, caller, webhook_id)
        count_try(session, {f"webhook:test:{caller.account_id}": FREE_TESTS}, TOO_MANY_TESTS)
        cause = f"webhook:{webhook.id}:{secrets.token_hex(8)}"
        event = Event(EventType.WEBHOOK_TEST, session.moment, caller.account_id, cause, TestData(webhook.id))
        session.outbox.add_event_for(new_event(event), [webhook.id])
        (row,) = session.outbox.of_webhook(webhook.id, before=None, limit=1)
    service.events.publish_queued()
    return _view(service, webhook, row)


def _enabled_webhook(session: Session, caller: Caller, webhook_id: int) -> WebhookRow:
    """Return a webhook of the account. Raises NotFound, Conflict if it is disabled."""
    webhook = owned_webhook(session, caller, webhook_id)
    if webhook.disabled_at is not None:
        raise Conflict(later("The webhook is disabled."))
    return webhook


def send_again(service: Service, caller: Caller, webhook_id: int, delivery_id: int) -> DeliveryShape:
    """Send a delivery again now, with the same ``webhook-id``. Raises NotFound, Conflict, RateLimited."""
    with writing(service, caller, OWNER) as session:
        webhook = _enabled_webhook(session, caller, webhook_id)
        moment = session.jobs.clock(session.moment)
        row = require_found(session.outbox.one(webhook.id, delivery_id))
        count_try(session, {f"webhook:again:{caller.account_id}": FREE_RESENDS}, TOO_MANY_RESENDS)
        if not session.outbox.send_again(row.id, moment):
            raise Conflict(later("The message is being sent."))
        view = _view(service, webhook, session.outbox.one(webhook.id, delivery_id) or row)
    service.events.publish_queued()
    return view


_STATES: dict[str, Literal["queued", "sending", "done", "failed"]] = {READY: "queued", RUNNING: "sending", DONE: "done", FAILED: "failed"}


def _view(service: Service, webhook: WebhookRow, row: DeliveryRow) -> DeliveryShape:
    try:
        body = _request(service, webhook, row.uid, msgspec.json.decode(row.data_json, type=Event), 0).body.decode()
    except Exception:  # noqa: BLE001 - an email that cannot be rendered is not sent
        body = ""
    return view_of(
        DeliveryShape,
        row,
        webhook=webhook.id,
        webhook_id=row.uid,
        state=_STATES[row.state],
        next_try_at=moment_of(max(row.run_at, row.created_at)) if row.state == READY else None,
        request=body,
    )
