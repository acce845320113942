"""Use cases that compare two crawls of an account. Each raises NotFound for another account's crawl."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from findable.crawl.changes import CrawlComparison, PageChange, page_changes, why_not_comparable
from findable.errors import ValidationFailed
from findable.service.crawls import crawl_access
from findable.service.crawls.crawl_access import OpenCrawl, open_crawl
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls
from findable.service.crawls.crawl_run import report_of_crawl
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store.compared_pages import compared_pages
from findable.wording import later

_NO_EARLIER = later("There is no earlier crawl of this URL: send the id of the crawl to compare with.")
_NOT_COMPARABLE = later("Only complete crawls of the same part of a site are compared.")


class ChangeQuery(Struct, frozen=True):
    """Which crawl to compare with."""

    since: int | None = None
    """Earlier crawl; None for the last one of the same URL."""
    origins: Mapping[str, str] = {}
    """Origins of the newer crawl by those that they stand for."""


@contextmanager
def _open_both(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> Iterator[tuple[OpenCrawl, OpenCrawl]]:
    """Open the earlier and the newer crawl. Raises ValidationFailed where there is no earlier one."""
    after = crawl_access.get(service, caller, crawl_id)
    since = after.previous if query.since is None else query.since
    if since is None:
        raise ValidationFailed({"since": [_NO_EARLIER]})
    with open_crawl(service, caller, since) as old, open_crawl(service, caller, crawl_id) as new:
        yield old, new


def changes(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> CrawlComparison:
    """Return the changes since an earlier crawl. Raises ValidationFailed."""
    with _open_both(service, caller, crawl_id, query) as (before, after):
        reason = why_not_comparable(before.state, after.state, query.origins)
        if reason is not None:
            return CrawlComparison(since=before.state.ended_at, not_comparable=reason)
        return compare_crawls(_stored(service, before), _stored(service, after), query.origins)


def _stored(service: Service, opened: OpenCrawl) -> StoredCrawl:
    report = crawl_access.report(service, opened.crawl) or report_of_crawl(opened.store, opened.state)
    return StoredCrawl(opened.store, opened.state, report)


def require_comparable(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> None:
    """Raise ValidationFailed if there are no rows of changes."""
    with _open_both(service, caller, crawl_id, query) as (before, after):
        if why_not_comparable(before.state, after.state, query.origins) is not None:
            raise ValidationFailed({"since": [_NOT_COMPARABLE]})


def change_rows(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> Iterator[PageChange]:
    """Yield all changes of pages in order of their URLs."""
    with (
        _open_both(service, caller, crawl_id, query) as (before, after),
        before.store.engine.connect() as old,
        after.store.engine.connect() as new,
    ):
        found = page_changes(compared_pages(old), compared_pages(new, query.origins))
        yield from (change for change in found if isinstance(change, PageChange))
