"""Jobs of reports for workers: claim a job, report progress, store the result. Only the holder of a job may write."""

import json
from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.errors import PageError, PageErrorCode, PageUnavailable
from findable.jobs.protocol import Queues
from findable.monitor.site_alert_conditions import SiteFacts
from findable.reports.report import Report
from findable.service.accounts.deferred_work import may_run
from findable.service.alerts.alert_watch import known_fingerprint, watch_failure, watch_run, watch_unchanged
from findable.service.reports import stored_images
from findable.service.reports.report_views import page_error_json, page_error_of
from findable.service.reports.run_events import write_failure_events, write_run_events
from findable.service.reports.save_run import make_current, new_run, shown_rated_run, store_failure, with_acceptances_of_day
from findable.service.reports.stored_images import ReportImages
from findable.service.runtime.background_work import sweep_lost
from findable.service.runtime.service import Service
from findable.service.sites.site_identities import SiteJob
from findable.service.values.report_values import Progress
from findable.service.values.stored_settings import browser_options_of, patterns_of
from findable.store.engine_messages import REPORT as JOB_KIND
from findable.store.rows import JobRow, NewRun, ReportRow
from findable.store.run_statements import AddedRun
from findable.store.store_protocol import Session
from findable.values import shape_of
from findable.vocabulary import BrowserUse, Profile, Status

PROCESS_DIED, WORKER_LOST = "process_died", "worker_lost"
"""Reasons for queuing a job again: its page crashed the analysis process, or its worker was lost."""
MAX_LOSS_POINTS = 12
"""Points at which a page is abandoned: `worker_crashed`. Three crashes of its process reach them, or twelve lost workers."""
LOSS_POINTS = {PROCESS_DIED: 4, WORKER_LOST: 1}
"""Points by reason. A process that dies alone was probably crashed by its page; a whole worker is rather killed by its operator or machine,
with all the pages that it was processing.
"""
RETRY_AFTER_S = (0, 2, 10)
"""Pause before the next attempt, by number of crashes."""
PREFETCH = 2
"""Messages per free slot: the second waits for the next slot that becomes free."""


class ReportJob(SiteJob, frozen=True):
    """Report to generate, with the right to write its result."""

    report_id: int
    url: str
    fresh_site: bool
    """Whether the site's responses are fetched again."""
    started_at: int
    """Seconds since 1970."""
    profile: Profile = Profile.STATIC
    not_for_search: Sequence[str] = ()
    """Patterns of the project's URLs that are not meant for search."""
    known: bytes | None = None
    """Fingerprint that allows the run to end early; None for a full run."""
    browser: BrowserUse = BrowserUse.NONE
    shows_raw_first: bool = False
    """Whether the result without the browser is shown until that with it is ready."""
    browser_options: BrowserOptions = DEFAULTS


class AnalysedPage(Struct, frozen=True):
    """Outcome of a page that was fetched and checked."""

    saved_page: bytes
    report: Report
    url: str | None = None
    """Fetched URL, if the guessed scheme was wrong."""
    images: ReportImages = ReportImages()
    site: SiteFacts | None = None
    """Watched facts of its site; None if unknown."""
    fingerprint: bytes | None = None
    """Fingerprint of the fetched data (`monitor.page_fingerprint`)."""
    raw: AddedRun | None = None
    """Run with the result without the browser (`show_raw`), which this result replaces; None if none was shown."""


class UnchangedPage(Struct, frozen=True):
    """Outcome of a page that is unchanged since its last full run."""

    site: SiteFacts | None = None


RunOutcome = AnalysedPage | UnchangedPage | PageUnavailable
_Claimed = tuple[JobRow, ReportRow]


class _Claims(Struct):
    """Reports that this process has claimed."""

    claim_count: int = 0


class SavedBytes(Struct, frozen=True):
    """New bytes of saved pages by account since the last count (`retention.delete_excess_pages`)."""

    by_account: Counter[int] = field(default_factory=Counter)


def claim(service: Service, worker: str) -> ReportJob | None:
    """Claim the next report, None if none is available."""
    return next(iter(claim_some(service, worker, 1)), None)


