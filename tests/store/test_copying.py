"""`findable db copy`: a SQLite installation moves to PostgreSQL whole, whenever it is killed on the way."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from findable.errors import SettingError
from findable.service.accounts import account_admin
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import acceptances, guest_access, reports
from findable.service.reports.guest_access import Viewer
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewAcceptance, NewReport, ReportQuery
from findable.store.copying import copy
from findable.store.database_errors import StoreDamaged
from findable.store.open_store import open_store
from findable.store.schema.all_tables import metadata
from findable.vocabulary import Privacy
from tests.service import samples
from tests.service.samples import STORED_SORTS
from tests.stored_damage import damage_of
from tests.worker.processes import ENVIRONMENT, ROOT

if TYPE_CHECKING:
    from tests.postgresql import Server

REPORTS = 40


@pytest.fixture
def target(postgresql: "Server") -> Iterator[str]:
    url = postgresql.empty_database()
    yield url
    postgresql.drop(url)


@pytest.fixture
def token(tmp_path: Path) -> str:
    """An installation with a little of everything; a key of it."""
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    for n in range(REPORTS):
        url = f"https://{'abc'[n % 3]}.example/ü{n}"
        samples.made(service, caller, url, samples.seen((95, 70, 30)[n % 3], page=os.urandom(2000)), privacy=Privacy(n % 2))
    acceptances.accept(service, caller, 1, "image-alt", NewAcceptance("for\0 ever"))
    reports.create(service, caller, NewReport("https://a.example/waiting"))
    locked = reports.create(service, caller, NewReport("https://a.example/locked", Privacy.PASSWORD, "word"))
    reports.delete(service, caller, reports.create(service, caller, NewReport("https://a.example/gone")).report.id)
    assert guest_access.unlock(service, locked.report.public_id, "wrong", "192.0.2.1") is None
    key = account_admin.create_key(service, "owner@example.com").token
    service.close()
    return key


def everything(service: Service, caller: Caller) -> list[object]:
    pages: list[object] = []
    for sort in STORED_SORTS:
        for descending in (True, False):
            page = reports.find(service, caller, ReportQuery(sort_by=sort, descending=descending, per_page=100))
            pages += [page.total, *page.items]
    return [*pages, *(reports.get(service, caller, n + 1).report for n in range(REPORTS)), account_admin.info(service, caller)]


def test_all_of_it_moves(tmp_path: Path, token: str, target: str) -> None:
    steps: list[tuple[str, int, int]] = []
    copied = copy(tmp_path / "findable.db", target, lambda *step: steps.append(step))
    assert {table.table for table in copied} == set(metadata.tables)
    assert ("report", REPORTS + 2, REPORTS + 2) in steps
    old, new = (Service.open(samples.settings(tmp_path, **more)) for more in ({}, {"database_url": target}))
    before, after = (everything(service, authenticate_key(service, token)) for service in (old, new))
    assert len(before) > REPORTS
    assert before == after
    caller = authenticate_key(new, token)
    made = reports.create(new, caller, NewReport("https://a.example/next")).report
    assert made.id == REPORTS + 4  # the number of the one that was deleted is not given again
    assert guest_access.view(new, made.public_id, Viewer(caller, None)).report is not None
    assert damage_of(new.store) == []
    old.close()
    new.close()


SLOW = """
import sys, os
from pathlib import Path
import findable.store.copying as copying
copying.BATCH_ROWS = 7
write, left = copying._write, [int(sys.argv[3])]
def slow(*args):
    if not left[0]:
        os.kill(os.getpid(), 9)
    left[0] -= 1
    write(*args)
copying._write = slow
copying.copy(Path(sys.argv[1]), sys.argv[2])
print("done")
"""


@pytest.mark.full
def test_f28_a_copy_killed_between_batches_resumes_and_no_service_starts_on_half(tmp_path: Path, token: str, target: str) -> None:
    rounds = 0
    while True:
        command = [sys.executable, "-c", SLOW, str(tmp_path / "findable.db"), target, "6"]
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        rounds += 1
        with pytest.raises(StoreDamaged, match="is unfinished"):
            open_store(target)
    assert rounds >= 3
    with psycopg.connect(target) as connection:
        row = connection.execute("SELECT count(*) FROM report").fetchone()
        assert row == (REPORTS + 2,)
    open_store(target).close()


def test_a_copy_beside_a_running_service_is_refused(tmp_path: Path, token: str, target: str) -> None:
    running = Service.open(samples.settings(tmp_path), exclusive=True)
    with pytest.raises(SettingError, match=r"findable\.db: .* in use by another"):
        copy(tmp_path / "findable.db", target)
    running.close()


@pytest.mark.full
def test_two_copies_at_once_are_refused(tmp_path: Path, token: str, target: str) -> None:
    (tmp_path / "other").mkdir()
    open_store(f"sqlite:///{tmp_path / 'other' / 'findable.db'}").close()

    def second(*_step: object) -> None:
        with pytest.raises(StoreDamaged, match="another `findable db copy`"):
            copy(tmp_path / "other" / "findable.db", target)

    copy(tmp_path / "findable.db", target, second)


def test_a_database_that_holds_something_is_refused(tmp_path: Path, token: str, target: str) -> None:
    copy(tmp_path / "findable.db", target)
    with pytest.raises(StoreDamaged, match="already contains data"):
        copy(tmp_path / "findable.db", target)


def test_a_source_that_was_changed_in_between_is_noticed(tmp_path: Path, token: str, target: str) -> None:
    class PulledThePlugError(Exception):
        pass

    def stop_at_runs(table: str, done: int, of: int) -> None:
        if table == "run":
            raise PulledThePlugError

    with pytest.raises(PulledThePlugError):
        copy(tmp_path / "findable.db", target, stop_at_runs)
    connection = sqlite3.connect(tmp_path / "findable.db")
    connection.execute("UPDATE account SET name = 'other'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreDamaged, match="table account differs from the source"):
        copy(tmp_path / "findable.db", target)


def test_there_must_be_something_to_copy(tmp_path: Path, target: str) -> None:
    with pytest.raises(SettingError, match="there is no such database"):
        copy(tmp_path / "findable.db", target)
    assert not (tmp_path / "findable.db").exists()
