"""Delete old runs, crawls, saved pages and screenshots of a project according to its retention, once a day, in small steps.

Referenced data stays: the run that a report or its link shows, the newest run, the run used for comparison, and crawls with a link. Each
transaction is short, so that others can write in between. Saved pages are also deleted by the limits of the service.
"""

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from findable.clock import monotonic_s
from findable.errors import Unavailable
from findable.monitor.retention_rules import DAY_S, PastRun, Retention, Worth, positions_to_delete
from findable.service.reports.report_jobs import SavedBytes
from findable.service.runtime.background_work import others_continue
from findable.service.runtime.service import Service
from findable.service.values.presentation import client_of
from findable.store.crawl_statements import UNFINISHED
from findable.store.crawl_store import CrawlStoreError
from findable.store.retention_statements import StoredCrawl, StoredRun
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy

REPORTS = 20
"""Number of reports per step."""
DELETED_PAGES = 50
RECOUNT_AFTER_BYTES = 50_000_000
"""Uncompressed bytes of new saved pages after which an account is checked."""
AT_ONCE = 5
"""Runs deleted by one statement."""
TURN_RUNS = 20
"""Runs deleted in one transaction, whose commit writes to disk while other writers wait."""
TURN_S = 0.01
"""Duration after which a transaction stops deleting."""
LAST = 2
"""Newest complete crawls whose responses are stored regardless of their age."""


_NOT_DELETED = "expired data of %d could not be deleted"


class _OldData(Struct, frozen=True):
    """Runs of a report to delete, and runs that lose some of their data."""

    runs: Sequence[StoredRun] = ()
    unchanged: Sequence[int] = ()
    saved_pages: Sequence[StoredRun] = ()
    """Runs whose saved pages are deleted."""
    screenshots: Sequence[StoredRun] = ()

    def __bool__(self) -> bool:
        return any((self.runs, self.unchanged, self.saved_pages, self.screenshots))


def retention_of(retention_json: str | None) -> Retention:
    """Return the retention of a project."""
    return msgspec.json.decode(retention_json, type=Retention) if retention_json else Retention()


def saved_days(service: Service, retention: Retention) -> int:
    """Return the days for which saved pages and screenshots are stored."""
    most = service.settings.saved_page_days
    return most if retention.saved_days is None else min(most, retention.saved_days)


class _DeletionTurn(Struct):
    """Project whose old runs are being deleted, and the last of its reports that was processed."""

    project: int = 0
    last_report: int = 0


def delete_old(service: Service) -> bool:
    """Delete old data of some reports of a project, and of its crawls after the last report; return whether there may be more."""
    if service.draining:
        return False
    with service.store.read() as session:
        moment = session.moment
        due = session.retention.due(moment - DAY_S)
        if due is None:
            return False
        project_id, retention = due[0], retention_of(due[1])
        turn = service.memory(_DeletionTurn)
        after = turn.last_report if turn.project == project_id else 0
        before = max(_old_before(retention, moment), _saved_before(service, retention, moment))
        found = session.retention.reports(project_id, after, before, REPORTS)
    for report_id in found:
        with others_continue(_NOT_DELETED, report_id):
            _delete_old_data(service, report_id, retention, moment)
    if len(found) == REPORTS:
        turn.project, turn.last_report = project_id, found[-1]
        return True
    turn.project = 0
    with others_continue(_NOT_DELETED, project_id):
        _delete_old_crawls(service, project_id, retention)
    size_bytes = None
    with others_continue("project %d could not be measured", project_id), service.store.read() as session:
        size_bytes = session.retention.measured_bytes(project_id)
    with service.store.write() as session:
        session.retention.save_measurement(project_id, size_bytes, moment)
    return True


def _old_before(retention: Retention, moment: int) -> int:
    """Return the time before which not every run stays."""
    return moment - DAY_S * retention.all_days


def _saved_before(service: Service, retention: Retention, moment: int) -> int:
    """Return the time before which saved pages and screenshots are deleted."""
    return moment - DAY_S * saved_days(service, retention)


def _delete_old_data(service: Service, report_id: int, retention: Retention, moment: int) -> None:
    saved_before = _saved_before(service, retention, moment)
    while not service.draining:
        with service.store.read() as session:
            if not _old_data_of(session, report_id, retention, saved_before, moment):
                return
        with service.store.write() as session:  # read again under the lock, because a new row may refer to the run
            old = _old_data_of(session, report_id, retention, saved_before, moment)
            _delete_some(session, report_id, old)


def _old_data_of(session: Session, report_id: int, retention: Retention, saved_before: int, moment: int) -> _OldData:
    shown = session.retention.shown_runs(report_id)
    if shown is None:
        return _OldData()
    old_before = _old_before(retention, moment)
    runs = session.retention.runs(report_id, max(old_before, saved_before))
    unchanged = session.retention.unchanged_times(report_id, old_before)
    pictured = {shown.run, client_of(shown.client_json).run}
    needed = {
        shown.newest,
        *pictured,
        *session.retention.compared_runs(report_id, shown.account_id),
        *session.retention.rescored_runs(report_id),
    }
    past = [PastRun(one.finished_at, Worth.FAILED if one.result is None else Worth.RATED, one.number in needed) for one in runs]
    past += [PastRun(at, Worth.UNCHANGED) for at in unchanged]
    gone = positions_to_delete(past, retention, moment)
    removed = {runs[position].id for position in gone if position < len(runs)}
    aged = [one for one in runs if one.id not in removed and one.finished_at < saved_before]
    return _OldData(
        runs=[one for one in runs if one.id in removed],
        unchanged=[unchanged[position - len(runs)] for position in gone if position >= len(runs)],
        saved_pages=[one for one in aged if one.saved_hash is not None],
        screenshots=[one for one in aged if one.has_screenshots and one.number not in pictured],
    )


