"""The parsed page: what browsers build of odd markup, where things stand, and hostile sizes."""

import time

import pytest

from findable.artifacts.html.document import Document
from findable.artifacts.html.folded_text import fold_space
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.html.page_tree import MAX_FAULTS
from findable.artifacts.page.head import Head
from findable.artifacts.registry import Absent
from findable.capture.page_size_limits import STORED_BYTES
from findable.formats.parse_budget import BEGINNING_CHARS, MAX_ELEMENTS
from findable.vocabulary import Verdict
from tests.checks.harness import artifacts, page

URL = "https://www.example.com/a/page"


def parsed(html: str | bytes, **given: object) -> Document:
    made = artifacts(html, url=URL, **given).get(Document)
    assert isinstance(made, Document)
    return made


def head_of(html: str | bytes) -> Head:
    made = artifacts(html, url=URL).get(Head)
    assert isinstance(made, Head)
    return made


# --- what browsers build ----------------------------------------------------------------------------------------------


def test_a_page_without_head_tags_has_a_head() -> None:
    head = head_of("<!doctype html><title>A</title><meta name=description content=d><p>x")

    assert (head.title, head.description) == ("A", "d")
    assert head.titles[0].in_head


def test_a_picture_in_the_head_moves_what_follows_into_the_body() -> None:
    head = head_of('<html><head><title>A</title><img src=x><link rel=canonical href="/c"></head><body></body></html>')

    assert [link.in_head for link in head.rel("canonical")] == [False]


def test_a_noscript_with_a_picture_leaves_the_head_open() -> None:
    head = head_of('<head><noscript><img src=x></noscript><link rel=canonical href="/c"></head>')

    assert [link.in_head for link in head.rel("canonical")] == [True]


def test_the_title_of_a_drawing_is_none() -> None:
    head = head_of("<body><svg><title>Logo</title></svg>")

    assert head.titles == ()


@pytest.mark.parametrize(
    "html",
    [
        "<template><h1>x</h1><template><h1>y</h1></template></template><h2>z</h2>",
        "<div><template shadowrootmode=open><h1>x</h1></template></div><h2>z</h2>",
    ],
)
def test_templates_are_inert(html: str) -> None:
    found = parsed(html)

    assert found.all("h1") == []
    assert len(found.all("h2")) == 1
    assert found.select("h1") == []
    assert found.text == "z"


def test_an_unclosed_comment_swallows_the_rest() -> None:
    assert parsed("<p>a</p><!-- <h1>b</h1>").all("h1") == []


def test_headings_in_a_textarea_are_text() -> None:
    assert parsed("<textarea><h1>b</h1></textarea>").all("h1") == []


def test_three_thousand_nested_elements_are_read_to_the_end() -> None:
    found = parsed("<div>" * 3000 + "<h1>b</h1>")

    assert len(found.all("h1")) == 1
    assert found.text == "b"


def test_two_titles_and_two_bases_are_both_seen_and_the_first_counts() -> None:
    html = '<title>A</title><title>B</title><base href="/x/"><base href="/y/"><a href="z">z</a>'

    assert [title.text for title in head_of(html).titles] == ["A", "B"]
    assert head_of(html).title == "A"
    assert parsed(html).resolve("z") == "https://www.example.com/x/z"


def test_a_frameset_document_has_no_body() -> None:
    found = parsed("<html><head></head><frameset><frame src=a></frameset></html>")

    assert found.body is None
    assert found.text == ""


def test_an_empty_body_is_a_document() -> None:
    found = parsed("")

    assert (found.element_count, found.text) == (3, "")


def test_nul_bytes_are_no_part_of_the_text() -> None:
    assert "\0" not in parsed(b"<p>a\0b</p>").text


def test_lone_surrogates_cannot_come_in() -> None:
    found = parsed(b"<p title='&#xD800;'>a&#xDFFF;b\xed\xa0\x80</p>")

    (found.text + (found.all("p")[0].attr("title") or "")).encode("utf-8")


def test_xhtml_with_cdata_is_read_as_html() -> None:
    html = '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="http://www.w3.org/1999/xhtml"><body><p>a<![CDATA[b]]>c</p></body></html>'

    assert parsed(html, headers=[["Content-Type", "application/xhtml+xml"]]).text == "ac"


# --- texts, attributes, places ----------------------------------------------------------------------------------------


def test_text_leaves_out_what_is_not_shown_and_folds_white_space() -> None:
    html = "<p>a <b>b</b>c</p>\n<script>no</script><style>no</style><noscript>no</noscript><p>d<br>e\u00a0f</p><title>no</title><textarea>no</textarea>"

    assert parsed(html).text == "a bc d e f"


