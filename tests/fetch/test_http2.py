"""HTTP/2 by ALPN: the version is recorded and the rest works as with 1.1."""

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from findable.reports.page_error_text import detail_of
from tests.fetch.helpers import ask, fetch, not_seen
from tests.sites.server import CERTIFICATES

BODY = b"<!doctype html><title>Two</title><p>x"
DATA, HEADERS, RESET, SETTINGS, PUSH_PROMISE, GOAWAY, CONTINUATION = 0, 1, 3, 4, 5, 7, 9
OK = b"\x88"  # :status 200 of the static table
Talk = Callable[[ssl.SSLSocket, int], object]
"""Answers on a connection the request of one stream."""
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload


def literal(name: bytes, value: bytes) -> bytes:
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def page(connection: ssl.SSLSocket, stream: int) -> None:
    fields = OK + literal(b"content-type", b"text/html") + literal(b"x-two", b"yes")
    connection.sendall(frame(HEADERS, END_HEADERS, stream, fields) + frame(DATA, END_STREAM, stream, BODY))


def answer(connection: ssl.SSLSocket, talk: Talk) -> None:
    """Answers every request on one connection; no dynamic table of its own."""
    stream = connection.makefile("rb")
    stream.read(24)
    connection.sendall(frame(SETTINGS, 0, 0, b""))
    while head := stream.read(9):
        length, kind, number = int.from_bytes(head[:3], "big"), head[3], int.from_bytes(head[5:], "big")
        flags = head[4]
        stream.read(length)
        if kind == SETTINGS and not flags & ACK:
            connection.sendall(frame(SETTINGS, ACK, 0, b""))
        if kind == HEADERS:
            talk(connection, number)


@contextlib.contextmanager
def http2_server(talk: Talk) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "good.pem", CERTIFICATES / "good.key")
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve_one, args=(raw,), daemon=True).start()

    def serve_one(raw: socket.socket) -> None:
        with contextlib.suppress(OSError), raw, context.wrap_socket(raw, server_side=True) as connection:
            connection.settimeout(2)
            answer(connection, talk)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


@pytest.fixture
def http2_url() -> Iterator[str]:
    with http2_server(page) as url:
        yield url


def test_http2_is_spoken_and_recorded(http2_url: str) -> None:
    response = fetch(http2_url)
    assert (response.final.http_version, response.status, response.body) == ("2", 200, BODY)
    assert ("x-two", "yes") in response.headers.lines
    assert response.tls is not None
    assert response.tls.verified
    assert ask(http2_url).hops[0].http_version == "2"


# --- what no honest server sends -----------------------------------------------------------------------------------------


def sends(*parts: Callable[[int], bytes]) -> Talk:
    return lambda connection, stream: connection.sendall(b"".join(part(stream) for part in parts))


def header_bomb(connection: ssl.SSLSocket, stream: int) -> None:
    """One large line in the dynamic table, named a million times by one byte each."""
    line = b"\x40\x03x-a\x7f\xb9\x16" + b"a" * 3000
    connection.sendall(frame(HEADERS, 0, stream, OK + line))
    for _ in range(64):
        connection.sendall(frame(CONTINUATION, 0, stream, b"\xbe" * 16000))


def endless(kind: int, payload: bytes, *, after_head: bool = False) -> Talk:
    def talk(connection: ssl.SSLSocket, stream: int) -> None:
        connection.sendall(frame(HEADERS, END_HEADERS if after_head else 0, stream, OK))
        while True:
            connection.sendall(frame(kind, 0, stream, payload) * 100)

    return talk


def head(*fields: bytes, flags: int = END_HEADERS) -> Callable[[int], bytes]:
    return lambda stream: frame(HEADERS, flags, stream, b"".join(fields))


def body(stream: int) -> bytes:
    return frame(DATA, END_STREAM, stream, BODY)


@pytest.mark.parametrize(
    "talk",
    [
        header_bomb,
        endless(CONTINUATION, b""),
        endless(DATA, b"", after_head=True),
        endless(99, b"x" * 100, after_head=True),
        sends(head(literal(b"x", b"y")), body),
        sends(head(literal(b":status", b"\xb2\xb2\xb2")), body),
        sends(head(OK, literal(b":status", b"302"), literal(b"location", b"/x")), body),
        sends(head(OK, literal(b"X-Upper", b"y")), body),
        sends(head(OK, literal(b"content-length", b"5")), body),
        sends(lambda stream: frame(PUSH_PROMISE, END_HEADERS, stream, b"\0\0\0\2\x82\x84\x87" + literal(b":authority", b"a.test"))),
        sends(lambda stream: frame(RESET, 0, stream, b"\0\0\0\2")),
        sends(lambda _stream: frame(GOAWAY, 0, 0, b"\0" * 8)),
        sends(lambda stream: b"\xff\xff\xff\0\0" + struct.pack("!I", stream) + bytes(1000)),
        sends(lambda _stream: b"HTTP/1.1 200 OK\r\n\r\n"),
    ],
)
def test_s25_frames_that_no_honest_server_sends_end_soon(talk: Talk) -> None:
    with http2_server(talk) as url:
        started_s = time.monotonic()
        reason = not_seen(url, deadline_s=10)
        assert reason.code == "connect_failed"
        assert detail_of(reason.error).isprintable()
        assert time.monotonic() - started_s < 18


def test_a_line_that_would_add_another_one_is_left_out() -> None:
    with http2_server(sends(head(OK, literal(b"x-a", b"y\r\nLocation: /x"), literal(b"content-type", b"text/html")), body)) as url:
        assert fetch(url).headers.lines == (("content-type", "text/html"),)
