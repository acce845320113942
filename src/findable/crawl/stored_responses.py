"""Responses as a crawl stores them, so that its pages can be judged again without a request."""

import msgspec

from findable.capture.response import Response
from findable.formats.zstd import zstd

LEVEL = 3
MAX_STORED_BYTES = 1_000_000_000
"""Maximum size of the stored responses of one crawl.

Further ones are not stored: their pages keep their verdicts.
"""


def pack_response(response: Response) -> bytes:
    """Return a response as it is stored."""
    return zstd.compress(msgspec.msgpack.encode(response), LEVEL)


def unpack_response(data: bytes) -> Response:
    """Return a stored response."""
    return msgspec.msgpack.decode(zstd.decompress(data), type=Response)
