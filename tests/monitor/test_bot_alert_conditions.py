"""Rules about bots in access logs: first what must not be an alert."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import pytest

from findable.artifacts.tables.bots import Bot
from findable.monitor.alert_rules import AlertRule, RuleSignal
from findable.monitor.alert_states import Signal
from findable.monitor.bot_alert_conditions import LoggedDay, signals_of_bots

LAST = 20_000
"""Last day with lines; the day before is the last complete one."""
DAYS = range(LAST - 40, LAST + 1)
COVERED = {"web1": set(DAYS)}
GONE = LAST - 3
"""First day of three complete ones without the bot."""
GONE_ON: Collection[int] = range(GONE, LAST + 1)
NEVER: Collection[int] = ()


class Found(NamedTuple):
    away: Signal | None
    errors: Signal | None
    values: Mapping[str, str | int]


def rows(
    hits: int = 40,
    *,
    bot: str = "Googlebot",
    days: Collection[int] = DAYS,
    gone: Collection[int] = NEVER,
    errors: Callable[[int], int] = lambda day: 1,
    source: str = "web1",
    is_verified: bool = True,
) -> list[LoggedDay]:
    return [LoggedDay(source, day, bot, is_verified, hits, min(hits, errors(day))) for day in days if day not in gone]


def judge(
    made: list[LoggedDay],
    covered: Mapping[str, Collection[int]] = COVERED,
    *,
    outages: Collection[int] = (),
    is_allowed: Callable[[Bot], bool] = lambda bot: True,
    bot: str = "Googlebot",
) -> Found:
    signals: list[RuleSignal] = [one.signal for one in signals_of_bots(made, covered, outages, is_allowed) if one.bot == bot]
    of = {one.rule: one.signal for one in signals}
    bad = next((one.values for one in signals if one.signal is Signal.BAD), {})
    return Found(of.get(AlertRule.BOT_AWAY), of.get(AlertRule.BOT_ERRORS), bad)


def failing(day: int) -> int:
    return 20 if day >= GONE else 1


WEEKLY = [day for day in DAYS if day % 7]
HALF = [day for day in DAYS if day % 2]
NOT_AWAY: dict[str, list[LoggedDay]] = {
    "it comes every day": rows(),
    "it came again on the last complete day": rows(gone=range(GONE, LAST - 1)),
    "two days without it": rows(gone=range(GONE + 1, LAST + 1)),
    "only the last day, which may be known in part": rows(gone=[LAST]),
    "a bot with four requests a day": rows(4, gone=GONE_ON),
    "a bot that comes once a week": rows(gone=[*WEEKLY, *GONE_ON]),
    "a bot that comes every other day": rows(gone=[*HALF, *GONE_ON]),
    "a bot that has come for two weeks only": rows(days=range(LAST - 14, LAST + 1), gone=GONE_ON),
    "agents of persons": rows(bot="ChatGPT-User", gone=GONE_ON),
    "never verified": rows(is_verified=False, gone=GONE_ON),
    "a month ago": rows(days=range(LAST - 80, LAST + 1), gone=range(LAST - 40, LAST + 1)),
}


@pytest.mark.parametrize("name", NOT_AWAY)
def test_bots_that_come_as_before_or_rarely_are_not_away(name: str) -> None:
    made = NOT_AWAY[name] + rows(bot="Bingbot")
    covered = {"web1": set(range(LAST - 80, LAST + 1))} if name == "a month ago" else COVERED
    assert Signal.BAD not in {judge(made, covered, bot=bot)[0] for bot in ("Googlebot", "ChatGPT-User")}


def test_a_log_that_ended_or_was_not_imported_says_nothing_about_bots() -> None:
    ended = {"web1": set(range(LAST - 40, GONE + 1))}
    assert judge(rows(days=ended["web1"]), ended) == (Signal.GOOD, Signal.GOOD, {})
    missing = {"web1": set(DAYS) - {LAST - 2}}
    assert judge(rows(gone=GONE_ON), missing) == (Signal.GOOD, Signal.GOOD, {})
    assert judge([], {"web1": []}) == (None, None, {})
    assert judge([], {}) == (None, None, {})


def test_the_first_weeks_of_logs_say_nothing_about_bots() -> None:
    short = range(LAST - 20, LAST + 1)
    found = judge(rows(days=short, gone=GONE_ON, errors=failing), {"web1": set(short)})
    assert Signal.BAD not in found


def test_days_of_an_outage_are_not_judged_because_it_had_its_own_alert() -> None:
    for outage in ([LAST - 1], [GONE], list(GONE_ON)):
        assert judge(rows(gone=GONE_ON), outages=outage) == (None, None, {})
        assert judge(rows(errors=failing), outages=outage) == (None, None, {})


def test_a_second_server_whose_log_is_not_imported_yet_is_waited_for() -> None:
    moved = rows(gone=GONE_ON) + rows(source="web2", days=range(GONE - 5, GONE))
    covered = {"web1": set(DAYS), "web2": set(range(GONE - 5, GONE + 1))}
    assert judge(moved, covered).away is Signal.GOOD
    later = rows(gone=GONE_ON) + rows(source="web2", days=range(GONE - 5, LAST + 1))
    assert judge(later, {**covered, "web2": set(range(GONE - 5, LAST + 1))}).away is Signal.GOOD


def test_a_server_that_was_switched_off_long_ago_does_not_matter() -> None:
    covered = {"web1": set(DAYS), "old": set(range(LAST - 40, LAST - 20))}
    assert judge(rows() + rows(source="old", days=covered["old"]), covered) == (Signal.GOOD, Signal.GOOD, {})
    assert judge(rows(gone=GONE_ON) + rows(source="old", days=covered["old"]), covered).away is Signal.BAD


def test_a_bot_that_can_no_longer_be_verified_is_not_away() -> None:
    behind_a_proxy = rows(is_verified=False, days=GONE_ON)
    assert judge(rows(gone=GONE_ON) + behind_a_proxy).away is Signal.INCONCLUSIVE
    fakes_as_ever = rows(is_verified=False)
    assert judge(rows(gone=GONE_ON) + fakes_as_ever).away is Signal.BAD


def test_a_bot_that_robots_txt_disallows_is_not_expected() -> None:
    assert judge(rows(gone=GONE_ON), is_allowed=lambda bot: bot.token != "Googlebot").away is Signal.GOOD


def test_a_bot_that_came_daily_and_stays_away_for_three_days_is_away() -> None:
    made = rows(gone=GONE_ON) + rows(bot="Bingbot", gone=GONE_ON) + rows(bot="GPTBot")
    found = judge(made)
    assert found.away is Signal.BAD
    assert found.values == {"bots": "Bingbot, Googlebot", "date": "2024-09-30"}
    assert judge(made, bot="GPTBot").away is Signal.GOOD


def test_it_stays_away_for_a_month_and_the_alert_lasts() -> None:
    for away_days in (3, 10, 27):
        days = range(LAST - 70, LAST + 1)
        made = rows(days=days, gone=range(LAST - away_days, LAST + 1))
        assert judge(made, {"web1": set(days)}).away is Signal.BAD, away_days


QUIET_ERRORS: dict[str, list[LoggedDay]] = {
    "as ever": rows(errors=lambda day: 8),
    "fewer": rows(errors=lambda day: 8 if day < GONE else 2),
    "few errors": rows(40, errors=lambda day: 6 if day >= GONE else 1),
    "few requests": rows(10, errors=lambda day: 10 if day >= GONE else 0),
    "less than ten points": rows(100, errors=lambda day: 10 if day >= GONE else 1),
    "less than twice": rows(100, errors=lambda day: 45 if day >= GONE else 25),
    "one bad day in the past": rows(errors=lambda day: 40 if day == GONE - 3 else 1),
    "only the last day, which may be known in part": rows(errors=lambda day: 40 if day == LAST else 1),
    "of fakes": rows(errors=failing, is_verified=False) + rows(),
}


@pytest.mark.parametrize("name", QUIET_ERRORS)
def test_few_or_usual_errors_are_no_alert(name: str) -> None:
    assert judge(QUIET_ERRORS[name]).errors is not Signal.BAD


def test_errors_that_rise_are_an_alert_with_both_shares() -> None:
    found = judge(rows(errors=failing) + rows(bot="Bingbot"))
    assert (found.away, found.errors) == (Signal.GOOD, Signal.BAD)
    assert found.values == {"bots": "Googlebot", "percent": 50, "before": 2}
