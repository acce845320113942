"""Outcomes of canonical-consistency."""

import json
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


def json_ld(*nodes: dict[str, Any]) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", "@graph": nodes})}</script>'


def web_page(url: str, **more: Any) -> dict[str, Any]:
    return {"@type": "WebPage", "url": url, **more}


OTHER = "https://www.example.com/elsewhere"

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
    ("JSON-LD agrees", canonical(PAGE, json_ld(web_page(PAGE))), {}, "passed"),
    ("JSON-LD agrees but for its fragment", canonical(PAGE, json_ld(web_page(f"{PAGE}#webpage"))), {}, "passed"),
    ("JSON-LD with a path", canonical(PAGE, json_ld(web_page("/shop/blue-widgets"))), {}, "passed"),
    ("JSON-LD names the canonical page", canonical(OTHER, json_ld(web_page(OTHER))), {}, "passed"),
    ("JSON-LD alone", page(head=f"<title>x</title>{json_ld(web_page(OTHER))}"), {}, "inapplicable"),
    ("an id is no address", canonical(PAGE, json_ld({"@type": "WebPage", "@id": OTHER})), {}, "inapplicable"),
    ("a product's address", canonical(PAGE, json_ld({"@type": "Product", "url": OTHER})), {}, "inapplicable"),
    ("an article's address", canonical(PAGE, json_ld({"@type": "Article", "url": OTHER})), {}, "inapplicable"),
    ("the site's address", canonical(PAGE, json_ld({"@type": "WebSite", "url": "https://www.example.com/"})), {}, "inapplicable"),
    ("two pages", canonical(PAGE, json_ld(web_page(PAGE), web_page(OTHER))), {}, "inapplicable"),
    ("a page within a page", canonical(PAGE, json_ld(web_page(PAGE, isPartOf=web_page(OTHER)))), {}, "passed"),
    (
        "a block that cannot be read",
        canonical(PAGE, json_ld(web_page(OTHER)) + '<script type="application/ld+json">{</script>'),
        {},
        "inapplicable",
    ),
    ("no web address", canonical(PAGE, json_ld(web_page("mailto:a@example.com"))), {}, "inapplicable"),
    ("JSON-LD names another page", canonical(PAGE, json_ld(web_page(OTHER))), {}, "warned"),
    ("JSON-LD names the home page", canonical(PAGE, json_ld({"@type": "FAQPage", "url": "https://www.example.com/"})), {}, "warned"),
    (
        "og:url differs from the sitemap: og-url-agrees reports it",
        page(head='<meta property="og:url" content="https://example.com/x">'),
        SITEMAP,
        "inapplicable",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("canonical-consistency", html, **given) == expected, case
