"""What happens when processes are killed, paused or told to end: F3, F10, F13, F14, F30. Real processes, real signals."""

import sqlite3
from functools import partial
from pathlib import Path

import pytest

from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport
from tests.external import needs
from tests.service import samples
from tests.worker.processes import log_of, stub_service, until


def queue(tmp_path: Path, count: int) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    for n in range(count):
        reports.create(service, caller, NewReport(f"https://site{n % 7}.example/{n}"))
    service.close()


def rows(tmp_path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(tmp_path / "findable.db", timeout=10)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def count(tmp_path: Path, table: str, where: str = "1") -> int:
    return int(str(rows(tmp_path, f"SELECT count(*) FROM {table} WHERE {where}")[0][0]))


def has_ended(tmp_path: Path, jobs: int) -> bool:
    return sum(line.startswith("end") for line in log_of(tmp_path)) >= jobs


def all_done_once(tmp_path: Path, expected: int) -> None:
    assert count(tmp_path, "report", "status = 'done' AND runs = 1 AND run = 1") == expected
    assert count(tmp_path, "run") == expected
    assert count(tmp_path, "job") == 0
    assert count(tmp_path, "turn") == 0


@pytest.mark.full
def test_f3_f14_accepted_reports_are_done_once_whenever_the_service_is_killed(tmp_path: Path) -> None:
    queue(tmp_path, 300)
    for ends in (20, 150):
        with stub_service(tmp_path, "--seconds", 0.005) as process:
            until(partial(has_ended, tmp_path, ends))
            process.kill()
            process.wait()
    assert 0 < count(tmp_path, "report", "status = 'done'") < 300
    with stub_service(tmp_path, "--seconds", 0.001):
        until(lambda: count(tmp_path, "job") == 0)
        all_done_once(tmp_path, 300)


def test_f30_on_sigterm_what_can_end_ends_and_the_rest_is_handed_back(tmp_path: Path) -> None:
    queue(tmp_path, 6)
    with stub_service(tmp_path, "--seconds", 600, "--drain", 0.3) as process:
        until(lambda: sum(line.startswith("start") for line in log_of(tmp_path)) == 6)
        process.terminate()
        assert process.wait(90) == 0, process.stderr and process.stderr.read()
    assert count(tmp_path, "job", "state = 'ready' AND failures = 0") == 6
    with stub_service(tmp_path, "--seconds", 0.3) as process:
        until(lambda: sum(line.startswith("start") for line in log_of(tmp_path)) == 12)
        process.terminate()
        assert process.wait(90) == 0, process.stderr and process.stderr.read()
    all_done_once(tmp_path, 6)


@pytest.mark.full
def test_f13_a_second_service_on_the_file_is_refused_while_commands_work_beside_it(tmp_path: Path) -> None:
    queue(tmp_path, 1)
    with stub_service(tmp_path, "--seconds", 0):
        with stub_service(tmp_path) as second:
            assert second.wait(90) == 1
            assert second.stderr is not None
            sentence = second.stderr.read()
        assert "in use by another `findable serve` (process " in sentence
        assert sentence.count("\n") == 1
        beside = Service.open(samples.settings(tmp_path))
        assert samples.owner(beside, "second@example.com") != Caller(1, 1, 1, frozenset())
        beside.close()
    with stub_service(tmp_path) as after_kill:
        assert after_kill.poll() is None


@pytest.mark.full
@needs("strace")
def test_f10_when_the_disk_fails_the_process_ends_and_a_restart_recovers(tmp_path: Path) -> None:
    queue(tmp_path, 5)
    failing = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO:when=4+")
    with stub_service(tmp_path, "--seconds", 0.01, wrapper=failing) as process:
        assert process.wait(90) != 0
    with stub_service(tmp_path, "--seconds", 0.01):
        until(lambda: count(tmp_path, "job") == 0)
        all_done_once(tmp_path, 5)
