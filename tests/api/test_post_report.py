import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.web.live import Client, Live


@pytest.fixture
def held(live: Live) -> Iterator[threading.Event]:
    event = live.analyser.held["held.example"] = threading.Event()
    yield event
    event.set()


def test_a_finished_report_is_201(client: Client) -> None:
    reply = client.post("/reports", {"url": "https://good.example/"})
    assert reply.status == 201
    report = reply.json["data"]
    assert reply.headers["Location"].endswith(f"/api/v1/reports/{report['id']}")
    assert reply.headers["ETag"]
    assert report["status"] == "done"
    assert report["privacy"] == 0
    assert report["results"]


def test_a_report_that_takes_longer_is_202(client: Client, held: threading.Event) -> None:
    reply = client.post("/reports", {"url": "https://held.example/"}, wait=0)
    assert reply.status == 202
    assert reply.headers["Retry-After"] == "2"
    assert reply.headers["Location"]
    assert reply.json["data"]["status"] in ("queued", "running")
    assert "results" not in reply.json["data"]


@pytest.mark.parametrize(
    ("prefer", "applied"), [("respond-async", "respond-async"), ("wait=0", "wait=0"), ("respond-async, wait=0", "respond-async, wait=0")]
)
def test_preferences_are_applied(client: Client, held: threading.Event, prefer: str, applied: str) -> None:
    reply = client.post("/reports", {"url": "https://held.example/"}, {"Prefer": prefer})
    assert (reply.status, reply.headers["Preference-Applied"]) == (202, applied)


def test_a_target_that_fails_is_201_with_status_failed(client: Client) -> None:
    reply = client.post("/reports", {"url": "https://asks-to-sign-in.example/"})
    assert reply.status == 201
    assert reply.json["data"]["status"] == "failed"
    assert reply.json["data"]["error"]["code"] == "login_required"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"url=https%3A%2F%2Fgood.example%2F&privacy=2&password=pw", "application/x-www-form-urlencoded"),
        (b"url=https%3A%2F%2Fgood.example%2F&privacy=2&password=pw", ""),
        (b'{"url":"https://good.example/","privacy":2,"password":"pw"}', "application/json; charset=utf-8"),
        (
            (
                b'--b\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://good.example/\r\n--b\r\n'
                b'Content-Disposition: form-data; name="privacy"\r\n\r\n2\r\n--b\r\nContent-Disposition: form-data; name="password"\r\n\r\npw\r\n--b--\r\n'
            ),
            'multipart/form-data; boundary="b"',
        ),
    ],
)
def test_three_kinds_of_bodies_are_read(client: Client, body: bytes, content_type: str) -> None:
    reply = client.post("/reports", body, {"Content-Type": content_type} if content_type else {})
    assert reply.status == 201, reply.body
    assert reply.json["data"]["url"] == "https://good.example/"
    assert (reply.json["data"]["privacy"], reply.json["data"]["has_password"]) == (2, True)
    assert b'"pw"' not in reply.body


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"<url/>", "application/xml", 415),
        (b"url=x", "text/plain", 415),
        (b"url=x", "application/x-www-form-urlencoded; charset=utf-16", 415),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"url=%00", "", 400),
        (b"url=\xff", "", 400),
        (b"x", "multipart/form-data; boundary=b", 400),
        (b"a=" + b"x" * 65536, "", 413),
        (b"a=1&" * 65, "", 413),
    ],
)
def test_s73_other_bodies_are_refused(client: Client, body: bytes, content_type: str, status: int) -> None:
    reply = client.post("/reports", body, {"Content-Type": content_type} if content_type else {})
    assert reply.status == status
    assert reply.json["request_id"]


def test_s73_compressed_bodies_are_not_read(client: Client) -> None:
    assert client.post("/reports", b"\x1f\x8b\x08", {"Content-Encoding": "gzip"}).status == 415


