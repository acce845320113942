"""Outcomes of ai-edge-access: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page

OUTCOMES = [
    ("not asked", {}, "inapplicable"),
    ("the same", {"Mozilla/5.0": {"body": "x" * 100}, "OAI-SearchBot/1.0": {"body": "x" * 95}}, "passed"),
    ("too fast", {"Mozilla/5.0": {"body": "x"}, "OAI-SearchBot/1.0": {"status": 429}}, "unknown"),
    ("nobody gets in", {"Mozilla/5.0": {"status": 503}, "OAI-SearchBot/1.0": {"status": 503}}, "unknown"),
    ("refused", {"Mozilla/5.0": {"body": "x"}, "OAI-SearchBot/1.0": {"status": 403}}, "warned"),
    ("a challenge instead of the page", {"Mozilla/5.0": {"body": "x" * 5000}, "OAI-SearchBot/1.0": {"body": "x" * 500}}, "warned"),
]


@pytest.mark.parametrize(("case", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, given: dict[str, Any], expected: str) -> None:
    assert finding("ai-edge-access", page(), agents=given).verdict == expected, case
