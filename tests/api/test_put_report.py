import threading

import pytest

from tests.web.live import Client, Live


def test_privacy_changes_at_once(client: Client) -> None:
    made = client.report()
    reply = client.put(f"/reports/{made['id']}", {"privacy": 2, "password": "open sesame"})
    assert reply.status == 200
    assert (reply.json["data"]["privacy"], reply.json["data"]["has_password"]) == (2, True)
    assert reply.headers["ETag"] != client.put(f"/reports/{made['id']}", {"privacy": 1}).headers["ETag"]
    assert reply.json["data"]["results"]


def test_s59_the_stored_password_is_kept_or_erased(client: Client) -> None:
    made = client.report()
    path = f"/reports/{made['id']}"
    assert client.put(path, {"privacy": 2}).json["errors"]["password"]
    client.put(path, {"privacy": 2, "password": "pw"})
    assert client.put(path, {"privacy": 2}).json["data"]["has_password"] is True
    assert client.put(path, {"privacy": 0}).json["data"]["has_password"] is False
    assert client.put(path, {"privacy": 2}).status == 422


def test_only_what_is_sent_changes(client: Client) -> None:
    made = client.report(privacy=1)
    reply = client.put(f"/reports/{made['id']}", {})
    assert reply.status == 200
    assert reply.json["data"]["privacy"] == 1
    assert client.get(f"/reports/{made['id']}/runs").json["data"][0]["run"] == 1


def test_results_1_generates_again(client: Client) -> None:
    made = client.report()
    reply = client.put(f"/reports/{made['id']}", {"results": 1})
    assert reply.status == 200
    assert reply.json["data"]["run"] == 2


def test_f23_generating_again_is_202_when_it_takes_longer_and_joins_what_runs(client: Client, live: Live) -> None:
    made = client.report("https://again.example/")
    held = live.analyser.held["again.example"] = threading.Event()
    path = f"/reports/{made['id']}"
    first = client.put(path, {"results": 1}, wait=0)
    assert first.status == 202
    assert first.headers["Retry-After"] == "2"
    assert first.json["data"]["status"] == "done"
    assert first.json["data"]["result"] == made["result"]
    assert "progress" in first.json["data"]
    assert client.put(path, {"results": 1}, wait=0).status == 202
    held.set()
    assert client.get(path, wait=60).json["data"]["run"] == 2
    del live.analyser.held["again.example"]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "POST"])
def test_put_patch_and_post_are_the_same(client: Client, method: str) -> None:
    made = client.report()
    reply = client.request(method, f"/reports/{made['id']}", {"privacy": 1})
    assert (reply.status, reply.json["data"]["privacy"]) == (200, 1)


def test_a_stale_if_match_is_412(client: Client) -> None:
    made = client.report()
    path = f"/reports/{made['id']}"
    tag = client.get(path).headers["ETag"]
    assert client.put(path, {"privacy": 1}, {"If-Match": tag}).status == 200
    assert client.put(path, {"privacy": 0}, {"If-Match": tag}).status == 412
    assert client.put(path, {"privacy": 0}, {"If-Match": "*"}).status == 200


def test_wrong_values_are_422_all_at_once(client: Client) -> None:
    made = client.report()
    reply = client.put(f"/reports/{made['id']}", {"privacy": 3, "results": 2, "url": "https://other.example/"})
    assert reply.status == 422
    assert set(reply.json["errors"]) == {"privacy", "results"}


def test_s69_the_address_cannot_be_changed(client: Client) -> None:
    made = client.report()
    reply = client.put(f"/reports/{made['id']}", {"url": "https://other.example/", "score": "100"})
    assert reply.json["data"]["url"] == "https://good.example/"
    nothing, *ignored = reply.json["meta"]["warnings"]
    assert "Nothing was changed" in nothing
    assert len(ignored) == 2


def test_s48_another_accounts_report_is_404(client: Client, live: Live) -> None:
    made = client.report()
    assert live.client().put(f"/reports/{made['id']}", {"privacy": 1}).status == 404
    assert client.put("/reports/abc", {"privacy": 1}).status == 404