def _delete_some(session: Session, report_id: int, old: _OldData) -> None:
    """Delete for a few milliseconds, and at least one row, because a step without progress would never end."""
    until_s = monotonic_s() + TURN_S
    if old.unchanged:
        session.retention.remove_unchanged(report_id, old.unchanged)
    if old.screenshots:
        session.retention.remove_screenshots([one.id for one in old.screenshots])
    for begin in range(0, min(len(old.saved_pages), TURN_RUNS), AT_ONCE):
        some = old.saved_pages[begin : begin + AT_ONCE]
        session.runs.remove_saved({one.id: one.saved_hash for one in some if one.saved_hash is not None})
        if monotonic_s() >= until_s:
            return
    for begin in range(0, min(len(old.runs), TURN_RUNS), AT_ONCE):
        session.retention.remove_runs(old.runs[begin : begin + AT_ONCE])
        if monotonic_s() >= until_s:
            return


def _delete_old_crawls(service: Service, project_id: int, retention: Retention) -> None:
    """Delete old crawls, and the responses of other crawls; stores are deleted like those of any deleted crawl."""
    with service.store.write() as session:
        moment = session.moment
        rows = session.retention.crawls(project_id)
        needed = session.retention.needed_crawls(project_id)
        removed = {crawl_id for same in _by_start(rows) for crawl_id in _outdated_crawls(same, needed, retention, moment)}
        for crawl_id in removed:
            session.crawls.delete(crawl_id, moment)
    if removed:
        service.events.publish_queued()  # wake up the housekeeping
    ended = [one for one in rows if one.status not in UNFINISHED and one.id not in removed]
    last = _last(ended)
    for one in ended:
        if service.draining:
            return
        if one.id not in last and (one.finished_at or moment) < _saved_before(service, retention, moment):
            _delete_responses(service, one.id)


def _by_start(rows: Sequence[StoredCrawl]) -> Sequence[Sequence[StoredCrawl]]:
    """Return the crawls by start URL, in order; crawls of lists are separate."""
    found: dict[tuple[str, bool], list[StoredCrawl]] = defaultdict(list)
    for one in rows:
        if one.finished_at is not None and one.status not in UNFINISHED:
            found[one.url, bool(one.is_list)].append(one)
    return list(found.values())


def _outdated_crawls(crawls: Sequence[StoredCrawl], needed_crawls: set[int], retention: Retention, moment: int) -> list[int]:
    last = _last(crawls)

    def past(one: StoredCrawl) -> PastRun:
        is_shared = one.privacy != Privacy.PRIVATE and (one.link_expires_at is None or one.link_expires_at > moment)
        is_needed = is_shared or one.id in needed_crawls or one.id in last
        return PastRun(one.finished_at or 0, Worth.RATED if one.is_whole else Worth.FAILED, is_needed)

    return [crawls[position].id for position in positions_to_delete(map(past, crawls), retention, moment)]


def _last(crawls: Sequence[StoredCrawl]) -> set[int]:
    """Return the ids of the last crawl and of the last complete ones."""
    return {one.id for one in (*crawls[-1:], *[one for one in crawls if one.is_whole][-LAST:])}


def _delete_responses(service: Service, crawl_id: int) -> None:
    try:
        if not service.crawl_home.delete_responses(crawl_id):
            return
        size_bytes = service.crawl_home.size_bytes(crawl_id)
    except (CrawlStoreError, Unavailable):  # the store is in use, missing, or of another version: retried tomorrow
        return
    with service.store.write() as session:
        session.retention.resize_crawl(crawl_id, size_bytes)


def delete_old_pages(service: Service) -> bool:
    """Delete a few saved pages older than SAVED_PAGE_DAYS; return whether there may be more."""
    with service.store.write() as session:
        before = session.moment - service.settings.saved_page_days * DAY_S
        return session.runs.remove_saved_before(before, DELETED_PAGES) == DELETED_PAGES


def delete_excess_pages(service: Service) -> bool:
    """Delete some of the oldest saved pages of an account above `FixedSettings.saved_page_mb`; return whether there may be more.

    Only accounts with many new pages are checked, because their pages are summed one by one.
    """
    most_bytes = service.settings.saved_page_mb * 1_000_000
    saved_bytes = service.memory(SavedBytes).by_account
    account_id = next((one for one, came_bytes in list(saved_bytes.items()) if came_bytes >= RECOUNT_AFTER_BYTES), None)
    if account_id is None:
        return False
    saved_bytes.pop(account_id, None)
    if not most_bytes:
        return True
    with service.store.read() as session:
        over_bytes = session.runs.saved_bytes(account_id) - most_bytes
    while over_bytes > 0:
        with service.store.write() as session:
            freed_bytes = session.runs.remove_saved_of(account_id, over_bytes, DELETED_PAGES)
        if not freed_bytes:
            break
        over_bytes -= freed_bytes
    return True
