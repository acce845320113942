"""Arguments of the agent tools: their types, and the structs and JSON schemas that are generated from the parameters of the tools."""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta, Struct

from findable.errors import ValidationFailed
from findable.urls import MAX_URL_CHARS

Url = Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="URL; without a scheme https is tried first.")]
ReportId = Annotated[int, Meta(ge=1, le=2**53, description="Id of a report.")]
CrawlId = Annotated[int, Meta(ge=1, le=2**53, description="Id of a crawl.")]
Cursor = Annotated[str, Meta(max_length=500, description="Cursor from the previous response.")]
Name = Annotated[str, Meta(max_length=200)]
FindingKey = Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="Key of the finding, or id of its check.")]
AnyFindingKey = Annotated[
    str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="Key of the finding, or id of its check in a report.")
]


def arguments_of(tool: Callable[..., Any]) -> type[Struct]:
    """Return the struct of the parameters of a tool, by their annotations; unknown arguments are errors."""
    hints = get_type_hints(tool, include_extras=True)
    parameters = list(inspect.signature(tool).parameters.values())[1:]
    fields = [(one.name, hints[one.name], *([] if one.default is one.empty else [one.default])) for one in parameters]
    return msgspec.defstruct(tool.__name__, fields, frozen=True, kw_only=True, forbid_unknown_fields=True)


def subject(report: int | None, crawl: int | None) -> tuple[int | None, int]:
    """Return the id of the report, None for a crawl, and the id of the crawl. Raises ValidationFailed unless one of them was sent."""
    if (report is None) == (crawl is None):
        raise ValidationFailed({"report": ["Send the id of a report or of a crawl."]})
    return report, crawl or 0


def json_schema(kind: type[Struct]) -> dict[str, Any]:
    """Return the JSON schema of a Struct, with the schemas of its members under ``$defs``, without titles and descriptions of types."""
    _, parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for part in parts.values():
        for name in ("title", "description"):
            part.pop(name, None)
    own = dict(parts.pop(kind.__name__))
    return {**own, "$defs": parts} if parts else own


def arguments_schema(kind: type[Struct]) -> dict[str, Any]:
    """Return the JSON schema of arguments. An optional argument may be left out, but is not declared as nullable.

    Models and command lines send numbers as text where a schema allows several types.
    """
    schema = json_schema(kind)
    schema["properties"] = {name: _not_null(member) for name, member in schema.get("properties", {}).items()}
    return schema


def _not_null(member: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an argument without the type null and its default."""
    others = [one for one in member.get("anyOf", ()) if one != {"type": "null"}]
    if len(others) != 1:
        return dict(member)
    return {**{name: value for name, value in member.items() if name not in ("anyOf", "default")}, **others[0]}
