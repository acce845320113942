"""The main stories as people live them: the service as it is started, its worker, a real site on loopback, and Chromium."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from findable.demo import demo_site
from tests.accessibility import faults
from tests.browser import PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.web.live import Client
from tests.web.served import Served, start

pytestmark = needs_chromium
PASSWORD = "correct horse battery"
WHOLE = re.compile(r"^\d+$")


@dataclass
class Stage:
    """A service that was just started for the first time, and a site to report on."""

    served: Served
    site: str
    is_open: threading.Event
    """While it is not set the site lets everybody wait."""
    cookie: str = ""
    """Of the owner's session, from the first story on."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.served.port}"

    @property
    def link(self) -> str:
        """The one-time link that the first start prints."""
        (found,) = re.findall(r"http\S+/sign-in/\S+", self.served.said)
        return str(found)


@contextmanager
def staged(directory: Path) -> Iterator[Stage]:
    is_open = threading.Event()
    is_open.set()

    def hold(method: str, path: str) -> None:
        is_open.wait(60)

    with demo_site.serve_site(0, hold) as origin:
        served = start(directory, allow_targets=origin.removeprefix("http://"))
        yield Stage(served, origin, is_open)
        served.process.kill()
        served.process.wait()
        assert served.process.stdout is not None
        served.process.stdout.close()


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(tmp_path_factory.mktemp("service")) as made:
        yield made


@pytest.fixture
def new_stage(tmp_path: Path) -> Iterator[Stage]:
    """One where nobody has been yet."""
    with staged(tmp_path) as made:
        yield made


def cookie_of(page: Page) -> str:
    (found,) = [one.get("value", "") for one in page.context.cookies() if one.get("name") == "findable"]
    return found


@pytest.fixture
def owner(stage: Stage, window: Open) -> Page:
    """The owner's browser, signed in."""
    page = window()
    if not stage.cookie:
        page.goto(stage.link)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(re.compile("/welcome"))
        stage.cookie = cookie_of(page)
    page.context.add_cookies([{"name": "findable", "value": stage.cookie, "url": stage.origin}])
    return page


def reported(page: Page, stage: Stage, path: str) -> str:
    """Asks for a report on the first page and waits until it is there. Its path."""
    page.goto(stage.origin)
    page.get_by_label("URL of a page").fill(stage.site + path)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(re.compile("/r/"))
    expect(page.locator(".score-bar .number")).to_have_text(WHOLE)
    return page.url.removeprefix(stage.origin)


