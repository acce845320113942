"""The main fetch: what a page tells, hop by hop, and each way in which it is not seen."""

import asyncio
import gzip
import socket
import time
from collections.abc import Callable

import pytest

from findable import errors
from findable.capture.response import Response
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.user_agent import PRODUCT_TOKEN
from findable.reports.page_error_text import detail_of
from tests.fetch.helpers import fetch, not_seen, with_fetcher
from tests.sites.server import Page, Request, Site, Wire, drip, dynamic, in_turn, resetting, silent

MakeSite = Callable[..., Site]
HTML = "<!doctype html><title>A page</title><p>Text</p>"
OK_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


# --- what a page tells --------------------------------------------------------------------------------------------------------


def test_headers_are_kept_as_sent_and_cookie_values_hidden(site: Site) -> None:
    site.page("/", HTML, headers=[("X-Robots-Tag", "noindex"), ("x-robots-tag", "nofollow"), ("Set-Cookie", "id=secret; Path=/; HttpOnly")])
    response = fetch(site.url())
    assert response.status == 200
    assert response.body == HTML.encode()
    assert response.headers.all("X-Robots-Tag") == ("noindex", "nofollow")
    assert ("x-robots-tag", "nofollow") in response.headers.lines
    assert response.headers.first("set-cookie") == "id=…; Path=/; HttpOnly"
    assert response.final.http_version == "1.1"
    assert response.final.address == "127.0.0.1"


def test_folded_lines_and_interim_answers_and_trailers(site: Site) -> None:
    site.raw(
        "/",
        b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Long: one\r\n two\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n0\r\nX-Trailer: late\r\n\r\n",
    )
    response = fetch(site.url())
    assert response.headers.first("x-long") == "one two"
    assert response.headers.first("link") is None
    assert response.headers.first("x-trailer") is None
    assert response.body == b"<p>hi"


def test_each_hop_is_kept_with_its_timing(site: Site) -> None:
    site.redirect("/a", "b", 301)
    site.redirect("/b", site.url("/c?x=1#part"), 308)
    site.page("/c", HTML, delay_s=0.2)
    response = fetch(site.url("/a#top"))
    assert response.requested_url == site.url("/a#top")
    assert [(hop.url, hop.status) for hop in response.hops] == [(site.url("/a"), 301), (site.url("/b"), 308), (site.url("/c?x=1"), 200)]
    assert [hop.location for hop in response.hops] == [site.url("/b"), site.url("/c?x=1"), ""]
    timing = response.final.timing
    assert 200 <= timing.first_byte_ms <= timing.last_byte_ms
    assert timing.connect_ms > 0
    assert timing.wait_ms >= 190
    assert site.connections_count == 3


def test_a_location_in_utf8_is_read_as_browsers_do(site: Site) -> None:
    site.raw("/", "HTTP/1.1 302 Found\r\nLocation: /größe\r\nContent-Length: 0\r\n\r\n".encode())
    site.page("/gr%C3%B6%C3%9Fe", HTML)
    assert fetch(site.url()).final_url == site.url("/gr%C3%B6%C3%9Fe")


def test_content_codings_are_undone_and_both_sizes_known(site: Site) -> None:
    packed = gzip.compress(HTML.encode() * 50)
    site.page("/", packed, headers=[("Content-Encoding", "gzip")])
    response = fetch(site.url())
    assert response.body == HTML.encode() * 50
    assert (response.content_encoding, response.wire_bytes, response.decode_error) == ("gzip", len(packed), "")
    assert site.requests[0].headers["accept-encoding"] == "gzip, deflate, br, zstd"


def test_a_coding_that_lies_is_told(site: Site) -> None:
    site.page("/", HTML, headers=[("Content-Encoding", "gzip")])
    with pytest.raises(errors.PageUnavailable) as refusal:
        fetch(site.url())
    assert refusal.value.code == "not_html"
    assert "gzip" in detail_of(refusal.value.error)


