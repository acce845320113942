"""Read and write a capture as one JSON file.

The file is UTF-8 JSON with sorted keys and escaped control characters: ``format`` and one member for each root. Bodies are
``{"text": …}`` if they are valid UTF-8 that grows little in JSON, and ``{"base64": …}`` otherwise. Fields with their default value are
left out.
`load(dump(c)) == c`.
"""

import base64
import codecs
import json
import typing
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from findable.capture.capture import Capture
from findable.capture.response import ProbeResponse
from findable.capture.site import SiteCapture
from findable.control_characters import escape_json, escaped_count
from findable.errors import SavedPageError

Kind = TypeVar("Kind")
FORMAT = "findable.page/2"
MAX_ESCAPED_SHARE = 15
"""Maximum share of control characters, one in this many bytes: JSON takes six bytes for each, and base64 adds a third to everything.
"""
PIECE_BYTES = 3 << 18
"""Size above which a body is written in pieces; a multiple of three, as base64 requires.

A body as one text may take four times its size in memory, several times over.
"""
_ESCAPED = bytes(byte for byte in range(32) if byte not in b"\t\n\f\r\b")
"""Control characters for which JSON has no short escape."""


def dump(capture: Capture) -> bytes:
    """Serialize the capture; the same capture always gives the same bytes."""
    roots = {name: getattr(capture, name) for name in Capture.__struct_fields__}
    return _serialize({"format": FORMAT, **{name: root for name, root in roots.items() if root is not None}})


def load(data: bytes) -> Capture:
    """Parse a saved page. Raises SavedPageError if it is not one."""
    try:
        document = _parse(data)
    except (ValueError, RecursionError) as error:
        raise SavedPageError("not a saved page: the file is not JSON") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SavedPageError(f"not a saved page of format {FORMAT}")
    try:
        return _decode(Capture, document)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise SavedPageError(f"the saved page is damaged: {error}") from error


def dump_site(site: SiteCapture) -> bytes:
    """Serialize a site capture to share it with other reports of the site."""
    return _serialize(site)


def load_site(data: bytes) -> SiteCapture:
    """Parse a site capture. Raises SavedPageError if it is not one."""
    return _read(SiteCapture, data)


def dump_responses(responses: Sequence[ProbeResponse]) -> bytes:
    """Serialize link responses to share them with other reports of the site."""
    return _serialize(tuple(responses))


def load_responses(data: bytes) -> tuple[ProbeResponse, ...]:
    """Parse link responses. Raises SavedPageError if they are not valid."""
    return _read(tuple[ProbeResponse, ...], data)


def _serialize(value: Any) -> bytes:
    bodies: list[bytes] = []
    encoded = _encode(value, bodies)
    text = json.dumps(encoded, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    data = escape_json(text.encode("utf-8", "surrogatepass"))
    for number, body in enumerate(bodies):
        before, _, after = data.partition(_placeholder(number).encode())
        data = b"".join((before, *_pieces(body), after))
    return data


def _placeholder(number: int) -> str:
    """Return a placeholder for a body. No text of a page can equal it: its quotes would be escaped, and no field name is empty."""
    return f'{{"":{number}}}'


def _pieces(body: bytes) -> Iterator[bytes]:
    """Yield the JSON of a body in pieces that add up to that of `_encode`."""
    if _is_text(body):
        decode = codecs.getincrementaldecoder("utf-8")().decode
        yield b'{"text":"'
        for start in range(0, len(body), PIECE_BYTES):
            yield escape_json(json.dumps(decode(body[start : start + PIECE_BYTES]), ensure_ascii=False).encode())[1:-1]
    else:
        yield b'{"base64":"'
        for start in range(0, len(body), PIECE_BYTES):
            yield base64.b64encode(body[start : start + PIECE_BYTES])
    yield b'"}'


def _parse(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # a lone surrogate, which scripts can create, or invalid JSON
        return json.loads(data.decode("utf-8", "surrogatepass"))


def _read(kind: type[Kind], data: bytes) -> Kind:
    try:
        return _decode(kind, _parse(data))
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise SavedPageError(f"the stored site data is invalid: {error}") from error


def _encode(value: Any, bodies: list[bytes]) -> Any:
    """Return a value as JSON types. A large body is appended to ``bodies`` and replaced with `_placeholder` of its index."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        if len(value) > PIECE_BYTES:
            bodies.append(value)
            return {"": len(bodies) - 1}
        return {"text": value.decode()} if _is_text(value) else {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, tuple):
        return [_encode(item, bodies) for item in value]
    if isinstance(value, dict):
        return {name: _encode(member, bodies) for name, member in value.items()}
    if isinstance(value, Struct):
        encoded = {}
        shape: Any = type(value)
        for name, (kind, default) in _schema(shape).items():
            member = getattr(value, name)
            if kind is float:
                member = float(member)
            if member != default:
                encoded[name] = _encode(member, bodies)
        return encoded
    return value


def _is_text(body: bytes) -> bool:
    """Return whether the body is UTF-8 and has so few control characters that JSON is smaller than base64."""
    count = len(body) - len(body.translate(None, _ESCAPED)) + escaped_count(body)
    return count * MAX_ESCAPED_SHARE <= len(body) and _is_utf8(body)


@cache
def _schema(kind: Any) -> dict[str, tuple[Any, Any]]:
    """Return field name to (type, default); NODEFAULT if there is no default."""
    hints = typing.get_type_hints(kind)
    schema = {}
    for member in fields(kind):
        default = member.default
        if default is NODEFAULT and member.default_factory is not NODEFAULT:
            default = member.default_factory()
        schema[member.name] = (hints[member.name], default)
    return schema


def _decode(kind: type[Kind], value: Any) -> Kind:
    """Convert parsed JSON to a value of the type. Raises ValueError."""
    return msgspec.convert(_with_bodies(value), kind, builtin_types=(bytes,))


def _with_bodies(value: Any) -> Any:
    """Return parsed JSON with bodies as bytes. No value class has only a text, so that an object with one member of these is a body."""
    if isinstance(value, list):
        return [_with_bodies(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"text"}:
        return value["text"].encode("utf-8")
    if value.keys() == {"base64"}:
        return base64.b64decode(value["base64"], validate=True)
    return {name: _with_bodies(member) for name, member in value.items()}


def _is_utf8(body: bytes) -> bool:
    """Return whether all bytes are UTF-8. They are decoded in pieces, because the text may take four times the memory of the bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(body), PIECE_BYTES):
            decoder.decode(body[start : start + PIECE_BYTES])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
