"""Operations of the API, each declared by the signature of its handler, which runs and documents it.

A handler takes the call, then the path parameters in order (a number if annotated as one), then by name ``query`` and ``body``: the query
and the body as Structs. A handler that is not a coroutine runs in a thread of the service.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from types import ModuleType
from typing import Any, Generic, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType
from starlette.responses import Response, StreamingResponse

from findable.checks.removed_checks import REMOVED_CHECKS
from findable.clock import monotonic_s, now, rfc3339
from findable.errors import NotFound, PreconditionFailed, RequestError, ValidationFailed
from findable.service.accounts.callers import refreshed
from findable.service.runtime.idempotency import StoredReply
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, WRITE, Caller
from findable.service_urls import API
from findable.web.api.request_models import NoQuery
from findable.web.api.validation import fields_of, kinds_of, read, unknown_names, unknown_parameters
from findable.web.auth import bearer_token, enter
from findable.web.bodies import ORDINARY, Bounds, Fields
from findable.web.pagination_links import ListLinks, link_header
from findable.web.path_parts import id_of, without_nul
from findable.web.problems import PLAIN_JSON, encode_json
from findable.web.routing import Endpoint, Request
from findable.wording import Translator, best_language, wording

PROMPT_S = 0.5
"""Time after which a body counts as slow."""
NOTHING_CHANGED = "Nothing was changed: the body has no known field."
T = TypeVar("T")


# --- replies ----------------------------------------------------------------------------------------------------------


class Meta(Struct, frozen=True, omit_defaults=True):
    """Additional information about a response: warnings for the caller."""

    warnings: list[str] | UnsetType = UNSET


class ListMeta(Struct, frozen=True, rename={"from_": "from"}):
    """Position of a page in a list. If a cursor was sent, the position is unknown and null."""

    current_page: int | None
    from_: int | None
    last_page: int
    path: str
    per_page: int
    to: int | None
    total: int
    total_is_estimate: bool | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


class Data(Struct, Generic[T], frozen=True):
    """Response with one object."""

    data: T
    meta: Meta | UnsetType = UNSET


class Items(Struct, Generic[T], frozen=True):
    """Response with a complete list."""

    data: list[T]
    meta: Meta | UnsetType = UNSET


class Trail(Struct, Generic[T], frozen=True):
    """Response with a part of a list that is read forward, and the link to the next part."""

    data: list[T]
    links: ListLinks
    meta: Meta | UnsetType = UNSET


class Listing(Struct, Generic[T], frozen=True):
    """Response with a page of a list, its position, and links to the other pages."""

    data: list[T]
    links: ListLinks
    meta: ListMeta


class Detailed(Struct, Generic[T], frozen=True):
    """Response with an object that contains a page of a list."""

    data: T
    links: ListLinks
    meta: ListMeta


class WriteReceipt(Struct, frozen=True):
    """Response to a write by an API key without read access."""

    id: int
    object: str
    updated_at: str


class Reply(Struct, frozen=True):
    """Result of a handler: an object or a list, before it is put into an envelope such as `Data`."""

    data: Any
    status: int = 200
    headers: Mapping[str, str] = {}
    links: ListLinks | UnsetType = UNSET
    meta: ListMeta | UnsetType = UNSET


class RawReply(StoredReply, frozen=True):
    """Complete JSON response as bytes."""

    def response(self) -> Response:
        """Convert to the framework's response."""
        return Response(self.body, self.status, self.headers, PLAIN_JSON)


class FileReply(Struct, frozen=True):
    """Response with a file that is streamed in pieces."""

    pieces: Iterator[bytes]
    media_type: str
    headers: Mapping[str, str] = {}

    def response(self) -> Response:
        """Convert to the framework's response, which produces the pieces in threads."""
        return StreamingResponse(self.pieces, 200, self.headers, self.media_type)


# --- calls ------------------------------------------------------------------------------------------------------------


