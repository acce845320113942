"""Context of a request (id, network, rate limits), stored in its ASGI scope."""

import re
from random import Random, SystemRandom
from typing import Any

from msgspec import Struct

from findable.service.runtime.rate_limits import RateState

_KEY = "findable.context"
_random = Random(SystemRandom().getrandbits(128))  # noqa: S311 - ids are not secrets; the system's source would cost a system call
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Context(Struct):
    """Values about one request that middleware and handlers share."""

    request_id: str
    is_api: bool
    network: str
    """Network of the client (`client_address.network_at`)."""
    is_head: bool = False
    """Whether the response has no body."""
    rate: RateState | None = None
    """Rate limit window of the caller, after authentication."""
    account_rate: RateState | None = None
    """Rate limit window of the caller's account."""


def begin(scope: Any, given_id: str, network: str) -> Context:
    """Create the context of a request and store it in the ASGI scope; a valid ``X-Request-Id`` of the client is used as the id."""
    request_id = given_id if _GIVEN_ID.fullmatch(given_id) else f"{_random.getrandbits(64):016x}"
    context = Context(request_id, is_api_path(scope["path"]), network)
    scope[_KEY] = context
    return context


def context_of(scope: Any) -> Context:
    """Return the context stored in the ASGI scope of a request."""
    found: Context = scope[_KEY]
    return found


def is_api_path(path: str) -> bool:
    """Return whether a path belongs to the API, so that errors are JSON."""
    return path in ("/api", "/mcp") or path.startswith("/api/")