def test_from_the_first_start_to_the_first_report_by_keyboard_alone(new_stage: Stage, window: Open) -> None:
    stage = new_stage
    page = window()
    page.goto(stage.link)
    expect(page.get_by_role("button", name="Sign in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("Ann")
    stage.cookie = cookie_of(page)
    page.keyboard.press("Tab")
    expect(page.locator("#email")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("ann@example.com")
    page.keyboard.press("Tab")
    expect(page.locator("#password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{stage.origin}/")
    stage.cookie = cookie_of(page)
    expect(page.get_by_role("heading", name="Analyse your first page")).to_be_visible()
    tab_to(page, "#url")
    page.keyboard.type(f"{stage.site}/visit")
    tab_to(page, "form.addresses button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/r/"))
    expect(page.locator(".score-bar .number")).to_have_text(WHOLE)
    tab_to(page, ".fixes a")
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector(':target').matches('.card')")


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until that element has the focus."""
    wanted = page.locator(selector).first
    for _ in range(80):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"{selector} is not reached by Tab")


def test_s52_s56_a_guest_is_out_when_the_owner_changes_the_password(stage: Stage, owner: Page, window: Open) -> None:
    path = reported(owner, stage, "/about")
    owner.get_by_label("Who may see it").select_option("With a password")
    owner.get_by_label("Password, if one is required").fill("open sesame")
    owner.get_by_role("button", name="Change").click()
    expect(owner.locator(".kicker .badge")).to_have_text("Password-protected")
    guest = window(width=PHONE_PX)
    guest.goto(stage.origin + path)
    expect(guest).to_have_title("Private report")
    guest.get_by_label("Password").fill("wrong")
    guest.keyboard.press("Enter")
    expect(guest.get_by_role("alert")).to_have_text("The password is wrong.")
    guest.get_by_label("Password").fill("open sesame")
    guest.keyboard.press("Enter")
    expect(guest.locator(".score-bar .number")).to_have_text(WHOLE)
    owner.get_by_label("New password, or empty to keep the current one").fill("something new")
    owner.get_by_role("button", name="Change").click()
    expect(owner.locator(".kicker .badge")).to_have_text("Password-protected")
    expect(guest.locator("[data-events]")).to_have_count(0)  # a page whose report is made reloads by itself, which ends another reload
    guest.reload()
    expect(guest.get_by_role("heading", name="This report has a password")).to_be_visible()
    assert guest.request.get(f"{stage.origin}{path}/report.json", max_redirects=0).status == 303


@pytest.mark.full
def test_a_report_is_made_again_while_one_looks_on(stage: Stage, owner: Page) -> None:
    path = reported(owner, stage, "/directions")
    told: list[str] = []
    owner.on("request", lambda request: told.append(request.url.removeprefix(stage.origin)))
    expect(owner.get_by_role("button", name="Run again").first).to_be_visible()
    stage.is_open.clear()
    owner.get_by_role("button", name="Run again").first.click()
    expect(owner.locator("[data-stage]")).to_have_text("fetching the page")
    expect(owner.locator("[data-reload]")).to_be_hidden()
    stage.is_open.set()
    expect(owner.locator(".busy")).to_have_count(0)
    assert f"{path}/events" in told
    expect(owner.locator(".score-bar .number")).to_have_text(WHOLE)
    owner.get_by_role("link", name="All runs").click()
    expect(owner.get_by_role("heading", name=re.compile(r"^[2-9] runs$"))).to_be_visible()


@pytest.mark.full
def test_what_is_being_written_survives_a_new_result(stage: Stage, owner: Page) -> None:
    reported(owner, stage, "/visit")
    expect(owner.get_by_role("button", name="Run again").first).to_be_visible()
    stage.is_open.clear()
    owner.get_by_role("button", name="Run again").first.click()
    owner.get_by_label("Who may see it").select_option("With a password")
    field = owner.get_by_label("Password, if one is required")
    field.fill("half a pass")
    stage.is_open.set()
    expect(owner.get_by_text("The new result is ready:")).to_be_visible()
    expect(field).to_have_value("half a pass")
    owner.get_by_role("link", name="show").click()
    expect(owner.locator(".busy")).to_have_count(0)


def test_what_is_open_stays_open_when_a_new_result_is_ready(stage: Stage, owner: Page) -> None:
    reported(owner, stage, "/visit")
    expect(owner.get_by_role("button", name="Run again").first).to_be_visible()  # The visit in the browser ended.
    stage.is_open.clear()
    owner.get_by_role("button", name="Run again").first.click()
    opened = owner.locator("details", has=owner.get_by_text("Share", exact=False)).first
    opened.locator("summary").first.click()
    stage.is_open.set()
    expect(owner.get_by_text("The new result is ready:")).to_be_visible()
    expect(opened).to_have_attribute("open", "")
    owner.get_by_role("link", name="show").click()
    expect(owner.locator(".busy")).to_have_count(0)


@pytest.mark.full
def test_a_finding_is_accepted_and_a_note_is_written_for_the_client(stage: Stage, owner: Page, window: Open) -> None:
    path = reported(owner, stage, "/christmas-orders")
    owner.get_by_label("Who may see it").select_option("Anyone with the link")
    owner.get_by_role("button", name="Change").click()
    expect(owner.locator(".kicker .badge")).to_have_text("Public: anyone with the link")
    score = owner.locator(".score-bar .number").text_content()
    card = owner.locator(".card.failed").first
    check = str(card.get_attribute("id"))
    card.locator("summary").first.click()
    card.get_by_text("Accept this finding").click()
    card.get_by_label("Why is this all right?").fill("It is a draft.")
    card.get_by_role("button", name="Accept").click()
    expect(owner.locator(f"#{check}")).to_contain_text("It is a draft.")
    assert owner.locator(".score-bar .number").text_content() != score
    assert owner.locator(f"#{check}").get_attribute("data-kind") == "accepted"
    owner.get_by_role("link", name="Summary and notes").click()
    assert faults(owner) == []
    owner.get_by_label("Prepared for").fill("The bakery")
    owner.get_by_label("Summary").fill("In short:\nthe page is a draft.")
    owner.locator("summary", has_text="findings").click()
    note = owner.locator(".noted textarea").first
    noted = str(note.get_attribute("name")).removeprefix("note.")
    note.fill("We do this on Monday.")
    owner.get_by_role("checkbox", name="Facts").uncheck()
    owner.get_by_role("button", name="Save").click()
    guest = window(width=PHONE_PX)
    guest.goto(f"{stage.origin}{path}#{noted}")
    expect(guest.locator(".summary")).to_contain_text("the page is a draft.")
    expect(guest.locator(f"#{noted} .our-note")).to_contain_text("We do this on Monday.")
    assert guest.locator("#facts").count() == 0
    assert not scrolls_sideways(guest)
    assert faults(guest) == []
    owner.get_by_role("link", name="Options of the link").click()
    assert faults(owner) == []
    owner.get_by_role("button", name="Give it a new link").click()
    owner.wait_for_url(lambda url: "/r/" in url and path not in url and url.endswith("#share"))
    guest.reload()
    expect(guest.get_by_role("heading", level=1)).not_to_contain_text("Christmas")
    assert guest.request.get(stage.origin + path).status == 404


def test_a_sitemap_is_reported_on_at_once(stage: Stage, owner: Page) -> None:
    owner.goto(stage.origin)
    owner.get_by_label("URL of a page").fill(f"{stage.site}/sitemap.xml")
    owner.get_by_role("button", name="Analyse").click()
    owner.wait_for_url(re.compile("/batches/"))
    expect(owner.locator("#batch")).not_to_have_attribute("data-running", re.compile("."))
    expect(owner.locator("#batch")).to_contain_text(f"{stage.site.removeprefix('http://')}/breads/rye-sourdough")


def test_a_revoked_key_is_nothing(stage: Stage, owner: Page) -> None:
    owner.goto(f"{stage.origin}/account/keys")
    owner.get_by_label("Name").fill("a script")
    owner.get_by_role("button", name=re.compile("Create")).click()
    token = owner.get_by_label("Key", exact=True).input_value()
    client = Client(stage.served.port, token)
    assert client.get("/reports").status == 200
    owner.get_by_role("link", name="I have it").click()
    owner.locator("li", has_text="a script").locator(".ending summary").click()
    owner.locator("main").get_by_role("button", name=re.compile("Revoke")).click()
    expect(owner.get_by_role("status")).to_contain_text("The key was revoked")
    assert client.get("/reports").status == 401
