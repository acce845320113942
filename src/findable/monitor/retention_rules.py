"""Rules for deleting runs: first every run is stored, later one per week, then one per month. Pure functions."""

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import IntEnum

from msgspec import Struct

DAY_S = 86_400
ALL_DAYS = 30
WEEKLY_DAYS = 365
MAX_DAYS = 3650


class Retention(Struct, frozen=True, omit_defaults=True):
    """Days for which the runs of a project are stored."""

    all_days: int = ALL_DAYS
    """Days for which every run is stored."""
    weekly_days: int = WEEKLY_DAYS
    """Days for which one run of each week is stored; older runs are reduced to one per month."""
    saved_days: int | None = None
    """Days for which saved pages and screenshots are stored; None for the limit of the service."""


class Worth(IntEnum):
    """Rank of a run within its week or month: the run with the lowest rank stays, the first one of several."""

    RATED = 0
    UNCHANGED = 1
    """The page was unchanged since its last full run."""
    FAILED = 2


class PastRun(Struct, frozen=True):
    """Time and rank of a run of a report or crawl, and whether other data needs it."""

    at: int
    """End in seconds since 1970."""
    worth: Worth
    is_needed: bool = False
    """Whether other data refers to the run, so that it is never deleted."""


def positions_to_delete(runs: Iterable[PastRun], retention: Retention, now: int) -> list[int]:
    """Return the positions of runs to delete.

    The first run of a week or month with a needed run stays too. Weeks begin on Monday; weeks and months are in UTC.
    """
    numbered = list(enumerate(runs))
    old = [(position, run) for position, run in numbered if run.at < now - retention.all_days * DAY_S]
    first: dict[tuple[int, ...], tuple[Worth, int, int]] = {}
    for position, run in old:
        period, key = _period(run, retention, now), (run.worth, run.at, position)
        first[period] = min(first.get(period, key), key)
    kept = {position for _, _, position in first.values()}
    return [position for position, run in old if position not in kept and not run.is_needed]


def _period(run: PastRun, retention: Retention, now: int) -> tuple[int, ...]:
    day = datetime.fromtimestamp(run.at, UTC)
    if run.at < now - retention.weekly_days * DAY_S:
        return day.year, day.month
    year, week, _ = day.isocalendar()
    return year, week, 0
