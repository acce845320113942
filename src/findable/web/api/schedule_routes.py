"""Routes of schedules, which run reports or crawls periodically: `/schedules`."""

from findable.errors import NotFound, QuotaExceeded
from findable.service.projects import schedules
from findable.web.api.operation import Call, Data, Reply, Trail, operation
from findable.web.api.schedule_models import (
    ScheduleCreate,
    ScheduleDeleted,
    ScheduleListQuery,
    ScheduleShape,
    ScheduleUpdate,
    changes_of,
    schedule,
)
from findable.web.api.shape_parts import trail
from findable.web.api.validation import value_or


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
    return trail(call, found, query.per_page, "after", lambda view: schedule(view, call.at))


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
