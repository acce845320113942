"""Use cases of alerts. They raise NotFound for objects of other accounts."""

from datetime import datetime

from msgspec import UNSET, structs

from findable.clock import now, rfc3339
from findable.errors import NotFound, ValidationFailed
from findable.monitor.alert_states import UP, Phase, acknowledge
from findable.service.accounts.owned_projects import find_project
from findable.service.accounts.permissions import may, reading, require_access, require_role, writing
from findable.service.alerts.alert_sentences import template_of, values_of
from findable.service.alerts.alert_watch import save_state, state_of
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertChanges, AlertQuery, AlertView
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, VIEWER, Caller
from findable.service.values.views import moment as moment_of
from findable.service.values.views import view_of
from findable.store.alert_statements import AlertRow
from findable.store.rows import MAX_ID, NEVER
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.wording import Message, later

MAX_PAUSE_DAYS = 365
MAX_EVERY = 1000
"""Maximum number of open alerts listed for the operator."""
_DAY_S = 86_400
_WRONG_PAUSE = Message(later("The paused_until field must be a moment in the next %(days)s days."), days=MAX_PAUSE_DAYS)


def find(service: Service, caller: Caller, query: AlertQuery) -> tuple[AlertView, ...]:
    """Return alerts that have opened, newest first, of projects that the caller may see; empty for an unknown project."""
    with reading(service, caller) as session:
        row = find_project(session, caller, query.project) if query.project else None
        if query.project and row is None:
            return ()
        scope = ChangeScope(caller.account_id, row.id if row else None, caller.only_projects_of)
        before = NEVER if query.before is None else query.before
        found = session.alerts.select(scope, query.limit, is_open=query.is_open, before=before)
        return tuple(alert_view(one) for one in found)


def get(service: Service, caller: Caller, alert_id: int) -> AlertView:
    """Return one alert."""
    with reading(service, caller) as session:
        return alert_view(_owned_alert(session, caller, alert_id))


def update(service: Service, caller: Caller, alert_id: int, changes: AlertChanges) -> AlertView:
    """Acknowledge an alert, or pause its notifications. Raises ValidationFailed."""
    with writing(service, caller) as session:
        row, moment = _owned_alert(session, caller, alert_id), session.moment
        state = state_of(row)
        if changes.acknowledged == 1:
            state = acknowledge(state, moment)
        elif changes.acknowledged == 0:
            phase = Phase.OPEN if state.phase is Phase.ACKNOWLEDGED else state.phase
            state = structs.replace(state, phase=phase, acknowledged_at=None)
        if changes.paused_until is not UNSET:
            state = structs.replace(state, paused_until=_pause(changes.paused_until, moment))
        save_state(session, row, state, moment)
        until = rfc3339(moment_of(state.paused_until)) if changes.paused_until is not UNSET and state.paused_until else ""
        details = {"project": row.project, "acknowledged": changes.acknowledged, "paused_until": until}
        audit_log.record(session, caller, AuditAction.ALERT_CHANGED, row.rule, **details)
        return alert_view(_owned_alert(session, caller, alert_id))


def _pause(until: datetime | None, moment: int) -> int:
    if until is None:
        return 0
    at = int(until.timestamp())
    if not moment < at <= moment + MAX_PAUSE_DAYS * _DAY_S:
        raise ValidationFailed({"paused_until": [_WRONG_PAUSE]})
    return at


def all_open(service: Service) -> tuple[AlertView, ...]:
    """Return the open alerts of all accounts, for the operator."""
    with service.store.read() as session:
        return tuple(alert_view(row) for row in session.alerts.all_open(MAX_EVERY))


def _owned_alert(session: Session, caller: Caller, alert_id: int) -> AlertRow:
    row = session.alerts.by_id(alert_id) if 0 < alert_id < MAX_ID else None
    if row is None or row.account_id != caller.account_id or row.opened_at is None:
        raise NotFound
    if row.project_id is not None:
        require_access(caller, row.project_id, for_update=session.is_writing)
    elif not may(caller, VIEWER):
        raise NotFound
    elif session.is_writing:
        require_role(caller, MEMBER)
    return row


def alert_view(row: AlertRow) -> AlertView:
    """Return an alert for display."""
    state, moment = state_of(row), int(now().timestamp())
    return view_of(
        AlertView,
        row,
        phase=state.phase,
        message=template_of(row),
        values=values_of(row),
        pages_count=max(1, row.pages_count),
        opened_at=moment_of(row.opened_at or row.created_at),
        is_unstable=state.is_unstable(moment) and state.phase in UP,
        acknowledged_at=None if state.acknowledged_at is None else moment_of(state.acknowledged_at),
        paused_until=moment_of(state.paused_until) if state.paused_until > moment else None,
    )
