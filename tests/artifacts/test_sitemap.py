"""The sitemaps of a site: which files count, and whether they list the page."""

from typing import Any

import pytest

from findable.artifacts.registry import Absent
from findable.artifacts.site.sitemap import SitemapListing, Sitemaps, SitemapState
from findable.vocabulary import Verdict
from tests.checks.harness import artifacts, page

PAGE = "https://www.example.com/shop/blue-widgets"
FILE = "https://www.example.com/sitemap.xml"
CHILD = "https://www.example.com/sitemap-1.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset(*urls: str) -> str:
    return (
        f'<urlset xmlns="{NAMESPACE}">' + "".join(f"<url><loc>{url}</loc><lastmod>2026-10-30</lastmod></url>" for url in urls) + "</urlset>"
    )


INDEX = f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{CHILD}</loc></sitemap></sitemapindex>'


def sitemaps(html: str = page(), **given: Any) -> Sitemaps:
    made = artifacts(html, **given).get(Sitemaps)
    assert isinstance(made, Sitemaps)
    return made


def listing(html: str = "", **given: Any) -> SitemapListing:
    made = artifacts(html or page(), **given).get(SitemapListing)
    assert isinstance(made, SitemapListing)
    return made


def test_nothing_is_known_where_none_was_looked_for() -> None:
    made = artifacts(page()).get(Sitemaps)

    assert isinstance(made, Absent)
    assert made.verdict is Verdict.UNKNOWN


def test_files_of_an_index_are_expected() -> None:
    given: dict[str, Any] = {"robots_txt": f"Sitemap: {FILE}\n", "sitemaps": {FILE: {"body": INDEX}, CHILD: {"body": urlset(PAGE)}}}
    made, listed = sitemaps(**given), listing(**given)

    assert [(file.robots_line, file.in_index, file.is_declared) for file in made.files] == [(1, False, True), (None, True, True)]
    assert (made.urls_count, made.complete, listed.is_complete) == (1, True, True)
    assert [(entry.url, entry.lastmod, entry.sitemap_url) for entry in listed.entries] == [(PAGE, "2026-10-30", CHILD)]


def test_relative_announcements_are_resolved() -> None:
    assert sitemaps(robots_txt="Sitemap: /sitemap.xml\n", sitemaps={FILE: {"body": urlset(PAGE)}}).files[0].robots_line == 1


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"body": urlset(PAGE)}, SitemapState.READ),
        ({"body": PAGE}, SitemapState.READ),
        ({"body": f"<feed><entry><link href='{PAGE}'/></entry></feed>"}, SitemapState.READ),
        ({"body": "<!doctype html><p>x</p>"}, SitemapState.BROKEN),
        ({"body": "<urlset><url>"}, SitemapState.BROKEN),
        ({"body": "<other/>"}, SitemapState.BROKEN),
        ({"body": ""}, SitemapState.BROKEN),
        ({"status": 404}, SitemapState.BROKEN),
        ({"status": 500}, SitemapState.BROKEN),
        ({"status": 403}, SitemapState.UNKNOWN),
        ({"failure": "robots_txt"}, SitemapState.UNKNOWN),
        ({"failure": "timeout"}, SitemapState.BROKEN),
    ],
)
def test_state_of_a_file(answer: dict[str, Any], state: SitemapState) -> None:
    assert sitemaps(sitemaps={FILE: answer}).files[0].state is state


def test_the_page_is_found_by_its_canonical_address_too() -> None:
    html = page(head='<link rel="canonical" href="https://www.example.com/widgets">')

    assert [entry.url for entry in listing(html, sitemaps={FILE: {"body": urlset("https://www.example.com/widgets#x")}}).entries] == [
        "https://www.example.com/widgets#x"
    ]


def test_files_that_were_left_out_make_it_incomplete() -> None:
    made = sitemaps(sitemaps={FILE: {"body": INDEX}, CHILD: {"failure": "budget", "left_count": 7}})

    assert (made.left_count, made.complete, len(made.files)) == (7, False, 1)


def test_s27_a_document_type_is_not_read() -> None:
    laughs = "<!DOCTYPE urlset [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>" + urlset("https://www.example.com/&b;")
    made = sitemaps(sitemaps={FILE: {"body": laughs}})

    assert made.files[0].summary is not None
    assert made.files[0].summary.has_doctype
    assert (made.urls_count, made.complete) == (0, False)


def test_fifty_thousand_and_one_addresses_are_counted() -> None:
    assert (
        sitemaps(sitemaps={FILE: {"body": urlset(*(f"https://www.example.com/{number}" for number in range(50_001)))}}).urls_count == 50_001
    )
