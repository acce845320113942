"""Validation of the fields of a request, each separately, so that all errors are reported at once."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, overload

import msgspec
from msgspec import UNSET, Struct, UnsetType, inspect

from findable.errors import require_valid
from findable.values import MESSAGE
from findable.web.bodies import Kinds

Model = TypeVar("Model", bound=Struct)
T = TypeVar("T")
D = TypeVar("D")
_MESSAGES: dict[type, str] = {
    inspect.BoolType: "The {field} field must be true or false.",
    inspect.BytesType: "The {field} field must be a file, or base64.",
    inspect.DateTimeType: "The {field} field must be a date-time like 2026-11-21T10:00:04Z.",
    inspect.DateType: "The {field} field must be a date like 2027-01-31.",
    inspect.DictType: "The {field} field must be an object.",
    inspect.FloatType: "The {field} field must be a number.",
    inspect.IntType: "The {field} field must be a whole number.",
    inspect.ListType: "The {field} field must be a list.",
    inspect.StrType: "The {field} field must be a string.",
    inspect.StructType: "The {field} field must be an object.",
}


class Field(Struct, frozen=True):
    """Field of a request: its annotated type, and its ``kind``, the type without ``Meta``, ``UNSET`` and null."""

    name: str
    attribute: str
    """Name in the Struct, which differs if the JSON name is a keyword."""
    annotation: Any
    kind: inspect.Type
    choices: tuple[Any, ...]
    """Allowed values of the field or of list members; empty if any is allowed."""
    message: str
    is_required: bool
    is_nullable: bool


@cache
def fields_of(model: type[Struct]) -> Mapping[str, Field]:
    """Return the fields of a Struct by their names in a request."""
    annotations = {field.encode_name: field.type for field in msgspec.structs.fields(model)}
    kinds = inspect.type_info(model)
    assert isinstance(kinds, inspect.StructType)  # noqa: S101 - for the type checker
    return {field.encode_name: _field(field, annotations[field.encode_name]) for field in kinds.fields}


def _field(field: inspect.Field, annotation: Any) -> Field:
    kind, message, is_nullable = field.type, "", False
    while isinstance(kind, (inspect.Metadata, inspect.UnionType)):
        if isinstance(kind, inspect.Metadata):
            message = (kind.extra or {}).get(MESSAGE, message)
            kind = kind.type
        else:
            is_nullable = any(isinstance(one, inspect.NoneType) for one in kind.types)
            (kind,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
    return Field(field.encode_name, field.name, annotation, kind, _choices(annotation), message, field.required, is_nullable)


def _choices(annotation: Any) -> tuple[Any, ...]:
    """Return the allowed values of a type in the order of their declaration, which msgspec does not preserve; empty if any is allowed."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(choice.value for choice in annotation)
    return next((found for part in get_args(annotation) if (found := _choices(part))), ())


@cache
def kinds_of(model: type[Struct]) -> Kinds:
    """Return the names of a Struct's fields that are not plain text, for reading the body."""
    fields = fields_of(model).values()
    return Kinds(
        lists=frozenset(field.name for field in fields if isinstance(field.kind, inspect.ListType)),
        objects=frozenset(field.name for field in fields if isinstance(field.kind, inspect.DictType)),
        clearable=frozenset(field.name for field in fields if field.is_nullable),
        files=frozenset(field.name for field in fields if isinstance(field.kind, inspect.BytesType)),
        after_url=Kinds().after_url | {field.name for field in fields} - {"url"},
    )


def read(model: type[Model], fields: Mapping[str, Any]) -> Model:
    """Return the fields of a request as a Struct. Raises ValidationFailed with the sentences of all invalid fields."""
    values, wrong = _read(model, fields, "")
    require_valid(wrong)
    return model(**values)