class Call:
    """API request with its caller, parsed fields, and warnings for the response."""

    caller: Caller

    def __init__(self, request: Request) -> None:
        self.request = request
        self.service = request.service
        self.at = request.urls
        self.headers = request.headers
        self.query = request.query
        self.token = bearer_token(request.headers, request.query)
        self.fields: Fields = {}
        self.warnings: list[str] = []

    @property
    def if_match(self) -> str | None:
        """Value of If-Match: ETags, one of which must match the version of the report; None without the header."""
        return self.headers.get("if-match") or None

    @property
    def say(self) -> Translator:
        """Translator into the language of Accept-Language, for texts that this API has in several languages."""
        return wording(best_language(self.headers.get("accept-language", "")))

    @property
    def path(self) -> str:
        """Requested URL without its query, at the base URL of the service."""
        return f"{self.at.base_url}{self.request.scope['path']}"

    def enter(self, service: Service, scope: str) -> None:
        """Authenticate the API key and set the caller (blocking). Raises Unauthenticated, Forbidden, RateLimited."""
        self.caller = enter(service, self.token, scope, self.request.context)

    async def require_still(self) -> None:
        """Give the caller the roles of this moment. Raises Unauthenticated if the API key was revoked or expired during the request."""
        self.caller = await self.service.run(refreshed, self.caller)

    async def read_body(self, model: type[Struct], bounds: Bounds) -> None:
        """Read the body and set its fields. After a slow body the API key is checked again."""
        began_s = monotonic_s()
        self.fields = await self.request.fields(bounds, kinds_of(model))
        if monotonic_s() - began_s > PROMPT_S:
            await self.require_still()

    def write_reply(self, reply: Reply, number: int, moment: datetime | None = None) -> Reply:
        """Return the reply to a write: unchanged, or only id, type and time if the API key has no read access."""
        if READ in self.caller.scopes:
            return reply
        return msgspec.structs.replace(reply, data=WriteReceipt(number, reply.data.object, rfc3339(moment or now())))

    def raw(self, reply: Reply, members: str = "") -> RawReply:
        """Return a reply in its envelope as JSON. ``members``: names of the members to return, separated by commas; empty for all."""
        data = select_members(reply.data, members) if members else reply.data
        warned = Meta(self.warnings) if self.warnings else UNSET
        if not isinstance(reply.links, ListLinks):
            return RawReply(encode_json(Data(data, warned)), reply.status, reply.headers)
        whole: Listing[Any] | Trail[Any] = Trail(data, reply.links, warned)
        if isinstance(reply.meta, ListMeta):
            whole = Listing(data, reply.links, msgspec.structs.replace(reply.meta, warnings=self.warnings or UNSET))
        return RawReply(encode_json(whole), reply.status, {"Link": link_header(reply.links), **reply.headers})


def select_members(data: Any, members: str) -> Any:
    """Return the named members (separated by commas) of an object, or of each object of a list."""
    if isinstance(data, (list, tuple)):
        return [select_members(item, members) for item in data]
    model: type[Struct] = type(data)
    names = _members_of(model)
    return {name: value for name in members.split(",") if (value := getattr(data, names[name])) is not UNSET}


@cache
def _members_of(model: type[Struct]) -> Mapping[str, str]:
    """Return the attribute names of a Struct by their names in JSON."""
    return {field.encode_name: field.name for field in msgspec.structs.fields(model)}


def require_members(members: str, model: type[Struct]) -> None:
    """Raise ValidationFailed if ``members`` (separated by commas) contains a name that the model lacks."""
    if members and not set(members.split(",")) <= _members_of(model).keys():
        raise ValidationFailed({"fields": [f"The selected fields is invalid; allowed: {', '.join(_members_of(model))}."]})


# --- operations -------------------------------------------------------------------------------------------------------


