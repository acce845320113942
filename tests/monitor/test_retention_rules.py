"""Which runs are kept: all of a while, then the first of each week, then the first of each month."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from findable.monitor.retention_rules import DAY_S, PastRun, Retention, Worth, positions_to_delete

NOW = int(datetime(2026, 11, 23, tzinfo=UTC).timestamp())
DEFAULT = Retention()


def kept(runs: list[PastRun], retention: Retention = DEFAULT, now: int = NOW) -> list[PastRun]:
    gone = set(positions_to_delete(runs, retention, now))
    return [run for position, run in enumerate(runs) if position not in gone]


def daily(days: int) -> list[PastRun]:
    return [PastRun(NOW - number * DAY_S, Worth.RATED) for number in range(days, 0, -1)]


def test_two_years_of_daily_runs_become_one_a_month_one_a_week_and_all_of_30_days() -> None:
    ages = [(NOW - run.at) // DAY_S for run in kept(daily(730))]
    assert sum(1 for age in ages if age <= 30) == 30
    assert 48 <= sum(1 for age in ages if 30 < age <= 365) <= 50
    assert sum(1 for age in ages if age > 365) in (12, 13)


def test_the_first_rated_run_of_a_week_is_kept_before_an_unchanged_and_a_failed_one() -> None:
    monday = int(datetime(2026, 9, 7, 3, tzinfo=UTC).timestamp())
    week = [PastRun(monday + day * DAY_S, worth) for day, worth in enumerate((Worth.FAILED, Worth.UNCHANGED, Worth.RATED, Worth.RATED))]
    assert kept(week) == [week[2]]
    assert kept(week[:2]) == [week[1]]
    assert kept(week[:1]) == week[:1]


def test_a_needed_run_is_kept_beside_the_first_of_its_week() -> None:
    monday = int(datetime(2026, 9, 7, 3, tzinfo=UTC).timestamp())
    week = [PastRun(monday + day * DAY_S, Worth.RATED, is_needed=day == 4) for day in range(7)]
    assert kept(week) == [week[0], week[4]]


RUNS = st.lists(st.builds(PastRun, st.integers(NOW - 900 * DAY_S, NOW), st.sampled_from(Worth), st.booleans()), max_size=60)
CHOICES = st.integers(1, 400).flatmap(lambda days: st.builds(Retention, st.just(days), st.integers(days, 800)))


@given(RUNS, CHOICES)
def test_needed_runs_stay_and_each_deleted_one_has_a_better_one_of_its_week_or_month(runs: list[PastRun], retention: Retention) -> None:
    gone = set(positions_to_delete(runs, retention, NOW))
    left = [run for position, run in enumerate(runs) if position not in gone]

    def periods(run: PastRun) -> set[tuple[int, ...]]:
        at = datetime.fromtimestamp(run.at, UTC)
        return {(at.year, at.month), (*at.isocalendar()[:2], 0)}

    for position in gone:
        assert not runs[position].is_needed
        assert runs[position].at < NOW - retention.all_days * DAY_S
        assert any(periods(runs[position]) & periods(run) and run.worth <= runs[position].worth for run in left)
    assert not positions_to_delete(left, retention, NOW)
