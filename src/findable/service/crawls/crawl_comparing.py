"""Compare two stored crawls of one site."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.crawl.changes import CrawlComparison, comparison_of, started_at, why_not_comparable
from findable.crawl.state import CrawlState
from findable.reports.site_report import SiteReport
from findable.store.compared_pages import compared_pages
from findable.store.crawl_store import CrawlStore


class StoredCrawl(Struct, frozen=True):
    """Finished crawl with the data that comparisons need."""

    file: CrawlStore
    state: CrawlState
    report: SiteReport


def compare_crawls(
    before: StoredCrawl, after: StoredCrawl, origins: Mapping[str, str] | None = None, earlier: Iterable[Iterable[str]] = ()
) -> CrawlComparison:
    """Return the changes between two crawls.

    Args:
        before: the earlier one.
        after: the newer one.
        origins: origins of the newer one by what they stand for in the older one; where they start differs unless given.
        earlier: keys of the findings of crawls before these two.
    """
    origins = started_at(before.state, after.state) if origins is None else origins
    reason = why_not_comparable(before.state, after.state, origins)
    if reason is not None:
        return CrawlComparison(since=before.state.ended_at, not_comparable=reason)
    with before.file.engine.connect() as old, after.file.engine.connect() as new:
        pages = compared_pages(old), compared_pages(new, origins)
        return comparison_of((before.state, after.state), pages, (before.report, after.report), earlier)
