"""Earlier score that the score of pages, and each score in the list of projects, is compared with; a crawl has its own comparison."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from typing import Protocol, TypeVar

WEEK = timedelta(days=7)
_DAY = timedelta(days=1)

Scored = TypeVar("Scored")


def score_base(earlier: Iterable[Scored], time_of: Callable[[Scored], datetime], ended: datetime, present: datetime) -> Scored | None:
    """Return the newest earlier score that is a week old and a day older than the compared one; else the oldest. None if there is none.

    Several crawls of one day have one base: the last crawl before them.

    Args:
        earlier: results with a score, before the compared one, newest first.
        time_of: returns the time of such a result.
        ended: time of the compared score.
        present: time of the comparison.
    """
    limit = min(present - WEEK, ended - _DAY)
    oldest = None
    for one in earlier:
        oldest = one
        if time_of(one) <= limit:
            break
    return oldest


class Ruled(Protocol):
    """Score under a ruleset."""

    @property
    def ruleset(self) -> str:
        """Name of the ruleset; empty if it is not known."""


RuledT = TypeVar("RuledT", bound=Ruled)


def by_ruleset(points: Iterable[RuledT]) -> list[list[RuledT]]:
    """Return scores in groups that can be compared: each has one ruleset. ``points`` are sorted by time."""
    return [list(group) for _, group in groupby(points, lambda point: point.ruleset)]
