"""Outcomes of load-time: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.performance.load_time import COMPRESSED_ADVICE, SMALL_ADVICE
from findable.checks.performance.text_compression import OTHER_ADVICE
from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("quick", page(), {"timing": {"last_byte_ms": 2000}}, "passed"),
    ("on this machine", page(), {"url": "http://127.0.0.1/", "timing": {"last_byte_ms": 9000}}, "inapplicable"),
    ("only the first byte is slow", page(), {"timing": {"first_byte_ms": 2100, "last_byte_ms": 2900}}, "inapplicable"),
    ("slow in that try only", page(), {"timing": {"first_byte_ms": 2100, "last_byte_ms": 2900}, "wait_samples_ms": [90] * 3}, "warned"),
    ("slow", page(), {"timing": {"last_byte_ms": 2001}}, "warned"),
    ("very slow", page(), {"timing": {"last_byte_ms": 5001}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("load-time", html, **given) == expected, case


def test_compression_is_not_advised_where_the_page_is_compressed() -> None:
    timing = {"first_byte_ms": 160, "last_byte_ms": 3000}
    large = {"wire_bytes": 300_000, "timing": timing}
    assert finding("load-time", "<p>Text</p>", **large, content_encoding="gzip").advice == COMPRESSED_ADVICE
    assert finding("load-time", "<p>Text</p>", **large, content_encoding="").advice == OTHER_ADVICE


def test_a_small_page_is_not_to_be_made_shorter() -> None:
    found = finding("load-time", "<p>Text</p>", timing={"first_byte_ms": 1100, "last_byte_ms": 2600}, wire_bytes=2500)

    assert found.verdict.value == "warned"
    assert found.advice == SMALL_ADVICE
    assert found.params["transfer_ms"] == 1500
