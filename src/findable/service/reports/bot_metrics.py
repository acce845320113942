"""Requests of verified bots by URL as metrics of pages, beside those that were uploaded."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from findable.crawl.hit_join import HitSums
from findable.crawl.hit_packing import STATUSES
from findable.crawl.tables import BotHitsRow
from findable.formats.number_tables import MAX_NUMBER, MAX_ROWS, NumberTable
from findable.service.runtime.recent_values import RecentValues
from findable.service.values.views import moment
from findable.store.crawl_frontier import parts
from findable.store.log_statements import LogImportRow
from findable.store.store_protocol import Session

DAYS = 30
"""Days of requests that are counted, up to the last day of the logs (set by Findable)."""
BOT_HITS = "bot_hits"
COUNTS = (BOT_HITS, "google_hits", "ai_hits")
"""Requests of bots for search and AI search, of Googlebot, and of all AI bots. Only verified ones count."""
COLUMNS = (*COUNTS, "bot_first", "bot_last")
"""Requests, and the days of the first and last one of search bots."""
GOOGLEBOT = "Googlebot"
Version = tuple[object, ...]
_cached: RecentValues[NumberTable] = RecentValues(8)


def is_near(imports: Sequence[LogImportRow], moment_of_crawl: datetime | None) -> bool:
    """Return whether logs say something about a crawl: they neither end nor begin more than `DAYS` away from it."""
    if not imports or moment_of_crawl is None:
        return bool(imports)
    first_at, last_at = min(row.first_at for row in imports), max(row.last_at for row in imports)
    away = timedelta(days=DAYS)
    return moment(first_at) - away <= moment_of_crawl <= moment(last_at) + away


def version_of(session: Session, project_id: int, imports: Sequence[LogImportRow]) -> Version:
    """Return what identifies the logs of a project as they are now."""
    return str(session.connection.engine.url), project_id, tuple((row.id, row.offset) for row in imports)


def sums_of(session: Session, project_id: int, imports: Sequence[LogImportRow]) -> HitSums:
    """Return the requests of the last days of the logs."""
    last_day, sums = max(row.last_at for row in imports) // 86_400, HitSums()
    for day, token, verification, hits in session.logs.hits(project_id, last_day - DAYS + 1, last_day):
        sums.add(day, token, verification, hits)
    return sums


def rows_by_bot(session: Session, project_id: int) -> Iterator[BotHitsRow]:
    """Yield the requests of the last days by bot, verification and URL. Memory holds the URLs of one bot at a time."""
    last = max((row.last_at for row in session.logs.imports(project_id)), default=0) // 86_400
    period = last - DAYS + 1, last
    for bot, verification in sorted({(row.bot, row.verification) for row in session.logs.days(project_id, *period)}):
        sums, days = Counter[int](), dict[int, tuple[int, int]]()
        for day, _, found, hits in session.logs.hits(project_id, *period, bot):
            if found == verification:
                sums.update(hits)
                days |= {number: (days.get(number, (day, day))[0], day) for number in {place // STATUSES for place in hits}}
        for some in parts(sorted(days)):
            for number, row in session.logs.urls(project_id, some).items():
                counts = [sums[number * STATUSES + status] for status in range(STATUSES)]
                first, newest = (moment(day * 86_400).date().isoformat() for day in days[number])
                yield BotHitsRow(None, row.url, bot, verification, sum(counts), first, newest, *counts)


def bot_table(session: Session, project_id: int, near: datetime | None = None) -> tuple[NumberTable, Version] | None:
    """Return the requests of bots by URL, and what identifies their version; None without logs near a moment, see `is_near`."""
    imports = session.logs.imports(project_id)
    if not is_near(imports, near):
        return None
    version = version_of(session, project_id, imports)
    return _cached.get(version, lambda: _table(session, project_id, imports)), version


def _table(session: Session, project_id: int, imports: Sequence[LogImportRow]) -> NumberTable:
    sums = sums_of(session, project_id, imports)
    search, ai = sums.by_url(), sums.ai
    counts, days = (search, sums.of_bot(GOOGLEBOT), ai), (sums.first_days, sums.last_days)
    chosen = {number for number, _ in (search + ai).most_common(MAX_ROWS)}
    rows = {
        row.url: (*(float(min(one[row.id], MAX_NUMBER)) or None for one in counts), *(day.get(row.id) for day in days))
        for row in session.logs.each_url(project_id)
        if row.id in chosen
    }
    return NumberTable("bots", COLUMNS, rows, (), 0)
