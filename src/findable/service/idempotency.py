"""Replies kept for 24 hours under an Idempotency-Key."""

from findable.service.app import Service
from findable.service.values import Caller, StoredReply


def keep_reply(service: Service, caller: Caller, key: str, reply: StoredReply) -> None:
    """Keeps the reply of the request that `reports.create` accepted with this key."""
    raise NotImplementedError


def release(service: Service, caller: Caller, key: str) -> None:
    """The request ended without a reply (the client went away): the next one with this key answers anew, with the same report."""
    raise NotImplementedError
