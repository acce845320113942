"""Projects before their first report, over the interface."""

import json

import pytest

from tests.web.live import Client, Live

JSON = {"Content-Type": "application/json"}


def test_a_project_is_made_of_a_host_or_of_any_address_there(client: Client) -> None:
    made = client.post("/projects", {"project": "https://WWW.Staging.Example:443/a?b#c"})
    project = made.json["data"]
    assert (made.status, project["project"], project["reports_count"], project["result"]) == (201, "staging.example", 0, None)
    assert made.headers["Location"] == project["links"]["self"]
    again = client.post("/projects", {"project": "staging.example"})
    assert (again.status, again.json["data"]) == (200, project)
    assert [one["project"] for one in client.get("/projects").json["data"]] == ["staging.example"]
    assert client.get("/account").json["data"]["usage"]["projects"] == 1


def test_its_first_report_follows_what_was_set(client: Client) -> None:
    client.post("/projects", {"project": "staging.example"})
    client.put("/projects/staging.example", {"not_for_search": "/thanks*"})
    assert client.report("https://staging.example/thanks")["not_for_search"] is True
    assert client.get("/projects/staging.example").json["data"]["reports_count"] == 1


def test_it_is_its_accounts_alone_and_can_be_deleted(client: Client, live: Live) -> None:
    client.post("/projects", {"project": "staging.example"})
    assert live.client().get("/projects/staging.example").status == 404
    assert client.delete("/projects/staging.example").json["data"]["reports_deleted"] == 0
    assert client.post("/projects", {"project": "staging.example"}).status == 201


@pytest.mark.parametrize("typed", ["", "http://", "ftp://a.example", "https://user@a.example/", "http://10.0.0.1/", "a b", "x" * 2049])
def test_what_is_no_site_is_refused_by_name(client: Client, typed: str) -> None:
    reply = client.post("/projects", {"project": typed})
    assert (reply.status, list(reply.json["errors"])) == (422, ["project"])
    assert client.get("/projects").json["data"] == []


def test_a_table_of_sites_is_imported_and_errors_name_line_and_column(client: Client) -> None:
    table = {"csv": "url,client,tags,interval\nshop.example,Acme,de;shop,week\nother.example,,,never\n"}
    planned = client.post("/site-imports", {**table, "dry_run": 1}).json["data"]
    assert (planned["dry_run"], planned["created"], planned["failed"]) == (True, 1, 1)
    assert client.get("/projects").json["data"] == []
    made = client.post("/site-imports", table).json["data"]
    assert made["rows"][0] == {
        "line": 2,
        "project": "shop.example",
        "outcome": "created",
        "fields": ["client", "tags", "interval"],
        "errors": {},
    }
    assert (made["rows"][1]["line"], list(made["rows"][1]["errors"])) == (3, ["interval"])
    shop = client.get("/projects/shop.example").json["data"]
    assert (shop["client"], shop["tags"], shop["owner"], shop["watched"]) == ("Acme", ["de", "shop"], None, True)
    changed = client.put("/projects/shop.example", json.dumps({"client": "", "tags": ["new"]}), JSON).json["data"]
    assert (changed["client"], changed["tags"]) == (None, ["new"])
    assert client.put("/projects/shop.example", json.dumps({"tags": ['a"b']}), JSON).status == 422
