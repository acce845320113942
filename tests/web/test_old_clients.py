"""The exact bytes that published clients of this interface send, over raw sockets."""

import json

import pytest

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
    report = body["data"]  # type: ignore[index]
    assert report["url"] == "https://good.example/a?b=1&c=2%20d+e"
    assert report["privacy"] == 2
    assert report["has_password"] is True


def test_php_sends_its_update_as_post(client: Client) -> None:
    made = client.report()
    head = f"POST /api/v1/reports/{made['id']} HTTP/1.1\nHost: seo.example.com\nAuthorization: Bearer {{key}}\nAccept: */*\n"
    status, body = sent(client, head + "Content-Length: {length}\nContent-Type: application/x-www-form-urlencoded", "privacy=1&results=1")
    assert status == 200
    assert body["data"]["privacy"] == 1  # type: ignore[index]


def test_delete_with_an_empty_length(client: Client) -> None:
    made = client.report()
    head = f"DELETE /api/v1/reports/{made['id']} HTTP/1.1\nHost: a\nAuthorization: Bearer {{key}}\nAccept: */*\nContent-Length: 0"
    assert sent(client, head)[0] == 200


def test_expect_100_continue_is_answered(client: Client) -> None:
    import socket

    body = b"url=https://good.example/"
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {client.key}\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        assert connection.recv(100).startswith(b"HTTP/1.1 201")


def test_s73_a_large_body_is_refused_before_it_is_read(client: Client) -> None:
    head = "POST /api/v1/reports HTTP/1.1\nHost: a\nAuthorization: Bearer {key}\nContent-Length: 30000000"
    status, body = sent(client, head)
    assert (status, body["code"]) == (413, "payload_too_large")  # type: ignore[index]


def test_s73_an_endless_chunked_body_is_cut(client: Client) -> None:
    chunk = b"8000\r\n" + b"a" * 0x8000 + b"\r\n"
    head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {client.key}\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert raw(client.port, head.encode() + chunk * 3).startswith(b"413")


def test_a_browser_asks_before_it_sends(live: Live) -> None:
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
