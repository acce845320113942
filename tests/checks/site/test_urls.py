"""URLs of a whole site: first what must not be flagged, then what must."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd, CrawlSummary, TrapKind
from findable.capture.site_graph import CrawledLinks, CrawlTraps, Trap
from findable.capture.site_urls import (
    CrawledFolders,
    CrawledPaginations,
    CrawledParameters,
    CrawledVariants,
    MissingFolder,
    Pagination,
    Parameter,
    RequestShare,
    VariantKind,
    VariantPair,
    Variants,
)
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding, source, target

SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-01T12:00:00Z", pages_count=120, indexable_count=100)
EARLY = replace(SUMMARY, ended_by=CrawlEnd.PAGES)
KINDS = {
    "site-slash-variants": VariantKind.SLASH,
    "site-case-variants": VariantKind.CASE,
    "site-index-variants": VariantKind.INDEX,
    "site-encoding-variants": VariantKind.ENCODING,
    "site-parameter-order": VariantKind.PARAMETER_ORDER,
}
EMPTY = {
    **dict.fromkeys(KINDS, (CrawledVariants(0), CrawledVariants(80))),
    "site-tracking-links": (CrawledLinks(1, 0), CrawledLinks(9, 90)),
    "site-session-ids": (CrawlTraps(0), CrawlTraps(100)),
    "site-facets": (CrawlTraps(0), CrawlTraps(100)),
    "site-parameters": (CrawledParameters(0), CrawledParameters(20)),
    "site-pagination-broken": (CrawledPaginations(0), CrawledPaginations(3)),
}


@pytest.mark.parametrize("check_id", EMPTY)
def test_nothing_to_judge_is_inapplicable_and_nothing_odd_passes(check_id: str) -> None:
    nothing, fine = EMPTY[check_id]
    assert finding(check_id, nothing, SUMMARY).verdict is Verdict.INAPPLICABLE
    assert finding(check_id, fine, SUMMARY).verdict is Verdict.PASSED


@pytest.mark.parametrize("check_id", KINDS)
def test_pages_under_two_urls_are_one_rule_of_the_server(check_id: str) -> None:
    pairs = tuple(VariantPair(f"{SITE}/{number}", f"{SITE}/{number}/", 2, source(pages_count=2)) for number in range(3))
    other = Variants(VariantKind.CASE if check_id == "site-slash-variants" else VariantKind.SLASH, 5, pairs)
    assert finding(check_id, CrawledVariants(80, (other,))).verdict is Verdict.PASSED

    found = finding(check_id, CrawledVariants(80, (Variants(KINDS[check_id], 40, pairs),)))
    (cause,) = found.causes
    assert (found.verdict, cause.pages_count, cause.cause.kind, len(cause.evidence)) == (Verdict.WARNED, 40, "host", 3)
    assert render(cause.evidence[0].note, cause.evidence[0].params).startswith(f"same page as {SITE}/0; 2 pages link here, as “Blue")
    assert f"for example {SITE}/0/ to {SITE}/0," in render(cause.advice, cause.params)


def test_links_are_told_by_their_block() -> None:
    held = target("/a", 200, source("menu", pages_count=50, landmark="nav"))
    found = finding("site-tracking-links", CrawledLinks(60, 900, tracking=(held,), tracking_count=1))
    assert (found.verdict, [(cause.cause.key, cause.pages_count) for cause in found.causes]) == (Verdict.WARNED, [("menu", 50)])


@pytest.mark.parametrize(
    ("kind", "check_id", "verdict"),
    [
        (TrapKind.SESSION_ID, "site-session-ids", Verdict.FAILED),
        (TrapKind.FACETS, "site-facets", Verdict.WARNED),
        (TrapKind.CALENDAR, "site-trap", Verdict.FAILED),
    ],
)
def test_each_endless_series_is_told_once(kind: TrapKind, check_id: str, verdict: Verdict) -> None:
    trap = Trap(kind, f"{SITE}/goods?{{}}", 5000, 80, (f"{SITE}/goods?a=1&b=2",), f"{SITE}/shop")
    told = {name: finding(name, CrawlTraps(100, (trap,))).verdict for name in ("site-session-ids", "site-facets", "site-trap")}
    assert told == {**dict.fromkeys(told, Verdict.PASSED), check_id: verdict}


def test_facets_show_the_line_for_robots_txt() -> None:
    trap = Trap(TrapKind.FACETS, f"{SITE}/goods?{{}}", 5000, 80, (f"{SITE}/goods?a=1&b=2",), f"{SITE}/shop")
    (cause,) = finding("site-facets", CrawlTraps(100, (trap,))).causes
    assert "Disallow: /goods?*&" in render(cause.advice, cause.params)


def test_a_parameter_is_one_cause() -> None:
    item = Parameter("from", 62, 60, (f"{SITE}/a?from=1",), source())
    (cause,) = finding("site-parameters", CrawledParameters(62, (item,))).causes
    assert (cause.cause.key, cause.pages_count, cause.verdict) == ("from", 60, Verdict.WARNED)
    assert render(cause.message, cause.params) == "60 of 62 pages with “from” have the text of the page without it"


def test_requests_without_use_are_counted_and_never_a_fault() -> None:
    share = RequestShare("?sort=", 300, "canonical", (f"{SITE}/a?sort=new",))
    found = finding("site-crawl-waste", CrawledParameters(0, requests_count=1000, wasted_count=400, wasted=(share,)))
    assert (found.verdict, found.evidence[0].url) == (Verdict.INFO, f"{SITE}/a?sort=new")
    assert finding("site-crawl-waste", CrawledParameters(0)).verdict is Verdict.INAPPLICABLE


LIST = Pagination(f"{SITE}/list", pages_count=60, last_number=60)


def test_lists_that_declare_their_first_page_are_one_cause_by_template() -> None:
    lists = tuple(
        replace(LIST, url=f"{SITE}/{name}", template=2, canonical_to_first=(f"{SITE}/{name}?page=2",), canonical_to_first_count=4)
        for name in ("lamps", "tables")
    )
    found = finding("site-pagination-broken", CrawledPaginations(9, lists), EARLY)
    assert (found.verdict, [(cause.cause.kind, cause.pages_count) for cause in found.causes]) == (Verdict.WARNED, [("template", 8)])


def test_a_page_of_a_list_without_links_needs_the_whole_crawl() -> None:
    broken = CrawledPaginations(9, (replace(LIST, missing=(7, 8)),))
    assert finding("site-pagination-broken", broken, EARLY).verdict is Verdict.UNKNOWN
    (cause,) = finding("site-pagination-broken", broken, SUMMARY).causes
    assert render(cause.message, cause.params) == "No link leads to page 7, 8 of this list, which has page 60"


def test_links_into_a_missing_folder_are_one_cause() -> None:
    broken = tuple(target(f"/old/{number}", 404, source(f"b{number}")) for number in range(4))
    other = target("/gone", 404, source("c"))
    links = CrawledLinks(200, 4000, broken=(*broken, other), broken_count=5)
    folders = CrawledFolders((MissingFolder(f"{SITE}/old/", 4, 4, 4, broken),))
    found = finding("site-links-broken", links, folders)

    assert [(cause.cause.kind, cause.pages_count) for cause in found.causes] == [("folder", 4), ("block", 1)]
    assert render(found.causes[0].message, found.causes[0].params).startswith("4 linked pages of this folder do not exist")
