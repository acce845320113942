"""What an OpenAPI document is put together from: answers, parameters, bodies, and references to what stands once."""

from typing import Any

from pydantic import BaseModel

from findable.web.api.api_urls import API
from findable.web.bodies import JSON, MULTIPART, URLENCODED
from findable.web.problems import EXPLAINED, PLAIN_JSON, PROBLEM_JSON, RETRY_SOON_S

REF = "#/components/schemas/{model}"
Json = dict[str, Any]
ERRORS = {error.slug: error for error in EXPLAINED}
"""By their codes."""
_EVERYWHERE = ("unauthenticated", "forbidden", "rate_limited", "internal_error", "unavailable")
"""What any request may be answered."""
WITH_BODY = ("bad_request", "payload_too_large", "unsupported_media_type", "validation_failed")
"""What any body may be answered."""
HEADERS: Json = {
    "X-Request-Id": {"description": "Finds the request in our log.", "schema": {"type": "string"}},
    "ETag": {"description": "Version of the report.", "schema": {"type": "string"}},
    "Location": {"description": "Address of the report.", "schema": {"type": "string", "format": "uri"}},
    "Link": {"description": "Other pages of the list (RFC 8288).", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}},
    "Idempotent-Replayed": {"description": "The reply to an earlier request with that Idempotency-Key.", "schema": {"const": "true"}},
    "Preference-Applied": {"description": "What was followed of Prefer (RFC 7240).", "schema": {"type": "string"}},
    "WWW-Authenticate": {"description": "Keys go into Authorization: Bearer KEY.", "schema": {"type": "string"}},
    "RateLimit": {"description": "What is left of the minute.", "schema": {"type": "string"}},
    "RateLimit-Policy": {"description": "Requests a minute for each key.", "schema": {"type": "string"}},
}
_EMPTY: Json = {"const": "", "description": "Counts as absent, as an empty text does for every field."}


def error_response(slug: str) -> Json:
    """The response of an error, by its code: referred to by `errors`."""
    error = ERRORS[slug]
    example = {
        "type": f"https://seo.example.com/errors/{slug}",
        "title": error.title,
        "status": error.status,
        "detail": error.title,
        "instance": f"{API}/reports",
        "code": slug,
        "message": error.title,
        "errors": {},
        "request_id": "9f1c2d3e4b5a6978",
    }
    schema = {"$ref": REF.format(model="Error")}
    own = ["Retry-After"] if slug in RETRY_SOON_S else ["WWW-Authenticate"] if slug == "unauthenticated" else []
    return {
        "description": EXPLAINED[error],
        "headers": named_headers("X-Request-Id", *own),
        "content": {PLAIN_JSON: {"schema": schema, "example": example}, PROBLEM_JSON: {"schema": schema}},
    }


def errors(*slugs: str) -> Json:
    """Responses by status; two codes with one status share an entry."""
    found: Json = {}
    for slug in (*slugs, *_EVERYWHERE):
        found.setdefault(str(ERRORS[slug].status), {"$ref": f"#/components/responses/{slug}"})
    return found


def ref(model: str) -> Json:
    """A reference to a schema."""
    return {"$ref": REF.format(model=model)}


def answer(description: str, schema: Json, *headers: str, example: Any = None) -> Json:
    """A response that is no error; ``headers`` are named besides those of every answer."""
    content: Json = {"schema": schema}
    if example is not None:
        content["example"] = example
    return {
        "description": description,
        "headers": named_headers("X-Request-Id", "RateLimit", "RateLimit-Policy", *headers),
        "content": {PLAIN_JSON: content},
    }


def named_headers(*names: str) -> Json:
    """References to headers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def envelope(schema: Json) -> Json:
    """The envelope of one object."""
    meta = {"type": "object", "properties": {"warnings": {"type": "array", "items": {"type": "string"}}}}
    return {"type": "object", "required": ["data"], "properties": {"data": schema, "meta": meta}}


def list_of(model: str) -> Json:
    """The envelope of a page of a list."""
    return {
        "type": "object",
        "required": ["data", "links", "meta"],
        "properties": {"data": {"type": "array", "items": ref(model)}, "links": ref("ListLinks"), "meta": ref("ListMeta")},
    }


def query_parameters(model: type[BaseModel]) -> list[Json]:
    """Parameters from a model of the query."""
    schema = model.model_json_schema()
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": member.pop("description", ""),
            "schema": _plain(member, schema.get("$defs", {})),
        }
        for name, member in schema["properties"].items()
    ]


def _plain(member: Json, definitions: Json) -> Json:
    """A member without null (a query cannot say it), references resolved."""
    if "anyOf" in member:
        (kept,) = (choice for choice in member["anyOf"] if choice.get("type") != "null")
        member = {**kept, **{name: value for name, value in member.items() if name not in ("anyOf", "default") or value}}
        member.pop("anyOf", None)
    if member.get("default", "") in ("", None):
        member.pop("default", None)
    if "$ref" in member:
        found = definitions[member.pop("$ref").rpartition("/")[2]]
        member = {**{name: value for name, value in found.items() if name not in ("title", "description")}, **member}
    member.pop("title", None)
    if member.get("format"):
        member = {"anyOf": [{"type": member.pop("type"), "format": member.pop("format")}, _EMPTY], **member}
    return member


def _or_null(member: Json) -> Json:
    """``null`` counts as absent where it can be said."""
    types = member["type"] if isinstance(member["type"], list) else [member["type"]]
    nullable = {**member, "type": [*types, "null"]}
    return {**nullable, "enum": [*member["enum"], None]} if "enum" in member else nullable


def request_body(model: type[BaseModel], example: Json, *, required: bool) -> Json:
    """A body from its model, in each of the types that are read."""
    schema = model.model_json_schema()
    flat = {
        "type": "object",
        "properties": {name: _or_null(_plain(member, schema.get("$defs", {}))) for name, member in schema["properties"].items()},
        "required": schema.get("required", []),
    }
    content = {"schema": flat, "example": example}
    return {"required": required, "content": {URLENCODED: content, JSON: content, MULTIPART: content}}


def path_parameter(name: str, description: str, schema: Json, example: Any) -> Json:
    """A part of the path."""
    return {"name": name, "in": "path", "required": True, "description": description, "schema": schema, "example": example}


def header_parameter(name: str, description: str, schema: Json | None = None) -> Json:
    """A header of the request; a text where no schema is given."""
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema or {"type": "string"}}


def operation(name: str, tag: str, summary: str, responses: Json, **more: Any) -> Json:
    """What one method of one path does."""
    return {"operationId": name, "tags": [tag], "summary": summary, "responses": responses, **more}
