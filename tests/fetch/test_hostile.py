"""Answers that no honest server gives: each ends as a failure or as what browsers make of it, and nothing of them breaks us."""

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from findable.capture.response import Failure
from findable.fetch.certificates import chain
from findable.reports.page_error_text import detail_of
from tests.fetch.helpers import ask, fetch, not_seen
from tests.sites.server import CERTIFICATES, Site

MakeSite = Callable[..., Site]
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BODY = b"<!doctype html><p>x"


@pytest.mark.parametrize(
    "answer",
    [
        BODY,  # HTTP/0.9
        b"HTTP/0.9 200 OK\r\n\r\n" + BODY,
        b"HTTP/1.1 099 X\r\n\r\n" + BODY,
        b"HTTP/1.1 1000 X\r\n\r\n" + BODY,
        b"HTTP/1.1 \xb2\xb2\xb2 X\r\n\r\n" + BODY,
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n" + BODY,
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
        OK + b"no colon\r\n\r\n" + BODY,
        OK + b"X-A: a\0b\r\n\r\n" + BODY,
        OK + b"X-A: a\rLocation: /b\r\n\r\n" + BODY,
        OK + b"HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n" + BODY,
        OK + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n" + BODY,
        OK + b"Content-Length: 0x5\r\n\r\n" + BODY,
        OK + b"Transfer-Encoding: \xff\x1b[31m\r\n\r\n" + BODY,
        b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
    ],
    ids=lambda answer: repr(answer[:70]),
)
def test_what_is_no_http_is_no_answer(site: Site, answer: bytes) -> None:
    site.raw("/", answer)
    reason = not_seen(site.url())
    assert reason.code == "connect_failed"
    assert detail_of(reason.error).isprintable()
    told = ask(site.url())
    assert told.failure in {Failure.PROTOCOL, Failure.CONNECT}
    assert told.hops == ()


@pytest.mark.parametrize("size", [b"zz", b"-5", b"f" * 40, b""])
def test_a_bad_chunk_is_not_called_a_broken_connection(site: Site, size: bytes) -> None:
    site.raw("/", OK + b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\n" + BODY)
    reason = not_seen(site.url())
    assert (reason.code, reason.error.phase) == ("connect_failed", "body")
    assert "chunk" in detail_of(reason.error)
    assert ask(site.url()).failure is Failure.PROTOCOL


@pytest.mark.parametrize("name", [b"X-A", b"Set-Cookie", b"Location"])
def test_a_line_that_is_too_long_is_said_so(site: Site, name: bytes) -> None:
    site.raw("/", OK + name + b": " + b"a" * 200_000 + b"\r\n\r\n" + BODY)
    assert "too long" in detail_of(not_seen(site.url()).error)


@pytest.mark.parametrize("digits", [16, 5000])
def test_a_size_that_no_file_has_is_not_believed(site: Site, digits: int) -> None:
    number = b"9" * digits
    site.raw("/length", OK + b"Content-Length: " + number + b"\r\n\r\n" + BODY)
    site.raw("/range", b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/" + number + b"\r\nContent-Length: 1\r\n\r\nx")
    assert ask(site.url("/length"), method="HEAD").total_bytes is None
    assert ask(site.url("/range"), range_bytes=1).total_bytes is None


def test_the_size_of_a_body_that_came_whole_is_its_own(site: Site) -> None:
    site.raw("/", OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    assert ask(site.url()).total_bytes == 5


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Set-Cookie: id=secret; Path=/; HttpOnly", "id=…; Path=/; HttpOnly"),
        ("Set-Cookie: secret", "…"),
        ("Set-Cookie: secret; Path=/", "…; Path=/"),
        ("Set-Cookie: =secret", "=…"),
        ('Set-Cookie: id="x; secret"; Secure', "id=…;…; Secure"),
        ("Set-Cookie: id=1; other=secret", "id=…; other=…"),
        ("Set-Cookie: id=1; Path=/, other=secret; Secure", "id=…; Path=/, other=…; Secure"),
        ("Set-Cookie: id=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "id=…; Expires=Wed, 09 Jun 2027 10:18:14 GMT"),
        ("Set-Cookie:  id=1;\r\n  other=secret", "id=…; other=…"),
        ("Set-Cookie : id=secret", "id=…"),
        ("Set-Cookie2: id=secret", "id=…"),
        ("set-cookie:", ""),
    ],
)
def test_what_a_cookie_holds_is_hidden_however_it_is_written(site: Site, line: str, kept: str) -> None:
    site.raw("/", OK + line.encode() + b"\r\n\r\n" + BODY)
    values = [value for name, value in fetch(site.url()).headers.lines if name.lower().startswith("set-cookie")]
    assert values == [kept]


def test_names_in_a_certificate_are_whatever_its_maker_wrote(make_site: MakeSite, tmp_path: Path) -> None:
    first, separator, _ = (CERTIFICATES / "good.pem").read_text().partition("-----END CERTIFICATE-----\n")
    der = ssl.PEM_cert_to_DER_cert(first + separator)
    assert der.count(b"*.site.test") == 1
    odd = tmp_path / "odd.pem"
    odd.write_text(ssl.DER_cert_to_PEM_cert(der.replace(b"*.site.test", b"\xfc\x1b[31m\nname")))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(odd, CERTIFICATES / "good.key")
    site = make_site(tls=context, name="localhost")
    site.page("/", BODY)
    tls = fetch(site.url()).tls
    assert tls is not None
    assert not tls.verified
    assert "ü\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}name" in tls.chain[0].names


def test_a_date_that_is_none_is_left_empty() -> None:
    (made,) = chain([((b"Start date", b"Jan  1 00:00:00 0000 GMT"), (b"Expire date", b"Jun 31 00:00:00 2026 GMT"))], [])
    assert (made.not_before, made.not_after, made.public_key_bits) == ("", "", 0)
