"""Internal links of a whole site: first what must not be flagged, then what must."""

import pytest

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledLinks, CrawledRedirects, Redirects
from findable.capture.site_places import CrawledPlaces, MissingPlace
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding, source, target

SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-01T12:00:00Z", pages_count=200, indexable_count=180)
LINK_CHECKS = (
    "site-links-broken",
    "site-server-errors",
    "site-timeouts",
    "site-links-redirected",
    "site-links-canonicalised",
    "site-mixed-scheme",
)


@pytest.mark.parametrize("check_id", LINK_CHECKS)
def test_a_site_whose_links_work_passes(check_id: str) -> None:
    assert finding(check_id, CrawledLinks(pages_count=200, links_count=4000), SUMMARY).verdict is Verdict.PASSED


@pytest.mark.parametrize("check_id", LINK_CHECKS)
def test_one_page_without_links_is_not_judged(check_id: str) -> None:
    assert finding(check_id, CrawledLinks(pages_count=1, links_count=0), SUMMARY).verdict is Verdict.INAPPLICABLE


def test_a_broken_link_in_a_footer_is_one_cause_whatever_its_pages() -> None:
    footer = source("f", pages_count=190, landmark="footer", anchor_text="Imprint")
    links = CrawledLinks(
        pages_count=200, links_count=4000, broken=(target("/imprint", 404, footer), target("/terms", 410, footer)), broken_count=2
    )
    found = finding("site-links-broken", links)
    (cause,) = found.causes
    assert (found.verdict, cause.verdict, cause.pages_count) == (Verdict.FAILED, Verdict.FAILED, 190)
    assert [item.url for item in cause.evidence] == [f"{SITE}/from-f-0", f"{SITE}/from-f-0"]
    assert render(cause.message, cause.params) == "2 links lead to pages that do not exist"
    assert render(cause.cause.name, cause.cause.params) == "footer with 5 links"
    assert render(cause.evidence[0].note, cause.evidence[0].params) == f"“Imprint” in body > footer > ul links to {SITE}/imprint (404)"


def test_the_only_broken_link_of_a_menu_is_told_with_its_target() -> None:
    menu = source("n", pages_count=78, landmark="nav", anchor_text="Contact")
    links = CrawledLinks(pages_count=80, links_count=400, broken=(target("/contact", 404, menu),), broken_count=1)
    (cause,) = finding("site-links-broken", links).causes
    assert render(cause.message, cause.params) == f"78 pages link to {SITE}/contact, which does not exist"
    assert render(cause.cause.name, cause.cause.params) == "navigation with 5 links"


def test_a_broken_link_in_the_text_of_one_page_warns() -> None:
    links = CrawledLinks(pages_count=200, links_count=4000, broken=(target("/gone", 404, source()),), broken_count=1)
    assert finding("site-links-broken", links).verdict is Verdict.WARNED


@pytest.mark.parametrize(
    ("landmark", "pages_count", "verdict"),
    [
        ("footer", 2, Verdict.FAILED),
        ("main", 2, Verdict.WARNED),
        ("main", 3, Verdict.WARNED),
        ("main", 4, Verdict.FAILED),
        ("", 3, Verdict.WARNED),
    ],
)
def test_a_text_on_a_few_pages_is_no_shared_block(landmark: str, pages_count: int, verdict: Verdict) -> None:
    held = source(pages_count=pages_count, landmark=landmark)
    links = CrawledLinks(pages_count=400, links_count=4000, broken=(target("/gone", 404, held),), broken_count=1)
    assert finding("site-links-broken", links).verdict is verdict


@pytest.mark.parametrize(("lists_count", "kinds"), [(2, ["block", "block"]), (3, ["page"])])
def test_a_page_that_many_lists_miss_is_one_cause(lists_count: int, kinds: list[str]) -> None:
    changelog = target("/changelog", 404, *(source(f"b{number}") for number in range(lists_count)))
    found = finding("site-links-broken", CrawledLinks(pages_count=200, links_count=4000, broken=(changelog,), broken_count=1))
    assert (found.verdict, [item.cause.kind.value for item in found.causes]) == (Verdict.WARNED, kinds)
    assert sum(item.pages_count for item in found.causes) == lists_count


def test_causes_come_with_the_most_pages_first() -> None:
    broken = (target("/a", 404, source("one")), target("/b", 404, source("many", pages_count=50)))
    found = finding("site-links-broken", CrawledLinks(pages_count=200, links_count=4000, broken=broken, broken_count=2))
    assert [item.cause.key for item in found.causes] == ["many", "one"]


def test_server_errors_fail_page_by_page() -> None:
    errors = (target("/a", 500, source()), target("/b", 503, source()))
    found = finding("site-server-errors", CrawledLinks(pages_count=200, links_count=400, server_errors=errors, server_errors_count=2))
    assert (found.verdict, [item.cause.key for item in found.causes]) == (Verdict.FAILED, [f"{SITE}/a", f"{SITE}/b"])


