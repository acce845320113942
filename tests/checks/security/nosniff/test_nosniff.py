"""Outcomes of nosniff: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

SHEET = '<link rel="stylesheet" href="/a.css">'
SURE = ("X-Content-Type-Options", "nosniff")


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nosniff", page(), headers(("X-Content-Type-Options", "nosniff")), "passed"),
    ("NOSNIFF", page(), headers(("x-content-type-options", "NOSNIFF")), "passed"),
    (
        "another site's file",
        page(head='<script src="https://cdn.example.net/a.js"></script>'),
        {**headers(SURE), "assets": {"https://cdn.example.net/a.js": {}}},
        "passed",
    ),
    ("a file not fetched", page(head=SHEET), headers(SURE), "passed"),
    ("missing", page(), {}, "warned"),
    ("a file without", page(head=SHEET), {**headers(SURE), "assets": {"https://www.example.com/a.css": {}}}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("nosniff", html, **given) == expected, case
