"""Send the notifications of alerts that are due, unless another alert or an outage of this service's network explains them."""

import logging

import msgspec
from msgspec import structs

from findable import urls
from findable.errors import Unavailable
from findable.monitor.alert_rules import REJECTED, AlertRule, RuleSignal
from findable.monitor.alert_states import DAY_S, GATHER_S, UP, AlertState, MessageKind, Phase, Signal, due_notification
from findable.notify.event_words import DIFFERENCE
from findable.notify.outgoing_event import AlertData, Event, EventType
from findable.reports.google_listing import Listing
from findable.service.alerts import alert_watch
from findable.service.alerts.alert_sentences import template_of, values_of
from findable.service.alerts.alert_watch import save_state, state_of
from findable.service.runtime.outbox import write_event
from findable.service.runtime.service import Service
from findable.store.alert_statements import SITE_SUBJECT, AlertRow
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.urls import is_start_page

_log = logging.getLogger(__name__)
DUE_AT_ONCE = 50
MAX_EARLIER = 20
"""Maximum number of earlier alerts among which the same one is looked for."""
MAX_PAGES = 5000
"""Maximum number of pages of an alert among which the start page is looked for."""
AFTER_FAILURE_S = 3600
"""Pause after an alert could not be notified, so that failing alerts do not delay others."""
NETWORK_S = 3600
"""Period in which runs of several projects are compared to detect an outage of this service's network."""
RERUN_AFTER_S = 60
"""Pause before pages whose failure may be due to this service's network are run again."""
MIN_PROJECTS = 2
"""Number of watched projects required to detect an outage."""
_AWAY = frozenset({AlertRule.UNREACHABLE, AlertRule.SITE_UNREACHABLE})
_OPEN = frozenset({Phase.OPEN, Phase.ACKNOWLEDGED})


def notify_due(service: Service) -> bool:
    """Notify some alerts that are due; return whether there may be more."""
    with service.store.read() as session:
        due = session.alerts.due(session.moment, DUE_AT_ONCE)
    is_any_sent = False
    for alert_id in due:
        try:
            with service.store.write() as session:
                is_any_sent = _notify(session, alert_id) or is_any_sent
        except Unavailable:
            raise
        except Exception:  # noqa: BLE001 - one alert that fails must not delay the others
            _log.exception("the notification of alert %d failed; retrying in an hour", alert_id)
            with service.store.write() as session:
                session.alerts.change(alert_id, next_at=session.moment + AFTER_FAILURE_S)
    if is_any_sent:
        service.events.publish_queued()
    return len(due) == DUE_AT_ONCE


def _notify(session: Session, alert_id: int) -> bool:
    """Write the message of an alert if one is due; return whether it was."""
    alert = session.alerts.by_id(alert_id)
    if alert is None:  # the project was deleted
        session.alerts.remove(alert_id)
        return False
    rule, state, at = AlertRule(alert.rule), state_of(alert), session.moment
    if rule is AlertRule.OWN_NETWORK and state.phase is not Phase.OK and not _is_own_network_down(session, alert.account_id, at):
        session.alerts.remove_subjects(alert.id)
        alert_watch.update_from_subjects(session, alert, at)
        alert = session.alerts.by_id(alert_id) or alert
        state = state_of(alert)
    due = due_notification(state, at, rule.terms.policy)
    is_outage = rule is AlertRule.UNREACHABLE and due.message is MessageKind.OPENED
    if is_outage and _is_own_network_down(session, alert.account_id, at):
        _open_network(session, alert.account_id, at)
        session.alerts.schedule_open_pages(alert.id, at + RERUN_AFTER_S)
        session.alerts.change(alert.id, next_at=at + GATHER_S)
        return False
    if rule.terms.policy.is_event and due.message is not None:
        session.alerts.remove_subjects(alert.id)
        if _is_covered_by_another(session, alert, rule, at):
            save_state(session, alert, structs.replace(due.state, messages=state.messages), at)
            return False
    if due.message is MessageKind.OPENED:
        due = structs.replace(due, state=structs.replace(due.state, is_urgent=_is_urgent(session, alert, rule)))
    save_state(session, alert, due.state, at)
    if rule is AlertRule.OWN_NETWORK and due.state.phase is not Phase.OK:
        session.alerts.change(alert.id, next_at=at + GATHER_S)
    if due.message is None:
        return False
    write_event(session, _event(session, alert, due.state, due.message, at))
    return True


def _is_covered_by_another(session: Session, alert: AlertRow, rule: AlertRule, at: int) -> bool:
    """Return whether the alert about pages that are no longer listed already covers the change of the site.

    Pages that a crawl lost are assumed to be the same if as many alerts opened within a day. The difference of robots.txt is added to the
    message about the pages that it blocks, as long as that message is not sent.
    """
    if alert.project_id is None or rule not in (AlertRule.ROBOTS_CHANGED, AlertRule.CRAWL_PAGES_LOST, AlertRule.CERTIFICATE):
        return False
    if rule is AlertRule.CERTIFICATE:  # that was found on an earlier page
        known = session.alerts.select(ChangeScope(alert.account_id, alert.project_id), MAX_EARLIER, before=alert.id)
        return any((row.rule, row.cause) == (rule, alert.cause) and (row.opened_at or 0) > at - DAY_S for row in known)
    pages = [row for row in session.alerts.open_of_project(alert.project_id) if row.rule == AlertRule.NOT_INDEXABLE and _is_active(row)]
    values = values_of(alert)
    if rule is AlertRule.CRAWL_PAGES_LOST:
        since = (alert.opened_at or at) - DAY_S
        return sum(row.pages_count for row in pages if (row.opened_at or 0) >= since) >= int(values["count"])
    blocked = next((row for row in pages if row.cause == Listing.BLOCKED and _is_changing(row)), None)
    if blocked is None:
        return False
    if not state_of(blocked).is_notified:
        details = {**msgspec.json.decode(blocked.details_json), DIFFERENCE: values.get(DIFFERENCE, "")}
        session.alerts.change(blocked.id, details=msgspec.json.encode(details).decode())
    return True


