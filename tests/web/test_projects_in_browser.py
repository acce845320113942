"""Projects in a real Chromium: nothing serious for axe-core, nothing beyond the edge, usable without scripts and by keyboard."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from findable.service.accounts.callers import authenticate_session
from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.tiers import sampled
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME, owner
from tests.web.test_projects import PATH, brand, made, picture

pytestmark = needs_chromium
PAGES = (
    "/projects",
    PATH,
    f"{PATH}/reports?check=title-present&verdict=passed&search=o",
    f"{PATH}/findings",
    f"{PATH}/share",
    f"{PATH}/structure",
    f"{PATH}/settings",
)


@dataclass
class Stage:
    """A service with a project and its owner."""

    live: Live
    browser: Client

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.live.port}"

    @property
    def api(self) -> Client:
        """The owner's program."""
        service = self.live.service
        caller = authenticate_session(service, self.browser.cookies["findable"])
        assert caller is not None
        with service.store.read() as session:
            person = session.people.by_id(caller.user_id)
        assert person is not None
        return self.live.client(email=person.email)


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
    page.get_by_text("Advanced").click()
    page.get_by_label("Headers", exact=True).fill("Host: elsewhere.example")
    page.get_by_role("button", name="Save the credentials").click()
    expect(page.get_by_label("Headers", exact=True)).to_be_focused()
    expect(page.locator("#headers-wrong")).to_have_text("The header Host is set by each request itself.")
    page.goto(f"{stage.origin}{PATH}/findings")
    page.locator(".finding > details > summary").first.click()
    page.get_by_role("link", name="Show only these in the list of pages").first.click()
    expect(page.locator(".reports li")).to_have_count(2)
    expect(page.get_by_label("What it found")).to_be_visible()


def test_a_colour_is_picked_or_typed(stage: Stage, window: Open) -> None:
    page = window(cookies=stage.browser.cookies, origin=stage.origin)
    page.goto(f"{stage.origin}{PATH}/settings")
    typed, picked = page.get_by_label("Colour", exact=True), page.get_by_label("Choose a colour")
    picked.fill("#112233")
    expect(typed).to_have_value("#112233")
    typed.fill("#445566")
    expect(picked).to_have_value("#445566")
    plain = window(cookies=stage.browser.cookies, origin=stage.origin, scripts=False)
    plain.goto(f"{stage.origin}{PATH}/settings")
    expect(plain.get_by_label("Choose a colour")).to_have_count(0)


def test_a_page_is_run_again_and_keeps_its_report(stage: Stage, window: Open) -> None:
    page = window(cookies=stage.browser.cookies, origin=stage.origin)
    page.goto(f"{stage.origin}{PATH}/reports")
    page.locator(".reports a", has_text="shop.example/one").click()
    before = page.url
    page.goto(f"{stage.origin}/")
    page.get_by_label("URL of a page or a site").fill("https://shop.example/one")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(before)
    page.goto(stage.origin + PATH)
    expect(page.get_by_role("region", name="Page reports", exact=True)).to_contain_text("2 pages")
    page.get_by_role("button", name="Run all pages again").click()
    page.wait_for_url(f"{stage.origin}/batches/*")
    while "2 of 2 done" not in page.locator("main").inner_text():
        page.reload()
    page.goto(f"{stage.origin}{PATH}/reports")
    expect(page.locator(".reports li")).to_have_count(2)
    page.goto(stage.origin + PATH)
    expect(page.locator("#changes")).to_have_text("New and fixed in the page reports")


def test_a_project_is_shared_with_a_password_and_as_pdf(stage: Stage, window: Open) -> None:
    page = window(cookies=stage.browser.cookies, origin=stage.origin)
    page.goto(f"{stage.origin}{PATH}/share")
    link = page.get_by_label("Link to the project").input_value()
    for report in stage.api.get(f"/reports?project={PATH.rpartition('/')[2]}").json[
        "data"
    ]:  # guests of the project see what they could open by its own link
        assert stage.api.put(f"/reports/{report['id']}", {"privacy": "0"}).status == 200
    guest = window(origin=stage.origin)
    assert guest.goto(link).status == 404  # type: ignore[union-attr]  # a response came
    page.get_by_label("Who may see it").select_option(label="With a password")
    page.get_by_label("Password, if one is required").fill("correct horse")
    page.get_by_role("button", name="Change").click()
    expect(page.locator("main").get_by_text("Password").first).to_be_visible()
    guest.goto(link)
    guest.locator("input[type=password]").fill("correct horse")
    guest.keyboard.press("Enter")
    expect(guest.locator("h1")).to_have_text("shop.example")
    expect(guest.locator(".finding").first).to_be_visible()
    assert faults(guest) == []
    with guest.expect_download() as download:
        guest.get_by_role("link", name="PDF").click()
    assert download.value.suggested_filename.startswith("shop-co-project-shop.example-")  # under the brand's name
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")


def test_a_project_ends_by_keyboard(stage: Stage, window: Open) -> None:
    page = window(cookies=stage.browser.cookies, origin=stage.origin)
    page.goto(f"{stage.origin}/projects/bad.example/settings")
    page.get_by_text("Advanced", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_label("Type the name of the project").focus()
    page.keyboard.type("bad.example")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{stage.origin}/projects")
    expect(page.get_by_text("bad.example")).to_have_count(0)
