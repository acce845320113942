"""Markers in the plots of a project. They raise NotFound for projects of other accounts."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from findable.clock import now
from findable.errors import require_valid
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading, require
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import WRITE, Caller
from findable.service.values.views import moment as moment_of
from findable.values import DateTime
from findable.wording import Message, later

MAX_LABEL_CHARS = 100
MAX_MARKERS = 1000
"""Maximum number of markers per project; older ones are deleted."""
_WRONG_LABEL = Message(later("The label field must have 1 to %(most)s characters, none of them a control character."), most=MAX_LABEL_CHARS)
_WRONG_MOMENT = later("The at field must not be in the future.")


class MarkerShape(Struct, frozen=True, kw_only=True):
    """Marker of an event in the plots of a project."""

    id: int
    object: Literal["marker"] = "marker"
    at: DateTime
    label: str


def add(service: Service, caller: Caller, name_or_id: str, label: str, at: datetime | None) -> MarkerShape:
    """Add a marker to the plots of a project, now if no time is given. Raises ValidationFailed."""
    require(caller, WRITE)
    moment = int(now().timestamp())
    label = label.strip()
    errors: dict[str, list[str]] = {}
    if not 0 < len(label) <= MAX_LABEL_CHARS or not label.isprintable():
        errors["label"] = [_WRONG_LABEL]
    when = moment if at is None else int(at.timestamp())
    if when > moment:
        errors["at"] = [_WRONG_MOMENT]
    require_valid(errors)
    with service.store.write() as session:
        row = owned_project(session, caller, name_or_id)
        marker_id = session.markers.add(row.id, when, label)
        session.markers.delete_beyond(row.id, MAX_MARKERS)
        audit_log.record(session, caller, AuditAction.EVENT_MARKED, row.name, label=label)
    return MarkerShape(id=marker_id, at=moment_of(when), label=label)


def find(service: Service, caller: Caller, name_or_id: str) -> tuple[MarkerShape, ...]:
    """Return the find of a project, newest first."""
    with reading(service, caller) as session:
        row = owned_project(session, caller, name_or_id)
        found = session.markers.of_project(row.id, MAX_MARKERS)
    return tuple(MarkerShape(id=number, at=moment_of(at), label=label) for number, at, label in found)
