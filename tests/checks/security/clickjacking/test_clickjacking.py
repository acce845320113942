"""Outcomes of clickjacking: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("frame-ancestors", page(), headers(("Content-Security-Policy", "frame-ancestors 'self'")), "passed"),
    ("SAMEORIGIN", page(), headers(("X-Frame-Options", "SAMEORIGIN")), "passed"),
    ("deny", page(), headers(("x-frame-options", "deny")), "passed"),
    ("one of two policies limits", page(), headers(("Content-Security-Policy", "frame-ancestors *, frame-ancestors 'self'")), "passed"),
    ("a host", page(), headers(("Content-Security-Policy", "frame-ancestors 'self' https://*.example.org")), "passed"),
    ("nobody", page(), headers(("Content-Security-Policy", "frame-ancestors 'none'")), "passed"),
    ("not a page", page(), {"status": 404}, "inapplicable"),
    ("everybody", page(), headers(("Content-Security-Policy", "frame-ancestors *"), ("X-Frame-Options", "DENY")), "warned"),
    ("everybody over https", page(), headers(("Content-Security-Policy", "frame-ancestors 'self' https:")), "warned"),
    ("every host", page(), headers(("Content-Security-Policy", "frame-ancestors https://*")), "warned"),
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


def test_the_fix_replaces_the_rule_that_limits_nothing() -> None:
    sent = ("Content-Security-Policy", "default-src 'self'; frame-ancestors *")
    (fix,) = finding("clickjacking", page(), **headers(sent)).fixes
    assert "default-src 'self'; frame-ancestors 'self'" in fix.code
    assert "*" not in fix.code
