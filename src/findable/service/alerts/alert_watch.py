"""Update alerts in the transaction that stores a run or a crawl. Only projects with a schedule are watched."""

from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec import Struct

from findable.capture.crawl import CrawlEnd
from findable.crawl.changes import CrawlComparison
from findable.errors import AWAY, PageErrorCode
from findable.monitor.alert_rules import AlertRule, RuleSignal, causes_of
from findable.monitor.alert_states import AlertState, Phase, Signal, Subject, SubjectUpdate, next_at, update_alert, update_subject
from findable.monitor.page_alert_conditions import (
    PageFacts,
    facts_at,
    facts_of_page,
    reference_after,
    signals_of_page,
    signals_of_unloaded_page,
)
from findable.monitor.page_fingerprint import FULL_AFTER_S
from findable.monitor.site_alert_conditions import (
    CrawlFacts,
    QuestionCount,
    SiteFacts,
    signals_of_crawl,
    signals_of_questions,
    signals_of_site,
    signals_of_verdict,
)
from findable.reports.google_listing import Listing
from findable.reports.report import Report
from findable.reports.search_verdict import SearchVerdict, for_intent, found_on_page, is_for_search
from findable.service.values.stored_settings import patterns_of
from findable.store.alert_statements import SITE_SUBJECT, AlertRow, SubjectRow
from findable.store.crawl_row import CrawlRow
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.urls import is_start_page, subject_key

MAX_EXAMPLES = 5


def known_fingerprint(session: Session, row: ReportRow, at: int) -> bytes | None:
    """Return the fingerprint of a page's last full run: a scheduled run that finds the same one ends early. None requires a full run.

    The start page and the pages with the highest link score always get a full run, and every page once a week.
    """
    top: list[str] = msgspec.json.decode(session.alerts.top_urls(row.project_id) or "[]")
    if row.url in top or is_start_page(row.url, row.project):
        return None
    return session.alerts.fingerprint(row.id, at - FULL_AFTER_S)


def watch_unchanged(session: Session, row: ReportRow, site: SiteFacts | None, at: int) -> None:
    """Store a run of an unchanged page, and update alerts about its certificate and the files of its site."""
    session.alerts.add_unchanged(row.id, at)
    before = _page_before(session, row.id)
    if before is not None and before.certificate_ends:
        facts = facts_at(before, at)
        found = process_signals(session, row.account_id, row.project_id, row.id, signals_of_page(before, facts), at)
        if facts != before:
            _save_page(session, row, facts, at, is_reached=True, next_run_at=found.next_run_at)
    if site is not None:
        _watch_site(session, row, site, at)


def watch_run(session: Session, row: ReportRow, report: Report, site: SiteFacts | None, fingerprint: bytes | None, at: int) -> None:
    """Update the alerts of a page that was loaded, and of the files of its site."""
    facts = facts_of_page(report)
    if facts is None or not session.alerts.is_watched(row.project_id):
        return
    if site is not None:  # the alert of the site comes first, because it explains the alerts of its pages
        _watch_site(session, row, site, at)
    before = _page_before(session, row.id)
    exposed = RuleSignal(AlertRule.EXPOSED, Signal.BAD if facts.listing is Listing.CAN else Signal.GOOD)
    found = process_signals(session, row.account_id, row.project_id, row.id, [*signals_of_page(before, facts), exposed], at)
    reference = reference_after(before, facts, _pending_rules(session, row.project_id, row.id) | found.silent_rules)
    _save_page(session, row, reference, at, is_reached=True, next_run_at=found.next_run_at)
    session.alerts.save_page_run(row.id, fingerprint, at)
    if is_start_page(row.url, row.project):
        _watch_start_page(session, row, report, facts, at)


def _watch_start_page(session: Session, row: ReportRow, report: Report, facts: PageFacts, at: int) -> None:
    """Update the alerts of crawls, which are rare: an unreadable robots.txt requests another crawl, a page that can be listed ends them."""
    signals: list[RuleSignal] = []
    if report.error is not None and session.alerts.site(row.project_id)[2] is not None:
        signals = list(signals_of_verdict(found_on_page(None, error=report.error)))
    elif facts.listing is Listing.CAN and not facts.certificate_error:
        signals = [RuleSignal(rule, Signal.GOOD) for rule in (AlertRule.SITE_DEINDEXED, AlertRule.SITE_UNREACHABLE)]
    _process_site_signals(session, row, signals, at)


