"""The sentence about the pages of a project or batch that Google can index."""

from typing import Any

import pytest

from findable.reports.analysis import analyse
from findable.reports.google_listing import Listing, listing_of, listing_of_pages
from findable.wording import ENGLISH
from tests.checks.harness import capture, page

CASES: tuple[tuple[dict[Listing, int], str], ...] = (
    ({}, ""),
    ({Listing.CAN: 1}, "Google can index this page."),
    ({Listing.CAN: 3}, "Google can index all 3 pages."),
    ({Listing.TOLD_NOT: 1}, "The page tells Google not to index it."),
    ({Listing.STATUS: 1}, "Google cannot index this page: it returns an error."),
    ({Listing.UNKNOWN: 1}, "It is not known whether Google can index this page."),
    ({Listing.STATUS: 1, Listing.BLOCKED: 1}, "Google can index none of the 2 pages."),
    ({Listing.CAN: 28, Listing.BLOCKED: 2}, "Google can index 28 of 30 pages."),
    ({Listing.CAN: 28, Listing.STATUS: 2}, "Google can index all 28 pages. 2 more URLs return an error."),
    ({Listing.CAN: 7, Listing.TOLD_NOT: 2, Listing.STATUS: 1}, "Google can index 7 of 9 pages. 1 more URL returns an error."),
    ({Listing.CAN: 28, Listing.UNKNOWN: 2}, "Google can index 28 of 30 pages. 2 are not known."),
    ({Listing.UNKNOWN: 2}, "It is not known whether Google can index these pages."),
    ({Listing.VARIANT: 1}, "This page is a variant or a copy: Google indexes the URL that it declares as canonical."),
    ({Listing.CAN: 2, Listing.VARIANT: 1}, "Google can index 2 of 3 pages."),
    ({Listing.STATUS: 1, Listing.UNKNOWN: 1}, "It is not known whether Google can index this page. 1 more URL returns an error."),
)


@pytest.mark.parametrize(("counts", "words"), CASES)
def test_pages_that_google_can_list_are_counted(counts: dict[Listing, int], words: str) -> None:
    assert listing_of_pages(counts, ENGLISH) == words


TEXT = " ".join(f"word{number}" for number in range(60))
OTHER_TEXT = " ".join(f"term{number}" for number in range(60))
SITE = "https://example.com"
HTML = {"headers": [["Content-Type", "text/html; charset=utf-8"]]}
CANONICALS: tuple[tuple[str, str, str, dict[str, Any], Listing], ...] = (
    ("a filter of a list", "/tea?color=green", "/tea", {}, Listing.VARIANT),
    ("a tracking parameter", "/tea?utm_source=mail", "/tea", {}, Listing.CAN),
    ("another slash", "/tea/", "/tea", {}, Listing.VARIANT),
    ("an index file", "/index.html", "/", {}, Listing.VARIANT),
    (
        "a copy of another page",
        "/sale/tea",
        "/tea",
        {"canonical": {"url": f"{SITE}/tea", "body": page(f"<p>{TEXT}</p>"), **HTML}},
        Listing.VARIANT,
    ),
    (
        "another page with another text",
        "/cups",
        "/tea",
        {"canonical": {"url": f"{SITE}/tea", "body": page(f"<p>{OTHER_TEXT}</p>"), **HTML}},
        Listing.OTHER_URL,
    ),
    ("another page, whose text is not known", "/cups", "/tea", {}, Listing.OTHER_URL),
    ("every page declares the home page", "/cups", "/", {}, Listing.OTHER_URL),
    ("a later page declares the first", "/tea?page=3", "/tea", {}, Listing.OTHER_URL),
    ("another host", "/tea", "https://staging.example.com/tea", {}, Listing.OTHER_URL),
    (
        "a filter of a list that is gone",
        "/tea?color=green",
        "/tea",
        {"canonical": {"url": f"{SITE}/tea", "status": 404, "body": page("<p>Not found</p>"), **HTML}},
        Listing.OTHER_URL,
    ),
)


@pytest.mark.parametrize(("path", "target", "given", "expected"), [row[1:] for row in CANONICALS], ids=[row[0] for row in CANONICALS])
def test_a_variant_or_copy_of_its_canonical_url_is_no_accident(path: str, target: str, given: dict[str, Any], expected: Listing) -> None:
    html = page(f"<main><h1>Tea</h1><p>{TEXT}</p></main>", head=f'<title>Tea of the shop</title><link rel="canonical" href="{target}">')
    if "canonical" in given:
        response = dict(given["canonical"])
        given = {"canonical": {response.pop("url"): response}}
    assert listing_of(analyse(capture(html, url=SITE + path, **given))) is expected


def test_an_amp_page_declares_its_other_version() -> None:
    html = page("<h1>Tea</h1>", head='<title>Tea</title><link rel="canonical" href="https://example.com/tea">')
    assert listing_of(analyse(capture(html.replace("<html", "<html amp"), url=f"{SITE}/amp/tea"))) is Listing.VARIANT


def test_a_copy_in_a_private_network_declares_the_public_page() -> None:
    html = page("<h1>Tea</h1>", head='<title>Tea</title><link rel="canonical" href="https://example.com/tea">')
    assert listing_of(analyse(capture(html, url="http://127.0.0.1:8201/tea"))) is Listing.VARIANT
    assert listing_of(analyse(capture(html, url="https://other.example/tea"))) is Listing.OTHER_URL
