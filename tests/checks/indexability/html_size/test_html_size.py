"""Outcomes of html-size."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("small", page(), {}, "passed"),
    ("a megabyte", page(), {"padding_bytes": 1_100_000}, "warned"),
    ("two megabytes", page(), {"padding_bytes": 2_000_000}, "failed"),
    ("more than is read for other questions", page(), {"padding_bytes": 6_000_000}, "failed"),
    ("more than is kept", page(), {"decoded_bytes": 6_000_000}, "failed"),
    ("more elements than are walked", page("<br>" * 60_000), {}, "passed"),
    ("more than was received", page(), {"padding_bytes": 6_000_000, "truncated": True}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("html-size", html, **given) == expected, case
