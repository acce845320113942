"""The test sites; a running service with an account and people for a module, where it has none of its own."""

from collections.abc import Iterator

import pytest

from tests.browser import chromium, window
from tests.cli.conftest import findable
from tests.safety.world import World
from tests.sites.plugin import make_site, site
from tests.web.live import Live, run_live

__all__ = ["chromium", "findable", "make_site", "site", "window"]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), rate_limit=0)


@pytest.fixture(scope="module")
def world(live: Live) -> World:
    return World(live)
