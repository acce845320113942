"""Bytes of a log file as blocks of whole lines: decompressed, without NUL bytes, from UTF-8 or UTF-16, within limits."""

import codecs
import zlib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from findable.formats.access_logs.log_line import MAX_LINE_BYTES
from findable.formats.zstd import zstd

BLOCK_BYTES = 1 << 18
MAX_RATIO = 200
"""Decoded bytes for one byte of an archive, above which it is not read further (set by Findable). Access logs have ratios of 10 to 30."""
FREE_BYTES = 64 << 20
"""Decoded bytes up to which the ratio does not matter."""
MAX_DECODED_BYTES = 1 << 40
HEAD_BYTES = 64 << 10
TAIL_BYTES = 4096
KEPT_BYTES = BLOCK_BYTES + HEAD_BYTES + TAIL_BYTES + 4 * MAX_LINE_BYTES
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16-le", b"\n\0"), (codecs.BOM_UTF16_BE, "utf-16-be", b"\0\n"))


def short_hash(data: bytes) -> str:
    """Return the hash that identifies a part of a log."""
    return blake2b(data, digest_size=16).hexdigest()


def _last_directive(text: bytes) -> bytes:
    """Return the last line that names the columns of a log."""
    found = text.rfind(b"#Fields:")
    return text[found : text.find(b"\n", found) + 1] if found >= 0 else b""


class ReadBefore(NamedTuple):
    """Position to which an earlier import has read a log."""

    offset: int
    """Decoded bytes."""
    tail_hash: str
    """Hash of the last bytes before the offset."""
    format: str
    """Format as it was recognized then."""


