"""Costs and gains of the findings of a site: gains in the list add up, and a cap ends with the last finding behind it."""

from pathlib import Path

from msgspec import structs

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group
from findable.capture.site_graph import CrawledLinks, CrawledSitemap, CrawledTemplates, LinkTarget
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Result, all_checks, by_cause
from findable.reports.reported_finding import AcceptanceTerms
from findable.reports.scoring import Row
from findable.reports.site_fixes import first_site_fixes, score_without_cap
from findable.reports.site_gains import CauseFix, ScoredPages, SiteGains
from findable.reports.site_report import PageFindings, SiteFinding, SiteReport, site_report
from findable.reports.site_scoring import BROKEN_LINKS, SiteFacts, SitePart, weights_of
from findable.vocabulary import Importance, Verdict
from findable.wording import ENGLISH
from tests.checks.site.harness import finding
from tests.crawl.clean_sites import make_business
from tests.crawl.test_crawls import Crawled
from tests.crawl.test_site_scores import result
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

TITLE = Row("title-present", Importance.HIGH, Verdict.FAILED)
HEADING = Row("h1-present", Importance.MEDIUM, Verdict.WARNED)
BROKEN = CauseFix("site-links-broken", Verdict.FAILED, 100, ())


def gains(pages: dict[ScoredPages, float], *results: Result, capped: bool = False) -> SiteGains:
    return SiteGains(pages, SitePart(weights_of(results, 100)), [BROKEN_LINKS] if capped else [])


