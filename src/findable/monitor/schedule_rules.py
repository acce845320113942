"""Schedules: every day, week or month, or every few hours, at a local time. A rule yields times in seconds since 1970.

A local time that is skipped when clocks go forward is the first moment after the gap; one that occurs twice when they go back is its first
occurrence. So every date has exactly one moment, and no run is skipped or repeated.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from hashlib import sha256
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from findable.wording import Message, later

DAY, WEEK, MONTH = "day", "week", "month"
HOURS = (1, 2, 3, 4, 6, 8, 12)
"""Intervals in hours: those that divide a day, so that the local times are the same every day."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MAX_JITTER_S = 900
JITTER_SHARE = 0.1
"""Maximum jitter as a share of the interval."""
LATE_S = 900
"""Delay after which a run is late."""
MAX_TEXT_CHARS = 64
NIGHT_MINUTES = (60, 300)
"""First and last minute of the day at which schedules start by default."""
NIGHT_STEP = 37
"""Minutes between the default times of two projects."""
_DAY_S = 86_400
_PERIODS_S = {DAY: _DAY_S, WEEK: 7 * _DAY_S, MONTH: 28 * _DAY_S}
_EVERY_HOURS = re.compile(r"PT([0-9]{1,2})H")
_AT = re.compile(r"(?:(?P<day>[a-z]{3}|[0-9]{1,2}) )?(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})")
_LATEST_DATE = date(9000, 1, 1)

_WRONG_EVERY = Message(
    later("The every field must be day, week, month or one of %(hours)s."), hours=", ".join(f"PT{hours}H" for hours in HOURS)
)
_WRONG_AT = later("The at field must be a time like 03:30; for a week also a day like mon 03:30, for a month a day like 15 03:30.")
_WRONG_ZONE = later("The time_zone field must be a name like Europe/Berlin.")


class ScheduleRule(Struct, frozen=True):
    """Rule for the due times of a schedule. Created by `rule_of`."""

    every: str
    """``day``, ``week``, ``month`` or ``PT6H``."""
    hour: int
    minute: int
    time_zone: str
    """Name of the time zone in the IANA database."""
    day: int = 0
    """Day of the week from 0 (Monday), or of the month from 1; the last day of shorter months."""

    @property
    def hours(self) -> int:
        """Interval in hours; 0 for whole days."""
        found = _EVERY_HOURS.fullmatch(self.every)
        return int(found[1]) if found else 0

    @property
    def period_s(self) -> int:
        """Shortest interval between two regular runs, in seconds."""
        return _PERIODS_S.get(self.every) or self.hours * 3600

    @property
    def local_time(self) -> str:
        """Local time of the runs, with the day for weekly and monthly schedules."""
        day = {WEEK: f"{WEEKDAYS[self.day % 7]} ", MONTH: f"{self.day} "}.get(self.every, "")
        return f"{day}{self.hour:02}:{self.minute:02}"


def rule_of(every: str, at: str, time_zone: str) -> tuple[ScheduleRule | None, dict[str, str]]:
    """Return the rule, and the problems by field; the rule is set only without problems."""
    problems: dict[str, str] = {}
    every, at, zone = every.strip(), at.strip().lower(), time_zone.strip() or "UTC"
    found = _EVERY_HOURS.fullmatch(every)
    if every not in _PERIODS_S and not (found and int(found[1]) in HOURS):
        problems["every"] = _WRONG_EVERY
    if zone not in _zones():
        problems["time_zone"] = _WRONG_ZONE
    parts = _AT.fullmatch(at or "03:00")
    day = _day_of(every, parts["day"] or "") if parts else None
    if parts is None or day is None or int(parts["hour"]) >= 24 or int(parts["minute"]) >= 60:  # noqa: PLR2004 - a clock
        problems["at"] = _WRONG_AT
    if problems or parts is None or day is None:
        return None, problems
    every = f"PT{int(found[1])}H" if found else every
    return ScheduleRule(every, int(parts["hour"]), int(parts["minute"]), zone, day), {}


def _day_of(every: str, text: str) -> int | None:
    """Return the day that the text names; None if it does not fit this interval."""
    if every == WEEK:
        return WEEKDAYS.index(text) if text in WEEKDAYS else None if text else 0
    if every == MONTH:
        if not text:
            return 1
        return int(text) if text.isdigit() and 1 <= int(text) <= 31 else None  # noqa: PLR2004 - days of a month
    return None if text else 0


