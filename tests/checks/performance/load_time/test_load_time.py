"""Outcomes of load-time: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("quick", page(), {"timing": {"last_byte_ms": 2000}}, "passed"),
    ("on this machine", page(), {"url": "http://127.0.0.1/", "timing": {"last_byte_ms": 9000}}, "inapplicable"),
    ("slow", page(), {"timing": {"last_byte_ms": 2001}}, "warned"),
    ("very slow", page(), {"timing": {"last_byte_ms": 5001}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("load-time", html, **given) == expected, case


def test_compression_is_not_advised_where_the_page_is_compressed() -> None:
    timing = {"first_byte_ms": 160, "last_byte_ms": 3000}
    assert "ompress" not in finding("load-time", "<p>Text</p>", timing=timing, content_encoding="gzip").advice != ""
    assert finding("load-time", "<p>Text</p>", timing=timing, content_encoding="").advice == ""
