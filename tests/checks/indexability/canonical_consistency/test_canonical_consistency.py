"""Outcomes of canonical-consistency."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"


def canonical(href: str = PAGE, more: str = "") -> str:
    return page(head=f'<title>x</title><link rel="canonical" href="{href}">{more}')


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("canonical alone", canonical(), {}, "inapplicable"),
    ("og:url alone", page(head='<meta property="og:url" content="https://www.example.com/shop/blue-widgets">'), {}, "inapplicable"),
    ("agree", canonical(PAGE, f'<meta property="og:url" content="{PAGE}#x">'), {}, "passed"),
    (
        "sitemap agrees",
        canonical(),
        {
            "sitemap_entries": [[PAGE, "", "https://www.example.com/sitemap.xml"]],
            "sitemaps": {"https://www.example.com/sitemap.xml": {"body": "<urlset/>"}},
        },
        "passed",
    ),
    ("empty og:url", canonical(PAGE, '<meta property="og:url" content="">'), {}, "inapplicable"),
    ("og:url differs", canonical(PAGE, '<meta property="og:url" content="http://example.com/shop/blue-widgets">'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("canonical-consistency", html, **given) == expected, case
