"""S26, S28, S30: what is made to be slow to read costs checks of content, markup and previews little, and stops none of them."""

import time

import pytest

from findable.artifacts.page.keywords import Keywords
from findable.artifacts.page.social import Preview
from findable.artifacts.page.structured_data import StructuredData
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.vocabulary import Category
from tests.checks.harness import artifacts, page

CATEGORIES = (Category.CONTENT, Category.STRUCTURED_DATA, Category.SOCIAL, Category.AI)
MANY = 50_000
LD = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "x"}</script>'
PAGES = {
    "nested": page("<div>" * MANY + "<h1>Deep</h1>"),
    "paragraphs": page("<p>word word</p>" * MANY),
    "headings": page("<h2>x</h2>" * MANY),
    "a long title": page(head="<title>" + "{{ word " * MANY + "</title>"),
    "a long description": page(head='<meta name="description" content="' + "x" * 10**7 + '">'),
    "braces": page("<p>" + "{{ " * MANY),
    "dummy values": page("<p>" + "undefined " * MANY),
    "garbled": page("<p>" + "Ã" * MANY * 5),
    "one long word": page("<p>" + "a" * 10**6),
    "Chinese": page("<p>" + "你好世界" * MANY, lang="zh"),
    "blocks of JSON-LD": page(head=LD * 2000),
    "deep JSON-LD": page(head='<script type="application/ld+json">' + "[" * 10**6 + "</script>"),
    "Microdata": page('<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">x</b></div>' * (MANY // 10)),
    "preview tags": page(head='<meta property="og:image" content="/a">' * (MANY // 10)),
    "hidden from snippets": page("<div data-nosnippet>x</div>" * MANY),
    "times": page('<time datetime="2026-01-01">x</time>' * MANY, head='<meta property="og:type" content="article">'),
    "NUL and lone surrogates": page("<h1>\x00&#xD800;</h1>" + LD.replace('"x"', '"\\ud800"')),
}


@pytest.mark.parametrize("name", PAGES)
def test_s26_s28_s30_no_check_stops_or_takes_long(name: str) -> None:
    found = artifacts(PAGES[name])
    for kind in (Keywords, StructuredData, Preview):
        found.get(kind)
    start = time.process_time()
    results = [item for item in run(found, runnable_checks(found.sources)) if item.check.category in CATEGORIES]

    assert time.process_time() - start < 15
    assert [item.check.id for item in results if "the check failed on this page" in item.finding.message] == []
    assert [item.check.id for item in results if "the analysis of" in item.finding.message] == []
