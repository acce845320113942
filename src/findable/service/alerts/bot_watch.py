"""Update alerts about bots in the transaction that stores a part of an access log, with or without a schedule of the project."""

from collections.abc import Sequence
from datetime import date
from zlib import crc32

import msgspec

from findable.artifacts.tables.bot_ranges import Verification
from findable.artifacts.tables.bots import Bot
from findable.capture.hit_statuses import HitStatus
from findable.formats.robots_txt import RobotsTxt
from findable.monitor.alert_rules import AlertRule
from findable.monitor.alert_states import DAY_S, Signal
from findable.monitor.bot_alert_conditions import LOOK_BACK_DAYS, LoggedDay, signals_of_bots
from findable.monitor.site_alert_conditions import SiteFacts
from findable.service.alerts.alert_watch import process_signals
from findable.store.alert_statements import AlertRow
from findable.store.log_statements import HitDayRow
from findable.store.rows import ProjectRow
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.urls import is_start_page

_ERRORS = (HitStatus.MISSING, HitStatus.REFUSED, HitStatus.CLIENT_ERROR, HitStatus.SERVER_ERROR)
_MAX_ALERTS = 200
_EPOCH = date(1970, 1, 1).toordinal()


def watch_bots(session: Session, account_id: int, project: ProjectRow, at: int) -> None:
    """Update the alerts about bots after the logs of a project changed."""
    imports = session.logs.imports(project.id)
    if not imports:
        return
    days: dict[str, set[int]] = {}
    for row in imports:
        found = msgspec.json.decode(row.days_json, type=tuple[date, ...])
        days.setdefault(row.source, set()).update(day.toordinal() - _EPOCH for day in found)
    newest = max(row.last_at for row in imports) // DAY_S
    rows = [_logged(row) for row in session.logs.days(project.id, newest - LOOK_BACK_DAYS, newest)]
    robots = _robots_txt(session, project.id)
    start = f"https://{project.name}/"

    def is_allowed(bot: Bot) -> bool:
        return robots.decide(bot.tokens, start).allowed

    alerts = session.alerts.select(ChangeScope(account_id, project.id), _MAX_ALERTS)
    opened = {AlertRule(row.rule) for row in session.alerts.open_of_project(project.id)}
    for bot, signal in signals_of_bots(rows, days, _outage_days(alerts, at), is_allowed):
        if signal.signal is Signal.BAD or signal.rule in opened:
            process_signals(session, account_id, project.id, subject_of(bot), [signal], at)


def subject_of(bot: str) -> int:
    """Return the id of a bot as the subject of an alert: negative, because those of pages are positive."""
    return -1 - (crc32(bot.encode()) >> 1)


def _logged(row: HitDayRow) -> LoggedDay:
    counts = msgspec.json.decode(row.statuses_json, type=list[int])
    errors = sum(counts[status] for status in _ERRORS)
    return LoggedDay(row.source, row.day, row.bot, row.verification == Verification.VERIFIED, sum(counts), errors)


def _robots_txt(session: Session, project_id: int) -> RobotsTxt:
    """Return robots.txt as the last watched run found it; an empty one if it is unknown."""
    stored, _, _ = session.alerts.site(project_id)
    text = msgspec.json.decode(stored, type=SiteFacts).robots_txt if stored else None
    return RobotsTxt.parse((text or "").encode())


def _outage_days(alerts: Sequence[AlertRow], at: int) -> set[int]:
    """Return the days of alerts that the site, or its start page, could not be reached."""
    found: set[int] = set()
    for row in alerts:
        is_of_start = row.rule == AlertRule.UNREACHABLE and any(
            is_start_page(url, row.project) for url in msgspec.json.decode(row.examples_json, type=tuple[str, ...])
        )
        if row.opened_at is not None and (is_of_start or row.rule == AlertRule.SITE_UNREACHABLE):
            found.update(range(row.created_at // DAY_S, (row.closed_at or at) // DAY_S + 1))
    return found
