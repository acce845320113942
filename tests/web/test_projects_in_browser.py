"""Projects in a real Chromium: nothing serious for axe-core, nothing beyond the edge, usable without scripts and by keyboard."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.tiers import sampled
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME, owner
from tests.web.test_projects import PATH, brand, made, picture

pytestmark = needs_chromium
PAGES = ("/projects", PATH, f"{PATH}?check=title-present&verdict=passed&search=o", f"{PATH}/settings", f"{PATH}/delete")


@dataclass
class Stage:
    """A service with a project and its owner."""

    live: Live
    browser: Client

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.live.port}"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    for live in run_live(tmp_path_factory.mktemp("service")):
        browser = owner(live)
        made(
            browser, "https://shop.example/one", "https://shop.example/two", "https://bad.example/", f"https://{'long-' * 10}name.example/"
        )
        assert brand(browser, brand_name="Shop & Co", brand_color="#ffcc00", brand_logo=picture()).status == 303
        sent = {"user": "anna", "password": "s3cret-0815", "headers": "X-Token: 4711-0815", "cookies": "a=4711-0815", "user_agent": "A/1"}
        assert browser.post(f"{PATH}/settings/sign-in", sent, SAME).status == 303
        yield Stage(live, browser)


@LOOKS
def test_pages_break_no_rule_and_fit(stage: Stage, window: Open, width: int, dark: bool) -> None:
    page = window(width=width, dark=dark, cookies=stage.browser.cookies, origin=stage.origin)
    for path in PAGES:
        page.goto(stage.origin + path)
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path


@pytest.mark.parametrize("scripts", sampled([True, False]))
def test_a_wrong_field_is_gone_to_and_a_finding_leads_to_its_reports(stage: Stage, window: Open, scripts: bool) -> None:
    page = window(cookies=stage.browser.cookies, origin=stage.origin, scripts=scripts)
    page.goto(f"{stage.origin}{PATH}/settings")
    page.get_by_label("Headers", exact=True).fill("Host: elsewhere.example")
    page.get_by_role("button", name="Save what goes along").click()
    expect(page.get_by_label("Headers", exact=True)).to_be_focused()
    expect(page.locator("#headers-wrong")).to_have_text("The header Host is set by each request itself.")
    page.goto(stage.origin + PATH)
    page.locator(".shared a").first.click()
    expect(page.locator(".reports li")).to_have_count(2)
    expect(page.get_by_label("What it found")).to_be_visible()


def test_a_project_ends_by_keyboard(stage: Stage, window: Open) -> None:
    page = window(cookies=stage.browser.cookies, origin=stage.origin)
    page.goto(f"{stage.origin}/projects/bad.example/delete")
    page.get_by_label("Type the name of the project").focus()
    page.keyboard.type("bad.example")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{stage.origin}/projects")
    expect(page.get_by_text("bad.example")).to_have_count(0)
