"""Access to crawls and their stores: for the owner, and for viewers of a share link."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager

from msgspec import Struct, field
from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd
from findable.crawl.comparable_crawls import CrawlBasis, have_comparable_scores, incomparable_reason, last_comparable
from findable.crawl.state import CrawlState
from findable.errors import CrawlUnreadable, NotFound, require_found
from findable.reports.difference import NotComparable
from findable.reports.reported_finding import AcceptanceTerms
from findable.reports.search_verdict import SearchVerdict
from findable.reports.site_report import SiteReport
from findable.service.accounts.permissions import reading
from findable.service.crawls.crawl_reports import decode_report
from findable.service.crawls.crawl_views import crawl_view, listed_settings_of
from findable.service.results.guest_access import Decision, LinkAccess, Viewer, decide
from findable.service.results.share_links import is_expired
from findable.service.results.shareable import Shareable, Shared, is_owner, require_owned
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import READ, Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.presentation import SITE_SECTIONS, presentation_of
from findable.store.crawl_row import CrawlRow, ruleset_in
from findable.store.crawl_statements import Crawls
from findable.store.crawl_store import CrawlStore, CrawlStoreDamaged, CrawlStoreError
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy

_log = logging.getLogger(__name__)
MAX_COMPARED = 20
"""Number of earlier crawls whose settings are compared."""
MAX_SEARCHED = 60
"""Number of earlier crawls among which the last one with another score is searched."""
MAX_CHOICES = 400
"""Number of earlier crawls to choose from for a comparison."""


class CrawlAccess(LinkAccess, frozen=True):
    """Crawl for a viewer. `crawl` is set only if `decision` is ALLOWED."""

    crawl: CrawlView | None = None


class ScoreChange(Struct, frozen=True):
    """Last change of the score of a site."""

    before: CrawlView
    """Last crawl with the earlier score."""
    after: CrawlView
    """First crawl with the current score."""


class OpenCrawl(Struct, frozen=True):
    """Store of a crawl, opened for reading."""

    crawl: CrawlView
    store: CrawlStore
    state: CrawlState


def owned_crawl(session: Session, caller: Caller, crawl_id: int) -> CrawlRow:
    """Return a crawl of the caller, after its use case has required a scope; to change it, use a writing transaction.

    Raises NotFound, and Forbidden if the caller may only read.
    """
    return require_owned(session, caller, session.crawls, crawl_id)


class _Crawls(Shareable[CrawlRow]):
    kind = "crawl"
    sections = SITE_SECTIONS
    shared, changed = AuditAction.CRAWL_SHARED, AuditAction.CRAWL_CHANGED
    counter = "unlock-crawl"

    def rows(self, session: Session) -> Crawls:
        return session.crawls

    def etag(self, service: Service, session: Session, row: CrawlRow) -> str:
        return crawl_view(row, service.crawl_events).etag


CRAWLS = _Crawls()


def comparable_before(session: Session, row: CrawlRow, basis: CrawlBasis | None = None) -> int | NotComparable:
    """Return the id of the earlier crawl that this one is compared with; the reason if there is none.

    ``basis``: the basis of this crawl, if its row does not have it yet.
    """
    earlier = ((one.id, before) for one, before in _rated_before(session, row, MAX_COMPARED))
    return last_comparable(earlier, basis or basis_of_row(session, row))


def basis_of_row(session: Session, row: CrawlRow) -> CrawlBasis:
    """Return the basis of a crawl by its row."""
    settings = listed_settings_of(session, row)
    has_pages = bool(json.loads(row.counts_json or "{}").get("pages", 0))
    return CrawlBasis(settings, CrawlEnd(row.ended_by) if row.ended_by else None, ruleset_in(row.counts_json), has_pages)


def _rated_before(session: Session, row: CrawlRow, limit: int) -> Iterator[tuple[CrawlRow, CrawlBasis]]:
    return ((one, basis_of_row(session, one)) for one in session.crawls.rated_before(row, limit))


def incomparable_before(service: Service, access: CrawlAccess) -> NotComparable | None:
    """Return why an ended crawl is not compared with an earlier one of the project; None if it is, or if there is none.

    None also for guests, who must not learn of other crawls.
    """
    if access.crawl is None or not access.is_owner or not access.crawl.is_finished:
        return None
    with service.store.read() as session:
        row = session.crawls.by_id(access.crawl.id)
        found = NotComparable.NO_EARLIER if row is None else comparable_before(session, row)
    return found if isinstance(found, NotComparable) and found is not NotComparable.NO_EARLIER else None


def get(service: Service, caller: Caller, crawl_id: int, scope: str = READ) -> CrawlView:
    """Return one crawl. Raises NotFound if it is missing or belongs to another account.

    ``scope``: WRITE for the response to a change, which a key without read access gets too.
    """
    with reading(service, caller, scope=scope) as session:
        return crawl_view(owned_crawl(session, caller, crawl_id), service.crawl_events)


def site_crawl(service: Service, session: Session, project: ProjectRow) -> CrawlView | None:
    """Return the crawl that the score of a project comes from; None if it is the score of its pages."""
    row = session.crawls.by_id(project.site_crawl) if project.site_crawl is not None else None
    return None if row is None else crawl_view(row, service.crawl_events)


def report(service: Service, crawl: CrawlView) -> SiteReport | None:
    """Return the report of a crawl that the viewer may see, with its verdict and today's acceptances; None if it has no report yet."""
    with service.store.read() as session:
        stored_report = session.crawls.report(crawl.id)
        if stored_report is None:
            return None
        found = decode_report(stored_report).with_accepted(terms_of(session, crawl.project_id))
        return found if crawl.verdict is None else found.with_verdict(crawl.verdict)


