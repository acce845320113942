"""The exact bytes that published clients of this interface send, over raw sockets."""

import json
import select
import socket
from contextlib import suppress
from datetime import datetime

import pytest

from findable.web import drain_request, middleware
from tests.web.live import Client, Live, raw


def sent(client: Client, head: str, body: str = "") -> tuple[int, object]:
    """The request with its key and length filled in; status and JSON of the answer."""
    text = head.format(key=client.key, length=len(body.encode())).replace("\n", "\r\n") + "\r\n\r\n" + body
    status, _, answer = raw(client.port, text.encode()).partition(b"\n")
    return int(status), json.loads(answer)


PHP_POST = """POST /api/v1/reports HTTP/1.1
Host: seo.example.com
Authorization: Bearer {key}
Accept: */*
Content-Length: {length}
Content-Type: application/x-www-form-urlencoded"""

REQUESTS_POST = """POST /api/v1/reports HTTP/1.1
Host: seo.example.com
User-Agent: python-requests/2.28.1
Accept-Encoding: gzip, deflate
Accept: */*
Connection: keep-alive
Authorization: Bearer {key}
Content-Type: application/x-www-form-urlencoded
Content-Length: {length}"""

BARE_POST = """POST /api/v1/reports HTTP/1.1
Host: seo.example.com
Authorization: Bearer {key}
Content-Length: {length}"""


@pytest.mark.parametrize("head", [PHP_POST, REQUESTS_POST, BARE_POST])
def test_an_unencoded_url_arrives_whole(client: Client, head: str) -> None:
    status, body = sent(client, head, "url=https://good.example/a?b=1&c=2 d+e&privacy=2&password=hidden")
    assert status == 201
    report = body["data"]  # type: ignore[index]  # JSON is an object to the type checker
    assert report["url"] == "https://good.example/a?b=1&c=2%20d+e"
    assert report["privacy"] == 2
    assert report["has_password"] is True


def test_php_sends_its_update_as_post(client: Client) -> None:
    made = client.report()
    head = f"POST /api/v1/reports/{made['id']} HTTP/1.1\nHost: seo.example.com\nAuthorization: Bearer {{key}}\nAccept: */*\n"
    status, body = sent(client, head + "Content-Length: {length}\nContent-Type: application/x-www-form-urlencoded", "privacy=1&results=1")
    assert status == 200
    assert body["data"]["privacy"] == 1  # type: ignore[index]  # JSON is an object to the type checker


def test_delete_with_an_empty_length(client: Client) -> None:
    made = client.report()
    head = f"DELETE /api/v1/reports/{made['id']} HTTP/1.1\nHost: a\nAuthorization: Bearer {{key}}\nAccept: */*\nContent-Length: 0"
    assert sent(client, head)[0] == 200


def test_expect_100_continue_is_answered(client: Client) -> None:
    body = b"url=https://good.example/"
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {client.key}\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        assert connection.recv(100).startswith(b"HTTP/1.1 201")


def test_s73_a_large_body_is_refused_before_it_is_read(client: Client) -> None:
    head = "POST /api/v1/reports HTTP/1.1\nHost: a\nAuthorization: Bearer {key}\nContent-Length: 30000000"
    status, body = sent(client, head)
    assert (status, body["code"]) == (413, "payload_too_large")  # type: ignore[index]  # JSON is an object to the type checker


def test_s73_an_endless_chunked_body_is_cut(client: Client) -> None:
    chunk = b"8000\r\n" + b"a" * 0x8000 + b"\r\n"
    head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {client.key}\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert raw(client.port, head.encode() + chunk * 3).startswith(b"413")


READ_ON_BYTES = 32 * 1024 * 1024
"""Bytes that are read on, as the documentation says: written here again, so that the test is red where there is no limit."""


