"""Addresses: one reading in the validator, on the wire and in the store: S6, S7."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from ipaddress import ip_address

import ada_url
import pycurl
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from findable import urls
from findable.errors import SettingError
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.ip_addresses import parse_address, readings
from findable.service.sites.url_input import PageTarget, host_key, read_url
from tests.fuzz.harness import example, fuzz, of_pieces

URL_TEXTS = of_pieces(
    "http://", "https://", "HTTP:", "//", "/", "\\", "@", ":", "80", ":8080", "[", "]", "::1", "::ffff:", "127.0.0.1", "0x7f", "127.1",
    "2130706433", "017700000001", "example.com", "EXAMPLE.com.", "xn--", "xn--nxasmq6b", "faß.de", "①②⑦", "。", "%31", "%00", "%2f", "%",
    "?", "#", "..", "/./", "\t", "\n", "\r", "\0", " ", "user", "p@ss", "localhost", "a_b", "-", "😀", "&x=1", "utm_source=x", "\ud800", "file:",
    "javascript:", "data:,", "%25eth0", "co.uk", "+80", "65536", most=12,
)  # fmt: skip
HOSTS = st.one_of(
    st.sampled_from(["http://", "https://", "http:", "//"]).flatmap(lambda start: URL_TEXTS.map(lambda text: start + text)), URL_TEXTS
)


@pytest.fixture(scope="module", autouse=True)
def wire() -> Iterator[None]:
    """A server that every host leads to: the host that libcurl sends is the host that libcurl read."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as server:
        Heard.port = server.getsockname()[1]
        threading.Thread(target=_serve, args=(server,), daemon=True).start()
        yield


class Heard:
    """What came in on the last connection."""

    port = 0
    host = ""


def _serve(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            head = b""
            while b"\r\n\r\n" not in head and (more := connection.recv(65536)):
                head += more
            hosts = [line.partition(b":")[2].strip().decode("latin-1") for line in head.split(b"\r\n") if line.lower().startswith(b"host:")]
            Heard.host = "; ".join(hosts)
            connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")


def host_on_the_wire(href: str) -> str | None:
    """The Host that libcurl sends for that address; None where it does not take it. The port that the scheme implies is left out."""
    curl = pycurl.Curl()
    with closing(curl):
        for option, value in (
            (pycurl.URL, href.encode("ascii")),
            (pycurl.PATH_AS_IS, 1),
            (pycurl.PROXY, ""),
            (pycurl.NOPROXY, "*"),
            (pycurl.NOSIGNAL, 1),
            (pycurl.CONNECT_TO, [f"::127.0.0.1:{Heard.port}"]),
            (pycurl.TIMEOUT_MS, 5000),
            (pycurl.WRITEFUNCTION, lambda data: None),
        ):
            curl.setopt(option, value)
        try:
            curl.perform()
        except pycurl.error as error:
            if error.args[0] not in {pycurl.E_URL_MALFORMAT, pycurl.E_COULDNT_RESOLVE_HOST}:
                raise
            return None
        return Heard.host


@example("http://example.com\\@127.0.0.1/")
@example("http://127.0.0.1:80\\@example.com/")
@example("http://①②⑦.⓪.⓪.①/")
@fuzz(HOSTS, examples=40)
def test_s6_one_host_in_the_validator_on_the_wire_and_in_the_store(text: str) -> None:
    made = read_url(text, Guard(AllowedTarget.parse_all("0.0.0.0/0, ::/0"), extra_ports=range(1, 65536)))
    assume(isinstance(made, PageTarget))
    assert isinstance(made, PageTarget)
    validated = urls.parse(made.url)
    assert validated is not None
    assert urls.parse(validated.href) == validated, "what is stored reads as what was validated"
    assert host_key(made.url, Guard()) == validated.host.rstrip(".").removeprefix("www.")
    heard = host_on_the_wire(f"http://{made.url.partition('://')[2]}")
    if heard is not None:
        host = f"[{validated.host}]" if ":" in validated.host else validated.host
        port = "" if validated.port == 80 or (validated.scheme == "https" and validated.port == 443) else f":{validated.port}"
        assert heard.lower() in {f"{host}{port}", host if port == ":80" else f"{host}{port}"}


@fuzz(HOSTS)
def test_s6_reading_an_address_again_changes_nothing(text: str) -> None:
    parsed = urls.parse(text)
    if parsed is None:
        return
    again = urls.parse(parsed.href)
    assert again == parsed
    for read in (urls.project_name, urls.query_parameters, urls.without_tracking, urls.without_fragment, urls.origin_part):
        read(parsed.href)
    assert urls.registrable_domain(parsed.host) is not None
    urls.display_host(parsed.host)
    urls.is_ip(parsed.host)
    assert urls.without_tracking(urls.without_tracking(parsed.href)) == urls.without_tracking(parsed.href)


@fuzz(
    of_pieces(
        "http://example.com",
        "https://a-b.example.org",
        "/",
        "//",
        ".",
        "..",
        "?",
        "#",
        "a",
        "%41",
        "-",
        "--",
        "~",
        ":",
        "@",
        "é",
        ";",
        "A",
        most=8,
    )
)
def test_s7_the_short_way_through_plain_addresses_is_the_long_way(text: str) -> None:
    short = urls.parse(text)
    try:
        long = ada_url.URL(text)
    except (ValueError, UnicodeError):
        assert short is None
        return
    assert short is not None
    assert (short.href, short.host, short.path, f"?{short.query}" if short.query else "") == (
        long.href,
        long.hostname.strip("[]"),
        long.pathname,
        long.search,
    )


@fuzz(st.sampled_from(["http://example.com/a/b?c", "https://example.com/", "http://[::1]:8080/x/", "http://a.example/%41/../b"]), URL_TEXTS)
def test_s7_joining_is_reading_in_place(base: str, text: str) -> None:
    joined = urls.join(base, text)
    read = urls.parse(text, base)
    assert (joined is None) == (read is None)
    assert joined is None or (read is not None and joined == read.href)


@fuzz(HOSTS)
def test_s6_the_guard_has_a_sentence_for_everything(text: str) -> None:
    refusal = Guard().check_url(text)
    parsed = urls.parse(text)
    assert refusal is not None or (parsed is not None and parsed.is_http and not parsed.username)
    if parsed is not None and refusal is None and (address := parse_address(parsed.host)):
        assert address.is_global or address.is_private is False


@fuzz(st.integers(0, 2**128 - 1))
def test_s3_every_reading_of_an_address_is_judged(number: int) -> None:
    address = ip_address(number)
    refusal = Guard().check_address("name.example", 443, str(address))
    for reading in readings(address):
        if reading.is_loopback or reading.is_link_local or reading.is_multicast or reading.is_unspecified:
            assert refusal is not None


@fuzz(URL_TEXTS)
def test_s21_an_entry_of_allowed_targets_is_read_or_refused_by_name(text: str) -> None:
    try:
        AllowedTarget.parse(text)
    except SettingError as error:
        if "ALLOW_TARGETS" not in str(error):
            raise
