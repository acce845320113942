"""Signals of a whole site to search engines: first what must not be flagged, then what must."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.registry import gather
from findable.capture.crawl import Group
from findable.capture.site_graph import CanonicalPair, CrawledLinks
from findable.capture.site_signals import (
    BlockedFiles,
    CanonicalCluster,
    CanonicalSignals,
    CrawledNoindex,
    CrawledSignals,
    LeftoverHost,
    MixedLanguage,
    VariantOrigin,
)
from findable.capture.site_urls import CrawledParameters, Parameter
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.reports.messages import render
from findable.vocabulary import Source, Subject, Verdict
from tests.checks.harness import capture
from tests.checks.site.harness import SITE, finding, source, target

SIGNALS = CrawledSignals(indexable_count=100)
NOINDEX = CrawledNoindex(noindex_count=3, linked=(target("/cart", 200, source()),))
CANONICALS = CanonicalSignals(SITE, declared_count=10, with_parameters_count=10)
LINKS = CrawledLinks(pages_count=120, links_count=1000)
SIGNAL_CHECKS = (
    "site-soft-404",
    "site-robots-resources",
    "site-fragment-routes",
    "site-staging-links",
    "site-language-mix",
)
NOINDEX_CHECKS = ("site-noindex-linked", "site-robots-noindex")
CANONICAL_CHECKS = ("site-canonical-missing", "site-canonical-cluster", "site-canonical-unlike")


def group(count: int, name: str = "/a/*", path: str = "/a/1") -> Group:
    return Group(name, count, (f"{SITE}{path}",))


def causes(check_id: str, *roots: Any) -> list[tuple[Verdict, str]]:
    return [(item.verdict, render(item.message, item.params)) for item in finding(check_id, *roots).causes]


@pytest.mark.parametrize("check_id", [*SIGNAL_CHECKS, *NOINDEX_CHECKS, *CANONICAL_CHECKS, "site-canonical-scheme"])
def test_a_site_in_order_passes(check_id: str) -> None:
    assert finding(check_id, SIGNALS, NOINDEX, CANONICALS, LINKS).verdict is Verdict.PASSED


@pytest.mark.parametrize("check_id", [*SIGNAL_CHECKS, *NOINDEX_CHECKS, *CANONICAL_CHECKS])
def test_what_is_not_there_is_not_judged(check_id: str) -> None:
    nothing = CrawledSignals(0), CrawledNoindex(0), CanonicalSignals(SITE, 0), CrawledLinks(0, 0)
    assert finding(check_id, *nothing).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize("check_id", [*SIGNAL_CHECKS, *NOINDEX_CHECKS, *CANONICAL_CHECKS, "site-canonical-scheme"])
def test_without_a_crawl_nothing_is_known(check_id: str) -> None:
    asked = tuple(item for item in runnable_checks(frozenset({Source.CRAWL, Source.SITE}), Subject.SITE) if item.id == check_id)
    (result,) = run(gather(capture().site), asked)
    assert result.finding.verdict in (Verdict.UNKNOWN, Verdict.INAPPLICABLE)
    assert not result.finding.causes


def test_soft_errors_fail_by_template_and_empty_categories_warn() -> None:
    assert causes("site-soft-404", replace(SIGNALS, soft_errors=(group(12),), soft_doubts=(group(1, "", "/empty"),))) == [
        (Verdict.FAILED, "12 pages look like error pages, but return 200"),
        (Verdict.WARNED, "1 page may be an error page that returns 200"),
    ]


def test_files_that_robots_txt_disallows_fail_by_line() -> None:
    blocked = BlockedFiles("Disallow: /js/", is_critical=True, files=(f"{SITE}/js/app.js",), pages=group(80))
    found = finding(
        "site-robots-resources", replace(SIGNALS, blocked_files=(blocked, replace(blocked, rule="Disallow: /img/", is_critical=False)))
    )
    assert [(item.verdict, item.cause.key) for item in found.causes] == [
        (Verdict.FAILED, "Disallow: /js/"),
        (Verdict.WARNED, "Disallow: /img/ images"),
    ]
    assert (
        render(found.causes[0].advice, found.causes[0].params)
        == f"Write “Allow: {SITE}/js/app.js” in robots.txt, or narrow “Disallow: /js/”"
    )


@pytest.mark.parametrize(
    ("routes_count", "pages_count", "verdict"),
    [(2, 1, Verdict.PASSED), (5, 6, Verdict.PASSED), (3, 1, Verdict.FAILED), (6, 6, Verdict.FAILED)],
)
def test_views_behind_a_fragment_fail_where_they_are_the_site(routes_count: int, pages_count: int, verdict: Verdict) -> None:
    signals = CrawledSignals(pages_count, routes=(f"{SITE}/#/a",), routes_count=routes_count, routes_pages=group(1, "", "/"))
    assert finding("site-fragment-routes", signals).verdict is verdict


@pytest.mark.parametrize(
    ("host", "is_private", "is_mentioned", "is_declared", "verdict"),
    [
        ("localhost", True, True, False, Verdict.INFO),
        ("localhost", True, False, False, Verdict.FAILED),
        ("staging.shop.example", False, False, False, Verdict.WARNED),
        ("staging.shop.example", False, False, True, Verdict.FAILED),
    ],
)
def test_hosts_of_manuals_are_a_note(host: str, *, is_private: bool, is_mentioned: bool, is_declared: bool, verdict: Verdict) -> None:
    item = LeftoverHost(host, is_private, is_mentioned, is_declared, group(3))
    assert finding("site-staging-links", replace(SIGNALS, leftover_hosts=(item,))).verdict is verdict


def test_pages_in_another_language_are_one_cause_for_each_pair() -> None:
    mixed = (MixedLanguage("fr", "en", group(30, "/fr/*")), MixedLanguage("de", "en", group(1, "", "/de/x")))
    assert causes("site-language-mix", replace(SIGNALS, mixed_languages=mixed)) == [
        (Verdict.WARNED, "30 pages declare French, the text is in English"),
        (Verdict.WARNED, "1 page declares German, the text is in English"),
    ]


def test_noindex_pages_of_accounts_and_legal_notices_are_linked_on_purpose() -> None:
    paths = ("/privacy", "/impressum", "/mein-konto", "/warenkorb", "/search?q=a")
    linked = tuple(replace(target(path, 200, source()), inlinks_count=120) for path in paths)
    noindex = replace(NOINDEX, linked=linked, prominent=tuple(item.url for item in linked))
    assert finding("site-noindex-linked", noindex, LINKS).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("count", "is_prominent", "verdict"),
    [(200, False, Verdict.PASSED), (200, True, Verdict.INFO), (201, False, Verdict.WARNED)],
)
def test_noindex_pages_that_take_many_links_warn(count: int, *, is_prominent: bool, verdict: Verdict) -> None:
    tag = replace(target("/tag/oak", 200, source()), inlinks_count=count)
    noindex = replace(NOINDEX, linked=(tag,), prominent=(tag.url,) if is_prominent else ())
    assert finding("site-noindex-linked", noindex, LINKS).verdict is verdict


def test_a_noindex_that_googlebot_cannot_read_fails() -> None:
    assert causes("site-robots-noindex", CrawledNoindex(0, unread=group(4))) == [
        (Verdict.FAILED, "robots.txt keeps Googlebot from reading the noindex of 4 pages")
    ]


@pytest.mark.parametrize(
    ("missing_count", "pages_count", "verdict"),
    [(4, 4, Verdict.PASSED), (5, 26, Verdict.PASSED), (5, 25, Verdict.WARNED), (40, 50, Verdict.WARNED)],
)
def test_pages_with_parameters_without_canonical_warn(missing_count: int, pages_count: int, verdict: Verdict) -> None:
    canonicals = CanonicalSignals(SITE, 0, pages_count, group(missing_count))
    assert finding("site-canonical-missing", canonicals).verdict is verdict


def test_one_text_with_two_canonical_urls_fails() -> None:
    pairs = tuple(CanonicalPair(f"{SITE}/{n}", f"{SITE}/to/{n}", 200) for n in range(2))
    found = finding("site-canonical-cluster", replace(CANONICALS, clusters=(CanonicalCluster("Widget", 5, pairs, 2),), clusters_count=1))
    (cause,) = found.causes
    assert render(cause.message, cause.params) == "5 pages with this text declare 2 different canonical URLs"
    assert render(cause.advice, cause.params) == f"Let all of them declare one URL, for example {SITE}/to/0"


def test_a_canonical_link_to_another_text_warns() -> None:
    unlike = CanonicalPair(f"{SITE}/a", f"{SITE}/b", 200, similarity=0.04)
    found = finding("site-canonical-unlike", replace(CANONICALS, unlike=(unlike,), unlike_count=1))
    note = found.causes[0].evidence[0]
    assert (found.verdict, render(note.note, note.params)) == (Verdict.WARNED, f"canonical URL {SITE}/b: 4 % of the text in common")


WWW, PLAIN = "https://www.shop.example", "http://shop.example"


@pytest.mark.parametrize(
    ("origin", "is_redirected", "verdict"),
    [(PLAIN, False, Verdict.FAILED), (PLAIN, True, Verdict.FAILED), (WWW, True, Verdict.FAILED), (WWW, False, Verdict.PASSED)],
)
def test_canonical_links_to_an_origin_that_redirects_here_fail(origin: str, *, is_redirected: bool, verdict: Verdict) -> None:
    variant = VariantOrigin(origin, is_hreflang=False, pairs=((f"{SITE}/a", f"{origin}/a"),), pages_count=40)
    page = "<title>Shop</title>"
    answers = {f"{SITE}/": {"body": page}, f"{origin}/": {"body": page, **({"final_url": f"{SITE}/"} if is_redirected else {})}}
    site = capture(url=f"{SITE}/", variants=answers).site
    found = finding("site-canonical-scheme", replace(CANONICALS, variants=(variant,)), site)
    assert found.verdict is verdict
    if verdict is Verdict.FAILED:
        assert render(found.causes[0].advice, found.causes[0].params) == f"Write {SITE} in place of {origin}"


def test_parameters_that_multiply_pages_are_told_there() -> None:
    canonicals = CanonicalSignals(SITE, 0, 60, group(60))
    parameters = CrawledParameters(60, (Parameter("from", 60, 60),))
    found = finding("site-canonical-missing", canonicals, parameters)
    assert (found.verdict, found.params["check"]) == (Verdict.INAPPLICABLE, "site-parameters")
