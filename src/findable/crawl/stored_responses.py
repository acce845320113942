"""Pack and unpack the responses that a crawl stores, so that pages can be rescored without requests."""

import msgspec

from findable.capture.rendering import Rendering
from findable.capture.response import Response
from findable.formats.zstd import zstd

LEVEL = 3
_RENDERED = b"R"
"""First byte of a response with its rendering; no compressed response begins with it."""


def pack_response(response: Response) -> bytes:
    """Return a response as compressed bytes."""
    return zstd.compress(msgspec.msgpack.encode(response), LEVEL)


def pack_rendered(response: Response, rendering: Rendering) -> bytes:
    """Return a response and its rendering as compressed bytes."""
    return _RENDERED + zstd.compress(msgspec.msgpack.encode((response, rendering)), LEVEL)


def unpack_response(data: bytes) -> Response:
    """Return a stored response."""
    return unpack_page(data)[0]


def unpack_page(data: bytes) -> tuple[Response, Rendering | None]:
    """Return a stored response and its rendering; None if it was not rendered."""
    if data.startswith(_RENDERED):
        return msgspec.msgpack.decode(zstd.decompress(data.removeprefix(_RENDERED)), type=tuple[Response, Rendering])
    return msgspec.msgpack.decode(zstd.decompress(data), type=Response), None