@pytest.mark.parametrize("status", [404, 410, 400, 418, 500, 503])
def test_an_error_status_is_an_answer_of_the_page(site: Site, status: int) -> None:
    site.page("/", HTML, status=status)
    response = fetch(site.url())
    assert response.status == status
    assert response.attempts == (2 if status >= 500 else 1)


def test_the_user_agent_names_product_and_contact(site: Site) -> None:
    site.page("/", HTML)
    with_fetcher(lambda fetcher: fetcher.fetch_page(site.url()), contact="https://example.com/bot")
    agent = site.requests[0].headers["user-agent"]
    assert PRODUCT_TOKEN in agent
    assert "+https://example.com/bot" in agent
    assert "link" not in agent.lower()
    assert "accept-language" not in site.requests[0].headers


def test_a_page_without_a_type_is_html_when_it_begins_so(site: Site) -> None:
    site.raw("/html", b"HTTP/1.1 200 OK\r\n\r\n\xef\xbb\xbf <!-- x --><!DOCTYPE html><p>x")
    site.raw("/text", b"HTTP/1.1 200 OK\r\n\r\njust text")
    assert fetch(site.url("/html")).status == 200
    assert not_seen(site.url("/text")).code == "not_html"


def test_more_first_byte_times_for_a_median(site: Site) -> None:
    site.page("/", HTML)

    async def sampled(fetcher: Fetcher) -> Response:
        return await fetcher.add_wait_samples(await fetcher.fetch_page(site.url()))

    response = with_fetcher(sampled)
    assert len(response.wait_samples_ms) == 3
    assert response.wait_samples_ms[0] == response.final.timing.first_byte_ms
    assert site.connections_count == 3


# --- TLS ------------------------------------------------------------------------------------------------------------------


def test_the_certificate_chain_and_version_are_read(make_site: MakeSite) -> None:
    site = make_site(certificate="good", name="localhost")
    site.page("/", HTML)
    tls = fetch(site.url()).tls
    assert tls is not None
    assert (tls.version, tls.verified, tls.verify_error) == ("TLSv1.3", True, "")
    leaf, authority = tls.chain
    assert (leaf.subject, leaf.issuer) == ("CN = localhost", "CN = Findable test authority")
    assert {"localhost", "*.site.test", "127.0.0.1"} <= set(leaf.names)
    assert (leaf.not_before, leaf.not_after) == ("2025-01-01T00:00:00Z", "2125-01-01T00:00:00Z")
    assert (leaf.public_key_bits, leaf.signature_algorithm) == (256, "ecdsa-with-SHA256")
    assert authority.subject == "CN = Findable test authority"


@pytest.mark.parametrize(
    ("certificate", "words"), [("expired", "expired"), ("wrong_host", "localhost"), ("self_signed", "self-signed certificate")]
)
def test_s23_a_bad_certificate_is_a_second_try_without_credentials(make_site: MakeSite, certificate: str, words: str) -> None:
    site = make_site(certificate=certificate, name="localhost")
    site.page("/", HTML)
    identity = Identity(origin=site.base, headers=(("X-Key", "secret"),), cookies=(("id", "1"),), user_password=("me", "pass"))
    response = fetch(site.url(), identity=identity)
    assert response.tls is not None
    assert not response.tls.verified
    assert words in response.tls.verify_error
    assert response.tls.chain
    (request,) = site.requests
    assert not {"x-key", "cookie", "authorization"} & set(request.headers)


def test_a_bad_certificate_on_the_way_is_not_forgotten(make_site: MakeSite) -> None:
    bad, good = make_site(certificate="expired", name="localhost"), make_site(certificate="good", name="localhost")
    bad.redirect("/", good.page("/", HTML))
    response = fetch(bad.url())
    assert response.final_url == good.url()
    assert response.tls is not None
    assert not response.tls.verified


# --- not seen: one test per code ------------------------------------------------------------------------------------------


def test_dns_failed() -> None:
    reason = not_seen("http://no-such-name.invalid/")
    assert (reason.code, reason.error.phase) == ("dns_failed", "dns")


