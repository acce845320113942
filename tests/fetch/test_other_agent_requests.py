"""The page asked for as a phone and as crawlers: which requests leave, when none do, and what comes of them in a report."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from findable.analyze import Options, capture_page
from findable.capture.capture import Capture
from findable.capture.response import Failure, ProbeResponse
from findable.capture.saved import dump, load
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.other_agent_requests import BETWEEN_S, BROWSER_AGENT, CRAWLER_AGENTS, PHONE_AGENT, request_as_crawlers, request_as_phone
from findable.reports.analysis import analyse
from tests.fetch.helpers import with_fetcher
from tests.reports import report_json
from tests.sites.server import Page, Request, Site, dynamic

WORDS = " ".join(f"word{number}" for number in range(120))
HTML = f"<!doctype html><html lang=en><title>Widgets</title><h1>Widgets</h1><p>{WORDS}</p></html>"
Asked = tuple[tuple[str, ProbeResponse], ...]


def agents_of(site: Site, path: str = "/page") -> list[str]:
    return [request.headers["user-agent"] for request in site.asked(path)]


def as_crawlers(site: Site, *, between_s: float = 0.0, budget: Callable[[], Budget] = Budget) -> Asked:
    async def run(fetcher: Fetcher) -> Asked:
        response = await fetcher.fetch_page(site.url("/page"))
        return await request_as_crawlers(fetcher, response, budget(), between_s=between_s)

    return with_fetcher(run)


def as_phone(site: Site, **options: Any) -> ProbeResponse | None:
    async def run(fetcher: Fetcher) -> ProbeResponse | None:
        response = await fetcher.fetch_page(site.url("/page"), identity=options.get("identity", NOBODY))
        return await request_as_phone(fetcher, response, Budget(), **options)

    return with_fetcher(run)


def captured(site: Site, *, ask_as_crawlers: bool = False) -> Capture:
    options = Options(ask_as_crawlers=ask_as_crawlers)
    return with_fetcher(lambda fetcher: capture_page(site.url("/page"), fetcher, options))


def verdict(capture: Capture, check: str) -> str:
    made = report_json(analyse(load(dump(capture))))
    return next(str(result["verdict"]) for result in made["results"] if result["id"] == check)


def by_agent(marks: dict[str, Page], otherwise: Page) -> Callable[[Request], Page]:
    return lambda request: next((page for mark, page in marks.items() if mark in request.headers.get("user-agent", "")), otherwise)


# --- a phone --------------------------------------------------------------------------------------------------------------


def test_a_phone_is_asked_for_once_with_our_name_behind_it(site: Site) -> None:
    site.page("/page", HTML)
    answer = as_phone(site)
    assert answer is not None
    assert answer.ok
    first, second = agents_of(site)
    assert "Mobile" not in first
    assert second.startswith(f"{PHONE_AGENT} (compatible; Findable/")
    assert site.asked("/page")[1].headers["accept"] == site.asked("/page")[0].headers["accept"]


def test_what_a_preview_wants_to_see_goes_along_with_the_phone(site: Site) -> None:
    site.page("/page", HTML)
    as_phone(site, identity=Identity(origin=site.base, user_agent="staging", headers=(("X-Pass", "1"),), cookies=(("a", "b"),)))
    _, second = site.asked("/page")
    assert (second.headers["x-pass"], second.headers["cookie"]) == ("1", "a=b")
    assert second.headers["user-agent"].startswith(PHONE_AGENT)


def test_robots_txt_keeps_the_phone_away(site: Site) -> None:
    site.page("/robots.txt", "User-agent: Findable\nDisallow: /page", content_type="text/plain")
    site.page("/page", HTML)
    answer = as_phone(site)
    assert answer is not None
    assert (answer.failure, answer.detail) == (Failure.ROBOTS_TXT, "2: Disallow: /page")
    assert len(site.asked("/page")) == 1


def test_an_error_and_a_huge_page_are_not_asked_for_again(site: Site) -> None:
    site.page("/page", HTML, status=404)
    assert as_phone(site) is None
    site.page("/page", HTML + " " * 1_000_000)
    assert as_phone(site) is None
    assert not any("Mobile" in agent for agent in agents_of(site))


@pytest.mark.parametrize(
    ("case", "phones", "expected"),
    [
        ("the same", Page(HTML.encode()), "passed"),
        ("refused", Page(b"no", 403), "unknown"),
        ("half of the words", Page(HTML[: len(HTML) // 2].encode()), "failed"),
        ("noindex", Page(HTML.encode(), headers=[("X-Robots-Tag", "noindex")]), "failed"),
    ],
)
def test_a_report_compares_what_phones_get(site: Site, case: str, phones: Page, expected: str) -> None:
    site.handler("/page", dynamic(by_agent({"Mobile": phones}, Page(HTML.encode()))))
    capture = captured(site)
    assert verdict(capture, "mobile-parity") == expected, case
    assert verdict(capture, "ai-edge-access") == "inapplicable"


def test_a_page_of_many_links_leaves_room_for_the_phone(site: Site) -> None:
    links = "".join(f'<a href="/{number}">Page {number}</a>' for number in range(500))
    site.page("/page", HTML + links)
    assert verdict(captured(site), "mobile-parity") == "passed"


# --- crawlers -------------------------------------------------------------------------------------------------------------


def test_crawlers_are_asked_for_only_where_somebody_wants_it(site: Site) -> None:
    site.page("/page", HTML)
    captured(site)
    assert not any(token in agent for agent in agents_of(site) for token in CRAWLER_AGENTS)


def test_a_browser_comes_first_then_each_ai_search_crawler_with_our_name_behind_it(site: Site) -> None:
    site.page("/page", HTML)
    asked = as_crawlers(site)
    assert [agent for agent, _ in asked] == [BROWSER_AGENT, *CRAWLER_AGENTS.values()]
    sent = agents_of(site)[1:]
    assert [agent.partition(" (compatible; Findable/")[0] for agent in sent] == [agent for agent, _ in asked]
    assert all("Findable/" in agent for agent in sent)


def test_the_requests_are_two_seconds_apart(site: Site) -> None:
    site.page("/robots.txt", "User-agent: PerplexityBot\nUser-agent: Claude-SearchBot\nDisallow: /", content_type="text/plain")
    site.page("/page", HTML)
    as_crawlers(site, between_s=BETWEEN_S)
    _, browser, crawler = site.asked("/page")
    assert BETWEEN_S >= 2
    assert crawler.at_s - browser.at_s >= BETWEEN_S


def test_crawlers_that_robots_txt_keeps_out_are_not_asked_for(site: Site) -> None:
    site.page("/robots.txt", "User-agent: OAI-SearchBot\nDisallow: /", content_type="text/plain")
    site.page("/page", HTML)
    assert CRAWLER_AGENTS["OAI-SearchBot"] not in dict(as_crawlers(site))
    assert not any("OAI-SearchBot" in agent for agent in agents_of(site))


def test_robots_txt_keeps_us_from_asking_in_any_name(site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /", content_type="text/plain")
    site.page("/page", HTML)
    assert [answer.failure for _, answer in as_crawlers(site)] == [Failure.ROBOTS_TXT]
    assert len(site.asked("/page")) == 1


def test_a_server_that_says_too_fast_is_left_alone(site: Site) -> None:
    site.handler("/page", dynamic(by_agent({"OAI-SearchBot": Page(b"", 429)}, Page(HTML.encode()))))
    assert [answer.status for _, answer in as_crawlers(site)] == [200, 429]


def test_what_the_budget_leaves_out_is_left_out(site: Site) -> None:
    site.page("/page", HTML)
    asked = as_crawlers(site, budget=lambda: Budget(max_requests=3))
    assert len(asked) <= 3
    assert all(answer.ok for _, answer in asked)


def test_a_budget_that_is_held_back_is_taken_off_the_rest() -> None:
    async def run() -> tuple[int, int, int, int]:
        budget = Budget(max_requests=10, max_bytes=1000)
        held = budget.reserve(max_requests=8, max_bytes=2000)
        return budget.requests_left, held.requests_left, budget.bytes_left, held.bytes_left

    assert asyncio.run(run()) == (2, 8, 0, 1000)


def test_a_report_tells_of_a_crawler_that_the_edge_refuses(site: Site) -> None:
    site.page("/robots.txt", "User-agent: PerplexityBot\nUser-agent: Claude-SearchBot\nDisallow: /", content_type="text/plain")
    site.handler("/page", dynamic(by_agent({"OAI-SearchBot": Page(b"no", 403)}, Page(HTML.encode()))))
    assert verdict(captured(site, ask_as_crawlers=True), "ai-edge-access") == "warned"
    site.page("/page", HTML)
    assert verdict(captured(site, ask_as_crawlers=True), "ai-edge-access") == "passed"
