"""Requests for JSON to a server configured by the operator: an OpenID provider, or another server with the API of Findable."""

from typing import TypeVar

import msgspec
from msgspec import Struct

from findable import urls
from findable.capture.status_classes import is_success
from findable.clock import monotonic_s
from findable.errors import FindableError, SettingError
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.fetch.politeness import Politeness, retry_after_s
from findable.fetch.wire import Order
from findable.settings import Settings

T = TypeVar("T")


class UnexpectedResponse(FindableError):
    """Error for a missing, unsuccessful or unreadable response; it names the URL without its query."""

    def __init__(self, message: str, status: int = 0, retry_after_s: float | None = None, body: bytes = b"") -> None:
        super().__init__(message)
        self.body = body
        self.status = status
        self.retry_after_s = retry_after_s


class JsonRequest(Struct, frozen=True):
    """Request with the limits of its response."""

    url: str
    deadline_s: float
    max_bytes: int
    lines: tuple[tuple[str, str], ...] = ()
    """Further header lines."""
    payload: bytes | None = None
    """Body of a POST request; None for GET."""
    is_strict: bool = True
    """Whether to reject ``"7"`` as a number."""


class _NoPauses(Politeness):
    """Pauses for requests to servers that are not audited, which are never paused."""

    def pause(self, origin: str, seconds: float) -> None:
        """Ignore the pause."""


def allowed_host(url: str, setting: str) -> AllowedTarget:
    """Return host and port of a configured URL, which the guard therefore allows. Raises SettingError."""
    parsed = urls.parse(url)
    if parsed is None or not parsed.host:
        raise SettingError(setting, "is not an http or https URL")
    host = f"[{parsed.host}]" if ":" in parsed.host else parsed.host
    return AllowedTarget.parse(f"{host}:{parsed.port}", setting=setting)


def unpaused_fetcher(settings: Settings, guard: Guard) -> Fetcher:
    """Return a fetcher for servers that are not audited, whose requests are never paused."""
    return Fetcher(guard, contact=settings.user_agent_contact, ca_file=settings.ca_file, politeness=_NoPauses())


async def read_json(fetcher: Fetcher, request: JsonRequest, kind: type[T]) -> T:
    """Return the JSON of a successful response. Redirects are not followed. Raises UnexpectedResponse."""
    order = Order(
        monotonic_s() + request.deadline_s,
        method="GET" if request.payload is None else "POST",
        lines=(("User-Agent", fetcher.user_agent), ("Accept", "application/json"), *request.lines),
        payload=request.payload or b"",
        new_connection=True,  # libcurl repeats a request where a pooled connection was closed, and an authorization code is valid once
        wire_cap_bytes=request.max_bytes,
        decoded_cap_bytes=request.max_bytes,
    )
    exchange = await fetcher.send(request.url, order)
    place = request.url.partition("?")[0]
    if exchange.error is not None:
        raise UnexpectedResponse(f"{place} cannot be reached: {exchange.error.cause.value}")
    if not is_success(exchange.status):
        pause_s = retry_after_s(exchange.headers.first("retry-after"))
        raise UnexpectedResponse(f"{place} returned {exchange.status}", exchange.status, pause_s, exchange.body)
    try:
        return msgspec.json.decode(exchange.body, type=kind, strict=request.is_strict)
    except (msgspec.DecodeError, ValueError) as error:
        raise UnexpectedResponse(f"{place} returned an unexpected response: {error}", exchange.status) from error
