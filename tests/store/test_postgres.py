"""What PostgreSQL alone does: versions and rights, restarts, stand-bys, indexes, several services that start at once."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy import create_engine, text

from findable.errors import DatabaseUnusable, SettingError, Unavailable
from findable.service.accounts import api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import report_jobs, reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportQuery, ReportSort
from findable.store.database_errors import DiskFull, StorageBroken, StoreDamaged, translated_errors
from findable.store.postgres import PostgresStore
from findable.store.project_statements import ProjectFilter
from findable.store.schema_versions import migrate
from findable.store.search_index import NAME
from tests.service import samples
from tests.store.earlier_version import EARLIER, PRESENT, pretend
from tests.worker.processes import ENVIRONMENT, ROOT

if TYPE_CHECKING:
    from tests.postgresql import Server

NOW = 1_800_000_000
SCHEMA = """
SELECT 'column', table_name, column_name, data_type || ' ' || coalesce(collation_name, '') || ' ' || is_nullable || ' ' || coalesce(column_default, '')
    FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
ORDER BY 1, 2, 3, 4
"""


@pytest.fixture
def empty(postgresql: "Server") -> Iterator[str]:
    url = postgresql.empty_database()
    yield url
    postgresql.drop(url)


@pytest.fixture
def url(postgresql: "Server") -> Iterator[str]:
    made = postgresql.database()
    yield made
    postgresql.drop(made)


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def schema_of(url: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(SCHEMA.encode()).fetchall()


def migrate_to(url: str, version: str) -> None:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        migrate(connection, version)
    engine.dispose()


def test_the_migrations_lead_to_the_very_schema_that_a_new_database_gets(empty: str, url: str) -> None:
    migrate_to(empty, "head")
    run(empty, "CREATE EXTENSION pg_trgm", f"CREATE INDEX {NAME} ON report USING gin (url gin_trgm_ops)")
    assert schema_of(empty) == schema_of(url)
    assert len(schema_of(url)) > 100


def test_f29_a_database_of_an_earlier_version_goes_on(empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    migrate_to(empty, EARLIER)
    run(empty, f"INSERT INTO account (id, email, name, created_at) VALUES (1, 'a@b.example', 'A', {NOW})")
    store = PostgresStore(empty)
    with store.read() as session:
        assert session.accounts.by_email("a@b.example")
    store.close()


def test_f28_several_that_start_at_once_make_the_tables_once(empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    errors: list[Exception] = []
    barrier = threading.Barrier(4)

    def start() -> None:
        barrier.wait()
        try:
            PostgresStore(empty).close()
        except Exception as error:  # noqa: BLE001 - the assertion below says which
            errors.append(error)

    for beginning in (EARLIER, ""):
        threads = [threading.Thread(target=start) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        with psycopg.connect(empty) as connection:
            assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(PRESENT,)]
        if beginning:
            run(empty, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
            migrate_to(empty, beginning)


KILLED = """
import os, sys
from pathlib import Path
from sqlalchemy import event
from sqlalchemy.engine import Engine
from findable.store.postgres import PostgresStore
from tests.store.earlier_version import pretend
pretend(Path(sys.argv[3]))
left = [int(sys.argv[2])]
@event.listens_for(Engine, "before_cursor_execute")
def count(connection, cursor, statement, *rest):
    if statement.split()[0] in ("ALTER", "CREATE", "UPDATE", "INSERT"):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), 9)
