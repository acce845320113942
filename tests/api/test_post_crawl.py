"""POST /crawls, the list, one crawl, and what is done with it. Crawls are worked on in tests/worker/test_crawl_jobs.py."""

import json
from typing import Any

import pytest

from tests.web.live import Client

JSON = {"Content-Type": "application/json"}
NEW = {"url": "https://example.com/", "pages": 50, "render": "never"}


def made(client: Client, **fields: Any) -> Any:
    reply = client.post("/crawls", json.dumps(NEW | fields), JSON)
    assert reply.status == 202, reply.body
    return reply.json["data"]


def test_a_crawl_is_accepted_with_what_it_may_take(client: Client) -> None:
    reply = client.post("/crawls", NEW)
    data = reply.json["data"]

    assert (reply.status, reply.headers["Retry-After"]) == (202, "2")
    assert reply.headers["Location"].endswith(f"/api/v1/crawls/{data['id']}")
    assert (data["object"], data["status"], data["project"], data["url"]) == ("crawl", "queued", "example.com", "https://example.com/")
    assert data["expected"] == {"requests": 250, "seconds": 50, "megabytes": 1}  # with up to 200 stylesheets, scripts and images
    assert (data["result"], data["score"], data["ended_by"], data["progress"], data["error"]) == (None,) * 5
    assert data["settings"] == {
        "hosts": [],
        "pages": 50,
        "rolling": None,
        "depth": None,
        "scope": "origin",
        "list": 0,
        "uploaded": 0,
        "include": [],
        "exclude": [],
        "robots": "findable",
        "render": "never",
        "render_reason": None,
        "rate": 5.0,
        "connections": 2,
        "seconds": None,
        "as": None,
        "external": 0,
        "segments": {},
        "extractors": {},
    }


def test_forms_and_json_say_the_same(client: Client) -> None:
    form = "url=https%3A%2F%2Fexample.com%2F&as=https%3A%2F%2Fwww.example.org&seconds=60&connections=1&hosts[]=www.example.de&hosts[]=www.example.fr&include=%2Fa%2F*%0A%2Fb%2F*&rate=2.5&depth=3&scope=host&render=never"
    by_form = client.post("/crawls", form, {"Content-Type": "application/x-www-form-urlencoded"}).json["data"]["settings"]
    sent = {"hosts": ["www.example.de", "www.example.fr"], "include": ["/a/*", "/b/*"], "rate": 2.5, "depth": 3, "scope": "host"}
    limits = {"as": "https://www.example.org", "seconds": 60, "connections": 1}

    assert by_form == {**made(client, **sent, **limits)["settings"], "pages": 10_000}
    assert (by_form["hosts"], by_form["include"], by_form["rate"]) == (sent["hosts"], sent["include"], 2.5)
    assert {name: by_form[name] for name in limits} == limits


def test_external_links_count_among_the_requests(client: Client) -> None:
    data = client.post("/crawls", json.dumps({"url": "https://example.com/", "pages": 50, "external": 1}), JSON).json["data"]

    assert (data["settings"]["external"], data["expected"]["requests"]) == (1, 2250)


def test_a_list_is_counted_and_not_shown(client: Client) -> None:
    listed = [f"https://example.com/{number}" for number in range(3)]
    data = client.post("/crawls", json.dumps({"list": [*listed, listed[0]]}), JSON).json["data"]

    assert (data["url"], data["settings"]["list"], data["settings"]["pages"]) == (listed[0], 3, 3)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("url", "ftp://example.com/"),
        ("hosts", ["no host"]),
        ("pages", 0),
        ("pages", "many"),
        ("depth", -1),
        ("scope", "planet"),
        ("list", ["http://127.0.0.1/"]),
        ("include", ["*" * 5000]),
        ("robots", "none"),
        ("render", "some"),
        ("rate", 0),
        ("rate", 1e6),
        ("rate", "fast"),
        ("connections", 5),
        ("seconds", 0),
        ("as", "https://example.org/shop"),
        ("external", 2),
        ("privacy", 7),
    ],
)
def test_a_wrong_field_is_422_and_named(client: Client, field: str, value: Any) -> None:
    reply = client.post("/crawls", json.dumps(NEW | {field: value}), JSON)
    assert (reply.status, set(reply.json["errors"])) == (422, {field}), reply.text


def test_a_missing_url_is_422(client: Client) -> None:
    reply = client.post("/crawls", {"pages": 5})
    assert (reply.status, reply.json["errors"]) == (422, {"url": ["The url field is required."]})


def test_one_idempotency_key_makes_one_crawl(client: Client) -> None:
    key = {**JSON, "Idempotency-Key": "crawl-1"}
    first, again = (client.post("/crawls", json.dumps(NEW), key) for _ in range(2))
    other = client.post("/crawls", json.dumps(NEW | {"pages": 51}), key)

    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status, again.body) == (202, first.body)
    assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")


def test_the_list_has_pages_and_filters(client: Client) -> None:
    ids = [made(client, url=f"https://{host}.example/")["id"] for host in "xyz"]
    reply = client.get("/crawls", per_page=10, sort_by="id")

    assert [crawl["id"] for crawl in reply.json["data"]][:3] == ids[::-1]
    assert reply.json["meta"]["total"] >= 3
    assert [crawl["id"] for crawl in client.get("/crawls", project="y.example").json["data"]] == [ids[1]]
    assert client.get("/crawls", project="y.example", status="done").json["data"] == []
    assert set(client.get("/crawls", fields="id,status").json["data"][0]) == {"id", "status"}
    assert client.get("/crawls", sort_by="password").status == 422


def test_a_crawl_is_read_stopped_continued_and_deleted(client: Client) -> None:
    path = f"/crawls/{made(client)['id']}"
    first = client.get(path)
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status == 304

    stopped = client.post(f"{path}/stop", {})
    assert (stopped.status, stopped.json["data"]["status"], stopped.json["data"]["ended_by"]) == (200, "stopped", "stopped")
    stale = client.post(f"{path}/resume", {}, {"If-Match": first.headers["ETag"]})
    assert (stale.status, stale.json["code"]) == (412, "precondition_failed")
    resumed = client.post(f"{path}/resume", {"pages": 70})
    assert (resumed.status, resumed.json["data"]["status"], resumed.json["data"]["settings"]["pages"]) == (202, "queued", 70)

    gone = client.request("DELETE", path)
    assert (gone.status, gone.json["data"]) == (200, {"id": first.json["data"]["id"], "object": "crawl", "deleted": True})
    assert [client.get(path).status, client.request("DELETE", path).status, client.post(f"{path}/stop", {}).status] == [404] * 3


def test_a_password_is_needed_stored_and_never_returned(client: Client) -> None:
    assert client.post("/crawls", json.dumps(NEW | {"privacy": 2}), JSON).json["errors"].keys() == {"password"}
    data = made(client, privacy=2, password="correct horse")
    assert (data["privacy"], data["has_password"]) == (2, True)
    assert "correct horse" not in json.dumps(data)
