"""Outcomes of sd-matches-page: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

PRODUCT = (
    '{"@context": "https://schema.org", "@type": "Product", "name": "Blue widget", '
    '"offers": {"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"}}'
)
NEWS = '{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "Mayor praises the repaired stone bridge"}'
RATED = '{"@context": "https://schema.org", "@type": "Product", "name": "Blue widget", "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.6"}}'


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


OUTCOMES = [
    (
        "articles of a list below",
        ld(
            PRODUCT,
            NEWS,
            NEWS.replace("Mayor praises the repaired stone bridge", "Town &quot;sells&quot; its old tram depot"),
            body='<h1>Blue widget</h1><p>12.90 €</p><h2>Mayor praises the repaired stone bridge</h2><h2>Town "sells" its old tram depot</h2>',
        ),
        "passed",
    ),
    ("name and price stand there", ld(PRODUCT), "passed"),
    ("a shortened name", ld(PRODUCT.replace("Blue widget", "Blue widget, twelve sizes")), "passed"),
    (
        "a decimal comma and a thousands point",
        ld(PRODUCT.replace("12.90", "1299.00"), body='<h1>Blue widget</h1><p class="price">1.299,00 €</p>'),
        "passed",
    ),
    (
        "two prices: which one is meant is not known",
        ld(PRODUCT, body='<h1>Blue widget</h1><p class="price">9.90 €</p><p class="price">19.90 €</p>'),
        "passed",
    ),
    ("a shipping threshold is no price", ld(PRODUCT, body="<h1>Blue widget</h1><p>Free shipping over 50 €</p>"), "passed"),
    ("another headline beside the name", ld(PRODUCT.replace('"name"', '"headline": "Red garden gnome", "name"')), "passed"),
    ("a rating in a label", ld(RATED, body='<h1>Blue widget</h1><span aria-label="4,6 of 5 stars"></span>'), "passed"),
    (
        "no name at all",
        ld('{"@context": "https://schema.org", "@type": "Product", "offers": {"@type": "Offer", "price": "12.90"}}'),
        "inapplicable",
    ),
    ("a headline in other words", ld(NEWS, body="<h1>Bridges of the town</h1><p>Mayor praises the repaired stone bridge</p>"), "passed"),
    ("a headline beside one other title", ld(NEWS, body="<p>Mayor praises the repaired stone bridge</p>"), "passed"),
    (
        "a headline in two words",
        ld(NEWS.replace(" praises the repaired stone", ""), body="<h1>Blue widget</h1><p>Mayor bridge</p>"),
        "passed",
    ),
    (
        "a headline in a script without spaces",
        ld(
            NEWS.replace("Mayor praises the repaired stone bridge", "市長が新しい橋を開通"),
            body="<h1>町の橋</h1><p>市長が新しい橋を開通</p>",
        ),
        "passed",
    ),
    ("nothing to compare", ld('{"@context": "https://schema.org", "@type": "WebSite", "name": "Example"}'), "inapplicable"),
    (
        "Microdata",
        page('<div itemscope itemtype="https://schema.org/Product"><meta itemprop="name" content="Red thing"></div>'),
        "inapplicable",
    ),
    ("another name", ld(PRODUCT.replace("Blue widget", "Red garden gnome")), "warned"),
    ("a headline of another article", ld(NEWS, body="<h1>Blue widget</h1><p>Mayor praises the repaired stone bridge</p>"), "warned"),
    ("a rating drawn as stars", ld(RATED, body='<h1>Blue widget</h1><p><i class="icon icon-star"></i> (12)</p>'), "passed"),
    ("a rating in signs", ld(RATED, body="<h1>Blue widget</h1><p>★★★★☆ (12)</p>"), "passed"),
    ("no rating, and the start of something", ld(RATED, body='<h1 class="start">Blue widget</h1>'), "warned"),
    ("a rating that stands nowhere", ld(RATED, body="<h1>Blue widget</h1>"), "warned"),
    ("another price", ld(PRODUCT, body='<h1>Blue widget</h1><p class="product-price">14.90 €</p>'), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-matches-page", html) == expected, case
