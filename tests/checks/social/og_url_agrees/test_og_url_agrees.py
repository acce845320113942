"""Outcomes of og-url-agrees: first what must not be flagged, then what must."""

import pytest

from findable.vocabulary import Fault
from tests.checks.harness import finding, page, verdict


def both(canonical: str, og_url: str) -> str:
    return page(head=f'<title>x</title><link rel="canonical" href="{canonical}"><meta property="og:url" content="{og_url}">')


OUTCOMES = [
    ("the same", both("https://www.example.com/a", "https://www.example.com/a"), "passed"),
    ("tracking parameters and fragments", both("https://www.example.com/a", "https://www.example.com/a?utm_source=x#top"), "passed"),
    ("relative", both("/a", "/a"), "passed"),
    ("letter case of the host", both("https://www.example.com/a", "https://WWW.example.com/a"), "passed"),
    ("no og:url", page(head='<link rel="canonical" href="/a">'), "inapplicable"),
    ("no canonical, another page", page(head='<meta property="og:url" content="https://www.example.com/a">'), "warned"),
    ("no canonical, another site", page(head='<meta property="og:url" content="https://example.org/">'), "warned"),
    ("no canonical, the page", page(head='<meta property="og:url" content="https://www.example.com/shop/blue-widgets/">'), "passed"),
    (
        "no canonical, the page with composed letters and single slashes",
        page(head='<meta property="og:url" content="https://www.example.com/shop//blue%2Dwidgets/">'),
        "passed",
    ),
    (
        "the canonical link with a language, which is ignored",
        page(
            head='<link rel="canonical" hreflang="en" href="https://www.example.com/a">'
            '<meta property="og:url" content="https://www.example.com/a">'
        ),
        "inapplicable",
    ),
    ("another path", both("https://www.example.com/a", "https://www.example.com/b"), "warned"),
    ("another scheme", both("https://www.example.com/a", "http://www.example.com/a"), "warned"),
    ("no web address", both("https://www.example.com/a", "mailto:a@example.com"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("og-url-agrees", html) == expected, case


def test_another_unicode_form_of_the_url_is_the_page() -> None:
    html = page(head='<meta property="og:url" content="https://www.example.com/caf%C3%A9">')

    assert verdict("og-url-agrees", html, url="https://www.example.com/cafe%CC%81") == "passed"


def test_only_another_public_site_costs() -> None:
    def reason(url: str, og_url: str) -> str:
        return finding("og-url-agrees", page(head=f'<meta property="og:url" content="{og_url}">'), url=url).fault

    assert reason("https://shop.example.com/a", "https://www.example.com/b") == ""
    assert reason("http://localhost:8000/a", "https://www.example.com/a") == ""
    assert reason("https://example.github.io/a", "https://www.example.com/a") == Fault.OTHER_SITE


def test_a_canonical_url_of_another_site_is_not_copied() -> None:
    head = '<link rel="canonical" href="//paths/17"><meta property="og:url" content="https://www.example.com/paths/17">'

    assert not finding("og-url-agrees", page(head=head)).fixes
