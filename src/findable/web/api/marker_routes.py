"""Routes of markers in the plots of a project (`/projects/{project}/markers`)."""

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.service.projects import markers
from findable.service.projects.markers import MAX_LABEL_CHARS, MarkerShape
from findable.values import NEEDED
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.validation import value_or


class MarkerCreate(Struct, frozen=True):
    """New marker of an event in the plots of a project, like a deployment."""

    label: Annotated[str, NEEDED, Meta(max_length=MAX_LABEL_CHARS)] | UnsetType = UNSET
    at: datetime | UnsetType = UNSET
    """Time of the event; default: now."""


@operation("POST", "/projects/{project}/markers", {201: Data[MarkerShape]}, example={"label": "Release 2.4"})
def make_marker(call: Call, project: str, *, body: MarkerCreate) -> Reply:
    """Mark an event in plots.

    For example a deployment.
    """
    view = markers.add(call.service, call.caller, project, value_or(body.label, ""), value_or(body.at))
    return call.write_reply(Reply(view, 201), view.id)


@operation("GET", "/projects/{project}/markers", {200: Items[MarkerShape]})
def list_markers(call: Call, project: str) -> Reply:
    """List the markers of a project.

    Newest first.
    """
    return Reply(markers.find(call.service, call.caller, project))
