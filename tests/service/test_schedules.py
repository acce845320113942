"""Schedules: what their turns queue, once for each planned moment."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from sqlalchemy import update

from findable.errors import NotFound, PageErrorCode, QuotaExceeded, ValidationFailed
from findable.monitor.schedule_rules import WEEKDAYS, default_time, rule_of
from findable.service.crawls import crawl_jobs, crawls
from findable.service.crawls.crawl_jobs import SliceOutcome
from findable.service.projects import due_schedules, projects, schedules
from findable.service.reports import batches, report_jobs, reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlFailure, CrawlQuery
from findable.service.values.report_values import NewReport, ReportChanges, ReportQuery
from findable.service.values.schedule_values import (
    ScheduleCreate,
    ScheduledWork,
    ScheduleOptions,
    ScheduleProblem,
    ScheduleShape,
    ScheduleUpdate,
)
from findable.store.crawl_statements import Crawls
from findable.store.schedule_statements import ScheduleRow
from findable.store.schema import job_tables
from findable.vocabulary import Privacy
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.tiers import sampled

NOON = 1_795_435_200  # 23 November 2026, 12:00 UTC
DAY_S = 86_400


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(NOON) as told:
        yield told


def problem_of(service: Service, caller: Caller, schedule_id: int) -> str | None:
    """Returns why the work was not started, also before the first run."""
    with service.store.read() as session:
        row = session.schedules.by_id(schedule_id, caller.account_id)
    return row.last_problem if row else None


def made(service: Service, caller: Caller, **fields: object) -> ScheduleShape:
    projects.make(service, caller, "https://example.com/")
    return schedules.create(service, caller, ScheduleCreate(**{"project": "example.com", **fields}))  # type: ignore[arg-type]  # fields by name


def run_due(service: Service) -> None:
    while claimed := due_schedules.claim_some(service, "w", 4):
        for job in claimed:
            asyncio.run(due_schedules.run(service, job))


def finish_all(service: Service) -> list[str]:
    """Feed and finish every report; return their URLs."""
    seen: list[str] = []
    while True:
        while batches.feed(service):
            pass
        job = report_jobs.claim(service, "tests")
        if job is None:
            return seen
        assert report_jobs.complete(service, job, samples.seen())
        seen.append(job.url)


def test_a_daily_schedule_runs_the_reports_of_its_project_again(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    urls = [f"https://example.com/{number}" for number in range(3)]
    for url in (*urls, urls[0], "https://other.example/"):
        reports.create(service, caller, NewReport(url))
    finish_all(service)
    view = made(service, caller, at="15:00")
    assert not finish_all(service)
    for _ in range(2):
        clock.at = int(schedules.get(service, caller, view.id).next_at.timestamp()) - 1
        run_due(service)
        assert not finish_all(service)
        clock.at += 1
        run_due(service)
        run_due(service)
        assert sorted(finish_all(service)) == urls
        shown = schedules.get(service, caller, view.id)
        assert shown.last is not None
        assert (shown.last.late, shown.last.problem) == (False, None)
        assert shown.next_at.timestamp() - clock.at == DAY_S
    newest = {url: number for number, url in enumerate((*urls, urls[0]), 1)}
    with service.store.read() as session:
        assert [session.runs.count(number) for number in newest.values()] == [3, 3, 3]
        assert session.runs.count(5) == 1


def test_a_week_of_downtime_is_made_up_for_once_and_marked_late(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    reports.create(service, caller, NewReport("https://example.com/"))
    finish_all(service)
    view = made(service, caller)
    clock.at += 8 * DAY_S
    run_due(service)
    assert finish_all(service) == ["https://example.com/"]
    run_due(service)
    assert not finish_all(service)
    last = schedules.get(service, caller, view.id).last
    assert last is not None
    assert last.late


def claimed_row(service: Service, view: ScheduleShape) -> ScheduleRow:
    with service.store.read() as session:
        row = session.schedules.by_id(view.id)
    assert row is not None
    return row


def test_a_planned_moment_is_run_once_whoever_claims_it(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    reports.create(service, caller, NewReport("https://example.com/"))
    finish_all(service)
    view = made(service, caller)
    clock.at += DAY_S
    assert [job.id for job in due_schedules.claim_some(service, "w", 4)] == [view.id]
    assert due_schedules.claim_some(service, "w", 4) == []
    row = claimed_row(service, view)
    clock.at += due_schedules.LEASE_S  # the worker that claimed it was killed
    assert [job.id for job in due_schedules.claim_some(service, "w", 4)] == [view.id]
    assert due_schedules.complete_run(service, row)
    assert not due_schedules.complete_run(service, row)  # it was not
    assert finish_all(service) == ["https://example.com/"]


def test_schedules_that_fail_are_tried_again_in_an_hour(
    service: Service, caller: Caller, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = made(service, caller), made(service, caller)
    with service.store.write() as session:
        session.schedules.change(broken.id, every="never")  # no version has written it
    clock.at += DAY_S
    for _ in range(3):
        run_due(service)
        clock.at += 600
    assert schedules.get(service, caller, whole.id).last is not None
    assert caplog.text.count("schedule 1 failed") == 1
    clock.at += 3600
    run_due(service)
    assert caplog.text.count("schedule 1 failed") == 2


def test_a_crawl_is_queued_unless_the_one_before_still_runs(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    view = made(service, caller, what=ScheduledWork.CRAWL, every="PT1H", settings=ScheduleOptions(pages=50))
    for problem in (None, ScheduleProblem.STILL_RUNNING):
        clock.at += 2 * 3600
        run_due(service)
        assert problem_of(service, caller, view.id) == problem
    found = crawls.find(service, caller, CrawlQuery()).items
    assert [(one.url, one.settings.pages, one.privacy) for one in found] == [("https://example.com/", 50, Privacy.PRIVATE)]


def test_a_project_without_reports_gets_one_of_its_start_page(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    view = made(service, caller)
    clock.at += DAY_S
    run_due(service)
    batches.feed(service)
    assert problem_of(service, caller, view.id) is None
    assert [one.url for one in reports.find(service, caller, ReportQuery()).items] == ["https://example.com/"]


def test_a_report_that_somebody_runs_is_not_a_scheduled_one(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    report = reports.create(service, caller, NewReport("https://example.com/")).report
    finish_all(service)
    made(service, caller)
    clock.at += DAY_S
    run_due(service)
    batches.feed(service)
    reports.update(service, caller, report.id, ReportChanges(results=True))
    job = report_jobs.claim(service, "tests")
    assert job is not None
    assert (job.known, job.fresh_site) == (None, True)


def test_schedules_of_deleted_projects_and_of_others_are_gone(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    view = made(service, caller)
    other = samples.owner(service, "other@example.com")
    with pytest.raises(NotFound):
        schedules.get(service, other, view.id)
    with pytest.raises(NotFound):
        schedules.delete(service, other, view.id)
    projects.delete(service, caller, "example.com")
    with pytest.raises(NotFound):
        schedules.get(service, caller, view.id)
    clock.at += DAY_S
    run_due(service)
    assert schedules.find(service, caller) == ()


def test_batches_of_schedules_leave_room_for_those_of_people(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    old = samples.made(service, caller)
    view = made(service, caller)
    row = claimed_row(service, view)
    clock.at += DAY_S
    with service.store.write() as session:
        urls = [f"https://example.com/{number}" for number in range(service.settings.queue_limit + batches.MAX_URLS)]
        due_schedules.add_batch(session, row, "", ["https://example.com/", *urls])
    asked = batches.create(service, caller, batches.NewBatch(["https://asked.example/"])).batch
    batches.feed(service)
    assert batches.get(service, caller, asked.id).counts["queued"] == 1
    with service.store.read() as session:
        assert session.reports.by_id(old) is not None
        assert session.jobs.of_batches(caller.account_id) == 1


def test_a_deleted_project_is_not_made_again_by_its_batch(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    samples.made(service, caller)
    made(service, caller)
    clock.at += DAY_S
    run_due(service)
    projects.delete(service, caller, "example.com")
    assert not finish_all(service)
    with pytest.raises(NotFound):
        projects.get(service, caller, "example.com")
    (batch,) = batches.find(service, caller)
    assert batch.counts["refused"] == 1


def test_a_project_deleted_within_its_turn_is_not_crawled(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    view = made(service, caller, what=ScheduledWork.CRAWL)
    clock.at += DAY_S
    assert [job.id for job in due_schedules.claim_some(service, "w", 4)] == [view.id]
    row = claimed_row(service, view)
    projects.delete(service, caller, "example.com")
    assert not due_schedules.complete_run(service, row)
    assert crawls.find(service, caller, CrawlQuery()).items == ()


def test_a_page_whose_last_run_failed_is_run_in_full(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    url = "https://example.com/a"
    samples.made(service, caller, url)
    made(service, caller)
    known: list[bool] = []
    seen = structs.replace(samples.seen(), fingerprint=b"same")
    for outcome in (seen, samples.unavailable(PageErrorCode.BOT_CHALLENGE), seen, seen):
        clock.at += DAY_S
        run_due(service)
        batches.feed(service)
        job = report_jobs.claim(service, "tests")
        assert job is not None
        known.append(job.known is not None)
        assert report_jobs.store_outcomes(service, [(job, outcome)])
    assert known == [False, True, False, True]


def test_wrong_fields_are_named_all_at_once(service: Service, caller: Caller) -> None:
    with pytest.raises(ValidationFailed) as wrong:
        made(service, caller, every="never", at="25:00", time_zone="Mars/Phobos", settings=ScheduleOptions(sitemap="ftp://example.com"))
    assert set(wrong.value.errors) == {"every", "at", "time_zone", "settings.sitemap"}
    with pytest.raises(ValidationFailed) as elsewhere:
        made(service, caller, what=ScheduledWork.CRAWL, settings=ScheduleOptions(url="https://other.example/", depth=-1))
    assert set(elsewhere.value.errors) == {"settings.depth"}
    with pytest.raises(ValidationFailed) as another_site:
        made(service, caller, what=ScheduledWork.CRAWL, settings=ScheduleOptions(url="https://other.example/"))
    assert set(another_site.value.errors) == {"settings.url"}


def test_an_account_has_a_limit_of_schedules(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "MAX_SCHEDULES", 1)
    view = made(service, caller, at="03:00")
    changed = schedules.update(service, caller, view.id, ScheduleUpdate(every="week"))
    assert (changed.every, changed.at) == ("week", "mon 03:00")
    assert schedules.update(service, caller, view.id, ScheduleUpdate(every="month")).at == "1 03:00"
    with pytest.raises(QuotaExceeded):
        made(service, caller)


SITES = 60
AT_ONCE = 5


@pytest.mark.parametrize("kill_every", sampled([0, 7]))
def test_sixty_crawls_of_one_hour_run_in_that_night(database_url: str, tmp_path: Path, clock: SimulatedClock, kill_every: int) -> None:
    """With ``kill_every``, the service is killed every few minutes: with claims of schedules, and before a crawl has a page."""
    service = Service.open(samples.settings(tmp_path, database_url=database_url))
    caller = samples.owner(service)
    assert service.settings.crawls_at_once == AT_ONCE
    names = [f"site-{number}.example" for number in range(SITES)]
    for name in names:
        projects.make(service, caller, f"https://{name}/")
        settings = ScheduleOptions(pages=1)
        schedules.create(service, caller, ScheduleCreate(project=name, what=ScheduledWork.CRAWL, at="03:00", settings=settings))
    clock.at += 15 * 3600  # 03:00
    order: list[int] = []
    waiting = 0
    for minute in range(8 * 60):  # the night
        clock.at += 60
        if kill_every and minute % kill_every == 0:
            due_schedules.claim_some(service, "killed", 4)
            crawl_jobs.claim_some(service, "killed", 1)
            service.close()
            service = Service.open(samples.settings(tmp_path, database_url=database_url))
            with service.store.write() as session:  # as at the start of a worker, without waiting for missing heartbeats
                session.schedules._connection.execute(
                    update(job_tables.job)
                    .where(job_tables.job.c.state == "running")
                    .values(state="ready", failures=job_tables.job.c.failures + 5)
                )
            continue
        run_due(service)
        with service.store.read() as session:
            assert session.crawls.count_unfinished(caller.account_id) <= AT_ONCE
        if waiting <= SITES // 2:
            found = schedules.find(service, caller, limit=SITES)
            waiting = max(waiting, sum(problem_of(service, caller, one.id) == ScheduleProblem.WAITING for one in found))
        (done, *_) = crawl_jobs.claim_some(service, "w", 1) or (None,)
        if done is not None:  # a crawl a minute
            assert crawl_jobs.store_outcome(service, done, SliceOutcome(failure=CrawlFailure.SITE_UNREACHABLE))
            order.append(done.crawl_id)
    assert waiting > SITES // 2
    crawled = [one.url for one in crawls.find(service, caller, CrawlQuery(per_page=100)).items]
    assert sorted(crawled) == sorted(f"https://{name}/" for name in names)
    assert len(order) == SITES
    for one in schedules.find(service, caller, limit=SITES):
        assert (problem_of(service, caller, one.id), one.next_at.timestamp() - clock.at < DAY_S) == (None, True)
    service.close()


def test_a_run_above_a_quota_waits_for_it_and_not_for_the_next_date(
    service: Service, caller: Caller, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = made(service, caller, what=ScheduledWork.CRAWL, every="month", settings=ScheduleOptions(pages=50))
    clock.at = int(view.next_at.timestamp())
    with monkeypatch.context() as limited:
        limited.setattr(Crawls, "requests_since", lambda *_: service.settings.crawl_pages - 10)
        run_due(service)
        assert problem_of(service, caller, view.id) == ScheduleProblem.QUOTA
        assert not crawls.find(service, caller, CrawlQuery()).items
    clock.at += due_schedules.AFTER_FAILURE_S
    run_due(service)
    assert problem_of(service, caller, view.id) is None
    assert len(crawls.find(service, caller, CrawlQuery()).items) == 1


def test_new_schedules_are_spread_over_the_nights_of_a_week() -> None:
    weekly = Counter(default_time("week", number) for number in range(1, SITES + 1))
    assert {text.partition(" ")[0] for text in weekly} == set(WEEKDAYS)
    assert max(weekly.values()) == 1
    assert len({default_time("day", number) for number in range(1, SITES + 1)}) == SITES
    assert len({default_time("month", number).partition(" ")[0] for number in range(1, SITES + 1)}) == 28
    for every in ("day", "week", "month", "PT6H"):
        for number in range(1, 1000):
            rule, problems = rule_of(every, default_time(every, number), "UTC")
            assert rule is not None, problems
            assert 1 <= rule.hour < 5
