"""Feeds of alerts: made over the interface, read by a secret URL without a key."""

import json
from xml.etree import ElementTree as ET

from tests.web.live import Client, Live

ATOM = "{http://www.w3.org/2005/Atom}"


def an_alert(live: Live, account_id: int, project: str, **times: int) -> None:
    with live.service.store.write() as session:
        found = session.projects.by_name(account_id, project)
        assert found is not None
        values = {
            "account_id": account_id,
            "project_id": found.id,
            "rule": "not-indexable",
            "cause": str(times),
            "phase": "open",
            "state": "{}",
        }
        examples = json.dumps(["https://a.example/<x>&\u202e\x0b"])
        number = session.alerts.add({**values, "details": "{}", "created_at": 1, "examples": examples, "pages_count": 3})
        session.alerts.change(number, **times)


def of(client: Client) -> int:
    number: int = client.get("/account").json["data"]["id"]
    return number


def read(live: Live, url: str) -> ET.Element:
    reply = Client(live.port, prefix="").get("/feeds/" + url.rpartition("/")[2])
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert reply.headers["Cache-Control"] == "private, no-store"
    return ET.fromstring(reply.body)  # our own bytes


def test_a_feed_tells_alerts_of_what_its_person_may_see_and_ends_at_once(live: Live, client: Client) -> None:
    for project in ("one.example", "two.example"):
        assert client.post("/projects", {"project": project}).status == 201
        an_alert(live, of(client), project, opened_at=1_795_000_000)
    an_alert(live, of(client), "one.example", opened_at=1_794_000_000, closed_at=1_795_100_000)
    other = live.client()
    other.post("/projects", {"project": "one.example"})
    an_alert(live, of(other), "one.example", opened_at=1_795_000_000)

    every = client.post("/feeds", {"name": "All <of> it"}).json["data"]
    one = client.post("/feeds", {"project": "one.example"}).json["data"]
    assert [item["id"] for item in client.get("/feeds").json["data"]] == [every["id"], one["id"]]
    assert all("url" not in item for item in client.get("/feeds").json["data"])
    assert other.get("/feeds").json["data"] == []
    feed = read(live, every["url"])
    assert feed.findtext(f"{ATOM}title") == "All <of> it"
    entries = feed.findall(f"{ATOM}entry")
    assert next(entry.findtext(f"{ATOM}title") for entry in entries) == "one.example: Resolved: Pages that Google can no longer list: 3"
    assert len(entries) == 3
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 3
    assert entries[0].findtext(f"{ATOM}updated") == "2026-11-19T14:53:20Z"
    assert entries[0].findtext(f"{ATOM}content") == "https://a.example/<x>&"
    assert len(read(live, one["url"]).findall(f"{ATOM}entry")) == 2
    assert other.delete(f"/feeds/{one['id']}").status == 404
    assert client.delete(f"/feeds/{one['id']}").json["data"]["deleted"] is True
    guest = Client(live.port, prefix="")
    for gone in (one["url"].rpartition("/")[2], "x", "x" * 5000):
        assert guest.get(f"/feeds/{gone}").status == 404


def test_a_feed_has_the_access_of_its_person_and_a_limit_of_its_own(live: Live, client: Client) -> None:
    client.post("/projects", {"project": "one.example"})
    an_alert(live, of(client), "one.example", opened_at=1_795_000_000)
    path = "/feeds/" + client.post("/feeds", {}).json["data"]["url"].rpartition("/")[2]
    guest = Client(live.port, prefix="")
    replies = [guest.get(path).status for _ in range(61)]
    assert replies == [200] * 60 + [429]
    service = live.service
    with service.store.write() as session:
        (person,) = session.accounts.people_of(of(client))
        session.accounts.change_person(person.id, role="projects")
    service.feed_rates._windows.clear()
    assert b"<entry>" not in guest.get(path).body
    with service.store.write() as session:
        session.accounts.change_person(person.id, disabled_at=1)
    assert guest.get(path).status == 404


def test_what_is_wrong_is_named(client: Client) -> None:
    for fields, name in (({"project": "unknown.example"}, "project"), ({"name": "x" * 81}, "name")):
        reply = client.post("/feeds", fields)
        assert (reply.status, list(reply.json["errors"])) == (422, [name])
