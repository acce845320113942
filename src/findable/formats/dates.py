"""Parse dates in markup (ISO 8601)."""

import re
from datetime import UTC, datetime, timedelta, timezone

_ISO = re.compile(
    r"\s*(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|z|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?\s*\Z"
)


def iso_moment(text: str) -> datetime | None:
    """Return the moment of an ISO 8601 date or date and time; None if the text is not one.

    Without an offset the time is UTC; a date alone means its beginning.
    """
    found = _ISO.match(text[:40])
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
