"""Routes of schedules, which run reports or crawls periodically: `/schedules`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import NotFound, QuotaExceeded
from findable.service.projects import schedules
from findable.service.values.paging import PerPage
from findable.service.values.schedule_values import ScheduleCreate, ScheduleShape, ScheduleUpdate
from findable.web.api.operation import Call, Data, Reply, Trail, operation
from findable.web.api.shape_parts import Deleted, cursor_page_reply
from findable.web.api.validation import value_or


class ScheduleListQuery(Struct, frozen=True):
    """Query of the list of schedules."""

    project: str = ""
    """Name or number of a project, to list only its schedules."""
    per_page: PerPage = 10
    after: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET
    """Number of a schedule: lists only schedules with larger numbers."""


class ScheduleDeleted(Deleted[Literal["schedule"]], frozen=True, kw_only=True):
    """Deleted schedule."""


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
    view = schedules.create(call.service, call.caller, body)
    return call.write_reply(Reply(view, 201, {"Location": call.at.schedule(view.id)}), view.id)


@operation("GET", "/schedules", {200: Trail[ScheduleShape]}, reply_headers=("Link",))
def list_schedules(call: Call, *, query: ScheduleListQuery) -> Reply:
    """List schedules.

    Oldest first.
    """
    found = schedules.find(call.service, call.caller, project=query.project, after=value_or(query.after, 0), limit=query.per_page + 1)
    return cursor_page_reply(call, found, query.per_page, "after")


@operation("GET", "/schedules/{id}", {200: Data[ScheduleShape]})
def get_schedule(call: Call, schedule_id: int) -> Reply:
    """Read a schedule."""
    return Reply(schedules.get(call.service, call.caller, schedule_id))


@operation("PUT", "/schedules/{id}", {200: Data[ScheduleShape]}, is_partial=True, example={"every": "week", "at": "mon 06:00"})
def update_schedule(call: Call, schedule_id: int, *, body: ScheduleUpdate) -> Reply:
    """Change a schedule.

    Only fields that are sent change. The next run is planned accordingly.
    """
    view = schedules.update(call.service, call.caller, schedule_id, body)
    return call.write_reply(Reply(view), view.id)


@operation("DELETE", "/schedules/{id}", {200: Data[ScheduleDeleted]})
def delete_schedule(call: Call, schedule_id: int) -> Reply:
    """Delete a schedule.

    Its reports and crawls stay.
    """
    schedules.delete(call.service, call.caller, schedule_id)
    return Reply(ScheduleDeleted(id=schedule_id, object="schedule"))
