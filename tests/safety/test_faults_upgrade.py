"""Upgrades that are interrupted, and two versions at once: F27, F28."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from findable.errors import SettingError
from findable.service.accounts.deferred_work import NOT_PERMITTED
from findable.service.reports import batches, generation, reports
from findable.service.runtime.service import Service
from findable.service.values.caller import SCOPES, Caller
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store.sqlite import SqliteStore
from findable.vocabulary import Privacy, Status
from tests.service import samples
from tests.store.earlier_version import EARLIER, LAST, PRESENT, make_0_2_0, make_tables, pretend
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
    job = generation.claim(service, "w")
    assert job is not None
    generation.hand_back(service, job)
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
    f"UPDATE alembic_version SET version_num = '{LAST}'",
)
"""What makes the tables those of the version before (`earlier_version`)."""


def test_f27_reports_queued_by_the_version_before_are_made_by_the_new_one(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = samples.settings(tmp_path, database_url=database_url)
    service = Service.open(settings)
    caller = samples.owner(service)
    queued = [reports.create(service, caller, NewReport(f"https://h{n}.example/")).report.id for n in range(2)]
    begun = generation.claim(service, "of the version before")
    assert begun is not None
    generation.hand_back(service, begun)
    service.close()
    engine = create_engine(database_url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        for statement in TAKEN_BACK:
            connection.exec_driver_sql(statement)
    engine.dispose()

    pretend(tmp_path / "migrations", monkeypatch.setattr)
    service = Service.open(settings)
    assert not generation.complete(service, begun, samples.seen())  # what the old worker says later
    for _ in queued:
        samples.work(service)
    assert [reports.get(service, caller, number).score for number in queued] == [93, 93]
    service.close()


def test_f27_batches_of_0_2_0_are_finished_for_an_owner(tmp_path: Path, database_url: str) -> None:
    now = 1_790_000_000
    urls = {1: [f"https://a{n}.example/" for n in range(3)], 2: ["https://b.example/"], 3: ["https://c.example/"]}
    make_0_2_0(
        database_url,
        *(
            f"INSERT INTO account (id, email, name, created_at, projects, reports) VALUES ({n}, '{n}@b.example', 'A', {now}, 0, 0)"
            for n in urls
        ),
        *(
            "INSERT INTO person (id, account_id, email, created_at, role, disabled_at) "
            f"VALUES ({person}, {account}, '{person}@b.example', {now}, '{role}', {disabled})"
            for person, account, role, disabled in (
                (1, 1, "member", "NULL"),
                (2, 1, "owner", now),
                (3, 1, "owner", "NULL"),
                (4, 2, "owner", "NULL"),
                (5, 3, "viewer", "NULL"),  # an account whose owner left
            )
        ),
        *(
            "INSERT INTO batch (id, account_id, source, members, left_out, created_at, fed, privacy) "
            f"VALUES ({n}, {n}, '', {len(of)}, 0, {now}, 0, 1)"
            for n, of in urls.items()
        ),
        *(
            f"INSERT INTO batch_member (batch_id, place, url) VALUES ({n}, {place}, '{url}')"
            for n, of in urls.items()
            for place, url in enumerate(of)
        ),
    )
    service = Service.open(samples.settings(tmp_path, database_url=database_url))
    engine = create_engine(database_url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        assert [tuple(row) for row in connection.execute(text("SELECT id, person_id FROM batch ORDER BY id"))] == [
            (1, 3),
            (2, 4),
            (3, None),
        ]
    engine.dispose()
    while batches.feed(service):
        pass
    for _ in range(4):
        samples.work(service)
    for account, person in ((1, 3), (2, 4), (3, 5)):
        caller = Caller(account, person, 0, SCOPES)
        (batch,) = batches.find(service, caller)
        members = batches.members(service, caller, batch.id)
        if account == 3:
            assert [one.refused for one in members] == [str(NOT_PERMITTED)]
        else:
            assert [one.url for one in members if not one.refused] == urls[account]
            made = reports.find(service, caller, ReportQuery()).items
            assert {(one.url, one.privacy, one.score) for one in made} == {(url, Privacy.PRIVATE, 93) for url in urls[account]}
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
    assert store.problems() == []
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
