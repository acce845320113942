"""Outcomes of sd-reviews: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


def rated(kind: str, rating: str) -> str:
    return (
        '{"@context": "https://schema.org", "@type": '
        + (kind if kind.startswith("[") else f'"{kind}"')
        + ', "name": "A", "aggregateRating": {"@type": "AggregateRating", '
        + rating
        + "}}"
    )


ITEM = '"itemReviewed": {"@type": "Product", "name": "B"},'
REVIEW = (
    '{"@context": "https://schema.org", "@type": "{TYPE}", "name": "A", "review": {"@type": "Review", {ITEM}'
    ' "author": {"@type": "Person", "name": "Ann"}, "reviewRating": {"@type": "Rating", "ratingValue": 4}}}'
)

OUTCOMES = [
    ("a rating", ld(rated("Product", '"ratingValue": 4.6, "ratingCount": 3')), "passed"),
    ("out of ten", ld(rated("Product", '"ratingValue": 9, "bestRating": 10, "reviewCount": 3')), "passed"),
    ("in percent", ld(rated("Product", '"ratingValue": "88", "bestRating": "100", "worstRating": "0", "reviewCount": 3')), "passed"),
    ("a percentage", ld(rated("Product", '"ratingValue": "88%", "reviewCount": 3')), "passed"),
    ("a percentage of nothing", ld(rated("Product", '"ratingValue": "0 %", "bestRating": 5, "reviewCount": 3')), "passed"),
    ("a fraction", ld(rated("Product", '"ratingValue": "6 / 10", "reviewCount": 3')), "passed"),
    ("zero reviews beside ratings", ld(rated("Product", '"ratingValue": 4, "ratingCount": 3, "reviewCount": 0')), "passed"),
    (
        "a product of an organisation",
        ld(
            '{"@context": "https://schema.org", "@type": "Organization", "name": "A"}',
            rated("Product", '"ratingValue": 4, "ratingCount": 3'),
        ),
        "passed",
    ),
    ("an article that reviews a product", ld(REVIEW.replace("{TYPE}", "Article").replace("{ITEM}", ITEM)), "passed"),
    ("a product, also as a page", ld(rated('["WebPage", "Product"]', '"ratingValue": 4, "ratingCount": 3')), "passed"),
    ("a series", ld(rated("TVSeries", '"ratingValue": 4, "ratingCount": 3')), "passed"),
    ("a type of others", ld(rated("Spaceship", '"ratingValue": 4, "ratingCount": 3')), "passed"),
    ("a whole number as a decimal one", ld(rated("Product", '"ratingValue": 4, "ratingCount": "3.0"')), "passed"),
    ("none", page(), "inapplicable"),
    ("a service", ld(rated("Service", '"ratingValue": 4, "ratingCount": 3')), "warned"),
    ("an article that is reviewed", ld(REVIEW.replace("{TYPE}", "Article").replace("{ITEM}", "")), "warned"),
    ("a rating in words", ld(rated("Product", '"ratingValue": "very good", "ratingCount": 3')), "warned"),
    ("a count with a separator", ld(rated("Product", '"ratingValue": 4, "ratingCount": "1,234"')), "warned"),
    ("a broken count", ld(rated("Product", '"ratingValue": 4, "reviewCount": 2.5')), "warned"),
    ("an author of 100 characters", ld(REVIEW.replace("{TYPE}", "Product").replace("{ITEM}", "").replace("Ann", "A" * 100)), "warned"),
    ("a business rates itself", ld(rated("Dentist", '"ratingValue": 4.6, "ratingCount": 3')), "warned"),
    ("outside the scale", ld(rated("Product", '"ratingValue": 9, "ratingCount": 3')), "warned"),
    ("more than all", ld(rated("Product", '"ratingValue": "110%", "ratingCount": 3')), "warned"),
    ("a decimal comma", ld(rated("Product", '"ratingValue": "4,6", "ratingCount": 3')), "warned"),
    ("nobody rated", ld(rated("Product", '"ratingValue": 5, "ratingCount": 0')), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-reviews", html) == expected, case
