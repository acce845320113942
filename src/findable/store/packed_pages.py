"""Conversion of page records and link blocks to and from bytes."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from findable.crawl.varints import unpack
from findable.formats.zstd import zstd

Part = TypeVar("Part")
RECORD_LEVEL = 3
NOFOLLOW = 1
NUMBERS_PER_LINK = 3


def packed_record(value: Struct | Sequence[Struct]) -> bytes:
    """Return a page record, or another value, as compressed bytes."""
    return zstd.compress(msgspec.msgpack.encode(value), RECORD_LEVEL)


def packed_page_text(text: str) -> bytes:
    """Return the text of a page as compressed bytes."""
    return zstd.compress(text.encode("utf-8", "replace"), RECORD_LEVEL)


def unpacked_page_text(data: bytes) -> str:
    """Return the stored text of a page."""
    return zstd.decompress(data).decode()


def unpacked_record(data: bytes, kind: type[Part]) -> Part:
    """Return a stored record as `PageRecord`, or as a smaller type with some of its fields; other values as their type."""
    return msgspec.msgpack.decode(zstd.decompress(data), type=kind)


class _VersionsRecord(Struct, frozen=True):
    """Part of a record that lists the declared language versions."""

    alternates: tuple[tuple[str, str], ...] = ()


def versions_of(record: bytes | None) -> tuple[tuple[str, str], ...]:
    """Return (language, URL) of the versions in a stored record; empty without a record."""
    return () if record is None else unpacked_record(record, _VersionsRecord).alternates


class _RefreshRecord(Struct, frozen=True):
    """Part of a record for redirects by a refresh."""

    refresh: str = ""


def refresh_of(record: bytes) -> str:
    """Return the target of a refresh in a stored record; empty for none."""
    return unpacked_record(record, _RefreshRecord).refresh


def links_of(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """Return (id of the URL, id of the link text, nofollow) of the links of a stored block."""
    return zip(*link_columns(data), strict=True)


def link_columns(data: bytes) -> tuple[list[int], list[int], list[bool]]:
    """Return the columns of `links_of`."""
    numbers = unpack(data)
    targets, anchors, flags = (numbers[at::NUMBERS_PER_LINK] for at in range(3))
    return targets, anchors, [bool(flag & NOFOLLOW) for flag in flags]
