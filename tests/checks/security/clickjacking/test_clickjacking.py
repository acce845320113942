"""Outcomes of clickjacking: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("frame-ancestors", page(), headers(("Content-Security-Policy", "frame-ancestors 'self'")), "passed"),
    ("SAMEORIGIN", page(), headers(("X-Frame-Options", "SAMEORIGIN")), "passed"),
    ("deny", page(), headers(("x-frame-options", "deny")), "passed"),
    ("not a page", page(), {"status": 404}, "inapplicable"),
    ("none", page(), {}, "warned"),
    (
        "in a meta it has no effect",
        page(head='<meta http-equiv="Content-Security-Policy" content="frame-ancestors \'none\'">'),
        {},
        "warned",
    ),
    ("only reports", page(), headers(("Content-Security-Policy-Report-Only", "frame-ancestors 'self'")), "warned"),
    ("a value that is ignored", page(), headers(("X-Frame-Options", "ALLOW-FROM https://a.example/")), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("clickjacking", html, **given) == expected, case