def _process_site_signals(session: Session, row: ReportRow | CrawlRow, signals: Sequence[RuleSignal], at: int) -> None:
    found = process_signals(session, row.account_id, row.project_id, SITE_SUBJECT, signals, at)
    if found.next_run_at is not None:
        session.schedules.repeat_crawl(row.project_id, found.next_run_at)


def watch_failure(session: Session, row: ReportRow, code: PageErrorCode, at: int) -> None:
    """Update the alerts of a page that could not be loaded."""
    if not session.alerts.is_watched(row.project_id):
        return
    before = _page_before(session, row.id)
    found = process_signals(session, row.account_id, row.project_id, row.id, signals_of_unloaded_page(before, code), at)
    _save_page(session, row, before, at, is_reached=code not in AWAY, next_run_at=found.next_run_at)


def is_of_site(session: Session, row: CrawlRow) -> bool:
    """Return whether a crawl covers the site: with the settings of its schedule, or without a schedule, from its start page.

    Lists of pages do not.
    """
    if row.is_list:
        return False
    scheduled = session.alerts.scheduled_url(row.project_id)
    return is_start_page(row.url, row.project) if scheduled is None else subject_key(row.url) == subject_key(scheduled)


def watch_crawl(
    session: Session,
    row: CrawlRow,
    verdict: SearchVerdict,
    facts: CrawlFacts,
    baseline_id: int | None,
    comparison: CrawlComparison | None,
    at: int,
    questions: Collection[QuestionCount] = (),
) -> None:
    """Update the alerts of a site that was crawled; a crawl of a list or a part changes only those of its verdict.

    Later crawls are compared with this one, unless its limits differ from those of the schedule. The first complete crawl since the site is
    watched is the base: until then only watched questions open alerts.

    Args:
        session: transaction that stores the crawl.
        row: the crawl.
        verdict: what it shows about the site.
        facts: its facts.
        baseline_id: id of the earlier crawl that it is compared with.
        comparison: changes since that crawl; None if nothing could be compared.
        at: end of the crawl.
        questions: rows of the watched questions.
    """
    if not session.alerts.is_watched(row.project_id):
        return
    _, known_id, known_json = session.alerts.site(row.project_id)
    base = msgspec.json.decode(known_json, type=CrawlFacts) if known_json else None
    signals = list(signals_of_verdict(for_intent(verdict, is_for_search=_is_for_search(session, row.project_id))))
    is_whole = is_of_site(session, row)
    if is_whole:
        signals += signals_of_crawl(base if known_id == baseline_id else None, facts, comparison)
    signals = [one for one in signals if one.signal is not Signal.BAD or _is_change(base, one.rule)]
    if is_whole:
        alerts = session.alerts.open_of_project(row.project_id)
        signals += signals_of_questions(questions, ((AlertRule(one.rule), one.cause) for one in alerts))
    _process_site_signals(session, row, signals, at)
    if not is_whole:
        return
    is_next = known_id in (None, baseline_id) or session.alerts.scheduled_url(row.project_id) is None
    if facts.ended_by is CrawlEnd.COMPLETE and (is_next or session.crawls.is_scheduled(row.id)):
        stored = msgspec.structs.replace(facts, names={}, base_at=at if base is None else base.base_at)
        session.alerts.save_site(row.project_id, {"crawl_id": row.id, "crawl": msgspec.json.encode(stored).decode()})


def _is_change(base: CrawlFacts | None, rule: AlertRule) -> bool:
    """Return whether what the rule found differs from the base; None: there is no base yet."""
    return base is not None and (rule is not AlertRule.SITE_DEINDEXED or base.indexable > 0)


def _page_before(session: Session, report_id: int) -> PageFacts | None:
    stored = session.alerts.page_facts(report_id)
    return msgspec.json.decode(stored, type=PageFacts) if stored else None


