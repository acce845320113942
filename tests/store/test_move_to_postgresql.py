"""A backup of SQLite, restored to PostgreSQL: an installation moves whole or not at all, whenever it is killed on the way."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import acceptances, report_access, reports
from findable.service.reports.report_access import REPORTS
from findable.service.results import unlocking
from findable.service.results.guest_access import Viewer
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewAcceptance, NewReport, ReportQuery
from findable.store import backup_postgres
from findable.store.backups import back_up, restore
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

COUNT = 40


@pytest.fixture
def target(postgresql: "Server") -> Iterator[str]:
    url = postgresql.empty_database()
    yield url
    postgresql.drop(url)


@pytest.fixture
def token(tmp_path: Path) -> str:
    """An installation with a little of everything, and its backup; a key of it."""
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    for n in range(COUNT):
        url = f"https://{'abc'[n % 3]}.example/ü{n}"
        samples.made(service, caller, url, samples.seen((95, 70, 30)[n % 3], page=os.urandom(2000)), privacy=Privacy(n % 2))
    acceptances.accept(service, caller, 1, "image-alt", NewAcceptance("for\0 ever"))
    reports.create(service, caller, NewReport("https://a.example/waiting"))
    locked = reports.create(service, caller, NewReport("https://a.example/locked", Privacy.PASSWORD, "word"))
    reports.delete(service, caller, reports.create(service, caller, NewReport("https://a.example/gone")).report.id)
    assert unlocking.unlock(service, REPORTS, locked.report.public_id, "wrong", "192.0.2.1") is None
    key = api_keys.create_key(service, "owner@example.com").token
    service.close()
    back_up(f"sqlite:///{tmp_path / 'findable.db'}", tmp_path / "b")
    return key


def everything(service: Service, caller: Caller) -> list[object]:
    pages: list[object] = []
    for sort in STORED_SORTS:
        for descending in (True, False):
            page = reports.find(service, caller, ReportQuery(sort_by=sort, descending=descending, per_page=100))
            pages += [page.total, *page.items]
    return [*pages, *(reports.get(service, caller, n + 1).report for n in range(COUNT)), account_admin.info(service, caller)]


def test_all_of_it_moves(tmp_path: Path, token: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_postgres, "BATCH_ROWS", 7)
    given = restore(tmp_path / "b", target)
    assert set(given.rows) == {*metadata.tables, "alembic_version"}
    assert given.rows["report"] == COUNT + 2
    old, new = (Service.open(samples.settings(tmp_path, **more)) for more in ({}, {"database_url": target}))
    before, after = (everything(service, authenticate_key(service, token)) for service in (old, new))
    assert len(before) > COUNT
    assert before == after
    caller = authenticate_key(new, token)
    made = reports.create(new, caller, NewReport("https://a.example/next")).report
    assert made.id == COUNT + 4  # the number of the one that was deleted is not given again
    assert report_access.view(new, made.public_id, Viewer(caller, None)).report is not None
    assert damage_of(new.store) == []
    old.close()
    new.close()


KILLED = """
import os, sys
from pathlib import Path
from findable.store import backup_postgres
count, left = backup_postgres._count, [int(sys.argv[3])]
def count_until_killed(*args):
    if not left[0]:
        os.kill(os.getpid(), 9)
    left[0] -= 1
    return count(*args)
backup_postgres._count = count_until_killed
backup_postgres.restore(Path(sys.argv[1]), sys.argv[2])
"""


@pytest.mark.full
def test_f28_a_killed_restore_leaves_an_empty_database(tmp_path: Path, token: str, target: str) -> None:
    tables = len(metadata.tables)
    for steps in (0, tables, tables + 7, 3 * tables - 1):
        command = [sys.executable, "-c", KILLED, str(tmp_path / "b"), target, str(steps)]
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == -signal.SIGKILL, done.stderr
        with psycopg.connect(target) as connection:
            assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
    assert restore(tmp_path / "b", target).rows["report"] == COUNT + 2
    open_store(target).close()


def test_of_two_restores_at_once_the_second_finds_the_data_of_the_first(tmp_path: Path, token: str, target: str) -> None:
    outcomes: list[str] = []

    def run() -> None:
        try:
            outcomes.append(str(restore(tmp_path / "b", target).rows["report"]))
        except StoreDamaged as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [str(COUNT + 2), "the database already contains data: use an empty one"]
