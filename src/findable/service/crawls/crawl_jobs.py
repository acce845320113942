"""Jobs of crawls for workers: claim a slice, report progress, store its outcome. Only the holder of a job may write."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct, structs

from findable.capture.crawl import CrawlEnd
from findable.crawl.changes import LOST, CrawlComparison
from findable.crawl.comparable_crawls import CrawlBasis, basis_of, have_comparable_scores
from findable.crawl.narrower import narrower
from findable.crawl.progress import CrawlProgress
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.crawl.visits import CrawlCounts
from findable.errors import Unavailable
from findable.export.crawl_documents import resource_counts
from findable.jobs.protocol import Queues
from findable.monitor.site_alert_conditions import QuestionCount, facts_of_crawl
from findable.reports import scoring
from findable.reports.difference import NotComparable
from findable.reports.search_verdict import found_by_crawl
from findable.reports.site_report import SiteReport
from findable.service.accounts.deferred_work import may_run
from findable.service.alerts.alert_watch import is_of_site, watch_crawl
from findable.service.crawls.crawl_access import basis_of_row, comparable_before, terms_of
from findable.service.crawls.crawl_end_events import write_end_event
from findable.service.crawls.crawl_reports import rating_columns
from findable.service.crawls.crawl_views import listed_settings_of, settings_json, settings_of, url_list_json, verdict_columns
from findable.service.crawls.site_setbacks import VerdictAt, note_crawl
from findable.service.reports import stored_images
from findable.service.reports.stored_images import EncodedImage
from findable.service.runtime.background_work import sweep_lost
from findable.service.runtime.service import Service
from findable.service.sites.site_identities import SiteJob
from findable.service.values.crawl_values import CrawlFailure, CrawlStatus, CrawlWait
from findable.store.crawl_row import RULESET, CrawlJobRow, CrawlRow
from findable.store.crawl_store import CrawlStoreError
from findable.store.engine_messages import CRAWL
from findable.store.store_protocol import Session
from findable.values import shape_of

MAX_LOSS_POINTS = 60
"""Points without a page in between at which a crawl ends with its present pages: 30 waits, 5 crashes or 12 lost workers."""
WAIT_POINTS, CRASH_POINTS, LOSS_POINTS = 2, 12, 5
"""Points of a wait, of a slice that failed while its worker lived, and of a lost worker, which is rather killed by its operator."""
WAIT_S = 60
PURGED = 5
_MONTH_S = 31 * 86_400


class CrawlJob(SiteJob, frozen=True):
    """Slice of a crawl, with the right to write its result."""

    crawl_id: int
    settings: CrawlSettings
    status: CrawlStatus
    failures: int
    """Points of the waits and losses since the last stored page."""
    previous: int | None
    """Comparable earlier crawl, whose pages are requested again; None without one."""

    @property
    def fallback_url(self) -> str:
        """Http URL to try if the https URL of a guessed scheme does not respond; empty for none.

        Identities are never sent unencrypted.
        """
        url = self.settings.start_url
        return f"http://{url.removeprefix('https://')}" if self.scheme_guessed and not self.identity and url.startswith("https://") else ""


class SliceOutcome(Struct, frozen=True):
    """Outcome of a slice."""

    state: CrawlState | None = None
    """State of the crawl after it; None if unknown."""
    counts: CrawlCounts = CrawlCounts()
    size_bytes: int = 0
    report: SiteReport | None = None
    """Report of a finished crawl."""
    comparison: CrawlComparison | None = None
    """Changes since the compared crawl; None if there was no comparison."""
    questions: tuple[QuestionCount, ...] = ()
    """Rows of the watched questions."""
    top_urls: tuple[str, ...] = ()
    """Pages with the highest link score."""
    waits_for: CrawlWait | None = None
    """Reason why the crawl is paused."""
    failure: CrawlFailure | None = None
    """Reason why the crawl failed."""


def claim_some(service: Service, worker: str, limit: int, spare: int = 0) -> list[CrawlJob]:
    """Claim up to ``limit`` slices in one transaction; none if none are due."""
    with service.store.write() as session:
        claimed = _claim(service, session, worker, limit + spare)
        return [_loaded_job(session, job, row) for job, row in claimed]


def dispatch(service: Service, queues: Queues, free: int, spare: int) -> int:
    """Claim slices and send them to workers through the engine; return their number. See `report_jobs.dispatch`."""
    with service.store.write() as session:

        def claim(limit: int) -> list[CrawlJobRow]:
            return [job for job, _ in _claim(service, session, "", limit)]

        return session.messages.dispatch(queues.normal, CRAWL, free + spare, claim)


def load(service: Service, worker: str, job_id: int, attempt: int) -> CrawlJob | None:
    """Return the slice of a message; None if it belongs to another attempt or its crawl was deleted."""
    with service.store.write() as session:
        job = session.crawl_jobs.begin(job_id, attempt, worker, session.jobs.clock(session.moment))
    if job is None:
        return None
    with service.store.read() as session:  # does not wait until the account's other results are stored
        row = session.crawls.by_id(job.crawl_id)
        return None if row is None else _loaded_job(session, job, row)


def _claim(service: Service, session: Session, worker: str, limit: int) -> list[tuple[CrawlJobRow, CrawlRow]]:
    """Claim slices and mark their crawls as running."""
    clock = session.jobs.clock(session.moment)
    rows = session.crawl_jobs.claim(worker, now=clock, host_limit=service.settings.host_concurrency, limit=limit)
    return [(job, row) for job in rows if (row := _begin(session, job)) is not None]


def _begin(session: Session, job: CrawlJobRow) -> CrawlRow | None:
    """Mark the crawl as running and return it.

    Returns None if it was deleted, or if the person who started it lost the role; then the job ends.
    """
    row = session.crawls.by_id(job.crawl_id)
    if row is None:
        session.crawl_jobs.finish(job.id, job.attempt)
        return None
    if not may_run(session, row.account_id, job.person_id, row.project_id):
        _fail(session, job, CrawlFailure.NOT_PERMITTED, session.moment)
        return None
    if row.status == CrawlStatus.QUEUED:
        session.crawls.change(row.id, session.moment, status=CrawlStatus.RUNNING.value, started_at=row.started_at or session.moment)
    return row


def _loaded_job(session: Session, job: CrawlJobRow, row: CrawlRow) -> CrawlJob:
    """Return the job for a worker."""
    settings = listed_settings_of(session, row)
    identity = session.projects.for_worker(row.project_id).identity
    status, guessed = CrawlStatus(row.status), bool(row.scheme_guessed)
    previous = _base_of(session, row, CrawlBasis(settings, CrawlEnd.COMPLETE, scoring.RULESET))
    return shape_of(
        CrawlJob,
        job,
        settings=settings,
        status=status,
        scheme_guessed=guessed,
        previous=previous,
        project_id=row.project_id,
        identity=identity,
    )


def base_of(service: Service, job: CrawlJob, state: CrawlState) -> int | None:
    """Return the id of the earlier crawl that a settled crawl is compared with; None if there is none."""
    with service.store.read() as session:
        row = session.crawls.by_id(job.crawl_id)
        return None if row is None else _base_of(session, row, CrawlBasis(state.settings, state.ended_by, state.ruleset))


def _base_of(session: Session, row: CrawlRow, basis: CrawlBasis) -> int | None:
    found = comparable_before(session, row, basis)
    return None if isinstance(found, NotComparable) else found


def beat(service: Service, job: CrawlJob) -> bool:
    """Store the progress. Returns False if the job belongs to another worker, or its crawl was deleted."""
    progress = service.crawl_events.progress(job.crawl_id)
    progress_json = None if progress is None else msgspec.json.encode(progress).decode()
    with service.store.write() as session:
        return session.jobs.beat(job.id, job.attempt, progress=progress_json)


def is_stopping(service: Service, job: CrawlJob) -> bool:
    """Return whether the crawl was stopped or deleted."""
    with service.store.read() as session:
        row = session.crawls.by_id(job.crawl_id)
    return row is None or bool(row.is_stopping)


def report_progress(service: Service, job: CrawlJob, progress: CrawlProgress) -> None:
    """Record the progress; fast enough for event loops."""
    service.crawl_events.set_progress(job.crawl_id, progress)


def reset_losses(service: Service, job: CrawlJob, counts: CrawlCounts) -> None:
    """Reset the number of lost workers if the crawl has stored more pages since."""
    with service.store.write() as session:
        row = session.crawls.by_id(job.crawl_id)
        requests = counts.done + counts.doubtful
        if row is not None and session.crawl_jobs.belongs_to_attempt(job.id, job.attempt) and requests > row.requests:
            session.crawl_jobs.reset_failures(job.id)
            session.crawls.change(row.id, session.moment, requests=requests)


def store_site_icon(service: Service, job: CrawlJob, icon: EncodedImage) -> None:
    """Store the icon of the crawled site, unless the crawl covers only a part of it."""
    with service.store.write() as session:
        row = session.crawls.by_id(job.crawl_id)
        if row is not None and is_of_site(session, row):
            stored_images.store_site_icon(session, row.project_id, icon)


def hand_back(service: Service, job: CrawlJob) -> None:
    """Return an unfinished slice to the queue without counting a failure; another worker or the next start continues it."""
    with service.store.write() as session:
        session.crawl_jobs.hand_back(job.id, job.attempt, failures=job.failures)
    service.events.publish_queued()


def store_outcome(service: Service, job: CrawlJob, outcome: SliceOutcome) -> bool:
    """Store the outcome of a slice, and queue the next one or end the crawl. Returns False if another worker has the job."""
    with service.store.write() as session:
        if not session.crawl_jobs.belongs_to_attempt(job.id, job.attempt):
            return False
        row = session.crawls.by_id(job.crawl_id)
        if row is None:
            session.crawl_jobs.finish(job.id, job.attempt)
            return False
        values: dict[str, Any] = {"size_bytes": outcome.size_bytes or row.size_bytes}
        if outcome.state is not None:
            values |= {"counts": _counts_json(outcome), "requests": max(row.requests, outcome.counts.done + outcome.counts.doubtful)}
            values |= _url_columns(session, row, outcome.state)
        ended = True
        if outcome.failure is not None:
            values |= {"status": CrawlStatus.FAILED.value, "error": outcome.failure.value}
        elif outcome.waits_for is not None:
            ended = not _wait(session, job, outcome.waits_for)
            values |= {"status": CrawlStatus.FAILED.value, "error": CrawlFailure.STORAGE_FULL.value} if ended else {}
        elif outcome.report is not None and outcome.state is not None:
            values |= _result(session, job, outcome.state, outcome.report, outcome.counts)
            basis = basis_of(outcome.state)
            verdict = _verdict(session, row, basis, outcome.report, row.finished_at or session.moment)
            values |= verdict_columns(verdict.found, verdict.since)
            base = _base_of(session, row, basis)
            earlier = None if base is None else session.crawls.by_id(base)
            is_same = earlier is not None and have_comparable_scores(basis_of_row(session, earlier), basis)
            values["previous_crawl"] = base if is_same else None
            note_crawl(session, row, basis, outcome.report, outcome.comparison, verdict)
            if outcome.top_urls and is_of_site(session, row):
                session.projects.change(row.project_id, {"top_urls": msgspec.json.encode(outcome.top_urls).decode()})
            if row.finished_at is None:  # only crawls that are not rescored
                facts = facts_of_crawl(outcome.report, outcome.state.ended_by)
                watch_crawl(session, row, verdict.found, facts, base, outcome.comparison, session.moment, outcome.questions)
        else:
            ended = False
            is_settling = outcome.state is not None and outcome.state.ended_by is not None
            values["status"] = (CrawlStatus.SETTLING if is_settling else CrawlStatus.RUNNING).value
            session.crawl_jobs.hand_back(job.id, job.attempt)
        if ended:
            session.crawl_jobs.finish(job.id, job.attempt)
            values |= {"finished_at": row.finished_at or session.moment, "is_stopping": 0}
        session.crawls.change(row.id, session.moment, **values)
        if ended and row.finished_at is None:  # otherwise the crawl was rescored
            write_end_event(session, row.id, job.id, session.moment)
    if ended:
        service.crawl_events.publish_end(job.crawl_id)
    service.events.publish_queued()
    return True


def _wait(session: Session, job: CrawlJob, reason: CrawlWait) -> bool:
    """Queue the slice for later; return False if the crawl has waited too often."""
    points = job.failures + (CRASH_POINTS if reason is CrawlWait.WORKER_LOST else WAIT_POINTS)
    if points >= MAX_LOSS_POINTS:
        return False
    later_at = session.jobs.clock(session.moment) + WAIT_S
    return session.crawl_jobs.hand_back(job.id, job.attempt, run_at=later_at, failures=points, reason=reason.value)


def _url_columns(session: Session, row: CrawlRow, state: CrawlState) -> dict[str, Any]:
    """Return the columns with the URLs that responded: the scheme, if none was typed, and the start page behind redirects."""
    settings = settings_of(row)
    found: dict[str, Any] = {}
    if state.settings.start_url != settings.start_url:
        found["settings"] = settings_json(structs.replace(settings, start_url=state.settings.start_url))
    if row.scheme_guessed and state.phase is not Phase.START and state.ended_by is not CrawlEnd.UNREACHABLE:
        found |= {"url": state.typed_url, "scheme_guessed": 0}
        if row.is_list and state.typed_url != row.url:
            session.crawls.save_list(row.id, url_list_json(state.settings))
    return found


def _result(session: Session, job: CrawlJob, state: CrawlState, report: SiteReport, counts: CrawlCounts) -> dict[str, Any]:
    """Store the report; return the columns of a finished crawl."""
    is_unreachable = state.ended_by is CrawlEnd.UNREACHABLE and not counts.pages
    status = CrawlStatus.STOPPED if state.ended_by is CrawlEnd.STOPPED else CrawlStatus.FAILED if is_unreachable else CrawlStatus.DONE
    session.crawls.save_report(job.crawl_id, msgspec.json.encode(report))
    shown = report.with_accepted(terms_of(session, job.project_id))
    known = counts.read + counts.waiting
    return {
        "status": status.value,
        "error": CrawlFailure.SITE_UNREACHABLE.value if is_unreachable else None,
        "ended_by": state.ended_by.value if state.ended_by else None,
        **rating_columns(shown),
        "provisional": int(report.provisional),
        "coverage": round(100 * counts.read / known) if known else None,
    }


def _verdict(session: Session, row: CrawlRow, basis: CrawlBasis, report: SiteReport, ended_at: int) -> VerdictAt:
    """Return what the crawl shows about the site, compared with the last crawl that counted, and since when crawls in a row show it."""
    counted = session.crawls.last_of_site(row, is_scored=True)
    known = None if counted is None else basis_of_row(session, counted)
    is_scheduled = session.crawls.is_scheduled(row.id)
    found = found_by_crawl(report.summary, narrower(basis, known, is_list=row.is_list, is_scheduled=is_scheduled))
    before = session.crawls.last_of_site(row, is_scored=False)
    since = before.verdict_since if before is not None and before.verdict == found.code else None
    return VerdictAt(found, ended_at if since is None else since, ended_at)


def _counts_json(outcome: SliceOutcome) -> str:
    counts = outcome.counts
    refused = {group.name: group.pages_count for group in outcome.report.summary.left_out} if outcome.report is not None else {}
    numbers: dict[str, Any] = {**counts.numbers, "refused": refused}
    if outcome.state is not None:
        numbers |= {"rendered": outcome.state.rendered.visits, "rendered_failed": outcome.state.rendered.failed}
    numbers |= resource_counts(outcome.report) if outcome.report is not None else {}
    if outcome.comparison is not None:
        numbers["lost"] = {kind.value: outcome.comparison.counts.get(kind.value, 0) for kind in LOST}
    if outcome.state is not None:
        numbers[RULESET] = outcome.state.ruleset
    return msgspec.json.encode(numbers).decode()


def sweep(service: Service, at_work: Collection[int] = ()) -> int:
    """Return slices of lost workers to the queue; return their number. See `report_jobs.sweep`."""
    return sweep_lost(service, service.crawl_events, at_work, lambda session: session.crawl_jobs, _record_loss)


def _record_loss(session: Session, job: CrawlJobRow) -> int | None:
    """Queue the slice again, or end a crawl that lost too many workers and return its id."""
    if job.failures + LOSS_POINTS < MAX_LOSS_POINTS:
        session.crawl_jobs.hand_back(job.id, job.attempt, failures=job.failures + LOSS_POINTS, reason=CrawlWait.WORKER_LOST.value)
        return None
    _fail(session, job, CrawlFailure.WORKER_CRASHED, session.jobs.clock(session.moment))
    return job.crawl_id


def _fail(session: Session, job: CrawlJobRow, failure: CrawlFailure, moment: int) -> None:
    """End a crawl with the pages that are stored so far; it can be resumed."""
    session.crawl_jobs.finish(job.id, job.attempt)
    before = session.crawls.by_id(job.crawl_id)
    ended = {"status": CrawlStatus.FAILED.value, "error": failure.value, "finished_at": moment, "is_stopping": 0}
    session.crawls.change(job.crawl_id, moment, **ended)
    if before is not None and before.finished_at is None:  # otherwise the crawl was being rescored
        write_end_event(session, job.crawl_id, job.id, moment)


def purge_deleted(service: Service) -> bool:
    """Delete the stores of a few deleted crawls; return whether there may be more."""
    with service.store.read() as session:
        gone = session.crawls.to_delete(PURGED)
    in_use_count = 0
    for crawl_id in gone:
        try:
            service.crawl_home.delete(crawl_id)
        except (CrawlStoreError, Unavailable):  # the store is in use: deleted at the next call
            in_use_count += 1
            continue
        with service.store.write() as session:
            session.crawls.clear_deleted(crawl_id)
    if not gone:
        with service.store.write() as session:
            session.crawls.remove_deleted_before(session.moment - _MONTH_S)
    return len(gone) == PURGED and not in_use_count
