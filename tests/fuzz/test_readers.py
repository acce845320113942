"""What sites send: every reader says something, soon, and the same however the bytes arrive: S25 to S28, S30."""

import copy
import gzip
import json
import time
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import head_of
from findable.artifacts.page.robots_directives import directives_of_head, header_directives
from findable.artifacts.page.security_headers import is_nosniff, parse_hsts, parse_policies
from findable.capture.response import Headers
from findable.capture.saved import dump, load
from findable.errors import SavedPageError
from findable.fetch.decode import Decoder
from findable.fetch.politeness import retry_after_s
from findable.fetch.redirects import redirect_target
from findable.fetch.response_head import HeadReader
from findable.fetch.sitemap_stream import SitemapReader
from findable.formats.json_ld import parse_block
from findable.formats.link_header import parse_link_header
from findable.formats.robots_txt import RobotsTxt, pattern_matches
from findable.formats.srcset import parse_srcset
from findable.reports.analysis import analyse
from tests.checks.harness import capture
from tests.fuzz.harness import as_bytes, cut, example, fuzz, of_pieces
from tests.reports import report_json

URL = "https://example.com/a"
SOON_S = 3.0
"""On a machine that does other things too; each takes milliseconds."""

ROBOTS = of_pieces(
    "User-agent:", "user-agent : ", "*", "Findable", "Googlebot", "\n", "\r", "\r\n", "Disallow:", "Allow:", "/", "$", "%", "%2F", "%zz",
    "Sitemap:", "Crawl-delay:", "1e999", "-1", "nan", "#", "\ufeff", "\0", "Content-Signal: ai-train=no", "<html>", "é", " ", "\t", "**", "a", most=40,
)  # fmt: skip
XML = of_pieces(
    "<urlset>", "</urlset>", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">', "<url>", "</url>", "<loc>", "</loc>", URL, "<lastmod>",
    "2026-01-01", "</lastmod>", "<sitemapindex>", "<sitemap>", "</sitemap>", "</sitemapindex>", "<!DOCTYPE x>", "<!ENTITY", "&amp;", "&x;", "<![CDATA[",
    "]]>", "<!--", "-->", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-16"?>', "<rss>", "<item>", "<link>", "\n", " ", "\0", "http://", most=30,
)  # fmt: skip
HEADER = of_pieces(
    "<", ">", ";", ",", "=", '"', "\\", "rel=", "canonical", "alternate", "hreflang=", URL, " ", "\t", "max-age=", "31536000", "includeSubDomains", "preload",
    "default-src", "'self'", "'nonce-", "*", "noindex", "nofollow", "googlebot:", "unavailable_after:", "25 Jun 2010 15:00:00 PST", "max-snippet:", "-1",
    "9" * 30, "none", "all", "é", "\x00", "1e9", "nosniff", "http:", "2 x", "1x", "100w", "data:,", most=25,
)  # fmt: skip
MARKUP = of_pieces(
    "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "<script>", "</script>", '<script type="application/ld+json">', "{", "}", "[", "]", '"', "'", "=", "<html lang=",
    "<head>", "<body>", "<title>", "</title>", '<meta name="robots" content="', '<meta charset="', "utf-7", '<meta http-equiv="refresh" content="0;url=', "<base href=",
    "<a href=", "javascript:", "http://[", "//", "<img srcset=", "<svg>", "<math>", "<template>", "<table>", "<p>", "<link rel=", "canonical", "alternate", " hreflang=", "<form>",
    "<input type=password>", "<iframe src=", "<style>", "@import", "url(", "&#x110000;", "&amp", "\0", "\ud800", "\u202e", "é", "\n", " ", "x", "1e400", most=40,
)  # fmt: skip
TOKENS = st.lists(st.sampled_from(["*", "Findable", "googlebot", "", "-", "a" * 300]), min_size=1, max_size=3)


@example(b"User-agent: *\nDisallow: /" + b"*a" * 200, ["*"], "https://example.com/" + "a" * 500)
@fuzz(as_bytes(ROBOTS), TOKENS, of_pieces("https://example.com", "/", "%2F", "?", "a", "*", "$", "é"))
def test_s30_robots_txt_is_read_and_decides(body: bytes, tokens: list[str], url: str) -> None:
    began_s = time.process_time()
    robots = RobotsTxt.parse(body)
    first, second = robots.decide(tokens, url), robots.decide(tokens, url)
    assert first == second
    delay_s = robots.crawl_delay_s(tokens)
    assert delay_s is None or delay_s >= 0
    assert robots.agents is not None
    assert time.process_time() - began_s < SOON_S


@fuzz(of_pieces("*", "/", "a", "$", "%", "b*"), of_pieces("https://example.com", "/", "a", "b", "?"))
def test_s30_patterns_end(pattern: str, url: str) -> None:
    began_s = time.process_time()
    pattern_matches(pattern, url)
    assert time.process_time() - began_s < SOON_S


@fuzz(as_bytes(XML), st.lists(st.integers(0, 10_000), max_size=6).map(tuple))
def test_s27_a_sitemap_says_the_same_in_pieces_and_in_one(body: bytes, places: tuple[int, ...]) -> None:
    whole, pieces = SitemapReader(URL), SitemapReader(URL)
    whole.feed(body)
    for piece in cut(body, places):
        if not pieces.feed(piece):
            break
    for reader in (whole, pieces):
        reader.finish()
    # Where reading stops, how much had arrived depends on the pieces.
    assert replace(whole.summary(read_to_end=True), decoded_bytes=0) == replace(pieces.summary(read_to_end=True), decoded_bytes=0)
    assert whole.listed == pieces.listed


