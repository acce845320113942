"""What is the page, and what was put in its place."""

from dataclasses import replace

import pytest

from findable.artifacts.response import Headers, Hop, Response, Timing
from findable.errors import PageNotSeen
from findable.fetch.seen import is_html, raise_unless_seen, wall_of

WORDS = b"<p>" + b"A page about bread with enough words to be a page of its own. " * 40 + b"</p>"


def response(body: bytes, status: int = 200, *, final: str = "https://example.com/", **headers: str) -> Response:
    lines = tuple((name.replace("_", "-"), value) for name, value in ({"content_type": "text/html"} | headers).items())
    return Response("https://example.com/", (Hop(final, status, Headers(lines), "2", Timing()),), body)


def judge_seen(asked: Response) -> PageNotSeen | None:
    try:
        raise_unless_seen(asked)
    except PageNotSeen as error:
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
    assert wall_of(response(WALLS[who], status)) == who
    error = judge_seen(response(WALLS[who], status))
    assert error is not None
    assert error.code == "bot_challenge"
    assert who in error.detail


@pytest.mark.parametrize("who", WEAK_WALLS)
def test_a_wall_whose_marks_stand_on_normal_pages_too_is_one_only_where_it_refuses(who: str) -> None:
    assert wall_of(response(WEAK_WALLS[who], 403)) == who
    assert wall_of(response(WEAK_WALLS[who], 200)) == ""


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
    assert wall_of(response(b"<p>wait", status, **headers))


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


def test_comments_without_end_cost_no_time() -> None:
    assert not is_html(response(b"<!--" * 16000, content_type=""))
    assert not is_html(response(b"<!---->" * 9000, content_type=""))
    assert wall_of(response(b"<script" * 9000, 403)) == ""


@pytest.mark.parametrize("status", [404, 410, 500, 503, 418])
def test_error_statuses_are_answers_of_the_page(status: int) -> None:
    assert judge_seen(response(b"<p>Not found", status)) is None
    assert judge_seen(response(b"{}", status, content_type="application/json")) is None


def test_a_body_that_cannot_be_decompressed_at_all_is_no_page() -> None:
    said = judge_seen(replace(response(b""), decode_error="gzip: not in gzip format"))
    assert said is not None
    assert said.sentences.endswith("not an HTML page. Its content coding cannot be undone: gzip: not in gzip format.")
    assert judge_seen(replace(response(b"<p>a beginning"), decode_error="gzip: the compressed data ends too early")) is None
