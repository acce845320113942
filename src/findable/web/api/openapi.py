"""The OpenAPI 3.1 document, from what the endpoints declare."""

from functools import cache
from typing import Any

from litestar.serialization import encode_json
from pydantic import TypeAdapter

from findable.web.api import response_shapes
from findable.web.api.api_urls import API, ListLinks
from findable.web.api.openapi_parts import ERRORS, HEADERS, REF, Json, error_response
from findable.web.api.operations import paths

_INTRODUCTION = """Make, list, read, change and delete SEO reports.

Every request carries `Authorization: Bearer KEY`. Bodies are sent as `application/x-www-form-urlencoded`, `multipart/form-data` or JSON.
Answers are JSON whatever `Accept` says. A report takes seconds: `POST /reports` waits up to 20 s for it and answers 201, or 202 when it
takes longer; then ask `GET /reports/{id}?wait=20`. Errors carry the members of RFC 9457 and `message` and `errors`."""
_SHAPES: dict[str, Any] = {
    "Report": response_shapes.Report,
    "Summary": response_shapes.Summary,
    "Project": response_shapes.Project,
    "ProjectWhole": response_shapes.ProjectWhole,
    "Run": response_shapes.Run,
    "Changes": response_shapes.ChangesShape,
    "Client": response_shapes.Client,
    "Link": response_shapes.Link,
    "Batch": response_shapes.Batch,
    "BatchSummary": response_shapes.BatchSummary,
    "Member": response_shapes.Member,
    "ListMeta": response_shapes.ListMeta,
    "ListLinks": ListLinks,
}


@cache
def document(base_url: str) -> Json:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Findable",
            "version": "1",
            "description": _INTRODUCTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{base_url}{API}"}],
        "security": [{"key": []}],
        "tags": [{"name": "reports"}, {"name": "projects"}, {"name": "batches"}, {"name": "account"}],
        "paths": paths(),
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key with the scopes read, write or both."}
            },
            "schemas": _schemas(),
            "headers": HEADERS,
            "responses": {slug: error_response(slug) for slug in ERRORS},
        },
    }


@cache
def document_bytes(base_url: str) -> bytes:
    """The same as JSON."""
    return encode_json(document(base_url))


def _schemas() -> Json:
    definitions: Json = {}
    for name, shape in _SHAPES.items():
        schema = TypeAdapter(shape).json_schema(ref_template=REF)
        definitions |= schema.pop("$defs", {})
        definitions[name] = schema
    definitions["Error"] = _ERROR_SCHEMA
    return definitions


_ERROR_SCHEMA: Json = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance", "code", "message", "errors", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string", "enum": sorted(ERRORS)},
        "message": {"type": "string"},
        "errors": {
            "type": "object",
            "description": "Field to sentences.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "request_id": {"type": "string"},
    },
}
