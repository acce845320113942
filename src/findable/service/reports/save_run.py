"""Store a report as a run, and make the run the current one."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from findable.errors import OUTAGES, PageError
from findable.reports.acceptance import Acceptance
from findable.reports.analysis import can_be_rescored, with_acceptances
from findable.reports.difference import NotComparable, difference, is_worse, judged_page, page_difference
from findable.reports.recent_changes import AVAILABLE, UNAVAILABLE, FailedFinding, Outcome
from findable.reports.report import Report
from findable.reports.search_verdict import DEINDEXED_SCORE, found_on_page, over_time
from findable.service.reports.compared_run import ComparedRun, comparable_before, report_of_run, shown_run
from findable.service.reports.report_views import page_error_json, page_error_of, verdict_since
from findable.service.results.recent_changes import outage_span, record_incomparable_result, record_result
from findable.service.values.report_summary import summary_json
from findable.service.values.views import moment
from findable.store.rows import NewRun, ReportRow, RunRow
from findable.store.run_statements import AddedRun
from findable.store.setback_statements import SetbackKey
from findable.store.store_protocol import Session
from findable.vocabulary import Rating, Status, Verdict


class RunComparison(Struct, frozen=True):
    """Comparison of the current run with the previous one."""

    before: RunRow | None = None
    """Run that it was compared with; None if none is comparable."""
    new_problems: tuple[str, ...] = ()
    """Checks that fail now and did not before; empty if the runs are not comparable."""
    is_worse: bool = False


def new_run(report: Report, *, started_at: int, finished_at: int) -> NewRun:
    """Return a run for the report, without the saved page."""
    error = report.error
    return NewRun(
        started_at=started_at,
        finished_at=finished_at,
        profile=report.engine.profile.value,
        result=report.result.value if report.result else None,
        score=report.score,
        coverage=None if report.coverage is None else round(100 * report.coverage),
        engine_json=msgspec.json.encode(report.engine).decode(),
        analysis=report.to_bytes(),
        error_json=None if error is None else page_error_json(error),
        summary_json=summary_json(report),
        verdicts={finding.id: finding.verdict for finding in report.findings},
        not_asked=report.not_asked,
        cap=min((cap.score for cap in report.explained.caps), default=None) if report.explained is not None else None,
        accepted_end=_end_of(report),
        accepted=frozenset(finding.id for finding in report.findings if finding.accepted),
        failed=report.counts.get(Verdict.FAILED.value, 0),
        warned=report.counts.get(Verdict.WARNED.value, 0),
    )


def shown_rated_run(session: Session, row: ReportRow) -> RunRow | None:
    """Return the run that a report shows; None if there is none, or if it has no rating."""
    shown = shown_run(session, row)
    return None if shown is None or shown.result is None else shown


def store_failure(
    session: Session, row: ReportRow, known: RunRow | None, error: PageError, at: int, earlier: RunRow | None = None
) -> RunComparison:
    """Record that the newest run of a report has no result; return whether the page is therefore rated bad.

    The run that the report shows stays, and its rating unless the verdict in search sets another; a report without one fails.

    Args:
        session: transaction of the run.
        row: the report.
        known: run that it shows; None without a rated one.
        error: reason why there is no result.
        at: end of the run.
        earlier: the run before it, if the report shows none.
    """
    since, text = verdict_since(row, None, error, at, earlier), page_error_json(error, at)
    if known is None:
        session.reports.clear_run(row, at, status=Status.FAILED.value, error=text, last_error=None, verdict_since=since)
        return RunComparison()
    rated = _rated_by_verdict(error, since, at, at, known)
    is_new = rated.score == DEINDEXED_SCORE and DEINDEXED_SCORE not in (known.score, row.score)
    is_over = rated.score != DEINDEXED_SCORE == row.score and known.score != DEINDEXED_SCORE
    session.reports.rate(row, *rated, at, last_error=text, verdict_since=since)
    if is_over:
        _note_away(session, row, known, at, is_over=True)
    return _note_away(session, row, known, since) if is_new else RunComparison()


class _Rated(NamedTuple):
    """Rating of a report: the values of its columns."""

    result: str | None
    score: int | None


def _rated_by_verdict(error: PageError | None, since: int | None, at: int, now: int, run: RunRow | NewRun) -> _Rated:
    """Return the rating of a page by its verdict in search.

    Args:
        error: reason why its newest run has no rating; None if it has one.
        since: time since when the page has this verdict.
        at: end of the newest run.
        now: the present.
        run: the run that the report shows; without a rating, there is none to keep.
    """
    known = _Rated(run.result, run.score)
    if error is None or known.result is None:
        return known
    found = over_time(found_on_page(None, error=error), moment(at if since is None else since), moment(at), moment(now))
    rating = found.rating(Rating(known.result))
    return _Rated(None if rating is None else rating.value, found.score(known.score))


def rate_away_pages(session: Session, limit: int) -> int:
    """Rate some pages bad that could not be reached for `BAD_AFTER`, although nobody tried again; return their number."""
    found = session.reports.away_since(*outage_span(session), sorted(OUTAGES), limit)
    for report_id in found:
        row = session.reports.by_id(report_id)
        known = None if row is None else shown_rated_run(session, row)
        if row is None or known is None:
            continue
        _note_away(session, row, known, row.verdict_since or session.moment)
        session.reports.rate(row, Rating.BAD.value, DEINDEXED_SCORE, session.moment)
    return len(found)


def _note_away(session: Session, row: ReportRow, known: RunRow, since: int, *, is_over: bool = False) -> RunComparison:
    """Record that a page is bad because it cannot be reached since a time, although its last rated run is not; or that this is over."""
    stored = report_of_run(session, known)
    before = None if stored is None else _outcome(stored)
    if before is None:
        return RunComparison()
    after = before if is_over else Outcome(DEINDEXED_SCORE, UNAVAILABLE)
    change = difference(before.judged, after.judged)
    record_result(session, SetbackKey(row.account_id, row.project_id, row.url, row.id, None), before, after, change, since)
    return RunComparison(known, is_worse=True)


def make_current(
    session: Session, row: ReportRow, new: NewRun, added: AddedRun, url: str, *, now: int, last_error: str | None = None
) -> RunComparison:
    """Make the run the current one of the report; return the comparison with the previous run."""
    comparison, changed = _compare(session, row, SetbackKey(row.account_id, row.project_id, url, row.id, None), new, added.id, now)
    before = comparison.before
    previous = {}
    if before and new.score is not None:
        previous = {
            "previous_report": before.report_id,
            "previous_run": before.number,
            "previous_result": before.result,
            "previous_score": before.score,
        }
    error = page_error_of(last_error or new.error_json)
    since = row.verdict_since  # if the newest result is the failed one
    if last_error is None:
        since = verdict_since(row, new.summary_json, error, new.finished_at)
    session.reports.show_run(
        row,
        added.number,
        _rated_like(new, error, since, new.finished_at, now),
        check_set_id=added.check_set_id,
        now=now,
        status=Status.DONE.value,
        error=new.error_json,
        last_error=last_error,
        url=url,
        scheme_guessed=0,
        verdict_since=since,
        **changed,
        **previous,
    )
    return comparison


def _rated_like(new: NewRun, error: PageError | None, since: int | None, at: int, now: int) -> NewRun:
    """Return a run with the rating that its report gets if the newest result is an error."""
    rated = _rated_by_verdict(error, since, at if error is None or error.at is None else error.at, now, new)
    return replace(new, result=rated.result, score=rated.score)


def _compare(
    session: Session, row: ReportRow, key: SetbackKey, new: NewRun, run_id: int, now: int
) -> tuple[RunComparison, Mapping[str, str | None]]:
    """Compare a new run with the last comparable one and record its changes; return the comparison and the columns of the report."""
    columns: dict[str, str | None] = {"new_findings": None, "fixed_findings": None}
    report = Report.from_bytes(new.analysis) if new.analysis is not None else None
    after = _outcome(report) if report is not None else None
    if report is None or after is None:
        if report is not None and report.error is None:
            judged = judged_page(report.findings, not_for_search=report.not_for_search)
            record_incomparable_result(session, key, Outcome(0, {**judged, **AVAILABLE}), now, is_rated=False)
        return RunComparison(), columns
    base = comparable_before(session, row, run_id, report)
    before = _outcome(base.report) if isinstance(base, ComparedRun) else None
    if isinstance(base, NotComparable) or before is None:
        record_incomparable_result(session, key, after, now)
        return RunComparison(), columns
    change = page_difference(base.report, report)
    record_result(session, key, before, after, change, now)
    columns = {"new_findings": json.dumps(sorted(change.risen)), "fixed_findings": json.dumps(sorted(change.fixed))}
    return RunComparison(base.row, tuple(sorted(change.problems)), is_worse(change.problems, before.score, after.score)), columns


def _outcome(report: Report) -> Outcome | None:
    """Return the outcome of a report; None without a score."""
    if report.score is None:
        return None
    sentences = {finding.id: FailedFinding(finding.text) for finding in report.findings if finding.verdict is Verdict.FAILED}
    judged = judged_page(report.findings, not_for_search=report.not_for_search)
    return Outcome(report.score, {**judged, **AVAILABLE}, sentences)


def with_acceptances_of_day(session: Session, row: ReportRow, report: Report, day: str) -> Report:
    """Apply the acceptances that are valid on a day to the report; a report of another ruleset is returned unchanged."""
    stored = session.acceptances.of_report(row)
    acceptances = [Acceptance(one.check_name, one.reason, one.until, one.pattern, one.finding_key, one.accepted_by) for one in stored]
    accepts = any(finding.accepted for finding in report.findings)
    if not (acceptances or accepts) or not can_be_rescored(report):
        return report
    return with_acceptances(report, acceptances, day)


def rescore_shown_run(session: Session, row: ReportRow) -> None:
    """Rescore the shown run in place after its acceptances changed. Nothing is fetched."""
    run = shown_run(session, row)
    before = report_of_run(session, run)
    if run is None or before is None:
        return
    now = session.moment
    report = with_acceptances_of_day(session, row, before, session.day)
    if report == before:
        session.reports.change(row.id, now, accepted_end=_end_of(report) if can_be_rescored(report) else None)
        return
    after = _outcome(report)
    if after is not None:
        key = SetbackKey(row.account_id, row.project_id, row.url, row.id, None)
        record_incomparable_result(session, key, after, now)
    new = replace(new_run(report, started_at=run.started_at, finished_at=run.finished_at), error_json=run.error_json)
    check_set_id = session.runs.replace(run.id, new)
    error = page_error_of(row.last_error_json or new.error_json)
    session.reports.show_run(
        row,
        run.number,
        _rated_like(new, error, row.verdict_since, run.finished_at, now),
        check_set_id=check_set_id,
        now=now,
        previous_report=row.previous_report,
        previous_run=row.previous_run,
        previous_result=row.previous_result,
        previous_score=row.previous_score,
    )


def _end_of(report: Report) -> int | None:
    """Return the first end of an acceptance that affects the result: the midnight (UTC) after its last day."""
    days = [finding.accepted.until for finding in report.findings if finding.accepted and finding.accepted.until]
    if not days:
        return None
    end = date.fromisoformat(min(days)) + timedelta(days=1)
    return int(datetime(end.year, end.month, end.day, tzinfo=UTC).timestamp())
