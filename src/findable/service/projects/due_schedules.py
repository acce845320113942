"""Start the due runs of schedules. A worker claims one for a limited time; the transaction that queues its work completes it.

So no run is lost if a worker dies, and none starts twice: each planned time is completed once.
"""

import logging
from collections.abc import Collection, Sequence
from functools import partial

from msgspec import Struct

from findable.clock import now
from findable.errors import Forbidden, QuotaExceeded, Unavailable, ValidationFailed
from findable.jobs import heartbeats
from findable.jobs.protocol import Queues
from findable.monitor.schedule_rules import due_run, jitter_s
from findable.service.accounts.deferred_work import present_caller
from findable.service.crawls import crawls
from findable.service.projects.schedules import new_crawl, settings_of, stored_rule
from findable.service.reports import batch_sitemaps
from findable.service.reports.batches import MAX_FINISHED_BATCHES
from findable.service.results.access_settings import default_privacy
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.schedule_values import ScheduledWork, ScheduleProblem
from findable.store.batch_statements import NewMember
from findable.store.crawl_row import CrawlSelection
from findable.store.engine_messages import SCHEDULE
from findable.store.schedule_statements import ScheduleRow
from findable.store.store_protocol import Session
from findable.urls import origin_part

_log = logging.getLogger(__name__)
AFTER_FAILURE_S = 3600
SLOT_RETRY_S = 30
"""Interval at which crawls wait for a slot of their account."""
LEASE_S = 300
"""Time that a run may take until its work is queued; reading a sitemap takes up to a minute."""
MAX_URLS = 5000
"""Maximum number of URLs of a project or sitemap in one scheduled run."""

_TEMPORARY = frozenset({ScheduleProblem.QUOTA, ScheduleProblem.STORAGE})
"""Problems of a limit: the planned run is retried until it starts or the next one replaces it."""


class _WaitForSlot(Exception):
    """The account has too many crawls that are queued or running."""


class ScheduleJob(Struct, frozen=True):
    """Claimed schedule, with the right to start its planned run."""

    id: int
    attempt: int
    """Fencing token: the end of the claim, in seconds since 1970. The run counts only while the schedule is due at this time."""


def claim_some(service: Service, _worker: str, limit: int, spare: int = 0) -> list[ScheduleJob]:
    """Claim up to ``limit`` schedules that are due. Writes nothing if none is due."""
    if not _is_due(service):
        return []
    with service.store.write() as session:
        return _claim(session, limit + spare)


def dispatch(service: Service, queues: Queues, free: int, spare: int) -> int:
    """Claim due schedules and send them to workers through the engine; return their number. See `report_jobs.dispatch`."""
    if not _is_due(service):
        return 0
    with service.store.write() as session:
        return session.messages.dispatch(queues.normal, SCHEDULE, free + spare, partial(_claim, session))


def _is_due(service: Service) -> bool:
    with service.store.read() as session:
        return session.schedules.is_due(session.moment)


def _claim(session: Session, limit: int) -> list[ScheduleJob]:
    until = session.moment + LEASE_S
    return [ScheduleJob(number, until) for number in session.schedules.claim(session.moment, until, limit)]


def load(service: Service, _worker: str, schedule_id: int, attempt: int) -> ScheduleJob | None:
    """Return the schedule of a message; None if its claim has ended or the schedule was deleted."""
    with service.store.read() as session:
        row = session.schedules.by_id(schedule_id)
    return None if row is None or row.due_at != attempt else ScheduleJob(schedule_id, attempt)


def beat(_service: Service, _job: ScheduleJob) -> bool:
    """Return True: schedules need no heartbeat. A claim outlasts every run, and the transaction that queues the work verifies it."""
    return True


def hand_back(service: Service, job: ScheduleJob) -> None:
    """Make the schedule due again; another worker or the next start runs it."""
    with service.store.write() as session:
        row = session.schedules.by_id(job.id)
        if row is not None and row.due_at == job.attempt:
            session.schedules.change(job.id, due_at=session.moment)


def sweep(service: Service, _at_work: Collection[int] = ()) -> None:
    """Delete the messages of lost workers; their schedules are due again when the claims end."""
    if service.store.is_shared:
        with service.store.write() as session:
            session.messages.delete_lost(SCHEDULE, heartbeats.LOST_AFTER_S)


async def run(service: Service, job: ScheduleJob) -> None:
    """Start the planned run of a schedule. After a failure it is retried later."""
    try:
        await _run(service, job.id)
    except Exception:  # noqa: BLE001 - one schedule that fails must not delay the others
        _log.exception("schedule %d failed; retrying in an hour", job.id)
        try:
            await service.run(_postpone, job.id)
        except Unavailable as error:
            _log.warning("schedule %d is retried when its claim ends: %s", job.id, error)
    service.events.publish_queued()


def _postpone(service: Service, schedule_id: int) -> None:
    """Retry a failed schedule later; the planned time stays."""
    with service.store.write() as session:
        session.schedules.change(schedule_id, due_at=session.moment + AFTER_FAILURE_S)


async def _run(service: Service, schedule_id: int) -> None:
    row = await service.run(_load_or_delete, schedule_id)
    if row is None:
        return
    urls: Sequence[str] = ()
    problem: ScheduleProblem | None = None
    sitemap = settings_of(row).sitemap
    if row.what == ScheduledWork.REPORTS and sitemap:
        try:
            caller = await service.run(_present_caller, row)
            urls = (await batch_sitemaps.read_sitemap(service, caller, sitemap, row.project_id)).urls
        except Forbidden:
            problem = ScheduleProblem.NOT_PERMITTED
        except (ValidationFailed, Unavailable):
            problem = ScheduleProblem.SITEMAP
    await service.run(complete_run, row, urls, problem)


