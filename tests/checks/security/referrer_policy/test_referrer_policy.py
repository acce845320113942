"""Outcomes of referrer-policy: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "passed"),
    ("strict", page(), headers(("Referrer-Policy", "strict-origin-when-cross-origin")), "passed"),
    ("a fallback list", page(), headers(("Referrer-Policy", "unsafe-url, strict-origin")), "passed"),
    ("unknown", page(), headers(("Referrer-Policy", "whatever")), "passed"),
    ("unsafe-url", page(), headers(("Referrer-Policy", "unsafe-url")), "warned"),
    ("downgrade", page(), headers(("Referrer-Policy", "no-referrer-when-downgrade")), "warned"),
    ("in a meta", page(head='<meta name="referrer" content="unsafe-url">'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("referrer-policy", html, **given) == expected, case
