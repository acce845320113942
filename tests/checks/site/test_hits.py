"""Requests of bots in access logs: first what must not be flagged, then what must."""

from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.registry import gather
from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.capture.site_hits import BotTotal, HitList, HitUrl, LogCoverage, SiteHits
from findable.checks.engine import Finding, runnable_checks
from findable.checks.runner import run
from findable.reports.messages import render
from findable.vocabulary import Source, Subject, Verdict
from tests.checks.site.harness import SITE

SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-21T12:00:00Z", pages_count=120, indexable_count=100)
FIRST = date(2026, 10, 23)
COVERAGE = LogCoverage(FIRST, FIRST + timedelta(days=29), 30, ("access.log",), 100_000, 0)
GOOGLEBOT = BotTotal("Googlebot", "verified", 9000, 300, {"ok": 8700, "redirect": 200, "server_error": 15, "refused": 85})
FAKE = BotTotal("Googlebot", "fake", 1000, 7, {"ok": 1000})
EMPTY = HitList()
NONE = SiteHits(
    coverage=COVERAGE,
    bots=(),
    top=EMPTY,
    hits_count=0,
    redirects=EMPTY,
    missing=EMPTY,
    missing_linked=EMPTY,
    refused=EMPTY,
    errors=EMPTY,
    parameters=EMPTY,
    by_folder=(),
    by_parameter=(),
    is_joined=True,
    indexable_count=100,
)
CALM = replace(NONE, bots=(GOOGLEBOT,), hits_count=9000)
LISTED = {
    "site-hits-redirects": ("redirects", Verdict.INFO),
    "site-hits-not-found": ("missing_linked", Verdict.WARNED),
    "site-hits-noindex": ("noindex", Verdict.INFO),
    "site-hits-unlinked": ("unlinked", Verdict.INFO),
    "site-hits-never": ("never", Verdict.INFO),
    "site-hits-disallowed": ("disallowed", Verdict.INFO),
    "site-hits-server-errors": ("errors", Verdict.WARNED),
}
ALL = (*LISTED, "site-hits-parameters", "site-hits-refused", "site-hits-fake")
JOINED = frozenset(ALL) - {"site-hits-redirects", "site-hits-server-errors", "site-hits-fake"}


def finding(check_id: str, hits: SiteHits, summary: CrawlSummary = SUMMARY) -> Finding:
    """The finding of one check."""
    asked = tuple(one for one in runnable_checks(frozenset({Source.CRAWL, Source.LOGS}), Subject.SITE) if one.id == check_id)
    (result,) = run(gather(hits, summary), asked)
    return result.finding


def listed(*counts: int, bot: str = "") -> HitList:
    """A list of URLs with these numbers of requests."""
    return HitList(sum(counts), len(counts), tuple(HitUrl(f"{SITE}/{place}", count, bot) for place, count in enumerate(counts)))


def with_list(name: str, found: HitList) -> Any:
    """Calm logs with one list."""
    return replace(CALM, **{name: found})


def test_without_logs_no_check_runs() -> None:
    without = {one.id for one in runnable_checks(frozenset({Source.CRAWL, Source.SITE}), Subject.SITE)}
    assert without.isdisjoint(ALL)


@pytest.mark.parametrize("check_id", ALL)
def test_calm_logs_pass_and_logs_without_search_bots_do_not_apply(check_id: str) -> None:
    large = replace(SUMMARY, by_status=((200, 20_000),))
    assert finding(check_id, CALM, large).verdict is Verdict.PASSED
    nothing = Verdict.PASSED if check_id == "site-hits-fake" else Verdict.INAPPLICABLE
    assert finding(check_id, NONE, large).verdict is nothing


@pytest.mark.parametrize("check_id", sorted(JOINED))
def test_logs_of_another_time_than_the_crawl_are_unknown(check_id: str) -> None:
    apart = replace(CALM, is_joined=False, never=listed(0, 0), missing_linked=listed(9))
    assert finding(check_id, apart, replace(SUMMARY, by_status=((200, 20_000),))).verdict is Verdict.UNKNOWN


def test_few_days_do_not_show_what_is_never_requested() -> None:
    short = replace(COVERAGE, days_count=13)
    for check_id, name in (("site-hits-never", "never"), ("site-hits-unlinked", "unlinked")):
        assert finding(check_id, replace(with_list(name, listed(3, 4)), coverage=short)).verdict is Verdict.UNKNOWN
    gap = replace(COVERAGE, days_count=29)
    assert finding("site-hits-never", replace(with_list("never", listed(0)), coverage=gap)).verdict is Verdict.UNKNOWN


def test_a_crawl_that_ended_early_does_not_show_what_is_unlinked() -> None:
    early = replace(SUMMARY, ended_by=CrawlEnd.PAGES)
    assert finding("site-hits-unlinked", with_list("unlinked", listed(3)), early).verdict is Verdict.UNKNOWN


def test_parameters_of_a_small_site_do_not_matter() -> None:
    assert finding("site-hits-parameters", with_list("parameters", listed(300, 200))).verdict is Verdict.INAPPLICABLE


