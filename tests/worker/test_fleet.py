"""Services and workers on one PostgreSQL database: they hear of each other, and nothing depends on that."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import psycopg
import pytest
from msgspec.structs import replace

from findable.cli import worker as worker_command
from findable.errors import PageErrorCode, PageUnavailable, RateLimited, SettingError, Unavailable
from findable.service.reports import report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.runtime.queue_status import queue_status_of
from findable.service.runtime.service import Service
from findable.service.sites import host_pauses
from findable.service.values.report_values import NewReport
from findable.store.postgres import PostgresStore
from findable.worker.page_analyser import PageAnalyser
from findable.worker.report_task import Progress
from findable.worker.shared_pauses import SharedPauses
from findable.worker.worker_loop import Worker
from tests.counted_connections import close_server
from tests.service import samples
from tests.sites.server import Site
from tests.worker.processes import ENVIRONMENT, eventually, log_of, stub_service, until

if TYPE_CHECKING:
    from tests.postgresql import Server


Opened = Callable[..., Service]


@pytest.fixture
def url(postgresql: "Server") -> Iterator[str]:
    made = postgresql.database()
    yield made
    postgresql.drop(made)


@pytest.fixture
def opened(url: str, tmp_path: Path) -> Iterator[Opened]:
    services: list[Service] = []

    def one(**more: Any) -> Service:
        service = Service.open(
            samples.settings(tmp_path, database_url=url, **{"rate_limit": 0, "host_concurrency": 2, **more}), exclusive=True
        )
        services.append(service)
        assert service.relay is not None
        until(lambda: service.relay is not None and service.relay.alive)
        return service

    yield one
    for service in services:
        service.close()


def test_a_waiting_request_hears_of_a_result_that_was_made_elsewhere(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.service.runtime.service.EVENT_POLL_S", 1000)
    web, other = opened(), opened()
    report = reports.create(web, samples.owner(web), NewReport("https://a.example/")).report

    async def story() -> None:
        waiting = asyncio.create_task(web.wait_until_done(report.id, 30))
        await eventually(lambda: web.waiting_count == 1)
        async with asyncio.timeout(90):
            assert (await other.run(samples.work)).report_id == report.id
            assert await waiting

    asyncio.run(story())


@asynccontextmanager
async def working(service: Service, analyser: Callable[[ReportJob, Progress], object]) -> AsyncIterator[Worker]:
    worker = Worker(service, analyser, heartbeat_s=1000)  # type: ignore[arg-type]  # an analyser that never ends
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop(0)


def test_jobs_queued_elsewhere_start_and_reports_deleted_elsewhere_stop_at_once(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.jobs.engine_carrier.POLL_S", 1000)
    web, other = opened(), opened()
    caller = samples.owner(web)
    begun, left = threading.Event(), threading.Event()

    async def endless(job: ReportJob, progress: Progress) -> AnalysedPage:
        begun.set()
        try:
            await asyncio.sleep(1000)
        finally:
            left.set()
        return samples.seen()

    async def story() -> None:
        async with working(other, endless):
            report = (await web.run(reports.create, caller, NewReport("https://a.example/"))).report
            await eventually(begun.is_set)
            await web.run(reports.delete, caller, report.id)
            await eventually(left.is_set)

    asyncio.run(story())


def test_f19_s93_a_pause_that_one_worker_was_asked_for_is_heeded_by_all(opened: Opened) -> None:
    one, other = opened(), opened()
    caller = samples.owner(one)
    reports.create(one, caller, NewReport("https://a.example/"))

    async def story() -> None:
        asked, told, late = SharedPauses(one), SharedPauses(other), SharedPauses(other)
        await asked.begin()
        await told.begin()
        asked.politeness.pause("https://a.example", 40)
        await eventually(lambda: told.politeness.pause_left_s("https://a.example") > 30)
        await asked.close()
        await late.begin()  # a worker that starts later knows it too
        assert late.politeness.pause_left_s("https://a.example") > 30
        assert await other.run(report_jobs.claim, "w") is None  # no worker is blocked by what has to wait
        assert queue_status_of(other).paused_hosts.keys() == {"a.example"}

    asyncio.run(story())
    host_pauses.record_pause(one, "https://a.example", 0)
    assert report_jobs.claim(other, "w") is not None


def test_s93_what_a_site_answered_one_worker_is_known_to_the_others(opened: Opened, site: Site) -> None:
    body = (
        '<!doctype html><html lang="en"><head><title>A page</title></head><body><h1>A page</h1><a href="/linked">A link</a></body></html>'
    )
    site.page("/linked", body)
    pages = [site.page(f"/page-{n}", body) for n in range(3)]
    one, other = opened(allow_targets=("127.0.0.1",)), opened(allow_targets=("127.0.0.1",))
    caller = samples.owner(one)
    numbers = [reports.create(one, caller, NewReport(page)).report.id for page in pages]

    async def story() -> None:
        for service, asked in ((one, 1), (other, 1)):
            analyser = PageAnalyser(service)
            job = report_jobs.claim(service, "w")
            assert job is not None
            report_jobs.complete(service, job, await analyser(job, lambda _stage, _done, _of: None))
            await analyser.close()
            assert sum(request.path == "/llms.txt" for request in site.requests) == asked
            of_link = [request.method for request in site.requests if request.path == "/linked"]
            assert of_link == ["HEAD", "GET"]  # the sample that tells whether HEAD is truthful
        analyser = PageAnalyser(other)
        job = report_jobs.claim(other, "w")
        assert job is not None
        await analyser(replace(job, fresh_site=True), lambda _stage, _done, _of: None)
        await analyser.close()
        assert sum(request.path == "/llms.txt" for request in site.requests) == 2  # asked anew where that is wanted

    asyncio.run(story())
    first, second = (reports.get(one, caller, number).report for number in numbers[:2])
    assert first is not None
    assert second is not None
    assert first.score == second.score


def test_s92_two_reports_of_one_host_over_all_workers_share_its_connections(opened: Opened) -> None:
    one, other = opened(), opened()
    caller = samples.owner(one)
    for n in range(6):
        reports.create(one, caller, NewReport(f"https://a.example/{n}"))
    taken = [*report_jobs.claim_some(one, "w1", 1), *report_jobs.claim_some(other, "w2", 6), *report_jobs.claim_some(one, "w1", 6)]
    assert len(taken) == 2
    assert 2 * SharedPauses(one).politeness._host_connections == 4


def test_f15_an_account_that_is_being_written_to_holds_no_claim_of_others_up(opened: Opened) -> None:
    service = opened()
    busy, other = samples.owner(service, "busy@example.com"), samples.owner(service, "other@example.com")
    for n in range(3):
        reports.create(service, busy, NewReport(f"https://b{n}.example/"))
        reports.create(service, other, NewReport(f"https://o{n}.example/"))
    with service.store.write() as session:
        session.jobs.active(busy.account_id)  # its writer, for as long as this block
        taken = report_jobs.claim_some(service, "w", 6)
    assert [job.account_id for job in taken] == [other.account_id] * 3
    assert [job.account_id for job in report_jobs.claim_some(service, "w", 6)] == [busy.account_id] * 3


def test_s92_requests_are_counted_over_all_services(opened: Opened) -> None:
    one, other = opened(rate_limit=10), opened(rate_limit=10)
    caller = samples.owner(one)
    for _ in range(6):
        one.rates.count(caller)
    until(lambda: other.rates.state(caller).remaining == 4)
    for _ in range(4):
        other.rates.count(caller)
    with pytest.raises(RateLimited):
        other.rates.count(caller)
    until(lambda: one.rates.state(caller).remaining == 0)
    assert one.rates.account_state(caller).remaining == 30


def test_the_numbers_of_the_queue(opened: Opened) -> None:
    service = opened()
    caller = samples.owner(service)
    for n in range(8):
        reports.create(service, caller, NewReport(f"https://a{n}.example/"))
    first, second, third = report_jobs.claim_some(service, "host-1-x", 3)
    report_jobs.complete(service, first, samples.seen())
    report_jobs.store_outcomes(service, [(second, PageUnavailable(PageErrorCode.TARGET_TIMEOUT))])
    numbers = queue_status_of(service)
    assert (numbers.waiting, numbers.running) == (5, 1)
    assert numbers.waiting_by_priority == {"short": 1, "long": 4, "batch": 0}
    assert numbers.ended_per_minute == 0.4
    assert numbers.failures == {"target_timeout": 1}
    assert numbers.running_by_worker == {"host-1-x": 1}
    assert numbers.running_by_host == {"a2.example": 1}
    report_jobs.record_crash(service, third)
    assert queue_status_of(service).waiting_again == {"process_died": 1}


@pytest.mark.full
def test_f40_without_words_between_services_work_goes_on_and_they_come_back(
    opened: Opened, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("findable.jobs.engine_carrier.POLL_S", 0.1)
    web, other = opened(), opened()
    caller = samples.owner(web)

    async def quick(job: ReportJob, progress: Progress) -> AnalysedPage:
        return samples.seen()

    async def story() -> None:
        async with working(other, quick):
            for n in range(5):
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE application_name IN ('findable listener', 'findable signals') AND datname = current_database()"
                    )
                report = (await web.run(reports.create, caller, NewReport(f"https://a{n}.example/"))).report
                assert await web.wait_until_done(report.id, 30)
            await eventually(lambda: all(service.relay is not None and service.relay.alive for service in (web, other)))

    asyncio.run(story())


def test_f40_without_the_database_nothing_is_accepted_and_a_worker_survives(
    opened: Opened, postgresql: "Server", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("findable.jobs.engine_carrier.POLL_S", 0.1)
    web, other = opened(), opened()
    caller = samples.owner(web)

    async def quick(job: ReportJob, progress: Progress) -> AnalysedPage:
        return samples.seen()

    async def story() -> None:
        async with working(other, quick):
            postgresql.stop()
            try:
                with pytest.raises(Unavailable) as refused:
                    await web.run(reports.create, caller, NewReport("https://a.example/"))
                assert refused.value.retry_after_s == 5
            finally:
                postgresql.start()
            report = (await web.run(reports.create, caller, NewReport("https://b.example/"))).report
            assert await web.wait_until_done(report.id, 30)

    asyncio.run(story())


class Cut:
    """A way to the server over TCP that can go silent without closing anything."""

    def __init__(self, server: "Server") -> None:
        self._target = str(server.folder / ".s.PGSQL.5432")
        self._open = threading.Event()
        self._open.set()
        self._writers: list[asyncio.StreamWriter] = []
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def silence(self) -> None:
        self._open.clear()

    def speak(self) -> None:
        self._open.set()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        await close_server(self._server)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_unix_connection(self._target)
        except OSError:  # it is stopped
            writer.close()
            return
        self._writers += [writer, to_server]
        await asyncio.gather(self._carry(reader, to_server), self._carry(from_server, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while part := await reader.read(65536):
                while not self._open.is_set():  # noqa: ASYNC110 - a thread opens it
                    await asyncio.sleep(0.01)
                writer.write(part)
                await writer.drain()
        except OSError:
            return
        finally:
            writer.close()


@contextmanager
def cuttable(server: "Server") -> Iterator[Cut]:
    way = Cut(server)
    try:
        yield way
    finally:
        way.speak()
        way.close()


@pytest.mark.full
def test_f8_a_worker_that_is_cut_off_stops_and_another_one_makes_the_report_once(
    opened: Opened, postgresql: "Server", url: str, tmp_path: Path
) -> None:
    web = opened()
    caller = samples.owner(web)
    report = reports.create(web, caller, NewReport("https://a.example/")).report
    cut_off, sound = tmp_path / "cut_off", tmp_path / "sound"
    cut_off.mkdir()
    sound.mkdir()
    options = ("--lost-after", 3, "--heartbeat", 0.5)
    with cuttable(postgresql) as way:
        over_tcp = f"postgresql://postgres@127.0.0.1:{way.port}/{url.partition('?')[0].rpartition('/')[2]}"
        with stub_service(cut_off, *options, "--database", over_tcp, "--seconds", 1000) as process:
            until(lambda: f"start {report.id} 1" in log_of(cut_off))
            way.silence()
            until(lambda: f"left {report.id} 1" in log_of(cut_off))
            with stub_service(sound, *options, "--database", url):
                until(lambda: reports.get(web, caller, report.id).score == 93)
            way.speak()
            process.terminate()
            assert process.wait(120) == 0
    assert not [line for line in log_of(cut_off) if line.startswith("end")]
    assert len(reports.runs(web, caller, report.id)) == 1


@pytest.mark.full
def test_f3_f4_f8_a_worker_thought_lost_takes_nothing_from_the_next_one(opened: Opened, url: str, tmp_path: Path) -> None:
    """It wakes up, is refused and ends in order; the one that has its report now is killed; a third one makes the report."""
    web = opened()
    caller = samples.owner(web)
    report = reports.create(web, caller, NewReport("https://a.example/")).report
    places = [tmp_path / name for name in ("late", "killed", "last")]
    for place in places:
        place.mkdir()
    options = ("--lost-after", 3, "--heartbeat", 0.5, "--database", url, "--seconds")
    with stub_service(places[0], *options, 2) as late:
        until(lambda: f"start {report.id} 1" in log_of(places[0]))
        late.send_signal(signal.SIGSTOP)
        with stub_service(places[1], *options, 1000) as killed:
            until(lambda: any(line.startswith(f"start {report.id} ") for line in log_of(places[1])))
            late.send_signal(signal.SIGCONT)
            late.terminate()
            assert late.wait(120) == 0
            killed.kill()
    with stub_service(places[2], *options, 0.01):
        until(lambda: reports.get(web, caller, report.id).score == 93, 60)
    assert len(reports.runs(web, caller, report.id)) == 1


@pytest.mark.full
def test_f8_f30_a_worker_that_is_told_to_stop_while_the_database_is_silent_ends(postgresql: "Server", url: str, tmp_path: Path) -> None:
    with cuttable(postgresql) as way:
        over_tcp = f"postgresql://postgres@127.0.0.1:{way.port}/{url.partition('?')[0].rpartition('/')[2]}"
        web = Service.open(samples.settings(tmp_path, database_url=url))
        report = reports.create(web, samples.owner(web), NewReport("https://a.example/")).report
        web.close()
        options = ("--lost-after", 30, "--heartbeat", 0.5, "--drain", 1, "--seconds", 1000)
        with stub_service(tmp_path, *options, "--database", over_tcp) as process:
            until(lambda: f"start {report.id} 1" in log_of(tmp_path))
            way.silence()
            process.terminate()
            assert process.wait(120) == 0
    assert log_of(tmp_path)[-2:] == [f"left {report.id} 1", "over"]


@pytest.mark.full
def test_f8_a_service_that_is_closed_while_the_database_is_silent_ends(postgresql: "Server", url: str, tmp_path: Path) -> None:
    with cuttable(postgresql) as way:
        over_tcp = f"postgresql://postgres@127.0.0.1:{way.port}/{url.partition('?')[0].rpartition('/')[2]}"
        service = Service.open(samples.settings(tmp_path, database_url=over_tcp), exclusive=True)

        async def ask() -> None:
            way.silence()
            asked = asyncio.create_task(service.run(samples.owner))
            await asyncio.sleep(0)
            await asyncio.to_thread(service.close)
            with pytest.raises(Unavailable):
                await asked

        asyncio.run(asyncio.wait_for(ask(), 90))


@pytest.mark.full
def test_f8_a_database_that_falls_silent_is_away(postgresql: "Server", url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.store.postgres.RESPONSE_TIMEOUT_S", 1)
    with cuttable(postgresql) as way:
        store = PostgresStore(f"postgresql://postgres@127.0.0.1:{way.port}/{url.partition('?')[0].rpartition('/')[2]}")
        with store.read() as session:
            session.accounts.any()
        way.silence()
        with pytest.raises(Unavailable), store.read() as session:
            session.accounts.any()
        assert not store.ping()
        way.speak()
        assert store.ping()
        store.close()


@pytest.mark.full
def test_f8_a_service_hanging_in_a_transaction_delays_others_by_seconds_only(opened: Opened) -> None:
    hanging, sound = opened(), opened()
    caller = samples.owner(sound)
    reports.create(sound, caller, NewReport("https://a.example/"))

    def claimed() -> bool:
        with suppress(Unavailable):  # the wait for a lock has its own end
            return report_jobs.claim(sound, "w") is not None
        return False

    def hang() -> None:
        with hanging.store.write() as session:
            assert session.jobs.claim("hanging", now=session.jobs.clock(0), host_limit=2)
            until(claimed)

    with pytest.raises(Unavailable):
        hang()


@pytest.mark.full
def test_a_service_that_only_answers_and_workers_beside_it_as_the_instructions_say(url: str, tmp_path: Path, site: Site) -> None:
    """`findable serve --no-worker` and `findable worker`, driven over HTTP; a worker is killed, another one goes on."""
    page = site.page("/page", '<!doctype html><html lang="en"><head><title>A page</title></head><body><h1>A page</h1></body></html>')
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    settings = {"DATABASE_URL": url, "DATA_DIR": str(tmp_path), "SECRET_KEY": "k" * 40, "ALLOW_TARGETS": "127.0.0.1", "PORT": str(port)}
    environment = {**ENVIRONMENT, **{f"FINDABLE_{name}": value for name, value in settings.items()}}

    def run(*words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen([sys.executable, "-m", "findable", *words], env=environment, text=True, stdout=subprocess.PIPE)

    def line_of(process: "subprocess.Popen[str]") -> str:
        assert process.stdout is not None
        return next(line for line in process.stdout if "ready at" in line or "Generating reports" in line)

    def told(*words: str) -> str:
        with run(*words) as process:
            return process.communicate(timeout=90)[0].strip()

    def ask(method: str, path: str, **form: str) -> Any:
        with closing(HTTPConnection("127.0.0.1", port, timeout=90)) as connection:
            headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/x-www-form-urlencoded"}
            connection.request(method, path, urlencode(form) or None, headers)
            return json.loads(connection.getresponse().read())["data"]

    with run("serve", "--no-worker") as serve, killed_on_failure(serve):
        assert "ready at" in line_of(serve)
        told("accounts", "create", "someone@example.com")
        key = told("keys", "create", "someone@example.com")
        with run("worker") as killed, killed_on_failure(killed):
            line_of(killed)
            assert ask("POST", "/api/v1/reports?wait=60", url=page)["status"] == "done"
            killed.kill()
        left = ask("POST", "/api/v1/reports?wait=0", url=f"{page}?left")
        assert left["status"] == "queued"
        with run("worker") as sound, killed_on_failure(sound):
            line_of(sound)
            assert ask("GET", f"/api/v1/reports/{left['id']}?wait=60")["status"] == "done"
            sound.terminate()
            assert sound.wait(90) == 0
        serve.terminate()
        assert serve.wait(90) == 0


@contextmanager
def killed_on_failure(process: "subprocess.Popen[str]") -> Iterator[None]:
    """End the process when the test fails: leaving `Popen` waits for it."""
    try:
        yield
    except BaseException:
        process.kill()
        raise


def test_f28_a_worker_ends_when_a_newer_version_has_changed_the_tables(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_command, "SCHEMA_EVERY_S", 0.05)
    service = Service.open(samples.settings(tmp_path, database_url=url), exclusive=True)

    async def story() -> None:
        working = asyncio.create_task(worker_command._work(service))
        await asyncio.sleep(0.2)  # the same version changes nothing
        assert not working.done()
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(SettingError, match="was made by a newer version of Findable") as caught:
            await working
        assert "\n" not in str(caught.value)

    asyncio.run(story())
    service.close()


def test_f30_findable_worker_makes_reports_until_it_is_told_to_stop(url: str, tmp_path: Path, site: Site) -> None:
    page = site.page("/page", '<!doctype html><html lang="en"><head><title>A page</title></head><body><h1>A page</h1></body></html>')
    settings = {"DATABASE_URL": url, "DATA_DIR": str(tmp_path), "SECRET_KEY": "k" * 40, "ALLOW_TARGETS": "127.0.0.1"}
    environment = {**ENVIRONMENT, **{f"FINDABLE_{name}": value for name, value in settings.items()}}
    command = [sys.executable, "-m", "findable"]
    web = Service.open(samples.settings(tmp_path, database_url=url, allow_targets=("127.0.0.1",)), exclusive=True)
    caller = samples.owner(web)
    with (
        subprocess.Popen([*command, "worker", "--concurrency", "2"], env=environment, text=True, stdout=subprocess.PIPE) as worker,
        killed_on_failure(worker),
    ):
        assert worker.stdout is not None
        assert f"process {worker.pid}, 2 concurrently" in worker.stdout.readline()
        report = reports.create(web, caller, NewReport(page)).report
        assert asyncio.run(web.wait_until_done(report.id, 60))
        os.kill(worker.pid, signal.SIGTERM)
        assert worker.wait(90) == 0
    assert reports.get(web, caller, report.id).score is not None
    web.close()
    shown = subprocess.run([*command, "queue", "--format", "json"], env=environment, text=True, capture_output=True, check=True, timeout=60)
    assert '"waiting": 0' in shown.stdout
    refused = subprocess.run(
        [*command, "worker", "--concurrency", "0"], env=environment, text=True, capture_output=True, check=False, timeout=60
    )
    assert (refused.returncode, refused.stderr) == (2, "findable: --concurrency: 0 is less than 1\n")
    environment["FINDABLE_DATABASE_URL"] = f"sqlite:///{tmp_path}/x.db"
    refused = subprocess.run([*command, "worker"], env=environment, text=True, capture_output=True, check=False, timeout=60)
    assert refused.returncode == 2
    assert "FINDABLE_DATABASE_URL: must name a PostgreSQL database" in refused.stderr
