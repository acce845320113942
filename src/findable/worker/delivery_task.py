"""One delivery: send an email or a webhook request once and store the outcome. Requests pass the guard and follow no redirects."""

import asyncio
import logging
from functools import partial

from findable.clock import monotonic_s
from findable.fetch.decode import ACCEPT_ENCODING
from findable.fetch.fetcher import Fetcher
from findable.fetch.politeness import on_behalf_of, retry_after_s
from findable.fetch.wire import Order
from findable.notify.email_mime import message_of
from findable.notify.smtp_client import MailRefused, send
from findable.service.delivery import deliveries
from findable.service.delivery.deliveries import DeliveryJob, DeliveryOutcome, OutgoingEmail, OutgoingRequest
from findable.service.runtime.json_requests import unpaused_fetcher
from findable.service.runtime.outbox import mail_server
from findable.service.runtime.service import Service
from findable.wording import wording
from findable.worker.store_writes import store_result

DEADLINE_S = 15.0
RESPONSE_BYTES = 1024
"""Bytes of a response that are read and stored."""
GONE = 410
"""HTTP status with which a receiver disables its webhook."""
ACCEPTED = 250
"""SMTP reply code for an accepted email."""
_log = logging.getLogger(__name__)


class DeliveryTask:
    """Handler of deliveries, bound to the event loop that first uses it.

    Args:
        service: owner of the deliveries.
        deadline_s: time limit of an attempt.
    """

    def __init__(self, service: Service, *, deadline_s: float = DEADLINE_S) -> None:
        self._service = service
        self._deadline_s = deadline_s
        self._made: Fetcher | None = None

    @property
    def _fetcher(self) -> Fetcher:
        """The fetcher, which shares nothing with those of audited sites, and never pauses: a chat service is one host for all accounts."""
        if self._made is None:
            self._made = unpaused_fetcher(self._service.settings, self._service.guard)
        return self._made

    async def close(self) -> None:
        """Close connections."""
        if self._made is not None:
            await self._made.close()

    async def __call__(self, job: DeliveryJob) -> None:
        """Send the message. Its outcome is stored unless the job is cancelled."""
        try:
            outcome = await self._send(job)
        except Exception:  # noqa: BLE001 - a delivery always ends or is retried
            _log.exception("delivery %d failed", job.id)
            outcome = DeliveryOutcome(error="internal")
        await store_result(f"delivery {job.id}", partial(self._service.run, deliveries.store_outcome, job, outcome))

    async def _send(self, job: DeliveryJob) -> DeliveryOutcome:
        if isinstance(job.request, OutgoingEmail):
            return await self._mail(job.request)
        return await self._post(job.account_id, job.request)

    async def _mail(self, mail: OutgoingEmail) -> DeliveryOutcome:
        settings = self._service.settings
        server = mail_server(settings)
        if server is None:
            return DeliveryOutcome(error="no_smtp", is_permanent=True)
        began_s = monotonic_s()
        message = message_of(mail.letter, settings.mail_from, mail.message_id, mail.at, wording(mail.letter.language))
        try:
            words = await asyncio.to_thread(send, server, message, timeout_s=self._deadline_s)
        except MailRefused as refusal:
            return DeliveryOutcome(refusal.code, refusal.words, "smtp", _since_ms(began_s), is_permanent=refusal.is_permanent)
        return DeliveryOutcome(ACCEPTED, words, took_ms=_since_ms(began_s))

    async def _post(self, account_id: int, request: OutgoingRequest) -> DeliveryOutcome:
        lines = (("User-Agent", self._fetcher.user_agent), ("Accept", "*/*"), ("Accept-Encoding", ACCEPT_ENCODING), *request.headers)
        began_s = monotonic_s()
        order = Order(
            began_s + self._deadline_s,
            method="POST",
            lines=lines,
            payload=request.body,
            new_connection=True,  # libcurl repeats a request where a pooled connection was closed
            wire_cap_bytes=RESPONSE_BYTES,
            decoded_cap_bytes=RESPONSE_BYTES,
        )
        on_behalf_of.set(str(account_id))
        exchange = await self._fetcher.send(request.url, order)
        trouble = exchange.error
        told_s = retry_after_s(exchange.headers.first("retry-after"))
        return DeliveryOutcome(
            exchange.status or None,
            _readable_text(exchange.body),
            trouble.failure.value if trouble else None,
            _since_ms(began_s),
            None if told_s is None else round(told_s),
            is_permanent=exchange.status == GONE,
        )


def _since_ms(began_s: float) -> int:
    return round((monotonic_s() - began_s) * 1000)


def _readable_text(body: bytes) -> str:
    """Return the beginning of a response as text that is safe to store."""
    text = body[:RESPONSE_BYTES].decode("utf-8", "replace")
    return "".join(character for character in text if character.isprintable() or character in "\n\t")