def test_connect_failed_when_nothing_listens() -> None:
    reason = not_seen(f"http://127.0.0.1:{closed_port()}/")
    assert (reason.code, reason.error.phase) == ("connect_failed", "connect")


def test_connect_failed_when_the_connection_is_reset(site: Site) -> None:
    site.handler("/", resetting)
    reason = not_seen(site.url())
    assert (reason.code, reason.error.phase) == ("connect_failed", "wait")
    assert len(site.requests) == 2


def test_tls_failed(make_site: MakeSite) -> None:
    site = make_site(greeting=b"HTTP/1.1 400 Bad Request\r\n\r\n")
    reason = not_seen(f"https://127.0.0.1:{site.port}/", deadline_s=5)
    assert (reason.code, reason.error.phase) == ("tls_failed", "tls")


def test_f17_a_timeout_names_its_phase(site: Site, make_site: MakeSite) -> None:
    site.handler("/silent", silent())
    site.raw("/header", OK_HEAD, 60.0)
    site.handler("/body", drip(b"<p>" * 1000))
    mute = socket.socket()
    mute.bind(("127.0.0.1", 0))
    mute.listen(1)
    with mute:
        cases = {site.url("/silent"): "wait", site.url("/header"): "header", site.url("/body"): "body"}
        cases[f"https://127.0.0.1:{mute.getsockname()[1]}/"] = "tls"
        for url, phase in cases.items():
            started_s = time.monotonic()
            reason = not_seen(url, deadline_s=0.7)
            assert (reason.code, reason.error.phase) == ("target_timeout", phase)
            assert time.monotonic() - started_s < 8


def test_f17_a_connection_that_is_never_accepted_times_out_in_connect() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        fillers = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(address)
            fillers.append(filler)
        reason = not_seen(f"http://127.0.0.1:{address[1]}/", deadline_s=0.7)
        for filler in fillers:
            filler.close()
    # Some kernels accept into the backlog and leave the client waiting for the first byte.
    assert reason.code == "target_timeout"
    assert reason.error.phase in {"connect", "wait"}


def test_too_many_redirects_in_a_loop_and_in_a_row(site: Site) -> None:
    site.redirect("/a", "/b")
    site.redirect("/b", "/a")
    for number in range(12):
        site.redirect(f"/{number}", f"/{number + 1}")
    site.page("/12", HTML)
    assert not_seen(site.url("/a")).code == "too_many_redirects"
    assert not_seen(site.url("/0")).code == "too_many_redirects"
    assert len(site.asked("/10")) == 1
    assert not site.asked("/11")
    assert fetch(site.url("/2")).status == 200


def test_target_refused() -> None:
    reason = not_seen("http://10.0.0.1/")
    assert reason.code == "target_refused"
    assert not reason.code.retryable


@pytest.mark.parametrize(
    ("status", "code"), [(401, "login_required"), (407, "login_required"), (403, "access_denied"), (451, "access_denied")]
)
def test_login_required_and_access_denied(site: Site, status: int, code: str) -> None:
    site.page("/", HTML, status=status)
    assert not_seen(site.url()).code == code
    assert len(site.requests) == 1


def test_bot_challenge_at_any_status(site: Site) -> None:
    site.page("/header", HTML, status=403, headers=[("cf-mitigated", "challenge")])
    site.page("/body", "<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>", status=200)
    assert not_seen(site.url("/header")).code == "bot_challenge"
    assert not_seen(site.url("/body")).code == "bot_challenge"


@pytest.mark.parametrize("kind", ["application/json", "image/png", "text/plain", "application/pdf"])
def test_not_html(site: Site, kind: str) -> None:
    site.page("/", "{}", content_type=kind)
    reason = not_seen(site.url())
    assert reason.code == "not_html"
    assert kind in detail_of(reason.error)


@pytest.mark.parametrize(("status", "body"), [(200, b""), (204, b""), (200, b"ok"), (200, b"%PDF-1.7\n<</Type/Catalog>>")])
def test_what_is_called_html_and_is_none_gets_no_rating(site: Site, status: int, body: bytes) -> None:
    site.page("/", body, status=status)
    assert not_seen(site.url()).code == "not_html"


