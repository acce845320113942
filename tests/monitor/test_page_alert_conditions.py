"""What rules say about two runs of a page or a site: first what must not be an alert."""

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec import structs

from findable.capture.crawl import CrawlEnd
from findable.capture.response import Certificate, Tls
from findable.crawl.changes import CrawlComparison
from findable.errors import AWAY, PageErrorCode
from findable.monitor.alert_rules import AlertRule, RuleSignal, causes_of
from findable.monitor.alert_states import Signal
from findable.monitor.page_alert_conditions import PageFacts, facts_of_page, reference_after, signals_of_page, signals_of_unloaded_page
from findable.monitor.site_alert_conditions import CrawlFacts, SiteFacts, signals_of_crawl, signals_of_site, site_facts
from findable.notify.event_words import alert_sentence
from findable.reports.analysis import analyse
from findable.reports.difference import Basis, NotComparable
from findable.reports.google_listing import Listing
from findable.reports.site_difference import SiteDifference
from findable.wording import wording
from tests.checks.harness import capture, page

STATIC = Basis("r", rendering="static")
SOUND = PageFacts(STATIC, 200, Listing.CAN, "https://example.com/", "good", 95, ("image-alt",), "Title", "Words", "Heading")
URL = "https://example.com/"


def bad(signals: Iterable[RuleSignal]) -> set[AlertRule]:
    return {one.rule for one in signals if one.signal is Signal.BAD}


def signal(signals: Iterable[RuleSignal], rule: AlertRule) -> Signal | None:
    return next((one.signal for one in signals if one.rule is rule), None)


QUIET: dict[str, dict[str, Any]] = {
    "nothing changed": {},
    "another ruleset": {"basis": Basis("r2", rendering="static"), "rating": "bad", "score": 10, "failed": ("image-alt", "https")},
    "slower only": {"rating": "decent", "score": 80},
    "a few points": {"score": 92, "failed": ("image-alt", "https")},
    "better": {"score": 99, "failed": ()},
    "a variant of its canonical URL": {"listing": Listing.VARIANT, "canonical": "https://example.com/?a"},
    "robots.txt unreadable": {"listing": Listing.UNKNOWN},
    "rate limited": {"status": 429, "listing": Listing.STATUS, "rating": "bad", "score": 5, "title": ""},
    "refused": {"status": 403, "listing": Listing.STATUS, "rating": "bad", "score": 5, "canonical": ""},
}


@pytest.mark.parametrize("name", QUIET)
def test_runs_without_a_cause_are_no_alert(name: str) -> None:
    assert not bad(signals_of_page(SOUND, structs.replace(SOUND, **QUIET[name])))


def test_the_first_run_is_no_alert_however_bad_it_is() -> None:
    assert not bad(signals_of_page(None, PageFacts(Basis("r"), 404, Listing.STATUS, "", "bad", 3)))
    noindex = structs.replace(SOUND, listing=Listing.TOLD_NOT)
    assert not bad(signals_of_page(noindex, noindex))
    assert not bad(signals_of_page(noindex, structs.replace(SOUND, listing=Listing.BLOCKED)))


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"status": 404, "listing": Listing.STATUS, "canonical": ""}, {AlertRule.NOT_INDEXABLE}),
        ({"listing": Listing.TOLD_NOT}, {AlertRule.NOT_INDEXABLE}),
        ({"listing": Listing.BLOCKED}, {AlertRule.NOT_INDEXABLE}),
        ({"listing": Listing.OTHER_URL, "canonical": "https://example.com/b"}, {AlertRule.NOT_INDEXABLE}),
        ({"canonical": ""}, {AlertRule.CANONICAL_LOST}),
        ({"rating": "decent", "score": 80, "failed": ("https", "image-alt")}, {AlertRule.RATING_FELL}),
        ({"title": "Another"}, {AlertRule.CONTENT_CHANGED}),
        ({"certificate_ends": "2026-12-01T00:00:00Z", "certificate_days": 7}, {AlertRule.CERTIFICATE}),
        ({"certificate_error": "self-signed certificate"}, {AlertRule.CERTIFICATE}),
    ],
)
def test_each_cause_is_told_by_its_rule_and_no_other(changes: dict[str, object], rules: set[AlertRule]) -> None:
    seen = structs.replace(SOUND, **changes)
    found = list(signals_of_page(SOUND, seen))
    texts = {AlertRule.CONTENT_CHANGED} if "status" in changes else set()
    assert bad(found) - texts == rules
    assert not bad(signals_of_page(reference_after(SOUND, seen, ()), seen)) - {AlertRule.UNREACHABLE}


