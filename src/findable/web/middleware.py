"""Middleware around the application, for every request: request ids, HEAD, CORS, security headers, rate limits, access log.

It also counts metrics, and rejects malformed requests before routing, and requests beyond the load limit.
"""

import re
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from findable.clock import monotonic_s
from findable.errors import BadRequest, QuotaExceeded, RequestError, Unavailable
from findable.log_context import request_id
from findable.service.runtime.slots import limit_per_caller
from findable.settings import Settings
from findable.web.bodies import MANY
from findable.web.client_address import address_of, is_from, network_at
from findable.web.drain_request import END, UnreadBody
from findable.web.logs import log_access
from findable.web.metrics import Metrics
from findable.web.problems import PLAIN_JSON, error_headers, problem_bytes
from findable.web.request_context import Context, begin
from findable.web.response_headers import PREFLIGHT_HEADERS, constant_headers, encoded, rate_headers

MAX_LOAD = 256
"""Maximum load of concurrent requests; further requests are rejected before they take memory.

A large body counts as several requests. A single network can use at most three quarters.
"""
LOAD_BYTES = 64 * 1024
"""Bytes of a body that count as one more request."""
UNDECLARED_LOAD = 8
"""Load of a body of undeclared size."""
MAX_DISCARDED = 64
"""Requests whose bodies are discarded concurrently; further connections are closed while their clients still send."""
NEVER_REJECTED = frozenset({"/healthz"})
ANY = "ANY"
"""Method that no path has. It replaces OPTIONS, so that the response lists the methods of the path."""


class Edge:
    """Outermost ASGI middleware: load limit, headers, HEAD and OPTIONS, metrics and access log."""

    def __init__(self, application: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._application = application
        self._base_url = base_url = settings.base_url
        self._metrics = metrics
        self._trusted_proxies = settings.trusted_proxies
        self._proxy_headers = frozenset(name.lower().encode() for name in settings.sign_in_proxy)
        self._load = 0
        self._load_from: Counter[str] = Counter()
        self._discarded_count = 0
        self._constant_headers = {is_api: encoded(constant_headers(base_url, is_api=is_api)) for is_api in (True, False)}
        """Headers of all responses, by whether they belong to the API."""
        metrics.read_in_flight(lambda: self._load)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application and complete its response; other protocols are passed unchanged."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        started_s = monotonic_s()
        load, network = _load_of(scope), network_at(address_of(scope, self._trusted_proxies))
        self._count_load(load, network)
        scope["path"] = (re.sub(r"/{2,}", "/", scope["path"]) if "//" in scope["path"] else scope["path"]).rstrip("/") or "/"
        if self._proxy_headers:
            self._remove_untrusted_identity(scope)
        headers = Headers(scope=scope)
        context = begin(scope, headers.get("x-request-id", ""), network)
        request_id.set(context.request_id)
        method = scope["method"]
        status = 0
        unread = UnreadBody(headers, receive)

        async def send_on(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                if method == "OPTIONS" and message["status"] == HTTPStatus.METHOD_NOT_ALLOWED:
                    message = _options(message)
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *self._missing_headers(context, message["headers"])]}
            elif method == "HEAD" or status == HTTPStatus.NO_CONTENT:
                message = {**message, "body": b""}
            await send(unread.without_end(message))

        if method == "HEAD":
            context.is_head = True
            scope["method"] = "GET"
        elif method == "OPTIONS":
            scope["method"] = ANY
        try:
            await self._route(scope, unread.receive, send_on, headers, context)
        finally:
            self._count_load(-load, network)
            self._log_request(method, scope, status, monotonic_s() - started_s)
        if unread.is_delayed:
            await self._discard(unread)
            await send(END)

    def _remove_untrusted_identity(self, scope: Scope) -> None:
        """Remove the headers that identify the signed-in person, unless a trusted proxy sent each of them once."""
        sent = Counter(name for name, _ in scope["headers"] if name in self._proxy_headers)
        if not is_from(scope, self._trusted_proxies) or any(count > 1 for count in sent.values()):
            scope["headers"] = [line for line in scope["headers"] if line[0] not in self._proxy_headers]

    def _count_load(self, load: int, network: str) -> None:
        self._load += load
        self._load_from[network] += load
        if not self._load_from[network]:
            del self._load_from[network]

    async def _discard(self, unread: UnreadBody) -> None:
        """Discard the rest of a request body. It does not count as load, because it takes no memory."""
        if self._discarded_count >= MAX_DISCARDED:
            return
        self._discarded_count += 1
        try:
            await unread.discard()
        finally:
            self._discarded_count -= 1

    def _log_request(self, method: str, scope: Scope, status: int, seconds: float) -> None:
        self._metrics.count_request(method, getattr(scope.get("endpoint"), "path", ""), status, seconds)
        log_access(method, scope["path"], status, seconds)

    async def _route(self, scope: Scope, receive: Receive, send: Send, headers: Any, context: Context) -> None:
        if scope["method"] == ANY and context.is_api and "access-control-request-method" in headers:
            await _send(send, HTTPStatus.NO_CONTENT, PREFLIGHT_HEADERS)
        elif (refused := _malformed_error(scope) or self._is_over_limit(scope, context.network)) is not None:
            body = problem_bytes(refused, self._base_url, scope["path"], context.request_id)
            added = [("content-type", PLAIN_JSON), ("connection", "close")]
            await _send(send, refused.status, (*added, *((name.lower(), value) for name, value in error_headers(refused).items())), body)
        else:
            await self._application(scope, receive, send)

    def _is_over_limit(self, scope: Scope, network: str) -> RequestError | None:
        is_share = not network or self._load_from[network] <= limit_per_caller(MAX_LOAD)
        if (is_share and self._load <= MAX_LOAD) or scope["path"] in NEVER_REJECTED:
            return None
        self._metrics.count_rejected()
        if is_share:
            return Unavailable("Too many requests are in progress.", retry_after_s=1)
        return QuotaExceeded("Too many requests from your network are in progress.", retry_after_s=1)

    def _missing_headers(self, context: Context, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the standard headers that a response does not set itself."""
        names = {name.lower() for name, _ in given}
        own = [("x-request-id", context.request_id), *rate_headers({"default": context.rate, "account": context.account_rate})]
        lines = [*encoded(own), *self._constant_headers[context.is_api]]
        return [line for line in lines if line[0] not in names]


def _options(message: Any) -> Any:
    """Return the head of the response to OPTIONS, made from that of a "method not allowed" response."""
    return {**message, "status": HTTPStatus.NO_CONTENT, "headers": [line for line in message["headers"] if line[0] == b"allow"]}


def _load_of(scope: Scope) -> int:
    """Return the load of a request: 1, plus 1 for each 64 KiB of its declared body size."""
    stated = UNDECLARED_LOAD * LOAD_BYTES if any(name == b"transfer-encoding" for name, _ in scope["headers"]) else 0
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            stated = min(int(value), MANY.body_bytes)
    return 1 + stated // LOAD_BYTES


def _malformed_error(scope: Scope) -> RequestError | None:
    """Return the error for a request without exactly one Host header, which the server does not check (RFC 9112 section 3.2)."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1 or (scope["http_version"] == "1.1" and not (hosts and hosts[0])):
        return BadRequest("A request has exactly one Host header.")
    return None


async def _send(send: Send, status: int, headers: Iterable[tuple[str, str]], body: bytes = b"") -> None:
    lines = encoded(headers)
    if body:
        lines.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
