"""Faults that are planted in clean sites: each gives its causes, and no other."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.crawl.clean_sites import make_business
from tests.crawl.faulty_sites import BUSINESS, Fault
from tests.crawl.test_clean_sites import planted
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

SITES: Mapping[Callable[[Site], None], Mapping[str, Fault]] = {make_business: BUSINESS}


@pytest.mark.parametrize(
    ("make", "fault"),
    [(make, fault) for make, faults in SITES.items() for fault in faults],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_planted_fault_has_its_causes_alone(site: Site, tmp_path: Path, make: Callable[[Site], None], fault: str) -> None:
    make(site)
    SITES[make][fault].plant(site)
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == SITES[make][fault].causes


@pytest.mark.parametrize("make", SITES, ids=lambda make: make.__name__)
def test_all_faults_of_a_site_have_their_causes_once(site: Site, tmp_path: Path, make: Callable[[Site], None]) -> None:
    make(site)
    expected: Counter[str] = Counter()
    for fault in SITES[make].values():
        fault.plant(site)
        expected.update(fault.causes)
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == expected
