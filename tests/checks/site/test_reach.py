"""Ways to the pages of a whole site: first what must not be flagged, then what must."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group, Reason, StartPage
from findable.capture.site_graph import CrawledLinks
from findable.capture.site_reach import CrawledReach, FarSection, GenericLinks
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding, source, target

SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-01T12:00:00Z", pages_count=120, indexable_count=100)
EARLY = replace(SUMMARY, ended_by=CrawlEnd.PAGES)
START = StartPage(url=f"{SITE}/", status=200)
REACH = CrawledReach(start=START, by_clicks=((0, 1), (1, 9), (2, 90)), judged_links_count=99)
LINKS = CrawledLinks(pages_count=120, links_count=4000)
REACH_CHECKS = ("site-depth", "site-anchor-text", "site-start-page")


@pytest.mark.parametrize("check_id", [*REACH_CHECKS, "site-robots-linked"])
def test_a_site_in_order_passes(check_id: str) -> None:
    assert finding(check_id, REACH, LINKS, SUMMARY).verdict is Verdict.PASSED


@pytest.mark.parametrize("check_id", REACH_CHECKS)
def test_a_site_without_pages_is_not_judged(check_id: str) -> None:
    assert finding(check_id, CrawledReach(), CrawledLinks(0, 0), SUMMARY).verdict is Verdict.INAPPLICABLE


def test_a_crawl_that_ended_early_does_not_know_what_leads_to_pages() -> None:
    few = Group("", 40, (f"{SITE}/a",))
    reach = replace(REACH, deep=few, deep_listed=few)
    assert finding("site-depth", reach, EARLY).verdict is Verdict.UNKNOWN
    assert finding("site-depth", reach, replace(SUMMARY, is_limited=True)).verdict is Verdict.UNKNOWN
    assert finding("site-depth", replace(REACH, by_clicks=()), EARLY).verdict is Verdict.UNKNOWN
    assert finding("site-depth", replace(REACH, by_clicks=()), SUMMARY).verdict is Verdict.INAPPLICABLE


def test_pages_whose_links_were_not_read_may_link_anywhere() -> None:
    found = finding("site-orphans", replace(REACH, unread_count=2), replace(SUMMARY, orphans=Group("", 40, (f"{SITE}/a",))))
    assert (found.verdict, render(found.message, found.params)) == (
        Verdict.UNKNOWN,
        "Not known: the links of 2 pages could not be read",
    )
    assert finding("site-orphans", replace(REACH, unread_count=2), SUMMARY).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason.NOINDEX, "The start page is noindex"),
        (Reason.CANONICAL, f"The start page declares another page as canonical: {SITE}/home"),
        (Reason.ROBOTS, "robots.txt disallows the start page for Googlebot"),
        (Reason.STATUS, "The start page returns 500"),
    ],
)
def test_a_start_page_that_cannot_be_shown_fails(reason: Reason, words: str) -> None:
    start = StartPage(url=f"{SITE}/", status=500 if reason is Reason.STATUS else 200, reason=reason, canonical=f"{SITE}/home")
    found = finding("site-start-page", replace(REACH, start=start))
    (cause,) = found.causes
    assert (found.verdict, render(cause.message, cause.params)) == (Verdict.FAILED, words)
    assert f"{SITE}/" in render(cause.advice, cause.params)


def test_a_copy_of_another_site_warns() -> None:
    start = StartPage(url=f"{SITE}/", status=200, reason=Reason.CANONICAL, canonical="https://original.example/")
    assert finding("site-start-page", replace(REACH, start=start)).verdict is Verdict.WARNED
    assert finding("site-start-page", replace(REACH, start=replace(start, canonical=f"{SITE}/home"))).verdict is Verdict.FAILED


@pytest.mark.parametrize(("status", "reason"), [(403, Reason.STATUS), (429, Reason.STATUS), (0, Reason.FAILURE), (200, Reason.CHALLENGE)])
def test_a_start_page_that_refused_this_crawler_is_unknown(status: int, reason: Reason) -> None:
    assert (
        finding("site-start-page", replace(REACH, start=StartPage(url=f"{SITE}/", status=status, reason=reason))).verdict is Verdict.UNKNOWN
    )


@pytest.mark.parametrize(
    ("deep_count", "listed_count", "verdict"),
    [(10, 10, Verdict.PASSED), (11, 0, Verdict.INFO), (40, 10, Verdict.INFO), (11, 11, Verdict.WARNED)],
)
def test_deep_pages_warn_where_a_sitemap_lists_them(deep_count: int, listed_count: int, verdict: Verdict) -> None:
    deep, listed = (Group("", count, (f"{SITE}/a",)) if count else None for count in (deep_count, listed_count))
    by_clicks = ((0, 100 - deep_count), (7, deep_count))
    reach = replace(REACH, by_clicks=by_clicks, deep=deep, deep_listed=listed, deepest=(f"{SITE}/", f"{SITE}/deep"))
    found = finding("site-depth", reach, SUMMARY)
    assert found.verdict is verdict
    if verdict is Verdict.WARNED:
        note = found.causes[0].evidence[-1]
        assert (note.url, render(note.note, note.params)) == (f"{SITE}/deep", "1 click from the start page")


@pytest.mark.parametrize(
    ("listed_count", "verdict"), [(200, Verdict.WARNED), (101, Verdict.WARNED), (100, Verdict.INFO), (0, Verdict.INFO)]
)
def test_a_section_far_from_the_start_page_is_a_cause_of_its_own(listed_count: int, verdict: Verdict) -> None:
    section = FarSection("/guides/", 5, 2, 200, listed_count, (f"{SITE}/guides/a",))
    (cause,) = finding("site-depth", replace(REACH, far=(section,)), SUMMARY).causes
    assert (cause.verdict, cause.cause.key, render(cause.message, cause.params)) == (
        verdict,
        "/guides/",
        "200 pages are 5 clicks from the start page (median), the other pages 2",
    )


def test_a_page_whose_links_are_all_generic_warns() -> None:
    item = GenericLinks(f"{SITE}/widgets", ("read more", "here"), (source(anchor_text="read more", pages_count=2),))
    found = finding("site-anchor-text", replace(REACH, generic_links=(item,), generic_links_count=1))
    (cause,) = found.causes
    assert (found.verdict, render(cause.message, cause.params)) == (Verdict.WARNED, "All links to it are called “read more”, “here”")
    assert cause.evidence[0].url == f"{SITE}/from-b1-0"


def test_links_to_disallowed_targets_are_notes() -> None:
    menu = source("m", pages_count=90, landmark="nav")
    cart, few = (replace(target(path, 0, menu), inlinks_count=count) for path, count in (("/cart", 90), ("/private", 12)))
    found = finding("site-robots-linked", replace(LINKS, disallowed=(cart, few), disallowed_count=2), SUMMARY)
    assert (found.verdict, [item.params["target"] for item in found.evidence]) == (Verdict.INFO, [f"{SITE}/cart"])
