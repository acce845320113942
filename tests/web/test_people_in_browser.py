"""The account in a real Chromium: whole stories by keyboard, with and without scripts; nothing serious for axe-core, nothing beyond the edge."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from findable.service.accounts import api_keys, invitations, own_account, people, sign_in_links
from findable.service.accounts.sessions import UNKNOWN_CLIENT
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.webhook_settings import WebhookCreate
from findable.service.values.account_values import Session
from findable.service.values.caller import SCOPES
from tests.accessibility import faults
from tests.browser import DESKTOP_PX, PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.tiers import sampled
from tests.web.live import Client, Live, run_live

pytestmark = needs_chromium
PASSWORD = "correct horse battery"
LOOKS = [
    (PHONE_PX, False, "de"),
    *(
        pytest.param(*look, marks=pytest.mark.full)
        for look in ((PHONE_PX, True, "en"), (DESKTOP_PX, False, "en"), (DESKTOP_PX, True, "de"))
    ),
]
"""Width, whether dark, language: any two of them with each other."""


@dataclass
class Stage:
    """A service whose account has two people, keys and an invitation."""

    live: Live
    origin: str
    owner: Session
    invitation: str
    """Path of its link."""
    webhook: str
    """Path of a webhook below the account."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    for live in run_live(tmp_path_factory.mktemp("service")):
        owner = by_link(live, live.email())
        email = people.myself(live.service, owner.caller).email
        owner = own_account.welcome(
            live.service, owner.caller, owner.token, UNKNOWN_CLIENT, name="Ann Berg", email=email, password=PASSWORD
        )
        joining = invitations.invite(live.service, owner.caller, role="member", email="").url.rpartition("/")[2]
        long = "bob.with.a.very.long.address@agency-with-a-long-name.example"
        joined = invitations.join(live.service, joining, UNKNOWN_CLIENT, name="", email=long, password=PASSWORD)
        assert joined is not None
        api_keys.make(live.service, joined.caller, "continuous integration of the big shop", SCOPES, None)
        api_keys.make(live.service, owner.caller, "", frozenset({"read"}), None)
        path = invitations.invite(live.service, owner.caller, role="owner", email="cy@example.com").url.partition(f":{live.port}")[2]
        hook = webhook_settings.create(
            live.service, owner.caller, WebhookCreate("https://hooks.example/with/a/long/path/that/does/not/end", name="Build")
        )
        deliveries.send_test(live.service, owner.caller, hook.id)
        yield Stage(live, f"http://127.0.0.1:{live.port}", owner, path, f"/webhooks/{hook.id}")


def by_link(live: Live, email: str) -> Session:
    session = sign_in_links.redeem(live.service, sign_in_links.create(live.service, email).url.rpartition("/")[2])
    assert session is not None
    return session


@pytest.mark.parametrize(("width", "dark", "language"), LOOKS)
def test_the_pages_break_no_rule_and_fit(stage: Stage, window: Open, width: int, dark: bool, language: str) -> None:
    guest = window(width=width, dark=dark, language=language)
    owner = window(width=width, dark=dark, language=language, cookies={"findable": stage.owner.token}, origin=stage.origin)
    fresh = by_link(stage.live, stage.live.email())
    newcomer = window(width=width, dark=dark, language=language, cookies={"findable": fresh.token}, origin=stage.origin)
    account = (
        "",
        "/sessions",
        "/keys",
        "/people",
        "/delete",
        "/webhooks",
        stage.webhook,
    )
    for page, paths in (
        (guest, ("/sign-in", stage.invitation, "/invitation/none", "/sign-in/any")),
        (newcomer, ("/welcome", "/account")),
        (owner, tuple(f"/account{path}" for path in account)),
    ):
        for path in paths:
            page.goto(stage.origin + path)
            assert not scrolls_sideways(page), path
            assert faults(page) == [], path


@pytest.mark.parametrize("path", ["/sign-in", "/welcome"])
def test_forms_that_come_back_break_no_rule_and_lead_to_the_wrong_field(stage: Stage, window: Open, path: str) -> None:
    fresh = by_link(stage.live, stage.live.email())
    page = window(cookies={"findable": fresh.token} if path == "/welcome" else {}, origin=stage.origin)
    page.goto(stage.origin + path)
    page.fill("#email", "somebody@example.com")
    page.fill("#password", "wrong")
    page.keyboard.press("Enter")
    expect(page.locator("#password-wrong")).to_be_visible()
    expect(page.locator("#password")).to_be_focused()
    expect(page.locator("#password")).to_have_value("")
    expect(page.locator("#email")).to_have_value("somebody@example.com")
    assert faults(page) == []


@pytest.mark.parametrize("scripts", sampled([True, False]))
def test_by_keyboard_alone_from_the_first_link_to_a_key_that_works(stage: Stage, window: Open, scripts: bool) -> None:
    email = stage.live.email()
    page = window(scripts=scripts)
    page.goto(stage.origin + sign_in_links.create(stage.live.service, email).url.partition(f":{stage.live.port}")[2])
    expect(page.get_by_role("button", name="Sign in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("Dora")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{stage.origin}/")
    page.goto(f"{stage.origin}/account/keys")
    press_on(page, "#name")
    page.keyboard.type("by keyboard")
    page.keyboard.press("Enter")
    token = page.locator("#token").input_value()
    assert Client(stage.live.port, token).get("/account").json["data"]["email"] == email
    assert page.get_by_role("button", name="Copy", exact=True).is_visible() is scripts
    press_on(page, "main p > a.button")
    page.keyboard.press("Enter")
    press_on(page, ".ending summary")
    page.keyboard.press("Enter")
    press_on(page, ".ending button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("The key was revoked")
    assert Client(stage.live.port, token).get("/account").status == 401
    press_on(page, ".topnav button")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{stage.origin}/")
    page.goto(f"{stage.origin}/account/people")
    page.wait_for_url(re.compile(r"/sign-in\?next=/account/people$"))
    expect(page.locator("#email")).to_be_focused()
    page.keyboard.type(email)
    page.keyboard.press("Tab")
    expect(page.locator("#password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{stage.origin}/account/people")
    expect(page.locator(".entries")).to_contain_text("Dora")


def press_on(page: Page, selector: str) -> None:
    """Presses Tab until that element has the focus."""
    wanted = page.locator(selector).first
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"{selector} is not reached by Tab")


def test_somebody_joins_by_invitation_in_another_browser(stage: Stage, window: Open) -> None:
    owner = window(cookies={"findable": stage.owner.token}, origin=stage.origin)
    owner.goto(f"{stage.origin}/account/people")
    owner.fill("#email", "eve@example.com")
    owner.get_by_role("button", name="Create the link").click()
    link = owner.locator("#link").input_value()
    guest = window(width=PHONE_PX)
    guest.goto(link)
    expect(guest.locator("#email")).to_have_value("eve@example.com")
    guest.fill("#name", "Eve")
    guest.fill("#password", PASSWORD)
    guest.get_by_role("button", name="Show").click()
    expect(guest.locator("#password")).to_have_attribute("type", "text")
    guest.get_by_role("button", name="Join").click()
    guest.wait_for_url(f"{stage.origin}/")
    owner.goto(f"{stage.origin}/account/people")
    owner.locator("li", has_text="Eve").locator(".ending summary").click()
    owner.get_by_role("button", name="Remove").click()
    expect(owner.get_by_role("status")).to_contain_text("The person was removed from the account")
    guest.goto(f"{stage.origin}/account")
    guest.wait_for_url(re.compile(r"/sign-in\?next=/account$"))
