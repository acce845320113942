"""Requests of verified bots by URL as metrics of pages, beside those that were uploaded."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from heapq import nlargest

from findable.crawl.hit_packing import STATUSES, DayHits
from findable.crawl.hit_sums import in_ranges, ranges_of
from findable.crawl.tables import BotHitsRow
from findable.formats.number_tables import MAX_NUMBER, NumberTable
from findable.limits import MAX_NUMBER_ROWS
from findable.service.reports.hit_results import DAYS, HitResults, last_day_of
from findable.service.values.views import moment
from findable.store.log_statements import LogImportRow
from findable.store.store_protocol import Session

BOT_HITS = "bot_hits"
COUNTS = (BOT_HITS, "google_hits", "ai_hits")
"""Requests of bots for search and AI search, of Googlebot, and of all AI bots. Only verified ones count."""
COLUMNS = (*COUNTS, "bot_first", "bot_last")
"""Requests, and the days of the first and last one of search bots."""
GOOGLEBOT = "Googlebot"
MAX_HITS = int(MAX_NUMBER)


def is_near(imports: Sequence[LogImportRow], moment_of_crawl: datetime | None) -> bool:
    """Return whether logs say something about a crawl: they neither end nor begin more than `DAYS` away from it."""
    if not imports or moment_of_crawl is None:
        return bool(imports)
    first_at, last_at = min(row.first_at for row in imports), max(row.last_at for row in imports)
    away = timedelta(days=DAYS)
    return moment(first_at) - away <= moment_of_crawl <= moment(last_at) + away


def bot_table(results: HitResults) -> NumberTable | None:
    """Return the requests of bots for the URLs with the most, at most `MAX_NUMBER_ROWS`; None without logs."""
    return results.get("table", NumberTable, lambda days: _table(results.session, results.project_id, days))[0] if results.imports else None


def rows_by_bot(session: Session, project_id: int) -> Iterator[BotHitsRow]:
    """Yield the requests of the last days by bot, verification and URL. Memory holds a range of URLs of one bot at a time."""
    imports = session.logs.imports(project_id)
    last = last_day_of(imports) if imports else 0
    period = last - DAYS + 1, last
    for bot, verification in sorted({(row.bot, row.verification) for row in session.logs.days(project_id, *period)}):
        found = [one for one in session.logs.hits(project_id, *period, bot) if one.verification == verification]
        for start, end in ranges_of(found):
            sums, days = Counter[int](), dict[int, tuple[int, int]]()
            for one in found:
                hits = dict(one.between(start, end))
                sums.update(hits)
                days |= {number: (days.get(number, (one.day,))[0], one.day) for number in {place // STATUSES for place in hits}}
            for row in session.logs.urls_between(project_id, start, end):
                if row.id in days:
                    counts = [sums[row.id * STATUSES + status] for status in range(STATUSES)]
                    first, newest = (moment(day * 86_400).date().isoformat() for day in days[row.id])
                    yield BotHitsRow(None, row.url, bot, verification, sum(counts), first, newest, *counts)


PageHits = tuple[int, int, int, int, int | None, int | None]
"""Number of a URL, and the values of `COLUMNS`."""


def page_hits(days: Sequence[DayHits], numbered: Callable[[int, int], Iterable[tuple[int, int | None]]]) -> Iterator[PageHits]:
    """Yield the requests of verified bots by URL. ``numbered`` returns (id, number) of a range of URLs, None for those to omit."""
    for start, end, sums in in_ranges(days):
        search, google, ai = (one.get for one in (sums.by_url(), sums.of_bot(GOOGLEBOT), sums.ai))
        for key, number in numbered(start, end):
            if number is not None and (hits := search(key, 0)) + (of_ai := ai(key, 0)):
                counts = (min(one, MAX_HITS) for one in (hits, google(key, 0), of_ai))
                yield (number, *counts, sums.first_days.get(key), sums.last_days.get(key))  # type: ignore[misc]  # three counts


def _table(session: Session, project_id: int, days: Sequence[DayHits]) -> NumberTable:
    found = nlargest(MAX_NUMBER_ROWS, page_hits(days, lambda start, end: zip(range(start, end), range(start, end), strict=True)), key=_rank)
    urls = session.logs.urls(project_id, [number for number, *_ in found])
    return NumberTable("bots", COLUMNS, {urls[number].url: tuple(value or None for value in values) for number, *values in found}, (), 0)


def _rank(row: PageHits) -> tuple[int, int]:
    return row[1] + row[3], -row[0]