def terms_of(session: Session, project_id: int) -> Mapping[str, AcceptanceTerms]:
    """Return today's acceptances by the key of the finding."""
    accepted = session.acceptances.of_crawls(project_id)
    return {
        one.finding_key: AcceptanceTerms(one.reason, one.until, one.accepted_by)
        for one in accepted
        if not one.until or session.day <= one.until
    }


def compared_crawl(service: Service, access: CrawlAccess, number: int) -> CrawlView | None:
    """Return the crawl that another one is compared with, if the viewer may see it."""
    crawl = access.crawl
    if crawl is None:
        return None
    with service.store.read() as session:
        own, row = session.crawls.by_id(crawl.id), session.crawls.by_id(number)
        if own is None or row is None or row.account_id != crawl.account_id:
            return None
        is_open = access.is_owner or is_open_to_guests(session, own, row)
    return crawl_view(row, service.crawl_events) if is_open else None


def is_open_to_guests(session: Session, own: Shared, other: CrawlRow) -> bool:
    """Return whether all guests of a shared object may see the crawl too: it is public or has the same password, by a current link.

    Equal passwords of an account have equal hashes (`link_salt`).
    """
    link = session.links.of("crawl", other.id)
    if link is None or is_expired(link):
        return False
    if other.privacy == Privacy.PUBLIC:
        return True
    has_passwords = own.privacy == other.privacy == Privacy.PASSWORD and own.password_hash is not None
    return has_passwords and own.password_hash == other.password_hash


def verdict_for_guests(session: Session, own: Shared, project_id: int, verdict: SearchVerdict | None) -> SearchVerdict | None:
    """Return the verdict of a crawl for guests of a shared object: without its beginning if they may not see the crawl that found it."""
    if verdict is None or verdict.since is None:
        return verdict
    first = session.crawls.first_with_verdict(project_id, int(verdict.since.timestamp()))
    return verdict if first is not None and is_open_to_guests(session, own, first) else replace(verdict, since=None)


def earlier_crawls(service: Service, access: CrawlAccess) -> tuple[tuple[CrawlView, bool], ...]:
    """Return the earlier rated crawls that the viewer may see, newest first, each with whether this one can be compared with it."""

    def are_comparable(before: CrawlBasis, after: CrawlBasis) -> bool:
        return incomparable_reason(before, after) is None

    return () if access.crawl is None else _earlier(service, access.crawl, are_comparable, access, MAX_CHOICES)


