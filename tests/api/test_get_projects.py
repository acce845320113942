import pytest

from tests.web.live import Client, Live


@pytest.fixture
def sites(client: Client) -> Client:
    for host in ("b.example", "a.example", "www.c.example"):
        client.report(f"https://{host}/")
    return client


def test_projects_are_listed_newest_first(sites: Client) -> None:
    reply = sites.get("/projects")
    assert reply.status == 200
    names = [project["project"] for project in reply.json["data"]]
    assert names == ["c.example", "a.example", "b.example"]
    project = reply.json["data"][0]
    assert project["object"] == "project"
    assert project["reports_count"] == 1
    assert project["result"] in ("good", "decent", "bad")
    assert project["last_generated_at"].endswith("Z")
    assert project["links"]["self"].endswith("/api/v1/projects/c.example")
    assert project["links"]["html"] == project["links"]["self"].replace("/api/v1", "")


def test_the_envelope_is_laravels(sites: Client) -> None:
    body = sites.get("/projects", per_page=10).json
    assert set(body) == {"data", "links", "meta"}
    assert {"first", "last", "prev", "next"} <= set(body["links"])
    assert body["meta"] == {
        "current_page": 1,
        "from": 1,
        "last_page": 1,
        "path": body["meta"]["path"],
        "per_page": 10,
        "to": 3,
        "total": 3,
    }
    assert body["meta"]["path"].endswith("/api/v1/projects")


def test_sorting_and_searching(sites: Client) -> None:
    names = [project["project"] for project in sites.get("/projects", sort_by="project", sort="asc").json["data"]]
    assert names == ["a.example", "b.example", "c.example"]
    assert [project["project"] for project in sites.get("/projects", search="A.EX").json["data"]] == ["a.example"]


def test_a_host_is_found_as_pages_show_it(client: Client) -> None:
    client.report("https://www.bücher.example/")
    for search in ("bücher", "BÜCHER.ex", "bücher.example", "www.bücher.example", "xn--bcher", "bcher-kva"):
        assert client.get("/projects", search=search).json["meta"]["total"] == 1, search
    for search in ("ü ü", "übel", "büch"):  # of a label in another script a part is no part of its name
        assert client.get("/projects", search=search).json["meta"]["total"] == 0, search


def test_projects_of_others_are_not_listed(sites: Client, live: Live) -> None:
    assert live.client().get("/projects").json["data"] == []


def test_an_empty_list_has_null_for_from_and_to(client: Client) -> None:
    meta = client.get("/projects").json["meta"]
    assert (meta["from"], meta["to"], meta["total"], meta["last_page"]) == (None, None, 0, 1)


@pytest.mark.parametrize("query", ["per_page=11", "sort_by=password", "sort=desc;--", "search_by=url", "page=0", "per_page[]=10"])
def test_s70_a_value_outside_the_list_is_422(client: Client, query: str) -> None:
    reply = client.get(f"/projects?{query}")
    assert reply.status == 422
    field = query.partition("=")[0].partition("[")[0]
    assert field in reply.json["errors"]
