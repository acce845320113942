"""Runs of a URL, and the changes between two runs."""

from datetime import datetime
from typing import cast

from msgspec import Struct

from findable.errors import NotFound, ValidationFailed, require_found
from findable.monitor.changed_values import changed_values
from findable.reports.difference import NotComparable, basis_of_report, comparable, page_difference
from findable.reports.reported_finding import ReportedFinding
from findable.service.accounts.permissions import reading
from findable.service.reports.compared_run import LOOK_BACK, ComparedRun, RunPair, basis_of_run, comparable_before, report_of_run, shown_run
from findable.service.reports.owned_reports import owned_report, run_of, view_of_run
from findable.service.reports.report_views import ruleset_of, run_view
from findable.service.reports.score_change import score_change, unsplit_change
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import ChangedFinding, Changes, ReportView, RunView, ScoreChange
from findable.service.values.views import moment
from findable.store.rows import ReportRow, RunRow
from findable.store.store_protocol import Session
from findable.urls import subject_key
from findable.wording import later

MAX_UNCHANGED = 1000
MAX_RUNS = 100


def runs(service: Service, caller: Caller, report_id: int) -> tuple[RunView, ...]:
    """Return up to 100 runs of the report's page, newest first.

    They include the runs of other reports of the page (`urls.subject_key`), all modes, and failed runs.
    """
    with reading(service, caller) as session:
        row = owned_report(session, caller, report_id)
        shown = shown_run(session, row)
        own = None if shown is None else basis_of_run(shown)
        found = session.runs.history(row, MAX_RUNS)
        return tuple(run_view(run, comparable=own is not None and comparable(basis_of_run(run), own) is None) for run in found)


def unchanged_runs(service: Service, caller: Caller, report_id: int) -> tuple[datetime, ...]:
    """Return the times of the newest runs that found the page unchanged."""
    with reading(service, caller) as session:
        return tuple(moment(at) for at in session.alerts.unchanged_run_times(owned_report(session, caller, report_id).id, MAX_UNCHANGED))


def get_run(service: Service, caller: Caller, report_id: int, run: int) -> ReportView:
    """Return the report as of a run, with its analysis."""
    with reading(service, caller) as session:
        return view_of_run(service, session, owned_report(session, caller, report_id), run)


def saved_page(service: Service, caller: Caller, report_id: int, run: int | None = None) -> bytes:
    """Return the saved page (JSON) of a run, by default the current one. Raises NotFound if it was not stored."""
    with reading(service, caller) as session:
        row = owned_report(session, caller, report_id)
        number = row.run if run is None else run
        found = run_of(session, row, number) if number is not None else None
        page = session.runs.saved_page(found.saved_hash) if found else None
        return require_found(page, later("The saved page of this run is not stored."))


def changes(service: Service, caller: Caller, report_id: int, since: int | None = None) -> Changes:
    """Return the changes since run number `since` of this report, by default the previous run. Raises ValidationFailed for `since`."""
    with reading(service, caller) as session:
        row = owned_report(session, caller, report_id)
        two = _run_pair(session, row, since)
    return _no_changes(row, two) if isinstance(two, NotComparable) else _changes(two, score_change(service, two))


def _no_changes(row: ReportRow, reason: NotComparable) -> Changes:
    score = ScoreChange(before=None, after=row.score, from_page=None, from_ruleset=None)
    return Changes(since=None, run=row.run or 0, score=score, reason=reason)


def latest_changes(service: Service, caller: Caller, report_id: int) -> Changes | None:
    """Return the changes of the current run since the previous one, or the reason why there are none; None without an older result.

    Fast, because it omits the causes of the score change.
    """
    with reading(service, caller) as session:
        row = owned_report(session, caller, report_id)
        two = _run_pair(session, row, None) if row.run is not None else NotComparable.NO_EARLIER
    if two is NotComparable.NO_EARLIER:
        return None
    return _no_changes(row, two) if isinstance(two, NotComparable) else _changes(two, unsplit_change(two))


