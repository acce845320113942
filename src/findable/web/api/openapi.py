"""OpenAPI 3.1 document of the API, generated from the declarations of the operations."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import msgspec
from msgspec import UNSET, Struct, inspect
from starlette.responses import Response

from findable.attribute_docs import attribute_docs
from findable.errors import (
    BadRequest,
    Forbidden,
    PayloadTooLarge,
    RateLimited,
    RequestError,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
    ValidationFailed,
)
from findable.notify.outgoing_event import EventType
from findable.notify.webhook_bodies import MESSAGES, EventMessage
from findable.service_urls import API
from findable.values import NEEDED, read_data
from findable.web import api
from findable.web.api.client_document import document_for_clients
from findable.web.api.operation import Operation, operations_of
from findable.web.api.validation import fields_of
from findable.web.bodies import JSON, MULTIPART, URLENCODED
from findable.web.problems import EXPLAINED, PLAIN_JSON, PROBLEM_JSON, RETRY_SOON_S, Error, InternalError, error_body
from findable.web.routing import Request, get

Json = dict[str, Any]
REF = "#/components/schemas/{name}"
OPERATIONS = operations_of(import_module(f"{api.__name__}.{one.name}") for one in iter_modules(api.__path__) if one.name != "openapi")
_EXAMPLES = read_data(__package__, "examples", dict[str, Any])
"""Examples by name of the schema."""
_WRITTEN = read_data(__package__, "openapi", dict[str, Any])
"""Parts of the document that no declaration of an operation contains."""
_MESSAGE_HEADERS, _REQUEST_HEADERS, _PATH_PARAMETERS = (
    _WRITTEN[name] for name in ("message_headers", "request_headers", "path_parameters")
)
_EVERYWHERE: tuple[type[RequestError], ...] = (Unauthenticated, Forbidden, RateLimited, InternalError, Unavailable)
"""Errors of every operation."""
_WITH_BODY: tuple[type[RequestError], ...] = (PayloadTooLarge, UnsupportedMediaType, ValidationFailed)
_MESSAGES: Mapping[EventType, Any] = {kind: EventMessage[of] for kind, of in MESSAGES.items()}  # type: ignore[valid-type]  # the type is created from a table


@cache
def document(base_url: str) -> Json:
    """Return the OpenAPI document of a service with this base URL."""
    return {
        **_WRITTEN["document"],
        "info": {**_WRITTEN["document"]["info"], "contact": {"name": "Findable", "url": f"{base_url}{API}/docs"}},
        "servers": [{"url": f"{base_url}{API}"}],
        "paths": _paths(),
        "webhooks": {kind.value: {"post": _webhook(kind, message)} for kind, message in _MESSAGES.items()},
        "components": {
            **_WRITTEN["components"],
            "schemas": _schemas()[1],
            "responses": {error.slug: _error_response(error) for error in EXPLAINED if error.slug in _used_errors()},
        },
    }


@cache
def document_bytes(base_url: str, *, is_complete: bool = False) -> bytes:
    """Return the OpenAPI document as JSON: whole, or as much of it as generators of clients read."""
    whole = document(base_url)
    return msgspec.json.encode(whole if is_complete else document_for_clients(whole))


@cache
def _schemas() -> tuple[Mapping[Any, Json], Json]:
    """Return the reference to the schema of each type in bodies and replies, and the schemas by name."""
    bodies = [operation.body for operation in OPERATIONS if operation.body is not None]
    replies = [reply for operation in OPERATIONS for reply in operation.replies.values() if reply is not None]
    types = list(dict.fromkeys([*bodies, *replies, *_MESSAGES.values(), Error]))
    references, components = msgspec.json.schema_components(types, ref_template=REF)
    named = {name: _envelope_name(name) for name in components}
    found: Json = _with_titled_maps(_rename_references({named[name]: schema for name, schema in components.items()}, named))
    _require_what_is_always_sent(found, [*replies, *_MESSAGES.values(), Error], bodies)
    for body in bodies:
        needed = [field.encode_name for field in msgspec.structs.fields(body) if _is_required(body, field.encode_name)]
        found[body.__name__]["required"] = list(dict.fromkeys([*found[body.__name__]["required"], *needed]))
        found[body.__name__]["example"] = next(one.example for one in OPERATIONS if one.body is body)
    for name, example in _EXAMPLES.items():
        found[name]["example"] = example
    for name, schema in found.items():
        schema["title"] = name
    for member in _members(types):
        docs = attribute_docs(member)
        for attribute, schema in found.get(member.__name__, {}).get("properties", {}).items():
            if attribute in docs and "description" not in schema:
                schema["description"] = docs[attribute]
    return dict(zip(types, (_rename_references(reference, named) for reference in references), strict=True)), found


def _with_titled_maps(components: Json) -> Json:
    """Return components where an inline map with a title is a component of this name.

    Client generators name an inline map of a member after the object and the member, which another component may be named already.
    """
    maps: Json = {}
    for schema in components.values():
        for member, inline in schema.get("properties", {}).items():
            if "additionalProperties" in inline and "title" in inline:
                maps[inline["title"]] = {key: value for key, value in inline.items() if key != "default"}
                schema["properties"][member] = {"$ref": REF.format(name=inline["title"])}
    return components | maps


def _require_what_is_always_sent(components: Json, replies: Iterable[Any], bodies: Iterable[Any]) -> None:
    """List members of replies as required if they are always sent, although the Struct has a default for them."""
    for member in set(_members(replies)) - set(_members(bodies)):
        schema = components.get(member.__name__)
        if schema is None or member.__struct_config__.omit_defaults:
            continue
        sent = [field.encode_name for field in msgspec.structs.fields(member) if field.default is not UNSET]
        schema["required"] = [tag, *sent] if (tag := member.__struct_config__.tag_field) else sent
        for name in sent:
            schema["properties"][name].pop("default", None)


def _members(types: Iterable[Any]) -> Iterator[type[Struct]]:
    """Yield the Structs that these types contain at any depth, each once."""
    todo, done = [inspect.type_info(one) for one in types], set()
    while todo:
        kind = todo.pop()
        if isinstance(kind, inspect.StructType):
            if kind.cls in done:
                continue
            done.add(kind.cls)
            if isinstance(kind.cls, type):
                yield kind.cls
        parts = (getattr(kind, name, None) for name in kind.__struct_fields__)
        todo += [part for found in parts for part in (found if isinstance(found, tuple) else (found,)) if isinstance(part, inspect.Type)]
        todo += [field.type for field in getattr(kind, "fields", ()) if isinstance(field, inspect.Field)]


def _envelope_name(name: str) -> str:
    """Return the schema name of an envelope: ``ReportData`` for ``Data_Report_``."""
    return re.sub(r"^([A-Z]\w*?)_(\w+)_$", r"\2\1", name)


def _rename_references(value: Any, names: Mapping[str, str]) -> Any:
    """Return a schema with renamed references, and with a type for enums, which client generators require."""
    if isinstance(value, dict):
        made = {
            key: REF.format(name=names[one.rpartition("/")[2]]) if key == "$ref" else _rename_references(one, names)
            for key, one in value.items()
        }
        if isinstance(value.get("enum"), list):
            return {"type": "integer" if isinstance(value["enum"][0], int) else "string", **made}
        return made
    return [_rename_references(one, names) for one in value] if isinstance(value, list) else value


def _is_required(body: type[Struct], name: str) -> bool:
    """Return whether a request without this field is an error, although the Struct has a default for it."""
    kinds = inspect.type_info(body)
    kind = next(field.type for field in kinds.fields if field.encode_name == name) if isinstance(kinds, inspect.StructType) else None
    return isinstance(kind, inspect.Metadata) and kind.extra == NEEDED.extra


def _paths() -> Json:
    found: Json = {}
    for operation in OPERATIONS:
        of_path = list(_path_parameters(operation))
        found.setdefault(operation.path, {"parameters": of_path} if of_path else {})[operation.method.lower()] = _operation(operation)
    return found


def _webhook(kind: EventType, message: Any) -> Json:
    """Return the OpenAPI description of the request that a webhook receives for a type of event."""
    return {
        "operationId": "on" + "".join(map(str.capitalize, kind.value.split("."))),
        "tags": ["messages"],  # a tag that no route has, because OpenAPI Generator writes each tag to one file
        "summary": kind.words,
        "description": "Signed by Standard Webhooks. Repeated until the receiver returns 2xx, always with the same webhook-id.",
        "parameters": [{"name": name, "in": "header", "required": True, **parameter} for name, parameter in _MESSAGE_HEADERS.items()],
        "requestBody": {"required": True, "content": {PLAIN_JSON: {"schema": _schemas()[0][message]}}},
        "responses": {"2XX": {"description": "The message has arrived."}, "410": {"description": "Disables the webhook."}},
        "security": [],
    }


def _operation(operation: Operation) -> Json:
    references = _schemas()[0]
    headers = ({"name": name, "in": "header", "required": False, **_REQUEST_HEADERS[name]} for name in operation.header_parameters)
    made: Json = {
        "operationId": operation.name,
        "tags": [operation.path.split("/")[1]],
        "summary": operation.summary,
        "description": operation.description or f"{operation.summary}.",
        "parameters": [*_query_parameters(operation.query), *headers],
        "responses": {
            **{str(status): _response(operation, status, reply, references) for status, reply in operation.replies.items()},
            **{str(error.status): {"$ref": f"#/components/responses/{error.slug}"} for error in reversed(_errors(operation))},
        },
    }
    if operation.body is not None:
        content = {"schema": references[operation.body]}
        made["requestBody"] = {"required": not operation.is_partial, "content": {JSON: content, URLENCODED: content, MULTIPART: content}}
    return made | ({"deprecated": True} if operation.deprecated else {})


def _errors(operation: Operation) -> list[type[RequestError]]:
    """Return the errors of an operation in order of precedence: of those with the same status, only the first is documented."""
    has_query = bool(fields_of(operation.query))
    own = [*operation.errors, BadRequest, *(_WITH_BODY if operation.body else ()), *([ValidationFailed] if has_query else ())]
    return [*own, *_EVERYWHERE]


@cache
def _used_errors() -> frozenset[str]:
    """Return the codes of the errors that are documented for at least one operation."""
    return frozenset(
        {error.status: error for error in reversed(_errors(operation))}[status].slug
        for operation in OPERATIONS
        for status in {error.status for error in _errors(operation)}
    )


def _response(operation: Operation, status: int, reply: Any, references: Mapping[Any, Json]) -> Json:
    own = operation.reply_headers if status < HTTPStatus.MULTIPLE_CHOICES else ("ETag",)
    found: Json = {
        "description": f"{HTTPStatus(status).phrase}.",
        "headers": _named_headers("X-Request-Id", "RateLimit", "RateLimit-Policy", *own),
    }
    if operation.media_types:
        return found | {"content": {name: {"schema": {"type": "string"}} for name in operation.media_types}}
    return found if reply is None else found | {"content": {PLAIN_JSON: {"schema": references[reply]}}}


def _error_response(error: type[RequestError]) -> Json:
    made = error.__new__(error)
    RequestError.__init__(made, error.title)
    example = msgspec.to_builtins(error_body(made, "https://seo.example.com", f"{API}/reports", "9f1c2d3e4b5a6978"))
    schema = {"$ref": REF.format(name="Error")}
    own = ["Retry-After"] if error.slug in RETRY_SOON_S else ["WWW-Authenticate"] if error is Unauthenticated else []
    return {
        "description": EXPLAINED[error],
        "headers": _named_headers("X-Request-Id", *own),
        "content": {PLAIN_JSON: {"schema": schema, "example": example}, PROBLEM_JSON: {"schema": schema}},
    }


def _named_headers(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _path_parameters(operation: Operation) -> Iterable[Json]:
    for name, of in zip(re.findall(r"\{(\w+)\}", operation.path), operation.arguments, strict=True):
        written = _PATH_PARAMETERS[name if name != "id" else operation.path.split("/")[1]]
        schema = {"type": "integer", "minimum": 1} if of is int else {"type": "string", "minLength": 1}
        yield {"name": name, "in": "path", "required": True, **written, "schema": {**schema, **written.get("schema", {})}}


def _query_parameters(model: type[Struct]) -> Iterable[Json]:
    (_,), components = msgspec.json.schema_components([model], ref_template=REF)
    docs = attribute_docs(model)
    for name, member in components[model.__name__]["properties"].items():
        schema = {"description": docs.get(name, ""), **member}
        reference = schema.pop("$ref", "")
        if reference:
            schema |= {key: value for key, value in components[reference.rpartition("/")[2]].items() if key == "enum"}
        schema = _rename_references(schema, {})
        if schema.get("default", "") == "":
            schema.pop("default", None)
        yield {"name": name, "in": "query", "required": False, "description": schema.pop("description", ""), "schema": schema}


@get(f"{API}/openapi.json")
async def get_openapi(request: Request) -> Response:
    """Return the OpenAPI document of this service as JSON: without what generators of clients cannot read, or with ``complete=1`` whole."""
    body = document_bytes(request.urls.base_url, is_complete=request.query.get("complete") == "1")
    return Response(body, 200, {"Cache-Control": "public, max-age=300"}, PLAIN_JSON)
