"""Requests of bots for a project by day and by URL, from its imported access logs."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec
from msgspec import Struct

from findable.artifacts.tables.bot_names import BOTS_BY_TOKEN
from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.clock import now
from findable.crawl.hit_packing import DayHits
from findable.crawl.hit_sums import most_requested
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading
from findable.service.reports.hit_results import DAYS, HitResults, last_day_of, version_of
from findable.service.runtime.recent_values import RecentValues
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store.store_protocol import Session

MAX_DAYS_SHOWN = 400
LISTED_URLS = 1000
_EPOCH = date(1970, 1, 1)


class BotHits(Struct, frozen=True, kw_only=True):
    """Requests of a bot on one day. `verification` is verified, fake or unverified; `statuses` counts them by class of status."""

    object: Literal["bot_hits"] = "bot_hits"
    day: date
    bot: str
    verification: Verification
    hits: int
    statuses: dict[str, int]


class BotHitUrl(Struct, frozen=True, kw_only=True):
    """Requests of a URL by bots, without fakes."""

    object: Literal["bot_hit_url"] = "bot_hit_url"
    url: str
    hits: int
    bots: dict[str, int]
    statuses: dict[str, int]
    last_day: date


_cached: RecentValues[tuple[BotHitUrl, ...]] = RecentValues(16)
"""Lists of other periods than the last days."""


def days(service: Service, caller: Caller, name_or_id: str, since: date | None = None, until: date | None = None) -> tuple[BotHits, ...]:
    """Return the requests of bots by day, by default of the last 30 days with logs. Raises NotFound."""
    with reading(service, caller) as session:
        return days_of(session, owned_project(session, caller, name_or_id).id, since, until)


def days_of(session: Session, project_id: int, since: date | None = None, until: date | None = None) -> tuple[BotHits, ...]:
    """Return the requests of bots of a project by day, see `days`."""
    sums: dict[tuple[int, str, str], Counter[str]] = {}
    for row in session.logs.days(project_id, *_period(session, project_id, since, until)):
        counts = msgspec.json.decode(row.statuses_json, type=list[int])
        known = sums.setdefault((row.day, row.bot, row.verification), Counter())
        known.update({HitStatus(status).name.lower(): count for status, count in enumerate(counts) if count})
    return tuple(
        BotHits(
            day=_EPOCH + timedelta(days=day),
            bot=bot,
            verification=Verification(verification),
            hits=statuses.total(),
            statuses=dict(statuses),
        )
        for (day, bot, verification), statuses in sums.items()
    )


def urls(
    service: Service, caller: Caller, name_or_id: str, since: date | None = None, until: date | None = None, bot: str = ""
) -> tuple[BotHitUrl, ...]:
    """Return the URLs that bots requested most, without fakes, at most `LISTED_URLS`. Raises NotFound."""
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        results = HitResults(service, session, project.id)
        if not results.imports or (bot and bot not in BOTS_BY_TOKEN):
            return ()
        if since is None and until is None:
            return most_requested_of(results, bot)
        first, last = _period(session, project.id, since, until)
        key = service.settings.database_url, project.id, version_of(results.imports), first, last, bot
        return _cached.get(key, lambda: _most_requested(session, project.id, session.logs.hits(project.id, first, last, bot)))


def most_requested_of(results: HitResults, bot: str) -> tuple[BotHitUrl, ...]:
    """Return the URLs that bots, or one bot, requested most in the last days of the logs."""
    name, kind = f"top-{bot}", tuple[BotHitUrl, ...]
    return results.get(name, kind, lambda days: _most_requested(results.session, results.project_id, days), bot=bot)[0]


def _most_requested(session: Session, project_id: int, days: Sequence[DayHits]) -> tuple[BotHitUrl, ...]:
    listed = most_requested(days, LISTED_URLS)
    found = session.logs.urls(project_id, [one.number for one in listed])
    return tuple(
        BotHitUrl(
            url=found[one.number].url,
            hits=one.hits,
            bots=dict(one.bots),
            statuses=dict(one.statuses),
            last_day=_EPOCH + timedelta(days=one.last_day),
        )
        for one in listed
    )


def _period(session: Session, project_id: int, since: date | None, until: date | None) -> tuple[int, int]:
    imports = session.logs.imports(project_id)
    last = day_number(until) if until else last_day_of(imports) if imports else day_number(now().date())
    return max(day_number(since) if since else last - DAYS + 1, last - MAX_DAYS_SHOWN + 1), last


def day_number(day: date) -> int:
    """Return the number of a day since 1970."""
    return (day - _EPOCH).days
