"""Access logs that are imported, and the messages of the process that reads one, which loads neither a database nor the service."""

import struct
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.crawl.hit_document import MAX_COUNT
from findable.values import DateTime

FRAME = struct.Struct("!Q")
"""Length of a message of the process that reads a log."""
_Number = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class LogImportCreate(Struct, frozen=True):
    """Part of an access log that was read, with the requests of bots in it, as `findable logs --to` sends it."""

    source: Annotated[str, Meta(min_length=1, max_length=100)]
    """Server or CDN."""
    format: Annotated[str, Meta(max_length=40)]
    """Format of the log."""
    head_hash: _Hash
    """BLAKE2b hash (16 bytes) of the first `head_bytes` decoded bytes, which identifies the log."""
    head_bytes: Annotated[int, Meta(ge=1, le=1 << 16)]
    """Number of these bytes, at most 65,536."""
    offset: _Number
    """Decoded bytes that are read now."""
    tail_hash: _Hash
    """BLAKE2b hash of the last 4,096 bytes before `offset`."""
    first_at: _Number
    """Time of the first line, in seconds since 1970."""
    last_at: _Number
    """Time of the last line, in seconds since 1970."""
    lines: _Number
    """Number of lines."""
    days: Annotated[list[date], Meta(max_length=5000)]
    """Days in UTC with lines."""
    hits: bytes | UnsetType = UNSET
    """Requests of bots: lines of JSON, compressed with Zstandard; base64 unless the body is multipart."""
    unreadable: _Number = 0
    """Number of unreadable lines."""
    without_request: _Number = 0
    """Number of lines without an HTTP request."""
    continues: _Number = 0
    """Id of the import that this part continues."""
    from_offset: _Number = 0
    """Decoded bytes that this import had read."""
    replace: bool = False
    """Whether imports of the same source and time are deleted."""


class LogImport(Struct, frozen=True, kw_only=True):
    """Access log that was imported, up to `offset` decoded bytes."""

    id: int
    object: Literal["log_import"] = "log_import"
    source: str
    format: str
    head_hash: str
    head_bytes: int
    offset: int
    tail_hash: str
    first_at: DateTime
    last_at: DateTime
    lines: int
    unreadable: int
    without_request: int
    days: list[date]
    imported_at: DateTime


class LogImportAdded(LogImport, frozen=True, kw_only=True):
    """Result of an import. `is_new` is false if the part was imported before; `other_sites` counts requests of URLs of other sites."""

    is_new: bool
    hits: int
    other_sites: int


class UploadOrder(Struct, frozen=True):
    """Order for the process that reads a log."""

    source: str
    known: Sequence[LogImport]
    replace: bool = False
    ranges: bytes = b""
    """Published lists of IP addresses; empty for those of the package."""
    descriptor: int | None = None
    """Descriptor of the log; None if it follows the order."""


class UploadedPart(Struct, frozen=True):
    """Part that the process has read."""

    part: LogImportCreate | None = None
    problem: str = ""
    """Reason why the log could not be read to its end; with the last part only."""
    known_id: int = 0
    """Import that had read the log before; with the last part only."""
    is_last: bool = False
