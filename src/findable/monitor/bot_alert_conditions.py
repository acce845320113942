"""Conditions of alerts about bots in access logs: verified bots that stay away, and errors that rise.

Only days that the logs cover completely are judged, never the time since the last log: a log that ended says nothing about bots.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from msgspec import Struct

from findable.artifacts.tables.bot_names import BOTS_BY_TOKEN
from findable.artifacts.tables.bots import Bot, BotPurpose
from findable.monitor.alert_rules import AlertRule, RuleSignal
from findable.monitor.alert_states import Signal
from findable.values import median

WINDOW_DAYS = 3
"""Complete days at the end of the logs that are judged. This and all numbers below are set by Findable."""
BEFORE_DAYS = 28
"""Days before, with which they are compared; a bot that stayed away longer does not count as one that comes."""
USUAL_DAYS = 56
"""Days before, whose middle share of errors is the usual one."""
MIN_COVERED = 21
"""Complete days among those before without which nothing is judged."""
PRESENT_SHARE = 0.9
"""Share of the days before on which a bot must have come."""
MIN_A_DAY = 5
"""Requests a day from which the absence of a bot is no accident."""
CLAIMED_SHARE = 0.5
"""Share of the usual requests from which others that claim to be the bot mean that it can no longer be verified."""
MIN_HITS, MIN_ERRORS = 50, 20
MIN_RISE = 0.1
"""Rise of the share of errors, which must also be twice the usual one."""
ENDED_AFTER_DAYS = 7
"""Days after which a log without newer lines counts as ended; until then, days without it are not complete."""
LOOK_BACK_DAYS = WINDOW_DAYS + USUAL_DAYS + BEFORE_DAYS
_PURPOSES = frozenset({BotPurpose.SEARCH, BotPurpose.AI_SEARCH, BotPurpose.AI_TRAINING})
"""Purposes of bots that come by themselves."""


class LoggedDay(NamedTuple):
    """Requests of a bot on one day in one log."""

    source: str
    day: int
    """Days since 1970."""
    bot: str
    is_verified: bool
    hits: int
    errors: int
    """Requests with a status 4xx or 5xx."""


class BotSignal(NamedTuple):
    """Signal of a rule about one bot."""

    bot: str
    signal: RuleSignal


class _Judged(Struct, frozen=True):
    """What can be said about one bot: a signal for each rule, with the numbers of the message."""

    away: Signal
    errors: Signal
    last_day: int = 0
    usual_share: float = 0.0
    hits: int = 0
    error_hits: int = 0


def signals_of_bots(
    rows: Iterable[LoggedDay],
    days_by_source: Mapping[str, Collection[int]],
    outage_days: Collection[int],
    is_allowed: Callable[[Bot], bool],
) -> Iterator[BotSignal]:
    """Yield the signals about each bot; none if the last days are not known completely.

    Args:
        rows: requests of bots.
        days_by_source: days with lines by log.
        outage_days: days on which the site could not be reached, about which there were other alerts.
        is_allowed: whether robots.txt allows a bot the start page.
    """
    newest = max((max(days) for days in days_by_source.values() if days), default=0)
    live = {source: _complete(days) for source, days in days_by_source.items() if days and max(days) > newest - ENDED_AFTER_DAYS}
    known = sorted(set().union(*live.values()) - set(outage_days))
    end = min((max(days, default=0) for days in live.values()), default=0)
    window = range(end - WINDOW_DAYS + 1, end + 1)
    if not live or any(day in outage_days or day not in days for days in live.values() for day in window):
        return  # a log has no complete last days, or the site could not be reached
    known = [day for day in known if end - LOOK_BACK_DAYS < day <= end]
    judged: dict[str, _Judged] = {}
    for bot, found in _by_bot(row for row in rows if row.source in live).items():
        about = BOTS_BY_TOKEN.get(bot)
        if about is not None and about.purpose in _PURPOSES:
            judged[bot] = _judged(found, known, is_expected=is_allowed(about))
    yield from _signals(judged)


def _signals(judged: Mapping[str, _Judged]) -> Iterator[BotSignal]:
    """Yield the signals, with one message for all bots of a rule."""
    away = {bot: one for bot, one in judged.items() if one.away is Signal.BAD}
    failing = {bot: one for bot, one in judged.items() if one.errors is Signal.BAD}
    last_day = date(1970, 1, 1) + timedelta(days=max((one.last_day for one in away.values()), default=0))
    hits = sum(one.hits for one in failing.values())
    share = sum(one.error_hits for one in failing.values()) / hits if hits else 0.0
    usual = max((one.usual_share for one in failing.values()), default=0.0)
    away_values: dict[str, str | int] = {"bots": ", ".join(sorted(away)), "date": last_day.isoformat()}
    error_values: dict[str, str | int] = {"bots": ", ".join(sorted(failing)), "percent": round(100 * share), "before": round(100 * usual)}
    blocked = (AlertRule.SITE_UNREACHABLE, AlertRule.CRAWL_BLOCKED, AlertRule.ROBOTS_BLOCKS_START)
    for bot, one in judged.items():
        yield BotSignal(bot, RuleSignal(AlertRule.BOT_AWAY, one.away, values=away_values, explained_by=blocked))
        yield BotSignal(bot, RuleSignal(AlertRule.BOT_ERRORS, one.errors, values=error_values, explained_by=blocked[:1]))


def _complete(days: Collection[int]) -> set[int]:
    """Return the days between two others: those at the edges of a log may be known in part."""
    return {day for day in days if day - 1 in days and day + 1 in days}


class _Days(NamedTuple):
    """Requests of one bot by day."""

    hits: Counter[int]
    errors: Counter[int]
    claims: Counter[int]
    """Requests of others, or of the bot itself, that could not be verified."""


def _by_bot(rows: Iterable[LoggedDay]) -> dict[str, _Days]:
    found: dict[str, _Days] = {}
    for row in rows:
        days = found.setdefault(row.bot, _Days(Counter(), Counter(), Counter()))
        if row.is_verified:
            days.hits[row.day] += row.hits
            days.errors[row.day] += row.errors
        else:
            days.claims[row.day] += row.hits
    return found


def _judged(found: _Days, known: list[int], *, is_expected: bool) -> _Judged:
    last_day = max((day for day in known if found.hits[day]), default=0)
    absent = [day for day in known if day > last_day]
    before = [day for day in known if last_day - BEFORE_DAYS < day <= last_day]
    window = known[-WINDOW_DAYS:]
    usual = [found.errors[day] / found.hits[day] for day in known if window[0] - USUAL_DAYS <= day < window[0] and found.hits[day]]
    hits, errors = (sum(counts[day] for day in window) for counts in (found.hits, found.errors))
    usual_share = median(usual) if usual else 0.0
    return _Judged(
        _away(found, absent, before, is_expected=is_expected),
        _errors(hits, errors, usual_share, is_known=len(usual) >= MIN_COVERED),
        last_day,
        usual_share,
        hits,
        errors,
    )


def _away(found: _Days, absent: list[int], before: list[int], *, is_expected: bool) -> Signal:
    if not is_expected or len(absent) < WINDOW_DAYS:
        return Signal.GOOD
    mean = sum(found.hits[day] for day in before) / len(before) if before else 0.0
    is_regular = mean >= MIN_A_DAY and sum(found.hits[day] > 0 for day in before) >= PRESENT_SHARE * len(before)
    if len(before) < MIN_COVERED or not is_regular or absent[-1] - absent[0] >= BEFORE_DAYS:
        return Signal.GOOD
    claims = sum(found.claims[day] for day in absent) / len(absent) - sum(found.claims[day] for day in before) / len(before)
    return Signal.INCONCLUSIVE if claims >= CLAIMED_SHARE * mean else Signal.BAD


def _errors(hits: int, errors: int, usual: float, *, is_known: bool) -> Signal:
    if not is_known or not hits:
        return Signal.INCONCLUSIVE
    is_risen = errors / hits >= max(usual + MIN_RISE, 2 * usual)
    if is_risen and (hits < MIN_HITS or errors < MIN_ERRORS):
        return Signal.INCONCLUSIVE
    return Signal.BAD if is_risen else Signal.GOOD
