"""Outcomes of sitemap-present."""

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


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("not looked for", page(), {}, "unknown"),
    ("announced", page(), sitemap(), "passed"),
    ("announced, broken: the fault of another check", page(), {**NAMED, "sitemaps": {SITEMAP: 404}}, "passed"),
    ("at the usual place", page(), sitemap(robots_txt=""), "passed"),
    ("refused", page(), {"sitemaps": {SITEMAP: 403}}, "unknown"),
    ("our budget", page(), {"sitemaps": {SITEMAP: {"failure": "budget"}}}, "unknown"),
    ("none", page(), {"sitemaps": {SITEMAP: 404, "https://www.example.com/sitemap_index.xml": 404}}, "warned"),
    ("every address answers with a page", page(), {"sitemaps": {SITEMAP: {"body": "<!doctype html><title>x</title>"}}}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("sitemap-present", html, **given) == expected, case
