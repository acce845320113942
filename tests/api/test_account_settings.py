"""What an account sets for the reports of all its projects, and what a project overrides."""

import base64
import json
from typing import Any

import pytest

from findable.store.schema.report_tables import picture
from tests.api.test_put_project_settings import picture as image
from tests.web.live import Client, Live, Reply
from tests.web.test_manage import SAME, owned

JSON = {"Content-Type": "application/json"}
LOGO = base64.b64encode(image()).decode()
NOTHING = {
    "object": "account_settings",
    "brand_name": None,
    "brand_color": None,
    "has_logo": False,
    "brand_reply_to": None,
    "rating_words": None,
    "language": None,
    "default_privacy": None,
    "browser": None,
}


def account(client: Client, **members: Any) -> Reply:
    return client.put("/account/settings", json.dumps(members), JSON)


def project(client: Client, name: str, **members: Any) -> Reply:
    return client.put(f"/projects/{name}", json.dumps(members), JSON)


def test_settings_are_written_read_and_removed(client: Client) -> None:
    assert client.get("/account/settings").json["data"] == NOTHING
    made = account(client, brand_name=" Agency ", brand_color="1A5442", brand_logo=LOGO, language="de", default_privacy=1, browser="none")
    look = {"brand_name": "Agency", "brand_color": "#1a5442", "has_logo": True, "language": "de"}
    whole = {**NOTHING, **look, "default_privacy": 1, "browser": "none"}
    assert (made.status, made.json["data"]) == (200, whole)
    assert client.get("/account/settings").json["data"] == whole
    mails = {"brand_reply_to": "lea@agency.example", "rating_words": "On track, Needs work, At risk"}
    assert client.put("/account/settings", mails).json["data"] == {**whole, **mails}
    whole |= mails
    assert client.request("PATCH", "/account/settings", {"brand_name": "Other"}).json["data"] == {**whole, "brand_name": "Other"}
    emptied = dict.fromkeys(("brand_name", "brand_color", "brand_logo", *mails, "language", "default_privacy", "browser"))
    assert account(client, **emptied).json["data"] == NOTHING


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"brand_name": "a" * 81}, "brand_name"),
        ({"brand_color": "red"}, "brand_color"),
        ({"brand_logo": base64.b64encode(b"<svg/>").decode()}, "brand_logo"),
        ({"language": "xx"}, "language"),
        ({"language": "reader"}, "language"),
        ({"default_privacy": 2}, "default_privacy"),
        ({"browser": "always"}, "browser"),
    ],
)
def test_a_wrong_value_is_refused_by_its_field(client: Client, sent: dict[str, Any], field: str) -> None:
    refused = account(client, **sent)
    assert (refused.status, list(refused.json["errors"])) == (422, [field])


def test_projects_inherit_what_they_do_not_set(live: Live) -> None:
    client, _, report, path = owned(live, url="https://shop.example/")
    guest = client.guest()
    account(client, brand_name="Agency", brand_color="#1a5442", brand_logo=LOGO, language="de")
    page = guest.get(path)
    assert 'lang="de"' in page.text
    assert "Agency" in page.text
    assert "/brand/1a5442.css" in page.text
    assert guest.get(f"{path}/logo.png").status == 200
    own = project(client, "shop.example", brand_name="Shop", language="en").json["data"]
    assert (own["brand_name"], own["brand_color"], own["has_logo"], own["language"]) == ("Shop", None, False, "en")
    page = guest.get(path)
    assert 'lang="en"' in page.text
    assert "Shop" in page.text
    assert "Agency" not in page.text
    assert "/brand/1a5442.css" in page.text  # name and logo are taken together, the colour by itself
    assert guest.get(f"{path}/logo.png").status == 404
    project(client, "shop.example", brand_name=None, brand_logo=LOGO, language="reader")
    page = guest.get(path, {"Accept-Language": "en"})
    assert 'lang="en"' in page.text
    assert "Agency" not in page.text
    assert guest.get(f"{path}/logo.png").status == 200
    assert client.get(f"/reports/{report['id']}").status == 200


