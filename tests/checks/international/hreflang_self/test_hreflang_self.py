"""Outcomes of hreflang-self."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"
GERMAN_TEXT = "<main><p>" + "Seit vielen Jahren bauen wir Fenster aus Holz und setzen sie selbst in das Haus ein. " * 5 + "</p></main>"
GERMAN = "https://www.example.com/de/schrauben"


def versions(*entries: tuple[str, str], more: str = "", body: str = "<p>Text.</p>", lang: str = "en") -> str:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in entries)
    return page(body, f"<title>x</title>{links}{more}", lang)


QUEUED_PER_TRANSACTION = '<link rel="alternate" type="application/atom+xml" hreflang="en" href="/feed">'
SITEMAP = "https://www.example.com/sitemap.xml"
BOTH = [["en", PAGE], ["de", GERMAN]]


def sitemap(*alternates: list[str], cut: bool = False, searched: bool = True, complete: bool = True) -> dict[str, Any]:
    """The site's sitemap, and what its entry of this page says."""
    links = "".join(f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>' for code, href in [*alternates, *BOTH])
    body = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
        f"<url><loc>{PAGE}</loc>{links}</url></urlset>"
    )
    entry = [PAGE, "", SITEMAP, list(alternates), *([True] if cut else [])]
    listed = [entry] if alternates or cut else []
    return {"sitemaps": {SITEMAP: {"body": body, "truncated": not complete}}, "sitemap_entries": listed, "sitemaps_searched": searched}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("listed", versions(("en", PAGE), ("de", GERMAN)), {}, "passed"),
    ("listed by a code that is wrong: the question of hreflang-valid", versions(("en-UK", PAGE), ("de", GERMAN)), {}, "inapplicable"),
    ("a feed in the page's language", page(head=f"<title>x</title>{QUEUED_PER_TRANSACTION}"), {}, "inapplicable"),
    ("listed as x-default", versions(("x-default", PAGE), ("de", GERMAN)), {}, "passed"),
    ("listed with a fragment", versions(("en", PAGE + "#top"), ("de", GERMAN)), {}, "passed"),
    (
        "its canonical address is listed",
        versions(("en", PAGE), ("de", GERMAN), more=f'<link rel="canonical" href="{PAGE}">'),
        {"url": PAGE + "?page=2"},
        "passed",
    ),
    ("listed in the sitemap alone", page(), sitemap(*BOTH), "passed"),
    ("the sitemap adds it", versions(("de", GERMAN)), sitemap(*BOTH), "passed"),
    ("the sitemap has no more room for it", versions(("de", GERMAN)), sitemap(cut=True), "unknown"),
    ("the sitemap's entry was not seen", versions(("de", GERMAN)), sitemap(searched=False), "unknown"),
    ("the sitemap was not read to its end", versions(("de", GERMAN)), sitemap(complete=False), "unknown"),
    ("nor in the sitemap, which was searched", versions(("de", GERMAN)), sitemap(), "failed"),
    ("the sitemap alone leaves it out", page(), sitemap(["de", GERMAN]), "failed"),
    (
        "a sitemap entry of the page named as canonical",
        versions(more=f'<link rel="canonical" href="{GERMAN}">'),
        {"sitemap_entries": [[GERMAN, "", SITEMAP, [["de", GERMAN]]]], "sitemaps": {SITEMAP: {"body": "<urlset/>"}}},
        "inapplicable",
    ),
    ("country of the same language", versions(("en-GB", PAGE), ("de", GERMAN)), {}, "passed"),
    ("the lang is wrong, the entry is not", versions(("de", PAGE), ("en", GERMAN), body=GERMAN_TEXT, lang="pl"), {}, "passed"),
    ("other spelling", versions(("en", PAGE + "/"), ("de", GERMAN)), {}, "warned"),
    ("other language", versions(("fr", PAGE), ("de", GERMAN)), {}, "warned"),
    ("neither the lang nor the language of the text", versions(("fr", PAGE), ("en", GERMAN), body=GERMAN_TEXT, lang="pl"), {}, "warned"),
    ("not listed", versions(("fr", "https://www.example.com/fr"), ("de", GERMAN)), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("hreflang-self", html, **given) == expected, case


@pytest.mark.parametrize(("lang", "code"), [("zh-TW", "zh-Hant"), ("zh-Hant", "zh-HK"), ("sr-Latn", "sr"), ("sr-Cyrl-RS", "sr-RS")])
def test_codes_that_imply_a_script_are_those_of_the_page(lang: str, code: str) -> None:
    assert verdict("hreflang-self", versions((code, PAGE), ("en", GERMAN), lang=lang)) == "passed"


@pytest.mark.parametrize(
    ("lang", "listed", "code"),
    [
        ("en", ["de"], "en"),
        ("en-GB", ["de"], "en"),
        ("zh-TW", ["zh-Hans"], "zh-TW"),
        ("en-GB", ["en-US"], "en-GB"),
        ("en", ["en-US"], "en"),
        ("en-GB", ["en-gb"], ""),
    ],
)
def test_the_fix_has_a_code_that_the_other_versions_leave(lang: str, listed: list[str], code: str) -> None:
    html = versions(*((one, f"{GERMAN}/{one}") for one in listed), lang=lang)
    fixes = [fix for fix in finding("hreflang-self", html).offered_fixes if fix is not None]

    assert [f'hreflang="{code}"' in str(fix) for fix in fixes] == ([True] if code else [])
