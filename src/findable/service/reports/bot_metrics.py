"""Requests of verified bots by URL as metrics of pages, beside those that were uploaded."""

import threading
from collections import Counter, OrderedDict
from datetime import datetime, timedelta

from findable.artifacts.tables.bot_ranges import Verification
from findable.artifacts.tables.bots import BOTS_BY_TOKEN, BotPurpose
from findable.formats.number_tables import MAX_NUMBER, MAX_ROWS, NumberTable
from findable.service.reports.report_views import moment
from findable.store.store_protocol import Session

DAYS = 30
"""Days of requests that are counted, up to the last day of the logs (set by Findable)."""
COLUMNS = ("bot_hits", "ai_hits")
"""Requests of bots for search and AI search, and of all AI bots. Only verified ones count."""
_SEARCH = frozenset({BotPurpose.SEARCH, BotPurpose.AI_SEARCH})
_AI = frozenset({BotPurpose.AI_SEARCH, BotPurpose.AI_TRAINING, BotPurpose.AI_USER})
_MAX_CACHED = 8
_lock = threading.Lock()
_cached: OrderedDict[tuple[object, ...], NumberTable] = OrderedDict()


def bot_table(session: Session, project_id: int, near: datetime | None = None) -> tuple[NumberTable, tuple[object, ...]] | None:
    """Return the requests of bots by URL, and what identifies their version; None without logs.

    ``near``: time of a crawl. Logs that end or begin more than `DAYS` away from it say nothing about its pages.
    """
    imports = session.logs.imports(project_id)
    if not imports:
        return None
    first_at, last_at = min(row.first_at for row in imports), max(row.last_at for row in imports)
    away = timedelta(days=DAYS)
    if near is not None and not moment(first_at) - away <= near <= moment(last_at) + away:
        return None
    version = (str(session.connection.engine.url), project_id, tuple((row.id, row.offset) for row in imports))
    with _lock:
        if version in _cached:
            _cached.move_to_end(version)
            return _cached[version], version
    made = _table(session, project_id, last_at // 86_400)
    with _lock:
        _cached[version] = made
        while len(_cached) > _MAX_CACHED:
            _cached.popitem(last=False)
    return made, version


def _table(session: Session, project_id: int, last_day: int) -> NumberTable:
    search: Counter[int] = Counter()
    ai: Counter[int] = Counter()
    for _, token, verification, hits in session.logs.hits(project_id, last_day - DAYS + 1, last_day):
        bot = BOTS_BY_TOKEN.get(token)
        if bot is None or verification != Verification.VERIFIED:
            continue
        for (number, _), count in hits.items():
            if bot.purpose in _SEARCH:
                search[number] += count
            if bot.purpose in _AI:
                ai[number] += count
    chosen = [number for number, _ in (search + ai).most_common(MAX_ROWS)]
    urls = session.logs.urls(project_id, chosen)
    rows = {
        urls[number].url: tuple(float(min(counts[number], MAX_NUMBER)) or None for counts in (search, ai))
        for number in chosen
        if number in urls
    }
    return NumberTable("bots", COLUMNS, rows, (), 0)
