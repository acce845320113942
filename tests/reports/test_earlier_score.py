"""Earlier score that a score is compared with."""

from datetime import UTC, datetime, timedelta

import pytest

from findable.reports.earlier_score import direction, score_base, score_change_words
from findable.wording import ENGLISH

NOW = datetime(2026, 11, 24, 20, tzinfo=UTC)


def base(ended: float, *earlier: float) -> float | None:
    """Return the age in days of the base; the arguments are ages in days."""
    return score_base(earlier, lambda age: NOW - timedelta(days=age), NOW - timedelta(days=ended), NOW)


@pytest.mark.parametrize(
    ("ended", "earlier", "expected"),
    [
        (0, (0.1, 0.4, 28), 28),
        (0, (1, 2, 6, 7, 8), 7),
        (0, (1, 3), 3),
        (0, (0.1,), 0.1),
        (9, (9.2, 40, 70), 40),
        (0, (), None),
    ],
    ids=["crawls-of-one-day", "daily", "first-week", "same-day-only", "old-crawl", "first"],
)
def test_the_base_is_the_last_score_from_a_week_ago_on_another_day(
    ended: float, earlier: tuple[float, ...], expected: float | None
) -> None:
    assert base(ended, *earlier) == expected


def test_the_change_says_points_day_and_both_scores() -> None:
    assert score_change_words(98, 59, "27 October", ENGLISH) == "39 points worse since 27 October (from 98 to 59)"
    assert score_change_words(59, 60, "27 October", ENGLISH) == "1 point better since 27 October (from 59 to 60)"
    assert score_change_words(59, 59, "27 October", ENGLISH) == ""
    assert [direction(98, 59), direction(59, 98), direction(59, 59)] == ["down", "up", "same"]
