"""Backups of each database, and files that only look like one."""

import gzip
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, text

from findable.service.accounts.callers import authenticate_key
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store.backups import back_up, restore
from findable.store.database_errors import StoreDamaged
from findable.store.open_store import open_store
from findable.store.schema_versions import HEAD
from findable.store.sqlite import SqliteStore
from tests.service import samples
from tests.store.earlier_version import EARLIER, make_tables, pretend
from tests.stored_damage import damage_of

if TYPE_CHECKING:
    from tests.postgresql import Server

NOW = 1_790_000_000
PAGE_BYTES = 4096
REPORTS = 12
"""Of two accounts: five that are done and one that waits, each."""


@pytest.fixture
def filled(tmp_path: Path, database_url: str) -> str:
    service = Service.open(samples.settings(tmp_path, database_url=database_url))
    callers = {name: samples.owner(service, f"{name}@example.com") for name in "ab"}
    for name, caller in callers.items():
        for n in range(5):
            samples.made(service, caller, f"https://{name}.example/{n}")
    for name, caller in callers.items():
        reports.create(service, caller, NewReport(f"https://{name}.example/'quoted'?\\."))
    service.close()
    return database_url


@pytest.fixture
def empty(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A place of the same kind without anything in it."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'other' / 'findable.db'}"
        return
    server: Server = request.getfixturevalue("postgresql")
    url = server.empty_database(ENCODING="'UTF8'")
    yield url
    server.drop(url)


def everything(url: str, folder: Path) -> list[Any]:
    service = Service.open(samples.settings(folder, database_url=url))
    with service.store.read() as session:
        persons = [session.accounts.by_email(f"{name}@example.com") for name in "ab"]
        found = [session.reports.by_id(n) for n in range(1, REPORTS + 1)]
    assert damage_of(service.store) == []
    service.close()
    return [*persons, *found]


def test_f32_what_is_restored_is_what_was_there(filled: str, empty: str, tmp_path: Path) -> None:
    made = back_up(filled, tmp_path / "b")
    assert (made.rows["report"], made.rows["account"], made.schema) == (REPORTS, 2, HEAD)
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
    given = restore(tmp_path / "b", empty)
    assert given.rows == made.rows
    assert everything(empty, tmp_path) == everything(filled, tmp_path)
    service = Service.open(samples.settings(tmp_path, database_url=empty))
    next_id = reports.create(service, samples.owner(service, "c@example.com"), NewReport("https://c.example/")).report.id
    assert next_id == REPORTS + 1, "numbers go on"
    service.close()
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_f32_nothing_is_written_over_and_a_backup_goes_to_an_empty_place_only(filled: str, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "b")
    before = (tmp_path / "b").read_bytes()
    with pytest.raises(StoreDamaged, match="exists already"):
        back_up(filled, tmp_path / "b")
    with pytest.raises(StoreDamaged, match=r"in use|already contains data"):
        restore(tmp_path / "b", filled)
    assert (tmp_path / "b").read_bytes() == before
    with pytest.raises(StoreDamaged, match="cannot be written"):
        back_up(filled, tmp_path / "missing" / "b")


@pytest.mark.full
def test_a_backup_of_one_kind_is_restored_to_the_other(filled: str, postgresql: "Server", tmp_path: Path) -> None:
    made = back_up(filled, tmp_path / "b")
    other = f"sqlite:///{tmp_path / 'x.db'}" if filled.startswith("postgresql") else postgresql.empty_database(ENCODING="'UTF8'")
    assert restore(tmp_path / "b", other).rows == made.rows
    assert everything(other, tmp_path) == everything(filled, tmp_path)
    if other.startswith("postgresql"):
        postgresql.drop(other)


def test_s88_a_cut_backup_is_refused_before_anything_is_written(filled: str, empty: str, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "b")
    whole = (tmp_path / "b").read_bytes()
    for cut in (whole[: len(whole) // 2], whole[:-30], b"", whole[40:]):
        (tmp_path / "cut").write_bytes(cut)
        with pytest.raises(StoreDamaged):
            restore(tmp_path / "cut", empty)
        if empty.startswith("sqlite"):
            assert {path.name for path in (tmp_path / "other").iterdir()} <= {"findable.db.lock"}
    restore(tmp_path / "b", empty)


def database(tmp_path: Path, *statements: str) -> Path:
    """Backup of an empty database, in which these statements were executed."""
    made = tmp_path / "made"
    SqliteStore(tmp_path / "made.db").close()
    back_up(f"sqlite:///{tmp_path / 'made.db'}", made)
    connection = sqlite3.connect(made)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return made


def test_s88_what_only_looks_like_a_backup_is_refused(tmp_path: Path) -> None:
    good = database(tmp_path).read_bytes()
    cases: list[tuple[str, bytes]] = [
        ("is not a backup", gzip.compress(good)),
        ("is not a backup", b"\0" * 8192),
        ("is not a backup", b""),
        ("is damaged|malformed", good[:-PAGE_BYTES]),
        ("is damaged|malformed", good[:PAGE_BYTES] + b"\0" * (len(good) - PAGE_BYTES)),
        ("is damaged|malformed", good[:PAGE_BYTES] + good[2 * PAGE_BYTES : 3 * PAGE_BYTES] + good[2 * PAGE_BYTES :]),
    ]
    for words, content in cases:
        (tmp_path / "b").write_bytes(content)
        refused(tmp_path, tmp_path / "b", words)
    refused(tmp_path, tmp_path / "nowhere", "cannot be read")
    refused(tmp_path, tmp_path, "cannot be read")


def test_s88_a_backup_larger_than_the_disk_is_not_copied(tmp_path: Path) -> None:
    huge = database(tmp_path)
    os.truncate(huge, 10**12)  # a sparse file
    refused(tmp_path, huge, r"does not fit .*: free \d+ MB")


def refused(tmp_path: Path, backup: Path, words: str) -> None:
    with pytest.raises(StoreDamaged, match=words):
        restore(backup, f"sqlite:///{tmp_path / 'to' / 'target.db'}")
    assert {path.name for path in (tmp_path / "to").iterdir()} == {"target.db.lock"}


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON account BEGIN UPDATE person SET role = 'owner'; END", "a trigger called 't'"),
        ("CREATE VIEW v AS SELECT * FROM person", "a view called 'v'"),
        ("CREATE TABLE theirs (x)", "tables that do not belong to Findable: theirs"),
        ("CREATE VIRTUAL TABLE theirs USING fts5(x)", "a table called 'theirs'"),
        ("ALTER TABLE person ADD COLUMN extra TEXT", "tables that do not belong to Findable: person"),
        ("INSERT INTO project (id, account_id, name, created_at) VALUES (1, 99, 'x', 1)", "rows without their parents"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer version"),
        ("UPDATE alembic_version SET version_num = '0045'", "made by an earlier commit"),
        ("DELETE FROM alembic_version", "newer version"),
        ("DROP TABLE alembic_version", "tables that do not belong to Findable"),
    ],
)
def test_s88_a_database_with_more_in_it_than_ours_is_refused(tmp_path: Path, statement: str, words: str) -> None:
    refused(tmp_path, database(tmp_path, statement), words)


def test_s88_files_beside_a_backup_are_not_read(tmp_path: Path) -> None:
    made = database(tmp_path)
    for name in ("made-journal", "made-wal", "made-shm"):
        (tmp_path / name).write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\xff" * PAGE_BYTES)
    assert restore(made, f"sqlite:///{tmp_path / 'target.db'}").rows["account"] == 0
    assert stat.S_IMODE((tmp_path / "target.db").stat().st_mode) == 0o600
    assert (tmp_path / "made-journal").exists()


def test_a_backup_of_sqlite_is_a_database_without_free_pages(tmp_path: Path) -> None:
    connection = sqlite3.connect(f"{database(tmp_path).as_uri()}?mode=ro", uri=True)
    assert connection.execute("SELECT count(*) FROM report").fetchone() == (0,)
    assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
    connection.close()


def old_database(path: Path) -> None:
    """As an earlier version left it, with somebody's data in it."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA auto_vacuum=INCREMENTAL")
        make_tables(connection)
        connection.execute(
            text(f"INSERT INTO account (id, email, name, created_at, projects, reports) VALUES (1, 'a@b.example', 'A', {NOW}, 1, 40)")
        )
        connection.execute(text(f"INSERT INTO person (id, account_id, email, created_at) VALUES (1, 1, 'a@b.example', {NOW})"))
        connection.execute(text(f"INSERT INTO project (id, account_id, name, created_at, reports) VALUES (1, 1, 'a.example', {NOW}, 40)"))
        for n in range(1, 41):
            connection.execute(
                text(
                    "INSERT INTO report (id, public_id, account_id, project_id, url, scheme_guessed, privacy, status, created_at, updated_at, "
                    "runs, run, generated_up, generated_down, result_up, result_down) "
                    f"VALUES ({n}, 'p{n}', 1, 1, 'https://a.example/{n}', 0, {n % 2}, 'done', {NOW}, {NOW}, 1, 1, {n}, -{n}, 0, 0)"
                )
            )
            connection.execute(
                text(
                    "INSERT INTO run (report_id, number, account_id, url, profile, started_at, finished_at) "
                    f"VALUES ({n}, 1, 1, 'https://a.example/{n}', 'static', {NOW}, {NOW})"
                )
            )
    engine.dispose()


def test_f29_an_upgrade_takes_a_backup_first_and_keeps_every_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    path = tmp_path / "findable.db"
    old_database(path)
    SqliteStore(path, exclusive=True).close()
    (kept,) = tmp_path.glob("*.backup")
    assert kept.name == f"findable.db.schema-{EARLIER}.backup"
    given = restore(kept, f"sqlite:///{tmp_path / 'again' / 'findable.db'}")
    assert (given.schema, given.rows["report"], given.rows["run"]) == (EARLIER, 40, 40)
    for place in (path, tmp_path / "again" / "findable.db"):
        store = SqliteStore(place)
        with store.read() as session:
            rows = [session.reports.by_id(n) for n in range(1, 41)]
        assert [(row.url, row.privacy, row.status, row.run) for row in rows if row] == [
            (f"https://a.example/{n}", n % 2, "done", 1) for n in range(1, 41)
        ]
        assert store._rows("PRAGMA auto_vacuum") == ["2"]
        assert damage_of(store) == []
        store.close()
    assert len(list(tmp_path.glob("*.backup"))) == 1


@pytest.mark.full
def test_f29_a_backup_of_an_earlier_version_of_postgresql_is_restored(
    postgresql: "Server", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    source, target = postgresql.empty_database(), postgresql.empty_database()
    engine = create_engine(source.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        make_tables(connection)
        connection.exec_driver_sql(f"INSERT INTO account (id, email, name, created_at) VALUES (1, 'a@b.example', 'A', {NOW})")
    engine.dispose()
    assert back_up(source, tmp_path / "b").schema == EARLIER
    restore(tmp_path / "b", target)
    store = open_store(target)
    with store.read() as session:
        assert session.accounts.by_email("a@b.example")
    store.close()
    postgresql.drop(source)
    postgresql.drop(target)


def test_f29_an_upgrade_without_room_for_its_backup_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    path = tmp_path / "findable.db"
    old_database(path)

    def refuse(*_: object) -> None:
        raise StoreDamaged("no room")

    monkeypatch.setattr("findable.store.sqlite.back_up_before_upgrade", refuse)
    with pytest.raises(StoreDamaged, match="no room"):
        SqliteStore(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(EARLIER,)]
    connection.close()


def test_f29_keys_of_before_work_after(filled: str, empty: str, tmp_path: Path) -> None:
    from findable.service.accounts import api_keys

    service = Service.open(samples.settings(tmp_path, database_url=filled))
    key = api_keys.create_key(service, "a@example.com").token
    service.close()
    back_up(filled, tmp_path / "b")
    restore(tmp_path / "b", empty)
    service = Service.open(samples.settings(tmp_path, database_url=empty, secret_key="other" * 8))
    assert reports.find(service, authenticate_key(service, key), ReportQuery()).total == REPORTS // 2
    service.close()
