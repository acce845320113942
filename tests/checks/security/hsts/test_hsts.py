"""Outcomes of hsts: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("a year", page(), headers(("Strict-Transport-Security", "max-age=31536000")), "passed"),
    ("in any case", page(), headers(("strict-transport-security", "MAX-AGE=63072000; includesubdomains")), "passed"),
    (
        "the first header counts",
        page(),
        headers(("Strict-Transport-Security", "max-age=31536000"), ("Strict-Transport-Security", "max-age=0")),
        "passed",
    ),
    ("on http", page(), {"url": "http://www.example.com/"}, "inapplicable"),
    ("this machine", page(), {"url": "https://localhost/"}, "inapplicable"),
    ("a private host", page(), {"url": "https://intranet.test/"}, "inapplicable"),
    ("an address of numbers", page(), {"url": "https://93.184.215.14/"}, "inapplicable"),
    ("not a page", page(), {"status": 404}, "inapplicable"),
    ("five minutes", page(), headers(("Strict-Transport-Security", "max-age=300")), "warned"),
    ("half a year", page(), headers(("Strict-Transport-Security", "max-age=15768000")), "warned"),
    ("missing", page(), {}, "failed"),
    ("switched off", page(), headers(("Strict-Transport-Security", "max-age=0")), "failed"),
    ("not to be read", page(), headers(("Strict-Transport-Security", "includeSubDomains")), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("hsts", html, **given) == expected, case
