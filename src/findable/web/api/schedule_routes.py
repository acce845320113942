"""Routes of schedules, which run reports or crawls periodically: `/schedules`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.crawl.scope import MAX_PAGES, Extent, RobotsRules
from findable.errors import NotFound, QuotaExceeded
from findable.export.report_json import DateTime
from findable.monitor.schedule_rules import HOURS, MAX_TEXT_CHARS
from findable.reports.url_patterns import MAX_PATTERNS
from findable.service.projects import schedules
from findable.service.values.schedule_values import ScheduleChanges, ScheduledWork, ScheduleSettings, ScheduleView
from findable.service_urls import ServiceUrls
from findable.urls import MAX_URL_CHARS
from findable.values import shape_of
from findable.web.api.operation import Call, Data, Reply, Trail, operation
from findable.web.api.request_models import NEEDED, PerPage
from findable.web.api.shape_parts import cursor_page_reply
from findable.web.api.validation import input_of, value_or

_EVERY = Meta(
    max_length=MAX_TEXT_CHARS,
    description=f"day, week, month, or every few hours: {', '.join(f'PT{hours}H' for hours in HOURS)}; default: day.",
)
_AT = Meta(
    max_length=MAX_TEXT_CHARS,
    description="Local time. With the day of a weekly schedule, like mon 03:30, or of a monthly one, like 15 03:30, or the last day of a "
    "shorter month. Default: spread over the nights of a week. Every few hours: counted from this time of the day.",
)
_ZONE = Meta(max_length=MAX_TEXT_CHARS, description="Time zone, like Europe/Berlin; default: UTC.")
_Url = Annotated[str, Meta(max_length=MAX_URL_CHARS)]
_Patterns = Annotated[list[str], Meta(max_length=MAX_PATTERNS)]


class ScheduleOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of what a schedule runs: `sitemap` for reports, the others for a crawl."""

    sitemap: _Url = ""
    """Sitemap whose pages get reports. Default: the project's reports."""
    url: _Url = ""
    """Start URL of the crawl. Default: the start page of the project."""
    pages: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | UnsetType = UNSET
    depth: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET
    scope: Extent = Extent.ORIGIN
    include: _Patterns = []
    exclude: _Patterns = []
    robots: RobotsRules = RobotsRules.FINDABLE
    rate: Annotated[float, Meta(gt=0)] | UnsetType = UNSET


class ScheduleUpdate(Struct, frozen=True):
    """Changes of a schedule; only fields that are sent change."""

    what: ScheduledWork | UnsetType = UNSET
    """reports: new runs of the pages of the project or of a sitemap. crawl: the site."""
    every: Annotated[str, _EVERY] | UnsetType = UNSET
    at: Annotated[str, _AT] | UnsetType = UNSET
    time_zone: Annotated[str, _ZONE] | UnsetType = UNSET
    settings: ScheduleOptions | UnsetType = UNSET
    """New settings, which replace all existing ones."""


class ScheduleCreate(ScheduleUpdate, frozen=True):
    """New schedule of a project."""

    project: Annotated[str, NEEDED] | UnsetType = UNSET
    """Name or number of the project."""


class ScheduleListQuery(Struct, frozen=True):
    """Query of the list of schedules."""

    project: str = ""
    """Name or number of a project, to list only its schedules."""
    per_page: PerPage = 10
    after: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET
    """Number of a schedule: lists only schedules with larger numbers."""


class ScheduleSettingsShape(Struct, frozen=True, kw_only=True):
    """Settings of what a schedule runs; those that are not set have their defaults."""

    sitemap: str | None
    url: str | None
    pages: int | None
    depth: int | None
    scope: Extent
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    robots: RobotsRules
    rate: float | None


class ScheduleLast(Struct, frozen=True, kw_only=True):
    """Last run of a schedule."""

    at: DateTime
    late: bool
    """Whether it ran later than planned, because the service was down."""
    batch: int | None
    crawl: int | None
    problem: str | None
    """Reason code if nothing was run: still_running, no_pages, sitemap, refused, quota or storage."""


class ScheduleLinks(Struct, frozen=True, kw_only=True):
    """URLs of a schedule."""

    self: str
    project: str


