"""Our pages in a real Chromium: nothing serious for axe-core, nothing beyond the edge, cause and first fix at once, usable without scripts."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Page, expect

from findable.service.accounts import sign_in_links
from tests.accessibility import faults
from tests.browser import (
    DESKTOP_PX,
    LOOKS,
    PHONE_PX,
    SCHEMES,
    Open,
    needs_chromium,
    scrolls_sideways,
    stands_above_the_fold,
)
from tests.web.filmed_report import FRAMES, HOST, URL, filmed, filmed_report
from tests.web.live import BAD_PAGE, Live, run_live
from tests.web.reports import HOSTS, made
from tests.web.test_pictures import with_pictures

pytestmark = needs_chromium
RATED = {"good.example": "Good", "decent.example": "Decent", "bad.example": "Bad"}
NARROWEST_PX = 320
FULL = "?view=full"
"""All details, which people who are not members choose: they see plain words first."""


@dataclass
class Stage:
    """A service with a report of each kind and their owner."""

    live: Live
    origin: str
    email: str
    reports: dict[str, str]

    @property
    def cookies(self) -> dict[str, str]:
        return self.live.signed_in(self.email).cookies


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    for live in run_live(tmp_path_factory.mktemp("service")):
        email = live.email()
        yield Stage(live, f"http://127.0.0.1:{live.port}", email, dict(made(live, email)))


def as_owner(stage: Stage, window: Open, *, width: int = DESKTOP_PX, dark: bool = False, scripts: bool = True) -> Page:
    return window(width=width, dark=dark, cookies=stage.cookies, origin=stage.origin, scripts=scripts)


@LOOKS
def test_reports_show_cause_and_first_fix_at_once_and_break_no_rule(stage: Stage, window: Open, width: int, dark: bool) -> None:
    page = as_owner(stage, window, width=width, dark=dark)
    for host in HOSTS:
        page.goto(stage.origin + stage.reports[host])
        assert not scrolls_sideways(page), host
        if host in RATED:
            assert page.locator("#verdict").text_content() == RATED[host]
        cause: tuple[str, ...] = (".plate h2", ".plate strong")
        if host != "times-out.example":
            cause = (".verdict-box" if page.locator(".verdict-box").count() else ".google", "#verdict", ".fixes li")
            assert stands_above_the_fold(page, ".score-bar"), host
        for shown in cause:
            assert stands_above_the_fold(page, shown), (host, shown)
        assert faults(page) == [], host


@LOOKS
def test_waterfall_and_filmstrip_break_no_rule_and_scroll_alone(stage: Stage, window: Open, width: int, dark: bool) -> None:
    page = as_owner(stage, window, width=width, dark=dark)
    page.goto(stage.origin + filmed_report(stage.live, stage.email))
    page.locator("#details-browser > summary").click()
    image = page.locator(".film img")
    expect(image).to_be_visible()
    image.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.film img').naturalWidth > 0")
    assert page.locator(".film li").all_inner_texts() == ["0.4 s", "0.8 s", "1.2 s", "1.6 s", "2 s", "2.4 s LCP", "2.8 s", "3.2 s"]
    assert page.locator(".waterfall li").count() == 5
    assert not scrolls_sideways(page)
    strip = page.locator(".filmstrip")
    assert strip.evaluate("strip => strip.scrollWidth > strip.clientWidth") is (width == PHONE_PX)
    marked, whole = page.locator(".film li.largest").bounding_box(), image.bounding_box()
    assert marked is not None
    assert whole is not None
    assert marked["x"] == pytest.approx(whole["x"] + whole["width"] * 5 / len(FRAMES), abs=2), "a caption is below its part of the image"
    assert faults(page) == []


@LOOKS
def test_places_of_findings_are_on_the_screenshot_and_lead_there(stage: Stage, window: Open, width: int, dark: bool) -> None:
    page = as_owner(stage, window, width=width, dark=dark)
    stage.live.analyser.renderings[HOST] = filmed()
    report = stage.live.client(email=stage.email).report(URL)
    path = f"/r/{report['public_id']}"
    page.goto(stage.origin + path)
    assert page.locator(".on-screen").count() == 0, "without a screenshot"
    with_pictures(stage.live, report["id"])
    page.goto(stage.origin + path)
    place, image = page.locator(".on-screen rect").first.bounding_box(), page.locator(".on-screen img").bounding_box()
    assert place is not None
    assert image is not None
    assert place["width"] == pytest.approx(image["width"] * 200 / filmed().device.viewport_width_px, abs=6)
    first = page.locator(".on-screen li a").first
    finding = page.locator(first.get_attribute("href") or "")
    assert finding.count() == 1
    first.press("Enter")
    back = finding.get_by_role("link", name="Where it shows")
    back.press("Enter")
    expect(page.locator("#first-view")).to_be_in_viewport()
    assert not scrolls_sideways(page)
    assert faults(page) == []


@SCHEMES
def test_other_pages_break_no_rule_for_guests(stage: Stage, window: Open, dark: bool) -> None:
    locked = stage.live.client(email=stage.email).report(privacy=2, password="pw")["public_id"]
    link = sign_in_links.create(stage.live.service, stage.email).url.partition(f":{stage.live.port}")[2]
    with being_made(stage) as made_now:
        break_no_rule(
            window(dark=dark),
            stage,
            "/",
            link,
            f"/r/{locked}",
            "/r/nothing",
            "/docs/checks",
            "/docs/checks/noindex",
            "/errors/rate_limited",
            "/api/v1/docs",
            "/demonstration",
            made_now,
        )


@pytest.mark.full
@SCHEMES
def test_other_pages_break_no_rule_for_owners(stage: Stage, window: Open, dark: bool) -> None:
    client = stage.live.client(email=stage.email)
    twice = client.report("https://twice.example/")
    stage.live.analyser.pages["twice.example"] = BAD_PAGE
    client.put(f"/reports/{twice['id']}", {"results": 1}, wait=60)
    path = f"/r/{twice['public_id']}"
    parts = ("", "/client", "/link", "?run=1", "/history", "/compare?from=1&to=2", "/compare")
    with being_made(stage) as made_now:
        break_no_rule(as_owner(stage, window, dark=dark), stage, "/", made_now, *(path + part for part in parts))


@contextmanager
def being_made(stage: Stage) -> Iterator[str]:
    """The path of a report that stays in the making until the block ends."""
    gate = stage.live.analyser.held["being-made.example"] = threading.Event()
    made = stage.live.client(email=stage.email).post("/reports", {"url": "https://being-made.example/"}, wait=0)
    try:
        yield f"/r/{made.json['data']['public_id']}"
    finally:
        gate.set()


def break_no_rule(page: Page, stage: Stage, *paths: str) -> None:
    for path in paths:
        page.goto(stage.origin + path)
        assert faults(page) == [], path
        page.set_viewport_size({"width": PHONE_PX, "height": 844})
        assert not scrolls_sideways(page), path
        page.set_viewport_size({"width": DESKTOP_PX, "height": 800})


@SCHEMES
def test_the_page_for_when_the_service_is_away_needs_nothing_else_and_breaks_no_rule(window: Open, dark: bool) -> None:
    page = window(width=PHONE_PX, dark=dark)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((Path(__file__).parents[2] / "packaging" / "maintenance.html").as_uri())
    assert [url for url in asked if not url.endswith("maintenance.html")] == []
    assert not scrolls_sideways(page)
    assert faults(page) == []


def test_a_finding_is_accepted_and_counted_again_without_scripts(stage: Stage, window: Open) -> None:
    page = as_owner(stage, window, width=PHONE_PX, scripts=False)
    page.goto(stage.origin + stage.reports["decent.example"])
    score = page.locator(".score-bar .number").text_content()
    card = page.locator("#meta-description")
    card.locator("summary").first.click()
    card.get_by_text("Accept this finding").click()
    card.get_by_label("Why is this all right?").fill("The text is from there.")
    card.get_by_role("button", name="Accept").click()
    expect(page.locator("#meta-description")).to_contain_text("The text is from there.")
    assert page.locator(".score-bar .number").text_content() != score
    card.locator("summary").first.click()
    page.get_by_role("button", name="Count it again").click()
    expect(page.locator("#meta-description.card")).to_be_visible()
    assert page.locator(".score-bar .number").text_content() == score


def test_without_scripts_there_is_no_button_that_does_nothing(stage: Stage, window: Open) -> None:
    page = window(scripts=False)
    page.goto(stage.origin + stage.reports["bad.example"])
    assert page.locator("button[type=button]:visible").count() == 0


def test_filters_are_links_without_scripts(stage: Stage, window: Open) -> None:
    page = window(scripts=False)
    page.goto(stage.origin + stage.reports["decent.example"] + FULL)
    shown = page.locator(".finding:visible")
    every = shown.count()
    page.get_by_role("navigation", name="Who fixes it").get_by_role("link", name="editor").click()
    assert 0 < shown.count() < every
    assert {row.get_attribute("data-who") for row in shown.all()} == {"editor"}
    page.get_by_label("Search findings").fill("no such words")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No finding matches.")).to_be_visible()
    assert "who=editor" in page.url


def test_findings_are_filtered_searched_and_read_by_keyboard(stage: Stage, window: Open) -> None:
    page = window()
    page.goto(stage.origin + stage.reports["decent.example"] + FULL)
    shown = page.locator(".finding:visible")
    every = shown.count()
    problems = page.get_by_role("navigation", name="Who fixes it")
    promised = problems.get_by_role("link", name="editor").locator("b").text_content()
    problems.get_by_role("link", name="editor").focus()
    page.keyboard.press("Enter")
    expect(shown).to_have_count(int(promised or 0))
    assert "who=editor" in page.url
    page.get_by_role("navigation", name="Show").get_by_role("link", name="Passed").click()
    problems.get_by_role("link", name="Everyone").click()
    page.get_by_label("Category", exact=True).select_option("links")
    assert {row.get_attribute("data-category") for row in shown.all()} == {"links"}
    assert {row.get_attribute("data-kind") for row in shown.all()} == {"passed"}
    page.goto(stage.origin + stage.reports["decent.example"] + FULL)
    page.get_by_label("Search findings").fill("page")
    assert 0 < shown.count() < every
    shown.first.locator("summary").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(shown.nth(1).locator(".finding-body")).to_be_visible()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.closest('.finding').id") == shown.first.get_attribute("id")


def test_the_score_of_a_category_leads_to_its_findings(stage: Stage, window: Open) -> None:
    for scripts in (True, False):
        page = window(scripts=scripts)
        page.goto(stage.origin + stage.reports["decent.example"] + FULL)
        page.locator(".meters a", has_text="Content").click()
        expect(page.locator("#findings")).to_be_in_viewport()
        assert {row.get_attribute("data-category") for row in page.locator(".finding:visible").all()} == {"content"}, scripts


def test_a_finding_is_copied_for_an_agent(stage: Stage, window: Open) -> None:
    page = as_owner(stage, window)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=stage.origin)
    page.goto(stage.origin + stage.reports["bad.example"])
    page.locator("#noindex summary").first.click()
    page.locator("#noindex").get_by_role("button", name="Copy for an agent").click()
    expect(page.locator("#noindex [data-markdown]")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "https://bad.example/" in copied
    assert ': <meta name="robots" content="noindex">' in copied
    assert "findable recheck report.json noindex" in copied
    assert checks_of(copied) == ["noindex"]
    page.get_by_role("button", name="Copy all fixes for an agent").click()
    expect(page.locator("section > .tools [data-markdown]")).to_contain_text("Copied")
    rows = page.locator(".finding:visible").all()
    assert checks_of(page.evaluate("navigator.clipboard.readText()")) == [row.get_attribute("id") for row in rows]


def checks_of(markdown: str) -> list[str]:
    """The checks of the findings, as a parser of Markdown reads them: each has a numbered heading."""
    tokens = MarkdownIt().parse(markdown)
    titles = [following.content for token, following in pairwise(tokens) if token.type == "heading_open" and token.tag == "h2"]
    return [title.split()[1] for title in titles]


def test_a_link_opens_what_hides_its_target(stage: Stage, window: Open) -> None:
    page = window()
    page.goto(f"{stage.origin}{stage.reports['good.example']}{FULL}#title-present")
    expect(page.locator("#title-present")).to_be_visible()


@pytest.mark.parametrize("width", [PHONE_PX, pytest.param(768, marks=pytest.mark.full), pytest.param(DESKTOP_PX, marks=pytest.mark.full)])
def test_a_fix_leads_to_its_opened_finding(stage: Stage, window: Open, width: int) -> None:
    page = window(width=width)
    page.goto(stage.origin + stage.reports["bad.example"])
    page.locator(".fixes a").first.click()
    card = page.locator(".card:target")
    expect(card).to_be_in_viewport()
    expect(card.locator(".finding-body")).to_be_visible()
    top = card.bounding_box()
    assert top is not None
    assert top["y"] >= 0


@pytest.mark.parametrize("followed", [True, False])
def test_a_queued_report_says_that_it_reloads_itself_without_live_updates(stage: Stage, window: Open, *, followed: bool) -> None:
    with being_made(stage) as path:
        page = as_owner(stage, window, width=PHONE_PX)
        if not followed:
            page.route("**/events", lambda route: route.fulfill(status=503))
        page.goto(stage.origin + path)
        said = page.locator("[data-reload]")
        expect(said).to_be_hidden() if followed else expect(said).to_be_visible()


@pytest.mark.parametrize("path", ["", "/client", "/history", "/link"])
def test_on_the_narrowest_telephone_german_words_fit(stage: Stage, window: Open, path: str) -> None:
    """320 pixels are what WCAG 2.2, 1.4.10 asks for: a window of 1280 at 400 %."""
    page = window(width=NARROWEST_PX, cookies=stage.cookies, origin=stage.origin, language="de")
    page.goto(stage.origin + stage.reports["bad.example"] + path)
    assert not scrolls_sideways(page)


def test_a_missing_password_is_said_where_the_page_opens(stage: Stage, window: Open) -> None:
    page = as_owner(stage, window)
    page.goto(stage.origin + stage.reports["good.example"])
    page.get_by_label("Who may see it").select_option("2")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.locator("#password")).to_be_focused()


def test_a_password_is_only_asked_for_if_the_choice_needs_one(stage: Stage, window: Open) -> None:
    page = as_owner(stage, window, scripts=False)
    page.goto(stage.origin + stage.reports["good.example"])
    expect(page.locator("#password")).to_be_hidden()
    page.get_by_label("Who may see it").select_option("2")
    expect(page.locator("#password")).to_be_visible()
    page.get_by_label("Who may see it").select_option("1")
    expect(page.locator("#password")).to_be_hidden()


def test_the_password_of_a_report_can_be_looked_at_while_it_is_typed(stage: Stage, window: Open) -> None:
    locked = stage.live.client(email=stage.email).report(privacy=2, password="pw")["public_id"]
    page = window(width=PHONE_PX)
    page.goto(f"{stage.origin}/r/{locked}")
    expect(page.locator("#password")).to_be_focused()
    page.keyboard.type("pw")
    page.get_by_role("button", name="Show").click()
    assert page.locator("#password").get_attribute("type") == "text"
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_be_visible()


def test_the_offending_part_is_marked(stage: Stage, window: Open) -> None:
    page = window()
    page.goto(stage.origin + stage.reports["bad.example"])
    assert page.locator("#noindex mark").first.text_content() == "noindex"


def test_s35_pictures_are_ours(stage: Stage, window: Open) -> None:
    page = window()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(stage.origin + stage.reports["good.example"])
    icon = page.locator(".result-site img").first
    icon.scroll_into_view_if_needed()
    icon.evaluate("image => image.complete || new Promise(done => image.addEventListener('load', done))")
    assert icon.evaluate("image => image.naturalWidth") > 0
    assert [url for url in asked if not url.startswith(f"{stage.origin}/")] == []


def test_print_shows_what_is_closed_and_no_control(stage: Stage, window: Open) -> None:
    page = as_owner(stage, window, width=800)
    page.goto(stage.origin + stage.reports["bad.example"])
    page.emulate_media(media="print")
    expect(page.locator("#title-present")).to_be_visible()
    expect(page.locator(".facts dl").first).to_be_visible()
    assert page.locator("button:visible").count() == 0
    assert not scrolls_sideways(page)


def test_the_keyboard_reaches_a_finding_and_its_form(stage: Stage, window: Open) -> None:
    page = as_owner(stage, window)
    page.goto(stage.origin + stage.reports["bad.example"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("#noindex summary").first.press("Enter")
    page.locator("#noindex summary", has_text="Accept").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "reason"
