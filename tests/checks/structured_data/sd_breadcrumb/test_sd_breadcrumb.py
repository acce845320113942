"""Outcomes of sd-breadcrumb: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

TRAIL = (
    '{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": ['
    '{"@type": "ListItem", "position": 1, "name": "Shop", "item": "https://www.example.com/shop"}, '
    '{"@type": "ListItem", "position": 2, "item": {"@id": "https://www.example.com/shop/blue", "name": "Blue"}}]}'
)
STEP = '<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><b itemprop="name">Shop</b></li>'


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


OUTCOMES = [
    ("a trail", ld(TRAIL), "passed"),
    ("inside a page", ld('{"@context": "https://schema.org", "@type": "WebPage", "breadcrumb": ' + TRAIL + "}"), "passed"),
    ("Microdata", page('<ol itemscope itemtype="https://schema.org/BreadcrumbList">' + STEP * 2 + "</ol>"), "passed"),
    ("a block that cannot be read", ld("{"), "inapplicable"),
    ("a script shell", page('<div id="root"></div><script src="/app.js"></script>'), "unknown"),
    ("none", page(), "warned"),
    (
        "one step only",
        ld('{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Shop"}]}'),
        "warned",
    ),
    (
        "steps without names",
        ld(
            '{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem"}, {"@type": "ListItem"}]}'
        ),
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-breadcrumb", html, url="https://www.example.com/shop/tools/blue-widgets") == expected, case


def test_a_page_near_the_root_needs_none() -> None:
    assert verdict("sd-breadcrumb", page(), url="https://www.example.com/shop") == "inapplicable"
    assert verdict("sd-breadcrumb", page(), url="https://www.example.com/wiki/New_Zealand") == "inapplicable"
    assert verdict("sd-breadcrumb", page(), url="https://www.example.com/c3ref/db_name.html") == "inapplicable"