def test_all_field_errors_come_at_once(client: Client) -> None:
    reply = client.post("/reports", {"privacy": 2})
    assert reply.status == 422
    assert set(reply.json["errors"]) == {"url", "password"}
    assert reply.json["errors"]["url"] == ["The url field is required."]
    reply = client.post("/reports", {"url": "ftp://x/", "privacy": 9})
    assert set(reply.json["errors"]) == {"url", "privacy"}
    assert "0, 1, 2" in reply.json["errors"]["privacy"][0]


@pytest.mark.parametrize(
    "url",
    ["", "https://", "ftp://example.com/", "https://user:pw@example.com/", "http://127.0.0.1/", "https://example.com:22/", "x" * 2049],
)
def test_addresses_that_cannot_be_reported_are_422(client: Client, url: str) -> None:
    reply = client.post("/reports", {"url": url})
    assert reply.status == 422
    assert reply.json["errors"]["url"]
    assert "pw@" not in reply.text


def test_s69_only_declared_fields_are_read(client: Client) -> None:
    sent = {
        "url": "https://good.example/",
        "id": "999",
        "account_id": "1",
        "result": "good",
        "score": "100",
        "status": "done",
        "project": "x",
    }
    reply = client.post("/reports", sent)
    assert reply.status == 201
    assert reply.json["data"]["id"] != 999
    assert reply.json["data"]["project"] == "good.example"
    assert "The field account_id is not known and was ignored." in reply.json["meta"]["warnings"]


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


OURS = ("id", "account_id", "owner", "generated_at", "status", "is_admin", "project", "result", "score")


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_s69_nobody_sets_what_is_ours(client: Client, method: str) -> None:
    made = client.report()
    ours = dict.fromkeys(OURS, "100")
    sent = json.dumps({"url": "https://good.example/", **ours} if method == "POST" else ours)
    path = "/reports" if method == "POST" else f"/reports/{made['id']}"
    reply = client.request(method, path, sent, {"Content-Type": "application/json"})
    assert reply.status in (200, 201)
    for name in OURS:
        assert reply.json["data"].get(name) == (made.get(name) if name not in ("id", "generated_at") else reply.json["data"].get(name))
        assert reply.json["data"].get(name) != "100"
        assert f"The field {name} is not known and was ignored." in reply.json["meta"]["warnings"]


def test_s72_fields_stand_in_the_body_alone(client: Client) -> None:
    reply = client.request("POST", "/reports", "url=https%3A%2F%2Fgood.example%2F", FORM, privacy=1, url="https://bad.example/")
    assert reply.status == 201
    assert (reply.json["data"]["url"], reply.json["data"]["privacy"]) == ("https://good.example/", 0)
    assert reply.json["meta"]["warnings"] == [f"The parameter {name} in the URL was ignored." for name in ("privacy", "url")]
    assert client.request("POST", "/reports", "privacy=1", FORM, url="https://good.example/").json["errors"]["url"]
    listed = client.request("POST", "/reports", "url[]=https%3A%2F%2Fgood.example%2F", FORM)
    assert listed.status == 422
    assert listed.json["errors"]["url"]


def test_a_password_that_goes_with_nothing_is_told(client: Client) -> None:
    reply = client.post("/reports", {"url": "https://good.example/", "password": "geheim"})
    assert (reply.status, reply.json["data"]["privacy"], reply.json["data"]["has_password"]) == (201, 0, False)
    assert reply.json["meta"]["warnings"] == ["The password was ignored: it goes with privacy 2, and privacy is 0."]
    path = f"/reports/{reply.json['data']['id']}"
    assert "privacy is 0" in client.put(path, {"password": "geheim"}).json["meta"]["warnings"][0]
    assert "privacy is 1" in client.put(path, {"privacy": 1, "password": "geheim"}).json["meta"]["warnings"][0]
    assert "meta" not in client.put(path, {"privacy": 2, "password": "geheim"}).json
    assert "meta" not in client.put(path, {"password": "other"}).json
    batch = client.post("/batches", {"urls": "https://good.example/", "password": "geheim"})
    assert "privacy is 1" in batch.json["meta"]["warnings"][0]


