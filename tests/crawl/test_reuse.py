"""What an analysis process remembers of earlier pages of a site never changes the result of a page."""

import sys
from collections.abc import Sequence
from functools import _lru_cache_wrapper

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from findable.artifacts.page import technologies
from findable.capture.response import Failure, Headers, Hop, ProbeResponse, Response, Timing
from findable.capture.saved import dump_site
from findable.capture.site import SiteCapture
from findable.crawl.record import ReadPage
from findable.crawled_pages import read_pages
from findable.fetch.single_fetch import SingleFetch
from findable.values import remembered

ORIGIN = "https://shop.example"
STYLE = "<style>.menu, #notice {display: none} @import 'print.css'; .a {color: red}</style>"
SCRIPT = '<script>document.getElementById("query").setAttribute("aria-label", "x"); gtag("config", "G-1"); dataLayer.push({})</script>'
SITE = dump_site(SiteCapture(ORIGIN, "2026-11-30T12:00:00Z", ProbeResponse(f"{ORIGIN}/robots.txt", failure=Failure.TIMEOUT)))
PIECES = (
    *(STYLE, SCRIPT, STYLE.replace("none", "block"), SCRIPT.replace("query", "other")),
    '<nav class="menu"><a href="/basket" rel="nofollow">Basket</a><a href="/comments" rel="nofollow" class="comment">Reply</a></nav>',
    '<nav><a href="/a#part-1">Read more</a><a href="#part-1">here</a><a href="http://localhost:3000/">local</a></nav>',
    '<form><input id="query" name="q"><button class="hidden"></button><select id="other"></select></form>',
    '<img src="/wp-content/themes/a/x.jpg?v=1" alt="1 2 3"><img src="/_next/static/y.png">',
    '<link rel="stylesheet" href="/wp-includes/css/dist/block-library/style.min.css?ver=6.4.2">',
    '<script src="https://www.googletagmanager.com/gtm.js?id=1"></script><script src="/wp-content/plugins/elementor/a.js"></script>',
    '<div id="part-1" data-target="#part-1" data-tab="50%25">Shoes 42 → 1.999 ٣ жёлтые for long walks in the hills and by the sea</div>',
    "<h2>Shoes for walks</h2><p>Walking shoes of leather, made to last for many years and repaired by us at any time.</p>",
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization", "name": "Shoes"}</script>',
)
"""Parts of pages, with all that is remembered: scripts, styles, URLs, links, names; some differ in one word."""

UNNAMED = '<div class="menu"><a href="/icons"><i></i></a><input name="query"></div>'
LIKE = [("Shoes", [piece, UNNAMED]) for piece in (STYLE, PIECES[2], STYLE, SCRIPT, PIECES[3], SCRIPT, *PIECES[4:])]
"""Pages that differ only in a style, a script or another part; what they hide or name differs."""

pieces = st.lists(st.sampled_from(PIECES), max_size=9)
pages = st.lists(st.tuples(st.sampled_from(("", "Shoes", "Walking shoes for the hills")), pieces), min_size=2, max_size=4)


def read(number: int, title: str, parts: Sequence[str]) -> ReadPage:
    head = f'<title>{title}</title><meta name="description" content="Walk in shoes {number}">'
    body = f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(parts)}</body></html>".encode()
    url = f"{ORIGIN}/page/{number}"
    hop = Hop(url, 200, Headers((("content-type", "text/html; charset=utf-8"),)), "2", Timing(1, 2, 3, 4, 5), "192.0.2.1")
    response = Response(url, (hop,), body, len(body))
    (page,) = read_pages(SITE, [(url, SingleFetch(response=response))])
    return page


def forget() -> None:
    """Empty all bounded caches of the analysis."""
    technologies._KNOWN_URLS.clear()
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.startswith("findable.") else ():
            if isinstance(value, _lru_cache_wrapper) and value.cache_parameters()["maxsize"] is not None:
                value.cache_clear()


def compare(site: Sequence[tuple[str, Sequence[str]]]) -> None:
    remembering = [read(number, *page) for number, page in enumerate(site)]
    for number, page in enumerate(site):
        forget()
        assert read(number, *page) == remembering[number]


@settings(max_examples=6, deadline=None)
@example(LIKE)
@given(pages)
def test_pages_read_in_turn_have_the_results_of_single_pages(site: list[tuple[str, list[str]]]) -> None:
    compare(site)


@pytest.mark.full
@settings(max_examples=150, deadline=None)
@given(pages)
def test_many_sites_read_in_turn_have_the_results_of_single_pages(site: list[tuple[str, list[str]]]) -> None:
    compare(site)


def test_what_is_remembered_of_texts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.values.MAX_REMEMBERED_CHARS", 10)
    calls: list[str] = []

    @remembered
    def size(text: str) -> int:
        calls.append(text)
        return len(text)

    assert [size(text) for text in ("aaaa", "bbbb", "aaaa", "cccc", "bbbb", "aaaa", "d" * 11, "d" * 11)] == [4, 4, 4, 4, 4, 4, 11, 11]
    assert calls == ["aaaa", "bbbb", "cccc", "aaaa", "d" * 11, "d" * 11]
