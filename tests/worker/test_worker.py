"""The worker: poison pages, retries, hosts, priorities, waiting, housekeeping."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import update

from findable.clock import now
from findable.errors import Cause, PageError, PageErrorCode, PageUnavailable
from findable.reports.page_error_text import sentences_of
from findable.reports.report import Report
from findable.service import housekeeping
from findable.service.projects import projects, retention
from findable.service.reports import report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store import store_protocol
from findable.store.schema import job_tables
from findable.vocabulary import Status
from findable.worker import analysis_pool as pool_module
from findable.worker.analysis_pool import MAX_RESIDENT_BYTES, AnalysisPool, ProcessCrashed
from findable.worker.report_task import Analyser, Progress
from findable.worker.worker_loop import Worker
from tests.service import samples
from tests.tiers import sampled
from tests.worker.processes import eventually, exists


@asynccontextmanager
async def working(service: Service, analyser: Analyser) -> AsyncIterator[Worker]:
    worker = Worker(service, analyser)
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop(0)


async def quick(job: ReportJob, progress: Progress) -> AnalysedPage:
    progress("fetch", 0, 1)
    return samples.seen()


def opened(tmp_path: Path, **more: object) -> Service:
    return Service.open(samples.settings(tmp_path, **more), exclusive=True)


def test_a_request_waits_for_its_report(tmp_path: Path) -> None:
    async def story() -> None:
        service = opened(tmp_path, waiting_slots=1)
        caller = samples.owner(service)
        gate = asyncio.Event()

        async def gated(job: ReportJob, progress: Progress) -> AnalysedPage:
            await gate.wait()
            return samples.seen()

        async with working(service, gated):
            report = (await service.run(reports.create, caller, NewReport("https://a.example/"))).report
            assert not await service.wait_until_done(report.id, 0)
            assert not await service.wait_until_done(report.id, 0.05)
            waiting = asyncio.create_task(service.wait_until_done(report.id, 20))
            await eventually(lambda: service.waiting_count > 0)
            assert not await service.wait_until_done(report.id, 20)  # no slot is free: answered at once
            gate.set()
            assert await waiting
            assert (await service.run(reports.get, caller, report.id)).status is Status.DONE
            assert await service.wait_until_done(10**9, 0)  # what is gone is not waited for
        service.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("raised", "code"), [(PageUnavailable(PageErrorCode.TLS_FAILED), "tls_failed"), (ZeroDivisionError("ours"), "internal_error")]
)
def test_whatever_happens_a_report_ends(tmp_path: Path, raised: Exception, code: str) -> None:
    async def story() -> None:
        service = opened(tmp_path)
        caller = samples.owner(service)

        async def broken(job: ReportJob, progress: Progress) -> AnalysedPage:
            raise raised

        async with working(service, broken):
            report = (await service.run(reports.create, caller, NewReport("https://a.example/"))).report
            assert await service.wait_until_done(report.id, 20)
        failed = reports.get(service, caller, report.id)
        assert failed.error is not None
        assert (failed.status, failed.error.code) == (Status.FAILED, code)
        assert "ours" not in sentences_of(failed.error)
        service.close()

    asyncio.run(story())


def test_f5_a_page_that_kills_its_process_three_times_is_abandoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_jobs, "RETRY_AFTER_S", (0, 0, 0))

    async def story() -> None:
        service = opened(tmp_path, report_concurrency=3)
        caller = samples.owner(service)
        pool = AnalysisPool(2)
        tries: list[str] = []

        async def through_pool(job: ReportJob, progress: Progress) -> AnalysedPage:
            tries.append(job.url)
            await pool(_parse, job.url)
            return samples.seen()

        async with working(service, through_pool):
            ids = {}
            for name in ("poison", "a", "b", "c"):
                created = await service.run(reports.create, caller, NewReport(f"https://{name}.example/"))
                ids[name] = created.report.id
            for report_id in ids.values():
                assert await service.wait_until_done(report_id, 30)
        assert tries.count("https://poison.example/") == 3
        assert len(tries) == 6  # nobody else had to begin anew
        found = {name: reports.get(service, caller, report_id) for name, report_id in ids.items()}
        assert [found[name].status for name in ("a", "b", "c")] == [Status.DONE] * 3
        assert found["poison"].error is not None
        assert (found["poison"].status, found["poison"].error.code) == (Status.FAILED, "worker_crashed")
        await pool.close()
        service.close()

    asyncio.run(story())


def _parse(url: str) -> None:
    if "poison" in url:
        os.abort()


def with_pool(story: Callable[[AnalysisPool], Awaitable[None]], **options: float) -> None:
    async def main() -> None:
        pool = AnalysisPool(2, **options)  # type: ignore[arg-type]  # options by name
        try:
            await story(pool)
        finally:
            await pool.close()
        assert pool.pids == ()

    asyncio.run(main())


def test_the_pool_returns_and_raises_what_the_function_does() -> None:
    async def story(pool: AnalysisPool) -> None:
        assert await pool(sorted, [3, 1, 2]) == [1, 2, 3]
        with pytest.raises(ValueError, match="invalid literal"):
            await pool(int, "x")
        with pytest.raises(PageUnavailable) as refused:
            await pool(_refuse)
        assert refused.value.error == PageError(PageErrorCode.NOT_HTML, Cause.MEDIA_TYPE, phase="body", media_type="image/png")
        assert await pool(Report.from_bytes, samples.report().to_bytes()) == samples.report()
        assert len(pool.pids) == 1  # one after the other needs one process

    with_pool(story)


def _refuse() -> None:
    raise PageUnavailable(PageError(PageErrorCode.NOT_HTML, Cause.MEDIA_TYPE, phase="body", media_type="image/png"))


def test_f33_a_function_that_never_ends_is_ended() -> None:
    async def story(pool: AnalysisPool) -> None:
        assert await pool(os.getpid) != os.getpid()
        (pid,) = pool.pids
        with pytest.raises(ProcessCrashed, match=r"no response within 3 s"):
            await pool(time.sleep, 60)
        assert not exists(pid)

    with_pool(story, time_limit_s=3.0)


def test_idle_processes_end_and_cancelled_work_leaves_none() -> None:
    async def story(pool: AnalysisPool) -> None:
        pid = await pool(os.getpid)
        await eventually(lambda: not exists(pid))
        before = _children()
        work = asyncio.create_task(pool(time.sleep, 60))
        await eventually(lambda: _children() != before)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert _children() == before

    with_pool(story, idle_s=0.1)


def test_a_pool_that_closes_while_it_ends_idle_processes_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "WAITED_S", 0)
    before = _children()

    async def story(pool: AnalysisPool) -> None:
        for _ in range(2):  # after the second time, both processes have been idle equally long
            await asyncio.gather(pool(time.sleep, 0.2), pool(time.sleep, 0.2))
        idle = pool.pids
        while pool.pids == idle:  # noqa: ASYNC110 - the next step of the loop, before the first process has ended
            await asyncio.sleep(0)

    with_pool(story, idle_s=1.0)
    assert _children() == before


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def test_a_process_is_replaced_after_a_number_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "PAGES_PER_PROCESS", 2)

    async def story(pool: AnalysisPool) -> None:
        pids = [await pool(os.getpid) for _ in range(4)]
        assert pids[0] == pids[1] != pids[2] == pids[3]

    with_pool(story)


_KEPT: list[bytes] = []


def _keep(bytes_count: int) -> int:
    """What a page may leave behind: memory that does not come back."""
    _KEPT.append(b"x" * bytes_count)
    return os.getpid()


@pytest.mark.full
def test_a_process_that_a_page_left_large_is_replaced() -> None:
    async def story(pool: AnalysisPool) -> None:
        small = await pool(_keep, 1_000_000)
        assert await pool(_keep, 1_000_000) == small
        assert await pool(_keep, MAX_RESIDENT_BYTES) == small
        assert pool.pids == ()
        assert not exists(small)
        assert await pool(os.getpid) != small

    with_pool(story)


def test_short_calls_share_a_process_and_long_ones_get_a_further_one() -> None:
    async def story(pool: AnalysisPool) -> None:
        first = await pool(os.getpid)
        assert set(await asyncio.gather(*(pool(os.getpid) for _ in range(20)))) == {first}
        stuck = asyncio.create_task(pool(time.sleep, 600))
        await eventually(lambda: pool.pids == ())
        further = await pool(os.getpid)  # it waits for the stuck call for a time
        assert further != first
        assert set(await asyncio.gather(*(pool(os.getpid) for _ in range(20)))) == {further}
        stuck.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stuck
        assert not exists(first)
        assert pool.pids == (further,)

    with_pool(story)


@pytest.mark.full
def test_a_process_that_gave_its_memory_back_is_kept() -> None:
    async def story(pool: AnalysisPool) -> None:
        pid = await pool(os.getpid)
        assert await pool(len, b"x" * MAX_RESIDENT_BYTES) == MAX_RESIDENT_BYTES
        assert await pool(os.getpid) == pid

    with_pool(story)


def test_s92_reports_of_one_host_are_made_two_at_a_time_over_all_accounts(tmp_path: Path) -> None:
    service = opened(tmp_path, host_concurrency=2, allow_targets=("127.0.0.1",))
    callers = [samples.owner(service, f"{n}@b.example") for n in range(4)]
    for n in range(12):
        url = "https://www.one.example/" if n < 8 else f"http://127.0.0.1:{8000 + n}/"
        reports.create(service, callers[n % 4], NewReport(url))
    held = []
    while (job := report_jobs.claim(service, "w")) is not None:
        held.append(job)
    hosts = [job.url.split("/")[2] for job in held]
    assert hosts.count("www.one.example") == 2
    assert len(held) == 6  # what an operator allowed has no limit
    report_jobs.complete(service, next(job for job in held if "one" in job.url), samples.seen())
    assert report_jobs.claim(service, "w") is not None
    assert report_jobs.claim(service, "w") is None
    service.close()


def test_s92_an_account_that_holds_a_host_for_long_leaves_one_place_to_others(tmp_path: Path) -> None:
    service = opened(tmp_path, host_concurrency=2)
    greedy, *others = [samples.owner(service, f"{n}@b.example") for n in range(3)]
    for n in range(9):  # longer than what goes before long queues
        reports.create(service, greedy, NewReport(f"https://www.one.example/{n}"))

    def begin_later(seconds: int) -> None:
        with service.store.write() as session:
            session.jobs._connection.execute(update(job_tables.job).values(started_at=job_tables.job.c.started_at + seconds))

    held = [report_jobs.claim(service, "w") for _ in range(2)]
    begin_later(60)
    assert all(job is not None and job.account_id == greedy.account_id for job in held)
    for caller in others:
        reports.create(service, caller, NewReport("https://www.one.example/"))
    assert report_jobs.claim(service, "w") is None
    begin_later(-62)
    third = report_jobs.claim(service, "w")
    assert third is not None
    assert third.account_id == others[0].account_id
    assert report_jobs.claim(service, "w") is None
    report_jobs.complete(service, third, samples.seen())
    fourth = report_jobs.claim(service, "w")
    assert fourth is not None
    assert fourth.account_id == others[1].account_id
    service.close()


def test_f15_s92_pages_of_one_account_that_hang_hold_no_other_up(tmp_path: Path) -> None:
    async def story() -> None:
        service = opened(tmp_path, report_concurrency=2, host_concurrency=1000)
        greedy, other = samples.owner(service), samples.owner(service, "other@example.com")
        gate = asyncio.Event()
        hanging = most = 0

        async def hangs(job: ReportJob, progress: Progress) -> AnalysedPage:
            nonlocal hanging, most
            if job.account_id == greedy.account_id:
                hanging += 1
                most = max(most, hanging)
                await gate.wait()
                hanging -= 1
            return samples.seen()

        async with working(service, hangs):
            for n in range(10):
                await service.run(reports.create, greedy, NewReport(f"https://g{n}.example/"))
            await eventually(lambda: hanging == 2)
            for n in range(3):
                made = (await service.run(reports.create, other, NewReport(f"https://o{n}.example/"))).report
                assert await service.wait_until_done(made.id, 60)
            assert most == 2, "the place that is left for others is not taken"
            gate.set()
        service.close()

    asyncio.run(story())


def test_f15_a_long_queue_of_one_account_holds_nobody_else_up(tmp_path: Path) -> None:
    service = opened(tmp_path, host_concurrency=1000)
    greedy, second, small = (samples.owner(service, f"{name}@b.example") for name in ("greedy", "second", "small"))
    for n in range(300):
        reports.create(service, greedy, NewReport(f"https://g{n}.example/"))
    for n in range(20):
        reports.create(service, second, NewReport(f"https://s{n}.example/"))
    mine = reports.create(service, small, NewReport("https://mine.example/")).report.id
    order = []
    for _ in range(40):
        job = report_jobs.claim(service, "w")
        assert job is not None
        order.append(job)
    assert mine in [job.report_id for job in order[:6]]
    accounts = [job.account_id for job in order[10:40]]
    assert abs(accounts.count(greedy.account_id) - accounts.count(second.account_id)) <= 2  # they take turns
    own = [job.report_id for job in order if job.account_id == greedy.account_id]
    assert own == sorted(own)  # first come, first served within an account
    service.close()


@pytest.mark.parametrize("hands", sampled((3, 1)))
def test_f15_single_reports_without_end_keep_no_long_queue_waiting(tmp_path: Path, database_url: str, hands: int) -> None:
    """Two accounts with long queues, four that ask anew whenever theirs is done: no long one waits ten times its share."""
    service = opened(tmp_path, host_concurrency=1000, database_url=database_url)
    long = [samples.owner(service, f"long{n}@b.example") for n in range(2)]
    for n in range(25):
        for number, caller in enumerate(long):
            reports.create(service, caller, NewReport(f"https://l{number}-{n}.example/"))
    small = [samples.owner(service, f"s{n}@b.example") for n in range(4)]
    begun: list[int] = []
    at_work: list[report_jobs.ReportJob] = []
    for n in range(130):
        for caller in small:
            with service.store.read() as session:
                waits = session.jobs.active(caller.account_id)
            if not waits:
                reports.create(service, caller, NewReport(f"https://s{caller.account_id}-{n}.example/"))
        at_work += report_jobs.claim_some(service, "w", hands - len(at_work))
        job = at_work.pop(0)
        begun.append(job.account_id)
        assert report_jobs.complete(service, job, samples.seen())
    shares = 2 + len(small)
    for caller in long:
        turns = [place for place, account_id in enumerate(begun) if account_id == caller.account_id]
        assert max(after - before for before, after in pairwise([0, *turns, len(begun)])) <= 10 * shares
    assert sum(account_id in {caller.account_id for caller in small} for account_id in begun[-100:]) > 60  # and single ones still go first
    service.close()


def test_a_queue_behind_a_busy_host_is_passed_over(tmp_path: Path) -> None:
    service = opened(tmp_path, host_concurrency=1)
    caller = samples.owner(service)
    for n in range(260):
        reports.create(service, caller, NewReport(f"https://one.example/{n}"))
    last = reports.create(service, caller, NewReport("https://two.example/")).report.id
    first = report_jobs.claim(service, "w")
    second = report_jobs.claim(service, "w")
    assert first is not None
    assert second is not None
    assert second.report_id == last
    assert report_jobs.claim(service, "w") is None
    service.close()


def test_f37_a_deleted_project_is_gone_at_once_and_purged_a_little_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "PURGE_TURN_S", 0)  # no turn does more than it must
    service = opened(tmp_path, host_concurrency=1000)
    caller = samples.owner(service)
    for n in range(65):
        reports.create(service, caller, NewReport(f"https://a.example/{n}"))
        if n < 50:
            samples.work(service)
    kept = samples.made  # what stays is another site's
    deleted = projects.delete(service, caller, "a.example")
    assert deleted.reports_deleted == 65
    assert reports.find(service, caller, ReportQuery()).total == 0
    assert report_jobs.claim(service, "w") is None  # nobody wants these any more
    steps = 1
    while housekeeping.purge_deleted(service):
        steps += 1
    assert steps > 65 / housekeeping.PURGE_REPORTS
    assert [_rows(service, name) for name in ("report", "run", "finding", "blob", "job", "turn", "project")] == [0] * 7
    assert kept(service, caller, "https://a.example/")
    service.close()


def test_f37_one_turn_of_the_purge_removes_a_bounded_number_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "PURGE_TURN_S", 1000)
    service = opened(tmp_path, host_concurrency=1000)
    caller = samples.owner(service)
    for n in range(2 * housekeeping.PURGE_TURN_REPORTS + 3):
        reports.create(service, caller, NewReport(f"https://a.example/{n}"))
    projects.delete(service, caller, "a.example")
    left = [_rows(service, "report")]
    while housekeeping.purge_deleted(service):
        left.append(_rows(service, "report"))
    assert left[:4] == [43, 23, 3, 0]
    service.close()


def _rows(service: Service, table: str) -> int:
    with service.store.read() as session:
        return int(session.jobs._connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def test_f37_the_worker_purges_without_being_asked(tmp_path: Path) -> None:
    async def story() -> None:
        service = opened(tmp_path, host_concurrency=1000)
        caller = samples.owner(service)
        for n in range(30):
            samples.made(service, caller, f"https://a.example/{n}")
        async with working(service, quick):
            await service.run(projects.delete, caller, "a.example")
            await eventually(lambda: _rows(service, "report") == 0)
        service.close()

    asyncio.run(story())


def test_old_saved_pages_are_forgotten_and_results_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = opened(tmp_path)
    caller = samples.owner(service)
    same = [samples.made(service, caller, f"https://a.example/{n}", samples.seen(page=b"same")) for n in range(3)]
    assert _rows(service, "blob") == 1
    reports.delete(service, caller, same[0])
    assert _rows(service, "blob") == 1
    assert not retention.delete_old_pages(service)
    assert _rows(service, "blob") == 1
    monkeypatch.setattr(store_protocol, "now", lambda: now() + timedelta(days=31))
    retention.delete_old_pages(service)
    housekeeping.delete_expired(service)
    housekeeping.free_disk_space(service)
    assert _rows(service, "blob") == 0
    assert reports.get(service, caller, same[1]).score == 93
    service.close()
