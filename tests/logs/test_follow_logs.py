"""`findable logs --project` on the machine of the service, once and with `--follow`."""

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from findable.clock import monotonic_s
from findable.service.accounts import account_admin
from findable.service.projects import bot_hits, projects
from findable.service.runtime.service import Service
from findable.settings import RANGES_NAME, Settings
from tests.cli.conftest import Run, findable
from tests.logs.generated_log import HOST, ranges, requests, written
from tests.logs.test_send_logs import planted
from tests.web.live import PATIENCE_S

__all__ = ["findable"]
FOLLOW = "import findable.cli.logs as m; m.FOLLOW_EVERY_S = 0.1; from findable.cli.main import main; main()"


@pytest.fixture
def service(findable: Run, tmp_path: Path) -> Iterator[Service]:
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    (tmp_path / "data" / RANGES_NAME).write_bytes(msgspec.json.encode(ranges()))
    opened = Service.open(Settings(data_dir=tmp_path / "data"))
    projects.make(opened, account_admin.owner_caller(opened, None), "example.com")
    yield opened
    opened.close()


def total(service: Service) -> int:
    found = bot_hits.days(service, account_admin.owner_caller(service, None), "example.com")
    return sum(one.hits for one in found)


def wait_for(service: Service, hits: int) -> None:
    until_s = monotonic_s() + PATIENCE_S
    while total(service) != hits:
        assert monotonic_s() < until_s, (total(service), hits)


def test_a_log_is_stored_in_a_project_of_this_machine(findable: Run, service: Service, tmp_path: Path) -> None:
    made, truth = requests(1500, fakes=20)
    (tmp_path / "access.log").write_bytes(written("combined", made))
    for new in (planted(truth).total(), 0):
        done = findable("logs", "access.log", "--project", "example.com")
        assert done.returncode == 0, done.stderr
        assert f"{new:,} requests of bots are new" in done.stderr
    assert total(service) == planted(truth).total()
    assert findable("logs", "access.log", "--project", "other.example").returncode == 2
    assert findable("logs", "access.log", "--follow").returncode == 2


def test_a_followed_log_is_counted_once_through_rotation_and_a_kill(service: Service, tmp_path: Path) -> None:
    made, truth = requests(3000, fakes=50)
    log = written("combined", made)
    cut, later = (log.index(b"\n", len(log) * part // 3) + 1 for part in (1, 2))
    current = tmp_path / "access.log"
    current.write_bytes(log[: cut - 20])
    command = [sys.executable, "-c", FOLLOW, "logs", "access.log", "--project", "example.com", "--host", HOST, "--follow"]
    environment = {**os.environ, "FINDABLE_DATA_DIR": str(tmp_path / "data")}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment)
    try:
        wait_for(service, _hits(log[: cut - 20]))
        with current.open("ab") as file:
            file.write(log[cut - 20 : later])
        wait_for(service, _hits(log[:later]))
        process.send_signal(signal.SIGKILL)
        process.wait()
        with current.open("ab") as file:
            file.write(log[later : later + 4000])
        (tmp_path / "access.log.1.gz").write_bytes(gzip.compress(current.read_bytes()))
        current.write_bytes(log[later + 4000 :])
        process = subprocess.Popen(command, cwd=tmp_path, env=environment)
        wait_for(service, planted(truth).total())
    finally:
        process.kill()
        process.wait()


def _hits(log: bytes) -> int:
    """Return the number of whole lines of bots."""
    whole = log[: log.rfind(b"\n")].split(b"\n")
    return sum(
        any(name in line for name in (b"Googlebot", b"bingbot", b"GPTBot", b"ClaudeBot", b"Claude-User", b"SemrushBot")) for line in whole
    )
