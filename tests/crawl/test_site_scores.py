"""The score of a site: what planted accidents and neglect cost, by the share of the pages that they harm."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec import Struct, structs

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.capture.site_graph import CrawledTemplates
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Result, all_checks, by_cause, inapplicable
from findable.reports.reported_finding import AcceptanceTerms, ReportedFinding
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, Row, row_of
from findable.reports.site_fixes import first_site_fixes, score_after_first_fixes
from findable.reports.site_report import FindingGroup, PageFindings, SiteReport, site_report
from findable.reports.site_scoring import ScoredPages
from findable.vocabulary import Fault, Verdict
from findable.wording import ENGLISH
from tests.crawl.clean_sites import make_business, make_countries, make_docs, make_store
from tests.crawl.test_crawls import Crawled
from tests.crawl_sites import html, text
from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.tiers import sampled

__all__ = ["make_site", "site"]

URL = "https://example.org/"
COUNT = 100
W, F = Verdict.WARNED, Verdict.FAILED
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


class Planted(Struct, frozen=True):
    """A fault of pages, or one that a site check finds."""

    check: str
    pages: int = COUNT
    verdict: Verdict = F
    fault: str = ""


NO_CANONICAL = Planted("canonical-valid", verdict=W, fault=Fault.CANONICAL_MISSING)
NO_DESCRIPTION = Planted("meta-description", verdict=W)
NO_HEADING = Planted("h1-present", verdict=W)
NO_VIEWPORT = Planted("viewport")
NO_LANGUAGE = Planted("html-lang", verdict=W)
NO_PREVIEW = Planted("og-basic", verdict=W)
HOME = Planted("title-quality", verdict=W, fault=Fault.GENERIC_TITLE)
PLACEHOLDER = Planted("title-quality", fault=Fault.PLACEHOLDER_TITLE)
OLD_MARKUP = Planted("html-deprecated", verdict=W)
NO_ALT = Planted("image-alt")


def on(one: Planted, pages: int) -> Planted:
    return structs.replace(one, pages=pages)


def report_of(*faults: Planted, count: int = COUNT) -> SiteReport:
    """The report of a crawled site of so many pages, in order but for the faults. Faults of pages are on the first ones."""
    of_pages = [one for one in faults if not one.check.startswith("site-")]
    summary = CrawlSummary(URL, "2026-11-22T10:00:00Z", count, count, ended_by=CrawlEnd.COMPLETE)
    checks = all_checks()
    scored: dict[ScoredPages, float] = {}
    for number in range(count):
        rows: tuple[Row, ...] = tuple(row_of(checks[one.check], one.verdict, one.fault) for one in of_pages if number < one.pages)
        scored[ScoredPages(0, rows)] = scored.get(ScoredPages(0, rows), 0.0) + 1.0
    groups = tuple(
        FindingGroup(one.check, 0, ReportedFinding(id=one.check, verdict=one.verdict, message="bad", fault=one.fault), one.pages, (URL,))
        for one in of_pages
    )
    return site_report(
        summary, CrawledTemplates(()), PageFindings(groups, {one.check: count for one in of_pages}, scored), [*results(faults)]
    )


def results(faults: Sequence[Planted]) -> list[Result]:
    """Results of the site checks; several faults of one check are its causes."""
    names = dict.fromkeys(one.check for one in faults if one.check.startswith("site-"))
    return [result(name, *((one.verdict, one.pages) for one in faults if one.check == name)) for name in names]


def result(check: str, *causes: tuple[Verdict, int]) -> Result:
    found = [CausedFinding(Cause(CauseKind.PAGE, str(n), "it"), verdict, "bad", count, ()) for n, (verdict, count) in enumerate(causes)]
    return Result(all_checks()[check], by_cause("good", found))


def score_of(*faults: Planted, count: int = COUNT) -> int:
    score = report_of(*faults, count=count).score
    assert score is not None
    return score


@pytest.mark.parametrize(
    "make", sampled((make_countries, make_business, make_docs, make_store)), ids=["countries", "business", "docs", "store"]
)
def test_every_accident_lowers_the_score(make: Maker, make_site: Callable[[], Site], tmp_path: Path) -> None:
    def judged(faults: tuple[str, ...]) -> tuple[int, float]:
        at = make_site()
        make(at, frozenset(faults))
        report = Crawled(tmp_path / f"{'-'.join(faults) or 'clean'}.sqlite", at.url("/")).report()
        assert report.score is not None
        return report.score, -sum(item.worth for item in report.findings)

    clean = judged(())
    after = {faults: judged(faults) for faults in ACCIDENTS[make]}

    assert {faults: found for faults, found in after.items() if found >= clean} == {}
    limits: dict[tuple[str, ...], int] = {("start",): DECENT_FROM - 1, ("section",): GOOD_FROM - 1}
    assert {faults: found for faults, found in after.items() if found[0] > limits.get(faults, 100)} == {}


ACCIDENTS_ALONE = {
    "noindex on the start page": ((Planted("site-start-page", 1),), 0, DECENT_FROM - 1),
    "noindex on half of the sitemap": ((Planted("site-sitemap-noindex", 100),), 50, GOOD_FROM - 1),
    "noindex on a fifth of the sitemap": ((Planted("site-sitemap-noindex", 25),), 80, 95),
    "server errors on a third": ((Planted("site-server-errors", 50),), 60, 85),
    "one server error": ((Planted("site-server-errors", 1),), 98, 99),
    "canonical to the home page everywhere": ((Planted("canonical-self"),), 0, 15),
    "canonical to the home page on a tenth": ((on(Planted("canonical-self"), 10),), 88, 97),
    "canonical to missing pages": ((Planted("site-canonical-target"),), 0, 15),
    "soft 404 everywhere": ((Planted("site-soft-404"),), 0, 15),
    "the same title everywhere": ((Planted("site-title-duplicate", 100, W),), 70, 85),
    "the same title on thirty": ((Planted("site-title-duplicate", 30, W),), 90, 97),
    "the same text everywhere": ((Planted("site-text-duplicate"),), 55, 65),
    "a broken link in the footer": ((Planted("site-links-broken"),), 75, 85),
    "a broken link on one page": ((Planted("site-links-broken", 1),), 99, 99),
    "orphans, a fifth": ((Planted("site-orphans", 20),), 94, 98),
    "links that only scripts follow": ((Planted("site-fragment-routes"),), 70, 80),
    "links to staging": ((Planted("site-staging-links"),), 80, 90),
    "description lost on all": ((NO_DESCRIPTION,), 84, 90),
    "viewport lost on all": ((NO_VIEWPORT,), 76, 84),
    "titles lost on all": ((Planted("title-present"),), 60, 70),
}
"""Faults of an otherwise clean site of a hundred pages, with the lowest and the highest score."""
NEGLECTED = {
    "every page is Home": (HOME, NO_DESCRIPTION, NO_HEADING, NO_CANONICAL),
    "the same with a viewport that is fixed": (HOME, NO_DESCRIPTION, NO_HEADING, structs.replace(NO_VIEWPORT, verdict=W)),
    "nothing in the head": (Planted("title-present"), NO_DESCRIPTION, NO_CANONICAL, NO_VIEWPORT, NO_LANGUAGE),
    "an old site": (NO_DESCRIPTION, NO_HEADING, NO_CANONICAL, NO_VIEWPORT, NO_LANGUAGE, OLD_MARKUP),
    "an old site with titles from a template": (PLACEHOLDER, NO_DESCRIPTION, NO_VIEWPORT, OLD_MARKUP),
    "an old site without images described": (NO_DESCRIPTION, NO_HEADING, NO_VIEWPORT, NO_ALT, NO_PREVIEW),
    "a manual": (NO_DESCRIPTION, NO_CANONICAL, NO_LANGUAGE, NO_HEADING, NO_VIEWPORT, Planted("site-links-broken", 60)),
    "a template's titles twice": (Planted("site-title-duplicate", 100, W), NO_DESCRIPTION, NO_HEADING, NO_CANONICAL),
    "copies": (Planted("site-text-duplicate", 100), Planted("site-title-duplicate", 100, W), NO_DESCRIPTION, NO_CANONICAL),
    "thin pages": (Planted("site-thin", 100, W), NO_DESCRIPTION, NO_HEADING, NO_VIEWPORT, NO_CANONICAL),
    "thin and orphaned": (Planted("site-thin", 100, W), Planted("site-orphans", 80), NO_DESCRIPTION, NO_HEADING, NO_VIEWPORT),
    "a shop of copies": (Planted("site-text-duplicate", 80), Planted("site-title-duplicate", 80, W), NO_DESCRIPTION, NO_HEADING),
    "broken everywhere": (Planted("site-links-broken"), Planted("site-orphans", 60), NO_DESCRIPTION, NO_HEADING, NO_VIEWPORT),
    "no languages": (NO_LANGUAGE, NO_DESCRIPTION, NO_HEADING, NO_VIEWPORT, NO_PREVIEW),
    "placeholders": (PLACEHOLDER, NO_DESCRIPTION, NO_HEADING, Planted("placeholder-text")),
    "frames of a builder": (HOME, NO_HEADING, NO_VIEWPORT, NO_CANONICAL),
    "canonical on http": (structs.replace(NO_CANONICAL, fault=Fault.WORSE_CANONICAL), NO_DESCRIPTION, NO_HEADING, NO_VIEWPORT),
    "several canonicals": (structs.replace(NO_CANONICAL, verdict=F, fault=Fault.SEVERAL_CANONICALS), NO_DESCRIPTION, NO_HEADING, HOME),
    "empty pages": (Planted("content-length", verdict=F, fault=Fault.ALMOST_NO_CONTENT), NO_DESCRIPTION, NO_HEADING),
    "half of it empty": (on(Planted("content-length", fault=Fault.ALMOST_NO_CONTENT), 60), HOME, NO_DESCRIPTION, NO_HEADING),
}
"""Faults of sites that nobody maintains, on all pages."""


def test_accidents_of_crawled_sites_alone_and_of_neglected_sites_are_twenty_each() -> None:
    assert sum(map(len, ACCIDENTS.values())) == len(ACCIDENTS_ALONE) == len(NEGLECTED) == 20


@pytest.mark.parametrize(
    ("one", "low", "high"),
    [
        (Planted("site-description-duplicate", 100, W), 88, 90),
        (Planted("site-description-duplicate", 50, W), 94, 96),
        (Planted("nofollow-page", 100, W), 89, 91),
        (Planted("nofollow-page", 10, W), 99, 99),
        (Planted("site-text-near", 100, W), 84, 86),
        (Planted("site-thin", 100, W), 79, 81),
    ],
)
def test_what_repeats_or_is_nofollow_costs_by_the_share_of_the_pages(one: Planted, low: int, high: int) -> None:
    assert low <= score_of(one) <= high


@pytest.mark.parametrize("name", ACCIDENTS_ALONE)
def test_a_planted_accident_costs_by_the_share_of_the_pages(name: str) -> None:
    faults, low, high = ACCIDENTS_ALONE[name]
    assert low <= score_of(*faults) <= high


@pytest.mark.parametrize("name", NEGLECTED)
def test_a_neglected_site_is_bad(name: str) -> None:
    assert score_of(*NEGLECTED[name]) < DECENT_FROM


@pytest.mark.parametrize("name", NEGLECTED)
def test_neglect_on_a_tenth_of_the_pages_leaves_a_site_good(name: str) -> None:
    assert score_of(*(on(one, one.pages // 10) for one in NEGLECTED[name])) >= GOOD_FROM


def test_faults_everywhere_cost_a_site_more_than_each_of_its_pages() -> None:
    faults = NEGLECTED["every page is Home"]
    page = ScoredPages(0, tuple(row_of(all_checks()[one.check], one.verdict, one.fault) for one in faults))

    assert score_of(*faults) < page.score
    assert score_of() == 100


def test_what_is_not_there_to_judge_costs_nothing() -> None:
    nothing = Result(all_checks()["site-redirect-loops"], inapplicable("no URL of the site redirects"))
    summary = CrawlSummary(URL, "2026-11-22T10:00:00Z", COUNT, COUNT, ended_by=CrawlEnd.COMPLETE)
    pages = PageFindings(scored={ScoredPages(0, ()): 1.0})

    assert site_report(summary, CrawledTemplates(()), pages, [nothing]).score == 100
    assert site_report(summary, CrawledTemplates(()), PageFindings(), [nothing]).score is None


@pytest.mark.parametrize("name", [*ACCIDENTS_ALONE, *NEGLECTED])
def test_the_gains_of_a_site_add_up_to_what_is_missing(name: str) -> None:
    report = report_of(*(ACCIDENTS_ALONE[name][0] if name in ACCIDENTS_ALONE else NEGLECTED[name]))
    assert report.score is not None

    assert report.score + sum(item.gain or 0 for item in report.findings) == 100
    assert report.score == 100 + sum(part.points for part in report.score_parts)
    assert all(item.gain is not None and item.gain >= 0 for item in report.findings)


def test_an_accepted_cause_costs_nothing_and_the_others_stay() -> None:
    faults = (Planted("site-links-broken", 60), Planted("site-links-broken", 20), on(NO_DESCRIPTION, 50))
    report = report_of(*faults)
    first = next(item for item in report.findings if item.id == "site-links-broken" and item.pages_count == 60)
    accepted = report.with_accepted({first.key: AcceptanceTerms("on purpose", "")})

    assert accepted.score == score_of(*faults[1:])
    assert (accepted.findings[-1].key, accepted.findings[-1].gain) == (first.key, None)
    assert accepted.with_accepted({}).score == report.score


def test_a_limit_of_all_pages_is_named_with_its_check() -> None:
    report = report_of(Planted("site-soft-404"), on(NO_DESCRIPTION, 50))

    assert report.cap is not None
    assert (report.cap.at_most, report.cap.checks) == (15, ("site-soft-404",))
    assert report.limited_to() == "Limited to 15: most pages cannot be found"
    assert [item.id for item in report.limiting] == ["site-soft-404"]
    assert report_of(Planted("site-soft-404", 20)).cap is None


def test_the_score_after_the_first_fixes_counts_all_causes_of_the_named_fixes() -> None:
    faults = (*NEGLECTED["every page is Home"], Planted("site-links-broken", 40), Planted("site-links-broken", 20))
    report = report_of(*faults)
    fixes = list(first_site_fixes(report, ENGLISH))
    after, count = score_after_first_fixes(report)

    assert count == len(fixes) == 3
    assert after == (report.score or 0) + sum(int(fix.gain.split()[0].replace("+", "")) for fix in fixes)
    left = [one for one in faults if one.check not in {fix.fault.id for fix in fixes}]
    assert after == score_of(*left)


def test_a_good_site_without_a_limit_promises_no_score() -> None:
    assert score_after_first_fixes(report_of(on(NO_DESCRIPTION, 50))) == (0, 0)


def test_gains_of_a_crawled_site_add_up_and_follow_the_harm(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer", "title", "loop", "orphan"}))
    report = Crawled(tmp_path / "site.sqlite", site.url("/")).report()
    gains = [finding.gain for finding in report.findings]

    assert report.score is not None
    assert report.score + sum(gain or 0 for gain in gains) == 100
    assert all(gain is not None and gain >= 0 for gain in gains)
    assert gains[0] == max(gain or 0 for gain in gains)


def make_variants(site: Site, *, has_variants: bool, canonical: bool = True) -> None:
    """A site of six goods; each has variants with parameters and a session id, which declare the good as canonical."""
    names = ("lamp", "chair", "table", "shelf", "mirror", "basket")

    def page(path: str, title: str, body: str, query: str = "") -> None:
        own = path if canonical else path + query
        head = f'<link rel="canonical" href="{site.url(own)}">'
        site.page(
            path + query,
            html(
                title,
                f"<p>{text(path, 300)}</p>{body}",
                head=head,
                description=f"{title}, made by hand in Bremen from oak, brass and wool that grow nearby.",
            ),
        )

    page("/", "Goods of our workshop", "<ul>" + "".join(f'<li><a href="/{name}">The {name}</a></li>' for name in names) + "</ul>")
    for path in ("shop", "about", "imprint", "privacy"):
        page(f"/{path}", f"The {path} of our workshop", "")
    for name in names:
        queries = ("?color=red", "?color=blue", ";jsessionid=FD52A3B1C4D5E6F70819") if has_variants else ()
        links = "".join(f'<li><a href="/{name}{query}">{number}</a></li>' for number, query in enumerate(queries))
        for query in ("", *queries):
            page(f"/{name}", f"The {name} of our workshop", f"<ul>{links}</ul>", query)


def test_correctly_canonicalised_variants_are_no_fault_of_a_site(make_site: Callable[[], Site], tmp_path: Path) -> None:
    found = {}
    for name, has_variants, canonical in (("plain", False, True), ("variants", True, True), ("copies", True, False)):
        at = make_site()
        make_variants(at, has_variants=has_variants, canonical=canonical)
        report = Crawled(tmp_path / f"{name}.sqlite", at.url("/")).report()
        costly = {item.id: item.gain for item in report.findings if item.gain}
        found[name] = report.score, costly, report.summary.pages_count

    assert found["variants"][:2] == found["plain"][:2]
    assert found["variants"][2] > found["plain"][2]
    assert (found["copies"][0] or 0) < (found["plain"][0] or 0)
