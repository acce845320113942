"""Responses stored for 24 hours under an Idempotency-Key."""

import json
import zlib
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from findable.errors import Conflict, IdempotencyMismatch
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store.rows import IdempotencyRow
from findable.store.store_protocol import Session

RowT = TypeVar("RowT")


class IdempotencyKey(Struct, frozen=True):
    """Value of the Idempotency-Key header, and the digest of the request."""

    key: str
    payload_sha256: str


class StoredReply(Struct, frozen=True):
    """Response stored for an idempotency key."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = {}


STORED_S = 24 * 3600
RESERVED_S = 75
"""Time after which a process is assumed dead and the next request runs; longer than any request waits (60 s)."""


class Replay(Struct, Generic[RowT], frozen=True):
    """Row of the report, crawl or batch that an earlier request with the key created, and the stored response, if any."""

    row: RowT
    reply: StoredReply | None


def earlier_use(
    session: Session, caller: Caller, idempotency: IdempotencyKey | None, by_id: Callable[[int], RowT | None]
) -> Replay[RowT] | None:
    """Return the earlier use of the key; None without a key, if it is new, or if its row was deleted.

    Raises Conflict, IdempotencyMismatch.
    """
    stored_row = _earlier_request(session, caller, idempotency) if idempotency is not None else None
    row = by_id(stored_row.report_id) if stored_row is not None else None
    if idempotency is None or stored_row is None or row is None:
        return None
    return Replay(row, _reply_of(session, caller, idempotency, stored_row))


def _earlier_request(session: Session, caller: Caller, idempotency: IdempotencyKey) -> IdempotencyRow | None:
    stored_row = session.expiring.reply(caller.owner, idempotency.key)
    if stored_row is None or stored_row.created_at <= session.moment - STORED_S:
        return None
    if stored_row.payload_hash != idempotency.payload_sha256:
        raise IdempotencyMismatch("This Idempotency-Key was used with other fields.")
    if stored_row.held_until > session.moment:
        raise Conflict("A request with this Idempotency-Key is in progress.", retry_after_s=1)
    return stored_row


def _reply_of(session: Session, caller: Caller, idempotency: IdempotencyKey, stored_row: IdempotencyRow) -> StoredReply | None:
    """Return the stored response; None if there is none or it is unreadable, so that the caller creates one."""
    reply = _unpack(stored_row.reply) if stored_row.reply is not None else None
    if reply is None:
        session.expiring.transfer_key(caller.owner, idempotency.key, session.moment + RESERVED_S)
    return reply


def reserve_key(session: Session, caller: Caller, idempotency: IdempotencyKey | None, report_id: int) -> None:
    """Reserve the key, if there is one, for a report, crawl or batch in the transaction that creates it."""
    if idempotency is not None:
        times = {"now": session.moment, "until": session.moment + RESERVED_S}
        session.expiring.reserve_key(caller.owner, idempotency.key, payload_hash=idempotency.payload_sha256, report_id=report_id, **times)


def store_reply(service: Service, caller: Caller, key: str, reply: StoredReply) -> None:
    """Store the response to the request that created a report, crawl or batch with this key."""
    head = json.dumps({"status": reply.status, "headers": dict(reply.headers)}).encode()
    data = zlib.compress(head + b"\n" + reply.body)  # at most 130 kB per report, stored for a day per key
    with service.store.write() as session:
        session.expiring.save_reply(caller.owner, key, data)


def release(service: Service, caller: Caller, key: str) -> None:
    """Release the key of a request that ended without a response (the client disconnected): the next request gets the same object."""
    with service.store.write() as session:
        session.expiring.transfer_key(caller.owner, key, 0)


def _unpack(data: bytes) -> StoredReply:
    head, _, body = zlib.decompress(data).partition(b"\n")
    stored_row = json.loads(head)
    return StoredReply(body, int(stored_row["status"]), dict(stored_row["headers"]))