PostgresStore(sys.argv[1]).close()
"""


def test_f28_a_migration_killed_half_way_is_undone_and_begun_again(empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    migrate_to(empty, EARLIER)
    before = schema_of(empty)
    for place in (0, 3, 6):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, empty, str(place), str(tmp_path / "migrations")],
            cwd=ROOT,
            env=ENVIRONMENT,
            check=False,
            timeout=60,
        )
        assert done.returncode == -signal.SIGKILL
        assert schema_of(empty) == before
    PostgresStore(empty).close()
    assert schema_of(empty) != before


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "made by a newer version"),
        ("UPDATE alembic_version SET version_num = '0045'", "made by an earlier commit"),
        ("DROP TABLE alembic_version", "tables that do not belong to Findable"),
    ],
)
def test_a_database_that_is_not_for_us_is_refused(url: str, statement: str, words: str) -> None:
    run(url, statement)
    with pytest.raises(StoreDamaged, match=words):
        PostgresStore(url)


def test_a_database_that_does_not_keep_unicode_is_refused(postgresql: "Server") -> None:
    url = postgresql.empty_database(ENCODING="'SQL_ASCII'", LC_COLLATE="'C'", LC_CTYPE="'C'")
    with pytest.raises(StoreDamaged, match="stores text as SQL_ASCII"):
        PostgresStore(url)
    postgresql.drop(url)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://somebody:s3cr3t@localhost:1/findable", "refused"),
        ("postgresql://postgres@/missing?host={folder}", '"missing" does not exist'),
        ("postgresql://nobody@/postgres?host={folder}", '"nobody" does not exist'),
        ("postgresql://localhost:port/x", "the database URL is not like"),
    ],
)
def test_f41_a_database_that_is_not_there_is_told_in_one_sentence(postgresql: "Server", tmp_path: Path, url: str, words: str) -> None:
    settings = samples.settings(tmp_path, database_url=url.replace("{folder}", str(postgresql.folder)))
    with pytest.raises(SettingError, match=words) as caught:
        Service.open(settings)
    assert isinstance(caught.value, DatabaseUnusable) is ("port" not in url)
    assert "damaged" not in str(caught.value)
    assert caught.value.setting == "FINDABLE_DATABASE_URL"
    assert "\n" not in str(caught.value)
    assert "s3cr3t" not in str(caught.value) + repr(settings)


def test_the_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_args: object, **_more: object) -> None:
        raise ModuleNotFoundError

    monkeypatch.setattr("findable.store.postgres.create_engine", missing)
    with pytest.raises(StoreDamaged, match=r"pip install '.\[postgresql\]'"):
        PostgresStore("postgresql://localhost/x")


def test_a_reading_transaction_cannot_write(url: str) -> None:
    store = PostgresStore(url)
    with pytest.raises(Unavailable, match="cannot be written"), store.read() as session:
        session.accounts.add("a@b.example", "A", NOW)
    store.close()


def test_no_character_of_a_form_breaks_a_text(url: str) -> None:
    store = PostgresStore(url)
    with store.write() as session:
        session.accounts.add("a@b.example", "A\0b", NOW)
    with store.read() as session:
        account = session.accounts.by_email("a@b.example")
        assert account is not None
        assert account.name == "A\ufffdb"
        assert session.projects.count(account.id, ProjectFilter("x\0", "x\0"), 10) == 0
    store.close()


def test_lists_are_ordered_byte_by_byte_whatever_the_language_of_the_database(postgresql: "Server", tmp_path: Path) -> None:
    german = {"LOCALE_PROVIDER": "icu", "ICU_LOCALE": "'de'"} if postgresql.knows_icu() else {}
    url = postgresql.empty_database(**german)
    service = Service.open(samples.settings(tmp_path, database_url=url))
    caller = samples.owner(service)
    paths = ["b", "A", "a", "B", "_", "~", "-", "1", "10", "2"]
    for path in paths:
        reports.create(service, caller, NewReport(f"https://a.example/{path}"))
    found = reports.find(service, caller, ReportQuery(sort_by=ReportSort.URL, descending=False, per_page=25))
    assert [view.url.rpartition("/")[2] for view in found.items] == sorted(paths)
    service.close()
    postgresql.drop(url)


def test_searches_use_the_index_of_trigrams(url: str) -> None:
    run(
        url,
        f"INSERT INTO account (id, email, name, created_at) VALUES (1, 'a', 'a', {NOW})",
        f"INSERT INTO project (id, account_id, name, created_at) VALUES (1, 1, 'a.example', {NOW})",
        "INSERT INTO report (public_id, account_id, project_id, url, scheme_guessed, privacy, status, created_at, updated_at, generated_up, "
        "generated_down, result_up, result_down) SELECT n::text, 1, 1, 'https://a.example/' || md5(n::text), 0, 0, 'done', 1, 1, n, n, 0, 0 "
        "FROM generate_series(1, 20000) n",
        "VACUUM ANALYZE",  # what autovacuum does by itself: the index takes in what was added last
    )
    with psycopg.connect(url) as connection:
        plan = connection.execute("EXPLAIN SELECT id FROM report WHERE account_id = 1 AND url ILIKE '%d41d8cd98%' ORDER BY id LIMIT 26")
        assert NAME in str(plan.fetchall())


def test_without_the_extension_searches_walk_and_the_doctor_says_so(url: str) -> None:
    run(url, f"DROP INDEX {NAME}", "DROP EXTENSION pg_trgm")
    store = PostgresStore(url)
    assert "pg_trgm" in store.about().notes[0]
    store.vacuum()
    assert store.about().notes == ()
    assert {table.table: table.rows for table in store.sizes()}["report"] == 0
    assert store.size_bytes() > 1_000_000
    store.close()


def test_who_may_not_make_extensions_gets_a_database_without_the_index(postgresql: "Server") -> None:
    url = postgresql.empty_database()
    run(url, "CREATE ROLE modest LOGIN", "GRANT USAGE, CREATE ON SCHEMA public TO modest", "ALTER ROLE modest SET search_path = public")
    store = PostgresStore(url.replace("postgres@", "modest@"))
    assert store.ping()
    assert "pg_trgm" in store.about().notes[0]
    store.close()
    postgresql.drop(url)
    postgresql.execute("DROP ROLE modest")


def test_a_connection_that_was_ended_is_replaced_before_anybody_notices(url: str) -> None:
    store = PostgresStore(url)
    for _ in range(3):
        with store.read() as one, store.write() as two:
            assert not one.accounts.any()
            assert not two.accounts.any()
        run(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
    store.close()


@pytest.mark.full
def test_f6_restarting_postgresql_under_load_returns_503_and_loses_nothing_accepted(postgresql: "Server", tmp_path: Path) -> None:
    url = postgresql.database()
    service = Service.open(samples.settings(tmp_path, database_url=url, rate_limit=0))
    caller = samples.owner(service)
    accepted: list[int] = []
    refused: list[float | None] = []
    stop = threading.Event()
    away = threading.Event()

    def ask(what: Callable[[], int | None]) -> None:
        while not stop.is_set():
            try:
                made = what()
            except Unavailable as error:
                refused.append(error.retry_after_s)
                away.set()
                stop.wait(0.02)
            else:
                if made is not None:
                    accepted.append(made)

    def create() -> int:
        return reports.create(service, caller, NewReport("https://example.com/")).report.id

    def read() -> None:
        reports.find(service, caller, ReportQuery())

    def work() -> None:
        job = report_jobs.claim(service, "w")
        if job is not None:
            report_jobs.complete(service, job, samples.seen())

    threads = [threading.Thread(target=ask, args=(what,)) for what in (create, create, read, work)]
    for thread in threads:
        thread.start()
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGQUIT):
        before = len(accepted)
        while len(accepted) < before + 10:
            stop.wait(0.01)
        away.clear()
        postgresql.stop(number)
        assert away.wait(90)
        assert not service.is_ready()
        postgresql.start(synchronous_commit="on", fsync="on")
    before = len(accepted)
    while len(accepted) < before + 10:
        stop.wait(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert service.is_ready()
    assert set(refused) == {5}
    report_jobs.sweep(service)  # what was lost between its claim and its end
    run(url, "UPDATE job SET run_at = 0")
    while (job := report_jobs.claim(service, "w")) is not None:
        report_jobs.complete(service, job, samples.seen())
    assert {reports.get(service, caller, number).status.value for number in accepted} == {"done"}
    service.close()
    postgresql.drop(url)


def test_f7_a_read_only_node_serves_reads_refuses_writes_and_is_not_ready(url: str, tmp_path: Path) -> None:
    settings = samples.settings(tmp_path, database_url=url)
    service = Service.open(settings)
    caller = samples.owner(service)
    token = api_keys.create_key(service, "owner@example.com").token
    made = samples.made(service, caller)
    service.close()
    name = url.partition("?")[0].rpartition("/")[2]
    run(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    service = Service.open(settings, exclusive=True)
    caller = authenticate_key(service, token)
    assert reports.get(service, caller, made).id == made
    with pytest.raises(Unavailable, match="cannot be written") as caught:
        reports.create(service, caller, NewReport("https://example.com/"))
    assert caught.value.retry_after_s == 5
    assert not service.is_ready()
    service.close()


@pytest.mark.parametrize(
    ("sqlstate", "kind"),
    [
        ("40P01", Unavailable),
        ("40001", Unavailable),
        ("55P03", Unavailable),
        ("57014", Unavailable),
        ("57P01", Unavailable),
        ("53300", Unavailable),
        ("53100", DiskFull),
        ("58030", StorageBroken),
        ("XX001", StorageBroken),
    ],
)
def test_what_postgresql_says_is_told_in_our_words(url: str, sqlstate: str, kind: type[Unavailable]) -> None:
    store = PostgresStore(url)
    statement = f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{sqlstate}'; END $$"
    with pytest.raises(kind) as caught, translated_errors(), store._writer.connect() as connection:
        connection.execute(text(statement))
    assert type(caught.value) is kind
    store.close()