def last_compared(service: Service, crawl: CrawlView) -> CrawlView | None:
    """Return the last crawl before this one that is compared with an earlier one; None if there is none."""
    with service.store.read() as session:
        row = session.crawls.by_id(crawl.id)
        earlier = session.crawls.rated_before(row, MAX_COMPARED) if row is not None else []
        found = next((one for one in earlier if isinstance(comparable_before(session, one), int)), None)
    return None if found is None else crawl_view(found, service.crawl_events)


def scored_before(service: Service, crawl: CrawlView, access: CrawlAccess | None = None) -> tuple[CrawlView, ...]:
    """Return the earlier crawls whose scores can be compared with that of this one, newest first.

    ``access``: the viewer, who may see not all of them; None for all.
    """
    return tuple(one for one, fits in _earlier(service, crawl, have_comparable_scores, access, MAX_SEARCHED) if fits)


def _earlier(
    service: Service,
    crawl: CrawlView,
    fits: Callable[[CrawlBasis, CrawlBasis], bool],
    access: CrawlAccess | None,
    limit: int,
) -> tuple[tuple[CrawlView, bool], ...]:
    """Return the earlier rated crawls that the viewer may see, newest first, each with whether it fits this one."""
    with service.store.read() as session:
        row = session.crawls.by_id(crawl.id)
        if row is None:
            return ()
        own = basis_of_row(session, row)
        rows = [
            (one, fits(basis, own))
            for one, basis in _rated_before(session, row, limit)
            if access is None or access.is_owner or is_open_to_guests(session, row, one)
        ]
    return tuple((crawl_view(one, service.crawl_events), is_fitting) for one, is_fitting in rows)


def last_score_change(crawl: CrawlView, earlier: Iterable[CrawlView]) -> ScoreChange | None:
    """Return the last change of the score; None if it never changed. ``earlier``: comparable crawls before this one, newest first."""
    after = crawl
    for one in earlier:
        if one.score != crawl.score:
            return ScoreChange(one, after)
        after = one
    return None


def open_crawl(service: Service, caller: Caller, crawl_id: int) -> AbstractContextManager[OpenCrawl]:
    """Open the store of the caller's crawl for reading, even while it is running.

    Raises NotFound if it is missing, belongs to another account, or has no stored data yet.
    """
    return open_store_of(service, get(service, caller, crawl_id))


class _UnreadableCrawls(Struct, frozen=True):
    """Ids of crawls whose damage is in the log."""

    logged: set[int] = field(default_factory=set)


@contextmanager
def open_store_of(service: Service, crawl: CrawlView) -> Iterator[OpenCrawl]:
    """Open the store of a crawl that the viewer may see. Raises NotFound if it has no stored data, CrawlUnreadable if that is damaged."""
    try:
        with closing(_open(service, crawl.id)) as store:
            yield OpenCrawl(crawl, store, require_found(store.state()))
    except CrawlStoreDamaged as error:
        logged = service.memory(_UnreadableCrawls).logged
        if crawl.id not in logged:
            logged.add(crawl.id)
            _log.error("the pages of crawl %d cannot be read: %s", crawl.id, error)
        raise CrawlUnreadable from error


def _open(service: Service, crawl_id: int) -> CrawlStore:
    try:
        return service.crawl_home.open(crawl_id)
    except CrawlStoreDamaged:
        raise
    except CrawlStoreError as error:
        raise NotFound from error


def view(service: Service, public_id: str, viewer: Viewer) -> CrawlAccess:
    """Return the crawl behind a share link, if the viewer may see it; missing, deleted and private ones are all NOT_FOUND."""
    with service.store.read() as session:
        row, link = CRAWLS.find(session, public_id)
        decision = decide(service, row, link, viewer)
        if row is None or link is None or decision is not Decision.ALLOWED:
            return CrawlAccess(decision)
        crawl, owns = crawl_view(row, service.crawl_events), is_owner(row, viewer.caller)
        if not owns:
            crawl = replace(crawl, verdict=verdict_for_guests(session, row, crawl.project_id, crawl.verdict))
        return CrawlAccess(decision, owns, presentation_of(link, SITE_SECTIONS), crawl)
