"""What is known of one request besides what it says itself; kept in its ASGI scope."""

import re
import secrets
from typing import Any

from msgspec import Struct

from findable.service.values.use_cases import RateState

_KEY = "findable.context"
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Context(Struct):
    """One request."""

    request_id: str
    is_api: bool
    network: str
    """From which it comes (`peers.network_at`)."""
    is_head: bool = False
    """Whether the answer has a head only."""
    rate: RateState | None = None
    """The caller's window, once the caller is known."""
    account_rate: RateState | None = None
    """That of the caller's account."""


def begin(scope: Any, given_id: str, network: str) -> Context:
    """Makes the context; a sound ``X-Request-Id`` of the client is kept."""
    request_id = given_id if _GIVEN_ID.fullmatch(given_id) else secrets.token_hex(8)
    context = Context(request_id, is_api_path(scope["path"]), network)
    scope[_KEY] = context
    return context


def context_of(scope: Any) -> Context:
    """The context of a request."""
    found: Context = scope[_KEY]
    return found


def is_api_path(path: str) -> bool:
    """Whether errors there are JSON."""
    return path == "/api" or path.startswith("/api/")
