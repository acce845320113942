"""What a client sees: the brand, its words for ratings, and the preview of it, which changes nothing."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from uuid import uuid4

import pytest

from findable.service.values.presentation import client_wording
from tests.accessibility import faults
from tests.browser import PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.service.test_project_settings import picture
from tests.sites.server import Site
from tests.web.live import Client, run_live
from tests.web.test_project_data import SAME, Shop

BRAND = {"display_name": "Bread shop", "brand_name": "Agency", "brand_color": "#7a1fa2", "rating_words": "On track, Needs work, At risk"}
RATED = re.compile(r'<h2 id="verdict">([^<]*)</h2>')


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    site = Site().start()
    try:
        for live in run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000):
            yield Shop(live, site)
    finally:
        site.stop()


@pytest.fixture
def branded(shop: Shop) -> Shop:
    assert shop.client.put(f"/projects/{shop.project}", json.dumps(BRAND), {"Content-Type": "application/json"}).status == 200
    return shop


def invited(shop: Shop) -> str:
    """The path of an invitation as a viewer of the project."""
    made = shop.browser.post(f"/projects/{shop.project}/people", {"email": "", "role": "viewer"}, SAME)
    assert made.status == 201
    return "/invitation/" + made.text.partition("/invitation/")[2].partition('"')[0]


def joined(shop: Shop) -> Client:
    email = f"vera-{uuid4().hex}@client.example"
    browser = Client(shop.live.port, prefix="")
    reply = browser.post(invited(shop), {"name": "Vera", "email": email, "password": "correct horse battery"}, SAME)
    assert reply.status == 303
    cookies = dict(one.partition(";")[0].partition("=")[::2] for one in reply.headers.get_all("Set-Cookie") or ())
    return Client(shop.live.port, cookies=cookies, prefix="")


def words_of(reply_text: str) -> str:
    found = RATED.search(reply_text)
    assert found is not None
    return found[1]


def test_clients_read_the_brand_and_its_words_and_owners_the_usual_ones(branded: Shop) -> None:
    at = f"/projects/{branded.project}"
    assert "Agency" in branded.live.client().guest().get(invited(branded)).text
    own = branded.browser.get(at).text
    client = joined(branded)
    shown = client.get(at).text
    names = {"Good": "On track", "Decent": "Needs work", "Bad": "At risk"}
    assert words_of(shown) == names[words_of(own)]
    assert "On track from" in shown
    assert "On track from" not in own
    assert "/brand/7a1fa2.css" in shown
    assert ">Findable</span>" not in shown
    cookie = {"findable-brand": client.cookies["findable-brand"]}
    assert "Agency" in Client(branded.live.port, cookies=cookie, prefix="").get("/sign-in").text
    forged = {"findable-brand": client.cookies["findable-brand"][:-1] + "x"}
    assert "Agency" not in Client(branded.live.port, cookies=forged, prefix="").get("/sign-in").text
    assert branded.client.get(f"/projects/{branded.project}").json["data"]["result"] in {"good", "decent", "bad"}


def test_a_shared_link_and_hidden_words_show_the_score_alone(branded: Shop) -> None:
    share = re.search(r'action="(/p/[^"/]+)/privacy"', branded.browser.get(f"/projects/{branded.project}/share").text)
    assert share
    branded.browser.post(f"{share[1]}/privacy", {"privacy": "0"}, SAME)
    guest = branded.live.client().guest()
    assert words_of(guest.get(share[1]).text) in {"On track", "Needs work", "At risk"}
    assert branded.client.put(f"/projects/{branded.project}", {"rating_words": "none"}).status == 200
    shown = guest.get(share[1]).text
    assert words_of(shown) == "Score"
    assert not re.search(r"\b(good|decent) from\b", shown)


def test_words_with_a_percent_sign_are_shown_as_they_are() -> None:
    say = client_wording("de", "100 % da, Na ja, Oje")
    assert (say("Good"), say("bad"), say("good from %(good)s", good=90)) == ("100 % da", "Oje", "100 % da ab 90")
    assert say("**Rated decent**, %(score)s of 100.", score=70) == "**Na ja**. Punktzahl: 70 von 100."
    assert client_wording("de", "none")("good from %(good)s", good=90) == ""


OF_ONE_PERSON = r'(?s)<form class="preview".*?</form>\s*| data-person="\d+"'
"""What a page says of the person who reads it."""


def test_a_preview_shows_what_a_client_sees_and_changes_nothing(branded: Shop) -> None:
    owner, at = branded.browser, f"/projects/{branded.project}"
    client = joined(branded)
    begun = owner.post(f"{at}/preview", {}, SAME)
    assert begun.status == 303
    marker, _, value = begun.headers["Set-Cookie"].partition(";")[0].partition("=")
    owner.cookies[marker] = value
    try:
        for path in (at, f"{at}/findings", f"{at}/crawls", f"{at}/watching", "/", "/projects"):
            mine, theirs = (re.sub(OF_ONE_PERSON, "", one.get(path).text) for one in (owner, client))
            assert ("You look at this as a viewer of the project." in owner.get(path).text, 'class="preview"' in theirs) == (True, False)
            assert mine == theirs, path
        for path in (f"{at}/settings", f"{at}/share", f"{at}/people", "/account/audit"):
            assert owner.get(path).status == client.get(path).status == 403, path
        for path, form in ((f"{at}/settings/name", {"display_name": "Other"}), ("/account/name", {"name": "Other"}), (f"{at}/preview", {})):
            assert owner.post(path, form, SAME).status in {403, 404}, path
        assert owner.post("/reports", {"url": branded.site.url("/")}, SAME).status == 403
        for path in ("/projects/elsewhere.example", f"{at}/settings"):
            assert 'action="/preview/end"' in owner.get(path).text, path
            assert 'action="/preview/end"' not in client.get(path).text, path
    finally:
        ended = owner.post("/preview/end", {}, SAME)
        assert ended.headers["Location"].startswith("/projects/")
        assert f"{marker}=; Path=/; Max-Age=0" in ended.headers["Set-Cookie"]
        del owner.cookies[marker]
    for path in (at, "/projects/elsewhere.example"):
        assert "You look at this as a viewer of the project." not in owner.get(path).text, path
    assert owner.get(f"{at}/settings").status == 200


@pytest.mark.full
@needs_chromium
def test_the_preview_is_calm_and_can_be_ended_everywhere(branded: Shop, window: Open) -> None:
    logo = picture("PNG", (480, 160))
    assert (
        branded.client.put(
            f"/projects/{branded.project}", json.dumps({"brand_logo": b64encode(logo).decode()}), {"Content-Type": "application/json"}
        ).status
        == 200
    )
    page = window(cookies=branded.browser.cookies, origin=f"http://127.0.0.1:{branded.live.port}", width=PHONE_PX)
    page.goto(f"http://127.0.0.1:{branded.live.port}/projects/{branded.project}")
    page.get_by_role("button", name="Preview as viewer").click()
    page.get_by_text("You look at this as a viewer of the project.").wait_for()
    assert not scrolls_sideways(page)
    assert not faults(page)
    page.get_by_role("button", name="End the preview").click()
    page.get_by_role("link", name="Settings").wait_for()


def test_a_summary_keeps_its_figures_up_to_date_and_refuses_unknown_ones(branded: Shop) -> None:
    at = f"/projects/{branded.project}/summary"
    suggested = branded.client.get(at).json["data"]
    assert "{score}" in suggested["text"]
    assert f"the score is {suggested['figures']['score']} of 100." in suggested["filled"]
    assert suggested["figures"]["score_before"] is None
    assert "{score_before}" not in suggested["text"]
    refused = branded.client.put(at, {"text": "We fixed {everything}."})
    assert (refused.status, "{everything}" in refused.json["errors"]["summary"][0]) == (422, True)
    text = "Score <b>{score}</b>, before {score_before}.\n{rating}! {not a figure}"
    written = branded.client.put(at, {"text": text}).json["data"]
    assert written["text"] == text
    score = suggested["figures"]["score"]
    assert written["filled"].startswith(f"Score <b>{score}</b>, before (not known).\n")
    page = branded.browser.get(f"/projects/{branded.project}/share").text
    share = re.search(r'action="(/p/[^"/]+)/privacy"', page)
    assert share
    branded.browser.post(f"{share[1]}/privacy", {"privacy": "0"}, SAME)
    guest = branded.live.client().guest()
    for path in (share[1], f"{share[1]}/summary"):
        shown = guest.get(path).text
        assert f"Score &lt;b&gt;{score}&lt;/b&gt;, before (not known)." in shown, path
        assert re.search(r"(On track|Needs work|At risk)! \{not a figure\}", shown), path
    form = branded.browser.get(f"{share[1]}/client").text
    assert "before {score_before}." in form
    assert guest.get(f"{share[1]}/summary", {"Accept-Language": "de"}).text.count("(nicht bekannt)") in {0, 1}
    document = guest.get(f"{share[1]}/summary.pdf")
    assert (document.status, document.body[:5], document.body.count(b"/Type /Page\n") or 1) == (200, b"%PDF-", 1)
    assert branded.client.put(at, {"text": ""}).json["data"]["text"] == suggested["text"]
    assert f"the score is {score} of 100." in guest.get(f"{share[1]}/summary").text