def claim_some(service: Service, worker: str, limit: int, spare: int = 0) -> list[ReportJob]:
    """Claim up to ``limit`` reports in one transaction; none if none are available.

    ``spare`` more are claimed for accounts without running reports.
    """
    with service.store.write() as session:
        claimed = _claim(service, session, worker, limit, spare)
        return [_loaded_job(session, job, row) for job, row in claimed]


def dispatch(service: Service, queues: Queues, free: int, spare: int) -> int:
    """Claim reports like `claim_some` and send them to workers through the engine; return their number.

    There are at most twice as many messages as free slots, so that reports wait in the order of their accounts and not in the engine.
    """
    with service.store.write() as session:
        free, spare = session.messages.free(queues.normal, PREFETCH * free), session.messages.free(queues.spare, spare)
        jobs = [job for job, _ in _claim(service, session, "", free, spare)] if free + spare else []
        session.messages.send(queues.normal, JOB_KIND, jobs[:free])
        session.messages.send(queues.spare, JOB_KIND, jobs[free:])
    return len(jobs)


def load(service: Service, worker: str, job_id: int, attempt: int) -> ReportJob | None:
    """Return the job of a message; None if it belongs to another attempt or was deleted."""
    with service.store.write() as session:
        job = session.jobs.begin(job_id, attempt, worker, session.jobs.clock(session.moment))
    if job is None:
        return None
    with service.store.read() as session:  # does not wait until the account's other results are stored
        row = session.reports.by_id(job.report_id)
        return None if row is None else _loaded_job(session, job, row)


def _claim(service: Service, session: Session, worker: str, limit: int, spare: int) -> list[_Claimed]:
    """Claim jobs that have work left, and mark their reports as running; none if none are available."""
    clock, memory = session.jobs.clock(session.moment), service.memory(_Claims)
    while True:
        rows = session.jobs.claim(
            worker,
            now=clock,
            host_limit=service.settings.host_concurrency,
            limit=limit,
            spare=spare,
            claim_count=memory.claim_count,
        )
        memory.claim_count += len(rows)
        claimed = [(job, row) for job in rows if (row := _begin(session, job)) is not None]
        if claimed or not rows:
            return claimed


def _begin(session: Session, job: JobRow) -> ReportRow | None:
    """Mark the report as running and return it. Returns None if no work remains, and ends the job."""
    row = session.reports.by_id(job.report_id)
    is_permitted = row is None or may_run(session, row.account_id, job.person_id, row.project_id)
    if row is not None and job.kind == JOB_KIND and is_permitted:
        if row.status == Status.QUEUED:
            session.reports.change(row.id, session.moment, status=Status.RUNNING.value)
        return row
    session.jobs.finish(job.id, job.attempt)
    if row is not None:  # an unknown kind of job, or a person who lost the role
        _fail(session, row, _job(job, row), PageError(PageErrorCode.INTERNAL_ERROR if is_permitted else PageErrorCode.NOT_PERMITTED))
    return None  # otherwise the project was deleted meanwhile


def _loaded_job(session: Session, job: JobRow, row: ReportRow) -> ReportJob:
    """Return the job for a worker."""
    found = session.projects.for_worker(row.project_id)
    browser = BrowserUse(job.browser or row.browser or found.browser or BrowserUse.NONE)
    may_end_early = job.is_scheduled and row.status == Status.DONE and row.last_error_json is None
    known = known_fingerprint(session, row, session.moment) if may_end_early else None
    return replace(
        _job(job, row),
        not_for_search=patterns_of(found.not_for_search_json),
        identity=found.identity,
        known=known,
        browser=browser,
        shows_raw_first=job.browser is not None and row.run is None,
        browser_options=browser_options_of(found.browser_options_json),
        profile=Profile.STATIC if browser is BrowserUse.NONE else Profile.RENDERED,
    )


def _job(job: JobRow, row: ReportRow) -> ReportJob:
    return shape_of(
        ReportJob,
        job,
        project_id=row.project_id,
        url=row.url,
        scheme_guessed=bool(row.scheme_guessed),
        fresh_site=bool(job.fresh_site),
        browser=BrowserUse.NONE,
    )


