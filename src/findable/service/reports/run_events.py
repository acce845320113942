"""Events about runs of reports, written in the transaction that stores the run."""

from msgspec import structs

from findable.notify.outgoing_event import Event, EventScore, EventType, ReportData
from findable.reports.search_verdict import DEINDEXED_SCORE
from findable.service.reports.report_views import page_error_of
from findable.service.reports.save_run import RunComparison
from findable.service.runtime.outbox import write_event
from findable.store.rows import NewRun, ReportRow
from findable.store.store_protocol import Session
from findable.vocabulary import Rating


def write_run_events(session: Session, row: ReportRow, number: int, new: NewRun, url: str, comparison: RunComparison) -> None:
    """Write the event that the run is shown, and one if it is worse than the previous rated run of its URL under the same ruleset."""
    known = comparison.before
    before = None if known is None else _score(known.score, known.result)
    code = _code(new.error_json)
    data = ReportData(row.id, row.public_id, url, number, new.score, new.result, before, comparison.new_problems, code)
    _write(session, row, EventType.REPORT_DONE, new.finished_at, data)
    if comparison.is_worse:
        _write(session, row, EventType.REPORT_WORSE, new.finished_at, data)


def write_failure_events(session: Session, row: ReportRow, number: int, new: NewRun, comparison: RunComparison) -> None:
    """Write the event that a run failed without a result, and one if the page is therefore rated bad."""
    data = ReportData(row.id, row.public_id, row.url, number, previous=_score(row.score, row.result), error=_code(new.error_json))
    _write(session, row, EventType.REPORT_FAILED, new.finished_at, data)
    if comparison.is_worse:
        bad = structs.replace(data, score=DEINDEXED_SCORE, result=Rating.BAD.value, new_problems=comparison.new_problems)
        _write(session, row, EventType.REPORT_WORSE, new.finished_at, bad)


def _write(session: Session, row: ReportRow, kind: EventType, at: int, data: ReportData) -> None:
    write_event(session, Event(kind, at, row.account_id, f"report:{row.id}:run:{data.run}", data, row.project_id, row.project))


def _score(score: int | None, result: str | None) -> EventScore | None:
    return None if score is None or result is None else EventScore(score, result)


def _code(error_json: str | None) -> str | None:
    error = page_error_of(error_json)
    return None if error is None else error.code.value
