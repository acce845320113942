"""Requests of bots for a site, joined with a crawl, as a part of its report and of its project. They are joined when they are read."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta

import msgspec
from msgspec import Struct

from findable.artifacts.registry import gather
from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_hits import HitUrl, LogCoverage, SiteHits
from findable.checks.engine import Check, runnable_checks
from findable.checks.runner import run
from findable.crawl.changes import ChangeKind
from findable.crawl.hit_join import HitJoin
from findable.crawl.hit_packing import DayHits
from findable.crawl.hit_sums import in_ranges
from findable.errors import CrawlUnreadable, NotFound
from findable.formats.access_logs.log_blocks import short_hash
from findable.reports.site_areas import SiteArea
from findable.reports.site_report import SiteReport
from findable.service.crawls import crawl_access
from findable.service.crawls.crawl_access import OpenCrawl
from findable.service.crawls.crawl_reports import decode_report
from findable.service.crawls.crawl_views import crawl_view
from findable.service.reports.bot_metrics import BOT_HITS, is_near
from findable.service.reports.hit_results import DAYS, HitResults, version_of
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView
from findable.service.values.views import moment
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_url_data import DataColumns, urls_with_canonical
from findable.store.log_statements import LogImportRow
from findable.store.store_protocol import Session
from findable.store.stored_comparisons import listed_changes, main_comparison
from findable.store.structure_reading import crawled_urls
from findable.vocabulary import Source, Subject


class JoinedHits(Struct, frozen=True):
    """Requests of bots, and the areas of the crawled site by their number."""

    hits: SiteHits
    areas: tuple[SiteArea, ...]
    forms: Mapping[str, tuple[HitUrl, ...]] = {}
    """Other forms of the URLs of pages, see `HitJoin.forms`."""


MAX_CRAWLS = 8
"""Crawls whose new pages are followed, from the last one back."""
MAX_NEW = 10_000
"""New pages of a crawl that are followed, those with the most links first."""
_DAY = timedelta(days=1)


def joined_hits(service: Service, project_id: int, crawl: CrawlView | None, *, is_worker: bool = False) -> JoinedHits | None:
    """Return the requests in the last days of a project's logs, joined with a crawl of that time; None without logs."""
    with service.store.read() as session:
        results = HitResults(service, session, project_id, is_worker=is_worker)
        if not results.imports:
            return None
        near = crawl if crawl is not None and crawl.has_results and is_near(results.imports, crawl.finished_at) else None
        name, about = ("site", None) if near is None else (f"site-{near.id}", near.etag)
        return results.get(name, JoinedHits, lambda days: _joined(service, results, near, days), about)[0]


def report(service: Service, crawl: CrawlView) -> SiteReport | None:
    """Return the report of a crawl, see `crawl_access.report`, with the findings about requests of bots."""
    found = crawl_access.report(service, crawl)
    joined = None if found is None else joined_hits(service, crawl.project_id, crawl)
    if found is None or joined is None:
        return found
    artifacts = gather(joined.hits, found.summary)
    results = run(artifacts, checks_of_logs())
    with service.store.read() as session:
        return found.with_hits(results, joined.areas, crawl_access.terms_of(session, crawl.project_id))


def requested_as(service: Service, handle: OpenCrawl, data: DataColumns, number: int, url: str) -> tuple[HitUrl, ...]:
    """Return other URLs of a page with requests of search bots: those of its form, and pages that declare it as canonical URL."""
    joined = joined_hits(service, handle.crawl.project_id, handle.crawl) if BOT_HITS in data.stored else None
    if joined is None:
        return ()
    with handle.store.reading() as connection:
        copies = urls_with_canonical(connection, number)
    found = (*joined.forms.get(url, ()), *(HitUrl(one, hits) for one, hits in copies))
    return tuple(sorted(found, key=lambda one: (-one.hits_count, one.url)))[:LIST_LIMIT]


def version(service: Service, project_id: int) -> str:
    """Return a short text that changes with the logs of a project and with its results."""
    with service.store.read() as session:
        found = version_of(session.logs.imports(project_id)), session.logs.result_versions(project_id)
        return short_hash(repr(found).encode())


def checks_of_logs() -> tuple[Check, ...]:
    """Return the checks that read requests of bots."""
    return tuple(one for one in runnable_checks(frozenset({Source.CRAWL, Source.LOGS}), Subject.SITE) if Source.LOGS in one.sources)


def _joined(service: Service, results: HitResults, crawl: CrawlView | None, days: Sequence[DayHits]) -> JoinedHits:
    session, coverage = results.session, _coverage(results.imports)

    def add_logged(join: HitJoin) -> None:
        for start, end, sums in in_ranges(days):
            join.add_logged(sums, session.logs.urls_between(results.project_id, start, end))

    if crawl is not None:
        stored = session.crawls.report(crawl.id)
        templates = {one.number: one.name for one in decode_report(stored).structure.templates} if stored else {}
        with suppress(NotFound, CrawlUnreadable), crawl_access.open_store_of(service, crawl) as opened:
            new = _new_urls(service, session, crawl, results.imports)
            with opened.store.reading() as connection:
                chains = CrawlRoots(connection, opened.state).redirects().chains
                join = HitJoin(coverage.days_count, opened.state.settings.segments_of, templates, new, chains)
                for page in crawled_urls(connection):
                    join.add_known(page)
                add_logged(join)
                for page in crawled_urls(connection):
                    join.add_page(page)
            return JoinedHits(join.hits(coverage), join.areas(), join.forms)
    join = HitJoin(coverage.days_count)
    add_logged(join)
    return JoinedHits(join.hits(coverage), ())


def _new_urls(service: Service, session: Session, crawl: CrawlView, imports: Sequence[LogImportRow]) -> dict[str, date]:
    """Return the URLs that a crawl was the first to find, with its day: this crawl, and earlier ones with which it was compared.

    Only days since the last gap in the logs count.
    """
    days = _days(imports)
    since = last = max(days)
    while since - _DAY in days and last - since < DAYS * _DAY:
        since -= _DAY
    found: dict[str, date] = {}
    for _ in range(MAX_CRAWLS):
        day = crawl.finished_at.date() if crawl.finished_at else last
        if day < since:
            break
        compared = None
        with (
            suppress(NotFound, CrawlUnreadable),  # the pages of an earlier crawl may be deleted
            crawl_access.open_store_of(service, crawl) as opened,
            opened.store.reading() as connection,
        ):
            compared = main_comparison(connection)
            added = listed_changes(connection, compared, ChangeKind.ADDED, limit=MAX_NEW) if compared and day < last else ()
            found |= {one.change.url: day for one in added}
        row = session.crawls.by_id(compared.comparison.earlier) if compared and compared.comparison.earlier else None
        if row is None:
            break
        crawl = crawl_view(row, service.crawl_events)
    return found


def _days(imports: Sequence[LogImportRow]) -> set[date]:
    days = {day for row in imports for day in msgspec.json.decode(row.days_json, type=tuple[date, ...])}
    return days or {moment(row.last_at).date() for row in imports}


def _coverage(imports: Sequence[LogImportRow]) -> LogCoverage:
    days = _days(imports)
    last = max(days)
    shown = {day for day in days if day > last - timedelta(days=DAYS)}
    first = min(shown)
    return LogCoverage(
        first,
        last,
        len(shown),
        tuple(sorted({row.source for row in imports})),
        sum(row.lines for row in imports),
        sum(row.unreadable for row in imports),
        tuple(day for past in range((last - first).days, 0, -1) if (day := last - past * _DAY) not in shown),
    )
