"""Part of the OpenAPI document that generators of clients read: JSON bodies, files as bytes, no webhooks, no defaults of request bodies.

What generators do with the rest, with their default options:

- OpenAPI Generator for TypeScript writes invalid imports for ``webhooks`` and the messages in them.
- openapi-python-client writes modules that cannot be imported for operations with several media types of a body.
- openapi-python-client leaves out responses of which it knows no media type.
- openapi-typescript makes members with a default required, in requests too. OpenAPI Generator for Go cannot write objects as defaults.
- OpenAPI Generator for Go reads integers without a format into 32 bits, and fails at larger numbers.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from findable.web.bodies import JSON

Json = dict[str, Any]
_INT32 = 2**31 - 1
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')


def document_for_clients(document: Mapping[str, Any]) -> Json:
    """Return the part of a complete OpenAPI document that generators of clients read."""
    made: Json = _with_wide_integers({key: value for key, value in document.items() if key != "webhooks"})
    made["paths"] = {
        path: {method: _with_bytes(_with_json_body(one)) for method, one in item.items()} for path, item in made["paths"].items()
    }
    tags = {tag for item in made["paths"].values() for one in item.values() if isinstance(one, dict) for tag in one["tags"]}
    made["tags"] = [tag for tag in document["tags"] if tag["name"] in tags]
    schemas = {name: _without_defaults(schema) for name, schema in made["components"]["schemas"].items()}
    used = _used_schemas([made["paths"], made["components"]["responses"]], schemas)
    made["components"] = {**made["components"], "schemas": {name: schema for name, schema in schemas.items() if name in used}}
    return made


def _with_wide_integers(part: Any) -> Any:
    """Return a part of the document in which integers without a limit of 32 bits have the format int64."""
    if isinstance(part, list):
        return [_with_wide_integers(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = {key: _with_wide_integers(value) for key, value in part.items()}
    is_wide = part.get("type") == "integer" and "enum" not in part and part.get("maximum", _INT32 + 1) > _INT32
    return made | {"format": "int64"} if is_wide else made


def _with_json_body(operation: Any) -> Any:
    """Return an operation whose body is JSON only. The parameters of a path, a list, stay."""
    if not isinstance(operation, dict) or "requestBody" not in operation:
        return operation
    body = operation["requestBody"]
    return operation | {"requestBody": body | {"content": {JSON: body["content"][JSON]}}}


def _with_bytes(operation: Any) -> Any:
    """Return an operation whose files without text are bytes, of whatever type."""
    if not isinstance(operation, dict):
        return operation
    responses = {status: one | {"content": _BYTES} if _is_file(one) else one for status, one in operation["responses"].items()}
    return operation | {"responses": responses}


def _is_file(response: Json) -> bool:
    kinds = response.get("content", {})
    return bool(kinds) and not any(kind.startswith("text/") or "json" in kind for kind in kinds)


def _without_defaults(schema: Json) -> Json:
    """Return a schema whose members state their defaults in their descriptions."""
    if "properties" not in schema:
        return schema
    members: Json = {}
    for name, member in schema["properties"].items():
        members[name] = {key: value for key, value in member.items() if key != "default"}
        if member.get("default") not in (None, "", [], {}):
            stated = f"Default: {msgspec.json.encode(member['default']).decode()}."
            members[name]["description"] = f"{member.get('description', '')} {stated}".lstrip()
    return schema | {"properties": members}


def _used_schemas(roots: Any, schemas: Mapping[str, Any]) -> set[str]:
    """Return the names of the schemas that are referred to, also from other schemas."""
    used: set[str] = set()
    found = _references(roots)
    while found:
        used |= found
        found = set().union(*(_references(schemas[name]) for name in found)) - used
    return used


def _references(part: Any) -> set[str]:
    return set(_REFERENCE.findall(msgspec.json.encode(part).decode()))
