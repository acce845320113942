"""Faults that are planted in clean sites: each gives its causes, and no other."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.crawl.clean_sites import HOSTS, make_business, make_hosts, make_news, make_store
from tests.crawl.faulty_sites import BUSINESS, NEWS, STORE, Fault, link, without_languages
from tests.crawl.test_clean_sites import planted
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.tiers import sampled

__all__ = ["make_site", "site"]

SITES: Mapping[Callable[[Site], None], Mapping[str, Fault]] = {make_business: BUSINESS, make_store: STORE, make_news: NEWS}


ALONE = [(make, fault) for make, faults in SITES.items() for fault in faults]


@pytest.mark.full
@pytest.mark.parametrize(("make", "fault"), ALONE, ids=lambda value: value if isinstance(value, str) else value.__name__)
def test_a_planted_fault_has_its_causes_alone(site: Site, tmp_path: Path, make: Callable[[Site], None], fault: str) -> None:
    make(site)
    SITES[make][fault].plant(site)
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == SITES[make][fault].causes


@pytest.mark.parametrize("make", sampled(SITES), ids=lambda make: make.__name__)
def test_all_faults_of_a_site_have_their_causes_once(site: Site, tmp_path: Path, make: Callable[[Site], None]) -> None:
    make(site)
    expected: Counter[str] = Counter()
    for fault in SITES[make].values():
        fault.plant(site)
        expected.update(fault.causes)
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == expected


def test_a_dead_link_to_another_site_is_one_cause_where_it_is_asked_for(site: Site, make_site: Callable[[], Site], tmp_path: Path) -> None:
    other = make_site()
    other.page("/robots.txt", "User-agent: *\nDisallow:\n", content_type="text/plain")
    other.page("/partner", "fine")
    make_business(site)
    link(site, "/about", other.url("/partner"))
    assert planted(Crawled(tmp_path / "clean.sqlite", site.url("/"), external=True).report()) == {}
    link(site, "/about", other.url("/moved-away"))
    assert planted(Crawled(tmp_path / "dead.sqlite", site.url("/"), external=True).report()) == {"site-external-broken": 1}
    assert planted(Crawled(tmp_path / "unasked.sqlite", site.url("/")).report()) == {}


def test_three_hosts_without_hreflang_are_one_copy(make_site: Callable[[], Site], tmp_path: Path) -> None:
    sites = [make_site() for _ in HOSTS]
    make_hosts(sites)
    for at in sites:
        without_languages(at)
    found = Crawled(tmp_path / "faulty.sqlite", sites[0].url("/"), hosts=("127.0.0.1",)).report()

    assert planted(found) == {"site-text-duplicate": 1}
    (copy,) = [finding for finding in found.findings if finding.id == "site-text-duplicate"]
    assert set(copy.cause.key.split()) == {at.url("/") for at in sites[:2]}
