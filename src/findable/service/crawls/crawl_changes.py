"""Use cases that compare two crawls of an account. Each raises NotFound for another account's crawl."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice

from msgspec import Struct, structs

from findable.crawl.changes import ChangeKind, CrawlComparison, PageChange
from findable.crawl.start_origins import public_origins
from findable.errors import CrawlUnreadable, NotFound, Unavailable, ValidationFailed
from findable.reports.difference import NotComparable
from findable.service.crawls.crawl_access import OpenCrawl, comparable_before, open_crawl, open_store_of, owned_crawl
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls, known_comparison
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.paging import ListOrder, Page, PagedQuery, cut, position_of, require_bounds
from findable.store.crawl_store import CrawlStoreError
from findable.store.stored_comparisons import StoredComparison, each_change, listed_changes, main_comparison
from findable.urls import origin_part
from findable.wording import Message, later

RETRY_S = 5
MAX_GROUPED = 10_000
"""Number of changes that are grouped by folder."""
_OF_FEW_VALUES = frozenset(
    {ChangeKind.GONE, ChangeKind.BECAME_NON_INDEXABLE, ChangeKind.BECAME_INDEXABLE, ChangeKind.STATUS, ChangeKind.ROBOTS}
)
_CHANGES = "change"
_COMPARING = threading.Lock()
"""Lock that allows one comparison at a time: for a large crawl it takes seconds of computing."""
_NOT_COMPARABLE = later("The crawls cannot be compared: %(reason)s.")
_NOT_STORED = later("The comparison cannot be stored now.")


class ChangeQuery(PagedQuery, frozen=True):
    """Query for changes."""

    since: int | None = None
    """Earlier crawl; None for the last comparable one."""
    origins: Mapping[str, str] = {}
    """Origins of the newer crawl by equivalent origin."""
    kind: ChangeKind | None = None


class ListedChanges(Struct, frozen=True):
    """Comparison of two crawls, and a page of its list of changes."""

    comparison: CrawlComparison
    page: Page[PageChange]
    groups: tuple["ChangedGroup", ...] = ()
    """Changes by kind and folder; empty if they were not requested, or if one kind or a later page is listed."""


class ChangedGroup(Struct, frozen=True):
    """Changes of one kind in one folder, with the same old and new value if the kind has few values."""

    kind: ChangeKind
    folder: str
    """Folder of the pages, like ``/shop/*``."""
    before: str
    after: str
    pages_count: int


def changes(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery, *, by_folder: bool = False) -> ListedChanges:
    """Return the changes since an earlier crawl, also by folder if wanted. Raises Unavailable."""
    with _open_compared(service, caller, crawl_id, query) as (handle, stored_comparison):
        return _list_changes(handle, stored_comparison, query, by_folder=by_folder)


def main_changes(handle: OpenCrawl, query: ChangeQuery) -> ListedChanges | None:
    """Return the changes, also by folder, since the crawl that this one was compared with when it was settled; None if there was none."""
    stored_comparison = _main(handle)
    return None if stored_comparison is None else _list_changes(handle, stored_comparison, query, by_folder=True)


def _main(handle: OpenCrawl) -> StoredComparison | None:
    with handle.store.reading() as connection:
        return main_comparison(connection)


def _list_changes(handle: OpenCrawl, stored_comparison: StoredComparison, query: ChangeQuery, *, by_folder: bool) -> ListedChanges:
    require_bounds(query.per_page, query.page, "")
    position = position_of(query.cursor, _CHANGES, descending=False)
    with handle.store.reading() as connection:
        listed = listed_changes(
            connection,
            stored_comparison,
            query.kind,
            place=None if position is None else (position.key, position.id),
            backwards=position is not None and position.backwards,
            offset=query.offset,
            limit=query.per_page + 1,
        )
    counts = stored_comparison.comparison.counts
    total = sum(counts.values()) if query.kind is None else counts.get(query.kind.value, 0)
    page = cut(listed, total, query, position, ListOrder(_CHANGES), lambda item: (item.rank, item.number))
    groups = _groups(handle, stored_comparison, query) if by_folder else ()
    return ListedChanges(_shown(stored_comparison, handle.crawl), page.with_items(item.change for item in page.items), groups)


def _shown(stored_comparison: StoredComparison, crawl: CrawlView) -> CrawlComparison:
    """Return a comparison for readers: what keeps pages out of search is no fault of a site that is not meant for search."""
    found = stored_comparison.comparison
    return found if crawl.verdict is None else structs.replace(found, findings=found.findings.under(crawl.verdict))


def _groups(opened: OpenCrawl, stored_comparison: StoredComparison, query: ChangeQuery) -> tuple[ChangedGroup, ...]:
    """Return the changes by kind and folder, the largest groups first; empty if one kind or a later page is listed."""
    if query.kind is not None or query.cursor:
        return ()
    counts: Counter[tuple[ChangeKind, str, str, str]] = Counter()
    with opened.store.reading() as connection:
        for change in islice(each_change(connection, stored_comparison), MAX_GROUPED):
            values = (change.before, change.after) if change.kind in _OF_FEW_VALUES else ("", "")
            counts[change.kind, folder_of(change.url), *values] += 1
    order = list(ChangeKind)
    found = (ChangedGroup(*group, count) for group, count in counts.items())
    return tuple(sorted(found, key=lambda one: (order.index(one.kind), -one.pages_count, one.folder, one.before, one.after)))


def folder_of(url: str) -> str:
    """Return the folder of a URL as a pattern, like ``/shop/*``."""
    return f"{url.removeprefix(origin_part(url)).partition('?')[0].rpartition('/')[0]}/*"


def summary(service: Service, crawl: CrawlView) -> CrawlComparison | None:
    """Return the comparison that was created when the crawl was settled; None if there is none."""
    try:
        with open_store_of(service, crawl) as handle:
            stored_comparison = _main(handle)
    except (NotFound, CrawlUnreadable):
        return None
    return None if stored_comparison is None else _shown(stored_comparison, crawl)


def require_comparable(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> None:
    """Raise ValidationFailed with the reason if there is no earlier crawl to compare with."""
    with _open_compared(service, caller, crawl_id, query) as (_, stored_comparison):
        reason = stored_comparison.comparison.not_comparable
        if reason is not None:
            raise ValidationFailed({"since": [Message(_NOT_COMPARABLE, reason=reason.words)]})


def change_rows(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> Iterator[PageChange]:
    """Yield all changes of pages, by kind, pages with the highest link score first."""
    with _open_compared(service, caller, crawl_id, query) as (handle, stored_comparison), handle.store.reading() as connection:
        yield from each_change(connection, stored_comparison)


@contextmanager
def _open_compared(service: Service, caller: Caller, crawl_id: int, query: ChangeQuery) -> Iterator[tuple[OpenCrawl, StoredComparison]]:
    """Open a crawl with its comparison."""
    with open_crawl(service, caller, crawl_id) as after:
        known = _main(after) if query.since is None and not query.origins else None
        yield after, known or _compare(service, caller, after, query)


def _compare(service: Service, caller: Caller, after: OpenCrawl, query: ChangeQuery) -> StoredComparison:
    """Return the comparison of a crawl with an earlier one, creating it unless it is stored; an empty one without an earlier crawl."""
    since = _base(service, caller, after.crawl.id) if query.since is None else query.since
    if isinstance(since, NotComparable):
        return StoredComparison(CrawlComparison(since="", not_comparable=since), is_done=True)
    with open_crawl(service, caller, since) as before:
        is_same_site = before.crawl.project_id == after.crawl.project_id
        origins = query.origins or (public_origins(before.state, after.state) if is_same_site else {})
        crawls = StoredCrawl(before.store, before.state, since), StoredCrawl(after.store, after.state, after.crawl.id)
        known = known_comparison(*crawls, origins)
        if known is not None and known.is_done:
            return known
        try:
            with _COMPARING, closing(service.crawl_home.open(after.crawl.id, writable=True)) as store:
                return compare_crawls(crawls[0], structs.replace(crawls[1], file=store), origins, is_main=False)
        except CrawlStoreError as error:
            raise Unavailable(_NOT_STORED, retry_after_s=RETRY_S) from error


def _base(service: Service, caller: Caller, crawl_id: int) -> int | NotComparable:
    with service.store.read() as session:
        return comparable_before(session, owned_crawl(session, caller, crawl_id))
