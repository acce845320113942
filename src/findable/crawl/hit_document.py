"""Requests of bots as a file, which `findable logs` sends to a service: one line of JSON for each day, bot and verification.

It contains no IP address, user agent or other part of a log but URLs that bots requested.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from findable.artifacts.tables.bot_names import NAME_PATTERN
from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.formats.zstd import zstd
from findable.urls import MAX_URL_CHARS

MAX_DECODED_BYTES = 64 << 20
MAX_COUNT = 1 << 40


class HitGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """Requests of a bot on one day."""

    day: date
    bot: Annotated[str, Meta(pattern=NAME_PATTERN)]
    """Token of a known bot, or of one that was named to the reader of the log."""
    verification: Verification
    hits: list[tuple[Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS)], HitStatus, Annotated[int, Meta(ge=1, le=MAX_COUNT)]]]
    """URL, class of status (`HitStatus`), number of requests. Paths are of the project's host."""


class NoHitDocument(ValueError):
    """File that is not one of `encode_groups`; the message says why."""


def encode_groups(groups: Iterable[HitGroup]) -> bytes:
    """Return the file, compressed with Zstandard."""
    return zstd.compress(msgspec.json.Encoder().encode_lines(groups), 6)


def decode_groups(data: bytes) -> Iterator[HitGroup]:
    """Yield the groups of a file. Raises NoHitDocument, also for a file that is cut off."""
    decoder, frame = msgspec.json.Decoder(HitGroup), zstd.ZstdDecompressor()
    try:
        text = frame.decompress(data, MAX_DECODED_BYTES + 1) if data else b""
        if len(text) > MAX_DECODED_BYTES:
            raise NoHitDocument(f"more than {MAX_DECODED_BYTES >> 20} MiB")
        if data and (not frame.eof or frame.unused_data):
            raise NoHitDocument("not one complete Zstandard frame")
        for line in text.splitlines():
            yield decoder.decode(line)
    except (zstd.ZstdError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NoHitDocument(str(error)) from error
