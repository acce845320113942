"""Routes of alerts, `/alerts`, and of markers in the plots of a project."""

from msgspec import UNSET

from findable.service.projects import alerts
from findable.service.values.alert_values import AlertChanges, AlertQuery
from findable.web.api.alert_models import AlertListQuery, AlertShape, AlertUpdate, MarkerCreate, MarkerShape, alert, marker
from findable.web.api.operation import Call, Data, Items, Reply, Trail, operation
from findable.web.api.shape_parts import trail
from findable.web.api.validation import value_or


@operation("GET", "/alerts", {200: Trail[AlertShape]}, reply_headers=("Link",))
def list_alerts(call: Call, *, query: AlertListQuery) -> Reply:
    """List alerts.

    Newest first. Only projects with a schedule have alerts.
    """
    is_open = {"open": True, "closed": False}.get(query.state)
    found = alerts.find(call.service, call.caller, AlertQuery(query.project, is_open, value_or(query.before), query.per_page + 1))
    return trail(call, found, query.per_page, "before", lambda view: alert(view, call.at))


@operation("GET", "/alerts/{id}", {200: Data[AlertShape]})
def get_alert(call: Call, alert_id: int) -> Reply:
    """Read an alert."""
    return Reply(alert(alerts.get(call.service, call.caller, alert_id), call.at))


@operation("PUT", "/alerts/{id}", {200: Data[AlertShape]}, is_partial=True, example={"acknowledged": 1})
def update_alert(call: Call, alert_id: int, *, body: AlertUpdate) -> Reply:
    """Acknowledge or pause an alert.

    Only fields that are sent change.
    """
    changes = AlertChanges(UNSET if body.acknowledged is UNSET else bool(body.acknowledged), body.paused_until)
    view = alerts.update(call.service, call.caller, alert_id, changes)
    return call.write_reply(Reply(alert(view, call.at)), view.id)


@operation("POST", "/projects/{project}/markers", {201: Data[MarkerShape]}, example={"label": "Release 2.4"})
def make_marker(call: Call, project: str, *, body: MarkerCreate) -> Reply:
    """Mark an event in plots.

    For example a deployment.
    """
    view = alerts.add_marker(call.service, call.caller, project, value_or(body.label, ""), value_or(body.at))
    return call.write_reply(Reply(marker(view), 201), view.id)


@operation("GET", "/projects/{project}/markers", {200: Items[MarkerShape]})
def list_markers(call: Call, project: str) -> Reply:
    """List the markers of a project.

    Newest first.
    """
    return Reply([marker(view) for view in alerts.markers(call.service, call.caller, project)])
