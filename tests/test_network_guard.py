"""The guard of conftest.py: no test leaves this machine."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from urllib.request import urlopen

import pytest

OUTSIDE = "192.0.2.1"  # TEST-NET-1 of RFC 5737: answers nobody
OUTSIDE_V6 = "2001:db8::1"  # RFC 3849

refused = pytest.raises(AssertionError, match="loopback only")


@pytest.fixture
def listener() -> Iterator[tuple[str, int]]:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::ffff:127.0.0.1"])
def test_loopback_is_reached(host: str, listener: tuple[str, int]) -> None:
    socket.create_connection((host, listener[1]), timeout=60).close()


def test_asyncio_reaches_loopback(listener: tuple[str, int]) -> None:
    async def connect() -> None:
        _, writer = await asyncio.open_connection("localhost", listener[1])
        writer.close()
        await writer.wait_closed()

    asyncio.run(connect())


def test_unix_sockets_are_no_network(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with closing(socket.socket(socket.AF_UNIX)) as server, closing(socket.socket(socket.AF_UNIX)) as client:
        server.bind(path)
        server.listen()
        client.connect(path)


@pytest.mark.parametrize(
    "leave",
    [
        lambda: socket.create_connection((OUTSIDE, 80), timeout=1),
        lambda: urlopen(f"http://{OUTSIDE}/", timeout=1),
        lambda: HTTPSConnection(OUTSIDE, timeout=1).connect(),
        lambda: socket.getaddrinfo("example.com", 443),
        lambda: socket.getaddrinfo(b"example.com", 443),
        lambda: socket.gethostbyname("example.com"),
        lambda: asyncio.run(asyncio.wait_for(asyncio.open_connection(OUTSIDE, 80), 1)),
        lambda: asyncio.run(asyncio.wait_for(asyncio.open_connection("example.com", 80), 1)),
    ],
    ids=["socket", "http", "https", "getaddrinfo", "getaddrinfo-bytes", "gethostbyname", "asyncio-address", "asyncio-name"],
)
def test_what_would_leave_is_refused(leave: Callable[[], object]) -> None:
    with refused:
        leave()


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, OUTSIDE), (socket.AF_INET6, OUTSIDE_V6)])
def test_every_way_to_a_peer_is_refused(family: socket.AddressFamily, address: str) -> None:
    with closing(socket.socket(family, socket.SOCK_DGRAM)) as sock:
        for send in (
            lambda: sock.connect((address, 53)),
            lambda: sock.connect_ex((address, 53)),
            lambda: sock.sendto(b"?", (address, 53)),
            lambda: sock.sendto(b"?", 0, (address, 53)),
        ):
            with refused:
                send()


def test_a_tls_socket_is_guarded_before_it_connects() -> None:
    context = ssl.create_default_context()
    with closing(context.wrap_socket(socket.socket(), server_hostname="example.com")) as sock, refused:
        sock.connect((OUTSIDE, 443))
