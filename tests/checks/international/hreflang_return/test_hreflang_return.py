"""Outcomes of hreflang-return."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"
GERMAN = "https://www.example.com/de/schrauben"


def versions(*entries: tuple[str, str], more: str = "", body: str = "<p>Text.</p>", lang: str = "en") -> str:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in entries)
    return page(body, f"<title>x</title>{links}{more}", lang)


def german(*entries: tuple[str, str], **answer: Any) -> dict[str, Any]:
    body = answer.pop("body", versions(*entries, lang="de"))
    return {"alternates": {GERMAN: {"body": body, "headers": [["Content-Type", "text/html"]], **answer}}}


BOTH = versions(("en", PAGE), ("de", GERMAN))
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    f'<url><loc>{PAGE}</loc><xhtml:link rel="alternate" hreflang="de" href="{GERMAN}"/></url></urlset>'
)


def listed(*alternates: list[str], searched: bool = True) -> dict[str, Any]:
    """A sitemap with language versions, and what its entry of the German page says."""
    url = "https://www.example.com/sitemap.xml"
    entries = [[GERMAN, "", url, list(alternates)]] if alternates else []
    return {"sitemaps": {url: {"body": SITEMAP}}, "alternate_entries": entries, "sitemaps_searched": searched}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("only itself", versions(("en", PAGE)), {}, "inapplicable"),
    ("not asked", BOTH, {}, "unknown"),
    ("no answer", BOTH, {"alternates": {GERMAN: {"failure": "timeout"}}}, "unknown"),
    ("gone", BOTH, {"alternates": {GERMAN: 404}}, "inapplicable"),
    ("returns", BOTH, german(("en", PAGE), ("de", GERMAN)), "passed"),
    (
        "returns in a header",
        BOTH,
        german(headers=[["Content-Type", "text/html"], ["Link", f"<{PAGE}>; rel=alternate; hreflang=en"]]),
        "passed",
    ),
    (
        "returns by the same wrong code: the question of hreflang-valid",
        versions(("en-UK", PAGE), ("de", GERMAN)),
        german(("en-UK", PAGE), ("de", GERMAN)),
        "passed",
    ),
    ("cut off before", BOTH, german(truncated=True), "warned"),
    ("a sitemap may return", BOTH, {**german(), "sitemaps": {"https://www.example.com/sitemap.xml": {"body": SITEMAP}}}, "warned"),
    ("a sitemap returns", BOTH, {**german(), **listed(["en", PAGE], ["de", GERMAN])}, "passed"),
    ("the page has a set without return, the sitemap returns", BOTH, {**german(("de", GERMAN)), **listed(["en", PAGE])}, "passed"),
    ("a sitemap that was not searched may return", BOTH, {**german(("de", GERMAN)), **listed(searched=False)}, "warned"),
    ("the sitemap names the version without return", BOTH, {**german(), **listed(["de", GERMAN])}, "failed"),
    ("neither the page nor the sitemap", BOTH, {**german(("de", GERMAN)), **listed()}, "failed"),
    (
        "one refused",
        versions(("en", PAGE), ("de", GERMAN), ("fr", "https://www.example.com/fr")),
        {"alternates": {**german(("en", PAGE))["alternates"], "https://www.example.com/fr": 403}},
        "warned",
    ),
    ("returns by a wrong code of its own", BOTH, german(("en-UK", PAGE), ("de", GERMAN)), "failed"),
    ("does not return", BOTH, german(("de", GERMAN)), "failed"),
    ("no set at all", BOTH, german(), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("hreflang-return", html, **given) == expected, case
