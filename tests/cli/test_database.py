"""`findable db`, as it is typed."""

from collections.abc import Iterator
from pathlib import Path
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


def test_an_installation_moves_and_goes_on(findable: Run, target: str, tmp_path: Path) -> None:
    assert findable("accounts", "create", "a@example.com").returncode == 0
    assert findable("backup", str(tmp_path / "moved.backup")).returncode == 0
    done = findable("restore", str(tmp_path / "moved.backup"), "--to", target)
    assert done.returncode == 0, done.stderr
    assert "0 reports of 1 accounts were restored" in done.stdout
    moved = {"FINDABLE_DATABASE_URL": target}
    assert findable("keys", "create", "a@example.com", **moved).returncode == 0
    assert "PostgreSQL" in findable("db", "size", **moved).stdout
    assert findable("db", "vacuum", **moved).returncode == 0
    doctor = findable("doctor", FINDABLE_PORT="18766", **moved)
    assert "database: PostgreSQL" in doctor.stdout
    assert doctor.returncode == 0, doctor.stdout
