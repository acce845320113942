"""Outcomes of sd-values: first what must not be flagged, then what must."""

import json
from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

NOTHING_WRONG: list[tuple[str, dict[str, Any]]] = [
    (
        "a type of its own with a full URL",
        {"@type": ["https://example.com/terms#Recipie", "Thing"], "https://example.com/terms#headlin": "x"},
    ),
    ("a prefixed type", {"@type": ["Product", "gs1:Product"], "gs1:nam": "x"}),
    ("several types", {"@type": ["Product", "Car"], "name": "A", "vehicleIdentificationNumber": "x"}),
    ("pending terms", {"@type": "Certification", "certificationStatus": "https://schema.org/CertificationActive"}),
    ("names of nobody's vocabulary", {"@type": "BrandNewType", "someNewThing": "x"}),
    ("short unknown names", {"@type": "Thing", "tags": "x", "lang": "en", "nam": "x"}),
    ("input of an action", {"@type": "SearchAction", "target": "https://example.com/?q={q}", "query-input": "required name=q"}),
    ("a value with a language", {"@type": "Article", "headline": {"@value": "Schrauben", "@language": "de"}}),
    ("a date with a type", {"@type": "VideoObject", "uploadDate": {"@value": "2026-11-01", "@type": "Date"}}),
    ("references", {"@type": "Article", "author": {"@id": "#ann"}, "publisher": {"@id": "https://example.com/#us"}}),
    ("dates without time", {"@type": "VideoObject", "uploadDate": "2026-11-01"}),
    ("a year and a month", {"@type": "Book", "datePublished": "1998", "dateCreated": "1997-05"}),
    ("times with offsets", {"@type": "VideoObject", "uploadDate": ["2026-11-01T08:00:00+05:30", "2026-11-01T08:00:00.000Z"]}),
    ("a date before the common era", {"@type": "Person", "birthDate": "-0044-03-15"}),
    (
        "opening hours",
        {
            "@type": "OpeningHoursSpecification",
            "opens": "09:00",
            "closes": "24:00:00",
            "dayOfWeek": ["Monday", "https://schema.org/Friday"],
        },
    ),
    ("a free offer", {"@type": "Offer", "price": "0.00", "priceCurrency": "USD"}),
    ("a number", {"@type": "Offer", "price": 12.5, "priceCurrency": "EUR"}),
    ("a range of prices", {"@type": "AggregateOffer", "lowPrice": "10", "highPrice": "20.50", "offerCount": 3, "priceCurrency": "CHF"}),
    ("a price in words", {"@type": "Offer", "price": "on request", "priceCurrency": "EUR"}),
    ("a price level", {"@type": "Restaurant", "priceRange": "$$", "currenciesAccepted": "EUR, cash"}),
    ("crypto currency", {"@type": "Offer", "price": "1", "priceCurrency": "BTC"}),
    ("a former currency", {"@type": "Offer", "price": "1", "priceCurrency": "HRK"}),
    ("short and full members", {"@type": "Offer", "availability": "InStock", "itemCondition": "http://schema.org/NewCondition"}),
    ("a member of another vocabulary", {"@type": "Offer", "businessFunction": "http://purl.org/goodrelations/v1#Sell"}),
    ("text where text is permitted", {"@type": "Recipe", "recipeYield": "4 servings", "position": "first", "width": "60 cm"}),
    ("durations", {"@type": "Recipe", "totalTime": "PT1H30M", "cookTime": "P0D", "prepTime": "P0Y0M0DT0H35M0.000S"}),
    ("relative URLs", {"@type": "Article", "image": "/a b/c.png", "url": "a.html"}),
    ("an image object", {"@type": "Article", "image": {"@type": "ImageObject", "url": "https://example.com/a.png"}}),
    (
        "other schemes",
        {"@type": "Person", "name": "Ann", "sameAs": ["acct:ann@example.com", "urn:isni:0000"], "image": "data:image/png;base64,AA=="},
    ),
    ("an empty text", {"@type": "Article", "image": "", "author": {"@type": "Person", "name": ""}}),
    ("an organization with an and", {"@type": "Article", "author": {"@type": "Organization", "name": "Smith Brothers and Bob Jones"}}),
    ("a ministry", {"@type": "Article", "author": "Ministry of Health and Social Care"}),
    ("a company", {"@type": "Article", "author": "Example Widgets, Inc."}),
    ("a name turned round", {"@type": "Article", "author": {"@type": "Person", "name": "Smith, Ann"}}),
    ("names that begin like a byline", {"@type": "Article", "author": [{"@type": "Person", "name": "Byron Katie"}, "Von Miller"]}),
    (
        "several authors",
        {"@type": "Article", "author": [{"@type": "Person", "name": "Ann Smith"}, {"@type": "Person", "name": "Bob Jones"}]},
    ),
    ("positions", {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "position": 1}, {"@type": "ListItem", "position": "2"}]}),
    ("a list without positions", {"@type": "ItemList", "itemListElement": [{"@type": "ListItem"}, {"@type": "ListItem"}]}),
    ("an open job", {"@type": "JobPosting", "validThrough": "2026-11-30", "employmentType": ["FULL_TIME", "OTHER"]}),
    ("a job that ended today", {"@type": "JobPosting", "validThrough": "2026-11-01"}),
    ("a price that is still valid", {"@type": "Offer", "price": "1", "priceValidUntil": "2026-10-31"}),
    ("changed on the day of publication", {"@type": "VideoObject", "datePublished": "2026-10-02T08:00:00Z", "dateModified": "2026-10-02"}),
    ("a comma rating, which sd-reviews tells", {"@type": "AggregateRating", "ratingValue": "4,5", "reviewCount": "12"}),
    ("a wrong letter case, which jsonld-valid tells", {"@type": "product", "Name": "x"}),
]

