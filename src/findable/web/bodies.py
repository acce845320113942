"""Reads the body of a request before any framework does: bounded, in the three ways clients send fields.

A body is a flat set of named fields. Of equal names the last wins, an empty text counts as absent, as does ``null`` in JSON.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from litestar.exceptions import SerializationException
from litestar.serialization import decode_json

from findable.errors import BadRequest, PayloadTooLarge, UnsupportedMediaType

MAX_BODY_BYTES = 64 * 1024
MAX_FIELDS = 64
BODY_DEADLINE_S = 10.0
"""A body that takes longer than this is given up: it holds a connection for nothing."""

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
JSON = "application/json"

Fields = Mapping[str, Any]
"""Field names to text, or to what stands in the JSON."""
Receive = Callable[[], Awaitable[Mapping[str, Any]]]


async def read_body(headers: Mapping[str, str], receive: Receive) -> bytes:
    """The bytes of the body. Raises PayloadTooLarge beyond MAX_BODY_BYTES and BadRequest where it does not arrive in time."""
    stated = headers.get("content-length", "0")
    if stated.isascii() and stated.isdigit() and int(stated) > MAX_BODY_BYTES:
        raise PayloadTooLarge(_TOO_LARGE)
    received = bytearray()
    try:
        async with asyncio.timeout(BODY_DEADLINE_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise BadRequest("The body ended early.")
                received += message.get("body", b"")
                if len(received) > MAX_BODY_BYTES:
                    raise PayloadTooLarge(_TOO_LARGE)
                if not message.get("more_body"):
                    return bytes(received)
    except TimeoutError as error:
        raise BadRequest(f"The body did not arrive within {BODY_DEADLINE_S:.0f} seconds.") from error


_TOO_LARGE = f"The body may have at most {MAX_BODY_BYTES // 1024} KiB."
_TOO_MANY = f"The body may have at most {MAX_FIELDS} fields."


def parse_fields(body: bytes, content_type: str = "", content_encoding: str = "", lists: frozenset[str] = frozenset()) -> Fields:
    """The fields of a body; an empty one has none, whatever its type.

    A field named in ``lists`` is a list of all its values (``name=…``, ``name[]=…``, one on a line); sent empty, an empty one.

    Raises:
        BadRequest: it is malformed, or a NUL stands in it.
        PayloadTooLarge: it has more than MAX_FIELDS fields.
        UnsupportedMediaType: it is neither urlencoded (or without a type), multipart nor JSON in UTF-8, or it is compressed.
    """
    if not body:
        return {}
    if content_encoding.strip().lower() not in ("", "identity"):
        raise UnsupportedMediaType("Compressed request bodies are not read.")
    media_type, parameters = parse_content_type(content_type)
    if parameters.get("charset", "utf-8").lower().replace("_", "-") not in ("utf-8", "utf8", "us-ascii"):
        raise UnsupportedMediaType("Bodies are read as UTF-8 only.")
    if media_type in ("", URLENCODED):
        pairs = _urlencoded(body)
    elif media_type == MULTIPART:
        pairs = _multipart(body, parameters.get("boundary", ""))
    elif media_type == JSON or (media_type.startswith("application/") and media_type.endswith("+json")):
        pairs = _json(body)
    else:
        raise UnsupportedMediaType(f"Send the fields as {URLENCODED}, {MULTIPART} or {JSON}.")
    if len(pairs) > MAX_FIELDS:
        raise PayloadTooLarge(_TOO_MANY)
    for name, value in pairs:
        if "\0" in name or (isinstance(value, str) and "\0" in value):
            raise BadRequest("A NUL stands in the body.")
    single = {name: value for name, value in pairs if name.partition("[")[0] not in lists}
    return {**present(single), **_lists(pairs, lists)}


def _lists(pairs: Iterable[tuple[str, Any]], names: frozenset[str]) -> Fields:
    found: dict[str, Any] = {}
    for name, value in pairs:
        bare = name.partition("[")[0]
        if bare not in names or value is None:
            continue
        if isinstance(value, str):
            found[bare] = [*found.get(bare, ()), *(line.strip() for line in value.splitlines() if line.strip())]
        else:
            found[bare] = value
    return found


def present(fields: Fields) -> Fields:
    """Without what counts as absent: the empty text and ``null``."""
    return {name: value for name, value in fields.items() if value not in ("", None)}


_PARAMETER = re.compile(r';\s*([!#$%&\'*+.^_`|~0-9A-Za-z-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)')


def parse_content_type(value: str) -> tuple[str, Mapping[str, str]]:
    """``multipart/form-data; boundary="x"`` to the lower-case type and its parameters, unquoted."""
    media_type, _, _ = value.partition(";")
    found = {name.lower(): _unquoted(text) for name, text in _PARAMETER.findall(value)}
    return media_type.strip().lower(), found


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') and len(text) > 1 else text


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest("The body is not UTF-8.") from error


# Published clients send the url as it is, so that its own "&c=2" would look like a field of ours.
_RAW_URL = re.compile(rb"(?:^|&)url=(https?://.*?)(?=&(?:privacy|password|results)=|$)", re.IGNORECASE | re.DOTALL)


def _urlencoded(body: bytes) -> list[tuple[str, Any]]:
    body = body.strip(b"\r\n")
    raw = _RAW_URL.search(body)
    if raw is None:
        return _encoded_pairs(body)
    before, after = body[: raw.start()], body[raw.end() :].removeprefix(b"&")
    return [*_encoded_pairs(before), ("url", _text(raw[1])), *_encoded_pairs(after)]


def _encoded_pairs(body: bytes) -> list[tuple[str, Any]]:
    if body.count(b"&") >= MAX_FIELDS:
        raise PayloadTooLarge(_TOO_MANY)
    pairs = []
    for part in body.split(b"&"):
        if part:
            name, _, value = part.partition(b"=")
            pairs.append((_decoded(name), _decoded(value)))
    return pairs


def _decoded(part: bytes) -> str:
    return _text(unquote_to_bytes(part.replace(b"+", b" ")))


def _json(body: bytes) -> list[tuple[str, Any]]:
    try:
        document = decode_json(body)
    except (SerializationException, RecursionError) as error:
        raise BadRequest("The body is not JSON.") from error
    if not isinstance(document, dict):
        raise BadRequest("The JSON body must be an object of fields.")
    return list(document.items())


_DISPOSITION = re.compile(r"^content-disposition:\s*form-data\s*(;.*)$", re.IGNORECASE | re.MULTILINE)


def _multipart(body: bytes, boundary: str) -> list[tuple[str, Any]]:
    if not boundary:
        raise BadRequest("The multipart body names no boundary.")
    delimiter = b"--" + boundary.encode("utf-8", "replace")
    first, *parts = (b"\r\n" + body).split(b"\r\n" + delimiter)
    if len(parts) > MAX_FIELDS + 1:
        raise PayloadTooLarge(_TOO_MANY)
    if first.strip(b"\r\n") or not parts or not parts[-1].startswith(b"--"):
        raise BadRequest("The multipart body is malformed.")
    return [_part(part) for part in parts[:-1]]


def _part(part: bytes) -> tuple[str, str]:
    head, separator, value = part.partition(b"\r\n\r\n")
    disposition = _DISPOSITION.search(_text(head.strip(b" \t\r\n")))
    names = dict(_PARAMETER.findall(disposition[1])) if disposition else {}
    if not separator or "name" not in names:
        raise BadRequest("A part of the multipart body has no name.")
    name = _unquoted(names["name"]).replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")
    return name, _text(value)
