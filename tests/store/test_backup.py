"""Backups of each database, and files that only look like one."""

import gzip
import hashlib
import json
import sqlite3
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy import create_engine, text

from findable.formats.zstd import zstd
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store import backup_postgres
from findable.store.backup_sqlite import _SKIPPED, check
from findable.store.backups import back_up, restore
from findable.store.database_errors import StoreDamaged
from findable.store.open_store import open_store
from findable.store.schema_versions import HEAD, UNFINISHED_RESTORE
from findable.store.search_index_sqlite import drop_search_index
from findable.store.sqlite import SqliteStore
from tests.service import samples
from tests.store.earlier_version import EARLIER, make_tables, pretend
from tests.worker.processes import ENVIRONMENT, ROOT

if TYPE_CHECKING:
    from tests.postgresql import Server

NOW = 1_790_000_000
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
    assert service.store.problems() == []
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
    with pytest.raises(StoreDamaged, match=r"in use|not empty"):
        restore(tmp_path / "b", filled)
    assert (tmp_path / "b").read_bytes() == before
    with pytest.raises(StoreDamaged, match="cannot be written"):
        back_up(filled, tmp_path / "missing" / "b")


@pytest.mark.full
def test_a_backup_of_one_kind_is_refused_by_the_other(filled: str, postgresql: "Server", tmp_path: Path) -> None:
    back_up(filled, tmp_path / "b")
    other = f"sqlite:///{tmp_path / 'x.db'}" if filled.startswith("postgresql") else postgresql.empty_database(ENCODING="'UTF8'")
    with pytest.raises(StoreDamaged, match="is not a backup of a"):
        restore(tmp_path / "b", other)
    assert not (tmp_path / "x.db").exists()


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


def crafted(path: Path, plain: bytes, **said: object) -> Path:
    """A file in the form of a backup of SQLite around any content."""
    stated = {
        "findable_backup": 1,
        "schema": HEAD,
        "size_bytes": len(plain),
        "sha256": hashlib.sha256(plain).hexdigest(),
        "rows": {},
    }
    head = json.dumps(stated | said).encode()
    path.write_bytes(struct.pack("<II", _SKIPPED, len(head)) + head + zstd.compress(plain))
    return path


def database(tmp_path: Path, *statements: str) -> bytes:
    SqliteStore(tmp_path / "made.db").close()
    connection = sqlite3.connect(tmp_path / "made.db")
    drop_search_index(connection)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    return (tmp_path / "made.db").read_bytes()


def rows_of(plain: bytes) -> dict[str, int]:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(plain)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    found = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
    connection.close()
    return found


def test_s88_what_only_looks_like_a_backup_is_refused(tmp_path: Path) -> None:
    good = database(tmp_path)
    plain = tmp_path / "plain"
    cases: list[tuple[str, Path]] = [
        ("is not a backup", tmp_path / "gzip"),
        ("unpacks to more bytes than its description declares", crafted(tmp_path / "bomb", b"\0" * 50_000_000, size_bytes=4096)),
        ("has .* free", crafted(tmp_path / "huge", good, size_bytes=10**17)),
        ("newer version", crafted(tmp_path / "newer", good, schema="9999")),
        ("made by an earlier commit", crafted(tmp_path / "older", good, schema="0045")),
        ("newer version", crafted(tmp_path / "format", good, findable_backup=2)),
        ("is not a backup", crafted(tmp_path / "size", good, size_bytes="4096")),
        ("does not match its description", crafted(tmp_path / "digest", good, sha256="0" * 64)),
        ("does not match its description", crafted(tmp_path / "rows", good, rows={"report": 7})),
        ("not a database", crafted(tmp_path / "zeros", b"\0" * 8192)),
        ("is truncated", crafted(tmp_path / "less", good, size_bytes=len(good) + 1)),
        ("cannot be read", tmp_path / "nowhere"),
        ("cannot be read", tmp_path),
    ]
    (tmp_path / "gzip").write_bytes(gzip.compress(good))
    for words, file in cases:
        plain.unlink(missing_ok=True)
        with pytest.raises(StoreDamaged, match=words):
            check(file, plain)
        assert not plain.exists() or plain.stat().st_size <= len(good)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON account BEGIN UPDATE person SET role = 'owner'; END", "a trigger called 't'"),
        ("CREATE VIEW v AS SELECT * FROM person", "a view called 'v'"),
        ("CREATE TABLE theirs (x)", "tables that do not belong to Findable: theirs"),
        ("CREATE VIRTUAL TABLE theirs USING fts5(x)", "did not create: 'theirs'"),
        ("ALTER TABLE person ADD COLUMN extra TEXT", "tables that do not belong to Findable: person"),
        ("INSERT INTO project (id, account_id, name, created_at) VALUES (1, 99, 'x', 1)", "rows without their parents"),
    ],
)
def test_s88_a_database_with_more_in_it_than_ours_is_refused(tmp_path: Path, statement: str, words: str) -> None:
    plain = database(tmp_path, statement)
    rows = rows_of(plain)
    with pytest.raises(StoreDamaged, match=words):
        restore(crafted(tmp_path / "b", plain, rows=rows), f"sqlite:///{tmp_path / 'target.db'}")
    assert not (tmp_path / "target.db").exists()