WRONG: list[tuple[str, dict[str, Any], str, list[str]]] = [
    ("an impossible day", {"@type": "VideoObject", "uploadDate": "2024-02-30"}, "impossible_date", []),
    ("the year 1", {"@type": "Person", "birthDate": "0001-01-01"}, "placeholder_date", []),
    ("a date in words", {"@type": "VideoObject", "uploadDate": "November 19, 2019"}, "not_iso", ["2019-11-19"]),
    ("a relative day", {"@type": "VideoObject", "uploadDate": "yesterday"}, "not_iso", []),
    ("a date of e-mail", {"@type": "VideoObject", "uploadDate": "Tue, 19 Nov 2019 10:00:00 GMT"}, "not_iso", ["2019-11-19T10:00:00+00:00"]),
    (
        "a browser's date",
        {"@type": "VideoObject", "uploadDate": "Tue Nov 19 2019 10:00:00 GMT+0100 (CET)"},
        "not_iso",
        ["2019-11-19T10:00:00+01:00"],
    ),
    ("a day or a month", {"@type": "VideoObject", "uploadDate": "03/04/2019"}, "not_iso", []),
    ("a thousands separator", {"@type": "Offer", "price": "1,299.00"}, "not_a_price", ["1299.00"]),
    ("a decimal comma", {"@type": "Offer", "price": "12,90 €"}, "not_a_price", ["12.90"]),
    ("a point or a separator", {"@type": "Offer", "price": "€ 1.299"}, "not_a_price", []),
    ("a symbol for a currency", {"@type": "Offer", "priceCurrency": "US$"}, "not_a_currency", ["USD"]),
    ("a currency in words", {"@type": "Offer", "priceCurrency": "Euro"}, "not_a_currency", ["EUR"]),
    ("availability in words", {"@type": "Offer", "availability": "in stock"}, "not_a_member", ["InStock"]),
    ("availability in lower case", {"@type": "Offer", "availability": "https://schema.org/instock"}, "not_a_member", ["InStock"]),
    ("employment in words", {"@type": "JobPosting", "employmentType": "Full-time"}, "not_a_member", ["FULL_TIME"]),
    ("minutes", {"@type": "Recipe", "totalTime": "1 hour 30 min"}, "not_a_duration", ["PT1H30M"]),
    ("a clock", {"@type": "VideoObject", "duration": "3:45"}, "not_a_duration", []),
    ("a time of day", {"@type": "OpeningHoursSpecification", "opens": "9 am"}, "not_a_time", []),
    ("a number with a separator", {"@type": "InteractionCounter", "userInteractionCount": "1,234"}, "not_a_number", []),
    ("a type with a typing error", {"@type": "Recipie", "name": "Soup"}, "unknown_type", ["Recipe"]),
    ("a property with a typing error", {"@type": "Article", "headlin": "x"}, "unknown_property", ["headline"]),
    ("an empty object", {"@type": "Article", "author": {}}, "empty_object", []),
    ("a URL of a program", {"@type": "Person", "url": "undefined"}, "not_a_url", []),
    ("two schemes", {"@type": "Person", "sameAs": "https://https://example.com/"}, "not_a_url", []),
    ("a scheme with one slash", {"@type": "Person", "url": "https:/example.com"}, "not_a_url", []),
    ("words for a URL", {"@type": "Person", "sameAs": "Ann on Mastodon"}, "not_a_url", []),
    (
        "a position twice",
        {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1}, {"@type": "ListItem", "position": "1"}]},
        "duplicate_position",
        [],
    ),
    ("an expired job", {"@type": "JobPosting", "validThrough": "2026-09-30"}, "expired_job", []),
    ("an expired price", {"@type": "Offer", "price": "1", "priceValidUntil": "2025-12-31"}, "expired_price", []),
    (
        "changed before published",
        {"@type": "VideoObject", "datePublished": "2026-10-02", "dateModified": "2026-09-01"},
        "modified_before_published",
        [],
    ),
    (
        "a byline for a name",
        {"@type": "WebPage", "author": {"@type": "Person", "name": "By ANN SMITH, AP Writer"}},
        "byline",
        ["ANN SMITH"],
    ),
    (
        "two authors in one name",
        {"@type": "WebPage", "author": {"@type": "Person", "name": "Ann Smith and Bob Jones"}},
        "several_authors",
        ["Ann Smith"],
    ),
    ("a paper behind a byline", {"@type": "WebPage", "author": "By Ann Smith For Mailonline"}, "byline", []),
    ("a unit behind the number", {"@type": "NutritionInformation", "weight": "x", "numberOfPages": "1 can"}, "not_a_number", []),
    ("a title behind the name", {"@type": "WebPage", "author": "Ann Smith, Senior Writer"}, "byline", ["Ann Smith"]),
    ("two titles behind the name", {"@type": "WebPage", "author": "Ann Smith, Chief Officer and Senior Writer"}, "byline", ["Ann Smith"]),
    ("a paper behind the name", {"@type": "WebPage", "author": "Ann Maria Smith, Washington Post"}, "byline", ["Ann Maria Smith"]),
    ("a second part that may be a name", {"@type": "WebPage", "author": "Ann Smith, Blue Widgets"}, "byline", []),
    ("a day that does not exist", {"@type": "Event", "startDate": "2027-02-29"}, "impossible_date", []),
]