def test_a_fix_gains_what_the_cap_of_a_page_held_back() -> None:
    lost = HEADING.weight + 2 * TITLE.weight
    pages = {ScoredPages(1, 100, 200 - lost, (TITLE, HEADING)): 1.0, ScoredPages(2, 100, 200, ()): 1.0}
    title, heading = (CauseFix(row.id, row.verdict, 50, (1,)) for row in (TITLE, HEADING))
    found = gains(pages)

    without_heading, score = min(59, (200 - lost) // 2), (200 - HEADING.weight) // 2
    assert found.worth(title) == 0.7 * (score - without_heading) / 2
    assert found.worth(heading) == 0
    assert found.in_order([heading, title]) == [0, 100 - (100 + without_heading) // 2]


def test_fixes_of_other_templates_gain_nothing_here() -> None:
    pages = {ScoredPages(1, 100, 200 - HEADING.weight, (HEADING,)): 1.0}
    elsewhere, here = (CauseFix(HEADING.id, HEADING.verdict, 9, (template,)) for template in (2, 1))

    assert gains(pages).in_order([elsewhere, here]) == [0, 100 - (200 - HEADING.weight) // 2]


def test_an_accepted_finding_leaves_the_score_as_if_it_were_not_asked() -> None:
    lost = HEADING.weight + 2 * TITLE.weight
    pages = {ScoredPages(1, 100, 200 - lost, (TITLE, HEADING)): 1.0, ScoredPages(2, 100, 200, ()): 3.0}
    found = gains(pages)
    found.accept(CauseFix(TITLE.id, TITLE.verdict, 1, (1,)))

    possible = 100 - TITLE.weight
    assert found.pages_score == (50 * (2 * possible - HEADING.weight) // possible + 300) / 4


def test_a_cap_of_the_site_ends_with_the_last_finding_behind_it() -> None:
    causes = ((Verdict.FAILED, 60), (Verdict.WARNED, 40))
    fixes = [CauseFix("site-links-broken", verdict, count, ()) for verdict, count in causes]
    perfect = {ScoredPages(0, 100, 200, ()): 1.0}
    others = [result(check) for check in ("site-redirect-loops", "site-redirect-chains", "site-server-errors", "site-canonical-target")]
    found = gains(perfect, result("site-links-broken", *causes), *others, capped=True).in_order(fixes)

    assert found == [0, 100 - BROKEN_LINKS.at_most]
    assert sum(gains(perfect, result("site-links-broken", *causes), *others).in_order(fixes)) < 10


def test_gains_of_a_crawled_site_add_up_and_follow_the_harm(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer", "title", "loop", "orphan"}))
    report = Crawled(tmp_path / "site.sqlite", site.url("/")).report()
    assert report.score is not None
    projected = report.score + sum(finding.gain or 0 for finding in report.findings)

    assert report.cap is not None
    assert report.cap.at_most == BROKEN_LINKS.at_most
    assert report.findings[0].id == "site-links-broken"
    assert all(finding.gain is not None and finding.gain >= 0 for finding in report.findings)
    costs = [finding.worth for finding in report.findings[1:]]
    assert costs == sorted(costs, reverse=True)
    assert 98 <= projected <= 100


def test_a_report_names_the_findings_of_all_caps_that_lower_its_score() -> None:
    summary = CrawlSummary("https://example.org/", "2026-11-22T10:00:00Z", 100, 100, ended_by=CrawlEnd.COMPLETE)
    perfect = PageFindings(score=100.0, scored={ScoredPages(0, 100, 200, ()): 1.0})
    sitemap = CrawledSitemap(100, (Group("404", 20),), 20)
    broken = CrawledLinks(100, 1000, broken_links_count=101)
    missing = CausedFinding(Cause(CauseKind.GROUP, "404", "it"), Verdict.WARNED, "bad", 20, ())
    entries = Result(all_checks()["site-sitemap-status"], by_cause("good", [missing]))
    results = [result("site-links-broken", (Verdict.FAILED, 1)), entries]
    report = site_report(summary, CrawledTemplates(()), perfect, results, SiteFacts(links=broken, sitemap=sitemap))

    assert report.cap is not None
    assert (report.score, report.cap.at_most) == (79, 79)
    assert set(report.cap.checks) >= {"site-links-broken", "site-sitemap-status"}
    assert report.findings[0].gain == 0


def sitemap_report(noindex_count: int, *groups: tuple[str, int]) -> SiteReport:
    """Report of 50 indexable pages and a sitemap with noindex entries, and entries by their status."""
    summary = CrawlSummary("https://example.org/", "2026-11-22T10:00:00Z", 80, 50, ended_by=CrawlEnd.COMPLETE)
    perfect = PageFindings(score=100.0, scored={ScoredPages(1, 100, 200, ()): 1.0})
    not_ok = tuple(Group(status, count) for status, count in groups)
    sitemap = CrawledSitemap(
        80, not_ok, sum(count for _, count in groups), noindex=Group("noindex", noindex_count, ("https://example.org/a",))
    )
    links = CrawledLinks(80, 1000, server_errors=(LinkTarget("https://example.org/crash", 500),), server_errors_count=1)
    names = ("site-sitemap-noindex", "site-sitemap-status", "site-server-errors")
    results = [Result(all_checks()[name], finding(name, sitemap, links)) for name in names]
    return site_report(summary, CrawledTemplates(()), perfect, results, SiteFacts(sitemap=sitemap))


def test_a_cap_of_lost_pages_ends_when_too_few_are_left() -> None:
    report = sitemap_report(19, ("404", 1), ("500", 1))
    assert report.score == 59
    assert [(item.id, item.limits) for item in report.limiting] == [("site-sitemap-noindex", True)]
    assert (report.findings[0].gain or 0) > 30
    assert report.limited_to() == (
        "Limited to 59: the sitemap lists 21 pages that cannot be indexed, 29 % of these and the 50 indexable pages (limit from 20 %)"
    )


def test_the_score_after_the_first_fixes_counts_all_causes_of_the_named_fixes() -> None:
    report = sitemap_report(19, ("404", 1), ("500", 3))
    cause = report.findings[0]

    def of(check: str, key: str, gain: int, *, limits: bool) -> SiteFinding:
        return structs.replace(cause, id=check, key=key, gain=gain, limits=limits)

    broken = [of("site-links-broken", f"broken {number}", 18 * (number == 3), limits=True) for number in range(4)]
    first = of("site-sitemap-noindex", "noindex", 20, limits=True)
    failing = of("site-sitemap-status", "500", 0, limits=True)
    later = (of("site-thin", "thin", 1, limits=False), of("site-sitemap-status", "404", 1, limits=False))
    report = structs.replace(report, findings=(first, failing, *broken, *later))

    fixes = list(first_site_fixes(report, ENGLISH))
    assert score_without_cap(report) == (59 + 20 + 18 + 1, len(fixes))
    assert [(fix.gain, fix.more) for fix in fixes] == [
        ("+20 points", ""),
        ("this and the next fix together: +19 points", "and 1 more cause (fix both)"),
        ("together with the fix above", "and 3 more causes (fix all 4)"),
    ]


def test_pages_that_crash_are_listed_before_missing_entries() -> None:
    report = sitemap_report(1, ("404", 1))
    assert report.cap is None
    assert report.limited_to() == ""
    assert report.findings[-1].cause.key == "404"


def test_accepting_part_of_the_lost_pages_lifts_the_cap_when_few_are_left() -> None:
    report = sitemap_report(19, ("500", 1))
    noindex = report.findings[0]
    accepted = report.with_accepted({noindex.key: AcceptanceTerms("on purpose", "")})

    assert (noindex.id, accepted.cap) == ("site-sitemap-noindex", None)
    assert (accepted.score or 0) > 90
