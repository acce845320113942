"""One request to the interface and its reply: who asks, what was sent, how long it may wait."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from litestar import Request, Response
from litestar.serialization import encode_json
from msgspec import Struct, field

from findable.clock import monotonic_s
from findable.errors import NotFound
from findable.service.accounts.callers import authenticate_key
from findable.service.runtime.app import Service
from findable.service.values.use_cases import READ, Caller
from findable.web.api.api_urls import Addresses
from findable.web.api.request_models import MAX_WAIT_S, WaitQuery, read
from findable.web.auth import bearer_token, enter
from findable.web.bodies import ORDINARY, Bounds, Fields, read_fields
from findable.web.problems import PLAIN_JSON
from findable.web.query_strings import Query, parse_query
from findable.web.request_context import Context, context_of, header_map

DEFAULT_WAIT_S = 20
PROMPT_S = 0.5
"""A body that takes longer to arrive counts as long."""
Made = TypeVar("Made")
ApiRequest = Request[Any, Any, Any]


class Exchange(Struct, frozen=True):
    """A request with what it needs to be answered."""

    request: ApiRequest
    service: Service
    headers: Mapping[str, str]
    query: Query
    context: Context
    at: Addresses

    async def asked(self, work: Callable[[Service, Caller], Made], scope: str = READ) -> Made:
        """Authenticates and works, both in one go in a thread. What `work` raises is raised."""
        token = bearer_token(self.headers, self.query)

        def whole(service: Service) -> Made:
            return work(service, enter(service, token, scope, self.context))

        return await self.service.run(whole)

    async def looked_up(self, work: Callable[[Service, Caller], Made]) -> Made:
        """The same for what only reads and is soon done: the key and the answer are read in one transaction."""
        token = bearer_token(self.headers, self.query)

        def whole(service: Service) -> Made:
            with service.store.one_state():
                return work(service, enter(service, token, READ, self.context))

        return await self.service.run(whole)

    async def enter(self, scope: str) -> Caller:
        """Authenticates alone, before a body is read."""
        return await self.service.run(enter, bearer_token(self.headers, self.query), scope, self.context)

    async def require_still(self) -> None:
        """Raises Unauthenticated where the key was revoked or ended while the request went on. It is not counted once more."""
        await self.service.run(authenticate_key, bearer_token(self.headers, self.query))

    async def fields(
        self,
        lists: frozenset[str] = frozenset(),
        bounds: Bounds = ORDINARY,
        *,
        clearable: frozenset[str] = frozenset(),
        files: frozenset[str] = frozenset(),
    ) -> Fields:
        """The fields of the body; the sets name those of special kinds (`parse_fields`). Where it took long, the key is asked for anew."""
        began_s = monotonic_s()
        found = await read_fields(self.headers, self.request.receive, bounds, lists=lists, clearable=clearable, files=files)
        if monotonic_s() - began_s > PROMPT_S:
            await self.require_still()
        return found

    @property
    def path(self) -> str:
        """The address asked for, without its query."""
        return f"{self.at.base_url}{self.request.scope['path'].rstrip('/')}"


def begin(request: ApiRequest) -> Exchange:
    """Reads what every endpoint needs. Raises BadRequest where the address is malformed."""
    service: Service = request.app.state.service
    return Exchange(
        request,
        service,
        header_map(request.scope["headers"]),
        parse_query(request.scope["query_string"]),
        context_of(request.scope),
        request.app.state.addresses,
    )


def number(text: str) -> int:
    """An id from a path. Raises NotFound for what is none: it names nothing."""
    if not re.fullmatch(r"[1-9]\d{0,17}", text, re.ASCII):
        raise NotFound
    return int(text)


class Waiting(Struct, frozen=True):
    """How long the answer may wait, and how it says that it understood a preference (RFC 7240)."""

    seconds: int
    headers: Mapping[str, str] = field(default_factory=dict)


def waiting(exchange: Exchange, default_s: int) -> Waiting:
    """`?wait=N` wins over `Prefer`. Raises ValidationFailed for a `wait` that is none."""
    asked = read(WaitQuery, {"wait": exchange.query["wait"]} if "wait" in exchange.query else {}).wait
    if asked is not None:
        return Waiting(asked)
    prefer = exchange.headers.get("prefer", "").lower()
    preferred = re.search(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,9})", prefer)
    respond_async = re.search(r"(?:^|[,\s])respond-async(?=$|[,;\s])", prefer) is not None
    applied = ["respond-async"] if respond_async else []
    if preferred:
        seconds = min(int(preferred[1]), MAX_WAIT_S)
        return Waiting(seconds, {"Preference-Applied": ", ".join([*applied, f"wait={seconds}"])})
    return Waiting(0, {"Preference-Applied": applied[0]}) if applied else Waiting(default_s)


def reply(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """JSON."""
    return raw_reply(encode_json(body), status, headers)


def raw_reply(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """JSON that is already bytes."""
    return Response(body, status_code=status, media_type=PLAIN_JSON, headers=dict(headers or {}))


def data(shape: Any, warnings: list[str]) -> dict[str, Any]:
    """The envelope of one object."""
    return {"data": shape, "meta": {"warnings": warnings}} if warnings else {"data": shape}
