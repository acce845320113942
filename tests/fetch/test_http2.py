"""HTTP/2 by ALPN: the version is recorded and the rest works as with 1.1."""

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Iterator

import pytest

from tests.fetch.helpers import ask, fetch
from tests.sites.server import CERTIFICATES

BODY = b"<!doctype html><title>Two</title><p>x"
DATA, HEADERS, SETTINGS = 0, 1, 4
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload


def literal(name: bytes, value: bytes) -> bytes:
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def answer(connection: ssl.SSLSocket) -> None:
    """Answers every request on one connection with the same page; static HPACK only."""
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
            fields = b"\x88" + literal(b"content-type", b"text/html") + literal(b"x-two", b"yes")
            connection.sendall(frame(HEADERS, END_HEADERS, number, fields) + frame(DATA, END_STREAM, number, BODY))


@pytest.fixture
def http2_url() -> Iterator[str]:
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
            with raw, context.wrap_socket(raw, server_side=True) as connection:
                connection.settimeout(5)
                with contextlib.suppress(OSError):
                    answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"https://127.0.0.1:{listener.getsockname()[1]}/"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(10)


def test_http2_is_spoken_and_recorded(http2_url: str) -> None:
    response = fetch(http2_url)
    assert (response.final.http_version, response.status, response.body) == ("2", 200, BODY)
    assert ("x-two", "yes") in response.headers.lines
    assert response.tls is not None
    assert response.tls.verified
    assert ask(http2_url).hops[0].http_version == "2"
