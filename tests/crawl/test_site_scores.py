"""The score of a site: what each planted accident costs, and what caps it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group
from findable.capture.site_graph import CrawledLinks, CrawledSitemap
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Result, all_checks, by_cause, inapplicable
from findable.reports.site_scoring import LOST_PAGES, SiteFacts, SitePart, site_caps, weights_of
from findable.vocabulary import Verdict
from tests.crawl.clean_sites import make_business, make_countries, make_docs, make_store
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.tiers import sampled

__all__ = ["make_site", "site"]

URL = "https://example.org/"
WHOLE = CrawlSummary(URL, "2026-11-22T10:00:00Z", 100, 100, ended_by=CrawlEnd.COMPLETE)
Maker = Callable[[Site, frozenset[str]], None]
ACCIDENTS: dict[Maker, tuple[tuple[str, ...], ...]] = {
    make_business: (
        *(("footer",), ("chain",), ("loop",), ("server-error",), ("title",), ("canonical",), ("orphan",)),
        *(("sitemap",), ("start",), ("section",), ("footer", "loop"), ("canonical", "sitemap")),
    ),
    make_docs: (("sidebar",), ("target",), ("home",), ("chain",)),
    make_store: (("footer",), ("facets",), ("home",)),
    make_countries: (("hreflang",),),
}
"""Without the faults that only checks in preview tell, which weigh nothing."""


@pytest.mark.parametrize(
    "make", sampled((make_business, make_countries, make_docs, make_store), 2), ids=["business", "countries", "docs", "store"]
)
def test_every_accident_lowers_the_score(make: Maker, make_site: Callable[[], Site], tmp_path: Path) -> None:
    def judged(faults: tuple[str, ...]) -> tuple[int, float]:
        at = make_site()
        make(at, frozenset(faults))
        report = Crawled(tmp_path / f"{'-'.join(faults) or 'clean'}.sqlite", at.url("/")).report()
        assert report.score is not None
        assert report.site_score is not None
        return report.score, report.site_score

    score, site_score = judged(())
    after = {faults: judged(faults) for faults in ACCIDENTS[make]}

    assert {faults: found for faults, found in after.items() if found[0] > score or found >= (score, site_score)} == {}
    caps: dict[tuple[str, ...], int] = {("start",): 49, ("section",): 59}
    assert {faults: found for faults, found in after.items() if found[0] > caps.get(faults, 100)} == {}


def result(check: str, *causes: tuple[Verdict, int]) -> Result:
    found = [CausedFinding(Cause(CauseKind.PAGE, str(n), "it"), verdict, "bad", count, ()) for n, (verdict, count) in enumerate(causes)]
    return Result(all_checks()[check], by_cause("good", found))


def lost(*causes: tuple[Verdict, int]) -> float:
    """Points of a hundred that a check loses."""
    part = SitePart(weights_of([result("site-links-broken", *causes)], 10_000)).score
    assert part is not None
    return round(100 - part, 2)


def test_a_cause_weighs_by_the_root_of_its_share_of_the_pages() -> None:
    assert [lost((Verdict.FAILED, count)) for count in (10_000, 100, 1)] == [100, 10, 1]
    assert [lost((Verdict.WARNED, count)) for count in (10_000, 100, 1)] == [50, 5, 0.5]
    assert lost((Verdict.FAILED, 100), (Verdict.WARNED, 9_900)) == 55
    assert lost((Verdict.FAILED, 9_000), (Verdict.FAILED, 9_000)) == 100


def test_what_is_not_there_to_judge_does_not_move_the_weights() -> None:
    nothing = Result(all_checks()["site-redirect-loops"], inapplicable("no URL of the site redirects"))
    broken = result("site-links-broken", (Verdict.FAILED, 100))

    assert (
        SitePart(weights_of([broken, nothing], 100)).score == SitePart(weights_of([broken, result("site-redirect-loops")], 100)).score == 50
    )
    assert SitePart(weights_of([broken, result("site-redirect-loops", (Verdict.FAILED, 1))], 100)).score == 45
    assert SitePart(weights_of([], 100)).score is None


@pytest.mark.parametrize(
    ("facts", "cap"),
    [
        (SiteFacts(), 100),
        (SiteFacts(start_is_indexable=False), 49),
        (SiteFacts(CrawledLinks(100, 1000, broken_links_count=100)), 100),
        (SiteFacts(CrawledLinks(100, 1000, broken_links_count=101)), 79),
        (SiteFacts(sitemap=CrawledSitemap(100, noindex=Group("noindex", 5))), 100),
        (SiteFacts(sitemap=CrawledSitemap(100, noindex=Group("noindex", 6))), 79),
        (SiteFacts(sitemap=CrawledSitemap(100, (Group("404", 20),), 20, disallowed=Group("disallowed", 5))), 59),
        (SiteFacts(sitemap=CrawledSitemap(100, (Group("301", 90),), 90, canonicalised=Group("canonicalised", 90))), 100),
    ],
)
def test_caps(facts: SiteFacts, cap: int) -> None:
    assert min((found.at_most for found in site_caps(facts, WHOLE)), default=100) == cap


def test_two_stale_entries_of_a_small_sitemap_are_no_loss_of_pages() -> None:
    small = CrawlSummary(URL, "2026-11-22T10:00:00Z", 6, 6, ended_by=CrawlEnd.COMPLETE)

    assert not [*site_caps(SiteFacts(sitemap=CrawledSitemap(8, (Group("404", 2),), 2)), small)]
    assert LOST_PAGES[0][1] in [*site_caps(SiteFacts(sitemap=CrawledSitemap(9, (Group("404", 3),), 3)), small)]
