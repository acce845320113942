"""One cause is one message, judged from real pages: what follows from a noindex or a changed robots.txt is no alert of its own."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.crawl.changes import ChangeKind, CrawlComparison
from findable.monitor.page_alert_conditions import facts_of_page
from findable.monitor.site_alert_conditions import facts_of_crawl, site_facts
from findable.notify.event_words import words_of
from findable.notify.webhook_bodies import message_bytes
from findable.reports.analysis import analyse
from findable.reports.google_listing import Listing
from findable.reports.site_report import SiteReport
from findable.service.alerts import alerts
from findable.service.alerts.alert_watch import watch_crawl
from findable.service.crawls import crawls
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertQuery
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import NewCrawl
from findable.vocabulary import Rating
from findable.wording import ENGLISH, wording
from tests.mutations.world import captured, site
from tests.service import samples
from tests.service.watched_world import World, watched_world
from tests.tiers import sampled

NOINDEX = '<meta name="robots" content="noindex">'
ARTICLE = site("article")
TITLE = re.search("<title>.*?</title>", ARTICLE.html, re.DOTALL)
CANONICAL = re.search('<link[^>]*rel="canonical"[^>]*>', ARTICLE.html)
OPEN = "User-agent: *\nDisallow:\n"


@pytest.fixture
def world(service: Service, caller: Caller) -> Iterator[World]:
    with watched_world(service, caller) as made:
        yield made


@cache
def article(head: str = "", robots_txt: str = OPEN, without: re.Match[str] | None = None, status: int = 200) -> AnalysedPage:
    """A page of the best rating, with something more in its head, or without an element."""
    html = ARTICLE.html.replace("</head>", f"{head}</head>", 1)
    keywords: dict[str, Any] = {**ARTICLE.keywords, "robots_txt": robots_txt, "status": status}
    report = analyse(captured(html.replace(without[0], "", 1) if without else html, keywords))
    return structs.replace(samples.seen(), report=report, site=site_facts(200, robots_txt.encode(), 10))


def watched(world: World, count: int = 1) -> list[int]:
    """Pages of the best rating."""
    world.answer = lambda url: article()
    return world.add(*(f"{ARTICLE.url}/{number}" for number in range(count)))


def then(world: World, numbers: list[int], page: AnalysedPage) -> list[str]:
    """Let the pages be as given for some hours; return the rules of the messages."""
    before = len(world.told)
    world.answer = lambda url: page
    world.run(*numbers)
    world.wait(2 * 3600)
    return [f"{kind} {rule}" for kind, rule, _ in world.messages[before:]]


CAUSES = [
    (article(NOINDEX), "not-indexable"),
    (article(robots_txt="User-agent: *\nDisallow: /journal/\n"), "not-indexable"),
    (article(status=404), "not-indexable"),
    (article(without=CANONICAL), "canonical-lost"),
    (article('<link rel="canonical" href="https://slowgarden.example/other">', without=CANONICAL), "not-indexable"),
    (article(robots_txt="User-agent: *\nDisallow: /\n"), "robots-blocks-start"),
    (article(without=TITLE), "rating-fell"),
]


@pytest.mark.parametrize("number", sampled(range(len(CAUSES)), 2))
def test_one_cause_is_one_message_and_one_end(world: World, number: int) -> None:
    page, rule = CAUSES[number]
    numbers = watched(world, 2)
    texts = ["alert.opened content-changed"] if rule == "rating-fell" else []  # the title is another
    assert [one for one in then(world, numbers, page) if one not in texts] == [f"alert.opened {rule}"]
    assert len(alerts.find(world.service, world.caller, AlertQuery(is_open=True))) == 1
    assert [one for one in then(world, numbers, article()) if one not in texts] == [f"alert.closed {rule}"]
    assert not then(world, numbers, article())


def test_a_rating_that_falls_for_another_reason_is_told_beside_a_noindex(world: World) -> None:
    numbers = watched(world)
    assert then(world, numbers, article(NOINDEX)) == ["alert.opened not-indexable"]
    found = then(world, numbers, article(NOINDEX, without=TITLE))
    assert sorted(found) == ["alert.opened content-changed", "alert.opened rating-fell"]
    (rating,) = [one for one in world.told if getattr(one.data, "rule", "") == "rating-fell"]
    assert words_of(rating, ENGLISH).headline == "Pages whose rating fell: 1. New problem: Does the page have a title?"
    assert then(world, numbers, article(without=TITLE)) == ["alert.closed not-indexable"]  # the rating is still lower


@pytest.mark.full
def test_the_message_about_blocked_pages_has_the_difference_of_robots_txt(world: World) -> None:
    assert then(world, watched(world, 3), article(robots_txt="User-agent: *\nDisallow: /journal/\n")) == ["alert.opened not-indexable"]
    words = words_of(world.told[-1], ENGLISH)
    assert words.headline == "Pages that Google can no longer list because robots.txt blocks them: 3"
    assert "+Disallow: /journal/" in words.details


def test_pages_mails_webhooks_and_lists_say_the_same_sentence_and_what_differs(world: World) -> None:
    first, second, third = watched(world, 3)
    pages = {first: article(NOINDEX), second: article(status=404), third: article(without=TITLE)}
    for number, page in pages.items():
        then(world, [number], page)
    shown = alerts.find(world.service, world.caller, AlertQuery(is_open=True))
    assert len(shown) == len({one.sentence(ENGLISH) for one in shown}) == 3
    for one in shown:
        (told,) = [event for event in world.told if getattr(event.data, "id", 0) == one.id]
        for code in ("en", "de"):
            assert words_of(told, wording(code)).headline == one.sentence(wording(code))
        assert one.sentence(ENGLISH).encode() in message_bytes(told, "https://service.example")


@pytest.mark.full
def test_pages_that_reports_and_a_crawl_lost_are_told_once(world: World) -> None:
    numbers = watched(world, 3)
    service, caller = world.service, world.caller

    def crawled(indexable: int, compared: int | None) -> int:
        crawl = crawls.create(service, caller, NewCrawl("https://slowgarden.example/")).crawl.id
        report = SiteReport(
            CrawlSummary("https://slowgarden.example/", "", 10, indexable), (), 90, 90.0, 90.0, None, provisional=False, counts={}
        )
        changes = None if compared is None else CrawlComparison("", {ChangeKind.BECAME_NON_INDEXABLE.value: 10 - indexable})
        with service.store.write() as session:
            row = session.crawls.by_id(crawl)
            assert row is not None
            session.crawls.change(crawl, world.clock.at, status="done", finished_at=world.clock.at)
            watch_crawl(session, row, report.verdict, facts_of_crawl(report, CrawlEnd.COMPLETE), compared, changes, world.clock.at)
        return crawl

    first = crawled(10, None)
    assert then(world, numbers, article(NOINDEX)) == ["alert.opened not-indexable"]
    second = crawled(7, first)
    assert not then(world, numbers, article(NOINDEX))
    crawled(3, second)  # four more than the pages of the alert
    assert then(world, numbers, article(NOINDEX)) == ["alert.opened crawl-pages-lost"]


def test_facts_hold_the_score_apart_from_what_keeps_a_page_from_being_listed() -> None:
    for page, listing, rating, apart in (
        (article(), Listing.CAN, Rating.GOOD, 100),
        (article(NOINDEX), Listing.TOLD_NOT, Rating.BAD, 100),
        (article(NOINDEX, without=TITLE), Listing.TOLD_NOT, Rating.BAD, 72),
    ):
        found = facts_of_page(page.report)
        assert found is not None
        assert (found.listing, found.rating, found.score_apart) == (listing, rating, apart)
