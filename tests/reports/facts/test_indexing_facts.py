"""The facts about indexing."""

import json
from typing import Any

from tests.checks.harness import artifacts, page
from tests.reports import facts_json

PAGE = "https://www.example.com/shop/blue-widgets"
HEAD = f"""<title>x</title><meta name="robots" content="index, max-snippet:-1"><link rel="canonical" href="{PAGE}">
<link rel="alternate" hreflang="en" href="{PAGE}"><link rel="alternate" hreflang="en-UK" href="/uk">"""
SITEMAP = "https://www.example.com/sitemap.xml"
ROBOTS = f"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\nSitemap: {SITEMAP}\n"


def of(html: str = page(head=HEAD), **given: Any) -> dict[str, Any]:
    return facts_json(artifacts(html, **given))


def test_keys() -> None:
    expected = "canonical declared_charset hreflang hreflang_count redirects redirects_count robots robots_directives sitemap variants"

    assert set(expected.split()) <= of().keys()


def test_robots_matrix_names_the_deciding_line() -> None:
    robots = of(robots_txt=ROBOTS)["robots"]

    rows = {row["token"]: (row["allowed"], row["line"], row["rule"]) for row in robots["bots"]}
    assert rows["GPTBot"] == (False, 2, "Disallow: /")
    assert rows["Googlebot"] == (True, None, "")
    assert robots["sitemaps"] == [{"line": 6, "url": SITEMAP}]


def test_an_unreachable_robots_txt_decides_nothing() -> None:
    robots = of(robots_status=503)["robots"]

    assert robots["state"] == "unreachable"
    assert {row["allowed"] for row in robots["bots"]} == {None}


def test_a_robots_txt_that_was_not_asked_for_is_null() -> None:
    assert of(robots_txt={"failure": "not_asked"})["robots"] is None


def test_page_rules_canonical_and_versions() -> None:
    found = of()

    assert [(rule["name"], rule["value"], rule["source"]) for rule in found["robots_directives"]["rules"]] == [
        ("index", "", "meta"),
        ("max-snippet", "-1", "meta"),
    ]
    assert found["canonical"]["target"] == PAGE
    assert found["canonical"]["is_self"]
    assert [(item["code"], item["usable"], item["fault"]) for item in found["hreflang"]] == [
        ("en", True, ""),
        ("en-uk", False, "no_region"),
    ]


def test_sitemap_redirects_and_variants() -> None:
    found = of(
        robots_txt=ROBOTS,
        sitemaps={SITEMAP: {"body": f"<urlset><url><loc>{PAGE}</loc></url></urlset>"}},
        hops=[{"url": "http://www.example.com/"}],
        variants={"https://example.com/": {"final_url": "https://www.example.com/"}, "http://example.com/": {"failure": "dns"}},
    )

    assert (found["sitemap"]["urls_count"], found["sitemap"]["files"][0]["robots_line"]) == (1, 6)
    assert found["sitemap"]["listed"] == [{"url": PAGE, "lastmod": "", "sitemap_url": SITEMAP}]
    assert found["redirects"] == [{"url": "http://www.example.com/", "status": 301, "location": PAGE}]
    assert [(item["hops_count"], item["reason"]) for item in found["variants"]] == [(2, ""), (0, "dns")]


def test_an_error_page_has_the_facts_of_the_network() -> None:
    found = of(status=404)

    assert (found["canonical"], found["robots_directives"], found["hreflang"]) == (None, None, [])
    assert found["robots"]["state"] == "read"


def test_facts_are_bounded_and_serialisable() -> None:
    many = "".join(f'<link rel="alternate" hreflang="de" href="https://www.example.com/{number}">' for number in range(2000))
    found = of(page(head=many + '<link rel="canonical" href="/x">' * 500 + '<meta name="robots" content="index">' * 500))

    assert len(json.dumps(found)) < 150_000
    assert (len(found["hreflang"]), found["hreflang_count"]) == (200, 2000)
