"""Old runs, crawls, saved pages and screenshots of a project go as its retention says, and nothing that is needed does."""

import os
import random
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from msgspec.structs import replace

from findable.service.crawls import crawl_jobs
from findable.service.projects import projects, retention
from findable.service.reports import history, reports
from findable.service.reports.report_access import REPORTS
from findable.service.reports.save_run import new_run
from findable.service.results import client_texts
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import ClientView
from findable.service.values.project_values import ProjectChanges, RetentionUpdate
from findable.service.values.report_values import NewReport, ReportChanges
from findable.store.crawl_row import CrawlSelection
from findable.store.crawl_schema import RESPONSE
from findable.store.rows import RunImages, RunRow
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.stored_damage import damage_of

START = int(datetime(2025, 12, 1, 3, tzinfo=UTC).timestamp())  # a Monday
DAY_S = 86_400
URL = "https://shop.example/"


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(START) as told:
        yield told


def run_again(service: Service, caller: Caller, report_id: int, score: int = 93) -> None:
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service, samples.seen(score))


def watched(service: Service, caller: Caller, clock: SimulatedClock, days: int) -> int:
    """A report with a run a day."""
    report_id = samples.made(service, caller, URL)
    for day in range(1, days):
        clock.at = START + day * DAY_S
        run_again(service, caller, report_id, 90 - day % 5)
    return report_id


def thinned(service: Service) -> None:
    while retention.delete_old(service):
        pass


def of_url(session: Session, caller: Caller) -> list[RunRow]:
    row = session.reports.of_page(caller.account_id, URL)
    assert row is not None
    return session.runs.history(row, 9)


def numbers(service: Service, caller: Caller, report_id: int) -> list[int]:
    return sorted(run.run for run in history.runs(service, caller, report_id) if run.report == report_id)


def test_runs_of_a_report_are_thinned_out_and_its_result_comparison_and_size_stay(
    service: Service, caller: Caller, clock: SimulatedClock
) -> None:
    report_id = watched(service, caller, clock, 45)
    before = history.changes(service, caller, report_id)
    thinned(service)
    size = projects.get(service, caller, "shop.example").size.total_bytes
    assert size > 0
    clock.at += 40 * DAY_S  # every run is old now
    thinned(service)
    kept = numbers(service, caller, report_id)
    assert kept == [1, 8, 15, 22, 29, 36, 43, 44, 45]  # the first of each week, the result, and what it is compared with
    assert history.changes(service, caller, report_id) == before
    assert reports.get(service, caller, report_id).run == 45
    assert projects.get(service, caller, "shop.example").size.total_bytes < size / 2
    assert damage_of(service.store) == []


def test_the_run_that_a_link_always_shows_and_the_original_of_a_rescored_run_stay(
    service: Service, caller: Caller, clock: SimulatedClock
) -> None:
    report_id = watched(service, caller, clock, 10)
    client_texts.write(service, caller, REPORTS, report_id, ClientView(run=3))
    with service.store.write() as session:
        row = session.reports.by_id(report_id)
        assert row is not None
        new = new_run(samples.report(80), started_at=clock.at, finished_at=clock.at)
        session.runs.add(row, URL, replace(new, rescored_from=5))
    clock.at += 60 * DAY_S
    thinned(service)
    assert {3, 5, 11} <= set(numbers(service, caller, report_id))
    assert 4 not in numbers(service, caller, report_id)


def test_every_report_of_a_project_is_thinned_out_each_day(
    service: Service, caller: Caller, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "REPORTS", 2)
    ids = [samples.made(service, caller, f"{URL}{number}") for number in range(4)]
    for _ in range(2):
        for report_id in ids:
            for _ in range(3):
                run_again(service, caller, report_id)
        clock.at += 40 * DAY_S
        thinned(service)
        with service.store.read() as session:
            assert max(session.runs.count(report_id) for report_id in ids) <= 4


