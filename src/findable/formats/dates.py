"""Parse dates in markup (ISO 8601)."""

from calendar import isleap, monthrange
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone

from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Code

MAX_CHARS = 40

_ISO = lazy_pattern(
    r"\s*(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|z|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?\s*\Z"
)

_CLOCK = r"(?P<hour>\d{2})(?::?(?P<minute>\d{2})(?::?(?P<second>\d{2}))?)?(?:[.,]\d{1,9})?\s*(?P<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?"
_DATE = lazy_pattern(
    r"(?P<year>\d{4}|[+-]\d{4,6})"
    r"(?:-(?P<month>\d{2})(?:-(?P<day>\d{2}))?|(?P<compact>\d{4})|-?W(?P<week>\d{2})(?:-?(?P<weekday>\d))?|-?(?P<ordinal>\d{3}))?"
    rf"(?:[Tt ]+{_CLOCK})?"
)
_TIME = lazy_pattern(rf"[Tt]?{_CLOCK}")
_DURATION = lazy_pattern(
    r"[+-]?P(?!\Z)(?:\d+(?:[.,]\d+)?W|(?:\d+(?:[.,]\d+)?Y)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?W)?(?:\d+(?:[.,]\d+)?D)?"
    r"(?:T(?!\Z)(?:\d+(?:[.,]\d+)?H)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?S)?)?)"
)
_LAST_HOUR, _LAST_MINUTE = 23, 59


class DateFault(Code, params=("date_fault", "value_fault")):
    """Fault of a date in markup."""

    NOT_ISO = "not_iso", "not an ISO 8601 date"
    IMPOSSIBLE = "impossible_date", "no day of the calendar"
    EMPTY = "placeholder_date", "a placeholder for “no date”"
    """Year 0 or 1, which programs use for "no date"."""


def date_fault(text: str) -> DateFault | None:
    """Return the fault of an ISO 8601 date, or date and time; None if it is valid. A year, a month or a week is a valid date."""
    found = _DATE.fullmatch(text[: MAX_CHARS + 1].strip())
    if found is None:
        return DateFault.NOT_ISO
    part = {name: int(value) for name, value in found.groupdict().items() if value and name not in ("compact", "zone")}
    if compact := found["compact"]:
        part |= {"month": int(compact[:2]), "day": int(compact[2:])}
    if found["year"] in ("0000", "0001"):
        return DateFault.EMPTY
    year, month, day = part["year"], part.get("month", 1), part.get("day", 1)
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(year % 400 + 2000, month)[1]:  # noqa: PLR2004 - months
        return DateFault.IMPOSSIBLE
    if not 1 <= part.get("ordinal", 1) <= 365 + isleap(year) or not _is_week(year, part.get("week", 1), part.get("weekday", 1)):
        return DateFault.IMPOSSIBLE
    return None if _is_clock(part, found["zone"]) else DateFault.IMPOSSIBLE


def is_iso_time(text: str) -> bool:
    """Return whether a text is an ISO 8601 time of day."""
    found = _TIME.fullmatch(text[: MAX_CHARS + 1].strip())
    if found is None:
        return False
    return _is_clock({name: int(value) for name, value in found.groupdict().items() if value and name != "zone"}, found["zone"])


def is_iso_duration(text: str) -> bool:
    """Return whether a text is an ISO 8601 duration, such as PT1H30M."""
    return _DURATION.fullmatch(text[: MAX_CHARS + 1].strip()) is not None


def _is_week(year: int, week: int, weekday: int) -> bool:
    try:
        date.fromisocalendar(year % 400 + 2000, week, weekday)  # the calendar repeats after 400 years
    except ValueError:
        return False
    return True


def _is_clock(part: Mapping[str, int], zone: str | None) -> bool:
    hour, minute, second = (part.get(name, 0) for name in ("hour", "minute", "second"))
    digits = (zone or "")[1:].replace(":", "")
    if int(digits[:2] or 0) > _LAST_HOUR or int(digits[2:] or 0) > _LAST_MINUTE:
        return False
    is_midnight = hour == _LAST_HOUR + 1 and not minute and not second
    return (hour <= _LAST_HOUR or is_midnight) and minute <= _LAST_MINUTE and second <= _LAST_MINUTE + 1  # a leap second


def iso_moment(text: str) -> datetime | None:
    """Parse an ISO 8601 date, or date and time; return None if the text is not one.

    A time without an offset is UTC; a date without a time means its first moment.
    """
    found = _ISO.match(text[:MAX_CHARS])
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        return datetime(year, month, day, hour, minute, min(second, 59), tzinfo=_zone(found.group(7)))
    except ValueError:
        return None


def _zone(written: str | None) -> timezone:
    if written is None or written in "Zz":
        return UTC
    digits = written[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-offset if written[0] == "-" else offset)