@pytest.mark.parametrize(("pages_count", "verdict"), [(1000, Verdict.INFO), (100, Verdict.FAILED)])
def test_few_silent_pages_of_many_are_a_note(pages_count: int, verdict: Verdict) -> None:
    links = CrawledLinks(pages_count=pages_count, links_count=400, unreachable=(target("/a", 0, source()),), unreachable_count=1)
    assert finding("site-timeouts", links).verdict is verdict


def test_redirects_of_the_start_page_and_to_other_hosts_are_left_alone() -> None:
    elsewhere = target("/out", 302, source())
    redirected = (target("/", 302, source(), end_path="/en/"), type(elsewhere)(elsewhere.url, 302, end_url="https://login.example/"))
    links = CrawledLinks(pages_count=20, links_count=400, redirected=redirected, redirected_count=2, redirected_links_count=2)
    assert finding("site-links-redirected", links, SUMMARY).verdict is Verdict.PASSED


def test_a_redirected_link_names_its_end() -> None:
    redirected = (target("/old", 301, source(), end_path="/new", end_status=200),)
    links = CrawledLinks(pages_count=20, links_count=400, redirected=redirected, redirected_count=1, redirected_links_count=1)
    found = finding("site-links-redirected", links, SUMMARY)
    assert found.verdict is Verdict.WARNED
    note = found.causes[0].evidence[0]
    assert render(note.note, note.params).endswith(f"links to {SITE}/old, which redirects to {SITE}/new")


@pytest.mark.parametrize(("count", "verdict"), [(20, Verdict.PASSED), (21, Verdict.WARNED)])
def test_links_to_canonicalised_urls_warn_above_a_share(count: int, verdict: Verdict) -> None:
    pair = (target("/c/widgets/blue", 200, source(), end_path="/blue", end_status=200),)
    links = CrawledLinks(pages_count=20, links_count=400, canonicalised=pair, canonicalised_count=1, canonicalised_links_count=count)
    assert finding("site-links-canonicalised", links).verdict is verdict


def test_http_links_on_an_https_site_warn() -> None:
    links = CrawledLinks(pages_count=20, links_count=400, plain_http=(target("/a", 301, source()),), plain_http_count=1)
    assert finding("site-mixed-scheme", links).verdict is Verdict.WARNED


def chain(*statuses: int, is_loop: bool = False) -> Redirects:
    return Redirects(tuple((f"{SITE}/{number}", status) for number, status in enumerate(statuses)), is_loop, inlinks_count=1)


@pytest.mark.parametrize(
    ("hops", "verdict"),
    [((301, 301, 200), Verdict.WARNED), ((301, 301, 404), Verdict.FAILED), ((301,) * 6 + (200,), Verdict.FAILED)],
)
def test_chains_fail_by_length_and_by_their_end(hops: tuple[int, ...], verdict: Verdict) -> None:
    redirects = CrawledRedirects(4, chains=(chain(*hops),), chains_count=1)
    assert finding("site-redirect-chains", redirects).verdict is verdict


def test_single_redirects_are_no_chain_and_no_loop() -> None:
    for check_id in ("site-redirect-chains", "site-redirect-loops"):
        assert finding(check_id, CrawledRedirects(12)).verdict is Verdict.PASSED
        assert finding(check_id, CrawledRedirects(0)).verdict is Verdict.INAPPLICABLE


def test_a_loop_shows_its_circle() -> None:
    found = finding("site-redirect-loops", CrawledRedirects(2, loops=(chain(301, 302, is_loop=True),), loops_count=1))
    assert (found.verdict, [item.status for item in found.causes[0].evidence]) == (Verdict.FAILED, [301, 302])


def test_places_that_exist_pass_and_pages_without_links_to_places_are_not_judged() -> None:
    assert finding("site-links-fragment", CrawledPlaces(40)).verdict is Verdict.PASSED
    assert finding("site-links-fragment", CrawledPlaces(0)).verdict is Verdict.INAPPLICABLE


def test_a_missing_place_is_the_cause_if_many_pages_link_to_it() -> None:
    pages = tuple(f"{SITE}/{number}" for number in range(4))
    missing = (MissingPlace(f"{SITE}/a#x", 4, pages), MissingPlace(f"{SITE}/a#y", 1, pages[:1]), MissingPlace(f"{SITE}/b#z", 1, pages[:1]))
    found = finding("site-links-fragment", CrawledPlaces(40, missing, 3, 6))

    assert [(item.cause.key, item.pages_count, render(item.message, item.params)) for item in found.causes] == [
        (f"{SITE}/a#x", 4, "4 pages link to https://shop.example/a#x, a place that the page does not have"),
        (f"{SITE}/0", 1, "2 links lead to places that other pages do not have"),
    ]
    assert found.verdict is Verdict.WARNED
