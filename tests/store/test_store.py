"""What every store keeps its word on: one class for all databases. Below it what SQLite alone does; PostgreSQL: test_postgres.py."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import create_engine, text

from findable.errors import Unavailable
from findable.formats.zstd import zstd
from findable.reports.analysis import analyse
from findable.store.database_errors import StoreDamaged
from findable.store.open_store import open_store
from findable.store.packed_values import DICTIONARIES, NEWEST_DICTIONARY, pack_analysis, pack_page, unpack
from findable.store.rows import NewRun, Position, ReportRow, Selection
from findable.store.schema.all_tables import metadata
from findable.store.schema_versions import HEAD, migrate
from findable.store.search_index_sqlite import make_search_index
from findable.store.sqlite import SqliteStore
from findable.store.store_protocol import Session, Store
from findable.vocabulary import Verdict
from tests.mutations.world import NAMES, captured, site
from tests.store.earlier_version import make_tables, pretend
from tests.stored_damage import damage_of

NOW = 1_800_000_000


def a_report(session: Session, url: str = "https://a.example/", email: str = "a@b.example", *, host: str = "a.example") -> ReportRow:
    account = session.accounts.by_email(email)
    account_id = account.id if account else session.accounts.add(email, "A", NOW)
    report_id = session.reports.add(
        {
            "public_id": f"{email}{url}{session.jobs.active(account_id)}",
            "account_id": account_id,
            "project_id": session.projects.ensure(account_id, "a.example", NOW),
            "url": url,
            "scheme_guessed": 0,
            "privacy": 0,
            "status": "queued",
            "created_at": NOW,
            "updated_at": NOW,
        }
    )
    session.jobs.add(account_id, report_id=report_id, host=host, fresh_site=0, created_at=NOW)
    row = session.reports.by_id(report_id)
    assert row is not None
    return row


def show(session: Session, row: ReportRow, result: str, score: int) -> None:
    new = NewRun(
        NOW,
        NOW + 1,
        "static",
        result,
        score,
        100,
        "{}",
        b"analysis",
        b"page",
        None,
        "{}",
        {"a": Verdict.FAILED, "b": Verdict.PASSED},
        ["lcp"],
    )
    added = session.runs.add(row, row.url, new)
    current = session.reports.by_id(row.id)
    assert current is not None
    session.reports.show_run(current, added.number, new, check_set_id=added.check_set_id, now=NOW, status="done")


class TestStore:
    """Over the protocol."""

    @pytest.fixture
    def store(self, database_url: str) -> Iterator[Store]:
        opened = open_store(database_url, exclusive=True)
        yield opened
        opened.close()

    def test_what_is_written_is_read_and_what_raises_is_undone(self, store: Store) -> None:
        with store.write() as session:
            session.accounts.add("a@b.example", "A", NOW)

        def broken() -> None:
            with store.write() as session:
                session.accounts.add("c@d.example", "C", NOW)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            broken()
        with store.read() as session:
            assert session.accounts.by_email("a@b.example")
            assert session.accounts.by_email("c@d.example") is None
        assert store.ping()
        assert damage_of(store) == []

    def test_what_failed_is_found_by_the_result_that_is_shown_now(self, store: Store) -> None:
        with store.write() as session:
            rows = [a_report(session, f"https://a.example/{n}") for n in range(4)]
            for row, result in zip(rows, ("bad", "good", "bad", "good"), strict=True):
                show(session, row, result, 50)
        asked = Selection(rows[0].account_id, check="a", verdict=Verdict.FAILED, limit=10)

        def found(store: Store, result: str | None, sort: str = "id") -> list[int]:
            with store.read() as session:
                selection = replace(asked, result=result, sort=sort)
                shown = [row.id for row in session.reports.select(selection)]
                assert session.reports.count(selection, 100) == len(shown)
            return [[row.id for row in rows].index(number) for number in shown]

        assert (found(store, "bad"), found(store, "good"), found(store, "decent")) == ([2, 0], [3, 1], [])
        with store.write() as session:
            for row, result in ((rows[0], "good"), (rows[1], "bad")):
                current = session.reports.by_id(row.id)
                assert current
                show(session, current, result, 50)
            emptied = session.reports.by_id(rows[3].id)
            assert emptied
            session.reports.clear_run(emptied, NOW)
        for sort in ("id", "url", "generated_at", "result"):
            assert found(store, "bad", sort) == [2, 1]
            assert found(store, "good", sort) == [0]
        assert found(store, None) == [2, 1, 0]

    def test_readers_see_one_state_while_others_write(self, store: Store) -> None:
        with store.read() as reader:
            assert not reader.accounts.any()
            with store.write() as writer:
                writer.accounts.add("a@b.example", "A", NOW)
            assert not reader.accounts.any()
        with store.read() as reader:
            assert reader.accounts.any()

    def test_all_that_a_thread_reads_within_a_block_is_of_one_state(self, store: Store) -> None:
        seen_by_others: list[bool] = []

        def look() -> None:
            with store.read() as session:
                seen_by_others.append(session.accounts.any())

        with store.one_snapshot():
            with store.read() as session:
                assert not session.accounts.any()
            with store.write() as session:
                session.accounts.add("a@b.example", "A", NOW)
            with store.read() as session:
                assert not session.accounts.any()
            other = threading.Thread(target=look)
            other.start()
            other.join()
        assert seen_by_others == [True]
        with store.read() as session:
            assert session.accounts.any()

        def broken() -> None:
            with store.one_snapshot(), store.read():
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            broken()
        look()
        assert seen_by_others == [True, True]

    def test_acceptances_go_with_what_they_belong_to(self, store: Store) -> None:
        with store.write() as session:
            row, other = a_report(session), a_report(session, "https://a.example/b")
            values = {"project_id": row.project_id, "check_name": "noindex", "finding_key": "", "reason": "r", "until": ""}
            values |= {"accepted_by": "A", "created_at": NOW}
            for number, pattern in ((None, "/b*"), (row.id, "*"), (other.id, "*"), (None, "/a*")):
                session.acceptances.add({**values, "report_id": number, "pattern": pattern})
        with store.write() as session:
            found = session.acceptances.of_report(row)
            assert [(one.report_id, one.pattern) for one in found] == [(row.id, "*"), (None, "/b*"), (None, "/a*")]
            assert session.acceptances.count_for_project(row.project_id, of_crawls=False) == 2
            session.acceptances.remove([found[1].id])
            session.reports.delete(row, 1)
            assert [one.report_id for one in session.acceptances.of_report(other)] == [other.id, None]
            session.reports.remove([other.id])
            session.projects.remove(row.project_id)
            assert session.acceptances.of_report(other) == []

    def test_reports_whose_acceptance_has_ended_are_found(self, store: Store) -> None:
        with store.write() as session:
            rows = [a_report(session, f"https://a.example/{name}") for name in "abc"]
            for row, end in zip(rows, (NOW + 5, None, NOW), strict=True):
                session.reports.change(row.id, NOW, accepted_end=end)
            assert session.reports.with_ended_acceptance(NOW, 10) == [rows[2].id]
            assert session.reports.with_ended_acceptance(NOW + 5, 10) == [rows[2].id, rows[0].id]
            assert session.reports.with_ended_acceptance(NOW + 5, 1) == [rows[2].id]
            show(session, rows[2], "good", 93)
            assert session.reports.with_ended_acceptance(NOW, 10) == []

    def test_reports_that_show_a_run_are_walked_by_id(self, store: Store) -> None:
        with store.write() as session:
            rows = [a_report(session, f"https://a.example/{name}") for name in "abc"]
            for row in rows[1:]:
                show(session, row, "good", 93)
            assert session.reports.shown_runs(0, 10) == [(rows[1].id, "{}"), (rows[2].id, "{}")]
            assert session.reports.shown_runs(rows[1].id, 10, "a.example") == [(rows[2].id, "{}")]
            assert session.reports.shown_runs(0, 10, "b.example") == []

    def test_writers_take_turns(self, store: Store) -> None:
        with store.write() as session:
            account_id = session.accounts.add("a@b.example", "A", NOW)
        barrier = threading.Barrier(8)

        def write() -> None:
            barrier.wait()
            for _ in range(5):
                with store.write() as session:
                    session.projects.ensure(account_id, f"{threading.get_ident()}-{session.projects.count(account_id, None, 10**6)}", NOW)

        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with store.read() as session:
            assert session.projects.count(account_id, None, 10**6) == 40

    def test_numbers_are_never_given_twice(self, store: Store) -> None:
        with store.write() as session:
            first = a_report(session)
            session.reports.delete(first, 1)
            second = a_report(session)
            assert second.id > first.id

    def test_counters_follow_every_change(self, store: Store) -> None:
        with store.write() as session:
            rows = [a_report(session, f"https://a.example/{n}") for n in range(4)]
            account = rows[0].account_id
            for row, (result, score) in zip(rows, (("good", 95), ("bad", 10), ("good", 91), ("decent", 70)), strict=True):
                show(session, row, result, score)
            changed = session.reports.by_id(rows[0].id)
            assert changed is not None
            show(session, changed, "bad", 5)
            gone = session.reports.by_id(rows[1].id)
            assert gone is not None
            session.reports.delete(gone, 1)
            unrated = session.reports.by_id(rows[3].id)
            assert unrated is not None
            session.reports.clear_run(unrated, NOW, status="failed")
            for project in (None, rows[0].project_id):
                counts = {
                    result: session.reports.count(Selection(account, project_id=project, result=result), 9)
                    for result in (None, "good", "decent", "bad")
                }
                assert counts == {None: 3, "good": 1, "decent": 0, "bad": 1}

    def test_deleting_takes_everything_along(self, store: Store) -> None:
        with store.write() as session:
            row = a_report(session)
            show(session, row, "good", 95)
            current = session.reports.by_id(row.id)
            assert current is not None
            session.reports.delete(current, 1)
            assert session.jobs.depths() == {}
            assert session.jobs.active(row.account_id) == 0
            assert session.runs.count(row.id) == 0
            assert session.runs.history(row, 9) == []
        assert damage_of(store) == []

    def test_only_the_attempt_that_holds_a_job_may_write(self, store: Store) -> None:
        with store.write() as session:
            a_report(session)
            [first] = session.jobs.claim("w1", now=NOW, host_limit=2, limit=9)
            assert session.jobs.claim("w2", now=NOW, host_limit=2) == []
            assert session.jobs.beat(first.id, first.attempt, progress='["fetch",1,4]')
            assert [job.id for job in session.jobs.lost(30)] == [first.id]
            assert session.jobs.requeue_lost(first.id, first.attempt, NOW, "worker_lost", 1) == 1
            [second] = session.jobs.claim("w2", now=NOW, host_limit=2)
            assert second.attempt == first.attempt + 1
            assert not session.jobs.beat(first.id, first.attempt, progress=None)
            assert not session.jobs.finish(first.id, first.attempt)
            assert not session.jobs.hand_back(first.id, first.attempt)
            assert session.jobs.requeue_lost(first.id, first.attempt, NOW, "worker_lost", 1) is None
            assert session.jobs.finish(second.id, second.attempt)
            assert not session.jobs.finish(second.id, second.attempt)
            assert session.jobs.depths() == {}

    def test_a_job_that_rests_is_taken_when_its_time_has_come(self, store: Store) -> None:
        with store.write() as session:
            a_report(session)
            [job] = session.jobs.claim("w", now=NOW, host_limit=2)
            session.jobs.requeue_lost(job.id, job.attempt, NOW + 10, "worker_lost", 1)
            assert session.jobs.claim("w", now=NOW + 9, host_limit=2) == []
            assert len(session.jobs.claim("w", now=NOW + 10, host_limit=2)) == 1

    def test_several_are_taken_at_once_within_the_limit_of_a_host(self, store: Store) -> None:
        with store.write() as session:
            for n in range(9):
                a_report(session, f"https://a.example/{n}", host="a.example" if n % 2 else f"{n}.example")
            taken = session.jobs.claim("w", now=NOW, host_limit=2, limit=20)
            assert sorted(job.host for job in taken) == [
                "0.example",
                "2.example",
                "4.example",
                "6.example",
                "8.example",
                "a.example",
                "a.example",
            ]
            assert len({job.id for job in taken}) == 7

    def test_f19_a_host_that_asked_for_a_pause_is_passed_over_until_it_is_over(self, store: Store) -> None:
        with store.write() as session:
            a_report(session, "https://a.example/", host="a.example")
            session.jobs.set_pause("https://a.example", "a.example", NOW + 5)
            session.jobs.set_pause("https://a.example", "a.example", NOW + 10)
            assert session.jobs.claim("w", now=NOW + 9, host_limit=2) == []
            assert session.jobs.pauses(NOW + 9) == [("https://a.example", "a.example", NOW + 10)]
            assert len(session.jobs.claim("w", now=NOW + 10, host_limit=2)) == 1
            session.jobs.delete_ended_pauses(NOW + 10)
            assert session.jobs.pauses(NOW) == []

    def test_a_page_after_a_place_is_the_rest_of_the_list(self, store: Store) -> None:
        with store.write() as session:
            rows = [a_report(session, f"https://a.example/{'xyz'[n % 3]}") for n in range(9)]
            everything = Selection(rows[0].account_id, sort="url", limit=50)
            listed = session.reports.select(everything)
            for place, row in enumerate(listed):
                after = Selection(rows[0].account_id, sort="url", limit=50, position=Position(row.url, row.id))
                assert session.reports.select(after) == listed[place + 1 :]
                before = Selection(rows[0].account_id, sort="url", limit=50, position=Position(row.url, row.id, backwards=True))
                assert session.reports.select(before) == listed[:place]

    def test_the_last_writer_of_an_account_waits_and_then_gives_up(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        with store.write() as session:
            account_id = session.accounts.add("a@b.example", "A", NOW)
        monkeypatch.setattr("findable.store.postgres._PREPARE", ("SET lock_timeout = '200ms'",))
        with store.write() as session:
            session.projects.ensure(account_id, "a.example", NOW)
            outcome: list[object] = []

            def write() -> None:
                with pytest.raises(Unavailable) as caught, store.write() as other:
                    other.projects.ensure(account_id, "b.example", NOW)
                outcome.append(caught.value.retry_after_s)

            store._writer.pool._timeout = 0.2  # type: ignore[attr-defined]  # of SQLAlchemy's pool of threads
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
        assert outcome == [5]


def schema_of(path: Path) -> list[tuple[str, str, str]]:
    connection = sqlite3.connect(path)
    query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name <> 'alembic_version'"
    found = sorted((kind, name, " ".join(str(sql).split())) for kind, name, sql in connection.execute(query))
    connection.close()
    return found


def columns_of(path: Path) -> dict[str, object]:
    connection = sqlite3.connect(path)
    tables = [name for kind, name, _ in schema_of(path) if kind == "table"]
    found: dict[str, object] = {}
    for table in tables:
        found[table] = [
            sorted(connection.execute(f"PRAGMA {what}({table})").fetchall()) for what in ("table_xinfo", "foreign_key_list", "index_list")
        ]
    connection.close()
    return found


def test_the_migrations_lead_to_the_very_schema_that_a_new_database_gets(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "new.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'old.db'}")
    with engine.begin() as connection:
        migrate(connection)
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == HEAD
        make_search_index(connection)
    engine.dispose()
    searched = {name for name in columns_of(tmp_path / "new.db") if name.startswith("report_url_")}
    assert columns_of(tmp_path / "new.db").keys() - searched == set(metadata.tables)

    def words(path: Path) -> list[tuple[str, str, list[str]]]:
        without = str.maketrans({'"': "", ",": " ", "(": " ", ")": " "})
        return [(kind, name, sorted(sql.translate(without).split())) for kind, name, sql in schema_of(path)]

    assert words(tmp_path / "old.db") == words(tmp_path / "new.db")


def test_a_database_of_an_earlier_version_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "migrations", monkeypatch.setattr)
    path = tmp_path / "x.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        make_tables(connection)
        for statement in (
            f"INSERT INTO account (id, email, name, created_at, projects, reports) VALUES (1, 'a@b.example', 'A', {NOW}, 1, 1)",
            f"INSERT INTO project (id, account_id, name, created_at, reports) VALUES (1, 1, 'a.example', {NOW}, 1)",
            (
                "INSERT INTO report (id, public_id, account_id, project_id, url, scheme_guessed, privacy, status, created_at, updated_at, runs, "
                "run, generated_up, generated_down, result_up, result_down) "
                f"VALUES (1, 'p', 1, 1, 'https://a.example/', 0, 0, 'done', {NOW}, {NOW}, 1, 1, 0, 0, 0, 0)"
            ),
            (
                "INSERT INTO run (report_id, number, account_id, url, profile, started_at, finished_at) "
                f"VALUES (1, 1, 1, 'https://a.example/', 'static', {NOW}, {NOW})"
            ),
        ):
            connection.execute(text(statement))
    engine.dispose()

    store = SqliteStore(path)
    with store.write() as session:
        row = session.reports.by_id(1)
        assert row is not None
        show(session, row, "good", 93)
    with store.read() as session:
        row, project, run = session.reports.by_id(1), session.projects.by_id(1, 1), session.runs.get(1, 2)
        assert row is not None
        assert project is not None
        assert run is not None
        assert (row.score, project.not_for_search_json, run.rescored_from) == (93, None, None)
        assert session.acceptances.of_report(row) == []
    store.close()


def test_what_is_deleted_is_given_back_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "x.db")
    with store.write() as session:
        rows = [a_report(session, f"https://a.example/{n}/" + "x" * 1000) for n in range(100)]
    with store.write() as session:
        session.reports.remove([row.id for row in rows])
    for pragma in ("PRAGMA freelist_count", "PRAGMA freelist_count"):
        free = int(store._rows(pragma)[0])
        store.free_disk_space()
    assert free == 0
    assert int(store._rows("PRAGMA auto_vacuum")[0]) == 2
    store.close()


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("9999", "made by a newer version"),
        ("0045", "made by an earlier commit .* cannot be upgraded; docs/how-to/backup.md describes how"),
    ],
)
def test_a_database_of_a_version_without_an_upgrade_is_refused(tmp_path: Path, version: str, words: str) -> None:
    SqliteStore(tmp_path / "x.db").close()
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    connection.commit()
    connection.close()
    with pytest.raises(StoreDamaged, match=words) as caught:
        SqliteStore(tmp_path / "x.db")
    assert "\n" not in str(caught.value)


def test_a_database_of_somebody_else_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("CREATE TABLE theirs (x)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreDamaged, match="tables that do not belong to Findable"):
        SqliteStore(tmp_path / "x.db")


@given(st.binary(max_size=5000))
@settings(max_examples=50)
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    assert unpack(pack_analysis(data)) == data
    assert unpack(pack_page(data)) == data


def test_what_would_unpack_to_too_much_or_is_damaged_is_refused() -> None:
    packed = pack_analysis(b"x" * 1000)
    for wrong in (b"", b"no", packed[:-3], packed[:-1] + bytes([packed[-1] ^ 0xFF])):
        with pytest.raises(ValueError, match="packed value"):
            unpack(wrong)


def test_what_was_packed_with_the_dictionary_names_it() -> None:
    assert [path.name for path in DICTIONARIES.iterdir()] == [f"{NEWEST_DICTIONARY}.zdict"]
    dictionary = zstd.ZstdDict((DICTIONARIES / f"{NEWEST_DICTIONARY}.zdict").read_bytes())
    assert dictionary.dict_id == NEWEST_DICTIONARY
    assert unpack(zstd.compress(b"x" * 1000, zstd_dict=dictionary)) == b"x" * 1000
    assert unpack(zstd.compress(b"x" * 1000)) == b"x" * 1000


def test_a_dictionary_that_is_not_ours_is_refused() -> None:
    foreign = zstd.train_dict([b"a sentence, number %d" % n * 10 for n in range(1000)], 1024)
    with pytest.raises(ValueError, match="packed value"):
        unpack(zstd.compress(b"a sentence", zstd_dict=foreign))


def test_an_analysis_takes_little_room() -> None:
    sizes = {}
    for name in NAMES:
        page = site(name)
        sizes[name] = len(pack_analysis(analyse(captured(page.html, page.keywords)).to_bytes()))
    assert median(sizes.values()) < 6_200, "train a newer dictionary: tools/train_dictionary.py"
