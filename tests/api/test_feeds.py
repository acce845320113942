"""Feeds: made over the interface, read by a secret URL without a key."""

import json
from xml.etree import ElementTree as ET

from findable.service.delivery.feeds import FeedRates
from tests.web.live import Client, Live
from tests.worked_crawls import end_crawl

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
        (person,) = session.people.of_account(of(client))
        session.people.change(person.id, role="projects")
    service.memory(FeedRates)._windows.clear()
    assert b"<entry>" not in guest.get(path).body
    with service.store.write() as session:
        session.people.change(person.id, disabled_at=1)
    assert guest.get(path).status == 404


def test_the_feed_of_a_viewer_of_one_project_leaves_out_other_projects(live: Live, client: Client) -> None:
    for project in ("one.example", "two.example"):
        assert client.post("/projects", {"project": project}).status == 201
        an_alert(live, of(client), project, opened_at=1_795_000_000)
    path = "/feeds/" + client.post("/feeds", {}).json["data"]["url"].rpartition("/")[2]
    guest, service = Client(live.port, prefix=""), live.service
    assert b"two.example" in guest.get(path).body
    with service.store.write() as session:
        (person,) = session.people.of_account(of(client))
        project_row = session.projects.by_name(of(client), "one.example")
        assert project_row is not None
        session.people.change(person.id, role="projects")
        session.roles.grant(project_row.id, person.id, "viewer", 1)
    for form in ("", ".csv", ".json"):
        shown = guest.get(path + form).body
        assert b"one.example" in shown
        assert b"two.example" not in shown


def test_what_is_wrong_is_named(client: Client) -> None:
    for fields, name in (({"project": "unknown.example"}, "project"), ({"name": "x" * 81}, "name"), ({"view": 999_999}, "view")):
        reply = client.post("/feeds", fields)
        assert (reply.status, list(reply.json["errors"])) == (422, [name])


def table(live: Live, url: str, form: str) -> str:
    reply = Client(live.port, prefix="").get(f"/feeds/{url.rpartition('/')[2]}.{form}")
    assert reply.status == 200, reply.text
    assert (reply.headers["Cache-Control"], reply.headers["Referrer-Policy"]) == ("private, no-store", "no-referrer")
    return reply.text


def test_tables_of_the_portfolio_a_project_and_a_view_are_read_without_a_key(live: Live, client: Client) -> None:
    client.report("https://good.example/")
    bad = client.report("https://bad.example/", privacy=1)
    client.report("https://bad.example/=HYPERLINK(1)")
    view = client.post("/views", {"list": "reports", "name": "Bad ones", "query": "result=bad&sort_by=url&sort=asc"}).json["data"]
    portfolio = client.post("/feeds", {"name": "Sheet"}).json["data"]["url"]
    project = client.post("/feeds", {"project": "good.example"}).json["data"]["url"]
    made = client.post("/feeds", {"view": view["id"]}).json["data"]
    assert made["view"] == "Bad ones"
    lines = table(live, portfolio, "csv").splitlines()
    assert lines[0] == '"project","result","score","pages","last_generated_at","html"'
    assert sorted(line.split(",")[0] for line in lines[1:]) == ['"bad.example"', '"good.example"']
    assert [item["url"] for item in json.loads(table(live, project, "json"))["data"]] == ["https://good.example/"]
    found = json.loads(table(live, made["url"], "json"))["data"]
    assert [item["url"] for item in found] == ["https://bad.example/", "https://bad.example/=HYPERLINK(1)"]
    assert found[0]["score"] == bad["score"]
    assert '"https://bad.example/","bad.example",' in table(live, made["url"], "csv")
    feed = read(live, made["url"])
    assert feed.findtext(f"{ATOM}title") == "Bad ones"
    assert len(feed.findall(f"{ATOM}entry")) == 2
    for gone in (f"{made['url']}.xml", f"{made['url']}.csv.json"):
        assert Client(live.port, prefix="").get("/feeds/" + gone.rpartition("/")[2]).status == 404


def test_a_feed_ends_with_its_view_its_project_and_the_role_of_its_person(live: Live, client: Client) -> None:
    client.report("https://good.example/")
    view = client.post("/views", {"list": "reports", "name": "All", "query": "sort_by=url"}).json["data"]["id"]
    of_view = client.post("/feeds", {"view": view}).json["data"]["url"].rpartition("/")[2]
    of_project = client.post("/feeds", {"project": "good.example"}).json["data"]["url"].rpartition("/")[2]
    every = client.post("/feeds", {}).json["data"]["url"].rpartition("/")[2]
    guest, service = Client(live.port, prefix=""), live.service

    def statuses() -> list[int]:
        service.memory(FeedRates)._windows.clear()
        return [guest.get(f"/feeds/{token}{form}").status for token in (of_view, of_project) for form in ("", ".csv", ".json")]

    assert statuses() == [200] * 6
    with service.store.write() as session:
        (person,) = session.people.of_account(of(client))
        session.people.change(person.id, role="projects")
    assert statuses() == [404] * 6
    assert json.loads(guest.get(f"/feeds/{every}.json").body) == {"data": []}
    with service.store.write() as session:
        session.people.change(person.id, role="owner")
    assert client.delete(f"/views/{view}").status == 200
    assert statuses() == [404] * 3 + [200] * 3
    assert client.delete("/projects/good.example").status == 200
    assert statuses() == [404] * 6
    assert json.loads(guest.get(f"/feeds/{every}.json").body) == {"data": []}


def test_a_feed_of_pages_lists_the_newest_crawl_of_its_project(live: Live, client: Client) -> None:
    view = client.post("/views", {"list": "pages", "name": "By links", "query": "sort_by=inlinks&columns=words"}).json["data"]["id"]
    assert list(client.post("/feeds", {"view": view}).json["errors"]) == ["project"]
    client.post("/projects", {"project": "shop.example"})
    url = client.post("/feeds", {"view": view, "project": "shop.example"}).json["data"]["url"]
    assert json.loads(table(live, url, "json")) == {"data": []}
    crawl = client.post("/crawls", {"url": "https://shop.example/", "pages": 1}).json["data"]["id"]
    end_crawl(live.service, crawl, "https://shop.example/", "<title>Shop</title>")
    assert [item["url"] for item in json.loads(table(live, url, "json"))["data"]] == ["https://shop.example/"]
    assert '"https://shop.example/",200,"Shop",' in table(live, url, "csv")
    assert len(read(live, url).findall(f"{ATOM}entry")) == 1
