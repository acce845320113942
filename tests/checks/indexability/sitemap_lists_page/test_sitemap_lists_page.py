"""Outcomes of sitemap-lists-page."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

SITEMAP = "https://www.example.com/sitemap.xml"
PAGE = "https://www.example.com/shop/blue-widgets"
NAMED = {"robots_txt": f"User-agent: *\nDisallow:\nSitemap: {SITEMAP}\n"}


def urlset(*urls: str, more: str = "", namespace: str = "http://www.sitemaps.org/schemas/sitemap/0.9") -> str:
    return f'<urlset xmlns="{namespace}">' + "".join(f"<url><loc>{url}</loc>{more}</url>" for url in urls) + "</urlset>"


def sitemap(body: str = urlset(PAGE), **given: Any) -> dict[str, Any]:
    return {**NAMED, "sitemaps": {SITEMAP: {"body": body}}, **given}


NOINDEX = page(head='<meta name="robots" content="noindex">')

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("listed", page(), sitemap(), "passed"),
    ("listed with tracking", page(), sitemap(url=PAGE + "?utm_source=x"), "passed"),
    ("unlisted and noindex", NOINDEX, sitemap(urlset("https://www.example.com/")), "passed"),
    (
        "unlisted, another is canonical",
        page(head='<link rel="canonical" href="https://www.example.com/">'),
        sitemap(urlset("https://www.example.com/")),
        "passed",
    ),
    ("large, not searched", page(), sitemap(urlset(*(f"https://www.example.com/{number}" for number in range(100)))), "unknown"),
    ("not meant for search", NOINDEX, sitemap(not_for_search=True), "inapplicable"),
    ("no address at all: the question of sitemap-valid", page(), sitemap(urlset()), "inapplicable"),
    ("a later page of a list", page(), sitemap(urlset("https://www.example.com/"), url=PAGE + "?page=2"), "inapplicable"),
    ("a later page by its path", page(), sitemap(urlset("https://www.example.com/"), url=PAGE + "/page/12/"), "inapplicable"),
    ("the first page of a list", page(), sitemap(urlset("https://www.example.com/"), url=PAGE + "?page=1"), "warned"),
    ("a page of a book", page(), sitemap(urlset("https://www.example.com/"), url=PAGE + "/page/2/notes"), "warned"),
    ("unlisted", page(), sitemap(urlset("https://www.example.com/")), "warned"),
    (
        "large, searched",
        page(),
        sitemap(urlset(*(f"https://www.example.com/{number}" for number in range(100))), sitemaps_searched=True),
        "warned",
    ),
    ("listed, noindex", NOINDEX, sitemap(), "failed"),
    ("listed, blocked", page(), sitemap(robots_txt=f"User-agent: *\nDisallow: /\nSitemap: {SITEMAP}\n"), "failed"),
    ("listed, another is canonical", page(head='<link rel="canonical" href="https://www.example.com/">'), sitemap(), "failed"),
    ("listed, canonical with a slash", page(head=f'<link rel="canonical" href="{PAGE}/">'), sitemap(), "warned"),
    ("broken sitemap is the fault of another check", page(), {**NAMED, "sitemaps": {SITEMAP: 404}}, "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("sitemap-lists-page", html, **given) == expected, case