def errors_of(model: type[Struct], fields: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the error sentences of the fields of a request, by field; empty if all are valid."""
    return _read(model, fields, "")[1]


def _read(model: type[Struct], fields: Mapping[str, Any], prefix: str) -> tuple[dict[str, Any], dict[str, list[str]]]:
    values: dict[str, Any] = {}
    wrong: dict[str, list[str]] = {}
    for field in fields_of(model).values():
        if field.name in fields:
            name, value = f"{prefix}{field.name}", _prepare(field, fields[field.name])
            try:
                values[field.attribute] = msgspec.convert(value, field.annotation)
            except msgspec.ValidationError:
                for of, sentence in _sentences(field, name, value):
                    wrong.setdefault(of, []).append(sentence)
        elif field.is_required:
            wrong[f"{prefix}{field.name}"] = [f"The {prefix}{field.name} field is required."]
    return values, wrong


def _prepare(field: Field, value: Any) -> Any:
    """Return the number, time or null that a text of a form represents; other values unchanged, for the type to reject."""
    if not isinstance(value, str):
        return value
    if field.is_nullable and not value:
        return None
    if isinstance(field.kind, inspect.DateTimeType):
        return _moment(value)
    if isinstance(field.kind, inspect.FloatType):
        return float(value) if re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", value, re.ASCII) else value
    is_whole = isinstance(field.kind, inspect.IntType) or any(isinstance(choice, int) for choice in field.choices)
    return int(value) if is_whole and re.fullmatch(r"-?\d{1,15}", value, re.ASCII) else value


def _moment(text: str) -> Any:
    """Return the time of an RFC 3339 text in UTC, the text if it is no date. A space before the offset is an unescaped ``+``."""
    if not re.match(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        return text
    try:
        moment = datetime.fromisoformat(re.sub(r"(?<=\d) (?=\d\d:\d\d\Z)", "+", text) if "T" in text else text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""


def _sentences(field: Field, name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the names and error sentences for an invalid value, worded as by Laravel."""
    kind = field.kind
    if field.choices and not field.message and (isinstance(value, list) or not isinstance(kind, inspect.ListType)):
        yield name, f"The selected {name} is invalid; allowed: {', '.join(map(str, field.choices))}."
    elif isinstance(kind, inspect.ListType) and isinstance(value, list):
        yield name, f"The {name} field must be a list of strings."
    elif isinstance(kind, inspect.DictType) and isinstance(value, dict):
        # members of an object have errors of their own, named field.member
        wrong = (name if "." in name else f"{name}.{key}" for key, one in value.items() if not isinstance(one, str))
        yield from ((of, f"The {of} field must be a string.") for of in dict.fromkeys(wrong))
    elif isinstance(kind, inspect.StructType) and isinstance(value, dict):
        for of, sentences in _read(kind.cls, value, f"{name}.")[1].items():
            yield from ((of, sentence) for sentence in sentences)
        yield from ((f"{name}.{key}", f"The {name}.{key} field is not known.") for key in value if key not in fields_of(kind.cls))
    elif isinstance(kind, inspect.IntType) and type(value) is int:
        is_low = kind.ge is not None and value < kind.ge
        yield name, f"The {name} field must be at least {kind.ge}." if is_low else f"The {name} field must not be greater than {kind.le}."
    elif isinstance(kind, inspect.FloatType) and type(value) in (int, float) and kind.gt is not None:
        yield name, f"The {name} field must be greater than {kind.gt:g}."
    elif isinstance(kind, inspect.StrType) and isinstance(value, str) and not field.message:
        yield name, f"The {name} field must not be longer than {kind.max_length} characters."
    else:
        yield name, (field.message or _MESSAGES[type(kind)]).format(field=name)


def unknown_names(model: type[Struct], fields: Mapping[str, Any]) -> list[str]:
    """Return a warning for each field of a request that the Struct does not have."""
    return [f"The field {name[:100]} is not known and was ignored." for name in fields if name not in fields_of(model)]


def unknown_parameters(model: type[Struct], query: Mapping[str, Any]) -> list[str]:
    """Return a warning for each query parameter that is unknown and therefore ignored."""
    return [f"The parameter {name[:100]} in the URL was ignored." for name in query if name not in fields_of(model)]


def input_of(kind: type[Model], body: Struct, **own: Any) -> Model:
    """Return the input of a use case, with the fields of ``body`` that have the same names and were sent, and with ``own`` fields."""
    names = [name for name in kind.__struct_fields__ if name not in own]
    return kind(**{name: value for name in names if (value := getattr(body, name, UNSET)) is not UNSET}, **own)


@overload
def value_or(value: T | UnsetType) -> T | None: ...
@overload
def value_or(value: T | UnsetType, default: D) -> T | D: ...
def value_or(value: Any, default: Any = None) -> Any:
    """Return the value of an optional field of a request, or the default if it was not sent."""
    return default if value is UNSET else value
