"""Very many reports: F14 with ten thousand of them, F33 with as little memory as will do, F36 by how lists are found."""

import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store.sqlite import SqliteStore
from findable.vocabulary import Rating
from tests.safety.executed_statements import statements
from tests.service import samples
from tests.service.samples import STORED_SORTS
from tests.sites.server import Site
from tests.stored_damage import damage_of
from tests.web.served import served_by
from tests.worker.processes import log_of, stub_service, until

QUEUED = 10_000
ACCOUNTS = 4
MEMORY_BYTES = 1024 * 1024 * 1024
CGROUPS = Path("/sys/fs/cgroup/memory")


@pytest.mark.endurance
def test_f14_ten_thousand_queued_and_everything_killed_again_and_again(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path, rate_limit=0, queue_limit=0))
    callers = [samples.owner(service, f"{n}@example.com") for n in range(ACCOUNTS)]
    chance = random.Random(14)
    owner_of = {}
    for n in range(QUEUED):
        account = min(chance.randrange(ACCOUNTS), chance.randrange(ACCOUNTS))  # some have far more than others
        owner_of[reports.create(service, callers[account], NewReport(f"https://site{n % 97}.example/{n}")).report.id] = account

    def ended() -> int:
        return sum(line.startswith("end") for line in log_of(tmp_path))

    for ends in (200, 1500, 4000, 7000):
        with stub_service(tmp_path, "--seconds", 0.001) as process:
            until(lambda ends=ends: ended() >= ends, 300)  # type: ignore[misc]  # the default binds the number of this turn
            process.kill()
            process.wait()
    done_first = [owner_of[int(line.split()[1])] for line in log_of(tmp_path) if line.startswith("end")][:400]
    assert min(Counter(done_first).values()) > 60  # accounts take turns however much each has
    store = service.store
    with stub_service(tmp_path, "--seconds", 0):
        until(lambda: not depth(service), 600)
    sizes = {table.table: table.rows for table in store.sizes()}
    assert (sizes["report"], sizes["run"], sizes["job"], sizes["turn"]) == (QUEUED, QUEUED, 0, 0)
    assert damage_of(store) == []
    service.close()


def depth(service: Service) -> int:
    with service.store.read() as session:
        return sum(count for count, _ in session.jobs.depths().values())


@pytest.fixture
def cgroup() -> Iterator[Path]:
    """A group of processes that may take so much memory together."""
    place = CGROUPS / f"findable-tests-{os.getpid()}"
    try:
        place.mkdir()
        (place / "memory.limit_in_bytes").write_text(str(MEMORY_BYTES))
    except OSError:
        pytest.skip("memory cannot be capped here")
    yield place
    until(lambda: not (place / "cgroup.procs").read_text())
    place.rmdir()


@pytest.mark.endurance
@pytest.mark.skipif(not CGROUPS.is_dir(), reason="control groups cap memory")
def test_f33_under_a_cap_on_memory_a_report_may_fail_and_the_service_does_not(tmp_path: Path, cgroup: Path) -> None:
    heavy = "<!doctype html><title>x</title><body>" + "<p class=a style='color:red'><a href=/x>y</a>" * 350_000
    site = Site().start()
    site.page("/", "<!doctype html><html lang=en><title>A page that is small</title><h1>A page</h1>", content_type="text/html")
    site.page("/heavy", heavy, content_type="text/html")
    wrapper = ("sh", "-c", f'echo $$ > {cgroup}/cgroup.procs; exec "$@"', "sh")
    with served_by(tmp_path, wrapper, allow_targets=f"127.0.0.1:{site.port}", rate_limit=0, report_concurrency=8) as one:
        made = [
            one.client.post("/reports", {"url": f"http://127.0.0.1:{site.port}/heavy?{n}"}, wait=0).json["data"]["id"] for n in range(16)
        ]
        until(lambda: all(one.client.get(f"/reports/{n}").json["data"]["status"] in ("done", "failed") for n in made), 300)
        assert one.process.poll() is None
        assert one.healthy
        small = one.client.post("/reports", {"url": f"http://127.0.0.1:{site.port}/"}, wait=60)
        assert small.json["data"]["status"] == "done", small.body
        assert one.end(signal.SIGTERM, 60) == 0
    site.stop()


def plans(store: SqliteStore, connection: Connection, seen: list[tuple[str, Any]]) -> str:
    """How SQLite finds what was asked."""
    lines: list[str] = []
    for statement, values in seen:
        lines += [str(row[-1]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    return "\n".join(lines)


def test_f36_a_page_of_a_list_is_found_in_an_index_whatever_it_is_ordered_by(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    for n in range(60):
        samples.made(service, caller, f"https://example.com/{n}", samples.seen(score=n))
    store = service.store
    assert isinstance(store, SqliteStore)

    for sort in STORED_SORTS:
        for descending in (True, False):
            for more in ({}, {"page": 3}, {"result": Rating.BAD}):
                query = ReportQuery(sort_by=sort, descending=descending, per_page=10, **more)
                reports.find(service, caller, query)
                with statements(service) as seen:
                    page = reports.find(service, caller, query)
                assert page.items
                assert any("ORDER BY report." in statement for statement, _ in seen)
                with store._reader.connect() as connection:
                    plan = plans(store, connection, seen)
                assert "SCAN report" not in plan, plan
    service.close()
