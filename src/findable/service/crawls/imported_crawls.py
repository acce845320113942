"""Crawls imported from tables of URLs of other programs: bases to compare with. They have no score and no findings."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.clock import now, rfc3339
from findable.crawl.changes import CrawlComparison
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.settings import CrawlSettings, ImportedTable
from findable.crawl.state import CrawlState, Phase
from findable.errors import ValidationFailed
from findable.formats.crawler_exports import UrlTable, read_url_table
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_access import open_crawl
from findable.service.crawls.crawl_comparing import StoredCrawl, compared_once
from findable.service.runtime.service import Service
from findable.service.runtime.uploaded_tables import read_upload
from findable.service.values.caller import Caller
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import write_report
from findable.store.crawl_store import CrawlStore
from findable.store.imported_urls import write_urls
from findable.wording import later

MAX_BYTES = 25_000_000
_REQUIRED = later("Send the table as file, or its text as csv.")
_UNSETTLED = later("This is available after the crawl.")


class ComparedTable(Struct, frozen=True):
    """Table of another program, and what has changed since."""

    table: UrlTable
    comparison: CrawlComparison


def compare_with_table(service: Service, caller: Caller, crawl_id: int, data: bytes | str | None) -> ComparedTable:
    """Return what has changed in a crawl since the crawl of another program. Nothing is stored. Raises NotFound, ValidationFailed."""
    with open_crawl(service, caller, crawl_id) as after, TemporaryDirectory(prefix="findable-") as folder:
        if not after.state.phase.has_results:
            raise ValidationFailed({"file": [_UNSETTLED]})
        table = read_upload(data, "file", _REQUIRED, MAX_BYTES, read_url_table)
        with closing(CrawlFile(Path(folder) / "table.sqlite")) as file:
            before = StoredCrawl(file, store_table(file, table))
            return ComparedTable(table, compared_once(before, StoredCrawl(after.store, after.state)))


def store_table(store: CrawlStore, table: UrlTable) -> CrawlState:
    """Write a table to an empty store as a crawl that finished now; return its state."""
    moment = rfc3339(now())
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
