"""Outcomes of geo-meta."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "info"),
    ("place", page(head='<meta name="geo.position" content="1;2">'), {}, "info"),
    ("language", page(head='<meta http-equiv="Content-Language" content="en">'), {}, "info"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("geo-meta", html, **given) == expected, case
