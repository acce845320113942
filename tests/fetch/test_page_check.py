"""What is the page, and what was put in its place."""

import pytest
from msgspec.structs import replace

from findable.capture.response import Headers, Hop, Response, Timing
from findable.errors import PageUnavailable
from findable.fetch.page_check import is_html, page_error_of, raise_unless_page
from findable.formats.bot_challenges import challenge_of
from findable.reports.page_error_text import detail_of

WORDS = b"<p>" + b"A page about bread with enough words to be a page of its own. " * 40 + b"</p>"


def response(body: bytes, status: int = 200, *, final: str = "https://example.com/", **headers: str) -> Response:
    lines = tuple((name.replace("_", "-"), value) for name, value in ({"content_type": "text/html"} | headers).items())
    return Response("https://example.com/", (Hop(final, status, Headers(lines), "2", Timing()),), body)


def judge_seen(asked: Response) -> PageUnavailable | None:
    try:
        raise_unless_page(asked)
    except PageUnavailable as error:
        return error
    return None


WALLS = {
    "Cloudflare": b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt = {}</script></body></html>",
    "Akamai": b"<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nYou don't have permission to access "
    b'"http&#58;&#47;&#47;example" on this server.<P>\nReference&#32;&#35;18&#46;1\n</BODY></HTML>',
    "Imperva": b'<html><body><iframe src="/_Incapsula_Resource?CWUDNSAI=9">Request unsuccessful. Incapsula incident ID: 1</iframe></body></html>',
    "DataDome": b"<html><head><title>example.com</title></head><body><p>Please enable JS</p><script>var dd={'rt':'c','cid':'x'}</script>"
    b'<script src="https://ct.captcha-delivery.com/c.js"></script></body></html>',
    "Sucuri": b"<title>Sucuri WebSite Firewall - Access Denied</title><p>Block ID: X</p>",
    "Vercel": b"<title>Vercel Security Checkpoint</title><p>We're verifying your browser</p>",
    "Anubis": b"<title>Making sure you&#39;re not a bot!</title><p>Loading...</p>",
}
WEAK_WALLS = {
    "PerimeterX": b'<div id="px-captcha"></div><p>Press and hold',
    "AWS WAF": b"<script>window.gokuProps = {}</script><div id=challenge-container></div>",
    "captcha": b'<form><script src="https://hcaptcha.com/1/api.js"></script></form>',
}


@pytest.mark.parametrize("who", WALLS)
@pytest.mark.parametrize("status", [200, 403, 429, 503])
def test_a_wall_is_known_at_any_status(who: str, status: int) -> None:
    assert challenge_of(response(WALLS[who], status)) == who
    error = judge_seen(response(WALLS[who], status))
    assert error is not None
    assert error.code == "bot_challenge"
    assert who in detail_of(error.error)


@pytest.mark.parametrize("who", WEAK_WALLS)
def test_a_wall_whose_marks_stand_on_normal_pages_too_is_one_only_where_it_refuses(who: str) -> None:
    assert challenge_of(response(WEAK_WALLS[who], 403)) == who
    assert challenge_of(response(WEAK_WALLS[who], 200)) == ""


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"cf_mitigated": "challenge"}, 200),
        ({"x_amzn_waf_action": "challenge"}, 202),
        ({"x_datadome": "protected"}, 403),
        ({"x_vercel_mitigated": "challenge"}, 429),
    ],
)
def test_a_wall_may_say_so_in_a_header(headers: dict[str, str], status: int) -> None:
    assert challenge_of(response(b"<p>wait", status, **headers))


@pytest.mark.parametrize(
    "body",
    [
        WORDS + b'<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
        WORDS + b'<script src="https://www.google.com/recaptcha/api.js"></script><div class="g-recaptcha"></div>',
        WORDS + b'<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
        WORDS + b'<script src="/_Incapsula_Resource?SWJIYLWA=7"></script>',
        b'<div id="root"></div><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><script src="/app.js"></script>',
        b"<title>What does Just a moment... mean?</title>" + WORDS,
        b"<title>Just a moment...</title>" + WORDS * 3,
        b"<p>Incapsula incident ID" + WORDS * 3,
    ],
)
def test_a_normal_page_with_a_widget_or_a_word_is_no_wall(body: bytes) -> None:
    assert judge_seen(response(body)) is None


def test_datadome_on_a_page_it_lets_through_is_no_wall() -> None:
    assert judge_seen(response(WORDS, x_datadome="protected")) is None


