"""Redirect map of a crawl: its URLs with their results, and the pages that it lacks."""

from collections.abc import Iterable
from itertools import islice

from msgspec import Struct

from findable.crawl.redirect_map import RedirectMapRow, RedirectResult
from findable.crawl.url_keys import url_key
from findable.service.crawls.crawl_access import OpenCrawl, open_store_of
from findable.service.crawls.crawl_views import crawl_view
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView
from findable.store.redirect_rows import RedirectRows, pages_outside


class UnmappedPages(Struct, frozen=True):
    """Indexable pages of the last crawl of the site before a redirect map, which has them neither as old URLs nor as targets."""

    crawl: CrawlView
    pages_count: int
    urls: tuple[str, ...]
    """URLs of the first of them."""


def mapped_urls(handle: OpenCrawl) -> tuple[RedirectMapRow, ...]:
    """Return the URLs of the redirect map of a crawl, the wrong ones first; none without a redirect map."""
    if not handle.state.settings.expected:
        return ()
    with handle.store.reading() as connection:
        rows = tuple(RedirectRows(connection, handle.state).each())
    return tuple(sorted(rows, key=_harm))


def unmapped_pages(service: Service, crawl: CrawlView, rows: Iterable[RedirectMapRow], limit: int) -> UnmappedPages | None:
    """Return the pages that a redirect map lacks, the first ``limit`` of them with their URLs; None for none, and without an earlier crawl.

    Raises NotFound if the pages of that crawl are no longer stored, CrawlUnreadable if they are damaged.
    """
    with service.store.read() as session:
        row = session.crawls.by_id(crawl.id)
        earlier = session.crawls.last_of_site(row, is_scored=True) if row is not None else None
    if earlier is None:
        return None
    before, known = crawl_view(earlier, service.crawl_events), {url_key(url) for one in rows for url in (one.url, one.target)}
    with open_store_of(service, before) as handle, handle.store.reading() as connection:
        found = pages_outside(connection, known)
        urls = tuple(islice(found, limit))
        return UnmappedPages(before, len(urls) + sum(1 for _ in found), urls) if urls else None


def _harm(row: RedirectMapRow) -> tuple[bool, bool, bool]:
    """Return a sort key: wrong rows, those not requested, those with several redirects, the rest."""
    return row.result is RedirectResult.REACHED, row.result is RedirectResult.CHAINED, not row.result.is_fault
