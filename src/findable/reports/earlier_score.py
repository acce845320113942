"""Earlier score that the score of pages, and each score in the list of projects, is compared with; a crawl has its own comparison."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from typing import Protocol, TypeVar

from findable.wording import Translator

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


def new_ruleset(before: str, now: str, say: Translator) -> str:
    """Return the note that a score has another ruleset than the one before, in a sentence; ``before`` is empty if it is not known."""
    if not before:
        return say("The ruleset changed to %(new)s: the two scores cannot be compared.", new=now)
    return say("The ruleset changed from %(old)s to %(new)s: the two scores cannot be compared.", old=before, new=now)


def score_change_words(before: int, score: int, day: str, say: Translator) -> str:
    """Return the change of a score since a day, in words; empty for none."""
    if score < before:
        return say.plural(
            "%(count)s point worse since %(day)s (from %(before)s to %(now)s)",
            "%(count)s points worse since %(day)s (from %(before)s to %(now)s)",
            before - score,
            day=day,
            before=before,
            now=score,
        )
    if score > before:
        return say.plural(
            "%(count)s point better since %(day)s (from %(before)s to %(now)s)",
            "%(count)s points better since %(day)s (from %(before)s to %(now)s)",
            score - before,
            day=day,
            before=before,
            now=score,
        )
    return ""


def last_score(score: int | None, day: str, say: Translator) -> str:
    """Return the note that the findings of a site are older than its verdict, with the score of their crawl, without a full stop."""
    if score is None:
        return say("The findings are those of the crawl of %(day)s", day=day)
    return say("The findings are those of the crawl of %(day)s, with score %(score)s", day=day, score=score)


def score_before_outage(score: int, day: str, say: Translator) -> str:
    """Return the sentence that a score is that of a day before an outage that is not confirmed yet."""
    return say("Before this, on %(day)s: %(score)s of 100. The next result shows whether that still holds.", day=day, score=score)


def direction(before: int | None, score: int | None) -> str:
    """Return the direction of a change, a class of the stylesheet: ``up``, ``down`` or ``same``."""
    change = (score or 0) - (before or 0)
    return "up" if change > 0 else "down" if change < 0 else "same"
