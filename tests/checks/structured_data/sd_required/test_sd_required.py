"""Outcomes of sd-required: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

PRODUCT = (
    '{"@context": "https://schema.org", "@type": "Product", "name": "Blue widget", "image": "/a.png", '
    '"offers": {"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"}}'
)
REVIEW = (
    '{"@context": "https://schema.org", "@type": "Review", "author": "Ann", "itemReviewed": "Blue widget", '
    '"reviewRating": {"@type": "Rating", "ratingValue": 4}}'
)
TRAIL = (
    '{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": ['
    '{"@type": "ListItem", "position": 1, "name": "Shop", "item": "https://www.example.com/shop"}, '
    '{"@type": "ListItem", "position": 2, "item": {"@id": "https://www.example.com/shop/blue", "name": "Blue"}}]}'
)
ORGANIZATION = '{"@context": "https://schema.org", "@type": ["Person", "Organization"], "name": "Ann"}'
JOB = (
    '{"@context": "https://schema.org", "@type": "JobPosting", "title": "A", "description": "B", "datePosted": "2026-11-01", "baseSalary": "1", '
    '"hiringOrganization": "C", "jobLocationType": "TELECOMMUTE", "validThrough": "2026-12-01", "employmentType": "FULL_TIME"}'
)


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


OUTCOMES = [
    ("a product", ld(PRODUCT), "passed"),
    ("an organization without logo on an inner page", ld(ORGANIZATION), "passed"),
    (
        "an offer by id",
        ld(
            '{"@context": "https://schema.org", "@graph": [{"@type": "Product", "name": "A", "image": "/a.png", "offers": {"@id": "#o"}}, {"@type": "Offer", "@id": "#o", "price": 1, "priceCurrency": "EUR"}]}'
        ),
        "passed",
    ),
    (
        "an offer in another block",
        ld(
            PRODUCT.replace('{"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"}', '{"@id": "#o"}'),
            '{"@context": "https://schema.org", "@type": "Offer", "@id": "#o", "price": 1, "priceCurrency": "EUR"}',
        ),
        "passed",
    ),
    ("an aggregate offer", ld(PRODUCT.replace('"Offer", "price"', '"AggregateOffer", "lowPrice"')), "passed"),
    ("a remote job", ld(JOB), "passed"),
    ("a trail", ld(TRAIL), "passed"),
    ("a price in its specification", ld(PRODUCT.replace('"price": "12.90"', '"priceSpecification": {"price": "12.90"}')), "passed"),
    (
        "a price and its currency in the specification",
        ld(PRODUCT.replace('"price": "12.90", "priceCurrency": "EUR"', '"priceSpecification": {"price": "12.90", "priceCurrency": "EUR"}')),
        "passed",
    ),
    (
        "a currency in one of two specifications",
        ld(
            PRODUCT.replace(
                '"price": "12.90", "priceCurrency": "EUR"',
                '"priceSpecification": [{"price": "9.90"}, {"price": "12.90", "priceCurrency": "EUR"}]',
            )
        ),
        "passed",
    ),
    (
        "an event whose offer has no currency",
        ld(
            '{"@context": "https://schema.org", "@type": "Event", "name": "A", "startDate": "2026-12-01", "endDate": "2026-12-01", "location": "B", "description": "C", "image": "/a.png", "offers": {"@type": "Offer", "price": "5"}}'
        ),
        "passed",
    ),
    ("an offer without currency", ld(PRODUCT.replace(', "priceCurrency": "EUR"', "")), "warned"),
    (
        "a price in a specification without currency",
        ld(PRODUCT.replace('"price": "12.90", "priceCurrency": "EUR"', '"priceSpecification": {"price": "12.90"}')),
        "warned",
    ),
    (
        "pros and cons instead of a rating",  # as in Google's own example
        ld(
            PRODUCT[:-1]
            + ', "review": {"@type": "Review", "author": "Ann", "positiveNotes": {"@type": "ItemList", "itemListElement": "Blue"}}}'
        ),
        "passed",
    ),
    ("a review of a thing named by a text", ld(REVIEW), "passed"),
    (
        "Microdata",
        page(
            '<div itemscope itemtype="https://schema.org/Recipe"><b itemprop="name">Soup</b><img itemprop="image" src="/a.png"><i itemprop="recipeIngredient">x</i><i itemprop="recipeInstructions">x</i><i itemprop="author">x</i><meta itemprop="totalTime" content="PT5M"></div>'
        ),
        "passed",
    ),
    ("a type without a rich result", ld('{"@context": "https://schema.org", "@type": "Thing"}'), "inapplicable"),
    ("nothing", page(), "inapplicable"),
    ("another vocabulary", ld('{"@context": "https://example.com", "@type": "Product"}'), "inapplicable"),
    (
        "a product nested in another thing",
        ld('{"@context": "https://schema.org", "@type": "Thing", "about": {"@type": "Product"}}'),
        "inapplicable",
    ),
    (
        "an author by id that stands elsewhere",
        ld(
            '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget", "image": "/a.png", "datePublished": "2026-11-01", "author": {"@id": "https://example.org/#ann"}}'
        ),
        "passed",
    ),
    (
        "an empty author",
        ld(
            '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget", "image": "/a.png", "datePublished": "2026-11-01", "author": {}}'
        ),
        "warned",
    ),
    (
        "an author that is a type alone",
        ld(
            '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget", "image": "/a.png", "datePublished": "2026-11-01", "author": {"@type": "Person", "name": ""}}'
        ),
        "warned",
    ),
    ("recommended gaps", ld('{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget"}'), "warned"),
    (
        "an aggregate offer without currency",
        ld(PRODUCT.replace('"Offer", "price"', '"AggregateOffer", "lowPrice"').replace(', "priceCurrency": "EUR"', "")),
        "failed",
    ),
    ("an aggregate offer without lowest price", ld(PRODUCT.replace('"Offer"', '"AggregateOffer"')), "failed"),
    ("a nested review without rating", ld(PRODUCT[:-1] + ', "review": {"@type": "Review", "author": "Ann"}}'), "failed"),
    (
        "a product without offer, review and rating",
        ld('{"@context": "https://schema.org", "@type": "Product", "name": "A", "image": "/a.png"}'),
        "failed",
    ),
    ("an offer without price", ld(PRODUCT.replace('"price": "12.90", ', "")), "failed"),
    ("an empty name", ld(PRODUCT.replace("Blue widget", "")), "failed"),
    (
        "a rating without count",
        ld(PRODUCT.replace('"image"', '"aggregateRating": {"@type": "AggregateRating", "ratingValue": 4}, "image"')),
        "failed",
    ),
    (
        "an event without a place",
        ld('{"@context": "https://schema.org", "@type": "MusicEvent", "name": "A", "startDate": "2026-12-01"}'),
        "failed",
    ),
    ("an empty offer", ld(PRODUCT.replace('{"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"}', "{}")), "failed"),
    ("a breadcrumb step without a name", ld(TRAIL.replace('"name": "Shop", ', "")), "failed"),
    ("a breadcrumb step without a position", ld(TRAIL.replace('"position": 1, ', "")), "failed"),
    (
        "a review of nothing",
        ld('{"@context": "https://schema.org", "@type": "Review", "author": "Ann", "reviewRating": {"@type": "Rating", "ratingValue": 4}}'),
        "failed",
    ),
    (
        "the main entity of a page",
        ld('{"@context": "https://schema.org", "@type": "WebPage", "mainEntity": {"@type": "Product"}}'),
        "failed",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-required", html) == expected, case


def test_the_home_page_says_all_of_the_organization() -> None:
    assert verdict("sd-required", ld(ORGANIZATION), url="https://www.example.com/") == "warned"


@pytest.mark.parametrize(
    ("case", "html", "expected"),
    [
        (
            "outside of every item",
            page(
                '<h1 itemprop="headline">Blue widget</h1>\n<article itemscope itemtype="https://schema.org/Article">'
                '<img itemprop="image" src="/a.png" alt=""><time itemprop="datePublished">2026-11-01</time><b itemprop="author">Ann</b></article>'
            ),
            {"path": "headline", "line": 8},
        ),
        (
            "in the author",
            page(
                '<article itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">Blue widget</h1>\n'
                '<img itemprop="image" src="/a.png" alt=""><p itemprop="author" itemscope itemtype="https://schema.org/Person">'
                '<b itemprop="name">Ann</b>\n<time itemprop="datePublished">2026-11-01</time></p></article>'
            ),
            {"path": "datePublished", "line": 10, "holder": "Person"},
        ),
        (
            "under another name",
            ld(
                '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget", "image": "/a.png", '
                '"datePublished": "2026-11-01", "creator": "Ann"}'
            ),
            {"path": "author", "instead": "creator"},
        ),
        (
            "in another letter case",
            page(
                '<article itemscope itemtype="https://schema.org/Article"><h1 itemprop="Headline">Blue widget</h1>'
                '<img itemprop="image" src="/a.png" alt=""><time itemprop="datePublished">2026-11-01</time><b itemprop="author">Ann</b></article>'
            ),
            {"path": "headline", "instead": "Headline"},
        ),
    ],
)
def test_a_property_stated_elsewhere_is_to_be_moved(case: str, html: str, expected: dict[str, object]) -> None:
    found = finding("sd-required", html)
    (shown,) = found.evidence

    assert {name: shown.params.get(name) for name in expected} == expected, case
    assert found.advice.startswith("Move or rename")


def test_a_property_of_another_subject_is_not_to_be_moved() -> None:
    comment = '<p itemscope itemtype="https://schema.org/Comment"><b itemprop="author">Bob</b></p>'
    article = '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget", "image": "/a.png", "datePublished": "2026-11-01"}'

    assert finding("sd-required", ld(article, body=f"<h1>Blue widget</h1>{comment}")).advice == ""


def test_a_missing_currency_names_the_result_that_requires_it() -> None:
    found = finding("sd-required", ld(PRODUCT.replace(', "priceCurrency": "EUR"', "")))
    (shown,) = found.evidence

    assert shown.params["feature"] == "Merchant listing"
    assert shown.params["type"] == "Offer"
    assert "priceCurrency" in found.advice
