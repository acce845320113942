"""What is kept of a page: its record and its blocks."""

from findable.artifacts.registry import gather
from findable.capture.crawl import Reason
from findable.capture.page import PageCapture
from findable.capture.response import Headers, Hop, Response, Timing
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.crawl.found_by import FoundBy
from findable.crawl.indexability import reason_of
from findable.crawl.packed_verdicts import all_check_ids, unpack_verdicts
from findable.crawl.record import ReadPage, record_of
from findable.crawl.url_keys import url_key
from findable.vocabulary import Source, Subject, Verdict

URL = "https://example.com/shop/blue"
MENU = '<nav><ul class="menu"><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>'
PAGE = f"""<!doctype html><html lang="en"><head><title>Blue
 widget</title><meta name="description" content="A widget."></head>
<body>{MENU}<main><h1>Blue widget</h1><p>Text with <a href="/shop/red#top" rel="nofollow">red</a>.</p></main></body></html>"""


def read(html: str, url: str = URL, status: int = 200, **headers: str) -> ReadPage:
    lines = (("Content-Type", "text/html; charset=utf-8"), *((name.replace("_", "-"), value) for name, value in headers.items()))
    hop = Hop(url, status, Headers(lines), "1.1", Timing())
    response = Response(url, (hop,), html.encode())
    artifacts = gather(PageCapture("2026-11-22T10:00:00Z", response))
    results = run(artifacts, runnable_checks(frozenset({Source.PAGE}), Subject.PAGE))
    return record_of(artifacts, response, results, reason=reason_of(artifacts, status))


def test_a_record_has_what_the_page_says() -> None:
    record = read(PAGE).record

    assert (record.title, record.description, record.h1, record.lang) == ("Blue widget", "A widget.", "Blue widget", "en")
    assert record.is_indexable
    assert record.is_html


def test_noindex_and_another_canonical_are_reasons() -> None:
    canonical = PAGE.replace("</head>", '<link rel="canonical" href="/shop"></head>')

    assert read(PAGE, X_Robots_Tag="noindex, nofollow").record.reason is Reason.NOINDEX
    assert read(canonical).record.reason is Reason.CANONICAL
    assert read(canonical).record.canonical == "https://example.com/shop"
    assert read(PAGE, status=404).record.reason is Reason.STATUS


def test_verdicts_come_back_from_their_bytes() -> None:
    verdicts = unpack_verdicts(read(PAGE).record.verdicts, all_check_ids())

    assert verdicts["title-present"] is Verdict.PASSED
    assert "title-unique" not in verdicts


def test_only_failed_and_warned_findings_are_kept() -> None:
    assert {finding.verdict for finding in read(PAGE).record.findings} <= {Verdict.FAILED, Verdict.WARNED}


def test_a_menu_is_one_block_on_every_page() -> None:
    first, second = read(PAGE), read(PAGE.replace("Text with", "Other text with"), "https://example.com/shop/green")

    menu, content = first.blocks
    assert menu.key == second.blocks[0].key
    assert [link.url for link in menu.links] == ["https://example.com/", "https://example.com/shop"]
    assert (menu.landmark, content.landmark) == ("nav", "main")
    assert [(link.url, link.nofollow) for link in content.links] == [("https://example.com/shop/red", True)]


def test_a_page_that_asks_not_to_follow_has_other_blocks() -> None:
    page = PAGE.replace("</head>", '<meta name="robots" content="nofollow"></head>')

    assert all(link.nofollow for block in read(page).blocks for link in block.links)
    assert read(page).blocks[0].key != read(PAGE).blocks[0].key


def test_identity_of_a_url_ignores_the_fragment_alone() -> None:
    assert url_key(f"{URL}#a") == url_key(URL)
    assert url_key(f"{URL}/") != url_key(URL)


def test_equivalent_escapes_are_one_url_and_others_are_not() -> None:
    assert url_key(f"{URL}/caf%c3%a9?a=%7e") == url_key(f"{URL}/caf%C3%A9?a=~")
    assert url_key(f"{URL}/a%2fb") == url_key(f"{URL}/a%2Fb")
    assert url_key(f"{URL}/a%2Fb") != url_key(f"{URL}/a/b")
    assert url_key(f"{URL}/A") != url_key(f"{URL}/a")
    assert url_key(f"{URL}/cafe%CC%81") != url_key(f"{URL}/caf%C3%A9")


def test_ways_of_finding_have_names() -> None:
    assert (FoundBy.LINK | FoundBy.SITEMAP).names == ("link", "sitemap")


def test_a_passage_of_two_pages_is_not_their_text_where_their_headings_differ() -> None:
    passage = f"<article><p>{'Every release of the library mends what the one before it broke, and says so here. ' * 12}</p></article>"

    def key(heading: str, url: str) -> int:
        html = f"<!doctype html><html lang='en'><title>Notes</title><body><h1>{heading}</h1>{passage}</body></html>"
        return read(html, url).record.text_key

    assert key("Release 1.1", f"{URL}/1") == key("RELEASE 1.1", f"{URL}/2") != 0
    assert key("Release 1.1", f"{URL}/1") != key("Release 1.2", f"{URL}/2")
