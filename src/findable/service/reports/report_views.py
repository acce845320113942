"""Conversion of store rows to values of the service."""

import hashlib
import json
from collections.abc import Mapping

import msgspec
from msgspec import structs
from msgspec.structs import replace

from findable import __version__
from findable.errors import PageError
from findable.reports.report import Engine, Report
from findable.reports.scoring import RULESET, rating_of
from findable.service.runtime.events import EventBus
from findable.service.values.report_summary import NO_SUMMARY, summary_json, summary_of
from findable.service.values.report_values import PreviousRun, Progress, ReportView, RunMark, RunView, page_verdict
from findable.service.values.views import moment, view_of
from findable.store.rows import ReportRow, RunRow
from findable.vocabulary import Profile, Rating, Status

PROGRAM = hashlib.sha256(f"{__version__}/{RULESET}".encode()).hexdigest()[:8]
"""Part of every ETag: a new version may word the same finding differently."""
WAITING = Progress("queued", 0, 1)
STARTED = Progress("running", 0, 1)


def report_view(row: ReportRow, not_asked: Mapping[int, tuple[str, ...]], events: EventBus[Progress]) -> ReportView:
    """Return a report in the form for lists."""
    progress = _progress(row, events)
    progress_tag = f".{progress.stage}-{progress.done}" if progress else ""
    view = view_of(
        ReportView,
        row,
        has_password=row.password_hash is not None,
        etag=f"{row.version}.{PROGRAM}{progress_tag}",
        coverage=_share(row.coverage),
        previous=_previous(row),
        progress=progress,
        listed=summary_of(row.summary_json),
        not_asked=not_asked.get(row.check_set, ()) if row.check_set is not None else (),
    )
    verdict = view.verdict if row.last_error_json and row.result else None
    if verdict is None or not verdict.is_bad:
        return view
    # It may have become bad since the columns were written, because nobody tried again.
    return replace(view, result=verdict.rating(view.result), score=verdict.score(view.score), previous=None)


def _progress(row: ReportRow, events: EventBus[Progress]) -> Progress | None:
    if row.job_state is None:
        return None
    known = events.progress(row.id)
    if known is not None and row.job_state == "running":
        return known
    if row.job_progress_json:
        stage, done, of = json.loads(row.job_progress_json)
        return Progress(stage, done, of)
    return STARTED if row.job_state == "running" else WAITING


def _previous(row: ReportRow) -> PreviousRun | None:
    if row.previous_report is None or row.previous_run is None or row.previous_score is None or row.score is None:
        return None
    rating = Rating(row.previous_result or rating_of(row.previous_score))
    return PreviousRun(row.previous_report, row.previous_run, rating, row.previous_score, row.score - row.previous_score)


def _share(per_cent: int | None) -> float | None:
    return None if per_cent is None else per_cent / 100


def page_error_of(text: str | None) -> PageError | None:
    """Decode an error of `page_error_json`."""
    return None if text is None else msgspec.json.decode(text, type=PageError)


def page_error_json(error: PageError, at: int | None = None) -> str:
    """Encode an error with its time in stored form."""
    return msgspec.json.encode(structs.replace(error, at=at)).decode()


def verdict_since(row: ReportRow, summary: str | None, error: PageError | None, at: int, failed: RunRow | None = None) -> int:
    """Return the time since when the page of a report has the verdict of a new result: ``at``, or earlier if it had it before.

    ``failed`` is the previous run of a report that never had a result: queueing it removed its error.
    """
    newest = page_error_of(row.last_error_json or row.error_json or (failed.error_json if failed else None))
    before, after = page_verdict(summary_of(row.summary_json), newest), page_verdict(summary_of(summary), error)
    is_same = before is not None and after is not None and before.code is after.code
    return row.verdict_since if is_same and row.verdict_since is not None else at


def with_report(view: ReportView, run: RunRow | None, report_json: bytes | None) -> ReportView:
    """Return the view with the results of the run."""
    if run is None or report_json is None:
        return view
    return replace(view, report=Report.from_bytes(report_json), saved_sha256=_saved_sha256(run))


def _saved_sha256(run: RunRow) -> str | None:
    """Return the digest of the saved page's bytes."""
    return None if run.saved_hash is None else run.saved_hash.hex()


def run_view(row: RunRow, *, comparable: bool) -> RunView:
    """Return one run of a history."""
    return view_of(
        RunView,
        row,
        report=row.report_id,
        run=row.number,
        coverage=_share(row.coverage),
        mode=Profile(row.profile),
        comparable=comparable,
        mark=_mark(row),
    )


def _mark(row: RunRow) -> RunMark | None:
    if row.engine_json is None:
        return RunMark.FAILED
    if row.result is None:
        return RunMark.UNRATED
    return None if row.rescored_from is None else RunMark.RESCORED


def as_of_run(view: ReportView, row: RunRow, report_json: bytes | None, previous: RunRow | None) -> ReportView:
    """Return the report as of a run."""
    report = Report.from_bytes(report_json) if report_json is not None else None
    before = None
    if previous is not None and row.score is not None and previous.score is not None and previous.result is not None:
        change = row.score - previous.score
        before = PreviousRun(previous.report_id, previous.number, Rating(previous.result), previous.score, change)
    return replace(
        view,
        status=Status.FAILED if report_json is None else Status.DONE,
        run=row.number,
        generated_at=moment(row.finished_at) if report_json is not None else None,
        result=Rating(row.result) if row.result else None,
        score=row.score,
        coverage=_share(row.coverage),
        error=page_error_of(row.error_json),
        last_error=None,
        verdict_since=None,
        previous=before,
        progress=None,
        listed=summary_of(summary_json(report)) if report else NO_SUMMARY,
        not_asked=report.not_asked if report else (),
        report=report,
        saved_sha256=_saved_sha256(row) if report else None,
    )


def ruleset_of(engine_json: str | None) -> str | None:
    """Return the ruleset of a stored run; None without a result."""
    return None if engine_json is None else msgspec.json.decode(engine_json, type=Engine).ruleset