def ld(value: Any) -> str:
    return page(head=f'<title>Blue widgets</title><script type="application/ld+json">{json.dumps(value, ensure_ascii=False)}</script>')


def of_schema_org(value: dict[str, Any]) -> str:
    return ld({"@context": "https://schema.org", **value})


@pytest.mark.parametrize(("case", "value"), NOTHING_WRONG, ids=[case for case, _ in NOTHING_WRONG])
def test_nothing_is_wrong(case: str, value: dict[str, Any]) -> None:
    found = finding("sd-values", of_schema_org(value))

    assert (found.verdict.value, [item.params for item in found.evidence]) == ("passed", []), case


@pytest.mark.parametrize(("case", "value", "fault", "expected"), WRONG, ids=[case for case, *_ in WRONG])
def test_something_is_wrong(case: str, value: dict[str, Any], fault: str, expected: list[str]) -> None:
    found = finding("sd-values", of_schema_org(value))

    assert found.verdict.value == "warned"
    assert [item.params["value_fault"].value for item in found.evidence] == [fault], case
    if expected:
        assert found.evidence[0].params["expected"] == expected


OUTCOMES = [
    ("no structured data", page(), "inapplicable"),
    ("another vocabulary", ld({"@context": "https://example.com", "@type": "Recipie", "datePublished": "yesterday"}), "inapplicable"),
    (
        "terms of its own",
        ld({"@context": ["https://schema.org", {"headlin": "https://example.com/h"}], "@type": "Article", "headlin": "x"}),
        "passed",
    ),
    ("an event that is over", of_schema_org({"@type": "MusicEvent", "startDate": "2026-05-01"}), "info"),
    ("an event that goes on", of_schema_org({"@type": "MusicEvent", "startDate": "2026-05-01", "endDate": "2026-12-01"}), "passed"),
    (
        "the dates of an article, which dates-consistent tells",
        of_schema_org({"@type": "Article", "datePublished": "yesterday", "dateModified": "last year"}),
        "passed",
    ),
    (
        "Microdata",
        page('<div itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="12.90">12,90 €</b></div>'),
        "passed",
    ),
    (
        "a visible price without content",
        page('<div itemscope itemtype="https://schema.org/Offer"><b itemprop="price">12,90 €</b></div>'),
        "warned",
    ),
    ("RDFa", page('<div vocab="https://schema.org/" typeof="Recipie"><b property="name">Soup</b></div>'), "warned"),
    (
        "an itemtype without itemscope alone, which sd-present tells",
        page('<div itemtype="https://schema.org/Person">Ann</div>'),
        "inapplicable",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-values", html) == expected, case


def test_the_evidence_is_the_key_and_the_value_at_their_place() -> None:
    block = '<script type="application/ld+json">\n{"@context": "https://schema.org", "@type": "Product",\n "offers": [{"@type": "Offer", "price": "1"},\n  {"@type": "Offer", "price" : "1,299.00"}]}\n</script>'
    html = page(head=f"<title>Blue widgets</title>\n{block}")
    shown = finding("sd-values", html).evidence[0]

    assert shown.text == '"price" : "1,299.00"'
    assert shown.line is not None
    assert shown.column is not None
    assert html.splitlines()[shown.line - 1][shown.column - 1 :].startswith(shown.text)
    assert shown.params["path"] == "Product.offers[1].price"


def test_many_faults_and_deep_nesting_cost_little() -> None:
    deep: dict[str, Any] = {"@type": "Thing"}
    for _ in range(60):
        deep = {"@type": "Thing", "about": deep, "unknownPropertyy": "x"}
    many = {
        "@context": "https://schema.org",
        "@graph": [{"@type": "Offer", "price": f"{number},00 €", f"headlin{'abcdefgh'[number % 8]}": "x"} for number in range(2000)],
    }

    assert verdict("sd-values", of_schema_org(deep)) in ("passed", "warned", "unknown")
    assert finding("sd-values", ld(many)).evidence_count == 200


def test_a_meta_that_begins_no_item_loses_its_type() -> None:
    meta = '<div itemscope itemtype="https://schema.org/Product"><meta itemtype="https://schema.org/WebPage"></div>'
    assert [fix.code for fix in finding("sd-values", page(meta)).fixes] == [""]


def test_a_date_is_not_corrected_to_a_property_that_takes_none() -> None:
    html = page(
        '<p itemscope itemtype="https://schema.org/Recipe"><b itemprop="published" datetime="2010-01-26">January</b><b itemprop="name">x</b>'
    )
    assert [fix.code for fix in finding("sd-values", html).fixes] == []


def test_equal_values_are_corrected_each_in_its_place() -> None:
    offer = {"@type": "Offer", "price": "1", "priceCurrency": "EUR", "availability": "inStock"}
    found = finding("sd-values", of_schema_org({"@type": "Product", "name": "x", "offers": [offer, offer]}))
    assert len({(fix.line, fix.column) for fix in found.fixes}) == 2


def test_a_misspelt_itemprop_is_corrected() -> None:
    found = finding("sd-values", page('<div itemscope itemtype="https://schema.org/BlogPosting"><p itemprop="articlesBody">x</p></div>'))

    assert [fix.code for fix in found.fixes] == ['<p itemprop="articleBody">']


def test_an_itemprop_in_another_letter_case_is_corrected() -> None:
    article = '<div itemscope itemtype="https://schema.org/NewsArticle"><p itemprop="{name}">x</p></div>'

    assert [fix.code for fix in finding("sd-values", page(article.format(name="Headline"))).fixes] == ['<p itemprop="headline">']
    assert verdict("sd-values", page(article.format(name="headline"))) == "passed"
    assert verdict("sd-values", page(article.format(name="xpath"))) == "passed"


def test_a_meta_element_that_only_has_a_type_is_removed() -> None:
    item = '<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ann</b></div>'
    alone = finding("sd-values", page(f'{item}<meta itemtype="https://schema.org/WebPage" content="x">')).fixes
    named = finding("sd-values", page(f'{item}<meta itemprop="a" itemtype="https://schema.org/WebPage" content="x">')).fixes

    assert [fix.code for fix in (*alone, *named)] == ["", '<meta itemprop="a" content="x">']