def test_missing_pages_that_the_site_does_not_mention_are_no_fault() -> None:
    assert finding("site-hits-not-found", with_list("missing", listed(400, 300))).verdict is Verdict.PASSED


def test_missing_pages_that_the_site_does_not_mention_are_a_number() -> None:
    both = finding("site-hits-not-found", replace(with_list("missing_linked", listed(9)), missing=listed(9, 400, 300)))
    assert render(both.message, both.params).endswith(
        "for 1 missing page that the site links to or lists, and for 2 that it does not mention"
    )
    others = finding("site-hits-not-found", with_list("missing", listed(400, 300)))
    assert render(others.message, others.params) == "search bots requested 2 missing pages, none of which the site links to or lists"


def test_a_server_error_of_robots_txt_is_a_warning_however_few() -> None:
    failed = HitList(1, 1, (HitUrl(f"{SITE}/robots.txt", 1),))
    assert finding("site-hits-server-errors", with_list("errors", failed)).verdict is Verdict.WARNED


def test_a_refused_bot_of_ai_search_is_a_warning() -> None:
    bots = (BotTotal("OAI-SearchBot", "verified", 100, 5, {"refused": 60}),)
    refused = HitList(60, 1, (HitUrl(f"{SITE}/a", 60, "OAI-SearchBot"),))
    assert finding("site-hits-refused", replace(CALM, bots=bots, refused=refused)).verdict is Verdict.WARNED


@pytest.mark.parametrize("counts", [(19,), (40, 20)])
def test_few_server_errors_are_no_fault(counts: tuple[int, ...]) -> None:
    assert finding("site-hits-server-errors", with_list("errors", listed(*counts))).verdict is Verdict.PASSED


def test_a_few_refused_requests_and_refused_fakes_are_no_fault() -> None:
    few = replace(CALM, refused=listed(19, bot="Googlebot"))
    small_share = replace(CALM, refused=listed(200, 200, bot="Googlebot"))
    of_fakes = replace(CALM, bots=(GOOGLEBOT, replace(FAKE, statuses={"refused": 1000})))
    assert {finding("site-hits-refused", one).verdict for one in (few, small_share, of_fakes)} == {Verdict.PASSED}


@pytest.mark.parametrize("check_id", LISTED)
def test_a_list_is_one_cause_that_says_its_requests(check_id: str) -> None:
    name, verdict = LISTED[check_id]
    counts = (0, 0) if name == "never" else (212, 100)
    found = finding(check_id, with_list(name, listed(*counts)))
    (cause,) = found.causes
    assert (found.verdict, cause.pages_count, [one.url for one in cause.evidence]) == (verdict, 2, [f"{SITE}/0", f"{SITE}/1"])
    message = render(cause.message, cause.params)
    assert ("2 indexable pages" if name == "never" else "312 requests of search bots for 2") in message
    assert name == "never" or render(cause.evidence[0].note, cause.evidence[0].params) == "212 requests"


def test_each_chain_of_redirects_is_a_warning_that_says_what_it_costs() -> None:
    hits = replace(with_list("redirects", listed(212, 100, 7)), chains=listed(312))
    found = finding("site-hits-redirects", hits)
    said = [(cause.verdict, render(cause.message, cause.params)) for cause in found.causes]
    assert said == [(Verdict.WARNED, "A chain of redirects that begins here took 312 requests of search bots")]
    assert render(found.message, found.params) == "319 requests of search bots for 3 URLs led to redirects"


def test_parameters_of_a_large_site_are_counted() -> None:
    found = finding("site-hits-parameters", with_list("parameters", listed(300, 200)), replace(SUMMARY, by_status=((200, 20_000),)))
    assert (found.verdict, found.causes[0].params["hits_count"]) == (Verdict.INFO, 500)


def test_each_refused_bot_is_one_failed_cause() -> None:
    both = HitList(720, 3, (*listed(500, 200, bot="Googlebot").items, HitUrl(f"{SITE}/2", 20, "Bingbot")))
    bots = (GOOGLEBOT, BotTotal("Bingbot", "verified", 400, 50, {"refused": 20, "ok": 380}))
    found = finding("site-hits-refused", replace(CALM, bots=bots, refused=both))
    assert found.verdict is Verdict.FAILED
    said = [(cause.cause.key, cause.pages_count, render(cause.message, cause.params)) for cause in found.causes]
    assert said == [
        ("Googlebot", 2, "Googlebot was refused 700 of 9,000 requests, for pages that the crawl loaded"),
        ("Bingbot", 1, "Bingbot was refused 20 of 400 requests, for pages that the crawl loaded"),
    ]


def test_fakes_are_counted_by_the_bot_that_they_claim_to_be() -> None:
    found = finding("site-hits-fake", replace(CALM, bots=(GOOGLEBOT, FAKE)))
    assert (found.verdict, [render(one.message, one.params) for one in found.causes]) == (
        Verdict.INFO,
        ["1,000 requests of programs that claim to be Googlebot"],
    )
