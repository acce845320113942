"""What each check needs and what it judges follows from its parameters."""

from typing import Any

import pytest
from msgspec import UNSET

from findable.artifacts.html.markup import Markup
from findable.artifacts.registry import ancestors_of, gather
from findable.capture.crawl import PageInCrawl
from findable.checks.engine import all_checks, runnable_checks
from findable.checks.runner import run
from findable.reports.analysis import analyse
from findable.vocabulary import FETCHED, Category, Profile, Source, Subject, Verdict
from tests.checks.harness import NOW, artifacts, capture, page, rendering

ABOUT_THE_SITE = {
    *("robots-txt-reachable", "robots-txt-valid", "sitemap-present", "sitemap-valid", "host-variants", "not-found-status"),
    *("llms-txt", "ai-search-bots", "ai-training-bots", "favicon", "locale-redirect", "tls-certificate", "tls-version"),
}
WITH_A_BROWSER = {
    *("lcp", "cls", "tbt", "fcp", "image-responsive", "axe-violations", "console-errors"),
    *("content-width", "font-size", "interstitial", "tap-targets"),
}
OF_A_CRAWLED_SITE = {check.id for check in all_checks().values() if check.category is Category.SITE}
WITH_A_CRAWL = {"content-duplicate", "description-unique", "title-unique", "click-depth", "orphan-page"} | OF_A_CRAWLED_SITE
SITE: dict[str, Any] = {
    "robots_txt": "User-agent: *\nDisallow:\nSitemap: https://www.example.com/sitemap.xml\n",
    "sitemaps": {"https://www.example.com/sitemap.xml": {"body": "https://www.example.com/shop/blue-widgets"}},
    "made_up": 404,
    "variants": {"http://www.example.com/": {"final_url": "https://www.example.com/"}, "https://www.example.com/": 200},
    "llms_txt": 404,
    "languages": {"": {"body": page()}, "en": {"body": page()}},
    "tls_versions": {"TLSv1.3": True},
}


def ids(checks: Any) -> set[str]:
    return {check.id for check in checks}


def test_questions_about_the_host_are_answered_once_for_the_site() -> None:
    assert {check.id for check in all_checks().values() if check.subject is Subject.SITE} == ABOUT_THE_SITE | OF_A_CRAWLED_SITE


def test_a_report_asks_about_the_page_and_its_site_in_the_order_of_the_catalogue() -> None:
    both = runnable_checks(FETCHED)

    assert ids(both) == ids(runnable_checks(FETCHED, Subject.PAGE)) | ids(runnable_checks(FETCHED, Subject.SITE))
    assert [check.id for check in both] == [check_id for check_id in all_checks() if check_id in ids(both)]
    assert ids(all_checks().values()) - ids(both) == WITH_A_BROWSER | WITH_A_CRAWL


def test_browser_and_crawl_are_independent() -> None:
    assert ids(runnable_checks(FETCHED | {Source.BROWSER})) - ids(runnable_checks(FETCHED)) == WITH_A_BROWSER
    of_crawls = ids(runnable_checks(FETCHED | {Source.CRAWL})) - ids(runnable_checks(FETCHED))
    assert of_crawls == {check for check in WITH_A_CRAWL if not check.startswith("site-hits-")}
    assert ids(runnable_checks(FETCHED | {Source.CRAWL, Source.LOGS})) - ids(runnable_checks(FETCHED)) == WITH_A_CRAWL


def test_what_a_crawl_tells_is_judged_without_parsing_the_page() -> None:
    parsing = {
        check.id
        for check in all_checks().values()
        if Source.CRAWL in check.sources and any(Markup in ancestors_of(reading.kind) for reading in check.parameters)
    }

    assert parsing == set()


def test_every_check_descends_from_a_root() -> None:
    assert [check.id for check in all_checks().values() if not check.sources] == []


def test_the_site_is_judged_without_a_page() -> None:
    whole = capture(page(), **SITE, home={"body": page(head='<link rel="icon" href="/i.png">')})
    results = {
        result.check.id: result.finding for result in run(gather(whole.site), runnable_checks(frozenset({Source.SITE}), Subject.SITE))
    }

    assert set(results) == ABOUT_THE_SITE
    expected = {
        "robots-txt-valid": "passed",
        "sitemap-present": "passed",
        "sitemap-valid": "passed",
        "host-variants": "passed",
        "not-found-status": "passed",
        "ai-search-bots": "passed",
        "tls-version": "passed",
        "favicon": "unknown",
        "tls-certificate": "unknown",
    }
    assert {name: results[name].verdict.value for name in expected} == expected
    assert {name for name, found in results.items() if "stopped" in found.message} == set()


def test_an_icon_of_the_home_page_is_measured_where_the_page_has_none() -> None:
    home = {"body": page(head='<link rel="icon" href="/i.png">')}
    found = artifacts(page(), home=home, assets={"https://www.example.com/i.png": {"picture": ["png", 96, 96]}})

    assert {result.check.id: result.finding.verdict.value for result in run(found, runnable_checks(found.sources))}["favicon"] == "passed"


def test_parents_that_were_settled_before_hold_their_children() -> None:
    seen = PageInCrawl("https://www.example.com/", 200, "", "", pages_count=9, depth=1, found_by="link", inlinks_count=1)
    checks = runnable_checks(frozenset({Source.CRAWL}))
    first = artifacts(page(head=""))
    settled = {result.check.id: result.finding for result in run(first, runnable_checks(first.sources))}
    found = {result.check.id: result.finding.verdict.value for result in run(gather(seen), checks, earlier=settled)}

    assert settled["title-present"].verdict.value == "failed"
    assert found["title-unique"] == "inapplicable"
    assert found["orphan-page"] == "passed"
    assert {result.check.id: result.finding.verdict.value for result in run(gather(seen), checks)}["title-unique"] == "passed"


def test_the_start_page_of_a_crawl_passes_without_a_number_of_links() -> None:
    start = PageInCrawl("https://www.example.com/", 200, "", "", pages_count=9, depth=0, found_by="link", inlinks_count=0)
    check = all_checks()["orphan-page"]
    [result] = run(gather(start), (check,))

    assert (result.finding.verdict.value, result.finding.params) == ("passed", {})
    assert set(check.costs or ()) == {Verdict.FAILED}


@pytest.mark.parametrize(
    ("sources", "profile"),
    [
        (FETCHED, Profile.STATIC),
        (FETCHED | {Source.BROWSER}, Profile.RENDERED),
        (FETCHED | {Source.CRAWL}, Profile.CRAWLED),
        (frozenset(Source), Profile.CRAWLED),
        (frozenset(), Profile.STATIC),
    ],
)
def test_the_profile_is_the_highest_source(sources: frozenset[Source], profile: Profile) -> None:
    assert Profile.for_sources(sources) is profile


def test_a_report_names_its_sources() -> None:
    static = analyse(capture(page()))
    rendered = analyse(capture(page(), rendering=rendering(page())))

    assert (static.engine.profile, static.engine.sources) == (Profile.STATIC, (Source.PAGE, Source.SITE))
    assert (rendered.engine.profile, rendered.engine.sources) == (Profile.RENDERED, (Source.PAGE, Source.SITE, Source.BROWSER))
    assert set(static.not_asked) - set(rendered.not_asked) == WITH_A_BROWSER
    assert rendered.facts.title is not UNSET
    assert rendered.captured_at == NOW