def beat(service: Service, job: ReportJob) -> bool:
    """Store the progress. Returns False if the job belongs to another worker: stop, because no result will be stored."""
    progress = service.events.progress(job.report_id)
    told = None if progress is None else json.dumps([progress.stage, progress.done, progress.of])
    with service.store.write() as session:
        return session.jobs.beat(job.id, job.attempt, progress=told)


def report_progress(service: Service, job: ReportJob, stage: str, done: int, of: int) -> None:
    """Record the progress; fast enough for event loops."""
    service.events.set_progress(job.report_id, Progress(stage, done, of))


def show_raw(service: Service, job: ReportJob, report: Report, url: str | None) -> AddedRun | None:
    """Show the rated result without the browser until that of the visit is ready; ``url``: see `AnalysedPage`.

    It is compared with no other result, and nobody is notified. Returns None if it has no rating or the job belongs to another worker.
    """
    with service.store.write() as session:
        row = session.reports.by_id(job.report_id) if session.jobs.beat(job.id, job.attempt, progress=None) else None
        if row is None or report.result is None:
            return None
        report = with_acceptances_of_day(session, row, report, report.captured_at[:10])
        new = _with_ordered_times(new_run(report, started_at=job.started_at, finished_at=session.moment), row)
        added = session.runs.add(row, url or row.url, new)
        values = {"status": Status.DONE.value, "url": url or row.url, "scheme_guessed": 0}
        session.reports.show_run(row, added.number, new, check_set_id=added.check_set_id, now=new.finished_at, **values)
    service.events.wake(job.report_id)
    return added


def complete(service: Service, job: ReportJob, page: AnalysedPage | UnchangedPage) -> bool:
    """Store the result. Returns False if the job belongs to another worker or its report was deleted; then nothing is written."""
    return bool(store_outcomes(service, [(job, page)]))


def store_outcomes(service: Service, outcomes: Sequence[tuple[ReportJob, RunOutcome]]) -> set[int]:
    """Store the outcomes of several jobs of one account, all or none; return the ids of those that were accepted."""
    stored: set[int] = set()
    with service.store.write() as session:
        for account_id in {job.account_id for job, _ in outcomes}:
            session.jobs.lock_account(account_id, [(job.id, job.report_id) for job, _ in outcomes if job.account_id == account_id])
        ours = session.jobs.finish_all((job.id, job.attempt) for job, _ in outcomes)
        for job, outcome in outcomes:
            row = session.reports.by_id(job.report_id) if job.id in ours else None
            if row is None:
                continue
            stored.add(job.id)
            if isinstance(outcome, PageUnavailable):
                _fail(session, row, job, outcome.error)
                watch_failure(session, row, outcome.error.code, session.moment)
            elif isinstance(outcome, UnchangedPage):
                watch_unchanged(session, row, outcome.site, session.moment)
            else:
                report = with_acceptances_of_day(session, row, outcome.report, outcome.report.captured_at[:10])
                new = replace(new_run(report, started_at=job.started_at, finished_at=session.moment), saved_page=outcome.saved_page)
                _store_result(service, session, row, _with_ordered_times(new, row), outcome)
                if report.error is None or report.error.code is PageErrorCode.ROBOTS_UNREADABLE:
                    watch_run(session, row, report, outcome.site, outcome.fingerprint, session.moment)
                else:
                    watch_failure(session, row, report.error.code, session.moment)
    for job, _ in outcomes:
        service.events.publish_end(job.report_id)
    return stored


def hand_back(service: Service, job: ReportJob) -> None:
    """Return an unfinished job to the queue without counting a failure; another worker or the next start repeats it."""
    with service.store.write() as session:
        session.jobs.hand_back(job.id, job.attempt)
    service.events.reset_progress(job.report_id)
    service.events.publish_queued()


def record_crash(service: Service, job: ReportJob) -> None:
    """Record that the analysis process crashed. The page gets another attempt, or is abandoned after the third crash."""
    with service.store.write() as session:
        abandoned = _record_loss(session, job, PROCESS_DIED)
    service.events.reset_progress(job.report_id)
    if abandoned:
        service.events.publish_end(job.report_id)
    else:
        service.events.publish_queued()


