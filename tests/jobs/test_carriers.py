"""One class over both carriers, with real stores: the loop of one process on SQLite, the engine on PostgreSQL."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from findable.service.crawls import crawls
from findable.service.crawls.crawl_jobs import CrawlJob
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.deliveries import DeliveryJob
from findable.service.delivery.webhook_settings import WebhookCreate
from findable.service.projects import due_schedules, schedules
from findable.service.reports import report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import NewCrawl
from findable.service.values.report_values import NewReport, ReportQuery
from findable.service.values.schedule_values import ScheduleCreate
from findable.vocabulary import Status
from findable.worker.report_task import Progress
from findable.worker.worker_loop import SPARE, Worker
from tests.conftest import new_database
from tests.service import samples
from tests.worker.processes import eventually, log_of, stub_service, until

HANDS = 3


@pytest.fixture(params=["sqlite", "postgresql"], ids=["embedded", "engine"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    with new_database(request, tmp_path) as url:
        more: dict[str, Any] = {"rate_limit": 0, "report_concurrency": HANDS, "host_concurrency": 2, "database_url": url}
        opened = Service.open(samples.settings(tmp_path, **more), exclusive=False)
        yield opened
        opened.close()


class Hands:
    """An analyser that ends a report when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.left: list[str] = []
        self.most = 0
        self.most_of_a_host = 0
        self.gate = asyncio.Event()

    @property
    def running(self) -> list[str]:
        return list((Counter(self.begun) - Counter(self.ended) - Counter(self.left)).elements())

    async def __call__(self, job: ReportJob, progress: Progress) -> AnalysedPage:
        self.begun.append(job.url)
        self.most = max(self.most, len(self.running))
        self.most_of_a_host = max(self.most_of_a_host, *Counter(url.split("/")[2] for url in self.running).values())
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.left.append(job.url)
            raise
        self.ended.append(job.url)
        return samples.seen()


@asynccontextmanager
async def working(service: Service, hands: Hands) -> AsyncIterator[Worker]:
    worker = Worker(service, hands)
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop(0)


@asynccontextmanager
async def next_process(service: Service) -> AsyncIterator[Service]:
    opened = Service.open(service.settings, exclusive=False)
    yield opened
    opened.close()


def queued(service: Service, caller: Caller, *urls: str) -> list[int]:
    return [reports.create(service, caller, NewReport(url)).report.id for url in urls]


def done(service: Service, caller: Caller) -> int:
    return reports.find(service, caller, ReportQuery(status=Status.DONE)).total


def jobs_left(service: Service) -> dict[str, int]:
    with service.store.read() as session:
        return {state: count for state, (count, _) in session.jobs.depths().items()}


