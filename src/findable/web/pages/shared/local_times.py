"""Times in the reader's time zone and language."""

from datetime import datetime, tzinfo

from msgspec import Struct

from findable.wording import Translator


class Moment(Struct, frozen=True):
    """Time in ISO 8601 and in words."""

    iso: str
    words: str


def moment_of(at: datetime, say: Translator, zone: tzinfo | None = None) -> Moment:
    """Return a time for display in ``zone``; default: UTC."""
    return Moment(at.isoformat(timespec="seconds"), say.moment(at, zone))


def day_of(at: datetime, say: Translator, zone: tzinfo | None, other: datetime | None = None) -> Moment:
    """Return the day of a time for display; with the time if ``other`` is on the same day."""
    day = say.day(at, zone)
    has_time = other is not None and say.day(other, zone) == day
    return Moment(at.isoformat(timespec="seconds"), say.moment(at, zone) if has_time else day)