def stop(session: Session, row: ReportRow) -> bool:
    """Discard the queued or running generation; later results of a worker are rejected. Return whether there was one."""
    if not session.jobs.join(row.id, fresh_site=False):
        return False
    session.jobs.drop([row.id])
    moment = max(session.moment, row.created_at)
    error = PageError(PageErrorCode.STOPPED)
    if row.run is not None:
        store_failure(session, row, session.runs.get(row.id, row.run), error, moment)
    else:
        session.reports.clear_run(row, moment, status=Status.FAILED.value, error=page_error_json(error), last_error=None)
    return True


def sweep(service: Service, at_work: Collection[int] = ()) -> int:
    """Return jobs of lost workers to the queue, except those in ``at_work``, which run in this process; return their number."""
    return sweep_lost(service, service.events, at_work, lambda session: session.jobs, _record_lost_worker)


def _record_lost_worker(session: Session, job: JobRow) -> int | None:
    """Queue a job again, or abandon its page; return the id of the report that ended."""
    row = session.reports.by_id(job.report_id)
    if row is None:
        session.jobs.finish(job.id, job.attempt)
        return None
    return row.id if _record_loss(session, _job(job, row), WORKER_LOST) else None


def _record_loss(session: Session, job: ReportJob, reason: str) -> bool:
    """Queue the job again or abandon its page; return whether it was abandoned."""
    moment = session.jobs.clock(session.moment)
    points = session.jobs.requeue_lost(job.id, job.attempt, moment, reason, LOSS_POINTS[reason])
    if points is None:
        return False
    if points < MAX_LOSS_POINTS:
        session.jobs.delay(job.id, moment + RETRY_AFTER_S[points // LOSS_POINTS[PROCESS_DIED]])
        return False
    session.jobs.remove(job.id, job.account_id)
    row = session.reports.by_id(job.report_id)
    if row is not None:
        _fail(session, row, job, PageError(PageErrorCode.WORKER_CRASHED))
    return True


def _with_ordered_times(new: NewRun, row: ReportRow) -> NewRun:
    """Return the run with times that are not before those of its report, in case the clock was set back."""
    finished_at = max(new.finished_at, row.created_at)
    return replace(new, finished_at=finished_at, started_at=min(new.started_at, finished_at))


def _store_result(service: Service, session: Session, row: ReportRow, new: NewRun, page: AnalysedPage) -> None:
    settings, url = service.settings, page.url or row.url
    if not (settings.saved_page_days and settings.saved_page_runs):
        new = replace(new, saved_page=None)
    raw = page.raw
    added = session.runs.add(row, url, new) if raw is None else replace(raw, check_set_id=session.runs.replace(raw.id, new))
    stored_images.store_for_run(session, added.id, page.images)
    if new.saved_page is not None:
        session.runs.remove_older_saved(row, settings.saved_page_runs)
        service.memory(SavedBytes).by_account[row.account_id] += len(new.saved_page)
    error, known = page_error_of(new.error_json), shown_rated_run(session, row)
    if new.result is None and known is not None and error is not None:
        # An unrated result never replaces a rated one.
        write_failure_events(session, row, added.number, new, store_failure(session, row, known, error, new.finished_at))
        return
    shown = make_current(session, row, new, added, url, now=new.finished_at)
    stored_images.store_site_icon(session, row.project_id, page.images.icon)
    write_run_events(session, row, added.number, new, url, shown)


def _fail(session: Session, row: ReportRow, job: ReportJob, error: PageError) -> None:
    """Record a failed generation. It never replaces a rated run; a report without a rated run fails."""
    moment = max(session.moment, row.created_at)
    started_at = min(job.started_at, moment)
    new = NewRun(started_at, moment, job.profile.value, error_json=page_error_json(error))
    added = session.runs.add(row, row.url, new)
    earlier = session.runs.get(row.id, added.number - 1) if row.run is None else None
    shown = store_failure(session, row, shown_rated_run(session, row), error, moment, earlier)
    write_failure_events(session, row, added.number, new, shown)
