"""A backup taken while reports are made, and the way back on an empty machine: F32."""

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from findable.errors import Unavailable
from findable.service.accounts import api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store.store_protocol import Store
from findable.vocabulary import Status
from tests.service import samples
from tests.stored_damage import damage_of
from tests.worker.processes import ENVIRONMENT, stub_service, until

LOAD_THREADS = 3


def findable(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    environment = {**ENVIRONMENT, "FINDABLE_DATA_DIR": str(folder)}
    command = [sys.executable, "-m", "findable", *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def require_sound(store: Store) -> None:
    """Counters agree with what they count; nothing is half there."""
    assert damage_of(store) == []
    with store.read() as session:
        counted = session.accounts.by_email("owner@example.com")
        assert counted is not None
        total = sum(session.reports.by_id(n) is not None for n in range(1, 5000))
    sizes = {table.table: table.rows for table in store.sizes()}
    assert sizes["report"] == total
    assert sizes["job"] <= total


@pytest.mark.full
def test_f32_a_backup_under_load_restores_on_an_empty_machine_and_the_work_goes_on(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    service = Service.open(samples.settings(tmp_path / "first", queue_limit=0, rate_limit=0))
    samples.owner(service)
    caller, accepted, stop = samples.owner(service, "load@example.com"), list[int](), threading.Event()
    token = api_keys.create_key(service, "load@example.com").token

    def load() -> None:
        while not stop.is_set():
            with suppress(Unavailable):  # on a busy machine: whoever is told so asks again
                accepted.append(reports.create(service, caller, NewReport(f"https://h{len(accepted) % 50}.example/")).report.id)

    with stub_service(tmp_path / "first", "--seconds", 0.005):
        threads = [threading.Thread(target=load) for _ in range(LOAD_THREADS)]
        for thread in threads:
            thread.start()
        until(lambda: len(accepted) > 100)
        before = list(accepted)
        made = findable(tmp_path / "first", "backup", str(tmp_path / "file.db"))
        stop.set()
        for thread in threads:
            thread.join()
    assert made.returncode == 0, made.stderr
    assert "secret.key too" in made.stdout
    assert len(accepted) > len(before)  # nobody waited for the backup
    service.close()

    back = findable(tmp_path / "second", "restore", str(tmp_path / "file.db"))
    assert back.returncode == 0, back.stderr
    assert "secret.key" in back.stdout
    again = findable(tmp_path / "second", "restore", str(tmp_path / "file.db"))
    assert again.returncode == 2
    assert "is in use" in again.stderr
    restored = Service.open(samples.settings(tmp_path / "second"))
    require_sound(restored.store)
    caller = authenticate_key(restored, token)
    assert {reports.get(restored, caller, number).id for number in before} == set(before)
    total = reports.find(restored, caller, ReportQuery()).total
    with stub_service(tmp_path / "second", "--seconds", 0):
        until(lambda: reports.find(restored, caller, ReportQuery(status=Status.DONE)).total == total)
    require_sound(restored.store)
    restored.close()