def test_what_is_unsettled_is_compared_with_the_run_before_it() -> None:
    seen = structs.replace(SOUND, listing=Listing.TOLD_NOT, title="Another", score=90)
    reference = reference_after(SOUND, seen, {AlertRule.NOT_INDEXABLE})
    assert (reference.listing, reference.title, reference.score) == (Listing.CAN, "Another", 90)
    assert signal(signals_of_page(reference, SOUND), AlertRule.NOT_INDEXABLE) is Signal.GOOD


def test_a_certificate_is_told_at_each_of_its_days_once() -> None:
    ends = "2026-12-01T00:00:00Z"
    near = [structs.replace(SOUND, certificate_ends=ends, certificate_days=days) for days in (0, 21, 21, 7, 1, 1)]
    told, before = [], near[0]
    for seen in near:
        told.append(bad(signals_of_page(before, seen)))
        before = reference_after(before, seen, ())
    assert [bool(one) for one in told] == [False, True, False, True, True, False]


@pytest.mark.parametrize(
    ("verified", "error", "issuer", "rejected"),
    [
        (False, "certificate has expired", "Authority", "certificate has expired"),
        (False, "unable to get local issuer certificate", "Authority", ""),
        (False, "unable to get local issuer certificate", "site.test", "unable to get local issuer certificate"),
        (False, "", "Authority", "the verification failed"),
        (True, "", "Authority", ""),
    ],
)
def test_a_certificate_is_rejected_unless_only_its_intermediate_is_missing(verified: bool, error: str, issuer: str, rejected: str) -> None:
    certificate = Certificate("site.test", issuer, ("site.test",), "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z", "", "", 0)
    seen = capture(page(), url=URL)
    tls = Tls("TLSv1.3", verified, error, (certificate,))
    response = structs.replace(seen.page.response, tls=tls)
    facts = facts_of_page(analyse(structs.replace(seen, page=structs.replace(seen.page, response=response))))
    assert facts is not None
    assert facts.certificate_error == rejected


def test_pages_that_were_not_loaded() -> None:
    codes = {code: bad(signals_of_unloaded_page(SOUND, code)) for code in PageErrorCode}
    for code in AWAY:
        assert codes.pop(code) == {AlertRule.UNREACHABLE}
    for code in (PageErrorCode.TOO_MANY_REDIRECTS, PageErrorCode.NOT_HTML):
        assert codes.pop(code) == {AlertRule.NOT_INDEXABLE}
    assert set(map(frozenset, codes.values())) == {frozenset()}


def test_facts_are_read_from_reports() -> None:
    canonical = '<title>Blue widgets</title><link rel="canonical" href="https://example.com/">'
    before = facts_of_page(analyse(capture(page(head=canonical), url=URL)))
    header = {"headers": (("content-type", "text/html; charset=utf-8"), ("x-robots-tag", "noindex"))}
    after = facts_of_page(analyse(capture(page(head=canonical), url=URL, **header)))
    assert before is not None
    assert after is not None
    assert (before.status, before.listing is Listing.CAN or before.listing is Listing.UNKNOWN) == (200, True)
    assert (before.canonical, after.listing) == (URL, Listing.TOLD_NOT)
    assert before.title
    assert before.h1


BLOCKS_START = AlertRule.ROBOTS_BLOCKS_START
ROBOTS = "User-agent: *\nDisallow: /cart\n"


def test_files_of_a_site() -> None:
    before = SiteFacts(ROBOTS, 100)
    quiet = [
        before,
        SiteFacts(None, None),
        SiteFacts(ROBOTS, 81),
        SiteFacts(ROBOTS, 200),
        site_facts(503, b"", 100),
        site_facts(429, b"", 100),
    ]
    assert [bad(signals_of_site(before, seen, URL)) for seen in quiet] == [set()] * len(quiet)
    assert bad(signals_of_site(None, SiteFacts("User-agent: *\nDisallow: /", 0), URL)) == set()
    for seen, rules in (
        (SiteFacts(ROBOTS + "Disallow: /x\n", 100), {AlertRule.ROBOTS_CHANGED}),
        (SiteFacts("User-agent: *\nDisallow: /\n", 100), {AlertRule.ROBOTS_CHANGED, AlertRule.ROBOTS_BLOCKS_START}),
        (SiteFacts(ROBOTS, 0), {AlertRule.SITEMAP_UNREACHABLE}),
        (SiteFacts(ROBOTS, 80), {AlertRule.SITEMAP_SHRANK}),
    ):
        assert bad(signals_of_site(before, seen, URL)) == rules
    (changed,) = [one for one in signals_of_site(before, SiteFacts(ROBOTS + "Disallow: /x\n", 100), URL) if one.signal is Signal.BAD]
    assert changed.values["diff"] == "@@ -2,0 +3 @@\n+Disallow: /x"
    blocks = [one for one in signals_of_site(before, SiteFacts("User-agent: *\nDisallow: /\n", 100), URL) if one.rule is BLOCKS_START]
    sentences = [alert_sentence(one.rule.words, one.values, wording("de")) for one in blocks]
    assert sentences == ["robots.txt sperrt die Startseite für den Googlebot: Disallow: / (Zeile 2)"]
    assert reference_after(before, SiteFacts(None, 50), {AlertRule.SITEMAP_SHRANK}, knows_none=False) == before


