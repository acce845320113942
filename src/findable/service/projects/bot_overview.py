"""Requests of bots of a project for its members, and for guests of its shared page."""

from typing import Literal

from msgspec import Struct

from findable.capture.site_hits import SiteHits
from findable.reports.site_picture import is_drawn
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading
from findable.service.crawls.crawl_access import site_crawl
from findable.service.crawls.crawls import create_from_list
from findable.service.crawls.site_hits import joined_hits
from findable.service.projects.bot_hits import BotHits, days_of
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView


class BotOverview(Struct, frozen=True, kw_only=True):
    """Requests of bots in the last 30 days of the logs, joined with the last crawl of the site that counted."""

    object: Literal["bot_overview"] = "bot_overview"
    crawl_id: int | None
    """Crawl that the requests are joined with; null if it is from another time, or if there is none."""
    crawl_public_id: str | None
    """Public id of this crawl."""
    has_picture: bool
    """Whether the site report has a picture that is coloured by requests: not of a small site."""
    hits: SiteHits | None
    """Requests by URL; null without logs."""
    days: tuple[BotHits, ...]
    """Requests by day, bot and verification."""


def get(service: Service, caller: Caller, name_or_id: str) -> BotOverview:
    """Return the requests of bots of a project. Raises NotFound."""
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        crawl = site_crawl(service, session, project)
    return overview_of(service, project.id, crawl)


def crawl_unlinked(service: Service, caller: Caller, name_or_id: str) -> CrawlView:
    """Crawl the pages that bots requested and the crawl did not find, as a list. Errors: see `create_from_list`."""
    hits = get(service, caller, name_or_id).hits
    urls = tuple(one.url for one in hits.unlinked.items if not one.url.endswith("…")) if hits else ()
    return create_from_list(service, caller, name_or_id, urls)


def overview_of(service: Service, project_id: int, crawl: CrawlView | None) -> BotOverview:
    """Return the requests of bots of a project that the viewer may see."""
    joined = joined_hits(service, project_id, crawl)
    near = crawl if joined and joined.hits.is_joined else None
    with service.store.read() as session:
        days = days_of(session, project_id) if joined else ()
    return BotOverview(
        crawl_id=near.id if near else None,
        crawl_public_id=near.public_id if near else None,
        has_picture=near is not None and joined is not None and is_drawn(joined.areas),
        hits=joined.hits if joined else None,
        days=days,
    )
