"""Counting requests of bots again after new lines, so that the results are stored before somebody reads them."""

from contextlib import suppress

from findable.errors import CrawlUnreadable, NotFound
from findable.service.crawls.crawl_access import open_store_of, site_crawl
from findable.service.crawls.site_hits import joined_hits
from findable.service.crawls.uploaded_metrics import data_of
from findable.service.projects.bot_hits import most_requested_of
from findable.service.reports.bot_metrics import bot_table
from findable.service.reports.hit_results import LARGE, HitResults, is_resting
from findable.service.runtime.service import Service
from findable.store.log_statements import HitResultRow

CHANGED_S = 3600
"""Time since the last new lines of a log after which its results are only counted when they are read."""
MARK = "top-"
"""Result that is counted first: it says when the results of a project were counted."""


def count_changed(service: Service) -> None:
    """Count the results of logs that changed in the last hour, but large ones only after a pause."""
    with service.store.read() as session:
        changed = session.logs.changed_since(session.moment - CHANGED_S)
    for project_id, account_id in changed:
        count_project(service, project_id, account_id)


def count_project(service: Service, project_id: int, account_id: int) -> None:
    """Count the results of a project, unless large ones were counted recently."""
    with service.store.read() as session:
        project = session.projects.by_id(account_id, project_id)
        view = site_crawl(service, session, project) if project is not None else None
        before = session.logs.result(project_id, MARK)
        if before is not None and (is_resting(before) or not _is_claimed(service, project_id, before)):
            return
        results = HitResults(service, session, project_id, is_worker=True)
        found = most_requested_of(results, "")
        for bot in sorted({bot for one in found for bot in one.bots}):
            most_requested_of(results, bot)
        bot_table(results)
    joined_hits(service, project_id, view, is_worker=True)
    with suppress(NotFound, CrawlUnreadable):
        if view is not None:
            with open_store_of(service, view) as opened:
                data_of(service, opened, is_worker=True)


def _is_claimed(service: Service, project_id: int, before: HitResultRow) -> bool:
    """Return whether this process counts large results again; no other one does meanwhile."""
    if before.size < LARGE:
        return True
    with service.store.write() as session:
        return session.logs.claim_result(project_id, MARK, before.counted_at, session.moment)
