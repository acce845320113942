"""Folders with access logs: read as they grow, once, and nothing else on the machine."""

import asyncio
import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import structs
from sqlalchemy import select

from findable.errors import NotFound
from findable.service import housekeeping
from findable.service.accounts import account_admin
from findable.service.projects import bot_hits, log_folders, log_imports, projects
from findable.service.projects.log_folders import LogFolder
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.settings import RANGES_NAME
from findable.store.backups import back_up, restore
from findable.store.schema.table_parts import metadata
from tests.logs.generated_log import FAKE_PREFIX, VISITOR_MARK, Request, Truth, ranges, requests, written
from tests.service import samples

NAME = "example.com"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / RANGES_NAME).write_bytes(msgspec.json.encode(ranges()))
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


@pytest.fixture
def service(tmp_path: Path, logs: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(log_folders, "READ_EVERY_S", -1)
    settings = samples.settings(tmp_path, database_url=database_url, log_folders=(f"web1={logs}", f"web2={tmp_path / 'missing'}"))
    opened = Service.open(settings)
    yield opened
    opened.close()


@pytest.fixture
def project(service: Service, caller: Caller) -> str:
    samples.made(service, caller, f"https://{NAME}/")
    account_admin.set_operator(service, "owner@example.com", is_operator=True)
    return NAME


def read(service: Service, caller: Caller) -> LogFolder:
    """Read what is due; return the folder."""
    asyncio.run(log_folders.read_due(service))
    return log_folders.find(service, caller, NAME)[0]


def stored(service: Service, caller: Caller) -> Counter[tuple[str, str, str]]:
    found = bot_hits.days(service, caller, NAME)
    return Counter({(one.day.isoformat(), one.bot, one.verification.value): one.hits for one in found})


def planted(truth: Truth) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for (day, bot, verification, _, _), number in truth.hits.items():
        found[day, bot, verification] += number
    return found


def made_log(lines: int = 3000) -> tuple[bytes, Truth]:
    made, truth = requests(lines, fakes=100)
    return written("combined", made), truth


def test_only_owners_with_an_operator_choose_from_the_folders_of_the_settings(service: Service, caller: Caller) -> None:
    samples.made(service, caller, f"https://{NAME}/")
    assert log_folders.find(service, caller, NAME) == ()
    with pytest.raises(NotFound):
        log_folders.assign(service, caller, NAME, "web1")
    account_admin.set_operator(service, "owner@example.com", is_operator=True)
    assert [(one.name, one.is_assigned) for one in log_folders.find(service, caller, NAME)] == [("web1", False), ("web2", False)]
    with pytest.raises(NotFound):
        log_folders.assign(service, structs.replace(caller, role=MEMBER), NAME, "web1")
    for name in ("other", "../web1", "/var/log", ""):
        with pytest.raises(NotFound):
            log_folders.assign(service, caller, NAME, name)
    stranger = samples.owner(service, "stranger@example.com")
    samples.made(service, stranger, f"https://{NAME}/")
    with pytest.raises(NotFound):
        log_folders.assign(service, stranger, NAME, "web1")
    assert log_folders.assign(service, caller, NAME, "web1").is_assigned


def test_lines_count_once_though_logs_grow_rotate_and_are_compressed(service: Service, caller: Caller, project: str, logs: Path) -> None:
    log, truth = made_log()
    cuts = [log.index(b"\n", len(log) * part // 5) + 1 for part in range(1, 5)]
    current, rotated = logs / "access.log", logs / "access.log.1"
    log_folders.assign(service, caller, project, "web1")
    current.write_bytes(log[: cuts[0] + 30])  # ends within a line
    assert not read(service, caller).problems
    with current.open("ab") as file:
        file.write(log[cuts[0] + 30 : cuts[1]])
    read(service, caller)
    with current.open("ab") as file:
        file.write(log[cuts[1] : cuts[2] - 40])
        current.rename(rotated)
        file.write(log[cuts[2] - 40 : cuts[2]])  # the server writes to the old file until it is told
        current.write_bytes(log[cuts[2] : cuts[3]])
    assert not read(service, caller).problems
    (logs / "access.log.2.gz").write_bytes(gzip.compress(rotated.read_bytes()))
    shutil.copy(current, rotated)  # copytruncate
    current.write_bytes(log[cuts[3] :])
    for _ in range(2):
        assert not read(service, caller).problems
    assert stored(service, caller) == planted(truth)

    # what was read long ago is not opened again, and a new one of the same lines changes nothing
    (logs / "copy.log").write_bytes(log[: cuts[2]])
    os.utime(current, (0, 0))
    assert not read(service, caller).problems
    assert stored(service, caller) == planted(truth)
    assert {one.source for one in log_imports.find(service, caller, project)} == {"web1/access.log"}


@pytest.mark.full
def test_another_file_of_the_same_time_is_refused_by_name(service: Service, caller: Caller, project: str, logs: Path) -> None:
    log, truth = made_log()
    (logs / "access.log").write_bytes(log)
    log_folders.assign(service, caller, project, "web1")
    read(service, caller)
    (logs / "access.log.7").write_bytes(log[log.index(b"\n") + 1 :])
    (logs / "notes.txt").write_bytes(b"no log\n" * 300)
    (logs / "access.log.8.gz").write_bytes(b"\x1f\x8b broken")
    expected = {"access.log.7": "overlaps", "access.log.8.gz": "truncated", "notes.txt": "unreadable"}
    for _ in range(2):
        assert read(service, caller).problems == expected
    assert stored(service, caller) == planted(truth)
    for name in expected:
        (logs / name).unlink()
    assert read(service, caller).problems == {}


def test_links_pipes_and_other_folders_are_not_read(service: Service, caller: Caller, project: str, logs: Path, tmp_path: Path) -> None:
    log, _ = made_log(300)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "access.log").write_bytes(log)
    (logs / "link.log").symlink_to(outside / "access.log")
    (logs / "sub").symlink_to(outside)
    (logs / "real").mkdir()
    (logs / "real" / "access.log").write_bytes(log)
    (logs / ".hidden.log").write_bytes(log)
    (logs / "error.log").write_bytes(log)
    os.mkfifo(logs / "pipe.log")
    log_folders.assign(service, caller, project, "web1")
    log_folders.assign(service, caller, project, "web2")
    assert read(service, caller).problems == {}
    assert log_imports.find(service, caller, project) == ()
    missing = log_folders.find(service, caller, project)[1]
    assert (missing.problems, missing.read_at) == ({"": "denied"}, None)


def test_a_folder_that_was_removed_is_not_read_and_what_was_counted_stays(
    service: Service, caller: Caller, project: str, logs: Path
) -> None:
    log, _ = made_log(600)
    cut = log.index(b"\n", len(log) // 2) + 1
    (logs / "access.log").write_bytes(log[:cut])
    log_folders.assign(service, caller, project, "web1")
    read(service, caller)
    before = stored(service, caller)
    log_folders.remove(service, caller, project, "web1")
    (logs / "access.log").write_bytes(log)
    assert not read(service, caller).is_assigned
    assert stored(service, caller) == before
    with pytest.raises(NotFound):
        log_folders.remove(service, caller, project, "web1")


_READ = """
import asyncio, os, signal, sys
from pathlib import Path
from findable.service.projects import log_folders, log_imports
from findable.service.runtime.service import Service
from findable.store.log_statements import LogRows
from tests.service import samples
folder, url, logs = sys.argv[1:]
add_part, add_day, parts = log_imports.add_part, LogRows.add_day, []

def counted(*values):
    parts.append(values)
    return add_part(*values)

def killed(*values):
    add_day(*values)
    if len(parts) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

log_imports.add_part, LogRows.add_day = counted, killed
service = Service.open(samples.settings(Path(folder), database_url=url, log_folders=(f"web1={logs}",)))
asyncio.run(log_folders.read_due(service))
"""
"""Program that is killed in the transaction that stores the second part of a log."""


@pytest.mark.full
def test_a_pass_that_was_killed_is_continued(service: Service, caller: Caller, project: str, logs: Path, tmp_path: Path) -> None:
    made, _ = requests(3000, fakes=0, faults=False)
    bots = [one for one in made if "Googlebot" in one.agent]
    many = sorted((bots * (120_000 // len(bots) + 1))[:120_000], key=lambda one: one.when)
    # few URLs, but of each day different ones, so that the log has two parts
    lines = [Request(one.when, one.ip, f"/page-{n % 7000}", one.status, one.agent, one.size) for n, one in enumerate(many)]
    (logs / "access.log").write_bytes(written("combined", lines))
    log_folders.assign(service, caller, project, "web1")
    command = [sys.executable, "-c", _READ, str(tmp_path), service.settings.database_url, str(logs)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    before = stored(service, caller).total()
    assert 0 < before < len(lines)
    assert sum(one.lines for one in log_imports.find(service, caller, project)) == before
    with service.store.write() as session:
        for row in session.logs.folders():
            session.logs.change_folder(row, due_at=0)
    read(service, caller)
    assert stored(service, caller).total() == len(lines)
    assert sum(one.lines for one in log_imports.find(service, caller, project)) == len(lines)


def test_a_folder_is_in_backups_and_deleted_with_its_project(service: Service, caller: Caller, project: str, tmp_path: Path) -> None:
    log_folders.assign(service, caller, project, "web1")
    if not service.settings.database_url.startswith("postgresql"):
        (tmp_path / "restored").mkdir()
        target = f"sqlite:///{tmp_path / 'restored' / 'findable.db'}"
        back_up(service.settings.database_url, tmp_path / "backup")
        restore(tmp_path / "backup", target)
        restored = Service.open(structs.replace(service.settings, database_url=target))
        try:
            assert [one.is_assigned for one in log_folders.find(restored, caller, project)] == [True, False]
        finally:
            restored.close()
    projects.delete(service, caller, project)
    while housekeeping.purge_deleted(service):
        pass
    with service.store.read() as session:
        assert session.connection.exec_driver_sql("SELECT count(*) FROM log_folder").scalar_one() == 0


def test_nothing_of_a_visitor_is_in_any_file_or_row_of_the_service(
    service: Service, caller: Caller, project: str, logs: Path, tmp_path: Path
) -> None:
    made, _ = requests(2000, fakes=200)
    (logs / "access.log").write_bytes(written("nginx-main", made))
    (logs / "access.log.1").write_bytes(written("nginx-main", made[5:]))
    log_folders.assign(service, caller, project, "web1")
    assert list(read(service, caller).problems.values()) == ["overlaps"]
    addresses = re.compile(rb"66\.249\.66\.\d|157\.55\.39\.\d|" + FAKE_PREFIX.replace(".", r"\.").encode())
    files = (file for file in tmp_path.rglob("*") if file.is_file() and logs not in file.parents and file.name != RANGES_NAME)
    places = {str(file): file.read_bytes() for file in files}
    with service.store.read() as session:
        rows = (row for table in metadata.sorted_tables for row in session.connection.execute(select(table)))
        places["rows of the database"] = "\n".join(map(repr, rows)).encode()
    assert b"page-1" in places["rows of the database"]
    for place, data in places.items():
        assert VISITOR_MARK.encode() not in data, place
        assert not addresses.search(data), place
        assert not any(one.ip.encode() in data for one in made if VISITOR_MARK in one.agent), place
