"""Reading of request bodies with limits, as JSON, urlencoded or multipart, instead of by the framework.

A body is a flat set of named fields. Of equal names, the last counts; an empty text counts as absent, like ``null`` in JSON.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from functools import cache, partial
from io import BytesIO
from typing import Any

import msgspec
from multipart import MultipartError, MultipartParser, MultipartSegment, ParserLimitReached, PushMultipartParser, parse_options_header

from findable.errors import BadRequest, PayloadTooLarge, UnsupportedMediaType, ValidationFailed
from findable.web.query_strings import urlencoded_pairs
from findable.wording import Message, later

MAX_BODY_BYTES = 64 * 1024
MAX_FIELDS = 64
MAX_MEMBERS = 10_000
"""Maximum number of members of one list or object. Each invalid member causes an error message; a million would take minutes."""
BODY_DEADLINE_S = 10.0
"""Time limit of a body; a slower one would occupy a connection."""


class Bounds(msgspec.Struct, frozen=True):
    """Maximum size and number of fields of a request body."""

    body_bytes: int = MAX_BODY_BYTES
    fields: int = MAX_FIELDS


ORDINARY = Bounds()
MANY = Bounds(4 * 1024 * 1024, 1100)
"""Limits for a thousand URLs of full length, possibly each in a separate field."""
WITH_IMAGE = Bounds(1_500_000, MAX_FIELDS)
"""Limits for an image of 1 MB, possibly in base64."""


NUMBERED = frozenset({"list"})
"""Lists that keep empty lines, because errors name the number of a line."""


class Kinds(msgspec.Struct, frozen=True):
    """Names of the fields of a body that are not plain text, by kind."""

    lists: frozenset[str] = frozenset()
    """Lists of all values (``name=…``, ``name[]=…``, or one value per line); an empty value is an empty list."""
    objects: frozenset[str] = frozenset()
    """Objects (``name[key]=…``)."""
    clearable: frozenset[str] = frozenset()
    """Fields for which an empty value means an empty text."""
    files: frozenset[str] = frozenset()
    """Fields with bytes, if the body is multipart."""
    after_url: frozenset[str] = frozenset({"privacy", "password", "results"})
    """Fields that end an unencoded ``url``: fields that published clients send after it, and the other fields of the request."""


TEXTS = Kinds()

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
JSON = "application/json"

Fields = Mapping[str, Any]
"""Texts or JSON values by field name."""
Receive = Callable[[], Awaitable[Mapping[str, Any]]]


async def read_body(headers: Mapping[str, str], receive: Receive, bounds: Bounds = ORDINARY) -> bytes:
    """Return the bytes of a request body. Raises PayloadTooLarge if it is too large, BadRequest if it is incomplete or too slow."""
    stated = headers.get("content-length", "0")
    too_large = Message(later("The body may have at most %(most)s KiB."), most=bounds.body_bytes // 1024)
    if stated.isascii() and stated.isdigit() and int(stated) > bounds.body_bytes:
        raise PayloadTooLarge(too_large)
    received = bytearray()
    try:
        async with asyncio.timeout(BODY_DEADLINE_S):
            async for block in _received(receive):
                received += block
                if len(received) > bounds.body_bytes:
                    raise PayloadTooLarge(too_large)
    except TimeoutError as error:
        raise BadRequest(f"The body did not arrive within {BODY_DEADLINE_S:.0f} seconds.") from error
    return bytes(received)


async def read_fields(
    headers: Mapping[str, str],
    receive: Receive,
    bounds: Bounds = ORDINARY,
    kinds: Kinds = TEXTS,
) -> Fields:
    """Return the fields of a request body. A large body is parsed in a thread, so that other requests continue.

    Raises the errors of `read_body` and `parse_fields`.
    """
    body = await read_body(headers, receive, bounds)
    content_type, encoding = headers.get("content-type", ""), headers.get("content-encoding", "")
    work = partial(parse_fields, body, content_type, encoding, bounds, kinds)
    return await asyncio.to_thread(work) if len(body) > MAX_BODY_BYTES else work()


def _too_many(bounds: Bounds) -> PayloadTooLarge:
    return PayloadTooLarge(f"The body may have at most {bounds.fields} fields.")


def parse_fields(
    body: bytes,
    content_type: str = "",
    content_encoding: str = "",
    bounds: Bounds = ORDINARY,
    kinds: Kinds = TEXTS,
) -> Fields:
    """Return the fields of a complete request body by name; none for an empty body.

    Raises:
        BadRequest: it is malformed or contains NUL.
        PayloadTooLarge: it has more fields than the bounds allow, or a list of more than MAX_MEMBERS.
        UnsupportedMediaType: it is neither urlencoded (or without a type), multipart nor JSON in UTF-8, or it is compressed.
        ValidationFailed: it is declared as JSON but empty, which indicates a client error.
    """
    media_type, parameters = parse_options_header(content_type)
    if not body:
        if media_type == JSON:
            raise ValidationFailed({"body": ["The JSON body is empty."]})
        return {}
    if content_encoding.strip().lower() not in ("", "identity"):
        raise UnsupportedMediaType("Compressed request bodies are not supported.")
    if parameters.get("charset", "utf-8").lower().replace("_", "-") not in ("utf-8", "utf8", "us-ascii"):
        raise UnsupportedMediaType("Bodies must be UTF-8.")
    pairs = _pairs(body, media_type, parameters.get("boundary", ""), bounds, kinds)
    if len(pairs) > bounds.fields:
        raise _too_many(bounds)
    for name, value in pairs:
        if "\0" in name or (isinstance(value, str) and "\0" in value):
            raise BadRequest("The body contains a NUL character.")
    single: dict[str, Any] = {}
    objects: dict[str, dict[str, Any]] = {}
    for name, value in pairs:
        bare, bracket, key = name.partition("[")
        if bracket and bare in kinds.objects:
            objects.setdefault(bare, {})[key.removesuffix("]")] = value
        elif bare not in kinds.lists:
            single[name] = value
    cleared = {name: "" for name, value in single.items() if name in kinds.clearable and value in ("", b"", None)}
    return {**present(single), **cleared, **{name: present(members) for name, members in objects.items()}, **_lists(pairs, kinds.lists)}


def _pairs(body: bytes, media_type: str, boundary: str, bounds: Bounds, kinds: Kinds) -> list[tuple[str, Any]]:
    if media_type in ("", URLENCODED):
        return _parse_urlencoded(body, bounds, kinds.after_url)
    if media_type == MULTIPART:
        return _multipart(body, boundary, bounds, kinds.files)
    if media_type == JSON or (media_type.startswith("application/") and media_type.endswith("+json")):
        return _json(body)
    raise UnsupportedMediaType(f"Send the fields as {URLENCODED}, {MULTIPART} or {JSON}.")


def _lists(pairs: Iterable[tuple[str, Any]], names: frozenset[str]) -> Fields:
    found: dict[str, Any] = {}
    for name, value in pairs:
        bare = name.partition("[")[0]
        if bare not in names or value is None:
            continue
        if isinstance(value, str):
            lines = value.splitlines()
            _limit_members(len(lines))
            found[bare] = [*found.get(bare, ()), *(line.strip() for line in lines if line.strip() or bare in NUMBERED)]
        else:
            found[bare] = value
    return found


def present(fields: Fields) -> Fields:
    """Return the fields that have a value: without empty texts and ``null``."""
    return {name: value for name, value in fields.items() if value not in ("", b"", None)}


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest("The body is not UTF-8.") from error


@cache
def _raw_url(ends: frozenset[str]) -> re.Pattern[bytes]:
    """Return a pattern that finds an unencoded ``url`` field: published clients send it so, and its "&c=2" looks like another field."""
    names = "|".join(sorted(ends)).encode()
    return re.compile(rb"(?:^|&)url=((?i:https?)://.*?)(?=&(?:" + names + rb")(?:%5B|\[|=)|$)", re.DOTALL)


def _parse_urlencoded(body: bytes, bounds: Bounds, after_url: frozenset[str]) -> list[tuple[str, Any]]:
    body = body.strip(b"\r\n")
    raw = _raw_url(after_url).search(body)
    if raw is None:
        return _encoded_pairs(body, bounds)
    before, after = body[: raw.start()], body[raw.end() :].removeprefix(b"&")
    return [*_encoded_pairs(before, bounds), ("url", _text(raw[1])), *_encoded_pairs(after, bounds)]


def _encoded_pairs(body: bytes, bounds: Bounds) -> list[tuple[str, Any]]:
    if body.count(b"&") >= bounds.fields:
        raise _too_many(bounds)
    try:
        return list(urlencoded_pairs(body))
    except UnicodeDecodeError as error:
        raise BadRequest("The body is not UTF-8.") from error


def _json(body: bytes) -> list[tuple[str, Any]]:
    try:
        document = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadRequest("The body is not JSON.") from error
    if not isinstance(document, dict):
        raise BadRequest("The JSON body must be an object of fields.")
    for value in document.values():
        _limit_members(_members_count(value))
    return list(document.items())


def _members_count(value: Any) -> int:
    """Return the number of members of the largest list or object in a JSON value, at any supported depth."""
    if not isinstance(value, (list, dict)):
        return 0
    inside = value.values() if isinstance(value, dict) else value
    return max(len(value), *(len(inner) for inner in inside if isinstance(inner, (list, dict))), 0)


def _limit_members(count: int) -> None:
    if count > MAX_MEMBERS:
        raise PayloadTooLarge(f"A list in the body may have at most {MAX_MEMBERS:,} members.")


def _multipart(body: bytes, boundary: str, bounds: Bounds, files: frozenset[str]) -> list[tuple[str, Any]]:
    if not boundary:
        raise BadRequest("The multipart body has no boundary.")
    most = len(body)
    parser = MultipartParser(BytesIO(body), boundary, strict=True, part_limit=bounds.fields, spool_limit=most, memory_limit=most)
    try:
        return [(part.name, part.raw if part.name in files else _text(part.raw)) for part in parser]
    except ParserLimitReached as error:
        raise _too_many(bounds) from error
    except MultipartError as error:
        raise BadRequest("The multipart body is malformed.") from error


class StreamedFile(msgspec.Struct, frozen=True):
    """File in a request body, which is read while it arrives."""

    name: str
    """Name of the file; empty if the body is the file itself."""
    fields: Mapping[str, str]
    """Text fields before the file."""
    blocks: AsyncIterator[bytes]


async def streamed_file(headers: Mapping[str, str], receive: Receive, field: str) -> StreamedFile:
    """Return the file in a field of a multipart body, or the whole body of another type. Raises BadRequest."""
    media_type, parameters = parse_options_header(headers.get("content-type", ""))
    if media_type != MULTIPART:
        return StreamedFile("", {}, _received(receive))
    events = _events(receive, parameters.get("boundary", ""))
    texts: dict[str, str] = {}
    name = ""
    async for event in events:
        if isinstance(event, MultipartSegment):
            name = event.name
            if name == field:
                return StreamedFile(event.filename or "", texts, _until_end(events))
        elif event:
            texts[name] = (texts.get(name, "") + _text(bytes(event)))[:MAX_BODY_BYTES]
    raise BadRequest(f"The body has no field {field}.")


async def _received(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("The body ended early.")
        yield message.get("body", b"")
        if not message.get("more_body"):
            return


async def _events(receive: Receive, boundary: str) -> AsyncIterator[Any]:
    """Yield the head of each part of a multipart body, its bytes, and None for its end."""
    try:
        parser = PushMultipartParser(boundary or "-", max_segment_count=MAX_FIELDS, strict=True)
        async for block in _received(receive):
            for event in parser.parse(block):
                yield event
    except MultipartError as error:
        raise BadRequest("The multipart body is malformed.") from error


async def _until_end(events: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    async for event in events:
        if event is None:
            return
        yield bytes(event)
