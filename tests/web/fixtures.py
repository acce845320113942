"""Fixtures of the interface's and the pages' tests: one service for a module, an account for each test."""

from collections.abc import Iterator

import pytest

from tests.web.live import Client, Live, run_live


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"))


@pytest.fixture
def client(live: Live) -> Client:
    return live.client()
