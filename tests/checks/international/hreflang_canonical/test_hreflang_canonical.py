"""Outcomes of hreflang-canonical."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"
GERMAN = "https://www.example.com/de/schrauben"


def versions(*entries: tuple[str, str], more: str = "", body: str = "<p>Text.</p>", lang: str = "en") -> str:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in entries)
    return page(body, f"<title>x</title>{links}{more}", lang)


SITEMAP = "https://www.example.com/sitemap.xml"
IN_SITEMAP = {
    "sitemaps": {SITEMAP: {"body": "<urlset/>"}},
    "sitemap_entries": [[PAGE, "", SITEMAP, [["en", PAGE], ["de", GERMAN]]]],
    "sitemaps_searched": True,
}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("no canonical: the question of another check", versions(("en", PAGE), ("de", GERMAN)), {}, "inapplicable"),
    ("itself", versions(("en", PAGE), ("de", GERMAN), more=f'<link rel="canonical" href="{PAGE}">'), {}, "passed"),
    (
        "another page of no version",
        versions(("en", PAGE), ("de", GERMAN), more='<link rel="canonical" href="https://www.example.com/all">'),
        {},
        "passed",
    ),
    (
        "same language, second page",
        versions(("en", PAGE), ("de", GERMAN), more=f'<link rel="canonical" href="{PAGE}">'),
        {"url": PAGE + "?page=2"},
        "passed",
    ),
    ("another language of the sitemap", page(head=f'<title>x</title><link rel="canonical" href="{GERMAN}">'), IN_SITEMAP, "failed"),
    ("itself, versions in the sitemap", page(head=f'<title>x</title><link rel="canonical" href="{PAGE}">'), IN_SITEMAP, "passed"),
    ("another language", versions(("en", PAGE), ("de", GERMAN), more=f'<link rel="canonical" href="{GERMAN}">'), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("hreflang-canonical", html, **given) == expected, case
