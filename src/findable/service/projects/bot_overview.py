"""Requests of bots of a project for its members, and for guests of its shared page."""

from msgspec import Struct

from findable.capture.site_hits import SiteHits
from findable.service.accounts.callers import reading
from findable.service.crawls.crawl_views import crawl_view
from findable.service.crawls.site_hits import joined_hits
from findable.service.projects.log_imports import BotHits, LogImport, days_of, imports_of
from findable.service.reports.report_lists import owned_project
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView


class BotOverview(Struct, frozen=True):
    """Requests of bots in the last 30 days of the logs."""

    hits: SiteHits | None
    """Requests by URL; None without logs."""
    days: tuple[BotHits, ...]
    logs: tuple[LogImport, ...]
    crawl: CrawlView | None
    """Last crawl of the site that counted."""


def get(service: Service, caller: Caller, name_or_id: str) -> BotOverview:
    """Return the requests of bots of a project. Raises NotFound."""
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        row = session.crawls.by_id(project.site_crawl) if project.site_crawl is not None else None
        crawl = crawl_view(row, service.crawl_events) if row is not None else None
    return overview_of(service, project.id, crawl)


def overview_of(service: Service, project_id: int, crawl: CrawlView | None) -> BotOverview:
    """Return the requests of bots of a project that the viewer may see."""
    joined = joined_hits(service, project_id, crawl)
    with service.store.read() as session:
        return BotOverview(joined.hits if joined else None, days_of(session, project_id), imports_of(session, project_id), crawl)