def _is_urgent(session: Session, alert: AlertRow, rule: AlertRule) -> bool:
    """Return whether people get the alert at once: it is about the site, and no other one already says that the site is lost.

    Pages stand for the site if they are at least half of the watched ones, or the start page is among them. A site that is deindexed or
    blocked can still become unreachable, unless the crawl only rejects the certificate, which is an alert already.
    """
    if not rule.terms.is_urgent or alert.project_id is None:
        return False
    if rule is AlertRule.CERTIFICATE and alert.cause != REJECTED:
        return True
    others = [(AlertRule(row.rule), state_of(row)) for row in session.alerts.open_of_project(alert.project_id) if row.id != alert.id]
    if any(state.is_urgent and state.phase in _OPEN and (rule not in _AWAY or other in _AWAY) for other, state in others):
        return False
    if rule is AlertRule.SITE_UNREACHABLE and session.alerts.is_certificate_rejected(alert.project_id):
        return False
    if rule.terms.is_of_site or 2 * alert.pages_count >= session.alerts.watched_pages(alert.account_id, alert.project_id):
        return True
    return any(is_start_page(url, alert.project) for url in session.alerts.open_urls(alert.id, MAX_PAGES))


def _is_changing(row: AlertRow) -> bool:
    """Return whether a message that the alert opened or closed is pending."""
    state = state_of(row)
    return not state.is_notified or state.phase is Phase.RECOVERING


def _is_active(row: AlertRow) -> bool:
    """Return whether an alert is open, with its notification sent or pending."""
    state = state_of(row)
    return state.phase in UP and (state.is_notified or state.paused_until == 0)


def _is_own_network_down(session: Session, account_id: int, at: int) -> bool:
    """Return whether most projects with recent runs could not be reached."""
    watched, down = session.alerts.project_counts(account_id, at - NETWORK_S)
    return watched >= MIN_PROJECTS and 2 * down > watched


def _open_network(session: Session, account_id: int, at: int) -> None:
    """Open the alert about the network of this service; its message is due immediately, because the outage is confirmed."""
    if any(state_of(known).phase in UP for known in session.alerts.open_of_account(account_id, AlertRule.OWN_NETWORK.value)):
        return
    signal = RuleSignal(AlertRule.OWN_NETWORK, Signal.BAD)
    alert_id = alert_watch.open_alert_id(session, account_id, None, signal, at)
    alert_watch.open_subject(session, alert_id, SITE_SUBJECT, at)
    alert = session.alerts.by_id(alert_id)
    state = state_of(alert) if alert is not None else None
    if alert is not None and state is not None and not state.is_notified and state.opened_at is not None:
        save_state(session, alert, structs.replace(state, opened_at=at - GATHER_S), at)


def _subject(session: Session, alert: AlertRow, rule: AlertRule, examples: tuple[str, ...]) -> tuple[str, str]:
    """Return type and URL of the subject of an alert: its page, or the site of its pages."""
    if alert.project_id is None:
        return "host", ""
    if not rule.terms.is_of_site and alert.pages_count <= 1 and examples:
        return "page", examples[0]
    url = examples[0] if examples else session.alerts.first_url(alert.project_id)
    parsed = urls.parse(url) if url is not None else None
    return "site", f"{parsed.origin}/" if parsed is not None else alert.project


def _event(session: Session, alert: AlertRow, state: AlertState, message: MessageKind, at: int) -> Event:
    closed = message is MessageKind.CLOSED
    rule = AlertRule(alert.rule)
    examples = msgspec.json.decode(alert.examples_json, type=tuple[str, ...])
    kind, subject = _subject(session, alert, rule, examples)
    is_opened = message is MessageKind.OPENED and state.phase is Phase.OK  # such an alert is notified once and ends with that message
    data = AlertData(
        id=alert.id,
        rule=rule.value,
        subject_kind=kind,
        subject=subject,
        state=Phase.OPEN.value if is_opened else state.phase.value,
        message=template_of(alert),
        values=values_of(alert),
        opened_at=state.opened_at or at,
        closed_at=state.closed_at if closed else None,
        pages_count=max(1, alert.pages_count),
        examples=examples,
        urgent=1 if state.is_urgent and not closed else 0,
        report_id=session.alerts.only_page(alert.id) if kind == "page" else None,
    )
    cause = f"alert:{alert.id}:{state.messages}"
    event_type = EventType.ALERT_CLOSED if closed else EventType.ALERT_OPENED
    return Event(event_type, at, alert.account_id, cause, data, alert.project_id, alert.project, alert.project_title)
