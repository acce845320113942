"""When schedules are due, over clock changes, downtime and crowds."""

import itertools
from collections import Counter
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from findable.monitor.schedule_rules import LATE_S, MAX_JITTER_S, ScheduleRule, due_run, jitter_s, next_after, rule_of

DAY_S = 86_400
CLOCK_CHANGES = {  # nights of 2026: (clocks go forward, first local time after the gap), (clocks go back, a time that occurs twice)
    "Europe/Berlin": (("2026-03-29", "02:30", "03:00"), ("2026-10-25", "02:30")),
    "America/New_York": (("2026-03-08", "02:30", "03:00"), ("2026-11-01", "01:30")),
    "Australia/Lord_Howe": (("2026-10-04", "02:15", "02:30"), ("2026-04-05", "01:45")),  # half an hour
    "America/Santiago": (("2026-09-06", "00:00", "01:00"), ("2026-04-04", "23:30")),  # at midnight
    "Africa/Casablanca": (("2026-03-22", "02:30", "03:00"), ("2026-02-15", "02:30")),  # for Ramadan
    "America/Scoresbysund": (("2026-03-29", "00:30", "00:00"), ("2026-10-25", "00:15")),
}


def rule(every: str = "day", at: str = "03:00", zone: str = "UTC") -> ScheduleRule:
    found, problems = rule_of(every, at, zone)
    assert found is not None, problems
    return found


def moment(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def local(seconds: int, zone: str) -> str:
    return datetime.fromtimestamp(seconds, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def planned(one: ScheduleRule, after: int, count: int) -> list[int]:
    found = []
    for _ in range(count):
        after = next_after(one, after)
        found.append(after)
    return found


def test_a_daily_schedule_runs_once_on_both_nights_of_clock_changes() -> None:
    for zone, ((day, skipped, instead), (back, doubled)) in CLOCK_CHANGES.items():
        if zone == "America/Scoresbysund":
            continue  # its gap crosses midnight: the next test
        for at, night, expected in ((skipped, day, instead), (doubled, back, doubled)):
            runs = planned(rule("day", at, zone), moment(night) - 3 * DAY_S, 6)
            days = Counter(local(run, zone)[:10] for run in runs)
            assert set(days.values()) == {1}, (zone, at, days)
            assert f"{night} {expected}" in [local(run, zone) for run in runs], (zone, at)
            gaps = {later - earlier for earlier, later in itertools.pairwise(runs)}
            assert all(DAY_S - 3600 <= gap <= DAY_S + 3600 for gap in gaps), (zone, gaps)


def test_a_time_that_occurs_twice_runs_at_its_first_occurrence() -> None:
    runs = planned(rule("day", "02:30", "Europe/Berlin"), moment("2026-10-24T12:00"), 1)
    assert runs == [moment("2026-10-25T00:30")]  # summer time still


def test_a_gap_over_midnight_neither_loses_nor_doubles_a_run() -> None:
    zone = "America/Scoresbysund"
    for at in ("00:30", "23:30", "00:00", "22:45"):
        for night in ("2026-03-28", "2026-10-24"):
            runs = planned(rule("day", at, zone), moment(night) - 2 * DAY_S, 6)
            assert len(set(runs)) == 6
            assert all(DAY_S - 3600 <= b - a <= DAY_S + 3600 for a, b in itertools.pairwise(runs)), (at, night)


def test_hours_keep_their_local_times_over_clock_changes() -> None:
    one = rule("PT6H", "03:00", "Europe/Berlin")
    runs = [local(run, one.time_zone)[5:] for run in planned(one, moment("2026-03-28T22:30"), 5)]
    assert runs == ["03-29 03:00", "03-29 09:00", "03-29 15:00", "03-29 21:00", "03-30 03:00"]
    hourly = planned(rule("PT1H", "00:00", "Europe/Berlin"), moment("2026-10-24T22:30"), 24)
    assert len({local(run, "Europe/Berlin") for run in hourly}) == 24


def test_weeks_and_months_name_their_day() -> None:
    assert local(next_after(rule("week", "fri 07:15"), moment("2026-11-23")), "UTC") == "2026-11-27 07:15"
    monthly = rule("month", "31 04:00")
    assert [local(run, "UTC")[:10] for run in planned(monthly, moment("2027-01-15"), 3)] == ["2027-01-31", "2027-02-28", "2027-03-31"]
    assert (rule("week", "fri 7:15").local_time, monthly.local_time, rule("PT06H", "3:00").every) == ("fri 07:15", "31 04:00", "PT6H")


def test_a_planned_moment_is_not_planned_again() -> None:
    one = rule("day", "03:00", "Europe/Berlin")
    first = next_after(one, moment("2026-11-23"))
    assert next_after(one, first) > first
    assert next_after(one, first - 1) == first


def test_a_week_of_downtime_is_one_late_run() -> None:
    for every in ("day", "PT1H", "PT6H"):
        one = rule(every, "03:00", "Europe/Berlin")
        due = next_after(one, moment("2026-11-01"))
        now = due + 7 * DAY_S + 60
        turn = due_run(one, due, 30, now)
        assert turn.is_late
        assert turn.next_planned_at > now - 30
        assert turn.next_planned_at - now <= one.period_s
    in_time = due_run(rule(), moment("2026-11-02T03:00"), 30, moment("2026-11-02T03:00") + 30 + LATE_S)
    assert not in_time.is_late


def test_a_clock_set_back_does_not_repeat_a_run() -> None:
    due = next_after(rule(), moment("2026-11-01"))
    assert due_run(rule(), due, 0, due - 5 * DAY_S).next_planned_at > due


def test_a_thousand_schedules_of_one_moment_are_spread() -> None:
    daily = rule()
    delays = [jitter_s(daily, number) for number in range(1, 1001)]
    assert delays == [jitter_s(daily, number) for number in range(1, 1001)]  # fixed
    assert max(delays) <= MAX_JITTER_S
    in_a_minute = Counter(delay // 60 for delay in delays)
    assert len(in_a_minute) == 15 + (MAX_JITTER_S in delays)
    assert max(in_a_minute.values()) <= 120
    hourly = [jitter_s(rule("PT1H"), number) for number in range(1000)]
    assert max(hourly) <= 360


@pytest.mark.parametrize(
    ("every", "at", "zone", "fields"),
    [
        ("fortnight", "03:00", "UTC", {"every"}),
        ("PT5H", "03:00", "UTC", {"every"}),
        ("PT0H", "03:00", "UTC", {"every"}),
        ("day", "24:00", "UTC", {"at"}),
        ("day", "mon 03:00", "UTC", {"at"}),
        ("week", "15 03:00", "UTC", {"at"}),
        ("month", "32 03:00", "UTC", {"at"}),
        ("month", "0 03:00", "UTC", {"at"}),
        ("day", "03:60", "../../etc/passwd", {"at", "time_zone"}),
    ],
)
def test_a_wrong_rule_names_its_fields(every: str, at: str, zone: str, fields: set[str]) -> None:
    found, problems = rule_of(every, at, zone)
    assert found is None
    assert set(problems) == fields
