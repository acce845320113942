"""The only module that reads the time."""

import time
from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC, to the second (RFC 3339 everywhere)."""
    return datetime.now(UTC).replace(microsecond=0)


def monotonic_s() -> float:
    """Return a monotonic time in seconds, for durations."""
    return time.monotonic()


def rfc3339(moment: datetime) -> str:
    """Format a moment as ``2026-11-21T10:00:04Z``."""
    in_utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return in_utc.isoformat("T", "seconds")[:19] + "Z"
