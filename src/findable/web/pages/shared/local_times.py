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


def day_of(at: datetime, say: Translator, zone: tzinfo | None) -> Moment:
    """Return the day of a time for display."""
    return Moment(at.isoformat(timespec="seconds"), say.day(at, zone))
