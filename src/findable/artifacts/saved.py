"""A capture as one JSON file and back.

The file is UTF-8 JSON with sorted keys; bodies are ``{"text": …}`` where they are valid UTF-8 and ``{"base64": …}`` elsewhere;
fields that hold their default are left out. `load(dump(c)) == c`.
"""

import base64
import json
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast

from findable.artifacts.capture import Capture
from findable.errors import SavedPageError

FORMAT = "findable.page/1"


def dump(capture: Capture) -> bytes:
    """The saved page, deterministic."""
    document = {"format": FORMAT, "page": _encode(capture)}
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")


def load(data: bytes) -> Capture:
    """Reads a saved page. Raises SavedPageError where it is not one."""
    try:
        document = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        msg = "not a saved page: the file is not JSON"
        raise SavedPageError(msg) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        msg = f"not a saved page of format {FORMAT}"
        raise SavedPageError(msg)
    try:
        return cast("Capture", _decode(Capture, document["page"]))
    except (KeyError, TypeError, ValueError) as error:
        msg = f"the saved page is damaged: {error}"
        raise SavedPageError(msg) from error


def _encode(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        try:
            return {"text": value.decode("utf-8")}
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if is_dataclass(value):
        encoded = {}
        shape: Any = type(value)
        for name, (kind, default) in _schema(shape).items():
            member = getattr(value, name)
            if kind is float:
                member = float(member)
            if member != default:
                encoded[name] = _encode(member)
        return encoded
    return value


@cache
def _schema(kind: Any) -> dict[str, tuple[Any, Any]]:
    """Field name to (type, default), MISSING where there is no default."""
    hints = typing.get_type_hints(kind)
    schema = {}
    for member in fields(kind):
        default = member.default
        if default is MISSING and member.default_factory is not MISSING:
            default = member.default_factory()
        schema[member.name] = (hints[member.name], default)
    return schema


def _decode(kind: Any, value: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        kind = next(arm for arm in typing.get_args(kind) if arm is not type(None))
        return _decode(kind, value)
    if origin is tuple:
        arms = typing.get_args(kind)
        if len(arms) == 2 and arms[1] is ...:  # noqa: PLR2004 - tuple[X, ...]
            return tuple(_decode(arms[0], item) for item in value)
        return tuple(_decode(arm, item) for arm, item in zip(arms, value, strict=True))
    if kind is bytes:
        return value["text"].encode("utf-8") if "text" in value else base64.b64decode(value["base64"], validate=True)
    if is_dataclass(kind):
        return _decode_members(kind, value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if kind is float and isinstance(value, int):
        return float(value)
    if not isinstance(value, kind):
        msg = f"expected {kind.__name__}, found {type(value).__name__}"
        raise TypeError(msg)
    return value


def _decode_members(kind: Any, value: Any) -> Any:
    members = {}
    for name, (member_kind, default) in _schema(kind).items():
        if name in value:
            members[name] = _decode(member_kind, value[name])
        elif default is MISSING:
            raise KeyError(name)
    return kind(**members)