@fuzz(
    st.lists(
        as_bytes(of_pieces("HTTP/1.1 ", "200", "301 Moved", "\r\n", "X: y", "Set-Cookie: ", "a=b", ":", " ", "\t", "Location: ")),
        max_size=12,
    )
)
def test_s25_header_lines_are_read(lines: list[bytes]) -> None:
    reader = HeadReader()
    for line in [b"HTTP/1.1 200 OK\r\n", *lines]:
        if not reader.read_line(line):
            break
    assert reader.headers is not None
    assert isinstance(reader.status, int)


@fuzz(HEADER)
def test_s25_values_of_headers_are_read(value: str) -> None:
    began_s = time.process_time()
    parse_link_header(value)
    parse_policies(value, enforced=True)
    parse_hsts(value)
    is_nosniff(value)
    pause_s = retry_after_s(value)
    assert pause_s is None or pause_s >= 0
    for directive in header_directives(Headers((("X-Robots-Tag", value), ("x-robots-tag", value)))):
        assert directive.number is None or isinstance(directive.number, int)
        assert directive.moment is None or directive.moment.tzinfo is not None
    parse_srcset(value)
    redirect_target(URL, 301, Headers((("Location", value),)))
    assert time.process_time() - began_s < SOON_S


@fuzz(MARKUP)
def test_s26_directives_of_metas_are_read(markup: str) -> None:
    directives_of_head(head_of(Document(markup, URL)))


@fuzz(as_bytes(MARKUP), HEADER, as_bytes(ROBOTS), examples=30)
def test_s26_no_check_stops_on_any_page(body: bytes, header: str, robots: bytes) -> None:
    """From the bytes to the report; a part that stops would say so."""
    seen = capture(
        body,
        headers=[("Content-Type", f"text/html; charset={header[:20]}"), ("Link", header), ("X-Robots-Tag", header)],
        robots_txt=robots.decode("latin-1"),
    )
    made = json.dumps(report_json(analyse(load(dump(seen)))))
    assert "a bug in Findable" not in made
    assert "the analysis of" not in made


@example('{"a":' * 200 + "1" + "}" * 200)
@example('{"a": 1e400, "a": -0, "a": NaN}')
@fuzz(
    of_pieces(
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        "null",
        "1e400",
        "-",
        "NaN",
        "Infinity",
        '"@type"',
        '"a"',
        "\\u",
        "\\ud800",
        "//",
        "/*",
        "*/",
        "<!--",
        "-->",
        "\n",
        "\0",
        "1" * 5000,
        most=60,
    )
)
def test_s28_json_ld_is_read(text: str) -> None:
    began_s = time.process_time()
    parsed = parse_block(text)
    assert parsed.state is not None
    assert time.process_time() - began_s < SOON_S


@example(b"\x8b\x06\x80~\xca\xd8\x89\xb0\xcd\x0c\xb2l\xf8\nd\xdc\xfd\x03W", "br", (38,))
@example(b"\x1ar", "br", (205,))
@example(gzip.compress(b"foo", mtime=0) + gzip.compress(b"foo", mtime=0)[:-4] + bytes(35) + b"\x03\0\0\0\x8b", "gzip", (39,))
@fuzz(
    st.binary(max_size=400),
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, zstd", "x", "identity"]),
    st.lists(st.integers(0, 400), max_size=4).map(tuple),
)
def test_s24_what_is_badly_compressed_is_an_error_and_no_more(data: bytes, coding: str, places: tuple[int, ...]) -> None:
    whole, pieces = Decoder(coding, 1000), Decoder(coding, 1000)
    whole.feed(data)
    whole.finish()
    for piece in cut(data, places):
        pieces.feed(piece)
    pieces.finish()
    assert len(whole.body) <= 1000
    assert bool(whole.error) == bool(pieces.error)


SAVED = json.loads(dump(capture("<!doctype html><title>A page</title><a href='/b'>b</a>", robots_txt="User-agent: *\nDisallow: /x")))
OTHER_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**400), 10**400), st.integers(-5, 5), st.floats(), st.text(max_size=5), st.just([]), st.just({}), st.just([[]]), st.just({"text": 1}),
    st.just({"base64": "!"}), st.just([None]),
)  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += _places(inner, (*path, key))
    return found


PLACES = _places(SAVED)


BODY = next(path for path in PLACES if path[-1] == "body")


@example([(BODY, {"text": None})])
@example([(BODY, {"text": 1})])
@example([(path, 10**400) for path in PLACES if path[-1] in {"ttfb_ms", "total_ms", "status"}])
@fuzz(st.lists(st.tuples(st.sampled_from(PLACES), OTHER_VALUES), min_size=1, max_size=3), examples=50)
def test_s89_a_saved_page_edited_by_hand_is_read_or_refused(edits: list[tuple[tuple[Any, ...], Any]]) -> None:
    document = json.loads(json.dumps(SAVED))
    for path, value in edits:
        inner = document
        try:
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = copy.deepcopy(value)
        except (KeyError, IndexError, TypeError):
            continue
    try:
        data = json.dumps(document).encode()
        loaded = load(data)
    except (SavedPageError, ValueError) as error:
        if not isinstance(error, SavedPageError) and "integer string conversion" not in str(error):
            raise
        return
    dump(loaded)


@fuzz(as_bytes(of_pieces("{", "}", '"format"', ":", "1", "[", "]" * 1000, "[" * 1000, '"page"')))
def test_s89_what_is_no_saved_page_is_refused(data: bytes) -> None:
    try:
        load(data)
    except SavedPageError:
        return
    raise AssertionError("read as a saved page")
