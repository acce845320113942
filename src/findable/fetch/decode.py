"""Content codings undone while the bytes arrive, never further than a cap (RFC 9110 section 8.4.1).

An 809-byte brotli body holds 1 GiB: every stage hands on small pieces, and the one that would pass the cap ends the work.
"""

import zlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import brotli
import zstandard

PIECE_BYTES = 65536
MAX_CODINGS = 3
GZIP_START = b"\x1f\x8b\x08"
MAX_ZSTD_WINDOW_BYTES = 8 << 20
"""What a client must support and a server must not exceed (RFC 9659)."""
ZSTD_SLICE_BYTES = 128
"""A zstd block of 4 bytes may hold 128 KiB and the library bounds no output: at most 4 MiB come from one slice."""

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
_IDENTITY = frozenset({"", "identity", "none"})


class DecodeError(Exception):
    """The bytes are not what the coding says."""


class _Stage(Protocol):
    @property
    def finished(self) -> bool:
        """Whether the data is at an end of its own."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decoded pieces of ``data``, each small. Raises DecodeError."""


class _Zlib:
    """gzip with any number of members; what follows the last one and is none is ignored, as browsers do."""

    def __init__(self, window_bits: int) -> None:
        self.finished = False
        self._window_bits = window_bits
        self._object = zlib.decompressobj(window_bits)
        self._first = True
        self._start = b""
        """Of the present member, as much of it as tells that it is one."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            self._start += data[: len(GZIP_START) - len(self._start)]
            try:
                piece = self._object.decompress(data, PIECE_BYTES)
            except zlib.error as error:
                if not self._first and self._start != GZIP_START:
                    return
                raise DecodeError(str(error)) from error
            if piece:
                self.finished = False
                yield piece
            if self._object.eof:
                self.finished, self._first = True, False
                data = self._object.unused_data
                if self._window_bits != zlib.MAX_WBITS | 16 or not data.lstrip(b"\0"):
                    return
                self._object, self._start = zlib.decompressobj(self._window_bits), b""
                continue
            data = self._object.unconsumed_tail
            if not data and len(piece) < PIECE_BYTES:
                return


class _Deflate:
    """``deflate``: zlib by the standard, raw by many servers; the first two bytes tell."""

    def __init__(self) -> None:
        self._stage: _Zlib | None = None
        self._start = b""

    @property
    def finished(self) -> bool:
        return self._stage is not None and self._stage.finished

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stage is None:
            self._start += data
            if len(self._start) < 2:  # noqa: PLR2004 - the length of the zlib header
                return
            data, self._start = self._start, b""
            has_header = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0
            self._stage = _Zlib(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)
        yield from self._stage.feed(data)


class _Brotli:
    """Brotli; what follows its end is ignored, as browsers do.

    The library takes bytes behind the end for a fault and drops what it decoded in that call, so that what a body says would depend on
    how its bytes arrive. Where a call fails the bytes are given anew, the last of them one by one.
    """

    def __init__(self) -> None:
        self.finished = False
        self._object = brotli.Decompressor()
        self._before: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[bytes]:
        told_bytes = 0
        try:
            for piece in self._pieces(data):
                told_bytes += len(piece)
                yield piece
        except brotli.error:
            yield from self._one_by_one(data, told_bytes)
        self._before.append(data)

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        while not self.finished:
            piece = self._object.process(data, output_buffer_limit=PIECE_BYTES)
            self.finished = self._object.is_finished()
            # can_accept_more_data() speaks of what comes in: decoded bytes may wait all the same.
            if not piece:
                return
            data = b""
            yield piece

    def _one_by_one(self, data: bytes, told_bytes: int) -> Iterator[bytes]:
        """What the data says beyond its first ``told_bytes``."""
        self._object = brotli.Decompressor()
        for before in self._before:
            for _ in self._pieces(before):
                pass
        try:
            for byte in data:
                for piece in self._pieces(bytes((byte,))):
                    rest = piece[told_bytes:]
                    told_bytes -= len(piece) - len(rest)
                    if rest:
                        yield rest
        except brotli.error as error:
            raise DecodeError(str(error) or "not a brotli stream") from error


class _Zstd:
    def __init__(self) -> None:
        self.finished = False
        self._context = zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW_BYTES)
        self._object: Any = self._context.decompressobj()

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            for start in range(0, len(data), ZSTD_SLICE_BYTES):
                yield from self._slice(data[start : start + ZSTD_SLICE_BYTES])
        except zstandard.ZstdError as error:
            raise DecodeError(str(error)) from error

    def _slice(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self.finished:
                self._object, self.finished = self._context.decompressobj(), False
            piece = self._object.decompress(data)
            data = b""
            if self._object.eof:
                self.finished = True
                data = self._object.unused_data
            if piece:
                yield piece


_STAGES: dict[str, Callable[[], _Stage]] = {
    "gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
    "x-gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}


class Decoder:
    """Takes the body as it arrives, decodes it up to ``cap_bytes`` and keeps the first ``kept_bytes`` of that, all where not given.

    A coding that is not known is left as it is, as browsers do with ``Content-Encoding: utf-8`` and the like.
    """

    def __init__(self, content_encoding: str, cap_bytes: int, kept_bytes: int | None = None) -> None:
        named = [part.strip().lower() for part in content_encoding.split(",")]
        codings = [coding for coding in named if coding not in _IDENTITY]
        known = all(coding in _STAGES for coding in codings)
        self.codings = ", ".join(codings) if known else ""
        """The codings that are undone, as the header has them."""
        self.truncated = False
        """The cap cut the body."""
        self.error = ""
        """Why the coding could not be undone to the end."""
        self.decoded_bytes = 0
        """How much was decoded, kept or not."""
        self._cap_bytes = cap_bytes
        self._kept_bytes = cap_bytes if kept_bytes is None else kept_bytes
        self._body = bytearray()
        self._fed = False
        self._stages: list[_Stage] = []
        if known and len(codings) > MAX_CODINGS:
            self.error = f"{len(codings)} content codings on top of each other"
        elif known:
            self._stages = [_STAGES[coding]() for coding in reversed(codings)]

    @property
    def wants_more(self) -> bool:
        """Whether further bytes can change the body."""
        return not self.truncated and not self.error

    @property
    def body(self) -> bytes:
        """What is kept of what was decoded so far."""
        return bytes(self._body)

    def take(self) -> bytes:
        """What was decoded since the last call; the body starts anew, the cap counts on."""
        taken = bytes(self._body)
        self._body.clear()
        return taken

    def feed(self, data: bytes) -> bool:
        """Decodes the next bytes; False where no more are wanted."""
        if not self.wants_more:
            return False
        self._fed = self._fed or bool(data)
        try:
            self._through(0, data)
        except DecodeError as error:
            self.error = f"{self.codings}: {error}"
        return self.wants_more

    def finish(self) -> None:
        """Says that the body was transferred to its end: a coding that is not at its own end is an error."""
        if self.wants_more and self._fed and not all(stage.finished for stage in self._stages):
            self.error = f"{self.codings}: the compressed data ends too early"

    def _through(self, level: int, data: bytes) -> None:
        if level == len(self._stages):
            self._keep(data)
            return
        for piece in self._stages[level].feed(data):
            self._through(level + 1, piece)
            if self.truncated:
                return

    def _keep(self, data: bytes) -> None:
        room = self._cap_bytes - self.decoded_bytes
        if len(data) > room:
            self.truncated = True
            data = data[:room]
        self.decoded_bytes += len(data)
        self._body += data[: self._kept_bytes - len(self._body)]
