"""Issue tracker of a project, in which its members create issues from findings."""

import msgspec

from findable.errors import ValidationFailed, require_found
from findable.export.new_issue import IssueTracker, read_tracker
from findable.service.accounts.permissions import may, require, require_role
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, READ, Caller
from findable.service.values.project_values import TrackerUpdate
from findable.vocabulary import Tracker
from findable.wording import Message, later


def tracker_of(service: Service, caller: Caller, project_id: int) -> IssueTracker | None:
    """Return the tracker of a project for its members; None for others, or if there is none."""
    require(caller, READ)
    if not may(caller, MEMBER, project_id):
        return None
    with service.store.read() as session:
        return parse_tracker(session.projects.tracker_json(project_id))


def tracker_name(service: Service, caller: Caller, project_id: int) -> str:
    """Return the name of the tracker for people who may create issues; empty for others, or if there is none."""
    found = tracker_of(service, caller, project_id)
    return found.kind.words if found else ""


def require_tracker(service: Service, caller: Caller, project_id: int) -> IssueTracker:
    """Return the tracker of a project. Raises Forbidden for people who may only read it, NotFound without one."""
    require_role(caller, MEMBER, project_id)
    return require_found(tracker_of(service, caller, project_id))


def parse_tracker(tracker_json: str | None) -> IssueTracker | None:
    """Return a tracker from its stored form."""
    return msgspec.json.decode(tracker_json, type=IssueTracker) if tracker_json else None


def column_of(changes: TrackerUpdate) -> str | None:
    """Return the tracker in stored form, None to remove it. Raises ValidationFailed."""
    url = (changes.url or "").strip()
    if not url:
        return None
    if not changes.kind:
        raise ValidationFailed({"tracker.kind": [Message(later("Allowed: %(names)s."), names=", ".join(Tracker))]})
    tracker = read_tracker(changes.kind, url)
    if isinstance(tracker, str):
        raise ValidationFailed({"tracker.url": [tracker]})
    return msgspec.json.encode(tracker).decode()
