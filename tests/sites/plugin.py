"""Fixtures of the test sites. A conftest takes them with ``from tests.sites.plugin import make_site, site``."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.sites.server import Site


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """Starts any number of sites: ``make_site(certificate="expired")``, ``make_site(name="localhost")``, ``make_site(host="::1")``."""
    sites: list[Site] = []

    def make(**settings: Any) -> Site:
        site = Site(**settings).start()
        sites.append(site)
        return site

    yield make
    for site in sites:
        site.stop()


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    """One plain http site on 127.0.0.1."""
    return make_site()
