"""Databases of both kinds in `make test` too: the store alone sees the dialect."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database of each kind; tests that ask for it run over both."""
    with new_database(request, tmp_path) as url:
        yield url
