"""Watch sites by one switch: a crawl a week, new runs of their reports each day, and alerts for the person who switches it on."""

from collections.abc import Sequence

from findable.monitor.schedule_rules import DAY, WEEK
from findable.service.accounts.callers import require_role
from findable.service.delivery import email_preferences
from findable.service.projects import projects, schedules
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork


def watch(service: Service, caller: Caller, names: Sequence[str]) -> None:
    """Watch these sites, unless a schedule does so already, and subscribe the caller to their alerts.

    Raises NotFound, Forbidden, QuotaExceeded.
    """
    for name in names:
        site = projects.get(service, caller, name)
        require_role(caller, MEMBER, site.id)
        if not site.is_watched:
            schedules.create(service, caller, ScheduleCreate(what=ScheduledWork.CRAWL, every=WEEK, project=str(site.id)))
            if site.pages_count:
                schedules.create(service, caller, ScheduleCreate(what=ScheduledWork.REPORTS, every=DAY, project=str(site.id)))
        email_preferences.subscribe(service, caller, site.name)


def stop_watching(service: Service, caller: Caller, names: Sequence[str]) -> None:
    """Delete the schedules of these sites; their reports and crawls stay, and so do subscriptions. Raises NotFound, Forbidden."""
    for name in names:
        for schedule in schedules.find(service, caller, project=name, limit=schedules.MAX_SCHEDULES):
            schedules.delete(service, caller, schedule.id)
