"""Access to crawls and their stores: for the owner, and for viewers of a share link."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from findable.crawl.changes import covers_the_same
from findable.crawl.state import CrawlState
from findable.errors import NotFound, PreconditionFailed
from findable.reports.site_report import SiteReport
from findable.service.accounts.callers import require
from findable.service.crawls.crawl_reports import loaded
from findable.service.crawls.crawl_views import crawl_view, settings_of, with_list
from findable.service.reports.guest_access import Decision, UnlockCookie, Viewer, decide, unlock_shared
from findable.service.reports.owned_reports import MAX_ID, is_owner
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.crawl_values import CrawlView
from findable.store.crawl_row import CrawlRow
from findable.store.crawl_store import CrawlStore, CrawlStoreError
from findable.store.store_protocol import Session

MAX_COMPARED = 5
"""Earlier crawls whose settings are compared."""


class CrawlAccess(Struct, frozen=True):
    """Crawl for a viewer. `crawl` is set only if `decision` is ALLOWED."""

    decision: Decision
    crawl: CrawlView | None = None
    is_owner: bool = False


class OpenCrawl(Struct, frozen=True):
    """Store of a crawl, opened for reading."""

    crawl: CrawlView
    store: CrawlStore
    state: CrawlState


def owned_crawl(session: Session, caller: Caller, crawl_id: int) -> CrawlRow:
    """Return the caller's own crawl, after its use case has required a scope. Raises NotFound."""
    row = session.crawls.by_id(crawl_id) if 0 < crawl_id < MAX_ID else None
    if row is None or row.account_id != caller.account_id:
        raise NotFound
    return row


def comparable_before(session: Session, row: CrawlRow) -> int | None:
    """Return the last complete crawl of the same URL and the same part of its site before this one."""
    own = with_list(settings_of(row), session.crawls.listed(row.id))
    for earlier in session.crawls.complete_before(row, MAX_COMPARED):
        if covers_the_same(with_list(settings_of(earlier), session.crawls.listed(earlier.id)), own, {}):
            return earlier.id
    return None


def require_match(crawl: CrawlView, if_match: str | None) -> None:
    """Raise PreconditionFailed if ``If-Match`` has only other versions. Progress is not a change by somebody else."""
    if if_match is None or if_match.strip() == "*":
        return
    sent = {tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(",")}
    if crawl.etag.split(".")[:2] not in [tag.split(".")[:2] for tag in sent]:
        raise PreconditionFailed("The crawl has changed since.")


def get(service: Service, caller: Caller, crawl_id: int) -> CrawlView:
    """Return one crawl. Raises NotFound if it is missing or belongs to another account."""
    require(caller, READ)
    with service.store.read() as session:
        return crawl_view(owned_crawl(session, caller, crawl_id), service.crawl_events)


def report(service: Service, crawl: CrawlView) -> SiteReport | None:
    """Return the report of a crawl that the viewer may see; None before there is one."""
    with service.store.read() as session:
        stored = session.crawls.report(crawl.id)
    return None if stored is None else loaded(stored)


@contextmanager
def open_crawl(service: Service, caller: Caller, crawl_id: int) -> Iterator[OpenCrawl]:
    """Open the store of the caller's crawl for reading, while it runs too.

    Raises NotFound if it is missing, belongs to another account, or nothing is stored of it yet.
    """
    with open_store_of(service, get(service, caller, crawl_id)) as opened:
        yield opened


@contextmanager
def open_store_of(service: Service, crawl: CrawlView) -> Iterator[OpenCrawl]:
    """Open the store of a crawl that the viewer may see. Raises NotFound if nothing is stored of it."""
    try:
        store = service.crawl_home.open(crawl.id)
    except CrawlStoreError as error:
        raise NotFound from error
    try:
        state = store.state()
        if state is None:
            raise NotFound
        yield OpenCrawl(crawl, store, state)
    finally:
        store.close()


def view(service: Service, public_id: str, viewer: Viewer) -> CrawlAccess:
    """Return the crawl behind a share link, if the viewer may see it; missing, deleted and private ones are all NOT_FOUND."""
    with service.store.read() as session:
        row = session.crawls.by_public_id(public_id)
    decision = Decision.NOT_FOUND if row is None else decide(service, row, viewer)
    if row is None or decision is not Decision.ALLOWED:
        return CrawlAccess(decision)
    return CrawlAccess(decision, crawl_view(row, service.crawl_events), is_owner(row, viewer.caller))


def unlock(service: Service, public_id: str, password: str, address: str) -> UnlockCookie | None:
    """Check a password for a guest, as `guest_access.unlock` does for reports. Raises NotFound, RateLimited."""

    def store_hash(session: Session, row: CrawlRow, moment: int, hashed: str) -> None:
        session.crawls.change(row.id, moment, password_hash=hashed)

    return unlock_shared(service, lambda session: session.crawls.by_public_id(public_id), store_hash, "unlock-crawl", password, address)