def test_blocks_are_words_apart_and_inline_elements_are_not() -> None:
    assert parsed("<div>a</div><div>b</div><span>c</span><span>d</span>").text == "a b cd"


def test_attributes() -> None:
    element = parsed('<a href="" class="x  y" DATA-Q="1" rel="a b">t</a>').all("a")[0]

    assert (element.attr("href"), element.attr("rel"), element.attr("data-q"), element.attr("id")) == ("", "a b", "1", None)
    assert element.attrs["rel"] == "a b"


def test_places_count_lines_and_columns_from_one() -> None:
    found = parsed("<!doctype html>\r\n<title>é</title>\r\n  <p>x</p><p>y</p>")
    first, second = found.all("p")

    assert [(item.line, item.column) for item in (first, second)] == [(3, 3), (3, 11)]
    assert first.order < second.order
    assert [found.source[found.offset_of(item.order) :][:5] for item in (first, second)] == ["<p>x<", "<p>y<"]


def test_what_the_source_does_not_hold_has_no_place() -> None:
    body = parsed("<p>x</p>").body

    assert body is not None
    assert (body.line, body.start_tag) == (None, "<body>")


def test_a_selector_finds_exactly_its_element() -> None:
    found = parsed("<ul><li>a</li><li>b</li></ul><ul><li>c</li></ul>")

    for item in found.all("li"):
        assert found.select(item.selector) == [item]


def test_start_tags_stand_as_written_and_are_cut() -> None:
    found = parsed(f'<p  title = "a > b"  ID=x>t</p><a href="{"y" * 1000}">z</a>')

    assert found.all("p")[0].start_tag == '<p  title = "a > b"  ID=x>'
    assert len(found.all("a")[0].start_tag) <= 241


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ('<base href="https://cdn.example.net/x/">', "https://cdn.example.net/x/a"),
        ('<base href="../y/">', "https://www.example.com/y/a"),
        ('<base target="_blank"><base href="/z/">', "https://www.example.com/z/a"),
        ('<base href="javascript:void(0)">', "https://www.example.com/a/a"),
        ('<base href="data:text/plain,x">', "https://www.example.com/a/a"),
    ],
)
def test_base(base: str, expected: str) -> None:
    assert parsed(base).resolve("a") == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("\\x", "https://www.example.com/x"),
        ("http:foo", "http://foo/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("/a\n/b", "https://www.example.com/a/b"),
        ("http://[::1", None),
    ],
)
def test_addresses_are_joined_as_browsers_do(href: str, expected: str | None) -> None:
    assert parsed("").resolve(href) == expected


@pytest.mark.parametrize(("depth", "children"), [(3, 1), (6, 4)])
def test_shape(depth: int, children: int) -> None:
    found = parsed("<div>" * (depth - 2) + "<i></i>" * children)

    assert found.max_depth == depth + 1
    assert found.widest[1] == max(children, 2)


def test_doctype_is_read() -> None:
    found = parsed("<!DOCTYPE html><!--a--><p><!--b-->")

    assert found.doctype == ("html", "", "")


# --- parse errors -----------------------------------------------------------------------------------------------------


def test_faults_of_a_page_of_brackets_are_those_of_its_beginning() -> None:
    document = Document("<p>" + "<" * 1_000_000, URL)

    assert not document.is_whole
    assert len(document.faults) == MAX_FAULTS
    assert {fault.code for fault in document.faults} == {"invalid-first-character-of-tag-name"}
    assert document.faults_at_end("eof-in-comment") == []


def test_faults_of_a_page_of_many_sound_brackets_are_all_looked_at() -> None:
    document = Document("<!doctype html><!--" + "<" * 90_000, URL)

    assert document.is_whole
    assert [fault.code for fault in document.faults_at_end("eof-in-comment")] == ["eof-in-comment"]


# --- what is no page --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "absent"),
    [
        ({"headers": [["Content-Type", "text/html; charset=utf-8"]]}, False),
        ({"headers": [["Content-Type", "TEXT/HTML"]]}, False),
        ({"headers": []}, False),
        ({"headers": [["Content-Type", "text/plain"]]}, False),
        ({"status": 206}, False),
        ({"status": 404}, True),
        ({"status": 503}, True),
    ],
)
def test_documents_are_2xx_html(given: dict[str, object], *, absent: bool) -> None:
    assert isinstance(artifacts(page(), **given).get(Document), Absent) is absent


