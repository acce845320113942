"""Crawls imported from tables of URLs of other programs: bases to compare with. They have no score and no findings."""

from collections import Counter

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.clock import now, rfc3339
from findable.crawl.record import all_check_ids
from findable.crawl.scope import CrawlSettings, ImportedTable
from findable.crawl.state import CrawlState, Phase
from findable.formats.url_tables import UrlTable
from findable.reports.site_report import SiteReport
from findable.store.crawl_findings import write_report
from findable.store.crawl_store import CrawlStore
from findable.store.imported_urls import write_urls


def store_table(store: CrawlStore, table: UrlTable, crawled_at: str = "") -> CrawlState:
    """Write a table to an empty store as a finished crawl; return its state. ``crawled_at``: time of that crawl, RFC 3339; default: now."""
    moment = crawled_at or rfc3339(now())
    settings = CrawlSettings(
        table.start_url,
        pages=len(table.urls),
        imported=ImportedTable(table.program, has_titles=table.has_titles, has_depths=table.has_depths),
    )
    state = CrawlState(
        table.start_url,
        settings,
        phase=Phase.REPORT,
        ended_by=CrawlEnd.COMPLETE,
        started_at=moment,
        ended_at=moment,
        checks=all_check_ids(),
    )
    store.save_state(state)
    with store.writing() as connection:
        write_urls(connection, table.urls, state.checks)
        write_report(connection, state, _report(table, moment))
    return state


def _report(table: UrlTable, moment: str) -> SiteReport:
    """Return the report of an imported crawl: numbers of URLs, no score, no findings."""
    pages = [found for found in table.urls.values() if found.is_html]
    summary = CrawlSummary(
        table.start_url,
        moment,
        len(pages),
        sum(not found.reason for found in pages),
        by_status=tuple(sorted(Counter(found.status for found in table.urls.values()).items())),
    )
    return SiteReport(summary, (), None, None, None, None, provisional=False, counts={})
