"""What a killed service finds when its write-ahead log or its database was lost meanwhile: F12, with real kills of a real service."""

import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from findable.store.high_water_mark import MarkFile
from tests.web.served import Served, command_of, environment_of, start
from tests.worker.processes import until

REPORTS = 8
TARGET = "http://127.0.0.1:9/p{}"
"""Nothing listens there: each report fails at once, and is a report all the same."""
FULL = pytest.mark.full
SETTINGS = {"allow_targets": "127.0.0.1", "rate_limit": "0"}


def started(folder: Path, *flags: str, key: str = "") -> Served:
    """The service; with a key it is not the first start."""
    return start(folder, *flags, key=key, allow_targets=SETTINGS["allow_targets"], rate_limit=SETTINGS["rate_limit"])


def killed(folder: Path) -> Served:
    """A service with some reports, once its mark names them, killed."""
    first = started(folder)
    assert first.end() == 0  # the account and its key are in the database from now on
    served = started(folder, key=first.key)
    for number in range(REPORTS):
        assert served.client.post("/reports", {"url": TARGET.format(number)}, wait=30).status == 201
    mark = MarkFile(folder / "data" / "findable.db")
    until(lambda: (found := mark.read()) is not None and found.runs == found.reports == REPORTS)
    served.end(signal.SIGKILL)
    return served


def again(folder: Path, key: str, *flags: str) -> tuple[Served, int]:
    """The service started anew, and how many reports it has."""
    served = started(folder, *flags, key=key)
    return served, served.client.get("/reports").json["meta"]["total"]


def refused(folder: Path) -> str:
    """The one line with which the service does not start."""
    done = subprocess.run(
        command_of(1), env=environment_of(folder, **SETTINGS), cwd=folder, capture_output=True, text=True, timeout=90, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    return done.stderr


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command_of(1)[:3], *arguments], env=environment_of(folder, port=18771), capture_output=True, text=True, timeout=90, check=False
    )


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 4])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 1
    path.write_bytes(data)


def scatter(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def clear(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.full
def test_f12_a_log_lost_after_a_kill_is_refused_until_the_loss_is_accepted(tmp_path: Path) -> None:
    served = killed(tmp_path)
    (tmp_path / "data" / "findable.db-wal").unlink()
    for _ in range(2):
        sentence = refused(tmp_path)
        assert "findable.db-wal is missing" in sentence
        assert f"reports up to number {REPORTS} and {REPORTS} runs" in sentence
        assert "--accept-loss" in sentence
        examined = command(tmp_path, "doctor")
        assert (examined.returncode, "findable.db-wal is missing" in examined.stdout) == (1, True)
    after, total = again(tmp_path, served.key, "--accept-loss")
    assert total < REPORTS
    assert f"it had reports up to number {REPORTS} and {REPORTS} runs" in (tmp_path / "log.txt").read_text()
    assert after.end() == 0
    (tmp_path / "log.txt").write_text("")
    after, _ = again(tmp_path, served.key)
    assert after.end() == 0
    assert "has lost" not in (tmp_path / "log.txt").read_text()


@FULL
def test_f12_a_log_that_another_program_emptied_into_the_database_is_not_missed(tmp_path: Path) -> None:
    served = killed(tmp_path)
    database = tmp_path / "data" / "findable.db"
    with closing(sqlite3.connect(database)) as opened:  # as the sqlite3 shell does: the last one to close it empties and removes the log
        opened.execute("SELECT count(*) FROM report").fetchone()
    assert not database.with_name("findable.db-wal").exists()
    after, total = again(tmp_path, served.key)
    assert total == REPORTS
    assert after.end() == 0
    assert "lost" not in (tmp_path / "log.txt").read_text()


@FULL
@pytest.mark.parametrize("lose", [clear, Path.unlink])
def test_f12_a_database_lost_after_a_kill_is_not_begun_anew(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    killed(tmp_path)
    database, wal = tmp_path / "data" / "findable.db", tmp_path / "data" / "findable.db-wal"
    kept = database.read_bytes(), wal.read_bytes()
    lose(database)
    sentence = refused(tmp_path)
    assert f"reports up to number {REPORTS}" in sentence
    assert "--accept-loss" in sentence
    assert command(tmp_path, "doctor").returncode == 1
    assert wal.read_bytes() == kept[1]
    database.write_bytes(kept[0])
    after = started(tmp_path, key="known")
    assert after.end() == 0


def test_f12_an_empty_database_beside_a_secret_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "secret.key").write_bytes(b"k" * 40)
    (tmp_path / "data" / "findable.db").touch()
    assert "secret.key beside it" in refused(tmp_path)
    after = started(tmp_path, "--accept-loss")
    assert "First start" in after.said
    assert after.end() == 0


@FULL
@pytest.mark.parametrize(("damage", "doctor_first"), [(scatter, False), (scatter, True), (cut, False), (flip, False), (clear, False)])
def test_f12_a_damaged_log_is_warned_of_with_counts(tmp_path: Path, damage: Callable[[Path], None], *, doctor_first: bool) -> None:
    served = killed(tmp_path)
    damage(tmp_path / "data" / "findable.db-wal")
    warning = f"has lost its latest data: it had reports up to number {REPORTS} and {REPORTS} runs"
    if doctor_first:
        assert warning in command(tmp_path, "doctor").stdout
    after, total = again(tmp_path, served.key)
    assert total < REPORTS
    assert warning in (tmp_path / "log.txt").read_text()
    assert after.end() == 0


@FULL
@pytest.mark.parametrize("doctor_first", [False, True])
def test_f12_a_kill_without_loss_is_neither_refused_nor_warned_of(tmp_path: Path, *, doctor_first: bool) -> None:
    served = killed(tmp_path)
    if doctor_first:
        assert "lost" not in command(tmp_path, "doctor").stdout
    after, total = again(tmp_path, served.key)
    assert total == REPORTS
    assert after.end() == 0
    assert "lost" not in (tmp_path / "log.txt").read_text()
