"""Use cases of schedules. They raise NotFound for missing schedules and for those of other accounts."""

import msgspec
from msgspec import UNSET

from findable.errors import QuotaExceeded, ValidationFailed, require_found
from findable.monitor.schedule_rules import ScheduleRule, default_time, jitter_s, next_after, rule_of
from findable.service.accounts.owned_projects import find_project, owned_project
from findable.service.accounts.permissions import may, reading, require, require_access, writing
from findable.service.alerts.alert_watch import close_unwatched
from findable.service.crawls import crawls
from findable.service.results.access_settings import OTHER_PROJECT
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.sites.url_input import read_url
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, WRITE, Caller
from findable.service.values.crawl_values import NewCrawl
from findable.service.values.schedule_values import (
    ScheduleCreate,
    ScheduledWork,
    ScheduleLast,
    ScheduleLinks,
    ScheduleOptions,
    ScheduleShape,
    ScheduleUpdate,
)
from findable.service.values.views import moment as moment_of
from findable.service.values.views import view_of
from findable.service_urls import ServiceUrls
from findable.store.rows import MAX_ID, ProjectRow
from findable.store.schedule_statements import ScheduleRow
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.values import shape_of
from findable.wording import Message, later

MAX_SCHEDULES = 1000
"""Maximum number of schedules per account."""
RETRY_S = 3600
TOO_MANY = later("This account has %(most)s schedules, which is the limit. Delete one.")
_PROJECT_REQUIRED = later("The project field is required.")


def create(service: Service, caller: Caller, changes: ScheduleCreate) -> ScheduleShape:
    """Create a schedule. Raises ValidationFailed (all fields at once), QuotaExceeded, NotFound for an unknown project."""
    require(caller, WRITE)
    if changes.project is UNSET or not changes.project.strip():
        raise ValidationFailed({"project": [_PROJECT_REQUIRED]})
    with service.store.write() as session:
        project = owned_project(session, caller, changes.project)
        view = _view(service, _owned_schedule(session, caller, add(service, session, caller, project, changes)))
    service.events.publish_queued()
    return view


def add(service: Service, session: Session, caller: Caller, project: ProjectRow, changes: ScheduleCreate) -> int:
    """Add a schedule of a project in this transaction; return its id. The first one makes what is found next the base of comparisons.

    Raises ValidationFailed, QuotaExceeded.
    """
    moment = session.moment
    if session.schedules.count(caller.account_id) >= MAX_SCHEDULES:
        raise QuotaExceeded(Message(TOO_MANY, most=f"{MAX_SCHEDULES:,}"), retry_after_s=RETRY_S)
    if not session.alerts.is_watched(project.id):
        session.alerts.forget_base(project.id)
    what = ScheduledWork.REPORTS if changes.what is UNSET else changes.what
    settings = ScheduleOptions() if changes.settings is UNSET else changes.settings
    at, zone = "" if changes.at is UNSET else changes.at, "" if changes.time_zone is UNSET else changes.time_zone
    every = "day" if changes.every is UNSET else changes.every
    at = at or default_time(every, project.id)
    rule = _valid_rule(service, caller, project, what, settings, (every, at, zone or caller.time_zone or "UTC"))
    columns = {"account_id": caller.account_id, "project_id": project.id, "created_at": moment, "planned_at": moment, "due_at": moment}
    schedule_id = session.schedules.add({**columns, **_columns(caller, rule, what, settings)})
    _plan(session, schedule_id, rule)
    audit_log.record(session, caller, AuditAction.SCHEDULE_MADE, project.name, what=what.value, every=rule.every)
    return schedule_id


def update(service: Service, caller: Caller, schedule_id: int, changes: ScheduleUpdate) -> ScheduleShape:
    """Change the fields that were sent, and plan the next run accordingly. Raises ValidationFailed."""
    with writing(service, caller) as session:
        change(service, session, caller, _owned_schedule(session, caller, schedule_id), changes)
        return _view(service, _owned_schedule(session, caller, schedule_id))


def change(service: Service, session: Session, caller: Caller, row: ScheduleRow, changes: ScheduleUpdate) -> None:
    """Change a schedule in this transaction. Raises ValidationFailed."""
    what = ScheduledWork(row.what) if changes.what is UNSET else changes.what
    settings = settings_of(row) if changes.settings is UNSET else changes.settings
    fields = tuple(
        old if new is UNSET else new for old, new in ((row.every, changes.every), (row.at, changes.at), (row.time_zone, changes.time_zone))
    )
    if changes.every is not UNSET and changes.every != row.every and changes.at is UNSET:
        fields = (fields[0], row.at.rpartition(" ")[2], fields[2])  # a weekday is not a day of the month
    project = require_found(session.projects.by_id(caller.account_id, row.project_id))
    rule = _valid_rule(service, caller, project, what, settings, fields)
    session.schedules.change(row.id, **_columns(caller, rule, what, settings))
    _plan(session, row.id, rule)
    audit_log.record(session, caller, AuditAction.SCHEDULE_CHANGED, row.project, what=what.value, every=rule.every)


