"""What goes out compressed, and what must not."""

import asyncio
import gzip
import json
from collections.abc import Mapping
from typing import Any

import pytest

from findable.formats.zstd import zstd
from findable.web.compression import MIN_BYTES, THREAD_BYTES, Compression, coding_for
from findable.web.pages.shared.page_templates import static_compressed, static_files, static_url
from tests.web.live import Client, Live, Reply

BOTH = {"Accept-Encoding": "gzip, deflate, br, zstd"}
GZIP = {"Accept-Encoding": "gzip"}


def plain(reply: Reply) -> bytes:
    """The body of an answer as it was before it was compressed."""
    coding = reply.headers["Content-Encoding"]
    assert int(reply.headers["Content-Length"]) == len(reply.body)
    if coding == "zstd":
        return zstd.decompress(reply.body)
    return gzip.decompress(reply.body) if coding == "gzip" else reply.body


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("br, deflate", ""),
        ("gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("gzip;q=0", ""),
        ("gzip; q=0.00", ""),
        ("zstd;q=0, gzip", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip;q=1, zstd;q=0.2", "zstd"),
        (",;=;,gzip;", "gzip"),
    ],
)
def test_the_coding_is_one_that_the_client_accepts(accepted: str, coding: str) -> None:
    assert coding_for({"accept-encoding": accepted}) == coding


@pytest.mark.parametrize(
    ("headers", "is_compressed"),
    [
        ({"cookie": "findable=x", "sec-fetch-site": "cross-site"}, False),
        ({"cookie": "findable=x", "sec-fetch-site": "Same-Site"}, False),
        ({"cookie": "findable=x", "sec-fetch-site": "same-origin"}, True),
        ({"cookie": "findable=x", "sec-fetch-site": "none"}, True),
        ({"cookie": "findable=x"}, True),
        ({"sec-fetch-site": "cross-site"}, True),
    ],
)
def test_what_another_site_asks_for_with_a_cookie_is_not_compressed(headers: dict[str, str], is_compressed: bool) -> None:
    assert bool(coding_for({**headers, "accept-encoding": "gzip"})) is is_compressed


@pytest.mark.parametrize("accepted", [BOTH, GZIP])
def test_pages_and_json_are_the_same_compressed_and_shorter(client: Client, accepted: Mapping[str, str]) -> None:
    report = client.report("https://bad.example/")
    for asked, path in ((client, f"/reports/{report['id']}"), (client.guest(), f"/r/{report['public_id']}")):
        usual, reply = asked.get(path), asked.get(path, accepted)
        assert reply.headers["Content-Encoding"] == ("zstd" if accepted is BOTH else "gzip")
        assert plain(reply) == usual.body
        assert len(reply.body) < len(usual.body) / 3
        assert (usual.headers["Content-Encoding"], usual.headers["ETag"][:2]) == (None, usual.headers["ETag"][:2])
        assert "Accept-Encoding" in usual.headers["Vary"]
        assert usual.headers["Vary"] == reply.headers["Vary"]
        assert asked.request("HEAD", path, None, accepted).headers["Content-Length"] == reply.headers["Content-Length"]


def test_the_tag_of_a_compressed_report_is_weak_and_good_for_everything(client: Client) -> None:
    path = f"/reports/{client.report()['id']}"
    strong, weak = client.get(path).headers["ETag"], client.get(path, BOTH).headers["ETag"]
    assert weak == f"W/{strong}"
    for tag in (strong, weak):
        for accepted in (BOTH, {}):
            known = client.get(path, {"If-None-Match": tag, **accepted})
            assert (known.status, known.body) == (304, b"")
            assert known.headers["ETag"] == (weak if accepted else strong)
            assert known.headers["Vary"] == "Accept-Encoding"
            assert known.headers["Content-Encoding"] is None
    assert client.put(path, {"privacy": 1}, {"If-Match": weak}).status == 200
    assert client.put(path, {"privacy": 0}, {"If-Match": weak}).status == 412


