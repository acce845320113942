"""Canonicals, duplicates, sitemaps and reach of a whole site: first what must not be flagged, then what must."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group, TrapKind
from findable.capture.site_graph import (
    CanonicalPair,
    CrawledCanonicals,
    CrawledDuplicates,
    CrawledSitemap,
    CrawlTraps,
    DuplicateGroup,
    Trap,
)
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding

SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-01T12:00:00Z", pages_count=120, indexable_count=100)
SITEMAP = CrawledSitemap(entries_count=100)
SITEMAP_CHECKS = ("site-sitemap-status", "site-sitemap-noindex", "site-sitemap-canonical", "site-sitemap-blocked", "site-sitemap-missing")
CANONICAL_CHECKS = ("site-canonical-target", "site-canonical-chain", "site-canonical-home")
DUPLICATE_CHECKS = ("site-title-duplicate", "site-description-duplicate", "site-text-duplicate", "site-text-near")


def pair(path: str, target: str, status: int = 200, *, template: int = 0) -> CanonicalPair:
    return CanonicalPair(f"{SITE}{path}", f"{SITE}{target}", status, template=template)


@pytest.mark.parametrize("check_id", CANONICAL_CHECKS)
def test_canonicals_of_variants_pass(check_id: str) -> None:
    assert finding(check_id, CrawledCanonicals(pages_count=30)).verdict is Verdict.PASSED
    assert finding(check_id, CrawledCanonicals(pages_count=0)).verdict is Verdict.INAPPLICABLE


def test_canonicals_of_a_template_are_one_cause() -> None:
    pairs = tuple(pair(f"/p/{number}", f"/gone/{number}", 404, template=2) for number in range(4))
    found = finding("site-canonical-target", CrawledCanonicals(30, not_indexable=pairs, not_indexable_count=4))
    (cause,) = found.causes
    assert (found.verdict, cause.pages_count) == (Verdict.FAILED, 4)
    assert render(cause.cause.name, cause.cause.params) == f"pages like {SITE}/p/0"
    assert render(cause.evidence[0].note, cause.evidence[0].params) == f"canonical URL {SITE}/gone/0 is not indexable (status 404)"


def test_a_chain_of_canonicals_warns() -> None:
    chained = replace(pair("/a", "/b"), target_canonical=f"{SITE}/c")
    found = finding("site-canonical-chain", CrawledCanonicals(3, chains=(chained,), chains_count=1))
    assert (found.verdict, found.causes[0].cause.key) == (Verdict.WARNED, f"{SITE}/a")


@pytest.mark.parametrize(("count", "verdict"), [(2, Verdict.PASSED), (3, Verdict.FAILED)])
def test_variants_of_the_start_page_are_no_fault(count: int, verdict: Verdict) -> None:
    pairs = tuple(pair(f"/{number}", "/") for number in range(count))
    assert finding("site-canonical-home", CrawledCanonicals(9, to_home=pairs, to_home_count=count)).verdict is verdict


@pytest.mark.parametrize("check_id", DUPLICATE_CHECKS)
def test_pages_of_their_own_pass(check_id: str) -> None:
    assert finding(check_id, CrawledDuplicates(pages_count=80)).verdict is Verdict.PASSED
    assert finding(check_id, CrawledDuplicates(pages_count=1)).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("check_id", "field", "verdict"),
    [
        ("site-title-duplicate", "titles", Verdict.WARNED),
        ("site-description-duplicate", "descriptions", Verdict.WARNED),
        ("site-text-duplicate", "texts", Verdict.FAILED),
        ("site-text-near", "similar", Verdict.WARNED),
    ],
)
def test_a_shared_text_is_one_cause_with_its_pages(check_id: str, field: str, verdict: Verdict) -> None:
    group = DuplicateGroup("Blue widgets", 40, tuple(f"{SITE}/{number}" for number in range(10)))
    found = finding(check_id, replace(CrawledDuplicates(80), **{field: (group,), f"{field}_count": 1}))
    (cause,) = found.causes
    assert (found.verdict, cause.pages_count, len(cause.evidence)) == (verdict, 40, 10)
    assert render(cause.cause.name, cause.cause.params) == "“Blue widgets”"


@pytest.mark.parametrize(
    ("paths", "verdict"),
    [
        (("/", "/index.html"), Verdict.PASSED),
        (("/docs/", "/docs/index.php"), Verdict.PASSED),
        (("/", "/docs/index.html"), Verdict.FAILED),
        (("/", "/home", "/index.html"), Verdict.FAILED),
    ],
)
def test_a_folder_and_its_index_file_are_one_page(paths: tuple[str, ...], verdict: Verdict) -> None:
    group = DuplicateGroup("Blue widgets", len(paths), tuple(f"{SITE}{path}" for path in paths))
    found = finding("site-text-duplicate", CrawledDuplicates(80, texts=(group,), texts_count=1))
    assert found.verdict is verdict


def test_pages_with_the_same_text_are_not_told_for_their_titles_too() -> None:
    group = DuplicateGroup("Blue widgets", 4, (f"{SITE}/1", f"{SITE}/2"), same_text=True)
    for check_id, field in (("site-title-duplicate", "titles"), ("site-description-duplicate", "descriptions")):
        assert finding(check_id, replace(CrawledDuplicates(80), **{field: (group,), f"{field}_count": 1})).verdict is Verdict.PASSED


@pytest.mark.parametrize("check_id", SITEMAP_CHECKS)
def test_a_sitemap_of_indexable_pages_passes(check_id: str) -> None:
    assert finding(check_id, SITEMAP, SUMMARY).verdict is Verdict.PASSED
    assert finding(check_id, CrawledSitemap(entries_count=0), SUMMARY).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("check_id", "field"),
    [("site-sitemap-noindex", "noindex"), ("site-sitemap-canonical", "canonicalised"), ("site-sitemap-blocked", "disallowed")],
)
def test_entries_that_contradict_their_page_warn(check_id: str, field: str) -> None:
    group = Group(field, 7, (f"{SITE}/a",))
    found = finding(check_id, replace(SITEMAP, **{field: group}), SUMMARY)
    assert (found.verdict, found.causes[0].pages_count, found.evidence[0].url) == (Verdict.WARNED, 7, f"{SITE}/a")


def test_entries_that_fail_are_grouped_by_status() -> None:
    groups = (Group("404", 3, (f"{SITE}/a",)), Group("301", 2, (f"{SITE}/b",)))
    found = finding("site-sitemap-status", CrawledSitemap(100, not_ok=groups, not_ok_count=5))
    assert [render(item.message, item.params) for item in found.causes] == [
        "3 URLs of the sitemap return 404",
        "2 URLs of the sitemap return 301",
    ]
    assert not [item for item in found.causes if item.advice]


def test_entries_with_a_server_error_are_to_be_fixed_and_not_removed() -> None:
    found = finding("site-sitemap-status", CrawledSitemap(100, not_ok=(Group("500", 3, (f"{SITE}/a",)),), not_ok_count=3))
    assert "Do not remove" in found.causes[0].advice


@pytest.mark.parametrize(
    ("template", "summary", "name"),
    [
        (None, "7 pages in the sitemap tell Google not to index them (noindex)", "in the sitemap"),
        (Group("/*", 9), "7 pages in the sitemap tell Google not to index them (noindex)", "in the sitemap"),
        (Group("/p/*", 7), "7 pages in the sitemap tell Google not to index them (noindex)", "template /p/*"),
        (Group("/p/*", 28), "28 pages like /p/* tell Google not to list them (noindex); the sitemap lists 7 of them", "in the sitemap"),
    ],
)
def test_noindex_entries_are_told_by_their_template(template: Group | None, summary: str, name: str) -> None:
    listed = Group("noindex", 7, (f"{SITE}/p/a",))
    (cause,) = finding("site-sitemap-noindex", replace(SITEMAP, noindex=listed, noindex_template=template)).causes

    assert (render(cause.message, cause.params), render(cause.cause.name, cause.cause.params)) == (summary, name)
    assert (cause.cause.key, cause.pages_count) == ("noindex", 7)


@pytest.mark.parametrize(
    ("count", "entries", "verdict"), [(1, 1, Verdict.WARNED), (3, 7, Verdict.WARNED), (4, 7, Verdict.FAILED), (6, 7, Verdict.FAILED)]
)
def test_noindex_on_half_of_the_sitemap_is_an_accident(count: int, entries: int, verdict: Verdict) -> None:
    listed = CrawledSitemap(entries, noindex=Group("noindex", count, (f"{SITE}/p/a",)))
    assert finding("site-sitemap-noindex", listed, SUMMARY).verdict is verdict


@pytest.mark.parametrize(("count", "verdict"), [(9, Verdict.PASSED), (10, Verdict.WARNED)])
def test_a_few_pages_outside_the_sitemap_are_no_fault(count: int, verdict: Verdict) -> None:
    assert finding("site-sitemap-missing", replace(SITEMAP, missing=Group("", count, (f"{SITE}/a",))), SUMMARY).verdict is verdict


def test_pages_without_links_warn() -> None:
    assert finding("site-orphans", SUMMARY).verdict is Verdict.PASSED
    assert finding("site-orphans", replace(SUMMARY, indexable_count=0)).verdict is Verdict.INAPPLICABLE
    found = finding("site-orphans", replace(SUMMARY, orphans=Group("", 12, (f"{SITE}/a",))))
    assert (found.verdict, found.causes[0].pages_count) == (Verdict.WARNED, 12)


def test_a_crawl_that_ended_early_does_not_know_what_is_missing() -> None:
    early = replace(SUMMARY, ended_by=CrawlEnd.PAGES, orphans=Group("", 12, (f"{SITE}/a",)))
    assert finding("site-orphans", early).verdict is Verdict.UNKNOWN
    assert finding("site-sitemap-missing", replace(SITEMAP, missing=Group("", 50)), early).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(("fetched_count", "verdict"), [(20, Verdict.WARNED), (21, Verdict.FAILED)])
def test_an_endless_series_fails_if_it_took_many_requests(fetched_count: int, verdict: Verdict) -> None:
    assert finding("site-trap", CrawlTraps(100)).verdict is Verdict.PASSED
    trap = Trap(TrapKind.CALENDAR, f"{SITE}/calendar?month={{}}", 900, fetched_count, (f"{SITE}/calendar?month=1",), f"{SITE}/events")
    found = finding("site-trap", CrawlTraps(100, (trap,)))
    assert found.verdict is verdict
    assert (
        render(found.causes[0].message, found.causes[0].params) == f"an endless calendar: 900 URLs found, {fetched_count} of them requested"
    )
