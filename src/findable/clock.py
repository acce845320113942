"""The only reader of the time."""

import time
from datetime import UTC, datetime


def now() -> datetime:
    """The present, in UTC, to the second (RFC 3339 on every surface)."""
    return datetime.now(UTC).replace(microsecond=0)


def monotonic_s() -> float:
    """Seconds for durations; never goes back, whatever happens to the wall clock."""
    return time.monotonic()


def rfc3339(moment: datetime) -> str:
    """``2026-11-21T10:00:04Z``."""
    in_utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return in_utc.isoformat("T", "seconds")[:19] + "Z"
