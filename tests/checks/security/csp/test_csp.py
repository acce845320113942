"""Outcomes of csp: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("a nonce", page(), headers(("Content-Security-Policy", "script-src 'nonce-abc' 'unsafe-inline'")), "passed"),
    ("own scripts only", page(), headers(("Content-Security-Policy", "default-src 'self'")), "passed"),
    (
        "one of two is useful",
        page(),
        headers(("Content-Security-Policy", "frame-ancestors *"), ("Content-Security-Policy", "script-src 'self'")),
        "passed",
    ),
    ("not a page", page(), {"status": 500}, "inapplicable"),
    ("none", page(), {}, "warned"),
    ("only reports", page(), headers(("Content-Security-Policy-Report-Only", "default-src 'self'")), "warned"),
    ("in a meta only", page(head='<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">'), {}, "warned"),
    ("unsafe-inline", page(), headers(("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")), "warned"),
    ("nothing of scripts", page(), headers(("Content-Security-Policy", "upgrade-insecure-requests")), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("csp", html, **given) == expected, case
