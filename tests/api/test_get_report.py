import threading
from collections.abc import Iterator

import pytest

from tests.web.live import Client, Live


@pytest.fixture
def held(live: Live) -> Iterator[threading.Event]:
    event = live.analyser.held["held.example"] = threading.Event()
    yield event
    event.set()


def test_a_report_has_findings_and_links(client: Client) -> None:
    made = client.report("https://bad.example/")
    reply = client.get(f"/reports/{made['id']}")
    assert reply.status == 200
    report = reply.json["data"]
    assert report["status"] == "done"
    assert report["result"] == "bad"
    assert report["run"] == 1
    noindex = next(result for result in report["results"] if result["id"] == "noindex")
    assert noindex["verdict"] == "failed"
    assert noindex["evidence"]
    assert noindex["docs"].endswith("/docs/checks/noindex")
    assert {"self", "html", "project"} <= set(report["links"])
    assert report["links"]["html"].endswith(f"/r/{report['public_id']}")


def test_an_etag_saves_the_body(client: Client) -> None:
    made = client.report()
    first = client.get(f"/reports/{made['id']}")
    tag = first.headers["ETag"]
    for sent in (tag, f'"other", W/{tag}', "*"):
        again = client.get(f"/reports/{made['id']}", {"If-None-Match": sent})
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    assert client.get(f"/reports/{made['id']}", {"If-None-Match": '"other"'}).status == 200


def test_head_is_get_without_the_body(client: Client) -> None:
    made = client.report()
    reply = client.request("HEAD", f"/reports/{made['id']}")
    assert (reply.status, reply.body) == (200, b"")
    assert int(reply.headers["Content-Length"]) > 100


def test_a_trailing_slash_changes_nothing(client: Client) -> None:
    made = client.report()
    assert client.get(f"/reports/{made['id']}/").json == client.get(f"/reports/{made['id']}").json


def test_s48_missing_foreign_and_nonsense_are_the_same_bytes(client: Client, live: Live) -> None:
    made = client.report()
    stranger = live.client()
    one_id = {"X-Request-Id": "same"}
    bodies = set()
    for number in (str(made["id"]), "999999", "abc", "0", "-1", "1.0", "%00", "9" * 30, "٣"):
        reply = stranger.get(f"/reports/{number if number.isascii() else '%D9%A3'}", one_id)
        assert reply.status == 404
        body = reply.json
        assert body.pop("instance")
        bodies.add(tuple(sorted((name, str(value)) for name, value in body.items())))
    assert len(bodies) == 1


def test_waiting_returns_when_the_report_is_done(client: Client, held: threading.Event) -> None:
    made = client.post("/reports", {"url": "https://held.example/"}, wait=0)
    number = made.json["data"]["id"]
    running = client.get(f"/reports/{number}", wait=0).json["data"]
    assert running["status"] in ("queued", "running")
    assert running["result"] is None
    assert set(running["progress"]) == {"stage", "done", "of"}
    assert running["results"] == []
    threading.Timer(0.3, held.set).start()
    assert client.get(f"/reports/{number}", wait=60).json["data"]["status"] == "done"


def test_prefer_wait_is_applied(client: Client) -> None:
    made = client.report()
    reply = client.get(f"/reports/{made['id']}", {"Prefer": "wait=5"})
    assert reply.headers["Preference-Applied"] == "wait=5"


@pytest.mark.parametrize("wait", ["61", "-1", "soon"])
def test_a_wait_outside_its_bounds_is_422(client: Client, wait: str) -> None:
    made = client.report()
    assert "wait" in client.get(f"/reports/{made['id']}", wait=wait).json["errors"]


def test_a_page_that_was_not_seen_has_no_result(client: Client) -> None:
    made = client.report("https://times-out.example/")
    assert made["status"] == "failed"
    assert (made["result"], made["score"]) == (None, None)
    assert made["error"].pop("at")
    assert made["error"] == {"code": "target_timeout", "message": "The page did not load in time.", "retryable": True}


def test_the_verdict_is_in_the_language_of_the_reader_and_the_report_is_not(client: Client) -> None:
    made = client.report("https://bad.example/")
    german, english = (client.get(f"/reports/{made['id']}", {"Accept-Language": one}).json["data"] for one in ("de-AT,de;q=0.9", "en"))
    assert german["verdict"]["sentence"].startswith("Google kann diese Seite nicht")
    assert english["verdict"]["sentence"] == "Google cannot index this page: it is noindex."
    assert german["results"] == english["results"]
    (listed,) = client.get("/reports", {"Accept-Language": "de"}).json["data"]
    assert listed["verdict"] == german["verdict"]
    (project,) = client.get("/projects", {"Accept-Language": "de"}).json["data"]
    assert project["verdict"] == german["verdict"]
