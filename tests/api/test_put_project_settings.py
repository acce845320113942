"""How a project's reports look, and what goes along to its own site."""

import base64
import io
import json
from typing import Any

import pytest
from PIL import Image

from findable.service.projects import retention
from tests.web.live import Client, Live, Reply

SECRET = "s3cret-0815"
IDENTITY = {"user": "anna", "password": SECRET, "headers": {"X-Token": SECRET}, "cookies": {"pass": SECRET}, "user_agent": f"A/{SECRET}"}


@pytest.fixture
def shop(client: Client) -> Client:
    client.report("https://shop.example/")
    return client


def put(shop: Client, **members: Any) -> Reply:
    return shop.put("/projects/shop.example", json.dumps(members), {"Content-Type": "application/json"})


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (300, 100), "#1a5442").save(file, "PNG")
    return file.getvalue()


def test_s16_an_identity_is_written_and_never_read(shop: Client, live: Live) -> None:
    made = put(shop, identity=IDENTITY)
    assert made.status == 200, made.body
    shown = {"basic": True, "headers": ["X-Token"], "cookies": 1, "user_agent": True, "readable": True}
    assert made.json["data"]["identity"] == shown
    read = [made, shop.get("/projects/shop.example"), shop.get("/projects"), shop.get("/reports"), put(shop, brand_name="Shop")]
    assert not [reply for reply in read if SECRET in reply.text or "anna" in reply.text]
    assert read[-1].json["data"]["identity"] == shown
    assert put(shop, identity={"user": "anna"}).json["data"]["identity"] == {**shown, "headers": [], "cookies": 0, "user_agent": False}
    assert put(shop, identity={}).json["data"]["identity"] is None
    kept = b"".join(path.read_bytes() for path in live.service.settings.data_dir.rglob("*") if path.is_file())
    assert SECRET.encode() not in kept


@pytest.mark.parametrize(
    ("identity", "field"),
    [
        ({"headers": {"Host": SECRET}}, "identity.headers"),
        ({"headers": {"X-A": f"1\r\n{SECRET}"}}, "identity.headers"),
        ({"headers": [SECRET]}, "identity.headers"),
        ({"headers": {"X-A": 1}}, "identity.headers"),
        ({"cookies": {"a": f"{SECRET};"}}, "identity.cookies"),
        ({"password": SECRET}, "identity.user"),
        ({"user": 1}, "identity.user"),
        ({"user_agent": f"{SECRET}\n"}, "identity.user_agent"),
        ({"pasword": SECRET}, "identity.pasword"),
        (SECRET, "identity"),
        ([SECRET], "identity"),
    ],
)
def test_s80_what_is_wrong_is_named_and_not_quoted(shop: Client, identity: Any, field: str) -> None:
    reply = put(shop, identity=identity)
    assert reply.status == 422, reply.body
    assert list(reply.json["errors"]) == [field]
    assert SECRET not in reply.text
    assert shop.get("/projects/shop.example").json["data"]["identity"] is None


def test_a_brand_is_set_and_taken_away(shop: Client) -> None:
    logo = base64.b64encode(picture()).decode()
    made = put(shop, brand_name="Shop", brand_color="ABC", brand_logo=logo, language="de").json["data"]
    assert (made["brand_name"], made["brand_color"], made["has_logo"], made["language"]) == ("Shop", "#aabbcc", True, "de")
    kept = put(shop).json["data"]
    assert kept == made
    gone = put(shop, brand_name="", brand_color=None, brand_logo="", language="").json["data"]
    assert (gone["brand_name"], gone["brand_color"], gone["has_logo"], gone["language"]) == (None, None, False, None)


def test_a_logo_is_sent_as_a_file(shop: Client) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="brand_logo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    body += picture() + b"\r\n--x--\r\n"
    reply = shop.put("/projects/shop.example", body, {"Content-Type": "multipart/form-data; boundary=x"})
    assert reply.json["data"]["has_logo"] is True


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"brand_logo": "no base64!"}, "brand_logo"),
        ({"brand_logo": base64.b64encode(b"<svg/>").decode()}, "brand_logo"),
        ({"brand_color": "red"}, "brand_color"),
        ({"language": "xx"}, "language"),
    ],
)
def test_what_is_no_brand_is_422(shop: Client, sent: Any, field: str) -> None:
    reply = put(shop, **sent)
    assert reply.status == 422
    assert list(reply.json["errors"]) == [field]