def _present_caller(service: Service, row: ScheduleRow) -> Caller:
    with service.store.read() as session:
        return present_caller(session, row.account_id, row.person_id, row.project_id)


def _load_or_delete(service: Service, schedule_id: int) -> ScheduleRow | None:
    """Return the claimed schedule; the schedule of a deleted project is removed."""
    with service.store.write() as session:
        row = session.schedules.by_id(schedule_id)
        if row is None:
            session.schedules.remove(schedule_id)
    return row


def complete_run(service: Service, row: ScheduleRow, urls: Sequence[str] = (), problem: ScheduleProblem | None = None) -> bool:
    """Queue the work of the planned run and plan the next one.

    Returns False if another worker has done so, the project is deleted, or the run waits: above a limit it stays planned, and the schedules
    of the account take turns.

    Args:
        service: owner of the schedule.
        row: claimed schedule.
        urls: URLs of its sitemap; empty without one.
        problem: reason why nothing can be run.
    """
    moment = int(now().timestamp())
    rule = stored_rule(row)
    delay_s = jitter_s(rule, row.id)
    turn = due_run(rule, row.planned_at, delay_s, moment)
    following = {"planned_at": turn.next_planned_at, "due_at": turn.next_planned_at + delay_s}
    ended = {"last_at": moment, "last_is_late": int(turn.is_late), "last_problem": problem.value if problem else None}
    try:
        with service.store.write() as session:
            if not session.schedules.advance(row, **following, **ended) or session.schedules.by_id(row.id) is None:
                return False  # the run was completed, or the project was deleted
            if problem is None:
                session.schedules.change(row.id, **_begin(service, session, row, urls))
            return True
    except _WaitForSlot:
        with service.store.write() as session:
            session.schedules.wait(row, moment, moment + SLOT_RETRY_S, ScheduleProblem.WAITING.value)
        return False
    except QuotaExceeded:
        problem = ScheduleProblem.QUOTA
    except Unavailable:
        problem = ScheduleProblem.STORAGE
    except Forbidden:
        problem = ScheduleProblem.NOT_PERMITTED
    except ValidationFailed:
        problem = ScheduleProblem.REFUSED
    with service.store.write() as session:
        if problem in _TEMPORARY:
            return _retry_later(session, row, problem)
        return session.schedules.advance(row, **following, **(ended | {"last_problem": problem.value}))


def _retry_later(session: Session, row: ScheduleRow, problem: ScheduleProblem) -> bool:
    """Keep the planned run, which waits until a limit allows it; return False because it was not completed."""
    if session.schedules.advance(row, due_at=session.moment + AFTER_FAILURE_S):
        session.schedules.change(row.id, last_problem=problem.value)
    return False


def _begin(service: Service, session: Session, row: ScheduleRow, urls: Sequence[str]) -> dict[str, int | str | None]:
    """Queue the work; return the columns that record it. Raises the errors of `present_caller` and of the use cases."""
    if session.schedules.is_running(row):
        return {"last_problem": ScheduleProblem.STILL_RUNNING.value}
    settings = settings_of(row)
    caller = present_caller(session, row.account_id, row.person_id, row.project_id)
    if row.what == ScheduledWork.CRAWL:
        new = new_crawl(row.project, settings)
        accepted = crawls.validate(service, caller, new)
        if not crawls.has_free_slot(service, session, row.account_id):
            raise _WaitForSlot
        crawls.require_space(service, 0)
        try:
            crawl_id = crawls.insert(service, session, caller, accepted, new)
        except ValidationFailed as error:  # more pages than the quota has left
            raise QuotaExceeded(str(error)) from error
        return {"last_crawl": crawl_id, "last_batch": None}
    pages = urls or session.reports.urls_of_project(row.project_id, MAX_URLS)
    crawled = () if pages else session.crawls.select(CrawlSelection(row.account_id, row.project_id), 1)
    is_guessed = not pages and (not crawled or bool(crawled[0].scheme_guessed))
    if not pages:  # without a report, the start page gets one
        pages = [f"{origin_part(crawled[0].url)}/" if crawled else f"https://{row.project}/"]
    batch_id = add_batch(session, row, settings.sitemap or "", pages, scheme_guessed=is_guessed)
    return {"last_batch": batch_id, "last_crawl": None}


def add_batch(session: Session, schedule: ScheduleRow, source: str, urls: Sequence[str], *, scheme_guessed: bool = False) -> int:
    """Store a batch that runs the reports of these URLs again and creates missing ones in the schedule's project; return its id."""
    members = [NewMember(url, int(scheme_guessed), None) for url in dict.fromkeys(urls[:MAX_URLS])]
    account_id = schedule.account_id
    values = {
        "account_id": account_id,
        "person_id": schedule.person_id,
        "project_id": schedule.project_id,
        "source": source,
        "left_out": max(0, len(urls) - MAX_URLS),
        "created_at": session.moment,
        "privacy": int(default_privacy(session, account_id, (schedule.project,))),
        "schedule_id": schedule.id,
    }
    batch_id = session.batches.add(values, members)
    session.batches.delete_beyond(account_id, MAX_FINISHED_BATCHES)
    return batch_id