def test_s88_a_dump_that_would_run_anything_but_rows_is_refused(postgresql: "Server", tmp_path: Path) -> None:
    url = postgresql.database()
    server = ["--dbname", url, "--format=custom", "--exclude-table=procrastinate_*"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE theirs (x int)")
    subprocess.run(["pg_dump", *server, "--file", tmp_path / "more"], check=True)
    with pytest.raises(StoreDamaged, match="a table theirs"):
        restore(tmp_path / "more", url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE theirs")
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    subprocess.run(["pg_dump", *server, "--file", tmp_path / "newer"], check=True)
    with pytest.raises(StoreDamaged, match="newer version"):
        restore(tmp_path / "newer", url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"UPDATE alembic_version SET version_num = '{HEAD}'")
        connection.execute("INSERT INTO account (id, email, name, created_at) VALUES (1, 'evil', 'evil', 1)")
    subprocess.run(["pg_dump", *server, "--inserts", "--file", tmp_path / "statements"], check=True)
    with pytest.raises(StoreDamaged, match='it would execute "INSERT INTO'):
        restore(tmp_path / "statements", url)
    for line in (b"COPY public.account (id) FROM PROGRAM 'id';\n", b"DROP TABLE report;\n", b"COPY public.account (id) FROM stdin; DROP\n"):
        assert not backup_postgres._COPY.fullmatch(line)
        assert not backup_postgres._PREAMBLE.fullmatch(line)
        assert not backup_postgres._SETVAL.fullmatch(line)
    postgresql.drop(url)


def test_the_missing_program_is_named(filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if filled.startswith("postgresql"):
        with pytest.raises(StoreDamaged, match="pg_dump is missing: install the client programs"):
            back_up(filled, tmp_path / "b")
    else:
        assert back_up(filled, tmp_path / "b").rows["report"] == REPORTS


def test_s81_the_password_of_the_database_stands_in_no_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pg_dump").write_text(
        '#!/bin/sh\necho "$@" | sed "s/.*passfile=\\([^& ]*\\).*/\\1/;s/%2F/\\//g" | xargs /bin/cat >&2\necho "$@" >&2\nexit 1\n'
    )
    (tmp_path / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for url in ("postgresql://me:se%3Acret@localhost/x", "postgresql://me@localhost/x?password=se%3Acret"):
        with pytest.raises(StoreDamaged) as caught:
            backup_postgres._run("pg_dump", url, ["--last"])
        assert "--last" in str(caught.value)
        assert "cret" not in str(caught.value)
        assert "passfile=" in str(caught.value)


@pytest.mark.full
def test_f28_a_restore_killed_half_way_leaves_a_database_that_no_service_starts_on(postgresql: "Server", tmp_path: Path) -> None:
    source, target = postgresql.database(), postgresql.empty_database(ENCODING="'UTF8'")
    back_up(source, tmp_path / "b")
    script = "import os, sys; from findable.store import backup_postgres as b; b._run = lambda *_: os.kill(os.getpid(), 9); b.restore(*map(__import__('pathlib').Path, sys.argv[1:2]), sys.argv[2])"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "b", target], env=ENVIRONMENT, cwd=ROOT, check=False, timeout=60)
    assert done.returncode == -9
    with pytest.raises(StoreDamaged, match="not restored completely"):
        open_store(target)
    with psycopg.connect(target) as connection:
        assert connection.execute(f"SELECT count(*) FROM {UNFINISHED_RESTORE}").fetchone() == (0,)
    with pytest.raises(StoreDamaged, match="not restored completely"):
        restore(tmp_path / "b", target)
    postgresql.drop(source)
    postgresql.drop(target)


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
        assert store.problems() == []
        store.close()
    assert len(list(tmp_path.glob("*.backup"))) == 1


@pytest.mark.full
def test_f29_a_dump_of_an_earlier_version_is_restored(postgresql: "Server", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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

    monkeypatch.setattr("findable.store.sqlite.back_up", refuse)
    with pytest.raises(StoreDamaged, match="no room"):
        SqliteStore(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(EARLIER,)]
    connection.close()


def test_f29_keys_of_before_work_after(filled: str, empty: str, tmp_path: Path) -> None:
    from findable.service.accounts import account_admin

    service = Service.open(samples.settings(tmp_path, database_url=filled))
    key = account_admin.create_key(service, "a@example.com").token
    service.close()
    back_up(filled, tmp_path / "b")
    restore(tmp_path / "b", empty)
    service = Service.open(samples.settings(tmp_path, database_url=empty, secret_key="other" * 8))
    assert reports.find(service, authenticate_key(service, key), ReportQuery()).total == REPORTS // 2
    service.close()
