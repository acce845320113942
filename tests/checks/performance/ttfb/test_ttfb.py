"""Outcomes of ttfb: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("quick", page(), {"timing": {"first_byte_ms": 800}}, "passed"),
    ("the median counts", page(), {"timing": {"first_byte_ms": 4000}, "wait_samples_ms": [4000, 300, 310]}, "passed"),
    ("on this machine", page(), {"url": "http://localhost:8000/", "timing": {"first_byte_ms": 4000}}, "inapplicable"),
    ("a private host", page(), {"url": "https://intranet.test/", "timing": {"first_byte_ms": 4000}}, "inapplicable"),
    ("a stand-in", page(), {"judged_as": "https://example.com", "timing": {"first_byte_ms": 4000}}, "inapplicable"),
    ("slow", page(), {"timing": {"first_byte_ms": 801}}, "warned"),
    ("very slow", page(), {"wait_samples_ms": [2000, 1801, 1900]}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("ttfb", html, **given) == expected, case


def test_one_try_has_no_median() -> None:
    assert "median" not in finding("ttfb", "<p>Text</p>").message
    assert "median" in finding("ttfb", "<p>Text</p>", wait_samples_ms=[100.0, 120.0]).message