def test_what_another_report_of_the_page_is_compared_with_stays(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    first = watched(service, caller, clock, 7)
    clock.at += DAY_S
    reports.create(service, caller, NewReport(URL))
    samples.work(service)
    before = reports.get(service, caller, first).run
    run_again(service, caller, first)
    clock.at += 60 * DAY_S
    thinned(service)
    assert before in numbers(service, caller, first)


def test_unchanged_runs_are_kept_once_a_week_where_no_full_run_is(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    report_id = samples.made(service, caller, URL)
    for day in range(1, 28):
        with service.store.write() as session:
            session.alerts.add_unchanged(report_id, START + day * DAY_S)
    clock.at = START + 100 * DAY_S
    thinned(service)
    assert [(int(at.timestamp()) - START) // DAY_S for at in history.unchanged_runs(service, caller, report_id)] == [21, 14, 7]


def test_saved_pages_and_screenshots_go_earlier_where_the_project_says_so(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    report_id = samples.made(service, caller, URL)
    run_again(service, caller, report_id)
    with service.store.write() as session:
        digest = sha256(b"shot").digest()
        session.images.add(digest, b"shot", 1, 1, clock.at)
        for run in of_url(session, caller):
            session.images.attach(run.id, RunImages(phone=digest, desktop=digest, filmstrip=digest))
    assert projects.update(service, caller, "shop.example", ProjectChanges(retention=RetentionUpdate(saved_days=3))).saved_days == 3
    clock.at += 4 * DAY_S
    thinned(service)
    with service.store.read() as session:
        kept = {run.number: (run.saved_hash, session.images.of_run(report_id, run.number)) for run in of_url(session, caller)}
    # The screenshots of what is shown stay with it.
    assert kept == {1: (None, RunImages()), 2: (None, RunImages(phone=digest, desktop=digest, filmstrip=digest))}
    assert numbers(service, caller, report_id) == [1, 2]


def crawled(service: Service, caller: Caller, at: int, privacy: Privacy = Privacy.PRIVATE, **more: object) -> int:
    """A crawl that ended then, with a stored response."""
    values = {
        "public_id": secrets.token_urlsafe(16),
        "account_id": caller.account_id,
        "url": URL,
        "scheme_guessed": 0,
        "privacy": int(privacy),
        "status": "done",
        "created_at": at,
        "updated_at": at,
        "finished_at": at,
        "settings": "{}",
        "ended_by": "complete",
        "score": 80,
        **more,
    }
    with service.store.write() as session:
        project_id = session.projects.ensure(caller.account_id, "shop.example", at)
        crawl_id = session.crawls.add({**values, "project_id": project_id}, None)
    with closing(service.crawl_home.make(crawl_id, 1)) as store, store.writing() as connection:
        connection.execute(RESPONSE.insert(), [{"id": number, "response": os.urandom(100_000)} for number in range(1, 16)])
    with service.store.write() as session:
        session.retention.resize_crawl(crawl_id, service.crawl_home.size_bytes(crawl_id))
    return crawl_id


def listed(service: Service, caller: Caller) -> list[int]:
    with service.store.read() as session:
        return [row.id for row in session.crawls.select(CrawlSelection(caller.account_id, descending=False), 99)]


def test_private_crawls_are_thinned_out_and_responses_of_the_last_two_stay(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    made = [crawled(service, caller, START + day * DAY_S) for day in range(12)]
    shared = crawled(service, caller, START + 12 * DAY_S, Privacy.PUBLIC)
    failed = crawled(service, caller, START + 13 * DAY_S, score=None, ended_by=None, status="failed")
    running = crawled(service, caller, START + 14 * DAY_S, status="running", finished_at=None, score=None)
    clock.at = START + 60 * DAY_S
    before = projects.get(service, caller, "shop.example").size.crawls_bytes
    thinned(service)
    assert listed(service, caller) == [made[0], made[7], made[11], shared, failed, running]
    sizes = {number: service.crawl_home.size_bytes(number) for number in listed(service, caller)}
    assert max(sizes[made[0]], sizes[made[7]]) < 600_000
    assert min(sizes[made[11]], sizes[shared], sizes[failed]) > 1_400_000
    while crawl_jobs.purge_deleted(service):
        pass
    assert service.crawl_home.crawl_ids() == listed(service, caller)
    assert projects.get(service, caller, "shop.example").size.crawls_bytes < before / 3


def test_a_transaction_whose_time_is_over_ends_after_a_few_rows(
    service: Service, caller: Caller, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = random.Random(1)
    report_id = samples.made(service, caller, URL)
    with service.store.write() as session:
        row = session.reports.by_id(report_id)
        assert row is not None
        for number in range(300):
            at = START + number * DAY_S // 4
            new = new_run(samples.report(80), started_at=at, finished_at=at)
            session.runs.add(row, row.url, replace(new, analysis=noise.randbytes(4_000), saved_page=noise.randbytes(4_000)))
    clock.at = START + 200 * DAY_S
    changes: list[int] = []
    write = service.store.write

    @contextmanager
    def counted() -> Iterator[Session]:
        with write() as session:
            before = session.retention.runs(report_id, clock.at)
            yield session
            after = session.retention.runs(report_id, clock.at)
        changes.append(len(set(before) - set(after)))  # deleted, or without their saved page

    monkeypatch.setattr(retention, "TURN_S", 0)
    monkeypatch.setattr(service.store, "write", counted)
    thinned(service)
    assert len(numbers(service, caller, report_id)) < 30
    assert 0 < max(changes) <= retention.AT_ONCE


def test_reports_of_one_old_run_without_its_page_are_not_read_each_day(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    single, twice = (samples.made(service, caller, f"{URL}{name}") for name in ("single", "twice"))
    run_again(service, caller, twice)
    project_id = projects.get(service, caller, "shop.example").id

    def read(before: int) -> list[int]:
        with service.store.read() as session:
            return session.retention.reports(project_id, 0, before, 9)

    assert (read(START), read(START + DAY_S)) == ([], [single, twice])
    clock.at += 60 * DAY_S
    thinned(service)
    assert read(clock.at) == [twice]
