"""Watch sites by one switch: a crawl a week, their pages each day, and alerts for the person who switches it on."""

from collections.abc import Sequence

from msgspec import Struct

from findable.errors import ValidationFailed
from findable.monitor.schedule_rules import DAY, WEEK
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import may, writing
from findable.service.projects import schedules
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.crawl_values import CrawlStatus
from findable.service.values.project_values import ProjectView
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleUpdate
from findable.store.crawl_row import CrawlSelection
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.wording import Message, Translator, later

SCHEDULES = 2
"""Maximum number of schedules that watch a site."""
DAYS = 7
CRAWLS = 10
"""Number of crawls of which the largest is the cost: others may be of a list, or of a site that could not be reached."""
FULL_RUN_REQUESTS, UNCHANGED_RUN_REQUESTS = 30, 2
"""Usual number of requests of a full run of a page, and of a run that finds it unchanged."""
FULL_RUN_PAGES = 21
"""Number of pages that always get a full run: the start page, and those with the highest link scores."""
_WORK = later("A crawl a week; each day the start page and the pages with a report.")
_BY_EMAIL = later(
    "You get an email at once if the site is unreachable, deindexed or blocked by robots.txt, or if its certificate expires; "
    "all else comes in one summary a week."
)
_ON_PAGES = later(
    "Alerts and Home show at once if the site is unreachable, deindexed or blocked by robots.txt, or if its certificate expires. "
    "This service sends no emails."
)
_OWN = frozenset({"own", "client"})
"""Tags of sites that are preselected for watching, like those with a client."""


class WatchOffer(Struct, frozen=True):
    """Costs and benefit of watching a site; of several sites their sum."""

    requests: int
    """Requests a week for its pages, and for a crawl if the site was crawled before."""
    is_complete: bool
    """Whether the requests of its crawl are known."""
    is_preselected: bool
    """Whether the site is one's own or a client's."""
    sends_email: bool
    """Whether the service sends emails."""

    def words(self, say: Translator) -> str:
        """Return the number of requests a week as a sentence without a full stop."""
        count = say.number(self.requests)
        if not self.is_complete:
            return say(later("about %(count)s requests a week, and those of a crawl, whose number is not known yet"), count=count)
        return say(later("about %(count)s requests a week"), count=count)

    def promise(self, say: Translator) -> str:
        """Return what is done for a watched site, and what its people hear of it."""
        return f"{say(_WORK)} {say(_BY_EMAIL if self.sends_email else _ON_PAGES)}"


def watch(service: Service, caller: Caller, names: Sequence[str], every: str = "") -> None:
    """Watch these sites, unless a schedule does so already, and subscribe the caller to their alerts: all of them, or none.

    ``every``: interval of their crawls; empty to crawl once a week, and not to change it. Raises NotFound, Forbidden, QuotaExceeded.
    """
    with writing(service, caller) as session:
        for name in names:
            project = owned_project(session, caller, name, MEMBER)
            _schedule(service, session, caller, project, every)
            session.projects.change(project.id, {"watch_answered": 1})
            session.mails.subscribe(caller.user_id, project.id, session.moment)
    service.events.publish_queued()


def offer_of(service: Service, caller: Caller, site: ProjectView) -> WatchOffer | None:
    """Return the offer to watch a site that the caller may change; None if it is watched."""
    return None if site.is_watched or not may(caller, MEMBER, site.id) else cost_of(service, caller, [site])


def cost_of(service: Service, caller: Caller, sites: Sequence[ProjectView]) -> WatchOffer:
    """Return what it costs and gives to watch sites, whether they are watched or not."""
    requests, is_complete = 0, True
    with service.store.read() as session:
        for site in sites:
            found = session.crawls.select(CrawlSelection(caller.account_id, site.id, status=CrawlStatus.DONE.value), CRAWLS)
            pages = max(1, site.pages_count)
            full_count = min(pages, FULL_RUN_PAGES)
            requests += DAYS * (full_count * FULL_RUN_REQUESTS + (pages - full_count) * UNCHANGED_RUN_REQUESTS)
            requests += max((one.requests or 0 for one in found), default=0)
            is_complete = is_complete and bool(found)
    is_own = all(site.client or not _OWN.isdisjoint(tag.casefold() for tag in site.tags) for site in sites)
    return WatchOffer(requests, is_complete, is_own, bool(service.settings.smtp_url))


def open_offer(service: Service, caller: Caller, site: ProjectView) -> WatchOffer | None:
    """Return the offer to watch a site with results, until somebody answers it."""
    has_results = site.pages_count or site.verdict_crawl
    return offer_of(service, caller, site) if has_results and not site.is_watch_answered else None


def _schedule(service: Service, session: Session, caller: Caller, project: ProjectRow, every: str) -> None:
    """Add the schedules of a site, or set the interval of its crawls."""
    found = session.schedules.select(caller.account_id, project_id=project.id, limit=schedules.MAX_SCHEDULES)
    crawl = ScheduleCreate(what=ScheduledWork.CRAWL, every=every or WEEK)
    if not found:
        schedules.add(service, session, caller, project, crawl)
        schedules.add(service, session, caller, project, ScheduleCreate(what=ScheduledWork.REPORTS, every=DAY))
    elif every:
        crawling = next((row for row in found if row.what == ScheduledWork.CRAWL), None)
        if crawling is None:
            schedules.add(service, session, caller, project, crawl)
        else:
            schedules.change(service, session, caller, crawling, ScheduleUpdate(every=every))


def require_room(session: Session, caller: Caller) -> None:
    """Raise ValidationFailed if the account has too many schedules to watch another site."""
    if session.schedules.count(caller.account_id) > schedules.MAX_SCHEDULES - SCHEDULES:
        most = f"{schedules.MAX_SCHEDULES:,}"
        raise ValidationFailed({"interval": [Message(schedules.TOO_MANY, most=most)]})


def stop_watching(service: Service, caller: Caller, names: Sequence[str]) -> None:
    """Delete the schedules of these sites, and do not offer to watch them again; their reports, crawls and subscriptions stay.

    Raises NotFound, Forbidden.
    """
    with writing(service, caller) as session:
        for name in names:
            project = owned_project(session, caller, name)
            for row in session.schedules.select(caller.account_id, project_id=project.id, limit=schedules.MAX_SCHEDULES):
                schedules.remove(session, caller, row)
            session.projects.change(project.id, {"watch_answered": 1})
