"""Upgrades that are interrupted, and two versions at once: F27, F28."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from findable.errors import SettingError
from findable.service.reports import report_jobs, reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store.sqlite import SqliteStore
from findable.vocabulary import Status
from tests.service import samples
from tests.store.earlier_version import EARLIER, PRESENT, make_tables, pretend
from tests.stored_damage import damage_of
from tests.worker.processes import ENVIRONMENT, ROOT

EXPANDED = (
    "ALTER TABLE report ADD COLUMN of_tomorrow TEXT",
    "ALTER TABLE run ADD COLUMN of_tomorrow BIGINT NOT NULL DEFAULT 7",
    "CREATE TABLE of_tomorrow (id BIGINT PRIMARY KEY)",
    "UPDATE alembic_version SET version_num = '9999'",
)
"""What the first half of an upgrade may do to the tables while the version before is still at work."""


def test_f27_a_service_goes_on_while_a_newer_version_has_added_to_the_tables(tmp_path: Path, database_url: str) -> None:
    settings = samples.settings(tmp_path, database_url=database_url)
    service = Service.open(settings)
    caller = samples.owner(service)
    before = samples.made(service, caller)
    engine = create_engine(database_url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        for statement in EXPANDED:
            connection.exec_driver_sql(statement)
    engine.dispose()

    made = samples.made(service, caller, "https://example.com/after")
    assert reports.get(service, caller, made).score == 93
    reports.delete(service, caller, before)
    assert reports.find(service, caller, ReportQuery(status=Status.DONE)).total == 1
    waiting = reports.create(service, caller, NewReport("https://example.com/waiting")).report.id
    job = report_jobs.claim(service, "w")
    assert job is not None
    report_jobs.hand_back(service, job)
    service.close()
    with pytest.raises(SettingError, match="made by a newer version") as caught:
        Service.open(settings)  # once ended, the old version does not come back
    assert "\n" not in str(caught.value)
    assert waiting


TAKEN_BACK = (
    "ALTER TABLE run DROP COLUMN rescored_from",
    "ALTER TABLE job DROP COLUMN reason",
    "DROP INDEX ix_report_updated",
    "DROP TABLE pause",
    "DROP TABLE site_answer",
    f"UPDATE alembic_version SET version_num = '{EARLIER}'",
)
"""What makes the tables those of the version before (`earlier_version`)."""


def test_f27_reports_queued_by_the_version_before_are_made_by_the_new_one(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = samples.settings(tmp_path, database_url=database_url)
    service = Service.open(settings)
    caller = samples.owner(service)
    queued = [reports.create(service, caller, NewReport(f"https://h{n}.example/")).report.id for n in range(2)]
    begun = report_jobs.claim(service, "of the version before")
    assert begun is not None
    report_jobs.hand_back(service, begun)
    service.close()
    engine = create_engine(database_url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        for statement in TAKEN_BACK:
            connection.exec_driver_sql(statement)
    engine.dispose()

    pretend(tmp_path / "migrations", monkeypatch.setattr)
    service = Service.open(settings)
    assert not report_jobs.complete(service, begun, samples.seen())  # what the old worker says later
    for _ in queued:
        samples.work(service)
    assert [reports.get(service, caller, number).score for number in queued] == [93, 93]
    service.close()


KILLED = """
import os, sys
from pathlib import Path
from sqlalchemy import event
from sqlalchemy.engine import Engine
from findable.store.sqlite import SqliteStore
from tests.store.earlier_version import pretend
pretend(Path(sys.argv[1]).with_name("migrations"))
left = [int(sys.argv[2])]
@event.listens_for(Engine, "before_cursor_execute")
def count(connection, cursor, statement, *rest):
    if statement.split()[0] in ("ALTER", "CREATE", "UPDATE", "INSERT", "DROP"):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), 9)
SqliteStore(Path(sys.argv[1])).close()
"""
START = """
import sys
from pathlib import Path
from findable.store.sqlite import SqliteStore
from tests.store.earlier_version import pretend
from tests.stored_damage import damage_of
pretend(Path(sys.argv[1]).with_name("migrations"))
SqliteStore(Path(sys.argv[1])).close()
"""


def make_earlier(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(path.with_name("migrations"), monkeypatch.setattr)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        make_tables(connection)
        connection.exec_driver_sql("INSERT INTO account (id, email, name, created_at) VALUES (1, 'a@b.example', 'A', 1790000000)")
    engine.dispose()


def version_of(path: Path) -> str:
    connection = sqlite3.connect(path)
    (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    connection.close()
    return str(found)


@pytest.mark.full
def test_f28_a_migration_killed_anywhere_is_undone_and_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "findable.db"
    make_earlier(path, monkeypatch)
    ended = ""
    for place in (0, 1, 3, 5, 7, 9, 40):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(path), str(place)], cwd=ROOT, env=ENVIRONMENT, check=False, timeout=60, capture_output=True
        )
        ended = version_of(path)
        assert (done.returncode, ended) in {(-signal.SIGKILL, EARLIER), (0, PRESENT)}
    SqliteStore(path).close()
    assert version_of(path) == PRESENT
    assert len(list(tmp_path.glob("*.backup"))) == 2  # however often it was tried
    store = SqliteStore(path, exclusive=True)
    with store.read() as session:
        assert session.accounts.by_email("a@b.example")
    assert damage_of(store) == []
    store.close()


@pytest.mark.full
def test_f28_several_that_start_at_once_migrate_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "findable.db"
    make_earlier(path, monkeypatch)
    running = [
        subprocess.Popen([sys.executable, "-c", START, str(path)], cwd=ROOT, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [process.communicate(timeout=60)[1] for process in running]
    assert version_of(path) == PRESENT
    assert len(list(tmp_path.glob("*.backup"))) == 1
    for process, words in zip(running, said, strict=True):
        assert process.returncode == 0 or "in use by another" in words or "is busy" in words or "locked" in words, words
    SqliteStore(path).close()