def ruleset_before(service: Service, report: ReportView) -> str:
    """Return the ruleset of the previous result of a report, if it is the first one under another; else an empty text."""
    with service.store.read() as session:
        row = session.reports.by_id(report.id)
        run = session.runs.get(report.id, report.run) if row is not None and report.run is not None else None
        if row is None or run is None or run.engine_json is None:
            return ""
        own = [one for one in session.runs.rated_before(row, run.id, LOOK_BACK) if one.report_id == report.id and one.engine_json]
    before, after = ruleset_of(own[0].engine_json) if own else None, ruleset_of(run.engine_json)
    return before if before and before != after else ""


class RunName(Struct, frozen=True):
    """Run of the history: the numbers of its report and run, written ``5.3``, or ``3`` for a run of the same report."""

    report: int
    run: int


def changes_between(service: Service, caller: Caller, report_id: int, old: RunName, new: RunName) -> Changes:
    """Return the changes from one run of the history to a later one. Raises NotFound for a run of another history, ValidationFailed."""
    with reading(service, caller) as session:
        row = owned_report(session, caller, report_id)
        first, last = (_run_of_history(session, caller, row, name) for name in (old, new))
        if first.id >= last.id:
            raise ValidationFailed({"from": ["The from field must be an older run than the to field."]})
        two = _pair(session, row, first, last)
    return _changes(two, score_change(service, two))


def _run_of_history(session: Session, caller: Caller, row: ReportRow, name: RunName) -> RunRow:
    other = row if name.report == row.id else owned_report(session, caller, name.report)
    found = run_of(session, other, name.run)
    if other.project_id != row.project_id or subject_key(found.url) != subject_key(row.url):
        raise NotFound
    return found


def _changes(two: RunPair, score: ScoreChange) -> Changes:
    # A change of ruleset must not create new findings: the older page is rescored by the newer ruleset, if it is stored.
    ruleset = two.new.report.engine.ruleset
    rescored = (report for report in (two.old.report, two.rescored_report) if report and report.engine.ruleset == ruleset)
    base = next(rescored, two.old.report)
    change = page_difference(base, two.new.report, two.older)
    before, after = ({finding.id: finding for finding in report.findings} for report in (base, two.new.report))
    rulesets = two.old.report.engine.ruleset, ruleset
    return Changes(
        since=two.old.row.number,
        run=two.new.row.number,
        score=score,
        **change.lists(lambda check: _changed_finding(before.get(check), after.get(check))),
        reason=comparable(basis_of_report(base), basis_of_report(two.new.report)),
        since_report=two.old.row.report_id,
        values=changed_values(two.old.report, two.new.report),
        rulesets=None if rulesets[0] == rulesets[1] else rulesets,
    )


def _changed_finding(before: ReportedFinding | None, after: ReportedFinding | None) -> ChangedFinding:
    """Return a changed finding: that of the newer run if it has a problem, or if the older one has none."""
    shown = after if after is not None and (after.has_problem or before is None) else before or after
    return ChangedFinding(cast("ReportedFinding", shown), before.verdict if before else None, after.verdict if after else None)


def _run_pair(session: Session, row: ReportRow, since: int | None) -> RunPair | NotComparable:
    """Return the current run and the one to compare it with; the reason if there is none."""
    new = shown_run(session, row)
    if new is None:
        raise ValidationFailed({"since": [later("The report has no result yet.")]})
    if since is None:
        report = report_of_run(session, new)
        if report is None:
            return NotComparable.AFTER_INCOMPLETE
        found = comparable_before(session, row, new.id, report, across_rulesets=True)
        return found if isinstance(found, NotComparable) else _pair(session, row, found.row, new)
    old = session.runs.get(row.id, since) if 0 < since < 2**31 else None
    if old is None or old.number >= new.number:
        raise ValidationFailed({"since": ["The since field must be the number of an older run of this report."]})
    return _pair(session, row, old, new)


def _pair(session: Session, row: ReportRow, old: RunRow, new: RunRow) -> RunPair:
    """Return the two runs. Raises ValidationFailed if one has no result."""
    before, after = report_of_run(session, old), report_of_run(session, new)
    if before is None or after is None:
        raise ValidationFailed({"since": ["That run has no result to compare with."]})
    older = (report_of_run(session, run) for run in session.runs.rated_before(row, old.id, LOOK_BACK))
    return RunPair(
        ComparedRun(old, before),
        ComparedRun(new, after),
        tuple(report for report in older if report is not None),
        session.runs.saved_page(old.saved_hash),
        report_of_run(session, session.runs.rescored_run(old.report_id, old.number)),
    )