class TestBothCarriers:
    def play(self, story: Callable[[Hands], Any]) -> None:
        async def main() -> None:
            async with asyncio.timeout(90):
                await story(Hands())

        asyncio.run(main())

    def test_all_reports_end_and_no_more_run_at_once_than_hands(self, service: Service) -> None:
        caller = samples.owner(service)
        queued(service, caller, *(f"https://h{n}.example/" for n in range(20)))

        async def story(hands: Hands) -> None:
            async with working(service, hands):
                await eventually(lambda: len(hands.begun) == HANDS)
                hands.gate.set()
                await eventually(lambda: done(service, caller) == 20)
            assert hands.most <= HANDS + SPARE
            assert Counter(hands.begun).most_common(1)[0][1] == 1
            assert jobs_left(service) == {}

        self.play(story)

    def test_a_host_gets_no_more_at_once_than_its_limit(self, service: Service) -> None:
        caller = samples.owner(service)
        queued(service, caller, *(f"https://h{n % 2}.example/{n}" for n in range(12)))

        async def story(hands: Hands) -> None:
            hands.gate.set()
            async with working(service, hands):
                await eventually(lambda: done(service, caller) == 12)
            assert hands.most_of_a_host <= 2

        self.play(story)

    def test_a_slow_hosts_many_jobs_wait_in_the_table_and_hold_nobody_up(self, service: Service) -> None:
        caller, other = samples.owner(service), samples.owner(service, "other@example.com")
        queued(service, caller, *(f"https://slow.example/{n}" for n in range(60)))
        queued(service, other, *(f"https://h{n}.example/" for n in range(20)))

        class Slow(Hands):
            async def __call__(self, job: ReportJob, progress: Progress) -> AnalysedPage:
                if "slow" not in job.url:
                    return samples.seen()
                return await super().__call__(job, progress)

        async def main() -> None:
            hands = Slow()
            async with asyncio.timeout(90), working(service, hands):
                await eventually(lambda: done(service, other) == 20)
                assert len(hands.begun) <= 2  # the limit of the host
                with service.store.read() as session:
                    assert session.jobs.depths()["running"][0] <= 2
                    if service.store.is_shared:
                        assert session.messages.waiting("report") == 0

        asyncio.run(main())

    def test_an_account_without_running_reports_gets_the_spare_hand(self, service: Service) -> None:
        queued(service, samples.owner(service, "many@example.com"), *(f"https://h{n}.example/" for n in range(9)))
        other = samples.owner(service, "other@example.com")

        async def story(hands: Hands) -> None:
            async with working(service, hands):
                await eventually(lambda: len(hands.running) == HANDS)
                await service.run(lambda one: queued(one, other, "https://other.example/"))
                await eventually(lambda: "https://other.example/" in hands.running)
                assert len(hands.running) == HANDS + SPARE

        self.play(story)

    def test_a_report_deleted_while_it_runs_is_cancelled_at_once(self, service: Service) -> None:
        caller = samples.owner(service)
        (number,) = queued(service, caller, "https://a.example/")

        async def story(hands: Hands) -> None:
            async with working(service, hands):
                await eventually(lambda: hands.running == ["https://a.example/"])
                await service.run(reports.delete, caller, number)
                await eventually(lambda: hands.left == ["https://a.example/"])
            assert jobs_left(service) == {}

        self.play(story)

    def test_draining_ends_what_runs_and_begins_nothing(self, service: Service) -> None:
        caller = samples.owner(service)
        queued(service, caller, *(f"https://h{n}.example/" for n in range(6)))

        async def story(hands: Hands) -> None:
            worker = Worker(service, hands)
            await worker.start()
            await eventually(lambda: len(hands.running) == HANDS)
            stopping = asyncio.create_task(worker.stop(60))
            for _ in range(3):  # turns of the loop until every carrier has begun to drain
                await asyncio.sleep(0)
            hands.gate.set()
            await stopping
            assert (sorted(hands.begun), hands.left) == (sorted(hands.ended), [])
            assert len(hands.begun) <= HANDS + SPARE  # one may have been claimed when draining began
            async with next_process(service) as other, working(other, hands):
                await eventually(lambda: done(service, caller) == 6)

        self.play(story)

    def test_what_does_not_end_in_time_is_handed_back_without_a_failure(self, service: Service) -> None:
        caller = samples.owner(service)
        queued(service, caller, "https://a.example/")

        async def story(hands: Hands) -> None:
            async with working(service, hands):
                await eventually(lambda: len(hands.running) == 1)
            assert hands.left == ["https://a.example/"]
            assert jobs_left(service) == {"ready": 1}
            with service.store.read() as session:
                assert session.jobs.waiting_again() == {}
            hands.gate.set()
            async with next_process(service) as other, working(other, hands):
                await eventually(lambda: done(service, caller) == 1)

        self.play(story)

    def test_a_job_whose_message_is_lost_is_made_by_the_next_attempt(self, service: Service) -> None:
        """As after a restore from a backup, which has jobs and no messages; on SQLite, as after a process that ended."""
        caller = samples.owner(service)
        queued(service, caller, "https://a.example/")
        with service.store.write() as session:
            (row,) = session.jobs.claim("gone", now=session.jobs.clock(0), host_limit=2)

        async def story(hands: Hands) -> None:
            hands.gate.set()
            async with working(service, hands):
                await eventually(lambda: done(service, caller) == 1)
            assert hands.begun == ["https://a.example/"]

        self.play(story)
        assert row.attempt == 1

    def test_the_result_of_a_lost_attempt_is_refused(self, service: Service) -> None:
        caller = samples.owner(service)
        queued(service, caller, "https://a.example/")
        first = report_jobs.claim(service, "w1")
        assert first is not None
        report_jobs.hand_back(service, first)
        second = report_jobs.claim(service, "w2")
        assert second is not None
        assert not report_jobs.complete(service, first, samples.seen())
        assert report_jobs.complete(service, second, samples.seen())
        assert done(service, caller) == 1

    def test_a_killed_worker_loses_its_reports_to_another_one(self, service: Service, tmp_path: Path) -> None:
        caller = samples.owner(service)
        url = service.settings.database_url
        options = ("--database", url, "--lost-after", 3, "--heartbeat", 0.5)
        numbers = queued(service, caller, *(f"https://h{n}.example/" for n in range(4)))
        with stub_service(tmp_path, *options, "--seconds", 1000) as victim:
            until(lambda: sum(line.startswith("start") for line in log_of(tmp_path)) == 4)
            victim.kill()
            victim.wait()
        with stub_service(tmp_path, *options):
            until(lambda: done(service, caller) == 4)
        assert [len(reports.runs(service, caller, number)) for number in numbers] == [1] * 4

    def test_crawls_deliveries_and_schedules_have_hands_of_their_own(self, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
        """While all hands for reports are busy, the other kinds go on."""
        ran: list[str] = []

        async def crawl(job: CrawlJob) -> None:
            ran.append("crawl")

        async def deliver(job: DeliveryJob) -> None:
            ran.append("delivery")

        async def schedule(one: Service, job: due_schedules.ScheduleJob) -> None:
            ran.append("schedule")

        monkeypatch.setattr(due_schedules, "run", schedule)
        caller = samples.owner(service)
        queued(service, caller, *(f"https://h{n}.example/" for n in range(9)))
        crawls.create(service, caller, NewCrawl("https://crawled.example/"))
        deliveries.send_test(service, caller, webhook_settings.create(service, caller, WebhookCreate("https://hooks.example/")).id)
        view = schedules.create(service, caller, ScheduleCreate(project="crawled.example"))
        with service.store.write() as session:
            session.schedules.change(view.id, due_at=1)

        async def story(hands: Hands) -> None:
            worker = Worker(service, hands, crawls=crawl, deliver=deliver)
            await worker.start()
            await eventually(lambda: len(hands.running) == HANDS and set(ran) == {"crawl", "delivery", "schedule"})
            await worker.stop(0)

        self.play(story)


@pytest.mark.full
def test_a_worker_of_the_engine_that_does_not_end_holds_nobody_up(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def hang(_self: Any, **_more: Any) -> None:
        await asyncio.Event().wait()

    async def main(service: Service) -> None:
        hands = Hands()
        hands.gate.set()
        queued(service, samples.owner(service), "https://a.example/")
        async with asyncio.timeout(60):
            async with working(service, hands):
                await eventually(lambda: hands.ended == ["https://a.example/"])
                monkeypatch.setattr("procrastinate.worker.Worker._shutdown", hang)

    request.param = "postgresql"
    with new_database(request, tmp_path) as url:
        service = Service.open(samples.settings(tmp_path, database_url=url), exclusive=False)
        asyncio.run(main(service))
        service.close()
    assert "does not end" in caplog.text
