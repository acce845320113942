"""Outcomes of hreflang-self."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"
GERMAN_TEXT = "<main><p>" + "Seit vielen Jahren bauen wir Fenster aus Holz und setzen sie selbst in das Haus ein. " * 5 + "</p></main>"
GERMAN = "https://www.example.com/de/schrauben"


def versions(*entries: tuple[str, str], more: str = "", body: str = "<p>Text.</p>", lang: str = "en") -> str:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in entries)
    return page(body, f"<title>x</title>{links}{more}", lang)


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("listed", versions(("en", PAGE), ("de", GERMAN)), {}, "passed"),
    ("listed as x-default", versions(("x-default", PAGE), ("de", GERMAN)), {}, "passed"),
    ("listed with a fragment", versions(("en", PAGE + "#top"), ("de", GERMAN)), {}, "passed"),
    (
        "its canonical address is listed",
        versions(("en", PAGE), ("de", GERMAN), more=f'<link rel="canonical" href="{PAGE}">'),
        {"url": PAGE + "?page=2"},
        "passed",
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