class Operation(Struct, frozen=True, kw_only=True):
    """Operation of the API: one method of one path, with its handler and documentation."""

    method: str
    path: str
    """Path below `API`."""
    replies: Mapping[int, Any]
    """Types of the body by status; None for no body."""
    errors: tuple[type[RequestError], ...]
    function: Callable[..., Any]
    is_coroutine: bool
    name: str
    summary: str
    description: str
    arguments: tuple[Any, ...]
    """Types of the path parameters."""
    query: type[Struct] = NoQuery
    body: type[Struct] | None = None
    bounds: Bounds = ORDINARY
    takes: frozenset[str] = frozenset()
    """Names of the optional arguments that the handler takes: ``query``, ``body``."""
    header_parameters: tuple[str, ...] = ()
    reply_headers: tuple[str, ...] = ()
    example: Any = None
    """Example of the body."""
    reads_only: bool = False
    """Whether a POST changes nothing, so that it requires read access only."""
    is_partial: bool = False
    """Whether only fields that are sent change."""
    deprecated: bool = False
    media_types: tuple[str, ...] = ()
    """Media types of the file that is sent in place of JSON."""
    aliases: Mapping[str, str] = {}
    """Other methods that do the same, with their summaries."""

    @property
    def scope(self) -> str:
        """Scope that an API key needs: read for GET, else write."""
        return READ if self.method == "GET" or self.reads_only else WRITE

    @property
    def item(self) -> Any:
        """Type of the objects in the response."""
        body = next(iter(self.replies.values()))
        return body.__args__[0] if body is not None else None

    @property
    def is_list(self) -> bool:
        """Whether the response is a list, selected by the query."""
        return getattr(next(iter(self.replies.values())), "__origin__", None) in (Listing, Trail)

    @property
    def endpoint(self) -> Endpoint:
        """Declaration of the operation for the router."""
        return Endpoint(self.method, (API + self.path,), self.handle)

    def with_aliases(self) -> "Iterator[Operation]":
        """Yield the operation, then one for each other method that does the same."""
        yield self
        for method, summary in self.aliases.items():
            name = self.name.replace("update", method.lower())
            is_deprecated = method == "POST"  # only older clients send POST in place of PUT
            yield msgspec.structs.replace(self, method=method, name=name, summary=summary, description="", deprecated=is_deprecated)

    async def handle(self, request: Request, **values: str) -> Response:
        """Authenticate and run the operation for a request, and return its response. Raises RequestError."""
        call = Call(request)
        if self.body is None and not self.is_coroutine:
            return (await call.service.run(self._authenticate_and_run, call, values)).response()
        await call.service.run(call.enter, self.scope)
        arguments = self._arguments(values)
        if self.body is not None:
            await call.read_body(self.body, self.bounds)
        if self.is_coroutine:
            found = await self.function(call, *arguments, **self._keywords(call))
        else:
            found = await call.service.run(self._run_handler, call, arguments)
        return self._raw(call, found).response()

    def _authenticate_and_run(self, service: Service, call: Call, values: Mapping[str, str]) -> RawReply | FileReply:
        """Authenticate and run the operation in one step, and in one transaction if it only reads."""
        if self.method != "GET":
            call.enter(service, self.scope)
            return self._raw(call, self._run_handler(service, call, self._arguments(values)))
        with service.store.one_snapshot():
            call.enter(service, self.scope)
            found = self._run_handler(service, call, self._arguments(values))
        return self._raw(call, found)

    def _run_handler(self, service: Service, call: Call, arguments: Iterable[Any]) -> Reply:
        del service
        reply: Reply = self.function(call, *arguments, **self._keywords(call))
        return reply

    def _arguments(self, values: Mapping[str, str]) -> list[Any]:
        return [id_of(text) if of is int else without_nul(text) for text, of in zip(values.values(), self.arguments, strict=True)]

    def _keywords(self, call: Call) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if "body" in self.takes and self.body is not None:
            found["body"] = read(self.body, call.fields)
            if self.is_partial and not fields_of(self.body).keys() & call.fields.keys():
                call.warnings.append(NOTHING_CHANGED)
        if "query" in self.takes:
            found["query"] = read(self.query, call.query)
            require_members(getattr(found["query"], "fields", ""), self.item)
        if call.query.get("check") in REMOVED_CHECKS:
            call.warnings.append(f"The check {call.query['check']} no longer exists.")
        call.warnings += unknown_names(self.body, call.fields) if self.body is not None else []
        call.warnings += unknown_names(self.query, call.query) if self.is_list else unknown_parameters(self.query, call.query)
        return found

    def _raw(self, call: Call, reply: Reply | RawReply | FileReply) -> RawReply | FileReply:
        if isinstance(reply, (RawReply, FileReply)):
            return reply
        members = call.query.get("fields", "") if "fields" in self.query.__struct_fields__ else ""
        return call.raw(reply, members if isinstance(members, str) else "")


CONDITIONAL_READ: dict[str, Any] = {"header_parameters": ("Prefer", "If-None-Match"), "reply_headers": ("ETag", "Preference-Applied")}
"""Headers of operations that read an object, or wait for it."""
CONDITIONAL_WRITE: dict[str, Any] = {"header_parameters": ("If-Match",), "reply_headers": ("ETag",)}
"""Headers of operations that change an object if it has the version that the client knows."""


def operation(
    method: str,
    path: str,
    replies: Mapping[int, Any],
    *errors: type[RequestError],
    name: str = "",
    **more: Any,
) -> Callable[[Callable[..., Any]], Operation]:
    """Return a decorator that declares a handler as an operation: summary and description from its docstring, the id from its name.

    ``errors`` are additional errors: NotFound for path parameters and PreconditionFailed for If-Match are always included.
    """
    if "{" in path:
        errors = (NotFound, *errors)
    if "If-Match" in more.get("header_parameters", ()):
        errors += (PreconditionFailed,)

    def decorate(function: Callable[..., Any]) -> Operation:
        hints = get_type_hints(function)
        taken: dict[str, Any] = {key: hints[key] for key in ("query", "body") if key in hints}
        summary, _, description = (inspect.getdoc(function) or "").partition("\n")
        first, *rest = (name or function.__name__).split("_")
        own: dict[str, Any] = {
            "is_coroutine": inspect.iscoroutinefunction(function),
            "name": first + "".join(map(str.capitalize, rest)),
            "summary": summary.removesuffix("."),
            "description": " ".join(description.split()),
            "arguments": tuple(hints[key] for key in list(inspect.signature(function).parameters)[1:] if key not in taken),
            "takes": frozenset(taken),
            **taken,
        }
        return Operation(method=method, path=path, replies=replies, errors=errors, function=function, **(own | more))

    return decorate


def operations_of(modules: Iterable[ModuleType]) -> tuple[Operation, ...]:
    """Return the operations that these modules declare at top level, with one for each alias."""
    declared = (value for module in modules for value in vars(module).values() if isinstance(value, Operation))
    return tuple(each for one in declared for each in one.with_aliases())