@pytest.mark.parametrize(
    "final", ["https://consent.google.com/ml?continue=x", "https://guce.yahoo.com/consent", "https://consent.youtube.com/m"]
)
def test_a_redirect_to_a_consent_service_is_a_wall(final: str) -> None:
    error = judge_seen(response(WORDS, final=final))
    assert error is not None
    assert error.code == "bot_challenge"


def test_the_consent_service_itself_is_a_page() -> None:
    asked = Response(
        "https://consent.google.com/",
        (Hop("https://consent.google.com/", 200, Headers((("content-type", "text/html"),)), "2", Timing()),),
        WORDS,
    )
    assert judge_seen(asked) is None


@pytest.mark.parametrize("kind", ["text/html", "TEXT/HTML; charset=x", "application/xhtml+xml"])
def test_html_by_its_type(kind: str) -> None:
    assert is_html(response(b"", content_type=kind))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<!doctype html>", True),
        (b"\n <!-- a --><!-- b --><HTML>", True),
        (b'<?xml version="1.0"?><html>', True),
        (b"<urlset>", False),
        (b"", False),
        (b"text", False),
    ],
)
def test_html_by_its_first_bytes_where_no_type_is_named(body: bytes, *, expected: bool) -> None:
    assert is_html(response(body, content_type="")) is expected


@pytest.mark.parametrize(
    "body",
    [
        b"<p>ok",
        b"<!doctype html><title>x</title>",
        b"\xef\xbb\xbf\n<b>ok</b>",
        b"   " * 30_000 + b"<h1>late</h1>",
        b"BMW <b>cars</b>",
        b"OTTO <p>shop",
        b"%PDF, explained: <p>what a file begins with",
        b"BM\x0c<p>a page with a stray form feed",
        "<p>wide".encode("utf-16-le"),
        "<p>wide".encode("utf-16"),
        "<p>wide".encode("utf-16-be"),
        b"<?php broken ?><p>still markup",
        b"</div>",
        b"<svg xmlns='http://www.w3.org/2000/svg'><text>shown as a page</text></svg>",
    ],
)
def test_a_small_page_is_a_page(body: bytes) -> None:
    assert page_error_of(response(body)) is None
    assert judge_seen(response(body)) is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "The response is empty"),
        (b" \r\n\t", "The response is empty"),
        (b"\xef\xbb\xbf\n", "The response is empty"),
        (b"ok", "without any markup"),
        (b'{"error": "1 < 2"}', "without any markup"),
        (b"a < b and b > c", "without any markup"),
        ("wide text".encode("utf-16"), "without any markup"),
        (b"%PDF-1.7\n<</Type/Catalog>><x:xmpmeta>", "its bytes are application/pdf"),
        (b"\n%PDF-1.4 <a>", "its bytes are application/pdf"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR<p>", "its bytes are image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF<p>", "its bytes are image/jpeg"),
        (b"GIF89a\1\0\1\0<p>", "its bytes are image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 <p>", "its bytes are image/webp"),
        (b"PK\x03\x04\x14\0<p>", "its bytes are application/zip"),
        (b"\x1f\x8b\x08\0<p>", "its bytes are application/gzip"),
    ],
)
def test_what_is_called_html_and_is_none_is_not_seen(body: bytes, words: str) -> None:
    said = judge_seen(response(body))
    assert said is not None
    assert said.code == "not_html"
    assert words in detail_of(said.error)


@pytest.mark.parametrize("status", [204, 205])
def test_an_answer_without_content_is_no_page(status: int) -> None:
    said = judge_seen(response(b"", status, content_type=""))
    assert said is not None
    assert (said.code, str(status) in detail_of(said.error)) == ("not_html", True)


def test_comments_without_end_cost_no_time() -> None:
    assert not is_html(response(b"<!--" * 16000, content_type=""))
    assert not is_html(response(b"<!---->" * 9000, content_type=""))
    assert challenge_of(response(b"<script" * 9000, 403)) == ""


@pytest.mark.parametrize("status", [404, 410, 500, 503, 418])
def test_error_statuses_are_answers_of_the_page(status: int) -> None:
    assert judge_seen(response(b"<p>Not found", status)) is None
    assert judge_seen(response(b"{}", status, content_type="application/json")) is None


def test_a_body_that_cannot_be_decompressed_at_all_is_no_page() -> None:
    said = judge_seen(replace(response(b""), decode_error="gzip: not in gzip format"))
    assert said is not None
    assert detail_of(said.error) == "The content coding of the response could not be decoded: gzip: not in gzip format."
    assert judge_seen(replace(response(b"<p>a beginning"), decode_error="gzip: the compressed data ends too early")) is None
