"""Uploaded metrics of the pages of crawls, matched once for each crawl and upload."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, groupby
from typing import TypeVar

from msgspec import Struct, structs

from findable.capture.status_classes import is_redirect
from findable.crawl.hit_packing import DayHits
from findable.crawl.settings import CrawlSettings
from findable.crawl.tables import BotHitsRow
from findable.crawl.url_keys import url_key
from findable.errors import CrawlUnreadable, NotFound
from findable.formats.number_tables import NumberTable
from findable.reports.site_report import SiteFinding
from findable.service.crawls.crawl_access import OpenCrawl, open_store_of
from findable.service.reports.bot_metrics import COLUMNS, is_near, page_hits, rows_by_bot
from findable.service.reports.hit_results import HitResults
from findable.service.runtime.recent_values import RecentValues
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView
from findable.store.crawl_store import CrawlStoreError
from findable.store.crawl_url_data import NO_DATA, DataColumns, all_keys, match_tables, numbers_of, totals, write_bot_hits
from findable.store.store_protocol import Session
from findable.urls import origin_part

WEIGHTS = ("clicks", "sessions", "users", "views", "traffic", "bot_hits", "requests", "impressions")
"""Columns that measure the importance of a page, the most significant first."""
MAX_CACHED_CRAWLS = 8
"""Number of crawls with cached metrics."""
T = TypeVar("T")
_cached: RecentValues[DataColumns] = RecentValues(MAX_CACHED_CRAWLS)


def data_of(service: Service, handle: OpenCrawl, *, is_worker: bool = False) -> DataColumns:
    """Return the uploaded metrics of the pages of a crawl, and the requests of bots, for people of its account; empty while it runs."""
    if not handle.state.phase.has_results:
        return NO_DATA
    project_id = handle.crawl.project_id
    with service.store.read() as session:
        listed = session.url_data.of_project(project_id)
        uploads = tuple((row.source, row.uploaded_at, row.data_hash) for row in listed)
        key = (id(service.store), handle.crawl.id, handle.crawl.etag, uploads)
        found = _cached.get(key, lambda: _matched(session, handle, [row.source for row in listed])) if listed else NO_DATA
        results = HitResults(service, session, project_id, is_worker=is_worker)
        if not is_near(results.imports, handle.crawl.finished_at):
            return found
        with suppress(CrawlStoreError):
            name = f"pages-{handle.crawl.id}"
            results.get(name, int, lambda days: _write_bot_hits(service, results, handle, days), handle.crawl.etag)
            stored = tuple(column for column in COLUMNS if column not in found.columns)
            return structs.replace(found, stored=stored, bot_hits=partial(_bot_hits, service, project_id))
    return found


def _write_bot_hits(service: Service, results: HitResults, handle: OpenCrawl, days: Sequence[DayHits]) -> int:
    """Store the requests of bots for the URLs of a crawl with the crawl; return the number of these URLs."""
    with handle.store.reading() as connection:
        numbers = all_keys(connection)

    def numbered(start: int, end: int) -> Iterator[tuple[int, int | None]]:
        rows = results.session.logs.urls_between(results.project_id, start, end)
        return ((row.id, numbers.get(row.url_key)) for row in rows)

    found = list(page_hits(days, numbered))  # counted before the transaction, which is short
    with closing(service.crawl_home.open(handle.crawl.id, writable=True)) as store, store.writing() as connection:
        write_bot_hits(connection, found)
    return len(found)


def _bot_hits(service: Service, project_id: int) -> Iterator[BotHitsRow]:
    with service.store.read() as session:
        yield from rows_by_bot(session, project_id)


def _matched(session: Session, handle: OpenCrawl, sources: Sequence[str]) -> DataColumns:
    tables = session.url_data.tables(handle.crawl.project_id, sources)
    with handle.store.reading() as connection:
        return match_tables(connection, tables, origin_part(handle.crawl.url))


def uploaded_urls(service: Service, project_id: int, settings: CrawlSettings) -> tuple[str, ...]:
    """Return the uploaded URLs of a project if a crawl requests them; paths are resolved against the origin of its start URL."""
    tables = _tables(service, project_id) if settings.uploaded else ()
    return tuple(dict.fromkeys(_absolute(at, settings) for table in tables for at in table.rows))


def clicks_of(service: Service, project_id: int, settings: CrawlSettings) -> Mapping[int, int]:
    """Return the most significant uploaded metric by URL key, for a rolling crawl; empty for others, and without one."""
    tables = _tables(service, project_id) if settings.rolling is not None else ()
    column = weight_of({name for table in tables for name in table.columns})
    table = next((one for one in tables if column in one.columns), None)
    if table is None or column is None:
        return {}
    place = table.columns.index(column)
    return {url_key(_absolute(at, settings)): round(values[place] or 0) for at, values in table.rows.items()}


def _tables(service: Service, project_id: int) -> Sequence[NumberTable]:
    with service.store.read() as session:
        return list(session.url_data.tables(project_id, [row.source for row in session.url_data.of_project(project_id)]))


def _absolute(url: str, settings: CrawlSettings) -> str:
    return f"{origin_part(settings.start_url)}{url}" if url.startswith("/") else url


class Weights(Struct, frozen=True):
    """Uploaded metrics of the pages of findings."""

    column: str
    """Column that measures importance, one of WEIGHTS."""
    totals: Mapping[str, float]
    """Sum over the pages of a finding, by its key."""


def weights_of(service: Service, crawl: CrawlView, findings: Sequence[SiteFinding]) -> Weights | None:
    """Return the importance of the pages of findings for people of the account; None without metrics.

    A chain of redirects weighs what all its redirecting URLs weigh, because each takes requests.
    """
    with suppress(NotFound, CrawlUnreadable), open_store_of(service, crawl) as handle:
        data = data_of(service, handle)
        column = weight_of(data.names)
        if column is not None:
            with handle.store.reading() as connection:
                chains = {one.key: urls for one in findings if len(urls := _redirecting(one)) > 1}
                numbers = numbers_of(connection, chain.from_iterable(chains.values()))
                rows = data.rows(connection, list(numbers.values()))
                values = {key: float(rows[number].get(column, 0)) for key, number in numbers.items()}
                of_chains = {key: sum(values.get(url_key(url), 0) for url in urls) for key, urls in chains.items()}
                return Weights(column, totals(connection, data, column, (one.key for one in findings)) | of_chains)
    return None


def _redirecting(finding: SiteFinding) -> list[str]:
    """Return the redirecting URLs of a finding about a chain of redirects; empty for other findings."""
    urls = [one.url for one in finding.evidence if is_redirect(one.status or 0)]
    return urls if urls[:1] == [finding.cause.key] else []


def weight_of(columns: Container[str]) -> str | None:
    """Return the first column of WEIGHTS; None without one."""
    return next((name for name in WEIGHTS if name in columns), None)


def by_weight(findings: Iterable[T], weights: Weights | None, key: Callable[[T], str], harm: Callable[[T], object]) -> tuple[T, ...]:
    """Return findings sorted by harm, and among equally harmful ones by the importance of their pages."""
    if weights is None:
        return tuple(findings)
    runs = (sorted(run, key=lambda one: -weights.totals.get(key(one), 0)) for _, run in groupby(findings, harm))
    return tuple(one for run in runs for one in run)
