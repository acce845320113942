"""Times of access logs."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

from findable.lazy_pattern import lazy_pattern

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