def delete(service: Service, caller: Caller, schedule_id: int) -> None:
    """Delete the schedule; its reports and crawls stay."""
    with writing(service, caller) as session:
        remove(session, caller, _owned_schedule(session, caller, schedule_id))


def remove(session: Session, caller: Caller, row: ScheduleRow) -> None:
    """Remove a schedule in this transaction; without another one, the alerts of its project are over."""
    session.schedules.remove(row.id)
    audit_log.record(session, caller, AuditAction.SCHEDULE_DELETED, row.project, what=row.what)
    close_unwatched(session, row.project_id, session.moment)


def get(service: Service, caller: Caller, schedule_id: int) -> ScheduleShape:
    """Return one schedule."""
    with reading(service, caller) as session:
        return _view(service, _owned_schedule(session, caller, schedule_id))


def find(service: Service, caller: Caller, *, project: str = "", after: int = 0, limit: int = 10) -> tuple[ScheduleShape, ...]:
    """Return schedules with ids above ``after``, sorted by id; empty for an unknown project."""
    with reading(service, caller) as session:
        row = find_project(session, caller, project) if project else None
        if project and row is None:
            return ()
        found = session.schedules.select(
            caller.account_id, project_id=row.id if row else None, person_id=caller.only_projects_of, after=after, limit=limit
        )
        return tuple(_view(service, one) for one in found)


def all_schedules(service: Service, after: int, limit: int) -> tuple[ScheduleShape, ...]:
    """Return schedules of all accounts with ids above ``after``, for the operator."""
    with service.store.read() as session:
        return tuple(_view(service, row) for row in session.schedules.all_of(after, limit))


def new_crawl(project: str, settings: ScheduleOptions) -> NewCrawl:
    """Return the crawl that the settings of a schedule of the project describe."""
    return shape_of(NewCrawl, settings, url=settings.url or project, include=tuple(settings.include), exclude=tuple(settings.exclude))


def _valid_rule(
    service: Service, caller: Caller, project: ProjectRow, work: ScheduledWork, settings: ScheduleOptions, fields: tuple[str, ...]
) -> ScheduleRule:
    """Return the rule of a schedule. Raises ValidationFailed for all invalid fields at once.

    Members of single projects may only use a sitemap of the project, because its host is requested on their behalf.
    """
    rule, problems = rule_of(*fields)
    errors = {field: [problem] for field, problem in problems.items()}
    if work is ScheduledWork.CRAWL:
        try:
            accepted = crawls.validate(service, caller, new_crawl(project.name, settings))
            if project_name(accepted.target.url) != project.name:
                errors["settings.url"] = [OTHER_PROJECT]
        except ValidationFailed as error:
            errors |= {f"settings.{field}": problem for field, problem in error.errors.items()}
    elif settings.sitemap:
        sitemap = read_url(settings.sitemap, service.guard)
        if isinstance(sitemap, str):
            errors["settings.sitemap"] = [sitemap]
        elif project_name(sitemap.url) != project.name and not may(caller, MEMBER):
            errors["settings.sitemap"] = [OTHER_PROJECT]
    if errors or rule is None:
        raise ValidationFailed(errors)
    return rule


def _columns(caller: Caller, rule: ScheduleRule, work: ScheduledWork, settings: ScheduleOptions) -> dict[str, str | int]:
    settings_json = msgspec.json.encode(settings).decode()
    times = {"every": rule.every, "at": rule.local_time, "time_zone": rule.time_zone}
    return {"person_id": caller.user_id, "what": work.value, **times, "settings": settings_json}


def _plan(session: Session, schedule_id: int, rule: ScheduleRule) -> None:
    planned_at = next_after(rule, session.moment)
    session.schedules.change(schedule_id, planned_at=planned_at, due_at=planned_at + jitter_s(rule, schedule_id))


def _owned_schedule(session: Session, caller: Caller, schedule_id: int) -> ScheduleRow:
    row = require_found(session.schedules.by_id(schedule_id, caller.account_id) if 0 < schedule_id < MAX_ID else None)
    require_access(caller, row.project_id, for_update=session.is_writing)
    return row


def stored_rule(row: ScheduleRow) -> ScheduleRule:
    """Return the rule of a stored schedule; UTC if this machine lacks its time zone."""
    return require_found(rule_of(row.every, row.at, row.time_zone)[0] or rule_of(row.every, row.at, "UTC")[0])


def settings_of(row: ScheduleRow) -> ScheduleOptions:
    """Return the settings of a stored schedule."""
    return msgspec.json.decode(row.settings_json, type=ScheduleOptions)


def _view(service: Service, row: ScheduleRow) -> ScheduleShape:
    at = ServiceUrls(service.settings.base_url)
    last: ScheduleLast | None = None
    if row.last_at is not None:
        last = ScheduleLast(
            at=moment_of(row.last_at),
            late=bool(row.last_is_late),
            batch=row.last_batch,
            crawl=row.last_crawl,
            problem=row.last_problem or None,
        )
    return view_of(
        ScheduleShape,
        row,
        settings=settings_of(row),
        next_at=moment_of(row.planned_at + jitter_s(stored_rule(row), row.id)),
        last=last,
        links=ScheduleLinks(self=at.schedule(row.id), project=at.project(row.project)),
    )
