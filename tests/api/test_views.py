"""Saved views: filters of lists under a name, by API and above the lists."""

import pytest

from tests.web.live import Client, Live
from tests.web.test_people import SAME

BROKEN = {"list": "pages", "name": "Broken pages", "query": "status=400..499&sort_by=inlinks&sort=desc&columns=status,inlinks"}


def test_a_view_is_saved_listed_and_deleted(client: Client) -> None:
    made = client.post("/views", BROKEN)
    assert made.status == 201, made.text
    view = made.json["data"]
    assert (view["object"], view["list"], view["name"]) == ("view", "pages", "Broken pages")
    assert view["query"] == "status=400..499&sort_by=inlinks&sort=desc&columns=status%2Cinlinks"
    bad = client.post("/views", {"list": "reports", "name": "Broken pages", "query": "?result=bad"}).json["data"]
    assert [one["id"] for one in client.get("/views").json["data"]] == [view["id"], bad["id"]]
    assert client.get("/views", list="reports").json["data"] == [bad]
    assert client.delete(f"/views/{view['id']}").json["data"] == {"id": view["id"], "object": "view", "deleted": True}
    assert client.delete(f"/views/{view['id']}").status == 404
    assert client.get("/views", list="pages").json["data"] == []


@pytest.mark.parametrize(
    ("wrong", "field", "words"),
    [
        ({"query": "status=many"}, "query", "status"),
        ({"query": "colour=red"}, "query", "no filter colour"),
        ({"query": ""}, "query", "needs a filter"),
        ({"query": "cursor=abc"}, "query", "no filter cursor"),
        ({"query": "status[]=404"}, "query", "status"),
        ({"query": "status=%00"}, "query", "NUL"),
        ({"query": f"search={'x' * 4000}"}, "query", "4000 characters"),
        ({"list": "reports", "query": "result=ugly"}, "query", "result"),
        ({"list": "reports", "query": "columns=status"}, "query", "no filter columns"),
        ({"list": "links"}, "list", "allowed: pages, reports, questions"),
        ({"name": " "}, "name", "1 to 60"),
        ({"name": "x" * 61}, "name", "1 to 60"),
        ({"name": "a\x07"}, "name", "control characters"),
    ],
)
def test_what_the_list_would_refuse_is_not_saved(client: Client, wrong: dict[str, str], field: str, words: str) -> None:
    reply = client.post("/views", {**BROKEN, **wrong})
    assert reply.status == 422, reply.text
    assert words in " ".join(reply.json["errors"][field])
    assert client.get("/views").json["data"] == []


def test_names_are_unique_and_views_are_bounded(client: Client) -> None:
    assert client.post("/views", BROKEN).status == 201
    assert "already" in client.post("/views", BROKEN).json["errors"]["name"][0]
    for number in range(49):
        assert client.post("/views", {**BROKEN, "name": str(number)}).status == 201
    assert "at most 50" in client.post("/views", {**BROKEN, "name": "one more"}).json["errors"]["name"][0]
    assert client.post("/views", {"list": "reports", "name": "Bad", "query": "result=bad"}).status == 201


def test_others_see_nothing_of_a_view(live: Live, client: Client) -> None:
    number = client.post("/views", BROKEN).json["data"]["id"]
    other = live.client()
    assert other.get("/views").json["data"] == []
    assert other.delete(f"/views/{number}").status == 404


def test_a_list_of_reports_is_saved_from_its_page_and_opened_by_a_link(live: Live) -> None:
    email = live.email()
    live.client(email=email).post("/projects", {"project": "shop.example"})
    browser = live.signed_in(email)
    assert 'name="query" value="search=%2Fb&amp;result=bad"' in browser.get("/projects/shop.example/reports?search=/b&result=bad").text
    assert "Save these filters" not in browser.get("/projects/shop.example/reports").text
    sent = {"list": "reports", "at": "shop.example", "name": "Bad <ones>", "query": "search=%2Fb&result=bad"}
    made = browser.post("/views", sent, SAME)
    assert (made.status, made.headers["Location"]) == (303, "/projects/shop.example/reports?search=%2Fb&result=bad")
    shown = browser.get("/projects/shop.example/reports").text
    assert '<a href="/projects/shop.example/reports?search=%2Fb&amp;result=bad">Bad &lt;ones&gt;</a>' in shown
    opened = browser.get("/projects/shop.example/reports?search=%2Fb&result=bad").text
    assert 'aria-current="true">Bad &lt;ones&gt;</a>' in opened
    assert "Save these filters" not in opened
    again = browser.post("/views", sent, SAME)
    assert again.status == 422
    assert "There is already a view with this name." in again.text
    assert 'value="search=%2Fb&amp;result=bad"' in again.text
    listed = browser.get("/views").text
    number = listed.partition('action="/views/')[2].partition("/")[0]
    assert browser.post(f"/views/{number}/delete", None, SAME).headers["Location"] == "/views?done=deleted"
    assert "Bad &lt;ones&gt;" not in browser.get("/projects/shop.example/reports").text
