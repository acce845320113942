"""Earlier score that a score is compared with."""

from datetime import UTC, datetime, timedelta

import pytest

from findable.reports.earlier_score import score_base

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
