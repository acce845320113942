"""A clock that really jumps while reports are made: F16. And months that pass: F44."""

import os
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from findable.clock import now
from findable.errors import NotFound
from findable.service import housekeeping
from findable.service.projects import retention
from findable.service.reports import report_access, reports
from findable.service.reports.history import saved_page
from findable.service.results.guest_access import Viewer
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport
from findable.store import store_protocol
from findable.worker import worker_loop
from tests.external import needs
from tests.service import samples
from tests.tiers import sampled
from tests.worker.processes import log_of, stub_service, until

REPORTS = 30
REPORT_S = 3 * worker_loop.CLOCK_EVERY_S
"""Duration of a report: the clock stays as it is for longer than a worker takes to notice that it was set."""


def jump(file: Path, offset: str) -> None:
    """From here on the clock of whoever reads that file is off by so much."""
    beside = file.with_suffix(".new")
    beside.write_text(offset + "\n")
    beside.replace(file)


@pytest.mark.full
@needs("faketime")
@pytest.mark.parametrize("jumps", sampled([("+7200", "-7200"), ("+400d", "+0"), ("-1d", "+0")], 1))
def test_f16_whatever_the_clock_does_every_report_is_made_once(
    tmp_path: Path, jumps: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    for n in range(REPORTS):
        reports.create(service, caller, NewReport(f"https://site{n % 7}.example/{n}"))
    service.close()
    clock = tmp_path / "clock"
    jump(clock, "+0")
    preload = next(Path("/usr/lib").rglob("libfaketimeMT.so.1"))
    given = {"LD_PRELOAD": preload, "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    wrapper = ("env", *(f"{name}={value}" for name, value in given.items()))

    def ended() -> int:
        return sum(line.startswith("end") for line in log_of(tmp_path))

    with stub_service(tmp_path, "--seconds", REPORT_S, "--heartbeat", 0.1, wrapper=wrapper):
        for number, offset in enumerate(jumps, 1):
            until(lambda number=number: ended() >= number * REPORTS // 4)  # type: ignore[misc]  # the default binds the number of this turn
            jump(clock, offset)
        until(lambda: ended() >= REPORTS)
        connection = sqlite3.connect(tmp_path / "findable.db", timeout=10)
        until(lambda: connection.execute("SELECT count(*) FROM job").fetchone() == (0,))
        future = "SELECT count(*) FROM report WHERE generated_down > unixepoch() + 86400"
        until(lambda: connection.execute(future).fetchone() == (0,))
        rows = connection.execute("SELECT status, runs, created_at, generated_down FROM report").fetchall()
        spans = connection.execute("SELECT finished_at - started_at FROM run").fetchall()
        connection.close()
    assert [row[:2] for row in rows] == [("done", 1)] * REPORTS
    assert all(span >= 0 for (span,) in spans)
    assert sum(line.startswith("start") for line in log_of(tmp_path)) == REPORTS, "a jump of the clock takes no lease away"
    assert os.environ.get("LD_PRELOAD") is None


def test_f44_after_months_saved_pages_are_forgotten_and_shared_reports_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service.open(samples.settings(tmp_path, saved_page_days=90))
    caller = samples.owner(service)
    number = samples.made(service, caller, outcome=samples.seen(page=b'{"a page": 1}'))
    before = reports.get(service, caller, number)
    assert saved_page(service, caller, number, 1)

    def later() -> datetime:
        return now() + timedelta(days=91)

    monkeypatch.setattr(store_protocol, "now", later)
    while retention.delete_old_pages(service):
        pass
    housekeeping.delete_expired(service)
    with pytest.raises(NotFound):
        saved_page(service, caller, number, 1)
    assert reports.get(service, caller, number) == replace(before, saved_sha256=None)
    shared = report_access.view(service, before.public_id, Viewer(None, None))
    assert shared.report is not None
    assert shared.report.score == 93
    service.close()
