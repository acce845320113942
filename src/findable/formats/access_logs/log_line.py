"""A line of an access log, and the request target in it."""

import re
from datetime import date, datetime
from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from findable.lazy_pattern import lazy_pattern

MAX_LINE_BYTES = 8192
"""Length from which the rest of a line is skipped. nginx and Apache accept request lines of this length by default."""
COMMENT = b"#"
"""User agent that readers return for a line which describes the file and is not a request."""


class LogLine(Struct, gc=False):
    """One request. Empty values: not in the log."""

    agent: bytes = b""
    client: str = ""
    """IP address that connected to the server, as written."""
    forwarded: str = ""
    """Value of X-Forwarded-For."""
    day: date | None = None
    """Day in UTC; None if the time could not be read."""
    method: str = ""
    target: bytes = b""
    """Request target without escapes of the log; empty if the line has no HTTP request."""
    status: int = 0
    host: str = ""
    scheme: str = ""


class LineReader(Protocol):
    """Reader of one format."""

    name: str
    """Format, as ``--format`` names it."""
    has_agents: bool
    """Whether the log contains user agents."""

    def keys(self, lines: list[bytes]) -> list[bytes | None]:
        """Return what each line has where its user agent should be, without checking the rest of the line.

        Equal keys stand for the same user agent if `agent` returns it for one of these lines, see `key_of`.
        """

    def key_of(self, written: bytes) -> bytes:
        """Return the key of a line with this user agent."""

    def agent(self, line: bytes) -> bytes | None:
        """Return the user agent as written, `COMMENT` for a line that is not a request, or None if the line is unreadable."""

    def plain_agent(self, written: bytes) -> bytes:
        """Return a user agent from `agent` without the escapes of the log."""

    def read(self, line: bytes) -> LogLine | None:
        """Return the whole line; None if it is unreadable."""

    def time(self, line: bytes) -> datetime | None:
        """Return the time of a line; None if there is none."""


_ESCAPE = lazy_pattern(rb"\\(?:x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_CONTROLS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def unescaped(written: bytes) -> bytes:
    r"""Return bytes as the client sent them: nginx writes ``"`` as ``\x22`` and Apache as ``\"``."""
    if b"\\" not in written:
        return written
    return _ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()) if found[1] else _CONTROLS.get(found[2], found[2]), written)


@lru_cache(maxsize=16384)
def read_request(written: bytes) -> tuple[str, bytes]:
    """Return the method and the target of a request line with the escapes of the log, see `split_request`."""
    return split_request(unescaped(written))


def split_request(request: bytes) -> tuple[str, bytes]:
    """Return the method and the target of an unescaped request line. The target may contain spaces; both are empty without a request."""
    method, _, rest = request.partition(b" ")
    target, _, protocol = rest.rpartition(b" ")
    if not protocol.startswith(b"HTTP/"):
        target = rest
    if not target or not method.isalpha() or not method.isupper():
        return "", b""
    return method.decode(), target


def text_of(written: bytes) -> str:
    """Return a short field as text; empty for ``-``, which stands for no value."""
    return "" if written == b"-" else written.decode("utf-8", "replace")