def test_s72_of_equal_fields_the_last_wins(client: Client) -> None:
    reply = client.post(
        "/reports", "url=https%3A%2F%2Fgood.example%2F&privacy=0&privacy=1", {"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert reply.json["data"]["privacy"] == 1


def test_s59_a_password_is_kept_only_with_privacy_2(client: Client) -> None:
    made = client.report(privacy=0, password="secret-word-17")
    assert made["has_password"] is False
    assert client.post("/reports", {"url": "https://good.example/", "privacy": 2}).json["errors"]["password"]


def test_f22_every_post_makes_a_report(client: Client) -> None:
    with ThreadPoolExecutor(2) as pool:
        replies = list(pool.map(lambda _: client.post("/reports", {"url": "https://good.example/"}), range(2)))
    assert [reply.status for reply in replies] == [201, 201]
    assert replies[0].json["data"]["id"] != replies[1].json["data"]["id"]


def test_s62_a_key_that_only_reads_is_forbidden(live: Live) -> None:
    reply = live.client(scopes=frozenset({"read"})).post("/reports", {"url": "https://good.example/"})
    assert reply.status == 403


def test_a_key_that_only_writes_gets_its_report(live: Live) -> None:
    writer = live.client(scopes=frozenset({"write"}))
    assert writer.post("/reports", {"url": "https://good.example/"}).status == 201
    assert writer.get("/reports").status == 403


# --- Idempotency-Key --------------------------------------------------------------------------------------------------


def test_the_same_key_and_fields_give_the_stored_reply(client: Client) -> None:
    key = {"Idempotency-Key": "order-1"}
    first = client.post("/reports", {"url": "https://good.example/"}, key)
    again = client.post("/reports", json.dumps({"url": "https://good.example/"}), {**key, "Content-Type": "application/json"})
    assert (first.status, again.status) == (201, 201)
    assert again.body == first.body
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert client.get("/reports").json["meta"]["total"] == 1


def test_the_same_key_with_other_fields_is_422(client: Client) -> None:
    key = {"Idempotency-Key": "order-1"}
    client.post("/reports", {"url": "https://good.example/"}, key)
    reply = client.post("/reports", {"url": "https://good.example/other"}, key)
    assert (reply.status, reply.json["code"]) == (422, "idempotency_mismatch")


def test_the_same_key_while_it_is_worked_on_is_409(client: Client, held: threading.Event) -> None:
    key = {"Idempotency-Key": "order-1"}
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.post, "/reports", {"url": "https://held.example/"}, key)
        while client.get("/reports").json["meta"]["total"] == 0:
            pass
        reply = client.post("/reports", {"url": "https://held.example/"}, key)
        assert (reply.status, reply.json["code"], reply.headers["Retry-After"]) == (409, "conflict", "1")
        held.set()
        assert first.result().status == 201
    assert client.post("/reports", {"url": "https://held.example/"}, key).headers["Idempotent-Replayed"] == "true"


def test_keys_of_two_callers_do_not_meet(client: Client, live: Live) -> None:
    key = {"Idempotency-Key": "order-1"}
    client.post("/reports", {"url": "https://good.example/"}, key)
    assert "Idempotent-Replayed" not in live.client().post("/reports", {"url": "https://good.example/x"}, key).headers


def test_a_key_that_is_none_is_400(client: Client) -> None:
    assert client.post("/reports", {"url": "https://good.example/"}, {"Idempotency-Key": "x" * 256}).status == 400
    assert client.get("/reports").json["meta"]["total"] == 0


@pytest.mark.parametrize("path", ["/reports", "/crawls"])
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("shop", "“shop” is no complete host name. Enter one like shop.example"),
        ("a.example, b.example", "These are several URLs."),
        ("https://a.example/x,https://b.example/y", "These are several URLs."),
        ("htp://shop.example/", "http"),
    ],
)
def test_a_typing_error_is_asked_back_and_makes_no_project(client: Client, path: str, typed: str, said: str) -> None:
    before = client.get("/projects").json["meta"]["total"]
    reply = client.post(path, json.dumps({"url": typed}), {"Content-Type": "application/json"})
    assert reply.status == 422
    assert said in reply.json["errors"]["url"][0]
    assert client.get("/projects").json["meta"]["total"] == before
