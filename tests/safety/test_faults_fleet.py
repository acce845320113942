"""Several services and workers on one PostgreSQL database, killed at random, cut off, without a queue: F3, F8, F14, F30, F40."""

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from findable.service.reports import reports
from findable.service.reports.report_jobs import MAX_LOSS_POINTS
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import Existing, NewReport, ReportQuery
from findable.vocabulary import Status
from tests.service import samples
from tests.sites.server import Page, Site, dynamic
from tests.worker.processes import log_of, stub_service, until
from tests.worker.test_fleet import cuttable

if TYPE_CHECKING:
    from tests.postgresql import Server
    from tests.worker.test_fleet import Cut

REPORTS = 200
MANY = 10_000
KILLED = 5
DONE_BEFORE_NEXT = 10
"""Reports made between two kills: on a busy machine a worker takes longer to start than it is left alive."""
STOPPED_S = 3
"""Time for which PostgreSQL is stopped."""
CUT_OFF_S = 30
"""Time for which a worker does not reach PostgreSQL: longer than it may be silent."""
PATIENT_S = 20
"""Silence after which a worker is lost, long enough to be broken by faults alone: a third lost worker ends a report, and on a busy machine heartbeats are seconds late."""
FAULT_EVERY_S = 40


@pytest.fixture
def service(postgresql: "Server", tmp_path: Path) -> Iterator[Service]:
    url = postgresql.database()
    opened = Service.open(samples.settings(tmp_path, database_url=url, rate_limit=0, allow_targets=("127.0.0.1",)), exclusive=True)
    yield opened
    opened.close()
    postgresql.drop(url)


