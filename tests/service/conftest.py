"""A service on a new database of each kind, and an owner."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from tests.service import samples


@pytest.fixture
def service(tmp_path: Path, database_url: str) -> Iterator[Service]:
    opened = Service.open(samples.settings(tmp_path, database_url=database_url))
    yield opened
    opened.close()


@pytest.fixture
def caller(service: Service) -> Caller:
    return samples.owner(service)
