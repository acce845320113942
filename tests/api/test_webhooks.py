"""Webhooks over the interface."""

import json

import pytest

from findable.notify.outgoing_event import EventType
from tests.web.live import Client

ALL = [kind.value for kind in EventType if kind is not EventType.WEBHOOK_TEST]


def test_a_webhook_is_made_read_changed_and_deleted(client: Client) -> None:
    made = client.post("/webhooks", {"url": "https://hooks.example/a#b", "name": " Mine "})
    data = made.json["data"]
    assert made.status == 201
    assert made.headers["Location"] == data["links"]["self"]
    assert (data["url"], data["name"], data["kind"], data["events"], data["project"]) == (
        "https://hooks.example/a",
        "Mine",
        "standard",
        ALL,
        None,
    )
    assert data["secret"].startswith("whsec_")
    path = f"/webhooks/{data['id']}"
    read = client.get(path).json["data"]
    assert read == {name: value for name, value in data.items() if name != "secret"}
    assert client.get("/webhooks").json["data"] == [read]
    changed = client.put(path, json.dumps({"events": ["report.worse", "crawl.done"]}), {"Content-Type": "application/json"}).json["data"]
    assert (changed["events"], changed["name"]) == (["report.worse", "crawl.done"], "Mine")
    renewed = client.put(path, {"new_secret": 1}).json["data"]
    assert renewed["secret"] not in ("", data["secret"])
    off = client.put(path, {"disabled": 1}).json["data"]
    assert (off["disabled_why"], off["disabled_at"] is None) == ("owner", False)
    assert client.post(f"{path}/test").status == 409
    assert client.put(path, {"disabled": 0}).json["data"]["disabled_at"] is None
    assert client.delete(path).json["data"] == {"id": data["id"], "object": "webhook", "deleted": True}
    assert client.get(path).status == 404


def test_deliveries_are_listed_with_what_is_sent_and_sent_again(client: Client) -> None:
    hook = client.post("/webhooks", {"url": "https://hooks.example/a"}).json["data"]
    path = f"/webhooks/{hook['id']}"
    first, second = (client.post(f"{path}/test").json["data"] for _ in range(2))
    assert (second["type"], second["state"], second["failures"], second["status"]) == ("webhook.test", "queued", 0, None)
    assert json.loads(second["request"])["data"]["id"] == hook["id"]
    assert second["webhook_id"].startswith("msg_")
    listed = client.get(f"{path}/deliveries?per_page=10").json
    assert [item["id"] for item in listed["data"]] == [second["id"], first["id"]]
    assert client.get(f"{path}/deliveries?before={second['id']}").json["data"] == [first]
    again = client.post(f"{path}/deliveries/{first['id']}/again")
    assert (again.status, again.json["data"]["webhook_id"]) == (202, first["webhook_id"])
    assert client.post(f"{path}/deliveries/999999/again").status == 404


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, "url"),
        ({"url": "https://10.0.0.1/"}, "url"),
        ({"url": "http://hooks.example/"}, "url"),
        ({"url": "https://hooks.example/", "kind": "irc"}, "kind"),
        ({"url": "https://hooks.example/", "events[]": "report.lost"}, "events"),
        ({"url": "https://hooks.example/", "project": "unknown.example"}, "project"),
        ({"url": "https://hooks.example/", "language": "xx"}, "language"),
        ({"url": "https://hooks.example/", "secret": "whsec_c2hvcnQ="}, "secret"),
        ({"url": "https://hooks.example/", "name": "x" * 81}, "name"),
    ],
)
def test_what_is_wrong_is_named(client: Client, fields: dict[str, str], name: str) -> None:
    reply = client.post("/webhooks", fields)
    assert reply.status == 422
    assert list(reply.json["errors"]) == [name]


def test_the_document_describes_every_message(client: Client) -> None:
    document = client.get("/openapi.json?complete=1").json
    assert sorted(document["webhooks"]) == sorted(kind.value for kind in EventType)
    for message in document["webhooks"].values():
        reference = message["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        schema = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert set(schema["required"]) == {"type", "timestamp", "data"}
