"""The table of verdicts: documented and said completely, without false alarms."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group, Narrower, Reason, StartPage
from findable.errors import PageError, PageErrorCode
from findable.reports.google_listing import Listing
from findable.reports.search_verdict import (
    BAD_AFTER,
    CONFIRMED_AFTER,
    SearchVerdict,
    VerdictCause,
    VerdictCode,
    for_intent,
    found_by_crawl,
    found_on_page,
    over_time,
)
from findable.vocabulary import Rating

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "verdict.md"
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
HOME = StartPage(is_home=True, status=200, robots_status=200)


def summary(indexable: int = 0, *reasons: tuple[str, int], start: StartPage = HOME, **more: object) -> CrawlSummary:
    groups = tuple(Group(name, count) for name, count in reasons)
    pages = indexable + sum(count for _, count in reasons)
    return CrawlSummary("https://a.example/", "", pages, indexable, not_indexable=groups, start=start, **more)  # type: ignore[arg-type]


def test_the_page_of_the_documentation_lists_every_code_and_cause() -> None:
    rows = [line.split("|") for line in PAGE.read_text().splitlines() if line.startswith("| `")][1:]
    assert {row[1].strip(" `") for row in rows} == set(VerdictCode)
    documented = {name for row in rows for name in re.findall(r"`([a-z0-9_]+)`", row[3])}
    assert documented - set(VerdictCode) == {*VerdictCause, *Narrower} - {""}


@pytest.mark.parametrize("code", list(VerdictCode))
def test_every_verdict_has_a_sentence_for_sites_and_pages(code: VerdictCode) -> None:
    for is_site in (True, False):
        for cause in VerdictCause:
            values: dict[str, str | int] = {
                "status": 503,
                "line": 2,
                "rule": "Disallow: /",
                "problem": "dns",
                "reason": "pages",
                "indexable": 1200,
                "pages": 3000,
            }
            said = SearchVerdict(code, cause, is_site, values).sentence()
            assert said.endswith("."), (code, cause, is_site)


@pytest.mark.parametrize(
    "found",
    [
        summary(1, ("noindex", 100)),
        summary(0, ("canonical", 4)),  # to other pages of the same host, which Google indexes instead
        summary(0, ("noindex", 2), ("canonical", 2)),
        summary(0, ("challenge", 3)),
        summary(0),
        summary(0, ("noindex", 4), start=StartPage(is_home=True, status=200), ended_by=CrawlEnd.NEEDS_BROWSER),
    ],
)
def test_a_site_is_not_deindexed_without_proof(found: CrawlSummary) -> None:
    assert found_by_crawl(found).code is not VerdictCode.DEINDEXED


def test_neither_a_folder_nor_a_preview_proves_that_the_site_is_deindexed() -> None:
    folder = StartPage(is_home=False, status=200, robots_status=200)
    assert found_by_crawl(summary(0, ("noindex", 4), start=folder)).values["reason"] == Narrower.FOLDER
    assert found_by_crawl(summary(0, ("noindex", 4)), Narrower.PREVIEW).code is VerdictCode.NARROWER
    assert found_by_crawl(summary(0, ("noindex", 4)), Narrower.PATTERNS).code is VerdictCode.DEINDEXED


def test_a_host_that_does_not_respond_is_unreachable_whatever_was_requested() -> None:
    gone = StartPage(is_home=False, failure="dns", cause="name_not_found", host="a.example")
    found = found_by_crawl(summary(0, start=gone, ended_by=CrawlEnd.UNREACHABLE), Narrower.PATTERNS)
    assert found.code is VerdictCode.UNREACHABLE
    assert found.sentence() == "The site cannot be reached. The host name a.example does not exist (NXDOMAIN)."
    broken = StartPage(is_home=False, status=503, robots_status=200)
    assert found_by_crawl(summary(0, start=broken)).code is VerdictCode.NARROWER


def test_a_pause_that_the_server_requests_is_no_outage() -> None:
    assert found_by_crawl(summary(0, start=StartPage(is_home=True, failure="paused"))).code is VerdictCode.BLOCKED_FOR_US
    assert found_by_crawl(summary(0, start=StartPage(is_home=True, failure="no_route"))).code is VerdictCode.UNKNOWN


def test_an_outage_is_bad_after_a_later_result_or_a_day() -> None:
    found = SearchVerdict(VerdictCode.UNREACHABLE)
    second = timedelta(seconds=1)
    assert not over_time(found, NOON, NOON, NOON + BAD_AFTER - second).is_bad
    assert not over_time(found, NOON, NOON + CONFIRMED_AFTER - second, NOON).is_bad
    assert over_time(found, NOON, NOON, NOON + BAD_AFTER).is_bad
    assert over_time(found, NOON, NOON + CONFIRMED_AFTER, NOON).is_bad
    assert over_time(found, NOON, NOON, NOON).rating(Rating.GOOD) is Rating.GOOD


def test_the_alarm_of_a_site_that_is_not_meant_for_search_is_reversed() -> None:
    def code(of: VerdictCode) -> VerdictCode:
        return for_intent(SearchVerdict(of), is_for_search=False).code

    assert code(VerdictCode.DEINDEXED) is VerdictCode.NOT_FOR_SEARCH
    assert code(VerdictCode.BLOCKED_FOR_US) is VerdictCode.NOT_FOR_SEARCH
    assert code(VerdictCode.INDEXABLE) is VerdictCode.EXPOSED
    assert code(VerdictCode.UNREACHABLE) is VerdictCode.UNREACHABLE
    variant = SearchVerdict(VerdictCode.INDEXABLE, VerdictCause.CANONICAL)
    assert for_intent(variant, is_for_search=False).code is VerdictCode.UNKNOWN


@pytest.mark.parametrize(
    ("listing", "status", "error", "expected"),
    [
        (Listing.CAN, 200, None, "indexable"),
        (Listing.TOLD_NOT, 200, None, "deindexed noindex"),
        (Listing.BLOCKED, 200, None, "deindexed robots"),
        (Listing.OTHER_URL, 200, None, "deindexed canonical"),
        (Listing.VARIANT, 200, None, "indexable canonical"),
        (None, 0, PageError(PageErrorCode.ROBOTS_UNREADABLE, status=503), "unreachable robots_status"),
        (None, 0, PageError(PageErrorCode.ROBOTS_UNREADABLE), "unreachable robots_timeout"),
        (Listing.STATUS, 404, None, "deindexed status"),
        (Listing.STATUS, 503, None, "unreachable server_error"),
        (Listing.STATUS, 403, None, "blocked_for_us denied"),
        (Listing.UNKNOWN, 200, None, "unknown"),
        (None, 0, PageError(PageErrorCode.TLS_FAILED), "unreachable no_response"),
        (None, 0, PageError(PageErrorCode.BOT_CHALLENGE), "blocked_for_us challenge"),
        (None, 0, PageError(PageErrorCode.NOT_HTML), "unknown"),
    ],
)
def test_a_page_has_the_verdict_of_the_same_table(listing: Listing | None, status: int, error: PageError | None, expected: str) -> None:
    found = found_on_page(listing, status, error)
    assert f"{found.code.value} {found.cause.value}".strip() == expected


def test_error_pages_beside_noindex_pages_do_not_hide_the_accident() -> None:
    assert found_by_crawl(summary(0, ("noindex", 2), (Reason.STATUS, 1))).cause is VerdictCause.NOINDEX


@pytest.mark.parametrize(
    ("start", "sentence", "step"),
    [
        (StartPage(status=401), "requires a login (401)", "Add a login"),
        (StartPage(status=403), "returns 403 to this service", "Allow this service"),
        (StartPage(failure="dns", cause="name_not_found", host="a.example"), "a.example does not exist", "spelling of the host"),
        (StartPage(failure="tls", cause="tls", detail="expired"), "The TLS library reports: expired", "valid certificate"),
        (StartPage(failure="connect", cause="connection_refused"), "did not accept the connection", "the port of the URL"),
        (StartPage(failure="timeout", cause="first_byte_timeout"), "first byte did not arrive", "responds so slowly"),
        (StartPage(status=301, failure="too_many_redirects"), "redirects in a loop", "redirect in a circle"),
        (StartPage(status=301, failure="refused", target="http://b.example/"), "redirects to http://b.example/", "Crawl from the URL"),
        (StartPage(status=301, reason=Reason.REDIRECT, target="http://b.example/"), "redirects to http://b.example/", "Crawl from"),
        (StartPage(status=200, reason=Reason.NOT_HTML), "does not return an HTML page", "like its home page"),
        (StartPage(status=200, reason=Reason.BLANK), "look like error pages", "Return the content"),
        (StartPage(status=404), "returns 404", "status 200"),
        (StartPage(status=503), "returns 503", "log of the server"),
        (StartPage(robots_status=503), "robots.txt returns 503", "Return robots.txt"),
        (StartPage(robots_failure="timeout"), "robots.txt cannot be read", "within a few seconds"),
        (StartPage(blocks_google="Disallow: /", blocks_google_line=2), "disallows it (line 2: Disallow: /)", "Remove the line"),
    ],
)
def test_a_crawl_without_pages_names_its_cause_and_the_next_step(start: StartPage, sentence: str, step: str) -> None:
    found = found_by_crawl(summary(0, start=replace(start, is_home=True)))
    assert found.needs_words
    assert sentence in found.sentence()
    assert step in found.next_step()
