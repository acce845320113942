"""Outcomes of ai-edge-access: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page

CHALLENGE = "<title>Just a moment...</title>"
OUTCOMES = [
    ("not asked", {}, "inapplicable"),
    ("the same", {"Mozilla/5.0": {"body": "x" * 100}, "OAI-SearchBot/1.0": {"body": "x" * 95}}, "passed"),
    ("too fast", {"Mozilla/5.0": {"body": "x"}, "OAI-SearchBot/1.0": {"status": 429}}, "unknown"),
    ("nobody gets in", {"Mozilla/5.0": {"status": 503}, "OAI-SearchBot/1.0": {"status": 503}}, "unknown"),
    ("robots.txt keeps us out", {"Mozilla/5.0": {"failure": "robots_txt"}}, "unknown"),
    ("robots.txt keeps the crawlers out", {"Mozilla/5.0": {"body": "x"}}, "inapplicable"),
    ("a browser is challenged", {"Mozilla/5.0": {"body": CHALLENGE}, "OAI-SearchBot/1.0": {"body": CHALLENGE}}, "unknown"),
    ("no answer", {"Mozilla/5.0": {"body": "x"}, "OAI-SearchBot/1.0": {"failure": "timeout"}}, "unknown"),
    ("no time was left", {"Mozilla/5.0": {"body": "x"}, "OAI-SearchBot/1.0": {"failure": "budget"}}, "unknown"),
    ("a challenge by its title", {"Mozilla/5.0": {"body": "x" * 44}, "OAI-SearchBot/1.0": {"body": CHALLENGE}}, "warned"),
    ("refused", {"Mozilla/5.0": {"body": "x"}, "OAI-SearchBot/1.0": {"status": 403}}, "warned"),
    ("a challenge instead of the page", {"Mozilla/5.0": {"body": "x" * 5000}, "OAI-SearchBot/1.0": {"body": "x" * 500}}, "warned"),
]


@pytest.mark.parametrize(("case", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, given: dict[str, Any], expected: str) -> None:
    assert finding("ai-edge-access", page(), agents=given).verdict == expected, case