class LogBlocks:
    """Iterator over lists of whole lines without their ends.

    Args:
        read: reads at most so many bytes of the file; empty at its end.
        max_decoded_bytes: decoded size after which nothing more is read.
        find_earlier: gets the first bytes of the log, see `HEAD_BYTES`, and returns how far it was read before, if it was. Then reading
            continues there, and a last line without an end is left for the next import.
        seek: sets the position of the file, so that what was read before is skipped; None if it cannot.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        max_decoded_bytes: int = MAX_DECODED_BYTES,
        find_earlier: Callable[[bytes], ReadBefore | None] | None = None,
        seek: Callable[[int], object] | None = None,
    ) -> None:
        self._read, self._seek = read, seek
        self._max_decoded_bytes = max_decoded_bytes
        self._find_earlier = find_earlier
        self.problem = ""
        """Reason why the file was not read to its end: ``truncated``, ``damaged``, ``ratio``, ``size`` or, if an earlier import read
        another beginning, ``changed``; empty if it was."""
        self.compression = ""
        """Compression: ``gzip``, ``zstd`` or empty."""
        self.read_bytes = 0
        self.decoded_bytes = 0
        self.long_lines = 0
        """Number of lines that were cut at `MAX_LINE_BYTES`."""
        self.known_format = ""
        """Format as an earlier import recognized it."""
        self.head = b""
        """First decoded bytes, at most `HEAD_BYTES`."""
        self._charset, self._line_end = "", b"\n"
        self._passed = self._unended = 0
        self._recent = b""

    @property
    def offset(self) -> int:
        """Decoded bytes up to the end of the last line that was yielded."""
        return self._passed - self._unended

    @property
    def tail_hash(self) -> str:
        """Hash of the last bytes before `offset`."""
        return short_hash(self._recent[: len(self._recent) - self._unended][-TAIL_BYTES:])

    def __iter__(self) -> Iterator[list[bytes]]:
        rest, is_skipping = b"", False
        for block in self._texts():
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            if is_skipping and lines:
                del lines[0]
                is_skipping = False
            if len(rest) > MAX_LINE_BYTES:
                if not is_skipping:
                    lines.append(rest)
                rest, is_skipping = b"", True
            if max(map(len, lines), default=0) > MAX_LINE_BYTES:
                self.long_lines += sum(len(line) > MAX_LINE_BYTES for line in lines)
                lines = [line[:MAX_LINE_BYTES] for line in lines]
            if b"\r" in block:
                lines = [line.rstrip(b"\r") for line in lines]
            if lines:
                yield lines
        if rest and not is_skipping and self._find_earlier is None:
            yield [rest.rstrip(b"\r")]

    def _texts(self) -> Iterator[bytes]:
        """Yield blocks of UTF-8 without NUL bytes, which a log has that was emptied while a server wrote."""
        decoder: Any = None
        for number, block in enumerate(self._unread()):
            text = block
            if number == 0 and self._charset:
                decoder = codecs.getincrementaldecoder(self._charset)("replace")
            if decoder is not None:
                text = decoder.decode(text).encode().removeprefix(codecs.BOM_UTF8)
            elif number == 0:
                text = text.removeprefix(codecs.BOM_UTF8)
            yield text.replace(b"\0", b"") if b"\0" in text else text

    def _unread(self) -> Iterator[bytes]:
        """Yield the decoded bytes after those that an earlier import has read."""
        blocks = self._decoded()
        first = b""
        for block in blocks:
            first += block
            if len(first) >= HEAD_BYTES:
                break
        self.head = first[:HEAD_BYTES]
        self._charset, self._line_end = next(((charset, end) for mark, charset, end in _WIDE if first.startswith(mark)), ("", b"\n"))
        before = self._find_earlier(self.head) if self._find_earlier and first else None
        left = before.offset if before else 0
        self.known_format = before.format if before else ""
        # Archives cannot be entered in the middle, and logs that name their columns may have changed them.
        is_plain = not self.compression and not self._charset and b"#Fields:" not in first
        if self._seek is not None and is_plain and left > len(first) + TAIL_BYTES:
            self._passed, left, first = left - TAIL_BYTES, TAIL_BYTES, b""
            self._seek(self._passed)
        directive = b""
        for block in chain([first] if first else [], blocks):
            self._passed += len(block)
            self._recent = (self._recent + block)[-KEPT_BYTES:]
            if left:
                directive = _last_directive(self._recent) or directive
            if left >= len(block):
                left -= len(block)
                continue
            if before is not None:
                seen = self._recent[: len(self._recent) - len(block) + left][-TAIL_BYTES:]
                if short_hash(seen) != before.tail_hash:
                    self.problem = "changed"
                    return
                before = None
            new, left = block[left:], 0
            if directive and new:
                yield directive
                directive = b""
            end = new.rfind(self._line_end)
            self._unended = self._unended + len(new) if end < 0 else len(new) - end - len(self._line_end)
            yield new
        if left:
            self.problem = "changed"

    def _decoded(self) -> Iterator[bytes]:
        first = self._take()
        if first.startswith(b"\x1f\x8b"):
            self.compression, blocks = "gzip", self._inflated(first, lambda: zlib.decompressobj(wbits=31), zlib.error)
        elif first.startswith(b"\x28\xb5\x2f\xfd"):
            self.compression, blocks = "zstd", self._inflated(first, zstd.ZstdDecompressor, zstd.ZstdError)
        else:
            blocks = self._plain(first)
        for block in blocks:
            self.decoded_bytes += len(block)
            yield block
            if self.decoded_bytes > self._max_decoded_bytes:
                self.problem = "size"
            elif self.compression and self.decoded_bytes > max(FREE_BYTES, MAX_RATIO * self.read_bytes):
                self.problem = "ratio"
            if self.problem:
                return

    def _take(self) -> bytes:
        block = self._read(BLOCK_BYTES)
        self.read_bytes += len(block)
        return block

    def _plain(self, block: bytes) -> Iterator[bytes]:
        while block:
            yield block
            block = self._take()

    def _inflated(self, data: bytes, new: Callable[[], Any], error: type[Exception]) -> Iterator[bytes]:
        """Yield the decoded bytes of an archive with any number of members; what was read before damage stays."""
        engine = new()
        is_begun = False
        while True:
            try:
                block = engine.decompress(data, BLOCK_BYTES)
            except (error, EOFError):
                self.problem = "damaged" if is_begun or engine.eof else "truncated"
                return
            is_begun = True
            if block:
                yield block
            if engine.eof:
                data = engine.unused_data.lstrip(b"\0") or self._take().lstrip(b"\0")
                if not data:
                    return
                engine = new()
                continue
            data = getattr(engine, "unconsumed_tail", b"")
            if not data and (len(block) < BLOCK_BYTES or getattr(engine, "needs_input", True)):
                data = self._take()
                if not data:
                    self.problem = "truncated"
                    return
