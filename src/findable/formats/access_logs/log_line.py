"""A line of an access log, and the times and request targets in it."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
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


_MONTHS = {name: number for number, name in enumerate(("Jan", "Feb", "Mar", "Apr", "May", "Jun"), 1)}
_MONTHS |= {name: number for number, name in enumerate(("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 7)}
_COMMON = lazy_pattern(r"(\d\d)/(\w{3})/(\d{4}):(\d\d:\d\d)", re.ASCII)
_ISO = lazy_pattern(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:)(\d\d)(?:[.,]\d+)?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
_NUMBER = lazy_pattern(r"\d{9,19}(?:\.\d+)?", re.ASCII)
_DIGITS_OF_S = 11
"""Digits below which a number is in seconds since 1970; three more each are milliseconds, microseconds and nanoseconds."""


@lru_cache(maxsize=4096)
def _minute(text: str, zone: tzinfo) -> datetime:
    """Return a minute in RFC 3339 in UTC. Lines of the same minute share it, because parsing is slow."""
    made = datetime.fromisoformat(text)
    return (made if made.tzinfo else made.replace(tzinfo=zone)).astimezone(UTC)


_SECONDS = {f"{second:02}": timedelta(seconds=second) for second in range(61)}


@lru_cache(maxsize=4096)
def _common_minute(minute: str, offset: str, zone: tzinfo) -> datetime:
    found = _COMMON.fullmatch(minute)
    if found is None:
        raise ValueError(minute)
    day, month, year, clock = found.groups()
    return _minute(f"{year}-{_MONTHS[month]:02}-{day}T{clock}:00{offset.lstrip()}", zone)


def read_time(text: str, zone: tzinfo = UTC) -> datetime | None:
    """Return a time of a log in UTC: ``01/Nov/2026:10:00:00 +0100``, RFC 3339, or seconds, ms, µs or ns since 1970; None for others.

    ``zone``: zone of times without an offset.
    """
    try:
        if text[2:3] == "/":
            return _common_minute(text[:17], text[20:], zone) + _SECONDS[text[18:20]]
        if found := _ISO.fullmatch(text):
            start, second = f"{found[1]}T{found[2]}00{found[4] or ''}", found[3]
        elif _NUMBER.fullmatch(text):
            whole, _, _ = text.partition(".")
            return datetime.fromtimestamp(int(whole) // 1000 ** ((len(whole) - _DIGITS_OF_S + 2) // 3), UTC)
        else:
            return None
        return _minute(start, zone) + timedelta(seconds=int(second))
    except (ValueError, KeyError, OverflowError, OSError):
        return None


@lru_cache(maxsize=4096)
def _common_day(minute: bytes, offset: bytes, zone: tzinfo) -> date:
    return _common_minute(minute.decode("ascii"), offset.decode("ascii"), zone).date()


@lru_cache(maxsize=4096)
def _other_day(written: bytes, zone: tzinfo) -> date | None:
    time = read_time(written.decode("ascii", "replace"), zone)
    return time.date() if time else None


def read_day(written: bytes, zone: tzinfo = UTC) -> date | None:
    """Return the day of a time of a log in UTC, see `read_time`. Lines of the same hour are looked up."""
    try:
        if written[2:3] == b"/":
            offset = written[20:]  # with one of whole hours, a day begins with an hour
            return _common_day(written[:14] + b":00" if offset[-2:] == b"00" else written[:17], offset, zone)
    except (ValueError, KeyError, OverflowError):
        return None
    if written[10:11] == b"T" and written.endswith((b"Z", b"+00:00", b"+0000")):
        written = written[:10] + b"T00:00:00Z"
    return _other_day(written, zone)


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