def _save_page(session: Session, row: ReportRow, facts: PageFacts | None, at: int, *, is_reached: bool, next_run_at: int | None) -> None:
    values = {
        "account_id": row.account_id,
        "project_id": row.project_id,
        "facts": msgspec.json.encode(facts).decode() if facts is not None else None,
        "seen_at": at,
        "is_reached": int(is_reached),
        "again_at": next_run_at,
    }
    session.alerts.save_page(row.id, values)


def _watch_site(session: Session, row: ReportRow, facts: SiteFacts, at: int) -> None:
    stored, _, _ = session.alerts.site(row.project_id)
    before = msgspec.json.decode(stored, type=SiteFacts) if stored else None
    if before == facts and not session.alerts.rules_of_subject(row.project_id, SITE_SUBJECT):
        return
    signals = signals_of_site(before, facts, f"https://{row.project}/")
    found = process_signals(session, row.account_id, row.project_id, SITE_SUBJECT, signals, at)
    unsettled = _pending_rules(session, row.project_id, SITE_SUBJECT) | found.silent_rules
    reference = reference_after(before, facts, unsettled, knows_none=False)
    if reference != before:
        session.alerts.save_site(row.project_id, {"facts": msgspec.json.encode(reference).decode()})


def _pending_rules(session: Session, project_id: int, subject_id: int) -> set[AlertRule]:
    """Return the rules whose facts must not be updated: their subject is suspect or open, and the change was not notified."""
    found = ((AlertRule(rule), phase) for rule, phase in session.alerts.rules_of_subject(project_id, subject_id))
    return {rule for rule, phase in found if not (rule.terms.policy.is_event and phase == Phase.OPEN)}


def _is_for_search(session: Session, project_id: int) -> bool:
    return is_for_search(patterns_of(session.projects.for_worker(project_id).not_for_search_json))


def _active_rules(session: Session, project_id: int) -> frozenset[AlertRule]:
    """Return the rules that apply to the project."""
    if _is_for_search(session, project_id):
        return frozenset(AlertRule) - {AlertRule.EXPOSED}
    return frozenset(rule for rule in AlertRule if not rule.terms.is_for_search)


class _SignalsOutcome(Struct, frozen=True):
    """Time of the next run that the signals of a run require, and the rules that stay silent."""

    next_run_at: int | None
    """Time of the run that confirms the subject; None for none."""
    silent_rules: frozenset[AlertRule]
    """Rules without a message, because another rule notifies about their cause."""


def process_signals(
    session: Session, account_id: int, project_id: int, subject_id: int, signals: Iterable[RuleSignal], at: int
) -> _SignalsOutcome:
    """Process the signals of the rules, one per cause."""
    unsettled = _pending_rules(session, project_id, subject_id) | _pending_rules(session, project_id, SITE_SUBJECT)
    causes = causes_of(list(signals), _active_rules(session, project_id), unsettled)
    moments = [
        _process_signal(session, account_id, project_id, subject_id, one, at)
        for one in causes.signals
        if one.signal is not Signal.INCONCLUSIVE
    ]
    return _SignalsOutcome(min((moment for moment in moments if moment is not None), default=None), causes.silent_rules)


def _process_signal(session: Session, account_id: int, project_id: int, subject_id: int, one: RuleSignal, at: int) -> int | None:
    policy = one.rule.terms.policy
    cause = one.cause if one.rule.terms.is_per_cause else None
    known = session.alerts.subject(project_id, one.rule.value, subject_id, cause)
    if one.signal is Signal.BAD and policy.is_event:  # each change opens a separate alert
        known = []
    subjects = [(row.alert_id, Subject(Phase(row.phase), row.runs)) for row in known]
    if not known and one.signal is Signal.BAD:
        subjects = [(open_alert_id(session, account_id, project_id, one, at), Subject())]
    again: list[int] = []
    for alert_id, subject in subjects:
        found = update_subject(subject, one.signal, at, policy)
        _save_subject(session, alert_id, subject_id, found, one, at)
        again += [found.next_run_at] if found.next_run_at is not None else []
    return min(again, default=None)