def default_time(every: str, number: int) -> str:
    """Return the ``at`` of a new schedule without one, which spreads schedules over the nights of a week, and monthly ones over the month.

    ``number``: id of its project; the schedules of a project have the same time.
    """
    night, place = (number % len(WEEKDAYS), number // len(WEEKDAYS)) if every.strip() == WEEK else (0, number)
    minute = NIGHT_MINUTES[0] + place * NIGHT_STEP % (NIGHT_MINUTES[1] - NIGHT_MINUTES[0])
    local_time = f"{minute // 60:02}:{minute % 60:02}"
    day = {WEEK: f"{WEEKDAYS[night]} ", MONTH: f"{1 + number % 28} "}.get(every.strip(), "")
    return f"{day}{local_time}"


def next_after(rule: ScheduleRule, moment: int) -> int:
    """Return the first planned moment after ``moment``."""
    zone = ZoneInfo(rule.time_zone)
    day = datetime.fromtimestamp(moment, UTC).astimezone(zone).date() - timedelta(days=1)
    return next(planned for planned in _moments(rule, zone, day) if planned > moment)


def _moments(rule: ScheduleRule, zone: ZoneInfo, first: date) -> Iterator[int]:
    """Yield planned moments from the date on, ascending; two of them may be equal where clocks go forward."""
    hours = [(rule.hour + rule.hours * step) % 24 for step in range(24 // rule.hours)] if rule.hours else [rule.hour]
    day = first
    while day < _LATEST_DATE:
        if _is_planned(rule, day):
            yield from sorted(_instant(datetime.combine(day, time(hour, rule.minute)), zone) for hour in hours)
        day += timedelta(days=1)


def _is_planned(rule: ScheduleRule, day: date) -> bool:
    if rule.every == WEEK:
        return day.weekday() == rule.day
    if rule.every == MONTH:
        return day.day == min(rule.day, monthrange(day.year, day.month)[1])
    return True


def _instant(local: datetime, zone: ZoneInfo) -> int:
    """Return the moment of a local time: its first occurrence, or the end of the gap that skips it."""
    aware = local.replace(tzinfo=zone)
    moment = int(aware.timestamp())
    if datetime.fromtimestamp(moment, UTC).astimezone(zone).replace(tzinfo=None, fold=0) == local:
        return moment
    before, after = aware.utcoffset(), aware.replace(fold=1).utcoffset()  # the offsets before and after the gap
    if before is None or after is None:  # a zone without offsets does not exist
        return moment
    low, high = moment - abs(int((after - before).total_seconds())), moment
    while high - low > 1:  # the gap ends at the first moment that has the offset after it
        middle = (low + high) // 2
        has_changed = datetime.fromtimestamp(middle, UTC).astimezone(zone).utcoffset() == after
        low, high = (low, middle) if has_changed else (middle, high)
    return high


def jitter_s(rule: ScheduleRule, schedule_id: int) -> int:
    """Return the fixed delay of a schedule, which spreads schedules that are planned for the same time."""
    most = min(MAX_JITTER_S, int(rule.period_s * JITTER_SHARE))
    return int.from_bytes(sha256(str(schedule_id).encode()).digest()[:8]) % (most + 1)


class DueRun(Struct, frozen=True):
    """Due run of a schedule, with the time of the next one."""

    is_late: bool
    """Whether the run is later than planned, because the service was down."""
    next_planned_at: int


def due_run(rule: ScheduleRule, planned_at: int, jitter: int, now: int) -> DueRun:
    """Return the run of a schedule that is due now. It replaces all missed runs."""
    return DueRun(now - planned_at - jitter > LATE_S, next_after(rule, max(now - jitter, planned_at)))


def planned_again(rule: ScheduleRule, planned_at: int, now: int, tolerance_s: int) -> int | None:
    """Return the next planned moment of a schedule that a wrong clock planned too late; None if its plan is right.

    ``tolerance_s``: difference between the clocks of machines that is ignored.
    """
    return next_after(rule, now) if planned_at > next_after(rule, now + tolerance_s) else None


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
