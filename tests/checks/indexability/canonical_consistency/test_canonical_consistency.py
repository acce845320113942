"""Outcomes of canonical-consistency."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"
SITEMAP = {
    "sitemap_entries": [[PAGE, "", "https://www.example.com/sitemap.xml"]],
    "sitemaps": {"https://www.example.com/sitemap.xml": {"body": "<urlset/>"}},
}


def canonical(href: str = PAGE, more: str = "") -> str:
    return page(head=f'<title>x</title><link rel="canonical" href="{href}">{more}')


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("canonical alone", canonical(), {}, "inapplicable"),
    ("og:url alone", page(head='<meta property="og:url" content="https://www.example.com/shop/blue-widgets">'), {}, "inapplicable"),
    ("agree", canonical(PAGE, f'<meta property="og:url" content="{PAGE}#x">'), {}, "passed"),
    ("sitemap agrees", canonical(), SITEMAP, "passed"),
    ("empty og:url", canonical(PAGE, '<meta property="og:url" content="">'), {}, "inapplicable"),
    (
        "og:url differs from the canonical link",
        canonical(PAGE, '<meta property="og:url" content="https://example.com/x">'),
        {},
        "inapplicable",
    ),
    ("another page is canonical", canonical("https://www.example.com/other"), SITEMAP, "passed"),
    ("og:url differs from the sitemap", page(head='<meta property="og:url" content="https://example.com/x">'), SITEMAP, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("canonical-consistency", html, **given) == expected, case