def sent_until_closed(port: int, head: str, piece: bytes) -> int:
    """How many bytes are taken after the head before the connection is closed."""
    sent_bytes = 0
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection, suppress(ConnectionError):
        connection.sendall(head.encode())
        while sent_bytes < 5 * READ_ON_BYTES:
            connection.sendall(piece)
            sent_bytes += len(piece)
    return sent_bytes


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it matters how much is read on, not for how long: a busy machine takes its time."""
    monkeypatch.setattr(drain_request, "MAX_S", 300.0)
    monkeypatch.setattr(drain_request, "MAX_IDLE_S", 60.0)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("path", ["/api/v1/reports", "/missing"])
def test_s73_who_sends_on_after_the_answer_comes_to_read_it(client: Client, path: str) -> None:
    body_bytes, status = 20_000_000, b"HTTP/1.1 413" if path.startswith("/api") else b"HTTP/1.1 404"
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {client.key}\r\nContent-Length: {body_bytes}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=120) as connection:
        connection.sendall(head.encode())
        for _ in range(2):  # it pauses, so that there are moments with nothing to read
            connection.sendall(b"a" * 100_000)
            select.select([connection], [], [], 30)
        connection.sendall(b"a" * (body_bytes - 200_000))
        answer = connection.recv(65536)
        while not answer.endswith(b"\r\n0\r\n\r\n"):
            answer += connection.recv(65536)
        assert answer.startswith(status)
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200"), "the connection goes on where the body ended"


@pytest.mark.usefixtures("patience")
def test_s73_what_is_sent_after_the_answer_is_not_read_for_ever(client: Client) -> None:
    chunk = b"8000\r\n" + b"a" * 0x8000 + b"\r\n"
    head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {client.key}\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert READ_ON_BYTES <= sent_until_closed(client.port, head, chunk) < 5 * READ_ON_BYTES


def test_s73_of_many_who_send_on_only_some_are_read_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "MAX_DISCARDED", 0)
    head = f"POST /missing HTTP/1.1\r\nHost: a\r\nContent-Length: {drain_request.MAX_BYTES - 1}\r\n\r\n"
    assert sent_until_closed(client.port, head, b"a" * 65536) < drain_request.MAX_BYTES


def test_s76_who_is_answered_and_sends_nothing_more_is_let_go(client: Client) -> None:
    head = "POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        connection.sendall(f"{head}\r\n".encode())
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        assert received.startswith(b"HTTP/1.1 401")
        assert received.endswith(b"\r\n0\r\n\r\n"), "the answer is whole"
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        connection.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        received = connection.recv(65536)
        assert received.startswith(b"HTTP/1.1 401"), "whoever asks first is not told to go on"
        assert b"content-length" in received


def test_s76_a_request_has_one_host(client: Client) -> None:
    assert raw(client.port, b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"400")
    assert raw(client.port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").startswith(b"400")
    assert raw(client.port, b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"200")


def test_s75_a_browser_asks_before_it_sends(live: Live) -> None:
    reply = (
        live.client()
        .guest()
        .request(
            "OPTIONS",
            "/api/v1/reports/7",
            None,
            {"Origin": "https://app.example", "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"},
        )
    )
    assert reply.status == 204
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert "PUT" in reply.headers["Access-Control-Allow-Methods"]
    for name in ("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Prefer"):
        assert name in reply.headers["Access-Control-Allow-Headers"]
    assert reply.headers["Access-Control-Allow-Credentials"] is None


def test_s75_every_answer_may_be_read_by_any_origin_without_credentials(client: Client) -> None:
    for reply in (client.get("/reports", {"Origin": "null"}), client.guest().get("/api/v1/reports")):
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert reply.headers["Access-Control-Allow-Credentials"] is None


def test_each_given_route_query_and_field_stands_in_every_verdict(live: Live) -> None:
    """The interface that clients of the first version know: nothing of it is missing, renamed or of another type."""
    client = live.client()
    made = {}
    for host in ("good.example", "bad.example", "times-out.example", "scripted.example"):  # rated, deindexed, away, blocked
        reply = client.post("/reports", {"url": f"https://{host}/", "privacy": 2, "password": "oak and pine"})
        assert reply.status in (201, 202), reply.body
        made[host] = reply.json["data"]["id"]
    for host, number in made.items():
        for again in (0, 1):
            assert client.put(f"/reports/{number}", {"privacy": 1, "results": again}).status == 200
        report = client.get(f"/reports/{number}").json["data"]
        assert (report["id"], report["url"], report["privacy"], report["project"]) == (number, f"https://{host}/", 1, host)
        assert "password" not in report
        assert report["result"] in ("good", "decent", "bad") if host in ("good.example", "bad.example") else report["result"] is None
        assert report["generated_at"] is None or datetime.fromisoformat(report["generated_at"]).tzinfo
    lists = {
        "/projects": ({"search": "example", "search_by": "project"}, ("created_at", "project")),
        "/reports": ({"search": "example", "search_by": "url", "project": "good.example"}, ("id", "generated_at", "url", "result")),
    }
    for path, (query, sorts) in lists.items():
        for sort_by in sorts:
            for sort in ("asc", "desc"):
                for per_page in (10, 25, 50, 100):
                    reply = client.get(path, None, **query, sort_by=sort_by, sort=sort, per_page=per_page)
                    assert reply.status == 200, (path, sort_by, reply.body)
                    assert reply.json["data"]
        assert {"data", "links", "meta"} <= reply.json.keys()
    for result in ("good", "decent", "bad"):
        assert all(one["result"] == result for one in client.get("/reports", result=result).json["data"])
    project = client.get("/projects").json["data"][0]
    assert project["project"] in made
    assert datetime.fromisoformat(project["created_at"]).tzinfo
    for host, number in made.items():
        assert client.delete(f"/reports/{number}").status == 200
        assert client.get(f"/reports/{number}").status == 404
        assert client.delete(f"/projects/{host}").status in (200, 404)
