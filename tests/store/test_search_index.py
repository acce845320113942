"""The index of addresses' parts on SQLite: it finds what a walk over all addresses finds, whatever was written since it was made."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from findable.store import search_index_sqlite
from findable.store.backups import back_up, restore
from findable.store.rows import Selection
from findable.store.search_index_sqlite import has_search_index, parts_of
from findable.store.sqlite import SqliteStore
from tests.store.test_store import NOW, a_report, show
from tests.stored_damage import damage_of

WORDS = ("lumen", "Lumen", "river", "riv", "a%b", "c_d", 'q"u', "it's", "*", "%C3%A9", "--", "x" * 40)
TERMS = (*WORDS, "UMEN", "me", "e", "lumen/river", "https://a", "r-1", '"', '""" OR', "AND", "u AND r", "zzz", "", "aaa", "x" * 39, "1/lu")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(search_index_sqlite, "FEW", 0)  # few are walked; here no account has more
    return tmp_path / "x.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path)
    yield opened
    opened.close()


def write(store: SqliteStore, chance: random.Random, count: int = 30) -> None:
    """Reports are made, get another address, and go."""
    with store.write() as session:
        for n in range(count):
            row = a_report(session, f"https://a.example/{n}/{chance.choice(WORDS)}/{chance.choice(WORDS)}-{n}")
            if n % 3 == 0:
                session.reports.change(row.id, NOW, url=f"https://a.example/{chance.choice(WORDS)}/{n}")
            if n % 7 == 0:
                session.reports.delete(row, 1)
            elif n % 5 == 0:
                show(session, row, "bad", 3)


def index_agrees(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what the addresses say."""
    asked: list[str] = []
    look_up = search_index_sqlite.candidates

    def note(connection: object, parts: str) -> str | None:
        asked.append(parts)
        return look_up(connection, parts)

    monkeypatch.setattr("findable.store.search_index_sqlite.candidates", note)
    with store.read() as session:
        everything = session.reports.select(Selection(1, limit=1000))
        assert everything
        for term in TERMS:
            for selection in (
                Selection(1, limit=1000),
                Selection(1, limit=1000, project_id=1, sort="url"),
                Selection(1, limit=1000, result="bad"),
            ):
                searched = replace(selection, search=term)
                wanted = [
                    row.id
                    for row in session.reports.select(selection)
                    if term.lower() in row.url.lower() and selection.result in (None, row.result)
                ]
                assert [row.id for row in session.reports.select(searched)] == wanted, term
                assert session.reports.count(searched, 1000) == len(wanted)
        assert session.reports.count(Selection(2, search="lumen"), 9) == 0  # another account's
        assert session.reports.count(Selection(2, project_id=1, search="lumen"), 9) == 0
    assert {parts_of(term) for term in TERMS} - {""} <= set(asked)


def test_f36_what_is_searched_for_is_found_before_and_after_changes_are_taken_in(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    for _ in range(3):
        write(store, chance)
        index_agrees(store, monkeypatch)
        store.free_disk_space()
        index_agrees(store, monkeypatch)
        assert store._rows("SELECT count(*) FROM report_url_changed") == ["0"]
    assert damage_of(store) == []
    assert store.about().notes == ()


def test_changes_are_taken_in_some_at_a_time(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index_sqlite, "INDEXED_AT_ONCE", 7)
    write(store, random.Random(4))
    left = []
    more = True
    while more:
        left.append(int(store._rows("SELECT count(*) FROM report_url_changed")[0]))
        with store._writer.connect() as connection, connection.begin():
            more = search_index_sqlite.index_changes(connection)
        index_agrees(store, monkeypatch)
    assert [before - after for before, after in pairwise(left)] == [7] * (len(left) - 1)


def test_what_goes_with_its_account_goes_from_the_index(store: SqliteStore) -> None:
    write(store, random.Random(5))
    store.free_disk_space()
    with store._writer.connect() as connection, connection.begin():
        connection.exec_driver_sql("DELETE FROM account")
    store.free_disk_space()
    with store._reader.connect() as connection:
        assert search_index_sqlite.candidates(connection, parts_of("https://")) == "[]"


def test_where_very_many_may_fit_the_addresses_are_walked(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, random.Random(6))
    monkeypatch.setattr(search_index_sqlite, "CANDIDATES", 2)
    index_agrees(store, monkeypatch)
    with store._reader.connect() as connection:
        assert search_index_sqlite.candidates(connection, parts_of("example")) is None


def test_a_sqlite_without_fts5_walks_and_one_that_has_it_makes_the_index_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(path)
    write(store, random.Random(7))
    store.close()
    with monkeypatch.context() as without:
        without.setattr(search_index_sqlite, "_OFFERED", "SELECT 0")
        store = SqliteStore(path)
        assert store.about().notes[0].startswith("searches scan all URLs")
        write(store, random.Random(8))
        with store.read() as session:
            assert session.reports.count(Selection(1, search="LUMEN"), 1000) > 1
        store.free_disk_space()
        store.close()
        other = SqliteStore(path.with_name("never.db"))
        assert other.about().notes
        other.close()
    store = SqliteStore(path)
    assert store.about().notes
    store.vacuum()
    assert store.about().notes == ()
    index_agrees(store, monkeypatch)
    store.close()


def test_no_backup_holds_it_and_what_is_given_back_has_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(path)
    write(store, random.Random(9))
    made = back_up(f"sqlite:///{path}", path.with_name("b"))
    assert not [name for name in made.rows if name.startswith("report_url")]
    with store._reader.connect() as connection:
        assert has_search_index(connection)
    store.close()
    restore(path.with_name("b"), f"sqlite:///{path.with_name('again.db')}")
    again = SqliteStore(path.with_name("again.db"))
    assert again._rows("PRAGMA auto_vacuum") == ["2"]
    index_agrees(again, monkeypatch)
    again.close()


@pytest.mark.parametrize(
    ("search", "parts"),
    [
        ("abc", '"abc"'),
        ("ABCD", '"abc" AND "bcd"'),
        ("abcdefg", '"abc" AND "def" AND "efg"'),
        ('a"b', '"a""b"'),
        ("ab", ""),
        ("", ""),
        ("abc\0", ""),
        ("été", ""),
    ],
)
def test_the_parts_of_a_text(search: str, parts: str) -> None:
    assert parts_of(search) == parts
