"""Accidents of a site as a person lives through them, in a real Chromium: seen first, understood, repaired and over."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Open, needs_chromium, stands_above_the_fold
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.web.accidents import ACCIDENTS, NOON, SOUND, Shop
from tests.web.live import Live, run_live
from tests.worked_crawls import work_crawl

pytestmark = [needs_chromium, pytest.mark.full]
NOINDEX, ROBOTS_503, OUTAGE = ACCIDENTS[:3]


@pytest.fixture(scope="module")
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(NOON) as told:
        yield told


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, clock: SimulatedClock) -> Iterator[Live]:
    del clock  # set before the service reads it
    yield from run_live(tmp_path_factory.mktemp("service"), real=True, allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture
def shop(live: Live, clock: SimulatedClock) -> Iterator[Shop]:
    made = Shop(live, clock)
    yield made
    made.close()


@pytest.fixture
def owner(shop: Shop, window: Open) -> Page:
    origin = f"http://127.0.0.1:{shop.live.port}"
    page = window(cookies=shop.browser.cookies, origin=origin)
    page.goto(origin)
    return page


def go(owner: Page, shop: Shop, path: str) -> None:
    owner.goto(f"http://127.0.0.1:{shop.live.port}{path}")


def tab_to(owner: Page, words: str) -> None:
    """Move the focus by the Tab key to the element with these words."""
    for _ in range(60):
        owner.keyboard.press("Tab")
        if owner.evaluate("document.activeElement.textContent").strip() == words:
            return
    raise AssertionError(words)


def test_a_deindexed_site_is_seen_first_and_crawled_again_by_keyboard(shop: Shop, owner: Page) -> None:
    before = shop.crawl()["score"]
    shop.give(NOINDEX)
    shop.crawl()
    go(owner, shop, "/")
    worse = owner.locator(".first-worse")
    expect(worse).to_contain_text(NOINDEX.said)
    expect(worse).to_contain_text("0 bad")
    assert stands_above_the_fold(owner, ".first-worse .score-words, .first-worse a")
    worse.get_by_role("link", name=shop.project, exact=True).click()
    expect(owner.locator(".verdict-box.bad")).to_contain_text(NOINDEX.said)
    expect(owner.locator(".verdict-box.bad")).to_contain_text("Remove noindex from the robots meta element")

    shop.give(SOUND)
    shop.clock.at += 3600
    owner.locator("body").click(position={"x": 1, "y": 1})
    tab_to(owner, "Crawl again")
    owner.keyboard.press("Enter")
    expect(owner.locator(".crawl[data-running=yes]")).to_be_visible()
    work_crawl(shop.live.service)
    expect(owner.locator(".score-bar .number")).to_have_text(str(before))
    expect(owner.locator(".verdict-box.bad")).to_have_count(0)
    owner.reload()
    tab_to(owner, "Compare")
    owner.keyboard.press("Enter")
    expect(owner.get_by_role("heading", name="What changed")).to_be_visible()
    go(owner, shop, "/")
    expect(owner.get_by_text("no page or site has a lower score or a new problem")).to_be_visible()


def test_a_page_that_was_away_is_run_again_by_keyboard_and_nothing_is_new(shop: Shop, owner: Page) -> None:
    before = shop.check()
    shop.give(OUTAGE)
    shop.check()
    shop.check()
    go(owner, shop, f"/r/{before['public_id']}")
    expect(owner.locator(".verdict-box.bad")).to_contain_text(OUTAGE.said_of_page)
    expect(owner.locator(".score-bar .number")).to_have_text("0")
    expect(owner.get_by_role("heading", name="Fix first")).to_have_count(0)
    shop.give(SOUND)
    shop.clock.at += 3600
    tab_to(owner, "Run again")
    owner.keyboard.press("Enter")
    expect(owner.locator(".verdict-box.bad")).to_have_count(0)
    expect(owner.locator(".score-bar .number")).to_have_text(str(before["score"]))
    go(owner, shop, "/")
    expect(owner.locator(".first-worse")).to_contain_text("Available again")
    expect(owner.locator(".first-worse")).to_contain_text("no page or site has a lower score or a new problem")


def test_a_site_whose_robots_txt_fails_is_never_well(shop: Shop, owner: Page) -> None:
    shop.give(ROBOTS_503)
    made = shop.crawl()
    go(owner, shop, f"/s/{made['public_id']}")
    expect(owner.locator(".verdict-box.bad")).to_contain_text(ROBOTS_503.said)
    expect(owner.locator(".verdict-box.bad")).to_contain_text("Return robots.txt with status 200")
    expect(owner.get_by_text("No problem was found.")).to_have_count(0)


def test_a_project_shows_one_verdict_and_its_reports_are_a_list_beside_it(shop: Shop, owner: Page) -> None:
    shop.check("/tea")
    go(owner, shop, shop.home)
    expect(owner.get_by_role("heading", name="Page reports")).to_be_visible()
    crawl = shop.crawl()
    shop.site.page("/tea", shop.body("/tea", NOINDEX.head))
    assert shop.check("/tea")["result"] == "bad"
    owner.reload()
    expect(owner.locator(".score-bar .number")).to_have_text(str(crawl["score"]))
    expect(owner.locator(".verdict-box")).to_have_count(0)
    expect(owner.get_by_role("heading", name="Page reports")).to_have_count(0)
    expect(owner.get_by_role("heading", name="Findings")).to_have_count(0)
    go(owner, shop, f"{shop.home}/reports")
    expect(owner.locator("main")).to_contain_text("15 bad")
    assert shop.told()["score"] == crawl["score"]


def test_typing_errors_are_asked_back_and_become_no_project(shop: Shop, owner: Page) -> None:
    field = owner.get_by_label("URL of a page or a site")
    field.fill("shop")
    owner.get_by_role("button", name="Analyse page").click()
    expect(owner.get_by_text("is no complete host name")).to_be_visible()
    expect(field).to_have_value("shop")
    field.fill(f"http://{shop.project}/tea, http://{shop.project}/cups")
    owner.get_by_role("button", name="Analyse page").click()
    owner.wait_for_url("**/batches/*")
    assert [one["project"] for one in shop.api.get("/projects").json["data"]] == [shop.project]