class ScheduleShape(Struct, frozen=True, kw_only=True):
    """Schedule of a project, with its next and last run."""

    id: int
    object: Literal["schedule"] = "schedule"
    project: str
    what: ScheduledWork
    every: str
    at: str
    time_zone: str
    settings: ScheduleSettingsShape
    created_at: DateTime
    next_at: DateTime
    """Planned time plus a delay of up to a tenth of the interval, at most 15 minutes, which is fixed for the schedule."""
    last: ScheduleLast | None
    links: ScheduleLinks


class ScheduleDeleted(Struct, frozen=True, kw_only=True):
    """Deleted schedule."""

    id: int
    object: Literal["schedule"] = "schedule"
    deleted: Annotated[bool, Meta(description="Always true.")] = True


def changes_of(body: ScheduleUpdate, project: str | UnsetType = UNSET) -> ScheduleChanges:
    """Return the fields of a request as the changes of a schedule."""
    options = body.settings
    settings: ScheduleSettings | UnsetType = UNSET
    if options is not UNSET:
        settings = input_of(ScheduleSettings, options, include=tuple(options.include), exclude=tuple(options.exclude))
    return input_of(ScheduleChanges, body, project=project, settings=settings)


def schedule(view: ScheduleView, urls: ServiceUrls) -> ScheduleShape:
    """Return a schedule in the shape of the API."""
    settings = view.settings
    last: ScheduleLast | None = None
    if view.last_at is not None:
        problem = view.last_problem.value if view.last_problem else None
        last = ScheduleLast(at=view.last_at, late=view.last_is_late, batch=view.last_batch, crawl=view.last_crawl, problem=problem)
    return shape_of(
        ScheduleShape,
        view,
        object="schedule",
        settings=shape_of(ScheduleSettingsShape, settings, sitemap=settings.sitemap or None, url=settings.url or None),
        last=last,
        links=ScheduleLinks(self=urls.schedule(view.id), project=urls.project(view.project)),
    )


@operation(
    "POST",
    "/schedules",
    {201: Data[ScheduleShape]},
    NotFound,
    QuotaExceeded,
    reply_headers=("Location",),
    example={"project": "example.com", "every": "day", "at": "03:30", "time_zone": "Europe/Berlin"},
)
def create_schedule(call: Call, *, body: ScheduleCreate) -> Reply:
    """Create a schedule.

    It runs the reports of a project again, or crawls its site. Runs that were missed while the service was down are replaced by one run.
    """
    view = schedules.create(call.service, call.caller, changes_of(body, body.project))
    return call.write_reply(Reply(schedule(view, call.at), 201, {"Location": call.at.schedule(view.id)}), view.id)


@operation("GET", "/schedules", {200: Trail[ScheduleShape]}, reply_headers=("Link",))
def list_schedules(call: Call, *, query: ScheduleListQuery) -> Reply:
    """List schedules.

    Oldest first.
    """
    found = schedules.find(call.service, call.caller, project=query.project, after=value_or(query.after, 0), limit=query.per_page + 1)
    return cursor_page_reply(call, found, query.per_page, "after", lambda view: schedule(view, call.at))


@operation("GET", "/schedules/{id}", {200: Data[ScheduleShape]})
def get_schedule(call: Call, schedule_id: int) -> Reply:
    """Read a schedule."""
    return Reply(schedule(schedules.get(call.service, call.caller, schedule_id), call.at))


@operation("PUT", "/schedules/{id}", {200: Data[ScheduleShape]}, is_partial=True, example={"every": "week", "at": "mon 06:00"})
def update_schedule(call: Call, schedule_id: int, *, body: ScheduleUpdate) -> Reply:
    """Change a schedule.

    Only fields that are sent change. The next run is planned accordingly.
    """
    view = schedules.update(call.service, call.caller, schedule_id, changes_of(body))
    return call.write_reply(Reply(schedule(view, call.at)), view.id)


@operation("DELETE", "/schedules/{id}", {200: Data[ScheduleDeleted]})
def delete_schedule(call: Call, schedule_id: int) -> Reply:
    """Delete a schedule.

    Its reports and crawls stay.
    """
    schedules.delete(call.service, call.caller, schedule_id)
    return Reply(ScheduleDeleted(id=schedule_id))
