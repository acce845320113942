"""Display of times."""

from datetime import datetime, tzinfo

from msgspec import Struct

from findable.wording import Translator


class Moment(Struct, frozen=True):
    """Time for machines and in words."""

    iso: str
    words: str


def moment_of(at: datetime, say: Translator, zone: tzinfo | None = None) -> Moment:
    """Return a time in the time zone of the reader; default: UTC."""
    return Moment(at.isoformat(timespec="seconds"), say.moment(at, zone))
