"""Routes of alerts (`/alerts`)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.monitor.alert_rules import AlertRule
from findable.monitor.alert_states import Phase
from findable.service.alerts import alerts
from findable.service.values.alert_values import AlertChanges, AlertQuery, AlertView
from findable.service.values.paging import PerPage
from findable.service_urls import ServiceUrls
from findable.values import DateTime, shape_of
from findable.web.api.operation import Call, Data, Reply, Trail, operation
from findable.web.api.shape_parts import cursor_page_reply
from findable.web.api.validation import value_or
from findable.wording import ENGLISH


class AlertListQuery(Struct, frozen=True):
    """Query of the list of alerts."""

    project: str = ""
    """Name or number of a project, to list only its alerts."""
    state: Literal["open", "closed", ""] = ""
    """open: alerts that are not over; closed: alerts that are over."""
    per_page: PerPage = 10
    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET
    """Number of an alert: lists only alerts with smaller numbers."""


class AlertLinks(Struct, frozen=True, kw_only=True):
    """URLs of an alert."""

    self: str
    project: str | None


class AlertShape(Struct, frozen=True, kw_only=True):
    """Alert about one cause, regardless of the number of affected pages."""

    id: int
    object: Literal["alert"] = "alert"
    project: str | None
    """Null for the network of this service."""
    rule: AlertRule
    state: Phase
    """open, acknowledged, recovering, or ok for a closed alert."""
    message: str
    values: Mapping[str, str | int]
    pages: int
    """Highest number of affected pages at one time."""
    examples: tuple[str, ...]
    opened_at: DateTime
    closed_at: DateTime | None
    unstable: bool
    """Whether it changed so often within a day that notifications are paused."""
    acknowledged_at: DateTime | None
    paused_until: DateTime | None
    links: AlertLinks


def alert(view: AlertView, urls: ServiceUrls) -> AlertShape:
    """Return an alert in the shape of the API."""
    return shape_of(
        AlertShape,
        view,
        project=view.project or None,
        state=view.phase,
        message=view.sentence(ENGLISH),
        pages=view.pages_count,
        unstable=view.is_unstable,
        links=AlertLinks(self=urls.alert(view.id), project=urls.project(view.project) if view.project else None),
    )


@operation("GET", "/alerts", {200: Trail[AlertShape]}, reply_headers=("Link",))
def list_alerts(call: Call, *, query: AlertListQuery) -> Reply:
    """List alerts.

    Newest first. Only projects with a schedule or imported access logs have alerts.
    """
    is_open = {"open": True, "closed": False}.get(query.state)
    found = alerts.find(call.service, call.caller, AlertQuery(query.project, is_open, value_or(query.before), query.per_page + 1))
    return cursor_page_reply(call, found, query.per_page, "before", lambda view: alert(view, call.at))


@operation("GET", "/alerts/{id}", {200: Data[AlertShape]})
def get_alert(call: Call, alert_id: int) -> Reply:
    """Read an alert."""
    return Reply(alert(alerts.get(call.service, call.caller, alert_id), call.at))


@operation("PUT", "/alerts/{id}", {200: Data[AlertShape]}, is_partial=True, example={"acknowledged": 1})
def update_alert(call: Call, alert_id: int, *, body: AlertChanges) -> Reply:
    """Acknowledge or pause an alert.

    Only fields that are sent change.
    """
    view = alerts.update(call.service, call.caller, alert_id, body)
    return call.write_reply(Reply(alert(view, call.at)), view.id)