@pytest.mark.parametrize("body", [b"%PDF-1.7", b'{"a": 1}', b"plain", b"<rss></rss>"])
def test_other_types_are_no_documents(body: bytes) -> None:
    assert isinstance(artifacts(body, headers=[["Content-Type", "application/x-other"]]).get(Document), Absent)


# --- hostile sizes ----------------------------------------------------------------------------------------------------

MILLION = 1_000_000
HOSTILE = {
    "a million nested elements": b"<div>" * MILLION,
    "a million nested inline elements": b"<b>" * MILLION,
    "an attribute of ten megabytes": b"<p title='" + b"a" * 10_000_000 + b"'>x</p>",
    "an attribute that never ends": b"<p title='" + b"a" * 10_000_000,
    "two hundred thousand links": b"<a href='/x'>x</a>" * 200_000,
    "a text of twenty megabytes": b"<p>" + b"word " * 4_000_000,
    "a million attributes": b"<p " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">",
    "NUL bytes": b"<p>" + b"\0" * 5_000_000,
    "broken UTF-8": b"<p>" + b"\xc3\x28\xff\xfe" * MILLION,
    "half of UTF-16": b"\xff\xfe" + b"<\0p\0>\0" * 100_000 + b"x",
    "a million templates": b"<template>" * 100_000,
    "unclosed comments": b"<!--" * MILLION,
}

TOO_MANY_ELEMENTS = {"a million nested elements", "a million nested inline elements", "two hundred thousand links", "half of UTF-16"}
TOO_LONG = {
    "an attribute of ten megabytes",
    "an attribute that never ends",
    "a text of twenty megabytes",
    "a million attributes",
    "NUL bytes",
    "broken UTF-8",
    "unclosed comments",
}
NO_END_OF_THE_HEAD = {"an attribute of ten megabytes", "an attribute that never ends", "a million attributes", "unclosed comments"}
"""So far as they are read, they are one tag or comment without an end."""


@pytest.mark.parametrize("name", HOSTILE)
def test_s26_hostile_documents_are_read_in_bounded_time(name: str) -> None:
    began = time.perf_counter()
    made = artifacts(HOSTILE[name])
    charset, document, head = made.get(Charset), made.get(Document), made.get(Head)
    if isinstance(document, Document):
        document.text.encode("utf-8")
        for element in document.all("p", "a", "div", "b")[:10]:
            assert len(element.snippet) < 1000
    taken_s = time.perf_counter() - began

    assert isinstance(charset, Charset)
    assert isinstance(document, Absent) == (name in TOO_MANY_ELEMENTS | TOO_LONG)
    assert isinstance(head, Absent) == (name in NO_END_OF_THE_HEAD), "no title, meta or link is beyond what is walked"
    assert taken_s < 30


def test_s26_a_page_of_too_many_elements_is_not_judged_by_its_beginning() -> None:
    before = b"<!doctype html><html><head></head><body>"  # three elements
    least_too_many = artifacts(before + b"<br>" * (MAX_ELEMENTS - 2))
    as_many_as_can_be = artifacts(before + b"<br>" * (MAX_ELEMENTS - 3))

    absent, document = least_too_many.get(Document), as_many_as_can_be.get(Document)

    assert isinstance(absent, Absent)
    assert absent.verdict is Verdict.UNKNOWN
    assert isinstance(document, Document)
    assert document.element_count == MAX_ELEMENTS


@pytest.mark.parametrize(("more", "is_judged"), [(0, True), (1, False)])
def test_s26_of_a_page_that_is_longer_than_what_is_kept_only_the_head_is_judged(more: int, *, is_judged: bool) -> None:
    start, end = "<!doctype html><title>A title</title><p><img src='data:image/png;base64,", "'><h1>end</h1>"
    made = artifacts(start + "x" * (STORED_BYTES - len(start + end) + more) + end)
    document, seen = made.get(Document), made.get(Head)

    assert isinstance(seen, Head)
    assert seen.title == "A title"
    if is_judged:
        assert isinstance(document, Document)
        assert [element.text for element in document.all("h1")] == ["end"]
    else:
        assert isinstance(document, Absent)
        assert (document.verdict, document.params) == (Verdict.UNKNOWN, {"count": BEGINNING_CHARS})


@pytest.mark.parametrize("space", [" ", "\n \t", "\u2003", " " * 300_000])
@pytest.mark.parametrize("words", [1, 30_000, 60_001])
def test_a_long_text_is_folded_like_a_short_one(space: str, words: int) -> None:
    text = space.join(["", *["wörter"] * min(words, 3 if len(space) > 10 else words), "x" * 250_000, "y", ""])

    assert fold_space(text) == " ".join(text.split())


