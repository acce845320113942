"""TLS versions: what real servers accept and refuse, and what is left out because nothing sure is known."""

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
import time
import warnings
from collections.abc import Callable, Iterator

import pytest

from findable.fetch.egress_guard import Guard
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.handshakes import Handshakes, Versions
from findable.fetch.site_requests import probe_tls
from findable.fetch.tls_versions import TLS_VERSIONS, is_refusal
from tests.fetch.helpers import LOCAL, with_fetcher
from tests.sites.server import CERTIFICATES, Site

MakeSite = Callable[..., Site]
V = ssl.TLSVersion
NAMES = {V.TLSv1: "TLSv1.0", V.TLSv1_1: "TLSv1.1", V.TLSv1_2: "TLSv1.2", V.TLSv1_3: "TLSv1.3"}

needs_old_versions = pytest.mark.skipif(not (ssl.HAS_TLSv1 and ssl.HAS_TLSv1_1), reason="this Python serves no old TLS versions")


def context(first: V, last: V, *, security_level: int = 0, certificate: str = "good") -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(CERTIFICATES / f"{certificate}.pem", CERTIFICATES / f"{certificate}.key")
    made.set_ciphers(f"DEFAULT@SECLEVEL={security_level}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the old versions are what is wanted
        made.minimum_version, made.maximum_version = first, last
    return made


@contextlib.contextmanager
def server(talk: Callable[[socket.socket, threading.Event], object]) -> Iterator[str]:
    """Talks to each connection in a thread of its own. (asyncio's servers close without the alert that refuses a handshake.)"""
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

    def serve_one(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            talk(connection, ended)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        ended.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


@contextlib.contextmanager
def tls_server(tls: ssl.SSLContext) -> Iterator[str]:
    """Shakes hands and ends."""

    def talk(connection: socket.socket, _ended: threading.Event) -> None:
        with tls.wrap_socket(connection, server_side=True) as secured:
            secured.recv(1)

    with server(talk) as url:
        yield url


@contextlib.contextmanager
def raw_server(answer: bytes | None, *, reset: bool = False) -> Iterator[str]:
    """Reads a first message and answers with these bytes, or with nothing at all until it is closed."""

    def talk(connection: socket.socket, ended: threading.Event) -> None:
        connection.recv(65536)
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif answer is None:
            ended.wait(10)
        else:
            connection.sendall(answer)

    with server(talk) as url:
        yield url


def probe(url: str, *, guard: Guard = LOCAL, budget: Budget | None = None) -> Versions:
    return with_fetcher(lambda fetcher: probe_tls(fetcher, url, budget or Budget()), guard=guard)


@needs_old_versions
@pytest.mark.parametrize(("first", "last"), [(V.TLSv1, V.TLSv1_3), (V.TLSv1, V.TLSv1), (V.TLSv1_1, V.TLSv1_2)])
def test_s23_old_versions_are_found(first: V, last: V) -> None:
    with tls_server(context(first, last)) as url:
        assert probe(url) == tuple((name, first <= version <= last) for version, name in NAMES.items())


@pytest.mark.parametrize(("first", "last"), [(V.TLSv1_2, V.TLSv1_3), (V.TLSv1_2, V.TLSv1_2), (V.TLSv1_3, V.TLSv1_3)])
def test_modern_versions_are_told_apart(first: V, last: V) -> None:
    with tls_server(context(first, last)) as url:
        assert probe(url) == tuple((name, first <= version <= last) for version, name in NAMES.items())


@needs_old_versions
def test_old_versions_that_are_switched_on_but_kept_from_working_are_refused() -> None:
    with tls_server(context(V.TLSv1, V.TLSv1_3, security_level=2)) as url:
        assert dict(probe(url)) == {"TLSv1.0": False, "TLSv1.1": False, "TLSv1.2": True, "TLSv1.3": True}


@pytest.mark.parametrize("certificate", ["expired", "self_signed", "wrong_host"])
def test_a_bad_certificate_says_nothing_about_versions(make_site: MakeSite, certificate: str) -> None:
    site = make_site(certificate=certificate)
    assert dict(probe(site.url()))["TLSv1.3"]


def wait_until_closed(site: Site) -> None:
    until_s = time.monotonic() + 60
    while (site.open_count or not site.connections_count) and time.monotonic() < until_s:
        time.sleep(0.01)
    assert not site.open_count


def test_nothing_is_asked_and_every_connection_is_closed(make_site: MakeSite) -> None:
    site = make_site(tls=context(V.TLSv1_2, V.TLSv1_3))

    async def run(fetcher: Fetcher) -> bool | None:
        accepted = await fetcher.accepts_tls(site.url("/page"), "TLSv1.3")
        await asyncio.to_thread(wait_until_closed, site)
        return accepted

    assert with_fetcher(run)
    assert site.connections_count == 1
    assert not site.requests


def test_at_most_four_connections_within_the_budget() -> None:
    with tls_server(context(V.TLSv1_2, V.TLSv1_3)) as url:
        budget = Budget(max_requests=6)
        assert len(probe(url, budget=budget)) == 4
        assert budget.requests_left == 2
        assert probe(url, budget=Budget(max_requests=0)) == ()


def test_a_plain_page_has_no_versions(site: Site) -> None:
    assert probe(site.url()) == ()


def test_s9_a_handshake_asks_the_guard(make_site: MakeSite) -> None:
    site = make_site(certificate="good")
    assert probe(site.url(), guard=Guard()) == ()
    assert site.connections_count == 0


# --- what is not sure -------------------------------------------------------------------------------------------------


def alert(code: int) -> bytes:
    return bytes([21, 3, 1, 0, 2, 2, code])


def told(url: str, version: str = "TLSv1.2", timeout_s: float = 5.0) -> bool | None:
    return with_fetcher(lambda fetcher: fetcher.accepts_tls(url, version, timeout_s=timeout_s))


@pytest.mark.parametrize("version", TLS_VERSIONS)
@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        (alert(70), False),  # protocol_version
        (alert(40), False),  # handshake_failure
        (alert(71), False),  # insufficient_security
        (alert(80), False),  # internal_error
        (alert(112), None),  # unrecognized_name
        (alert(0), None),  # close_notify
        (b"", None),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", None),
        (b"\0" * 64, None),
    ],
    ids=str,
)
def test_an_alert_refuses_and_everything_else_is_not_sure(answer: bytes, accepted: bool | None, version: str) -> None:
    with raw_server(answer) as url:
        assert told(url, version) is accepted


def test_a_reset_and_silence_are_not_sure() -> None:
    with raw_server(b"", reset=True) as url:
        assert told(url) is None
    with raw_server(None) as url:
        assert told(url, timeout_s=0.5) is None


def test_what_our_own_library_cannot_speak_is_not_the_servers_refusal() -> None:
    for words in ("TLS connect error: error:0A0000BF:SSL routines::no protocols available", "SSL connect error", "no ciphers available"):
        assert not is_refusal(words)


def test_versions_are_tried_once_for_all_reports_of_an_origin() -> None:
    tried: list[str] = []
    answers: dict[str, bool | None] = {"TLSv1.0": None, "TLSv1.1": None, "TLSv1.2": None, "TLSv1.3": None}

    async def accepts(version: str) -> bool | None:
        tried.append(version)
        return answers[version]

    async def run() -> None:
        memory = Handshakes()
        assert await memory.versions("https://a.example", accepts) == ()
        answers.update({"TLSv1.0": False, "TLSv1.3": True})
        for _ in range(2):
            assert await memory.versions("https://a.example", accepts) == (("TLSv1.0", False), ("TLSv1.3", True))

    asyncio.run(run())
    assert tried == [*TLS_VERSIONS, *TLS_VERSIONS]