def open_alert_id(session: Session, account_id: int, project_id: int | None, one: RuleSignal, at: int) -> int:
    """Return the id of the open alert of a rule and cause, creating one if necessary."""
    newest = session.alerts.newest(account_id, project_id, one.rule.value, one.cause)
    if newest is not None and not newest.is_over:
        return newest.id
    state = AlertState()
    if newest is not None:  # an alert that was unstable or paused stays so when it opens again
        former = state_of(newest)
        state = AlertState(changes=former.changes, paused_until=former.paused_until)
    return session.alerts.add(
        {
            "account_id": account_id,
            "project_id": project_id,
            "rule": one.rule.value,
            "cause": one.cause,
            "phase": Phase.SUSPECT.value,
            "state": msgspec.json.encode(state).decode(),
            "details": msgspec.json.encode(one.values).decode(),
            "created_at": at,
            "examples": "[]",
        }
    )


def _save_subject(session: Session, alert_id: int, subject_id: int, update: SubjectUpdate, one: RuleSignal, at: int) -> None:
    """Store the subject, and update its alert."""
    subject = update.subject
    row = None if subject.phase is Phase.OK else SubjectRow(alert_id, subject_id, subject.phase.value, subject.runs)
    session.alerts.save_subject(row, alert_id, subject_id)
    alert = session.alerts.by_id(alert_id)
    if alert is None:
        return
    if one.signal is Signal.BAD and one.values:
        session.alerts.change(alert_id, details=msgspec.json.encode(one.values).decode())
    update_from_subjects(session, alert, at)


def open_subject(session: Session, alert_id: int, subject_id: int, at: int) -> None:
    """Open an alert that needs no confirmation."""
    session.alerts.save_subject(SubjectRow(alert_id, subject_id, Phase.OPEN.value, 0), alert_id, subject_id)
    alert = session.alerts.by_id(alert_id)
    if alert is not None:
        update_from_subjects(session, alert, at)


def remove_page(session: Session, project_id: int, report_id: int, at: int) -> None:
    """Remove a page that is deleted from its alerts, and cancel its next run."""
    session.alerts.record_repeat(report_id)
    for alert_id in session.alerts.remove_page(project_id, report_id):
        alert = session.alerts.by_id(alert_id)
        if alert is not None:
            update_from_subjects(session, alert, at)


def close_unwatched(session: Session, project_id: int, at: int) -> None:
    """Close the alerts of rules that no longer apply, and of a project without a schedule or logs: no run or import would close them."""
    is_watched, has_logs = session.alerts.is_watched(project_id), bool(session.logs.imports(project_id))
    wanted = {rule for rule in _active_rules(session, project_id) if (has_logs if rule.terms.is_of_logs else is_watched)}
    for alert in session.alerts.open_of_project(project_id):
        if AlertRule(alert.rule) not in wanted:
            session.alerts.remove_subjects(alert.id)
            update_from_subjects(session, alert, at)


def update_from_subjects(session: Session, alert: AlertRow, at: int) -> None:
    """Store the alert after its subjects changed; an alert that never opened is removed with its last subject."""
    phases = session.alerts.phases(alert.id)
    opened = phases.get(Phase.OPEN.value, 0)
    state = update_alert(state_of(alert), opened, phases.get(Phase.RECOVERING.value, 0), at)
    if not phases and state.opened_at is None:
        session.alerts.remove(alert.id)
        return
    columns: dict[str, object] = {}
    if opened > alert.pages_count:
        columns["pages_count"] = opened
    if opened and alert.project_id is not None:
        examples = session.alerts.open_urls(alert.id, MAX_EXAMPLES)
        columns["examples"] = msgspec.json.encode(examples).decode()
    save_state(session, alert, state, at, **columns)


def save_state(session: Session, alert: AlertRow, state: AlertState, at: int, **columns: object) -> None:
    """Store the state of an alert and the columns that queries use."""
    due = next_at(state, at)
    is_over = state.closed_at is not None and not state.is_notified and state.phase is Phase.OK
    phase = state.phase if state.opened_at is not None else Phase.SUSPECT
    session.alerts.change(
        alert.id,
        state=msgspec.json.encode(state).decode(),
        phase=phase.value,
        opened_at=state.opened_at,
        closed_at=state.closed_at,
        next_at=due,
        is_over=int(is_over),
        **columns,
    )


def state_of(alert: AlertRow) -> AlertState:
    """Return the state of a stored alert."""
    return msgspec.json.decode(alert.state_json, type=AlertState)