def test_s26_the_walk_ends_where_no_more_elements_are_kept() -> None:
    document = Document("<p>first</p>" + "<q>x" * (MAX_ELEMENTS + 1000) + "<h1>last</h1>", "https://www.example.com/")

    assert document.cut
    assert document.element_count == MAX_ELEMENTS
    assert document.text.startswith("first x")
    assert document.all("h1") == []
    assert len(document.html.descendants()) == MAX_ELEMENTS - 1


def test_elements_are_found_by_their_rare_attributes_in_document_order() -> None:
    made = parsed(
        page(
            "<template><p role=a></template><label for=x role=c>L</label><svg style='fill:red' role=b></svg>"
            "<p STYLE='a:b' itemscope>x<output for=y role=d></output></p>"
        )
    )

    assert [node.tag for node in made.holders("for", "itemscope")] == ["label", "p", "output"]
    assert [node.attr("role") for node in made.holders("role")] == ["c", "b", "d"]
    assert [node.tag for node in made.holders("style", "role", limit=2)] == ["label", "svg"]
    assert [value for _, value in made.styles] == ["fill:red", "a:b"]
    assert made.holders("typeof") == []


def test_the_widest_element_is_the_first_of_several() -> None:
    made = parsed("<!doctype html><html><body><ul id=a><li><ol id=b><li>1<li>2<li>3</ol><li>2<li>3</ul>")

    widest, count = made.widest
    assert widest
    assert (widest.attr("id"), count) == ("a", 3)


def test_every_line_begins_where_it_begins() -> None:
    lines = [f"<p id=l{number}>" + "x" * (number * 37 % 300) for number in range(200)]
    made = parsed("\n".join(lines))

    for number in (199, 0, 57, 120):
        (found,) = made.select(f"#l{number}")
        start = made.offset_of(found.order)
        assert start is not None
        assert made.source[start:].startswith(f"<p id=l{number}>")


@pytest.mark.parametrize(
    ("markup", "snippet"),
    [
        ("<a href=/a><img src=a.png></a>", "<a href=/a> … </a>"),
        ("<a href=/a> <!-- nothing --> </a>", "<a href=/a></a>"),
        ("<a href=/a>…</a>", "<a href=/a>…</a>"),
        ("<script>start()</script>", "<script>start()</script>"),
        ("<script src=/a.js></script>", "<script src=/a.js></script>"),
    ],
)
def test_a_snippet_shows_that_an_element_is_not_empty(markup: str, snippet: str) -> None:
    document = parsed(page(body=markup))

    assert document.all("a", "script")[0].snippet == snippet
    assert document.head.snippet == "<head> … </head>"


@pytest.mark.parametrize(
    ("policy", "base", "is_used"),
    [
        ("", "https://cdn.example.net/", True),
        ("script-src 'self'", "https://cdn.example.net/", True),
        ("base-uri 'self'", "/y/", True),
        ("base-uri https://*.example.net", "https://cdn.example.net/", True),
        ("base-uri https:", "https://cdn.example.net/", True),
        ("base-uri *", "https://cdn.example.net/", True),
        ("base-uri 'none'", "/y/", False),
        ("base-uri 'self'", "https://cdn.example.net/", False),
        ("base-uri cdn.example.net/a/", "https://cdn.example.net/b/", False),
        ("base-uri *, base-uri 'none'", "/y/", False),
    ],
)
def test_a_base_that_a_policy_blocks_has_no_effect(policy: str, base: str, is_used: bool) -> None:
    url = "https://www.example.com/a/b"
    sent = Document(f'<base href="{base}"><a href="c">c</a>', url, policies=[policy])
    assert (sent.base_url != url) is is_used
    written = Document(f'<meta http-equiv="content-security-policy" content="{policy}"><base href="{base}"><a href="c">c</a>', url)
    assert (written.base_url != url) is is_used
    later = Document(f'<base href="{base}"><meta http-equiv="content-security-policy" content="base-uri \'none\'">', url)
    assert later.base_url != url


def test_a_base_of_a_drawing_is_none() -> None:
    assert Document('<svg><base href="/x/"></base></svg>', "https://www.example.com/a").base_url == "https://www.example.com/a"


def test_elements_with_long_texts_are_left_out_of_the_short_ones() -> None:
    source = "<p> four \n</p><p>longer</p><b>b</b><object><p>longer, but hidden</p></object>"
    found = Document(source, "https://www.example.com/").short("p", "b", chars=4, limit=10)

    assert [element.text for element in found] == ["four", "b", "longer, but hidden"]
