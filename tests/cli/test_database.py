"""`findable db`, as it is typed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Run

if TYPE_CHECKING:
    from tests.postgresql import Server


@pytest.fixture
def target(postgresql: "Server") -> Iterator[str]:
    url = postgresql.empty_database()
    yield url
    postgresql.drop(url)


def test_size_and_vacuum_tell_of_sqlite(findable: Run) -> None:
    assert findable("accounts", "create", "a@example.com").returncode == 0
    size = findable("db", "size")
    assert size.returncode == 0, size.stderr
    assert "SQLite" in size.stdout
    assert " 1 rows" in next(line for line in size.stdout.splitlines() if line.split()[0] == "account")
    vacuum = findable("db", "vacuum")
    assert vacuum.returncode == 0, vacuum.stderr
    assert "before" in vacuum.stdout


def test_an_installation_moves_and_goes_on(findable: Run, target: str) -> None:
    assert findable("accounts", "create", "a@example.com").returncode == 0
    done = findable("db", "copy", "--to", target)
    assert done.returncode == 0, done.stderr
    assert "All tables are identical." in done.stdout
    moved = {"FINDABLE_DATABASE_URL": target}
    assert findable("keys", "create", "a@example.com", **moved).returncode == 0
    assert "PostgreSQL" in findable("db", "size", **moved).stdout
    assert findable("db", "vacuum", **moved).returncode == 0
    doctor = findable("doctor", FINDABLE_PORT="18766", **moved)
    assert "database: PostgreSQL" in doctor.stdout
    assert doctor.returncode == 0, doctor.stdout


def test_what_cannot_be_copied_is_told_by_the_name_of_the_flag_or_setting(findable: Run, target: str) -> None:
    for words, arguments, environment in (
        ("--to: is not a URL like postgresql://", ["--to", "sqlite:////x.db"], {}),
        ("FINDABLE_DATABASE_URL: must be the URL of the SQLite database", ["--to", target], {"FINDABLE_DATABASE_URL": target}),
        ("findable.db: there is no such database", ["--to", target], {}),
    ):
        done = findable("db", "copy", *arguments, **environment)
        assert done.returncode == 2
        assert words in done.stderr
