"""Forms that are sent after the end of a session: what was typed is there again, for the same person only."""

from playwright.sync_api import Page

from findable.service.accounts import sessions
from tests.browser import Open, needs_chromium
from tests.web.live import Client, Live
from tests.web.test_people import PASSWORD, SAME, browser, with_password

PATH = "/projects/drafts.example/crawls"


def _type(live: Live, client: Client, window: Open) -> Page:
    """Type settings of a crawl, and send them after the session has ended."""
    assert client.post("/crawls", {"url": "https://drafts.example/", "privacy": "1"}, SAME).status == 303
    origin = f"http://127.0.0.1:{live.port}"
    page = window(cookies=client.cookies, origin=origin)
    page.goto(origin + PATH)
    page.get_by_text("More: list of URLs").click()
    page.get_by_label("Leave out URLs that match").fill("/cart/*\n/basket/*")
    page.get_by_label("Check links to other sites too").check()
    page.get_by_label("Pages at most").select_option("5000")
    sessions.sign_out(live.service, client.cookies["findable"])
    page.get_by_role("button", name="Start the crawl").click()
    page.get_by_text("Your session has ended, so the form was not saved.").wait_for()
    return page


def _sign_in(page: Page, email: str) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


@needs_chromium
def test_what_was_typed_is_there_again_after_signing_in(live: Live, window: Open) -> None:
    email = with_password(live)
    page = _type(live, browser(live, email), window)
    assert page.get_by_text("What you typed is there again").is_visible()
    _sign_in(page, email)

    page.get_by_text("it has not been sent yet").wait_for()
    assert page.url.endswith(PATH)
    assert page.get_by_label("Leave out URLs that match").input_value() == "/cart/*\n/basket/*"
    assert page.get_by_label("Leave out URLs that match").is_visible()
    assert page.get_by_label("Check links to other sites too").is_checked()
    assert page.get_by_label("Pages at most").input_value() == "5000"
    page.reload()
    assert page.get_by_label("Leave out URLs that match").input_value() == ""


@needs_chromium
def test_another_person_does_not_see_what_was_typed(live: Live, window: Open) -> None:
    other = with_password(live)
    page = _type(live, browser(live, with_password(live)), window)
    _sign_in(page, other)
    page.get_by_role("button", name="Sign out").wait_for()

    assert page.evaluate("sessionStorage.length") == 0
    assert "/basket/*" not in page.content()


@needs_chromium
def test_texts_for_the_client_are_kept_when_the_session_has_ended(live: Live, window: Open) -> None:
    email = with_password(live)
    client = browser(live, email)
    report = live.client(email=email).report("https://drafts.example/")
    origin = f"http://127.0.0.1:{live.port}"
    page = window(cookies=client.cookies, origin=origin)
    page.goto(f"{origin}/r/{report['public_id']}/client")
    page.get_by_label("Summary").fill("All is well.")
    sessions.sign_out(live.service, client.cookies["findable"])
    page.get_by_role("button", name="Save").click()
    page.get_by_text("What you typed is there again").wait_for()
    _sign_in(page, email)

    page.get_by_text("it has not been sent yet").wait_for()
    assert page.get_by_label("Summary").input_value() == "All is well."
    guest = Client(live.port, prefix="")
    assert guest.post(f"/r/{report['public_id']}/client", {"summary": "Mine"}, SAME).status == 404
