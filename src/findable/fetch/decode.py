"""Decode content codings while bytes arrive, never beyond a cap (RFC 9110 section 8.4.1).

An 809-byte brotli body can contain 1 GiB: every stage yields small pieces, and the piece that would exceed the cap ends the work.
"""

import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import brotli

from findable.formats.zstd import zstd

PIECE_BYTES = 65536
MAX_CODINGS = 3
GZIP_START = b"\x1f\x8b\x08"
MAX_ZSTD_WINDOW_LOG = 23
"""Window size, 8 MiB, that clients must support and servers must not exceed (RFC 9659)."""

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
_IDENTITY = frozenset({"", "identity", "none"})


class DecodeError(Exception):
    """Error for bytes that are invalid in their coding."""


class _Stage(Protocol):
    @property
    def finished(self) -> bool:
        """Whether the end of the compressed data was reached."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield small decoded pieces of ``data``. Raises DecodeError."""


class _Zlib:
    """Decodes gzip with any number of members; trailing garbage is ignored, as in browsers."""

    def __init__(self, window_bits: int) -> None:
        self.finished = False
        self._window_bits = window_bits
        self._object = zlib.decompressobj(window_bits)
        self._first = True
        self._start = b""
        """Beginning of the current member, as far as needed to recognize it."""

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
    """Decodes ``deflate``: zlib by the standard, raw by many servers; the first two bytes decide."""

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
    """Decodes brotli; trailing bytes are ignored, as in browsers.

    The library treats trailing bytes as an error and drops the output of that call, so that the result would depend on how the bytes
    arrive. After an error the bytes are fed again, the last ones one by one.
    """

    def __init__(self) -> None:
        self.finished = False
        self._object = brotli.Decompressor()
        self._before: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[bytes]:
        fed_bytes = 0
        try:
            for piece in self._pieces(data):
                fed_bytes += len(piece)
                yield piece
        except brotli.error:
            yield from self._feed_single_bytes(data, fed_bytes)
        self._before.append(data)

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        while not self.finished:
            piece = self._object.process(data, output_buffer_limit=PIECE_BYTES)
            self.finished = self._object.is_finished()
            # can_accept_more_data() is about the input; decoded bytes may be pending in either case.
            if not piece:
                return
            data = b""
            yield piece

    def _feed_single_bytes(self, data: bytes, fed_bytes: int) -> Iterator[bytes]:
        """Feed the bytes after the first ``fed_bytes`` one by one, and yield the output."""
        self._object = brotli.Decompressor()
        for before in self._before:
            for _ in self._pieces(before):
                pass
        try:
            for byte in data:
                for piece in self._pieces(bytes((byte,))):
                    rest = piece[fed_bytes:]
                    fed_bytes -= len(piece) - len(rest)
                    if rest:
                        yield rest
        except brotli.error as error:
            raise DecodeError(str(error) or "not a brotli stream") from error


class _Zstd:
    def __init__(self) -> None:
        self.finished = False
        self._frame = self._new_frame()

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            while data or not (self.finished or self._frame.needs_input):
                if self.finished:
                    self._frame, self.finished = self._new_frame(), False
                piece = self._frame.decompress(data, PIECE_BYTES)
                self.finished = self._frame.eof
                data = self._frame.unused_data if self.finished else b""
                if piece:
                    yield piece
        except zstd.ZstdError as error:
            raise DecodeError(str(error)) from error

    @staticmethod
    def _new_frame() -> zstd.ZstdDecompressor:
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: MAX_ZSTD_WINDOW_LOG})


_STAGES: dict[str, Callable[[], _Stage]] = {
    "gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
    "x-gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}


class Decoder:
    """Decodes a body as it arrives, up to ``cap_bytes``, and stores its first ``stored_bytes``, by default all.

    Unknown codings are left as they are, as browsers do with ``Content-Encoding: utf-8`` and the like.
    """

    def __init__(self, content_encoding: str, cap_bytes: int, stored_bytes: int | None = None) -> None:
        named = [part.strip().lower() for part in content_encoding.split(",")]
        codings = [coding for coding in named if coding not in _IDENTITY]
        known = all(coding in _STAGES for coding in codings)
        self.codings = ", ".join(codings) if known else ""
        """Codings that are decoded, as in the header."""
        self.truncated = False
        """Whether the cap cut the body."""
        self.error = ""
        """Reason why the coding could not be decoded completely."""
        self.decoded_bytes = 0
        """Number of decoded bytes, stored or not."""
        self._cap_bytes = cap_bytes
        self._kept_bytes = cap_bytes if stored_bytes is None else stored_bytes
        self._body = bytearray()
        self._fed = False
        self._stages: list[_Stage] = []
        if known and len(codings) > MAX_CODINGS:
            self.error = f"{len(codings)} content codings on top of each other"
        elif known:
            self._stages = [_STAGES[coding]() for coding in reversed(codings)]

    @property
    def needs_more(self) -> bool:
        """Whether more bytes can change the body."""
        return not self.truncated and not self.error

    @property
    def body(self) -> bytes:
        """Stored part of the decoded body."""
        return bytes(self._body)

    def take(self) -> bytes:
        """Return and clear the bytes decoded since the last call; the cap keeps counting."""
        taken = bytes(self._body)
        self._body.clear()
        return taken

    def feed(self, data: bytes) -> bool:
        """Decode the next bytes; return False if no more are needed."""
        if not self.needs_more:
            return False
        self._fed = self._fed or bool(data)
        try:
            self._decode_level(0, data)
        except DecodeError as error:
            self.error = f"{self.codings}: {error}"
        return self.needs_more

    def finish(self) -> None:
        """Mark the transfer as complete: unfinished compressed data is then an error."""
        if self.needs_more and self._fed and not all(stage.finished for stage in self._stages):
            self.error = f"{self.codings}: the compressed data ends too early"

    def _decode_level(self, level: int, data: bytes) -> None:
        if level == len(self._stages):
            self._store(data)
            return
        for piece in self._stages[level].feed(data):
            self._decode_level(level + 1, piece)
            if self.truncated:
                return

    def _store(self, data: bytes) -> None:
        room = self._cap_bytes - self.decoded_bytes
        if len(data) > room:
            self.truncated = True
            data = data[:room]
        self.decoded_bytes += len(data)
        self._body += data[: self._kept_bytes - len(self._body)]
