"""Outcomes of http-protocol: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

MANY = page("".join(f"<img src=/p{n}.png>" for n in range(30)))

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("HTTP/2", MANY, {"http_version": "2"}, "passed"),
    ("HTTP/3", MANY, {"http_version": "3"}, "passed"),
    ("HTTP/1.1, few files", page(), {"http_version": "1.1"}, "passed"),
    ("HTTP/1.1, many of others", MANY.replace("/p", "https://cdn.example.net/p"), {"http_version": "1.1"}, "passed"),
    ("on this machine", MANY, {"http_version": "1.1", "url": "http://localhost/"}, "inapplicable"),
    ("HTTP/1.1, many files", MANY, {"http_version": "1.1"}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("http-protocol", html, **given) == expected, case
