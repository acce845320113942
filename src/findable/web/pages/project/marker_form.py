"""Form that marks an event in the plots of a project."""

from datetime import date, datetime, time, tzinfo

from starlette.responses import Response

from findable.clock import now
from findable.errors import ValidationFailed
from findable.service.projects import markers
from findable.service.values.project_values import ProjectView
from findable.web.pages.project.project_context import project_form
from findable.web.pages.project.project_page import get_project
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import SignedInRequest
from findable.wording import later

_WRONG_DAY = later("The day must be a date like 2026-11-21.")


@project_form("/markers", get_project, "marker", renamed={"at": "day"})
def post_marker(request: SignedInRequest, view: ProjectView) -> Response:
    """Mark an event of a project now, or at noon of an earlier day."""
    day = request.text("day").strip()
    markers.add(request.service, request.caller, view.name, request.text("label"), _moment(day, request.zone) if day else None)
    return see_other(f"{project_url(view.name)}#trend")


def _moment(day: str, zone: tzinfo) -> datetime:
    """Return noon of a day, or the current time if the day is today. Raises ValidationFailed."""
    try:
        noon = datetime.combine(date.fromisoformat(day), time(12), zone)
    except ValueError:
        raise ValidationFailed({"day": [_WRONG_DAY]}) from None
    present = now().astimezone(zone)
    return present if noon.date() == present.date() else noon