@pytest.mark.full
def test_f3_f14_services_killed_at_random_finish_each_report_once(service: Service, tmp_path: Path) -> None:
    callers = [samples.owner(service, f"{name}@example.com") for name in "abc"]
    made = {reports.create(service, callers[n % 3], NewReport(f"https://h{n}.example/")).report.id: callers[n % 3] for n in range(REPORTS)}
    options = ("--database", service.settings.database_url, "--lost-after", 5, "--heartbeat", 1, "--seconds", 0.02)
    chance = random.Random(5)

    def ended() -> int:
        return sum(line.startswith("end") for line in log_of(tmp_path))

    with ExitStack() as stack:
        running: list[subprocess.Popen[str]] = [stack.enter_context(stub_service(tmp_path, *options)) for _ in range(3)]
        for n in range(KILLED):
            until(lambda n=n: ended() >= (n + 1) * REPORTS // (KILLED + 2))  # type: ignore[misc]  # the default binds the number of this turn
            victim = running.pop(chance.randrange(3))
            os.kill(victim.pid, signal.SIGKILL)
            running.append(stack.enter_context(stub_service(tmp_path, *options)))
        until(lambda: all(reports.find(service, caller, ReportQuery(status=Status.DONE)).total >= REPORTS // 3 for caller in callers))
        until(lambda: sum(reports.find(service, caller, ReportQuery(status=Status.DONE)).total for caller in callers) == REPORTS)
        for process in running:
            process.terminate()
        assert [process.wait(90) for process in running] == [0, 0, 0]
    for number, caller in made.items():
        assert len(reports.runs(service, caller, number)) == 1
    starts = Counter(int(line.split()[1]) for line in log_of(tmp_path) if line.startswith("start"))
    assert starts.keys() == made.keys()
    assert sum(starts.values()) < REPORTS + KILLED * 8 + 1  # begun again: at most what the killed ones were at


def accepted(service: Service, caller: Caller, urls: list[str]) -> list[int]:
    """Reports of these addresses, in one transaction: only how they are made is of interest here."""
    with service.store.write() as session:
        valid = [reports._validated(service, caller, NewReport(url)) for url in urls]
        return [reports.queue_report(session, caller, one, Existing.NEW) for one in valid]


def _jobs(url: str) -> tuple[int, int]:
    """How many are left, and how often workers were lost with the unluckiest of them."""
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT count(*), coalesce(max(failures), 0) FROM job").fetchone() or (0, 0)


def _stop_and_start(server: "Server", number: signal.Signals) -> None:
    server.stop(number)
    time.sleep(STOPPED_S)
    server.start(synchronous_commit="on")  # what a commit confirmed outlives the next power failure


def _cut_off(way: "Cut") -> None:
    way.silence()
    time.sleep(CUT_OFF_S)
    way.speak()


def fleet(
    service: Service,
    folder: Path,
    urls: list[str],
    *,
    kill_every_s: float,
    limit_s: float,
    options: tuple[object, ...] = (),
    cut_off: tuple[object, ...] = (),
    faults: tuple[Callable[[], None], ...] = (),
    fault_every_s: float = 0,
) -> dict[str, float]:
    """Three workers make reports of these addresses while one after the other is killed. What it took; fails unless each is made once.

    Args:
        service: accepts the reports.
        folder: of the workers.
        urls: what the reports are of.
        kill_every_s: time between two kills.
        limit_s: time after which the test fails.
        options: of the workers.
        cut_off: options of a fourth worker, which is never killed; none without them.
        faults: happen in turn.
        fault_every_s: time between two faults.
    """
    caller = samples.owner(service)
    url = service.settings.database_url
    made = [number for start in range(0, len(urls), 500) for number in accepted(service, caller, urls[start : start + 500])]
    given = ("--database", url, "--lost-after", 8, "--heartbeat", 1, *options)
    chance = random.Random(7)
    begun_s = time.monotonic()
    killed = faulty = 0
    turns = cycle(faults)

    with ExitStack() as stack:
        running: list[subprocess.Popen[str]] = [stack.enter_context(stub_service(folder, *given)) for _ in range(3)]
        lasting = [stack.enter_context(stub_service(folder, *given, *cut_off))] if cut_off else []
        next_s, next_left = time.monotonic() + kill_every_s, len(urls) - DONE_BEFORE_NEXT
        fault_s = time.monotonic() + fault_every_s
        while (jobs := _jobs(url)) != (0, 0):
            left, lost = jobs
            assert time.monotonic() - begun_s < limit_s, f"{left} of {len(urls)} are not done"
            # A page that workers are lost with once more would be given up, as it should.
            if faults and time.monotonic() >= fault_s and lost < MAX_LOSS_POINTS - 1:
                next(turns)()
                faulty += 1
                fault_s = time.monotonic() + fault_every_s
            elif time.monotonic() >= next_s and left <= next_left and lost < MAX_LOSS_POINTS - 1:
                os.kill(running.pop(chance.randrange(3)).pid, signal.SIGKILL)
                killed += 1
                running.append(stack.enter_context(stub_service(folder, *given)))
                next_s, next_left = time.monotonic() + kill_every_s, left - DONE_BEFORE_NEXT
            time.sleep(0.1)
        took_s = time.monotonic() - begun_s
        for process in (*running, *lasting):
            process.terminate()
        assert [process.wait(90) for process in (*running, *lasting)] == [0] * (3 + len(lasting))
    with psycopg.connect(url) as connection:
        runs = connection.execute("SELECT report_id, count(*) FROM run GROUP BY report_id").fetchall()
        errors = connection.execute("SELECT error FROM run WHERE error IS NOT NULL").fetchall()
    assert sorted(runs) == [(number, 1) for number in sorted(made)]
    assert errors == []
    starts = sum(line.startswith("start") for line in log_of(folder))
    return {"reports": len(urls), "killed": killed, "faults": faulty, "starts": starts, "seconds": round(took_s, 1)}


PAGE = (
    '<!doctype html><html lang="en"><head><title>Page number {n} of a test site</title><meta name="description" content="What page {n} says.">'
    '</head><body><h1>Page {n}</h1><p>Some words about number {n}.</p><a href="/page-0">The first page</a></body></html>'
)


@pytest.mark.full
def test_f3_f14_a_fleet_that_is_killed_at_random_makes_every_report_of_a_site_once(service: Service, tmp_path: Path, site: Site) -> None:
    urls = [site.page(f"/page-{n}", PAGE.format(n=n)) for n in range(300)]
    told = fleet(service, tmp_path, urls, kill_every_s=1.5, limit_s=300, options=("--real",))
    assert told["killed"] >= 1
    assert len({request.path for request in site.requests} & {f"/page-{n}" for n in range(300)}) == 300


@pytest.mark.endurance
def test_f14_ten_thousand_reports_are_each_made_once_under_kills_stops_and_cuts(
    service: Service, postgresql: "Server", tmp_path: Path, site: Site
) -> None:
    """Workers are killed; PostgreSQL is stopped in order and as by a power failure; one worker does not reach it for a while."""
    site.fallback(
        dynamic(lambda request: Page(PAGE.format(n=request.path.rpartition("-")[2]).encode(), 200, (("Content-Type", "text/html"),), 0.0))
    )
    urls = [site.url(f"/page-{n}") for n in range(MANY)]
    database = service.settings.database_url.partition("?")[0].rpartition("/")[2]
    with cuttable(postgresql) as way:
        told = fleet(
            service,
            tmp_path,
            urls,
            kill_every_s=10,
            limit_s=3600,
            options=("--light", "--lost-after", PATIENT_S),
            cut_off=("--database", f"postgresql://postgres@127.0.0.1:{way.port}/{database}"),
            faults=(
                partial(_stop_and_start, postgresql, signal.SIGINT),
                partial(_cut_off, way),
                partial(_stop_and_start, postgresql, signal.SIGQUIT),
            ),
            fault_every_s=FAULT_EVERY_S,
        )
    assert told["faults"] >= 3
    print(f"{told['reports']} reports, {told['starts']} begun, {told['killed']} killed, {told['faults']} faults, {told['seconds']:g} s")
