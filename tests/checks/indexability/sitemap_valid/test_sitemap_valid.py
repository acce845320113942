"""Outcomes of sitemap-valid."""

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


INDEX = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<sitemap><loc>https://www.example.com/a.xml</loc></sitemap></sitemapindex>"
)

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("not looked for", page(), {}, "unknown"),
    ("sound", page(), sitemap(), "passed"),
    ("byte order mark", page(), sitemap("\ufeff" + urlset(PAGE)), "passed"),
    ("text form", page(), sitemap(PAGE + "\n"), "passed"),
    ("feed", page(), sitemap(f"<rss><channel><item><link>{PAGE}</link></item></channel></rss>"), "passed"),
    ("priority and changefreq", page(), sitemap(urlset(PAGE, more="<priority>9</priority><changefreq>x</changefreq>")), "passed"),
    ("refused", page(), {**NAMED, "sitemaps": {SITEMAP: 403}}, "unknown"),
    (
        "a usual place that is no sitemap",
        page(),
        {"robots_txt": "", "sitemaps": {SITEMAP: {"body": "<!doctype html><p>x"}}},
        "inapplicable",
    ),
    ("two listed addresses that refuse our client", page(), sitemap(sitemap_sample={PAGE: 403, PAGE + "2": 429}), "passed"),
    ("missing", page(), {**NAMED, "sitemaps": {SITEMAP: 404}}, "failed"),
    ("a page", page(), sitemap("<!doctype html><html><title>x</title></html>"), "failed"),
    ("not well-formed", page(), sitemap("<urlset><url></urlset>"), "failed"),
    ("too many", page(), sitemap(urlset(*[PAGE] * 50_001)), "failed"),
    (
        "child missing",
        page(),
        {
            **sitemap("<sitemapindex><sitemap><loc>https://www.example.com/a.xml</loc></sitemap></sitemapindex>"),
            "sitemaps": {SITEMAP: {"body": INDEX}, "https://www.example.com/a.xml": 404},
        },
        "failed",
    ),
    (
        "index in an index",
        page(),
        {**NAMED, "sitemaps": {SITEMAP: {"body": INDEX}, "https://www.example.com/a.xml": {"body": INDEX}}},
        "warned",
    ),
    ("no address", page(), sitemap(urlset()), "warned"),
    ("relative address", page(), sitemap(urlset("/a")), "warned"),
    ("bad date", page(), sitemap(urlset(PAGE, more="<lastmod>30.10.2026</lastmod>")), "warned"),
    (
        "all dates equal",
        page(),
        sitemap(urlset(*(f"{PAGE}/{number}" for number in range(30)), more="<lastmod>2026-10-30</lastmod>")),
        "warned",
    ),
    ("wrong namespace", page(), sitemap(urlset(PAGE, namespace="http://www.example.com/")), "warned"),
    ("document type", page(), sitemap("<!DOCTYPE urlset [<!ENTITY a 'b'>]>" + urlset(PAGE)), "warned"),
    ("listed address missing", page(), sitemap(sitemap_sample={PAGE: 404}), "warned"),
    ("listed address noindex", page(), sitemap(sitemap_sample={PAGE: {"headers": [["X-Robots-Tag", "noindex"]]}}), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("sitemap-valid", html, **given) == expected, case