def test_a_body_of_more_than_a_picture_is_413(shop: Client) -> None:
    assert put(shop, brand_logo="A" * 1_500_001).status == 413


def test_lists_show_no_settings(shop: Client) -> None:
    assert not {"identity", "brand_name", "language"} & set(shop.get("/projects").json["data"][0])


def test_options_of_the_browser_are_set_one_by_one(shop: Client) -> None:
    defaults: dict[str, Any] = {
        "dismiss_consent": False,
        "without_blocked": False,
        "wait_for": None,
        "blocked_hosts": [],
        "load_trackers": False,
    }
    assert shop.get("/projects/shop.example").json["data"]["browser_options"] == defaults
    changed = put(shop, browser_options={"dismiss_consent": True})
    assert changed.json["data"]["browser_options"] == {**defaults, "dismiss_consent": True}
    assert put(shop, browser_options={}).json["data"]["browser_options"]["dismiss_consent"] is True
    assert put(shop, browser_options={"dismiss_consent": None}).json["data"]["browser_options"] == defaults
    changed = put(shop, browser_options={"wait_for": " .list ", "blocked_hosts": ["Analytics.example", "ads.example"]})
    expected = {**defaults, "wait_for": ".list", "blocked_hosts": ["analytics.example", "ads.example"]}
    assert changed.json["data"]["browser_options"] == expected
    assert put(shop, browser_options={"wait_for": "", "blocked_hosts": None}).json["data"]["browser_options"] == defaults
    for wrong, field in (
        ({"dismiss_consent": "sometimes"}, "dismiss_consent"),
        ({"wait_for": "li["}, "wait_for"),
        ({"wait_for": "a" * 201}, "wait_for"),
        ({"wait_for": 1}, "wait_for"),
        ({"blocked_hosts": ["https://a.example/"]}, "blocked_hosts"),
        ({"blocked_hosts": ["shop.example"]}, "blocked_hosts"),
        ({"blocked_hosts": ["example"] + [f"a{number}.example" for number in range(51)]}, "blocked_hosts"),
        ({"blocked_hosts": "a.example"}, "blocked_hosts"),
        ({"user_agent": "x"}, "user_agent"),
    ):
        refused = put(shop, browser_options=wrong)
        assert (refused.status, list(refused.json["errors"])) == (422, [f"browser_options.{field}"]), wrong
    assert shop.get("/projects/shop.example").json["data"]["browser_options"] == defaults


def test_retention_is_set_part_by_part_within_its_bounds(shop: Client) -> None:
    default = {"all_days": 30, "weekly_days": 365, "saved_days": 30}
    assert shop.get("/projects/shop.example").json["data"]["retention"] == default
    assert put(shop, retention={"all_days": 60, "saved_days": 7}).json["data"]["retention"] == {**default, "all_days": 60, "saved_days": 7}
    assert put(shop, retention={"all_days": None}).json["data"]["retention"] == {**default, "saved_days": 7}
    assert put(shop, brand_name="Shop").json["data"]["retention"]["saved_days"] == 7
    for wrong, field in (
        ({"all_days": 0}, "retention.all_days"),
        ({"weekly_days": 29}, "retention.weekly_days"),
        ({"weekly_days": 9999}, "retention.weekly_days"),
        ({"saved_days": 31}, "retention.saved_days"),
        ({"saved_days": "many"}, "retention.saved_days"),
        ({"days": 1}, "retention.days"),
    ):
        refused = put(shop, retention=wrong)
        assert (refused.status, [*refused.json["errors"]]) == (422, [field]), wrong


def test_the_size_of_a_project_is_shown_once_it_was_measured(shop: Client, live: Live) -> None:
    size = shop.get("/projects/shop.example").json["data"]["size"]
    assert size == {"reports_bytes": None, "crawls_bytes": 0, "measured_at": None}
    while retention.delete_old(live.service):
        pass
    size = shop.get("/projects/shop.example").json["data"]["size"]
    assert size["reports_bytes"] > 100
    assert size["measured_at"]