def test_a_logo_is_stored_once_however_many_use_it(live: Live) -> None:
    client = live.client(email=live.email())
    for name in ("one", "two", "three"):
        client.report(f"https://{name}.example/")
        assert project(client, f"{name}.example", brand_logo=LOGO).status == 200
    assert account(client, brand_logo=LOGO).status == 200
    with live.service.store.read() as session:
        stored = session.images._connection.execute(picture.select()).fetchall()
    assert len({row.hash for row in stored}) == len(stored) == 1
    assert len(stored[0].data) < 5000


def test_new_reports_batches_and_crawls_take_the_default_access(live: Live) -> None:
    client = live.client(email=live.email())

    def made(url: str, **fields: Any) -> int:
        return int(client.report(url, **fields)["privacy"])

    assert made("https://a.example/1") == 0
    account(client, default_privacy=1)
    assert made("https://a.example/2") == 1
    assert made("https://a.example/3", privacy=0) == 0
    assert project(client, "a.example", default_privacy=0).json["data"]["default_privacy"] == 0
    assert made("https://a.example/4") == 0
    assert made("https://b.example/4") == 1
    batch = {"urls": "https://a.example/5\nhttps://b.example/5"}
    assert client.post("/batches", batch).json["data"]["privacy"] == 1  # the strictest of both
    assert client.post("/batches", {"urls": "https://a.example/6"}).json["data"]["privacy"] == 0
    assert client.post("/batches", {**batch, "privacy": 0}).json["data"]["privacy"] == 0
    assert client.post("/crawls", {"url": "https://b.example/", "pages": 1}).json["data"]["privacy"] == 1
    assert client.post("/crawls", {"url": "https://a.example/", "pages": 1}).json["data"]["privacy"] == 0
    warned = client.post("/reports", {"url": "https://b.example/7", "password": "correct horse"}).json
    assert warned["data"]["privacy"] == 1
    assert warned["meta"]["warnings"] == ["The password was ignored: it goes with privacy 2, and privacy is 1."]


def test_forms_offer_the_default_access(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    client.report("https://forms.example/")
    access = '<option value="" selected>Project setting</option><option value="0">'
    assert access not in browser.get("/").text
    assert '<option value="1" selected>' in browser.get("/projects/forms.example/crawls").text
    project(client, "forms.example", default_privacy=0)
    assert access in browser.get("/").text
    assert '<option value="0" selected>' in browser.get("/projects/forms.example/crawls").text
    account(client, default_privacy=1)
    for url, privacy in (("https://forms.example/2", 0), ("https://new.example/", 1)):
        path = browser.post("/reports", {"url": url, "privacy": "", "password": ""}, SAME).headers["Location"]
        found = client.get("/reports", search=url).json["data"][0]
        assert (found["privacy"], path) == (privacy, f"/r/{found['public_id']}")


def test_an_owner_sets_it_on_the_account_page(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    client.report("https://page.example/")
    reply = browser.post(
        "/account/reports", {"brand_name": "Agency", "brand_color": "blue", "language": "de", "default_privacy": "1"}, SAME
    )
    assert reply.status == 422
    assert 'value="blue"' in reply.text
    assert "The colour must look like #1a5442." in reply.text
    fields = {"brand_name": "Agency", "brand_color": "#1a5442", "language": "de", "default_privacy": "1"}
    reply = browser.post("/account/reports", fields, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, "/account/reports?done=look")
    shown = browser.get("/account/reports?done=look").text
    assert "The defaults of the reports were saved." in shown
    assert '<option value="de" lang="de" selected>' in shown
    settings = browser.get("/projects/page.example/settings").text
    assert 'placeholder="Agency"' in settings
    assert "Account setting: Deutsch" in settings
    assert "Account setting: Only people with access" in settings
    assert (
        '<option value="" selected>Account setting: Without a browser; reports that people start are then loaded in one, if it works</option>'
        in settings
    )
