"""Signing in, the owner's page, the pages of checks and errors."""

import pytest

from findable.checks.engine import all_checks
from findable.service.accounts import sign_in_links
from findable.web.pages.shared.page_templates import static_url
from tests.web.live import Client, Live

SAME = {"Sec-Fetch-Site": "same-origin"}


def test_s68_looking_at_a_link_does_not_use_it_up(live: Live) -> None:
    path = sign_in_links.create(live.service, live.email()).url.partition(f":{live.port}")[2]
    guest = Client(live.port, prefix="")
    assert guest.get(path).status == 200
    assert guest.get(path).headers["Referrer-Policy"] == "no-referrer"
    assert guest.request("HEAD", path).status == 200
    reply = guest.post(path, b"", SAME)
    assert (reply.status, reply.headers["Location"]) == (303, "/welcome")
    cookie = reply.headers["Set-Cookie"]
    assert cookie.startswith("findable=")
    assert "HttpOnly; SameSite=Lax" in cookie
    assert guest.post(path, b"", SAME).status == 410


def test_s66_signing_out_ends_the_session_on_our_side(live: Live) -> None:
    browser = live.signed_in(live.email())
    assert "Analyse your first page" in browser.get("/").text
    assert browser.post("/sign-out", b"", SAME).status == 303
    assert "Analyse your first page" not in browser.get("/").text


def test_the_owner_reports_an_address_in_the_browser(live: Live) -> None:
    email = live.email()
    browser = live.signed_in(email)
    reply = browser.post("/reports", {"url": "good.example/page", "privacy": 0, "password": ""}, SAME)
    assert reply.status == 303
    live.client(email=email).get("/reports/" + str(live.client(email=email).get("/reports").json["data"][0]["id"]), wait=60)
    assert "of 100" in browser.get(reply.headers["Location"]).text
    home = browser.get("/").text
    assert "good.example/page" in home
    assert 'href="/projects/good.example"' in home
    nothing = browser.get("/", search="<script>").text
    assert "No report has that in its URL." in nothing
    assert 'href="/?reports=all"' in nothing
    assert "<script>" not in browser.get("/", search="<script>").text


def test_what_is_wrong_is_said_in_the_form(live: Live) -> None:
    reply = live.signed_in(live.email()).post("/reports", {"url": "ftp://nothing", "privacy": 1}, SAME)
    assert reply.status == 422
    assert 'role="alert"' in reply.text
    assert ">ftp://nothing</textarea>" in reply.text
    assert '<option value="1" selected>' in reply.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {},
        {"Sec-Fetch-Site": "cross-site", "Authorization": "Bearer x"},
        {"Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain"},
    ],
)
def test_s74_forms_of_other_sites_are_refused(live: Live, headers: dict[str, str]) -> None:
    browser = live.signed_in(live.email())
    assert browser.post("/reports", b"url=good.example", headers).status == 403
    assert browser.post("/sign-out", b"", headers).status == 403


def test_s74_our_own_origin_is_let_through(live: Live) -> None:
    browser = live.signed_in(live.email())
    assert browser.post("/reports", {"url": "good.example"}, {"Origin": live.service.settings.base_url}).status == 303


def test_s74_the_session_is_no_key(live: Live) -> None:
    browser = live.signed_in(live.email())
    assert browser.get("/api/v1/reports").status == 401


def test_s50_nothing_changes_by_get(live: Live) -> None:
    browser = live.signed_in(live.email())
    assert browser.get("/reports").status == 405
    assert browser.get("/sign-out").status == 405


def test_a_guest_learns_nothing_of_reports(client: Client) -> None:
    client.report("https://secret-host.example/")
    text = client.guest().get("/").text
    assert "secret-host" not in text
    assert "sign in" in text.lower()
    refused = client.guest().post("/reports", {"url": "good.example"})
    assert (refused.status, refused.headers["Location"]) == (303, "/sign-in?ended=1")


def test_error_pages_speak_to_their_reader(live: Live) -> None:
    owner, guest = live.signed_in(live.email()), Client(live.port, prefix="")
    assert "ask the person who sent it to you" in guest.get("/r/nothing").text
    assert "it was deleted, or it belongs to a project" in owner.get("/projects/nothing.example").text
    for reader in (owner, guest):
        assert "The documentation has no such page." in reader.get("/docs/nothing").text
        assert '<a href="/">To the page with the form</a>' in reader.get("/reports").text


def test_every_check_has_a_page(live: Live) -> None:
    guest = Client(live.port, prefix="")
    for check_id in all_checks():
        reply = guest.get(f"/docs/checks/{check_id}")
        assert reply.status == 200, check_id
        assert "Why it matters" in reply.text, check_id
        assert "``" not in reply.text, check_id


def test_the_list_of_checks_and_what_is_none(live: Live) -> None:
    guest = Client(live.port, prefix="")
    assert guest.get("/docs/checks").text.count("/docs/checks/") == len(all_checks())
    assert guest.get("/docs/checks/nothing").status == 404
    assert guest.get("/errors/nothing").status == 404


def test_signed_in_people_keep_the_navigation_on_pages_of_checks_and_errors(live: Live) -> None:
    for path, status in (("/docs/checks", 200), ("/docs/checks/noindex", 200), ("/docs/checks/nothing", 404)):
        for viewer, has in ((live.signed_in(live.email()), True), (Client(live.port, prefix=""), False)):
            reply = viewer.get(path)
            assert (reply.status, 'href="/projects"' in reply.text) == (status, has), path


def test_static_files(live: Live) -> None:
    guest = Client(live.port, prefix="")
    assert guest.get("/static/style.css").headers["Content-Type"].startswith("text/css")
    assert guest.get(static_url("style.css")).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert guest.get("/static/style.css?v=1").headers["Cache-Control"] == "public, max-age=86400"
    assert guest.get("/favicon.svg").headers["Content-Type"] == "image/svg+xml"
    assert "Disallow: /api/" in guest.get("/robots.txt").text
    for path in ("/static/nothing", "/static/..%2fapp.py", "/static/%2e%2e/rendering.py", "/static/"):
        assert guest.get(path).status == 404


def test_the_page_of_the_interface_loads_nothing_from_elsewhere(live: Live) -> None:
    reply = Client(live.port, prefix="").get("/api/v1/docs")
    assert "POST" in reply.text
    assert 'src="/static/try.js' in reply.text
    assert "<option>2</option>" in reply.text
    assert "<option>None</option>" not in reply.text
    assert "https://cdn" not in reply.text
    assert "script-src 'self'" in reply.headers["Content-Security-Policy"]


def test_s79_a_link_leads_to_a_page_of_our_own_only(live: Live) -> None:
    path = sign_in_links.create(live.service, live.email()).url.partition(f":{live.port}")[2]
    reply = Client(live.port, prefix="").post(f"{path}?next=//evil.example", b"", SAME)
    assert reply.headers["Location"] == "/welcome"