def compared(*problems: str, reason: NotComparable | None = None, **counts: int) -> CrawlComparison:
    return CrawlComparison("", counts, findings=SiteDifference(problems=problems, reason=reason))


def test_crawls() -> None:
    before = CrawlFacts(100, 80, CrawlEnd.COMPLETE, ("a:1",))
    assert bad(signals_of_crawl(None, before, None)) == set()
    for seen, changes in (
        (before, compared()),
        (before, compared(became_non_indexable=2, gone=1)),
        (structs.replace(before, pages=82), compared(added=5)),
        (structs.replace(before, findings=("a:1", "b:2")), compared("b:2", reason=NotComparable.OTHER_RULESET)),
        (structs.replace(before, pages=10, ended_by=CrawlEnd.PAGES), None),
        (structs.replace(before, pages=140, findings=("a:1", "b:2")), compared("b:2", reason=NotComparable.OTHER_SOURCES, added=40)),
    ):
        assert bad(signals_of_crawl(before, seen, changes)) == set(), seen
    assert bad(signals_of_crawl(before, before, compared(became_non_indexable=3, gone=1))) == {AlertRule.CRAWL_PAGES_LOST}
    assert bad(signals_of_crawl(before, structs.replace(before, pages=120), compared())) == {AlertRule.CRAWL_PAGE_COUNT}
    assert bad(signals_of_crawl(before, structs.replace(before, findings=("a:1", "b:2")), compared("b:2"))) == {AlertRule.CRAWL_FINDING}
    assert bad(signals_of_crawl(before, CrawlFacts(ended_by=CrawlEnd.BLOCKED), None)) == {AlertRule.CRAWL_BLOCKED}


def test_what_follows_from_lost_pages_is_not_told_beside_them() -> None:
    before = CrawlFacts(100, 80, CrawlEnd.COMPLETE, ("a:1",))
    seen = structs.replace(before, pages=60, findings=("a:1", "site-noindex-linked:2", "noindex:3"))

    def told(after: CrawlFacts, on: Iterable[AlertRule] = tuple(AlertRule)) -> set[AlertRule]:
        return bad(causes_of(list(signals_of_crawl(before, after, compared(*after.findings[1:], gone=40))), set(on), ()).signals)

    assert told(seen) == {AlertRule.CRAWL_PAGES_LOST}
    others = structs.replace(seen, findings=(*seen.findings, "hreflang-valid:4"))
    assert told(others) == {AlertRule.CRAWL_PAGES_LOST, AlertRule.CRAWL_FINDING}
    assert told(seen, {AlertRule.CRAWL_PAGE_COUNT, AlertRule.CRAWL_FINDING}) == {AlertRule.CRAWL_PAGE_COUNT, AlertRule.CRAWL_FINDING}
    assert told(structs.replace(before, pages=140)) == {AlertRule.CRAWL_PAGES_LOST, AlertRule.CRAWL_PAGE_COUNT}


def test_a_rule_explains_others_while_it_is_unsettled_and_not_good() -> None:
    rating = RuleSignal(AlertRule.RATING_FELL, Signal.BAD, explained_by=(AlertRule.NOT_INDEXABLE,))
    for listing, unsettled, explained in (
        (Signal.BAD, (), True),
        (Signal.INCONCLUSIVE, (AlertRule.NOT_INDEXABLE,), True),
        (Signal.INCONCLUSIVE, (), False),
        (Signal.GOOD, (AlertRule.NOT_INDEXABLE,), False),
    ):
        found = causes_of([RuleSignal(AlertRule.NOT_INDEXABLE, listing), rating], set(AlertRule), unsettled)
        assert (AlertRule.RATING_FELL in found.silent_rules) == explained


def test_a_robots_txt_with_other_line_endings_is_the_same() -> None:
    assert not bad(signals_of_site(SiteFacts(ROBOTS, 10), SiteFacts(ROBOTS.replace("\n", "\r\n"), 10), URL))
