"""Watch sites by one switch: a crawl a week, their pages each day, and alerts for the person who switches it on."""

from collections.abc import Sequence

from findable.clock import now
from findable.errors import ValidationFailed
from findable.monitor.schedule_rules import DAY, WEEK
from findable.service.accounts.callers import require_role, writing
from findable.service.projects import schedules
from findable.service.reports.report_lists import owned_project
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleUpdate
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.wording import Message

SCHEDULES = 2
"""Maximum number of schedules that watch a site."""


def watch(service: Service, caller: Caller, names: Sequence[str], every: str = "") -> None:
    """Watch these sites, unless a schedule does so already, and subscribe the caller to their alerts: all of them, or none.

    ``every``: interval of their crawls; empty to crawl once a week, and not to change it. Raises NotFound, Forbidden, QuotaExceeded.
    """
    with writing(service, caller) as session:
        for name in names:
            project = owned_project(session, caller, name)
            require_role(caller, MEMBER, project.id)
            _schedule(service, session, caller, project, every)
            session.mails.subscribe(caller.user_id, project.id, int(now().timestamp()))
    service.events.publish_queued()


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
    """Delete the schedules of these sites; their reports and crawls stay, and so do subscriptions. Raises NotFound, Forbidden."""
    with writing(service, caller) as session:
        for name in names:
            project = owned_project(session, caller, name)
            for row in session.schedules.select(caller.account_id, project_id=project.id, limit=schedules.MAX_SCHEDULES):
                schedules.remove(session, caller, row)