def test_what_is_short_or_compressed_already_stays_as_it_is(live: Live, client: Client) -> None:
    report = client.report("https://bad.example/")
    short = client.get("/reports/999999", BOTH)
    assert short.headers["Content-Encoding"] is None
    assert short.headers["Vary"] == "Accept-Encoding"
    guest = client.guest()
    picture = guest.get(f"/r/{report['public_id']}/report.pdf", BOTH)
    assert (picture.headers["Content-Encoding"], picture.headers["Vary"]) == (None, "Cookie, Accept-Language")
    assert len(guest.get("/healthz", BOTH).body) < MIN_BYTES
    del live


def test_events_are_not_held_back(client: Client) -> None:
    report = client.report()
    events = client.guest().get(f"/r/{report['public_id']}/events", BOTH)
    assert (events.status, events.headers["Content-Encoding"]) == (200, None)
    assert b"event: done" in events.body


def test_a_list_that_is_sent_piece_by_piece_is_compressed_as_it_comes(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    for number in range(12):
        client.report(f"https://bad.example/{number}")
    usual = browser.get("/projects/bad.example/reports.csv")
    for accepted in (BOTH, GZIP):
        reply = browser.get("/projects/bad.example/reports.csv", accepted)
        made = zstd.decompress(reply.body) if accepted is BOTH else gzip.decompress(reply.body)
        assert made == usual.body
        assert len(reply.body) < len(usual.body)


def test_static_files_are_compressed_once(client: Client) -> None:
    guest = client.guest()
    for name, body in static_files().items():
        reply = guest.get(static_url(name), BOTH)
        assert reply.headers["Vary"] == "Accept-Encoding"
        assert "immutable" in reply.headers["Cache-Control"]
        assert plain(reply) == body
    assert static_compressed("style.css", "gzip") is static_compressed("style.css", "gzip")
    assert len(static_compressed("style.css", "zstd")) < len(static_files()["style.css"]) / 3
    assert guest.get("/static/style.css").body == static_files()["style.css"]


def answered(body: list[bytes], headers: list[tuple[bytes, bytes]], status: int = 200, **sent: str) -> tuple[dict[str, str], bytes]:
    """What an application's answer becomes."""
    messages: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        del scope, receive
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for place, part in enumerate(body, 1):
            await send({"type": "http.response.body", "body": part, "more_body": place < len(body)})

    async def take(message: Any) -> None:
        messages.append(message)

    async def nothing() -> Any:
        raise AssertionError

    scope = {"type": "http", "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in sent.items()]}
    asyncio.run(Compression(application)(scope, nothing, take))
    head, *parts = messages
    found = {name.decode(): value.decode() for name, value in head["headers"]}
    assert [part.get("more_body", False) for part in parts] == [True] * (len(parts) - 1) + [False]
    return found, b"".join(part["body"] for part in parts)


JSON = (b"content-type", b"application/json; charset=utf-8")
LONG = json.dumps(list(range(2000))).encode()


def test_a_part_of_something_is_not_compressed() -> None:
    headers, body = answered([LONG], [JSON, (b"content-range", b"bytes 0-9/99")], 206, accept_encoding="gzip")
    assert (headers.get("content-encoding"), body) == (None, LONG)


def test_what_says_that_it_is_compressed_is_not_compressed_again() -> None:
    headers, body = answered([LONG], [JSON, (b"content-encoding", b"br")], accept_encoding="gzip")
    assert (headers["content-encoding"], headers["vary"], body) == ("br", "Accept-Encoding", LONG)


@pytest.mark.parametrize("size", [MIN_BYTES, THREAD_BYTES + 1])
def test_the_length_is_that_of_what_is_sent(size: int) -> None:
    whole = (LONG * (1 + size // len(LONG)))[:size]
    headers, body = answered([whole], [JSON, (b"content-length", str(size).encode())], accept_encoding="gzip")
    assert int(headers["content-length"]) == len(body)
    assert gzip.decompress(body) == whole


def test_an_answer_in_pieces_ends_once() -> None:
    headers, body = answered([b"a", b"", LONG, b""], [JSON], accept_encoding="gzip")
    assert "content-length" not in headers
    assert gzip.decompress(body) == b"a" + LONG
