"""Made-up sites and their clean twins: what is in order is not reported, and what is planted is reported once."""

from collections import Counter
from pathlib import Path

import pytest

from findable.capture.crawl import CrawlEnd
from findable.reports.site_report import SiteReport
from findable.vocabulary import Verdict
from tests.crawl.clean_sites import make_business
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

MOST_WARNED = 3


def assert_clean(crawled: Crawled) -> None:
    found = [(finding.verdict.value, finding.id, finding.summary(), finding.cause_name()) for finding in crawled.report().findings]

    assert crawled.state.ended_by is CrawlEnd.COMPLETE
    assert not [item for item in found if item[0] == Verdict.FAILED.value]
    assert len(found) <= MOST_WARNED, found
    assert not [item for item in found if item[1].startswith("site-")]


def planted(report: SiteReport) -> Counter[str]:
    """Causes of the checks of the whole site."""
    return Counter(finding.id for finding in report.findings if finding.id.startswith("site-"))


BUSINESS = {
    "footer": "site-links-broken",
    "chain": "site-redirect-chains",
    "loop": "site-redirect-loops",
    "server-error": "site-server-errors",
    "title": "site-title-duplicate",
    "canonical": "site-canonical-target",
    "text": "site-text-near",
    "orphan": "site-orphans",
}
ENTRIES = ("site-sitemap-blocked", "site-sitemap-noindex", "site-sitemap-status")


def test_a_small_business_in_order_has_no_findings(site: Site, tmp_path: Path) -> None:
    make_business(site)
    assert_clean(Crawled(tmp_path / "clean.sqlite", site.url("/")))


@pytest.mark.parametrize("fault", BUSINESS)
def test_a_small_business_with_one_fault_has_one_cause(site: Site, tmp_path: Path, fault: str) -> None:
    make_business(site, frozenset({fault}))
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == {BUSINESS[fault]: 1}


def test_a_small_business_with_all_faults_has_each_once(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({*BUSINESS, "sitemap"}))
    report = Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()

    assert planted(report) == dict.fromkeys((*BUSINESS.values(), *ENTRIES), 1)
    (footer,) = [finding for finding in report.findings if finding.id == "site-links-broken"]
    assert (footer.pages_count, footer.cause.params["place"]) == (10, "<footer>")
