"""Outcomes of hreflang-valid."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"
GERMAN = "https://www.example.com/de/schrauben"


def versions(*entries: tuple[str, str], more: str = "", body: str = "<p>Text.</p>", lang: str = "en") -> str:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in entries)
    return page(body, f"<title>x</title>{links}{more}", lang)


SITEMAP = "https://www.example.com/sitemap.xml"


def sitemap(*alternates: tuple[str, str]) -> dict[str, Any]:
    return {"sitemaps": {SITEMAP: {"body": "<urlset/>"}}, "sitemap_entries": [[PAGE, "", SITEMAP, alternates]], "sitemaps_searched": True}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("feed", page(head='<link rel="alternate" type="application/rss+xml" href="/feed">'), {}, "inapplicable"),
    ("usual", versions(("en-GB", PAGE), ("de", GERMAN), ("x-default", PAGE)), {}, "passed"),
    ("white space", versions(("  es ", GERMAN), ("en", PAGE)), {}, "passed"),
    ("upper case", versions(("EN-us", PAGE), ("X-Default", PAGE)), {}, "passed"),
    ("script", versions(("zh-Hant-TW", PAGE), ("zh-Hans", GERMAN)), {}, "passed"),
    ("no shorter code", versions(("ast", PAGE), ("fil", GERMAN)), {}, "passed"),
    ("the same twice", versions(("de", GERMAN), ("de", GERMAN)), {}, "passed"),
    (
        "header",
        page(),
        {"headers": [["Content-Type", "text/html"], ["Link", "<https://www.example.com/de>; rel=alternate; hreflang=de"]]},
        "passed",
    ),
    (
        "lost behind a stray element is the fault of another check",
        page(head='<div></div><link rel="alternate" hreflang="de" href="https://www.example.com/de">'),
        {},
        "inapplicable",
    ),
    ("in the sitemap", page(), sitemap(("en", PAGE), ("de", GERMAN)), "passed"),
    ("the sitemap says the same", versions(("en", PAGE), ("DE", GERMAN)), sitemap(("EN", PAGE), (" de ", GERMAN + "#top")), "passed"),
    ("the sitemap says more", versions(("en", PAGE)), sitemap(("en", PAGE), ("de", GERMAN)), "passed"),
    ("the sitemap says something else", versions(("en", PAGE), ("de", GERMAN)), sitemap(("de", GERMAN + "-alt")), "failed"),
    ("code en-UK in the sitemap", page(), sitemap(("en-UK", PAGE), ("de", GERMAN)), "failed"),
    ("relative in the sitemap", page(), sitemap(("de", "/de")), "failed"),
    ("code en-UK", versions(("en-UK", PAGE)), {}, "failed"),
    ("code es-419", versions(("es-419", PAGE)), {}, "failed"),
    ("code us", versions(("us", PAGE)), {}, "failed"),
    ("code en_US", versions(("en_US", PAGE)), {}, "failed"),
    ("code empty", versions(("", PAGE)), {}, "failed"),
    ("code english", versions(("english", PAGE)), {}, "failed"),
    ("code xx", versions(("xx", PAGE)), {}, "failed"),
    ("code eng", versions(("eng", PAGE)), {}, "failed"),
    ("relative", versions(("de", "/de")), {}, "failed"),
    ("no scheme", versions(("de", "//www.example.com/de")), {}, "failed"),
    ("two addresses", versions(("de", GERMAN), ("de", PAGE)), {}, "failed"),
    ("in the body", page('<link rel="alternate" hreflang="de" href="https://www.example.com/de">'), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("hreflang-valid", html, **given) == expected, case


def test_the_sitemap_is_shown() -> None:
    found = finding("hreflang-valid", versions(("de", GERMAN)), **sitemap(("de", GERMAN + "-alt")))
    assert [(item.kind, item.url) for item in found.evidence] == [("element", GERMAN), ("sitemap", SITEMAP)]
    assert found.evidence[1].text == f'<xhtml:link rel="alternate" hreflang="de" href="{GERMAN}-alt"/>'


def test_what_the_sitemap_repeats_counts_once() -> None:
    found = finding("hreflang-valid", versions(("en", PAGE), ("de", GERMAN)), **sitemap(("en", PAGE), ("de", GERMAN), ("fr", PAGE + "/fr")))
    assert (found.verdict.value, found.params["count"]) == ("passed", 3)


def test_a_url_of_another_scheme_is_called_what_it_is() -> None:
    (shown,) = finding("hreflang-valid", versions(("de", "file:///usr/share/doc/de.html"))).evidence

    assert (shown.note, shown.params) == ("its URL begins with {scheme}:, not with http: or https:", {"scheme": "file"})


def test_a_language_version_with_two_faults_counts_once() -> None:
    found = finding("hreflang-valid", versions(("de", "/de"), ("de", "/de-2"), ("en", PAGE)))
    assert (found.params["count"], found.params["entries_count"]) == (2, 3)
