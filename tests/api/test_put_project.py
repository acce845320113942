"""Addresses that are not meant to be found."""

import json
from typing import Any

import pytest

from tests.web.live import Client, Live

PATTERNS = ["/thanks*", "https://shop.example/cart/*"]


@pytest.fixture
def shop(client: Client) -> Client:
    client.report("https://shop.example/")
    return client


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("not_for_search=%2Fthanks*&not_for_search=https%3A%2F%2Fshop.example%2Fcart%2F*", "application/x-www-form-urlencoded"),
        ("not_for_search[]=/thanks*&not_for_search[]=https://shop.example/cart/*", ""),
        ("not_for_search[0]=/thanks*&not_for_search[1]=https://shop.example/cart/*", ""),
        ("not_for_search=%2Fthanks*%0D%0A%20https%3A%2F%2Fshop.example%2Fcart%2F*%0D%0A&not_for_search=%2Fthanks*", ""),
        (json.dumps({"not_for_search": PATTERNS}), "application/json"),
        (json.dumps({"not_for_search": "\n".join(PATTERNS)}), "application/json"),
    ],
)
@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_patterns_are_sent_in_every_way_fields_are(shop: Client, method: str, body: str, content_type: str) -> None:
    reply = shop.request(method, "/projects/shop.example", body, {"Content-Type": content_type} if content_type else {})

    assert reply.status == 200, reply.body
    assert reply.json["data"]["not_for_search"] == PATTERNS
    assert "meta" not in reply.json
    assert shop.get("/projects/SHOP.example").json["data"]["not_for_search"] == PATTERNS
    assert "not_for_search" not in shop.get("/projects").json["data"][0]


@pytest.mark.parametrize(("body", "left"), [("not_for_search=", []), ('{"not_for_search": []}', []), ("", PATTERNS), ("{}", PATTERNS)])
def test_they_are_emptied_by_an_empty_field_and_kept_without_one(shop: Client, body: str, left: list[str]) -> None:
    shop.put("/projects/shop.example", "&".join(f"not_for_search={pattern}" for pattern in PATTERNS))
    headers = {"Content-Type": "application/json"} if body.startswith("{") else {}

    assert shop.request("PATCH", "/projects/shop.example", body, headers).json["data"]["not_for_search"] == left
    assert shop.get("/projects/shop.example").json["data"]["not_for_search"] == left


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (["thanks"], "begins with"),
        (["/" + "x" * 200], "longer than 200"),
        (["/a\tb"], "control"),
        ([f"/{number}" for number in range(51)], "at most 50"),
        (7, "must be a list"),
        ([7], "must be a list of strings"),
    ],
)
def test_what_is_no_pattern_is_422_and_changes_nothing(shop: Client, sent: Any, complaint: str) -> None:
    reply = shop.put("/projects/shop.example", json.dumps({"not_for_search": sent}), {"Content-Type": "application/json"})

    assert reply.status == 422
    assert complaint in " ".join(reply.json["errors"]["not_for_search"])
    assert shop.get("/projects/shop.example").json["data"]["not_for_search"] == []


def test_a_page_that_is_not_meant_to_be_found_is_not_faulted_for_it(client: Client) -> None:
    made = client.report("https://bad.example/thanks?order=7")
    client.put("/projects/bad.example", {"not_for_search": "/thanks"})
    again = client.put(f"/reports/{made['id']}", {"results": 1}).json["data"]
    other = client.report("https://bad.example/")

    def verdict(report: Any) -> str:
        return next(str(row["verdict"]) for row in report["results"] if row["id"] == "noindex")

    assert (made["not_for_search"], verdict(made), made["result"]) == (False, "failed", "bad")
    assert (again["not_for_search"], verdict(again)) == (True, "inapplicable")
    assert again["score"] > made["score"]
    assert (other["not_for_search"], verdict(other)) == (False, "failed")
    changes = client.get(f"/reports/{made['id']}/changes").json["data"]
    assert changes["score"] | {"from_page": None, "from_ruleset": None} == changes["score"]


def test_s48_another_accounts_project_is_not_changed(shop: Client, live: Live) -> None:
    assert live.client().put("/projects/shop.example", {"not_for_search": "/x"}).status == 404
    assert shop.put("/projects/nothing.example", {"not_for_search": "/x"}).status == 404
    assert shop.put("/projects/%00", {"not_for_search": "/x"}).status == 404
    assert shop.get("/projects/shop.example").json["data"]["not_for_search"] == []


def test_fields_that_nobody_knows_are_named(shop: Client) -> None:
    assert shop.put("/projects/shop.example", {"colour": "red"}).json["meta"]["warnings"]
