"""Watch sites by one switch: a crawl a week, new runs of their reports each day, and alerts for the person who switches it on."""

from collections.abc import Sequence

from findable.errors import ValidationFailed
from findable.monitor.schedule_rules import DAY, WEEK
from findable.service.accounts.callers import require_role
from findable.service.delivery import email_preferences
from findable.service.projects import projects, schedules
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.project_values import ProjectView
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleUpdate
from findable.store.store_protocol import Session
from findable.wording import Message

SCHEDULES = 2
"""Maximum number of schedules that watch a site."""


def watch(service: Service, caller: Caller, names: Sequence[str], every: str = "") -> None:
    """Watch these sites, unless a schedule does so already, and subscribe the caller to their alerts.

    ``every``: interval of their crawls; empty to crawl once a week, and not to change it. Raises NotFound, Forbidden, QuotaExceeded.
    """
    for name in names:
        site = projects.get(service, caller, name)
        require_role(caller, MEMBER, site.id)
        if not site.is_watched:
            schedules.create(service, caller, ScheduleCreate(what=ScheduledWork.CRAWL, every=every or WEEK, project=str(site.id)))
            if site.pages_count:
                schedules.create(service, caller, ScheduleCreate(what=ScheduledWork.REPORTS, every=DAY, project=str(site.id)))
        elif every:
            _change_interval(service, caller, site, every)
        email_preferences.subscribe(service, caller, site.name)


def _change_interval(service: Service, caller: Caller, site: ProjectView, every: str) -> None:
    """Set the interval of the crawls of a watched site."""
    crawling = [
        one for one in schedules.find(service, caller, project=site.name, limit=schedules.MAX_SCHEDULES) if one.what is ScheduledWork.CRAWL
    ]
    if crawling:
        schedules.update(service, caller, crawling[0].id, ScheduleUpdate(every=every))
    else:
        schedules.create(service, caller, ScheduleCreate(what=ScheduledWork.CRAWL, every=every, project=str(site.id)))


def require_room(session: Session, caller: Caller) -> None:
    """Raise ValidationFailed if the account has too many schedules to watch another site."""
    if session.schedules.count(caller.account_id) > schedules.MAX_SCHEDULES - SCHEDULES:
        most = f"{schedules.MAX_SCHEDULES:,}"
        raise ValidationFailed({"interval": [Message(schedules.TOO_MANY, most=most)]})


def stop_watching(service: Service, caller: Caller, names: Sequence[str]) -> None:
    """Delete the schedules of these sites; their reports and crawls stay, and so do subscriptions. Raises NotFound, Forbidden."""
    for name in names:
        for schedule in schedules.find(service, caller, project=name, limit=schedules.MAX_SCHEDULES):
            schedules.delete(service, caller, schedule.id)
