"""Outcomes of hreflang-targets."""

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

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("not asked", BOTH, {}, "unknown"),
    ("refused", BOTH, {"alternates": {GERMAN: 403}}, "unknown"),
    ("sound", BOTH, german(("en", PAGE), ("de", GERMAN)), "passed"),
    ("redirects", BOTH, german(final_url="https://www.example.com/de/neu"), "warned"),
    ("canonical with a slash", BOTH, german(body=page(head=f'<link rel="canonical" href="{GERMAN}/">')), "warned"),
    ("missing", BOTH, {"alternates": {GERMAN: 404}}, "failed"),
    ("noindex", BOTH, german(body=page(head='<meta name="robots" content="noindex">')), "failed"),
    ("canonical elsewhere", BOTH, german(body=page(head=f'<link rel="canonical" href="{PAGE}">')), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("hreflang-targets", html, **given) == expected, case
