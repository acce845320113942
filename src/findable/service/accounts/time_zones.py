"""Time zones that a person can choose: those of zone.tab, one for each region of a country, without old names such as US/Eastern."""

import datetime as dt
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError, available_timezones

UTC = "UTC"
_TABLE = "zone.tab"
_NO_PLACES = ("Etc/", "SystemV/", "posix/", "right/")


@cache
def choices() -> tuple[str, ...]:
    """Return the names of the time zones to choose from, UTC first; those of all places if the machine has no zone.tab."""
    return (UTC, *sorted(_places().intersection(_zone_tab_names()) or _places()))


def is_known(name: str) -> bool:
    """Return whether a name is the time zone of a place, including old names that can no longer be chosen."""
    return name == UTC or name in _places()


def zone_of(name: str | None) -> dt.tzinfo:
    """Return a time zone that a person chose; UTC if they chose none, or one that this machine does not have."""
    try:
        return ZoneInfo(name) if name else dt.UTC
    except (ZoneInfoNotFoundError, ValueError):
        return dt.UTC


@cache
def _places() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if "/" in name and not name.startswith(_NO_PLACES))


def _zone_tab_names() -> Iterator[str]:
    """Yield the third column of zone.tab."""
    for line in _table().splitlines():
        columns = line.split("\t")
        if not line.startswith("#") and len(columns) > 2:  # noqa: PLR2004 - country, coordinates, name
            yield columns[2]


def _table() -> str:
    """Return zone.tab of the system, else of the package tzdata; an empty text if there is neither."""
    for folder in TZPATH:
        path = Path(folder) / _TABLE
        if path.is_file():
            return path.read_text(encoding="utf-8")
    try:
        return resources.files("tzdata").joinpath("zoneinfo", _TABLE).read_text(encoding="utf-8")
    except (ModuleNotFoundError, OSError):
        return ""