def test_a_body_that_is_no_page_is_not_read(site: Site) -> None:
    sent: list[int] = []

    async def film(_request: Request, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 10000000000\r\n\r\n")
        for _ in range(2000):
            await wire.send(b"x" * 65536)
            sent.append(1)

    site.handler("/", film)
    assert not_seen(site.url()).code == "not_html"
    assert len(sent) < 200


def test_every_code_says_whether_a_retry_can_help() -> None:
    assert {code for code in errors.PageErrorCode if code.retryable} == {
        "server_error",
        "robots_unreadable",
        "target_rate_limited",
        "dns_failed",
        "connect_failed",
        "tls_failed",
        "target_timeout",
        "imported",
        "stopped",
        "worker_crashed",
        "internal_error",
    }
    assert all(code.words for code in errors.PageErrorCode)


# --- F18, F19: one retry -------------------------------------------------------------------------------------------------


BROKEN = {
    "reset": resetting,
    "server error": Page(b"oops", 502),
    "bad chunk": lambda _request, wire: wire.send(OK_HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello"),
    "http 0.9": lambda _request, wire: wire.send(b"<p>hello"),
    "wrong length": lambda _request, wire: wire.send(OK_HEAD + b"Content-Length: 100\r\n\r\n<p>short"),
    "no answer": lambda _request, wire: wire.send(b""),
}


@pytest.mark.parametrize("trouble", BROKEN)
def test_f18_trouble_that_passes_costs_one_retry(site: Site, trouble: str) -> None:
    site.handler("/", in_turn(BROKEN[trouble], Page(HTML.encode())))  # type: ignore[arg-type]  # a table of several kinds of answers
    response = fetch(site.url())
    assert (response.status, response.attempts, response.body) == (200, 2, HTML.encode())


@pytest.mark.parametrize("trouble", [name for name in BROKEN if name != "server error"])
def test_f18_trouble_that_stays_is_connect_failed(site: Site, trouble: str) -> None:
    site.handler("/", in_turn(BROKEN[trouble]))  # type: ignore[arg-type]  # a table of several kinds of answers
    reason = not_seen(site.url())
    assert reason.code == "connect_failed"
    assert len(site.requests) == 2


def test_f18_the_retry_stays_inside_the_deadline(site: Site) -> None:
    site.handler("/", in_turn(Page(b"oops", 502, delay_s=0.4), silent()))
    started_s = time.monotonic()
    reason = not_seen(site.url(), deadline_s=1.5)
    assert reason.code == "target_timeout"
    assert time.monotonic() - started_s < 12


def limited(value: str | None, status: int = 429) -> Page:
    return Page(b"slow down", status, [("Retry-After", value)] if value else [])


@pytest.mark.parametrize("value", ["1", None])
@pytest.mark.parametrize("status", [429, 503])
def test_f19_what_can_be_waited_for_is_waited_for_once(site: Site, value: str | None, status: int) -> None:
    site.handler("/", in_turn(limited(value, status), Page(HTML.encode())))
    response = fetch(site.url())
    assert (response.status, response.attempts) == (200, 2)
    if value:
        first, second = site.requests
        assert second.at_s - first.at_s >= 1


@pytest.mark.parametrize("value", ["86400", "Fri, 31 Dec 2099 23:59:59 GMT", "40", "99999999999999999999"])
def test_f19_what_is_too_long_to_wait_for_is_target_rate_limited(site: Site, value: str) -> None:
    site.handler("/", in_turn(limited(value), Page(HTML.encode())))
    started_s = time.monotonic()
    assert not_seen(site.url()).code == "target_rate_limited"
    assert len(site.requests) == 1
    assert time.monotonic() - started_s < 20


def test_f19_a_rate_limit_that_stays_is_target_rate_limited(site: Site) -> None:
    site.handler("/", in_turn(limited("1"), limited("1")))
    assert not_seen(site.url()).code == "target_rate_limited"
    assert len(site.requests) == 2


def test_f19_an_unavailable_page_that_asks_for_too_long_is_an_answer(site: Site) -> None:
    site.handler("/", in_turn(limited("86400", 503)))
    response = fetch(site.url())
    assert (response.status, response.attempts) == (503, 1)


def test_f19_the_pause_of_an_origin_is_not_that_of_its_neighbour(site: Site, make_site: MakeSite) -> None:
    neighbour = make_site()
    site.handler("/", in_turn(limited("3600"), Page(HTML.encode())))
    neighbour.page("/", HTML)

    async def two(fetcher: Fetcher) -> int:
        with pytest.raises(errors.PageUnavailable):
            await fetcher.fetch_page(site.url("/"), deadline_s=3)
        return (await fetcher.fetch_page(neighbour.url("/"), deadline_s=3)).status

    assert with_fetcher(two) == 200


def test_f19_the_pause_of_an_origin_holds_for_everybody(site: Site) -> None:
    site.handler("/", in_turn(limited("3600"), Page(HTML.encode())))
    site.page("/other", HTML)

    async def two(fetcher: Fetcher) -> list[str]:
        codes: list[str] = []
        for path in ("/", "/other"):
            try:
                await fetcher.fetch_page(site.url(path), deadline_s=3)
            except errors.PageUnavailable as error:
                codes.append(error.code)
        return codes

    assert with_fetcher(two) == ["target_rate_limited", "target_rate_limited"]
    assert not site.asked("/other")


# --- identity -----------------------------------------------------------------------------------------------------------


def test_credentials_reach_their_origin(site: Site) -> None:
    site.page("/", HTML)
    identity = Identity(
        origin=site.base, user_agent="Preview/1", headers=(("X-Key", "k"),), user_password=("mé", "p:w"), cookies=(("a", "1"), ("b", "2"))
    )
    fetch(site.url(), identity=identity)
    headers = site.requests[0].headers
    assert headers["user-agent"] == "Preview/1"
    assert headers["x-key"] == "k"
    assert headers["authorization"] == "Basic bcOpOnA6dw=="
    assert headers["cookie"] == "a=1; b=2"


def test_s16_credentials_do_not_follow_a_redirect_to_another_origin(make_site: MakeSite) -> None:
    first, second = make_site(), make_site()
    first.redirect("/", second.url("/back"))
    second.redirect("/back", first.page("/end", HTML))
    identity = Identity(
        origin=first.base, user_agent="Preview/1", headers=(("X-Key", "k"),), user_password=("me", "pw"), cookies=(("a", "1"),)
    )
    fetch(first.url(), identity=identity)
    secret = {"x-key", "authorization", "cookie"}
    assert "Preview" not in second.requests[0].headers["user-agent"]
    assert secret <= set(first.asked("/")[0].headers)
    assert not secret & set(second.requests[0].headers)
    assert secret <= set(first.asked("/end")[0].headers)


@pytest.mark.parametrize("line", [("X-A", "1\r\nX-B: 2"), ("X A", "1"), ("", "1"), ("Host", "evil.example"), ("X-A", "nul\0")])
def test_s80_a_header_that_could_smuggle_is_refused(line: tuple[str, str]) -> None:
    with pytest.raises(errors.SettingError):
        Identity(origin="http://a.example", headers=(line,))


def test_a_cancelled_fetch_frees_its_connection(site: Site) -> None:
    site.handler("/", silent())
    site.page("/next", HTML)

    async def cancel(fetcher: Fetcher) -> Response:
        tasks = [asyncio.ensure_future(fetcher.fetch_page(site.url())) for _ in range(8)]
        await asyncio.to_thread(site.wait_for_requests, 4)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return await fetcher.fetch_page(site.url("/next"))

    assert with_fetcher(cancel).status == 200
    assert site.peak_open_count <= 5


def test_dynamic_pages_see_the_request(site: Site) -> None:
    site.handler("/", dynamic(lambda request: Page(f"<p>{request.target}".encode())))
    assert fetch(site.url("/?q=1")).body == b"<p>/?q=1"
